"""The whole table of a run without missing values."""

from __future__ import annotations

from math import ceil

import numpy as np
import pandas as pd
from sklearn.base import clone

from dmlib.preprocessing.missing_values.algorithm import MAX_PAIRS, Imputer
from dmlib.problem import Problem


def filled_table(problem: Problem, frame: pd.DataFrame, model: Imputer) -> pd.DataFrame:
    """Fill the holes of a whole table in its chosen columns, from all its rows.

    Parameters
    ----------
    problem : Problem
        Its features and scaling; it may have had a sample of the rows.
    frame : DataFrame
        The whole table.
    model : Imputer
        It is not changed. Where rows are too many for all distances, and columns or patterns of
        holes for trees, neighbours are among evenly spaced ones.

    Returns
    -------
    DataFrame
        The table with its other columns, as they were; without the rows that were left out.

    Examples
    --------
    >>> from dmlib.preprocessing import Imputer
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [1.0, None, 3.0], "b": [1.0, 2.0, 3.0], "kind": ["x", "y", "x"]})
    >>> filled_table(prepare(frame, ["a", "b"], holes="keep"), frame, Imputer("mean"))
         a    b kind
    0  1.0  1.0    x
    1  2.0  2.0    y
    2  3.0  3.0    x
    """
    features = list(problem.features)
    X = frame[features]
    scale = _scale(problem)
    X = X.astype(dict.fromkeys(scale, float))
    scaled = X.assign(**{name: (X[name] - a) / b for name, (a, b) in scale.items()})
    fitted = clone(model).fit(scaled)
    if model.strategy == "drop":
        return frame.loc[X.notna().all(axis=1)].copy()
    filled = frame.copy()
    stride = _stride(X) if model.strategy == "knn" and not fitted.searchable() else 1
    if stride > 1:
        sample = scaled.iloc[::stride]
        fitted = clone(model).fit(sample)
        filled.attrs["note"] = (
            f"Neighbours were sought among {len(sample):,} evenly spaced of {len(frame):,} rows."
        )
    names = [str(name) for name in fitted.get_feature_names_out()]
    result = pd.DataFrame(np.asarray(fitted.transform(scaled)), columns=names, index=frame.index)
    result = result.infer_objects()
    for j, name in enumerate(features):
        if not X[name].isna().any():
            continue
        if name in scale:
            shift, unit = scale[name]
            filled[name] = X[name].fillna(result.iloc[:, j].astype(float) * unit + shift)
        else:
            filled[name] = X[name].astype(object).where(X[name].notna(), result.iloc[:, j])
    for j, name in enumerate(names[len(features) :], start=len(features)):
        filled[name if name not in filled else f"{name}_"] = result.iloc[:, j].astype(int)
    return filled


def _scale(problem: Problem) -> dict[str, tuple[float, float]]:
    """Return the shift and the unit of each numeric feature."""
    d = len(problem.features)
    shift = np.zeros(d) if problem.shift is None else problem.shift
    unit = np.ones(d) if problem.unit is None else problem.unit
    numeric = [j for j in range(d) if j not in problem.categories]
    return {problem.features[j]: (shift[j], unit[j]) for j in numeric}


def _stride(X: pd.DataFrame) -> int:
    """Return which rows are neighbours so that their distances are not too many."""
    is_hole = X.isna()
    n_pairs = int(is_hole.any(axis=1).sum()) * len(X) * int(is_hole.any().sum())
    return max(1, ceil(n_pairs / MAX_PAIRS))
