"""The same holes filled by scikit-learn, and the code that does so; the prepared table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone

from dmlib.comparison import Incomparable
from dmlib.pictures.run import Run
from dmlib.preprocessing.missing_values.algorithm import MOST_PAIRS

THEIRS = {"mean": "mean", "median": "median", "mode": "most_frequent", "knn": ""}


def _comparable(run: Run) -> None:
    model = run.model
    if model.strategy not in THEIRS:
        raise Incomparable(
            f"scikit-learn has no imputer of one pass that does what {model.strategy!r} does."
        )
    if run.problem.categories:
        raise Incomparable(
            "scikit-learn's imputers take numbers and names apart; choose columns of numbers."
        )
    if model.strategy == "knn":
        for step in run.trace.steps:
            if step.column >= 0 and _tied(run, step):
                raise Incomparable(
                    "rows are equally far from a hole, so that either may be its last neighbour."
                )


def _tied(run: Run, step: Any) -> bool:
    """Return whether another row with the column is as far as the last neighbour."""
    from dmlib.preprocessing import Imputer

    more = Imputer("knn", n_neighbors=run.model.n_neighbors + 1)
    models = run.once("missing_values.one_more", lambda: more.fit(run.problem.data))
    far = models.neighbors(run.problem.X[step.row : step.row + 1], step.column)[1][0]
    k = run.model.n_neighbors
    return len(far) > k and bool(far[k] <= far[k - 1] * (1 + 1e-9))


def missing_values_reference(run: Run) -> Any:
    """Return scikit-learn's ``KNNImputer`` or ``SimpleImputer``, fitted."""
    from sklearn.impute import KNNImputer, SimpleImputer

    _comparable(run)
    model = run.model
    if model.strategy == "knn":
        return KNNImputer(n_neighbors=model.n_neighbors, weights=model.weights).fit(run.problem.X)
    return SimpleImputer(strategy=THEIRS[model.strategy]).fit(run.problem.X)


def missing_values_code(run: Run) -> str:
    """Return code that fits scikit-learn's imputer as ``reference`` to ``X``, after ``model``."""
    model = run.model
    try:
        _comparable(run)
    except Incomparable as reason:
        return f"\n# No library to compare with: {reason}\nreference = model\n"
    if model.strategy == "knn":
        made = f"impute.KNNImputer(n_neighbors={model.n_neighbors}, weights={model.weights!r})"
    else:
        made = f"impute.SimpleImputer(strategy={THEIRS[model.strategy]!r})"
    return (
        f"\n# The same with scikit-learn\nfrom sklearn import impute\n\nreference = {made}.fit(X)\n"
    )


def filled_table(problem: Any, frame: pd.DataFrame, model: Any) -> pd.DataFrame:
    """Fill the holes of a whole table in its chosen columns, learned from all its rows.

    Parameters
    ----------
    problem : Problem
        Its features and scaling; it may have had a sample of the rows.
    frame : DataFrame
        The whole table.
    model : Imputer
        It is not changed. Where rows are too many for all distances, and columns or patterns of
        holes for trees, neighbours are sought among evenly spaced ones.

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
    used = list(problem.features)
    X = frame[used]
    numeric = [used[j] for j in range(len(used)) if j not in problem.categories]
    X = X.astype(dict.fromkeys(numeric, float))
    shift = np.zeros(len(used)) if problem.shift is None else problem.shift
    unit = np.ones(len(used)) if problem.unit is None else problem.unit
    scale = {name: (shift[used.index(name)], unit[used.index(name)]) for name in numeric}
    scaled = X.assign(**{name: (X[name] - a) / b for name, (a, b) in scale.items()})
    holes = int(X.isna().any(axis=1).sum())
    every = max(1, -(-holes * len(X) * max(int(X.isna().any().sum()), 1) // MOST_PAIRS))
    fitted = clone(model).fit(scaled)
    if model.strategy != "knn" or fitted.searchable():
        every = 1
    learned = scaled.iloc[::every]
    fitted = fitted if every == 1 else clone(model).fit(learned)
    result = fitted.transform(scaled)
    if model.strategy == "drop":
        return frame.loc[X.notna().all(axis=1)].copy()
    names = [str(name) for name in fitted.get_feature_names_out()]
    result = pd.DataFrame(np.asarray(result), columns=names, index=frame.index).infer_objects()
    filled = frame.copy()
    for j, name in enumerate(used):
        gone = X[name].isna()
        if not gone.any():
            continue
        if name in scale:
            a, b = scale[name]
            filled[name] = X[name].where(~gone, result.iloc[:, j].astype(float) * b + a)
        else:
            filled[name] = X[name].astype(object).where(~gone, result.iloc[:, j])
    for j, name in enumerate(names[len(used) :], start=len(used)):
        filled[name if name not in filled else f"{name}_"] = result.iloc[:, j].astype(int)
    if every > 1:
        filled.attrs["note"] = (
            f"Neighbours were sought among {len(learned):,} evenly spaced of {len(frame):,} rows."
        )
    return filled


def prepared_table(run: Run, table: Any) -> pd.DataFrame:
    """Return the whole table of a run without holes in its chosen columns."""
    return filled_table(run.problem, table.frame, run.model)


def prepared_code(run: Run) -> str:
    """Return code that makes this table as ``frame``, after ``table``, ``problem`` and ``model``."""
    return (
        "from dmlib.preprocessing.missing_values.reference import filled_table\n\n"
        "frame = filled_table(problem, table.frame, model)\n"
    )
