"""Rows of a table as those of a problem that was prepared from it."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dmlib.problem.columns import numbers, typical
from dmlib.problem.table import Problem


def encoded(
    problem: Problem, frame: pd.DataFrame, rows: NDArray[np.intp] | None = None
) -> NDArray[np.float64]:
    """Return all rows of a table, coded and scaled as those of a problem.

    Parameters
    ----------
    problem : Problem
        Prepared from the table, or from a sample of its rows.
    frame : DataFrame of shape (n, ...)
        The table.
    rows : ndarray of shape (n_samples,), optional
        Row number in the table of each sample; by default ``problem.rows``.

    Returns
    -------
    ndarray of shape (n, n_features)
        NaN where a value is missing, unless the problem has filled them; also where a category is
        not among those of the problem.

    Examples
    --------
    >>> from dmlib.problem import prepare
    >>> table = pd.DataFrame({"a": [0.0, 2.0, None], "sky": ["sun", "rain", "rain"]})
    >>> problem = prepare(table, ["a", "sky"], scaling="min-max")
    >>> encoded(problem, table).tolist()
    [[0.0, 1.0], [1.0, 0.0], [nan, 0.0]]
    """
    rows = problem.rows if rows is None else rows
    X, categories = numbers(frame, problem.features)
    for j, names in categories.items():
        places = {name: float(i) for i, name in enumerate(problem.categories[j])}
        codes = np.array([*(places.get(name, np.nan) for name in names), np.nan])
        X[:, j] = codes[np.where(np.isnan(X[:, j]), -1, X[:, j]).astype(int)]
    if problem.shift is not None and problem.unit is not None:
        X = (X - problem.shift) / problem.unit
    was_filled = np.isnan(X[rows]).any() and not np.isnan(problem.X).any()
    if was_filled:
        X = np.where(np.isnan(X), typical(problem.training.X, problem.categories), X)
    X[rows] = problem.X
    return X
