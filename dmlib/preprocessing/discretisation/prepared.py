"""The whole table of a run with intervals or bits in the place of its columns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import clone

from dmlib.preprocessing.discretisation.algorithm import Discretizer
from dmlib.preprocessing.discretisation.binarizer import Binarizer
from dmlib.problem import Problem, codes_of, transformed
from dmlib.trees.threshold_text import threshold_texts

SLOW = ("one_rule", "chi_merge")
"""Strategies that go from row to row: a whole table is not cut anew."""


def discretised(problem: Problem, frame: pd.DataFrame, model: Any) -> pd.DataFrame:
    """Replace the columns of a whole table by intervals or bits.

    Parameters
    ----------
    problem : Problem
        Its features and scaling.
    frame : DataFrame
        The whole table. Rows with missing values in its chosen columns are left out.
    model : Discretizer or Binarizer
        Fitted. If it was fitted to a sample of the rows, all are cut anew, unless that is slow.

    Returns
    -------
    DataFrame
        Intervals as ordered categories in the units of the table, or bits; then the columns that
        were not used.

    Examples
    --------
    >>> from dmlib.preprocessing import Discretizer
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 8.0, 9.0], "kind": ["x", "x", "y", "y"]})
    >>> problem = prepare(frame, ["a"])
    >>> discretised(problem, frame, Discretizer("width", n_bins=2).fit(problem.X))
           a kind
    0  ≤ 4.5    x
    1  ≤ 4.5    x
    2  > 4.5    y
    3  > 4.5    y
    """
    model, note = _fitted_to_all(problem, frame, model)
    table = transformed(problem, frame, model)
    if note:
        table.attrs["note"] = note
    if isinstance(model, Binarizer):
        return table
    for j, name in enumerate(problem.features):
        cuts = model.cuts_[j]
        if problem.shift is not None and problem.unit is not None:
            cuts = cuts * problem.unit[j] + problem.shift[j]
        labels = interval_names(cuts, None if j in problem.categories else frame[name])
        table[name] = pd.Categorical.from_codes(table[name].astype(int), labels, ordered=True)
    return table


def _fitted_to_all(problem: Problem, frame: pd.DataFrame, model: Any) -> tuple[Any, str]:
    """Return the model fitted to all rows of a table unless that is slow, and a sentence on it."""
    features = list(problem.features)
    target = [problem.target] if problem.target else []
    rows = frame.dropna(subset=[*features, *target])
    if len(rows) <= len(problem.X):
        return model, ""
    if isinstance(model, Discretizer) and model.strategy in SLOW:
        sample = f"the {len(problem.X):,} rows of the picture"
        return model, f"The cuts are those of {sample}; all rows were put into them."
    X = rows[features]
    if problem.shift is not None and problem.unit is not None:
        for j, name in enumerate(features):
            if j not in problem.categories:
                X = X.assign(**{name: (X[name] - problem.shift[j]) / problem.unit[j]})
    y = codes_of(rows[problem.target])[0] if problem.target and problem.classes else None
    new = clone(model).fit(X if problem.categories else X.to_numpy(float), y)
    return new, f"Cut anew by all {len(rows):,} rows."


def interval_names(cuts: Sequence[float], x: ArrayLike | None = None) -> list[str]:
    """Return the names of intervals of the numbers ``x``; each holds its upper end.

    Examples
    --------
    >>> interval_names([0.5, 2.0]), interval_names([])
    (['≤ 0.5', '(0.5, 2]', '> 2'], ['all'])
    """
    if not len(cuts):
        return ["all"]
    ends = threshold_texts(cuts, x)
    inner = [f"({low}, {high}]" for low, high in pairwise(ends)]
    return [f"≤ {ends[0]}", *inner, f"> {ends[-1]}"]
