"""The whole table of a run, scaled, with a new column, sampled or aggregated."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import clone

from dmlib.arrays import Floats
from dmlib.preprocessing.transformation.aggregation import Aggregator
from dmlib.preprocessing.transformation.algorithm import Rescaler
from dmlib.preprocessing.transformation.formula_transformer import FormulaTransformer
from dmlib.preprocessing.transformation.sampling import Sampler
from dmlib.problem import Problem


def prepared_rows(
    problem: Problem,
    frame: pd.DataFrame,
    model: Rescaler | FormulaTransformer | Sampler | Aggregator,
) -> pd.DataFrame:
    """Scale, sample or aggregate a whole table, or append a column to it.

    Parameters
    ----------
    problem : Problem
        Its features and scaling; it may have had a sample of the rows.
    frame : DataFrame
        The whole table. Rows with missing values in its chosen columns are left out.
    model : Rescaler, FormulaTransformer, Sampler or Aggregator
        It is fitted anew, to all rows.

    Returns
    -------
    DataFrame
        The table. Of groups, other columns have their most frequent value.

    Raises
    ------
    ValueError
        If no row is left.

    Examples
    --------
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [1.0, 3.0, 5.0, 9.0], "kind": ["x", "x", "y", "y"]})
    >>> prepared_rows(prepare(frame, ["a"]), frame, Aggregator(size=2))
         a kind
    0  2.0    x
    1  7.0    y
    """
    features = list(problem.features)
    rows = frame.dropna(subset=features)
    if rows.empty:
        raise ValueError(
            "Every row has a missing value in the chosen columns."
            " Choose others, or fill them first."
        )
    X = (rows[features].to_numpy(float) - _shift(problem)) / _unit(problem)
    if isinstance(model, Rescaler):
        scaled = clone(model).fit(X).prepared_
        return rows.assign(**dict(zip(features, scaled.T, strict=True)))
    if isinstance(model, FormulaTransformer):
        fitted = clone(model).set_params(columns=features).fit(X)
        return rows.assign(**{new_name(fitted, frame): fitted.values_})
    y = rows.get(problem.target)
    if isinstance(model, Sampler):
        return _sample(problem, rows, X, y, clone(model))
    return _aggregate(problem, rows, clone(model).fit(X, _without_holes(y)))


def new_name(model: FormulaTransformer, frame: pd.DataFrame) -> str:
    """Return the name of the new column in a table, where an unused one may be called so."""
    return model.name_ + "_" * (model.name_ in frame)


def _shift(problem: Problem) -> Any:
    return 0.0 if problem.shift is None else problem.shift


def _unit(problem: Problem) -> Any:
    return 1.0 if problem.unit is None else problem.unit


def _without_holes(y: pd.Series[Any] | None) -> pd.Series[Any] | None:
    """Return classes with missing ones as a class of their own."""
    return y.astype(str) if y is not None and y.isna().any() else y


def _sample(
    problem: Problem, rows: pd.DataFrame, X: Floats, y: pd.Series[Any] | None, model: Sampler
) -> pd.DataFrame:
    y = _without_holes(y)
    if model.costs and y is not None:
        # The run has codes of the classes, the table has names.
        y = y.astype(str)
        model.costs = {problem.classes[code]: cost for code, cost in model.costs.items()}
    return rows.iloc[model.fit(X, y).indices_].reset_index(drop=True)


def _aggregate(problem: Problem, rows: pd.DataFrame, model: Aggregator) -> pd.DataFrame:
    features = list(problem.features)
    n_shifts = np.bincount(model.labels_)[:, None] if model.statistic == "sum" else 1
    groups = model.prepared_ * _unit(problem) + n_shifts * _shift(problem)
    table = pd.DataFrame(groups, columns=features)
    unused = rows.drop(columns=features)
    for name, column in unused.items():
        table[name] = commonest(column, model.labels_, len(table))
    if len(unused.columns):
        table.attrs["note"] = "The other columns have the commonest value of each group."
    return table


def commonest(column: pd.Series[Any], groups: NDArray[np.intp], n_groups: int) -> Any:
    """Return the most frequent value of each group; None where all are missing.

    Of equally frequent values it is the smallest.

    Examples
    --------
    >>> list(commonest(pd.Series(["b", "a", "b", "c", "a"]), np.array([0, 0, 0, 1, 1]), 2))
    ['b', 'a']
    """
    codes, values = pd.factorize(column, sort=True)
    is_known = codes >= 0
    pairs = np.column_stack([groups[is_known], codes[is_known]])
    pairs, counts = np.unique(pairs, axis=0, return_counts=True)
    order = np.lexsort([pairs[:, 1], -counts, pairs[:, 0]])
    first = order[np.unique(pairs[order, 0], return_index=True)[1]]
    modes = np.full(n_groups, -1)
    modes[pairs[first, 0]] = pairs[first, 1]
    result = pd.Series(values).reindex(modes)
    return result.astype(column.dtype).array if (modes >= 0).all() else result.array
