"""A table with what a fitted estimator says of each of its rows, those that it never saw too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dmlib.outputs.rows import NUMBER, RESIDUAL, fitted_columns, predicted_columns
from dmlib.pictures.words import count
from dmlib.problem import Problem
from dmlib.problem.encoding import encoded
from dmlib.trace import look

BLOCK = 5000  # rows that are predicted at once
ROLE = "role"
TRAINING, TEST, NEW = "training", "test", "not used"


def with_outputs(
    problem: Problem,
    frame: pd.DataFrame,
    model: Any,
    *,
    answer: Any = None,
    rows: NDArray[np.intp] | None = None,
    components: bool = True,
) -> tuple[pd.DataFrame, str]:
    """Return a table with what a fitted estimator says of its rows as new columns.

    Parameters
    ----------
    problem : Problem
        Prepared from the table, or from a sample of its rows.
    frame : DataFrame of shape (n, ...)
        The table.
    model : estimator
        Fitted to the training rows of the problem.
    answer : object, optional
        What has the clusters of these rows, where a setting decides them after the fit; by default
        the estimator.
    rows : ndarray of shape (n_samples,), optional
        Row number in the table of each sample; by default ``problem.rows``.
    components : bool
        Whether the columns of a transformer are among them.

    Returns
    -------
    table : DataFrame of shape (n, ...)
        The table, then the new columns. A name that is in use gets an underscore.
    sentence : str
        How many rows were used, predicted, or have no result.

    Examples
    --------
    >>> from dmlib.clustering import KMeans
    >>> from dmlib.problem import prepare
    >>> table = pd.DataFrame({"a": [0.0, 1.0, None, 9.0]})
    >>> problem = prepare(table, ["a"])
    >>> model = KMeans(2, random_state=0).fit(problem.X)
    >>> result, sentence = with_outputs(problem, table, model)
    >>> result["cluster"].isna().tolist(), sentence
    ([False, False, True, False], '3 of 4 rows have a result; 1 row has a missing value.')
    """
    rows = problem.rows if rows is None else rows
    X = encoded(problem, frame, rows)
    is_predictable = _predictable(model, X)
    training = rows if problem.test is None else rows[~problem.test]
    target = frame.get(problem.target)
    columns = _columns(problem, X, model, answer, training, target, components)
    if not columns:
        return frame, ""
    has_result = pd.DataFrame(columns).notna().any(axis=1).to_numpy()
    columns |= _roles(problem, rows, training, len(frame))
    result = joined(frame, pd.DataFrame(columns).set_axis(frame.index))
    return result, _sentence(has_result, is_predictable)


def sample_outputs(problem: Problem, model: Any, answer: Any = None) -> pd.DataFrame:
    """Return what a fitted estimator says of the samples of a problem, one column each.

    Parameters
    ----------
    problem : Problem
        The samples, those that are held out included.
    model : estimator
        Fitted to the training rows of the problem.
    answer : object, optional
        As of :func:`with_outputs`.

    Examples
    --------
    >>> from dmlib.clustering import DBSCAN
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 9.0]}), ["a"])
    >>> model = DBSCAN(eps=2.0, min_samples=2).fit(problem.X)
    >>> sample_outputs(problem, model)["cluster"].tolist()
    [1, 1, 0]
    """
    rows = np.arange(len(problem.X))
    training = rows if problem.test is None else rows[~problem.test]
    return pd.DataFrame(_columns(problem, problem.X, model, answer, training, pd.Series(problem.y)))


def _columns(
    problem: Problem,
    X: NDArray[np.float64],
    model: Any,
    answer: Any,
    training: NDArray[np.intp],
    target: pd.Series[Any] | None,
    components: bool = True,
) -> dict[str, pd.Series[Any]]:
    """Return what is said of rows: of those that were trained on by the fit, else by prediction."""
    rows = np.flatnonzero(_predictable(model, X))
    columns = _predictions(problem, X, rows, model, components)
    if problem.numeric_target and NUMBER in columns and target is not None:
        columns[RESIDUAL] = target.astype(float).reset_index(drop=True) - columns[NUMBER]
    fitted = fitted_columns(model, model if answer is None else answer, problem.classes)
    for name, values in fitted.items():
        column = _column(values, training, len(X))
        columns[name] = column.combine_first(columns[name]) if name in columns else column
    return columns


def _predictable(model: Any, X: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.asarray(np.isfinite(X).all(axis=1) | _takes_holes(model))


def joined(frame: pd.DataFrame, columns: pd.DataFrame) -> pd.DataFrame:
    """Return a table with more columns; a name that is in use gets an underscore.

    Examples
    --------
    >>> joined(pd.DataFrame({"a": [1]}), pd.DataFrame({"a": [2]})).columns.tolist()
    ['a', 'a_']
    """
    names = list(map(str, frame.columns))
    for name in columns:
        new_name = str(name)
        while new_name in names:
            new_name += "_"
        names.append(new_name)
    return pd.concat([frame, columns], axis=1).set_axis(names, axis=1)


def _takes_holes(model: Any) -> bool:
    return bool(model.__sklearn_tags__().input_tags.allow_nan)


def _predictions(
    problem: Problem, X: NDArray[np.float64], rows: NDArray[np.intp], model: Any, components: bool
) -> dict[str, pd.Series[Any]]:
    """Return the columns that the estimator gives to new rows, predicted in blocks."""
    blocks = []
    for start in range(0, len(rows), BLOCK):
        look()
        data = problem.table(X[rows[start : start + BLOCK]])
        blocks.append(predicted_columns(model, data, problem.classes, components=components))
    names = blocks[0] if blocks else ()
    return {
        name: _column(np.concatenate([block[name] for block in blocks]), rows, len(X))
        for name in names
    }


def _column(values: NDArray[Any], rows: NDArray[np.intp], n_rows: int) -> pd.Series[Any]:
    """Return values of rows as a column of all rows, with a type that has missing values."""
    column = pd.Series(values, index=rows)
    types = {"i": "Int64", "b": "boolean"}
    column = column.astype(types.get(column.dtype.kind, column.dtype))
    return column.reindex(range(n_rows))


def _roles(
    problem: Problem, rows: NDArray[np.intp], training: NDArray[np.intp], n_rows: int
) -> dict[str, pd.Series[Any]]:
    """Return which rows were trained on, where these are not all."""
    if len(training) == n_rows:
        return {}
    roles = np.full(n_rows, NEW, object)
    roles[rows], roles[training] = TEST, TRAINING
    return {ROLE: pd.Series(roles)}


def _sentence(has_result: NDArray[np.bool_], is_predictable: NDArray[np.bool_]) -> str:
    """Return how many rows have a result, and why the remaining ones have none."""
    n_rows, n_results = len(has_result), int(has_result.sum())
    text = f"{n_results:,} of {n_rows:,} rows have a result"
    n_missing = int((~has_result & ~is_predictable).sum())
    n_new = int((~has_result & is_predictable).sum())
    if n_missing:
        text += f"; {count(n_missing, 'row has a missing value', 'rows have missing values')}"
    if n_new:
        were = "row was not part of the run, and the method says nothing of new rows"
        text += f"; {count(n_new, were, were.replace('row was', 'rows were'))}"
    return f"{text}."
