"""Three leaks on a table: preparation with all rows before the split, or within each fold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.model_selection import KFold, StratifiedKFold

from dmlib import engine
from dmlib.arrays import Floats
from dmlib.evaluation import models
from dmlib.evaluation.resampling.leakage import N_FOLDS, Leakage
from dmlib.squares import centred, standard_deviations
from dmlib.trace import look

Prepare = Callable[[Floats, Any, Floats], Floats]

MISSING = 0.2  # fraction of the cells that are emptied where a table has no missing values
N_BANDS = 5  # parts of equal size into which a numeric target is cut


def table_leakage(
    model: Any,
    X: Any,
    y: ArrayLike,
    *,
    numbers: bool = False,
    n_repetitions: int = 10,
    random_state: int = 0,
    progress: Any = None,
) -> Leakage:
    """Cross-validate a model with a preparation before the split, and within each fold.

    Parameters
    ----------
    model : str or estimator
        The model.
    X : array-like or DataFrame of shape (n_samples, n_features)
        The table; nominal columns are left out.
    y : array-like of shape (n_samples,)
        Classes or numbers.
    numbers : bool
        Whether the target is numeric.
    n_repetitions : int
        The number of random splits into folds.
    random_state : int
        The seed.
    progress : callable, optional
        Called after each repetition.

    Raises
    ------
    ValueError
        If no column is numeric, or there are fewer rows than folds.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X, y = rng.normal(size=(40, 300)), np.arange(40) % 2
    >>> errors = table_leakage("knn", X, y, n_repetitions=2)
    >>> errors.names, bool(errors.leaking[1].mean() < 0.3 < errors.honest[1].mean())
    (('scaling', 'selection of columns', 'imputation by target'), True)
    """
    frame = pd.DataFrame(X)
    table = frame.select_dtypes("number").to_numpy(float)
    if not table.shape[1]:
        raise ValueError(
            "Leaks of a preparation need numeric columns, and this table has none. Choose another"
            " table."
        )
    if len(table) < 2 * N_FOLDS:
        raise ValueError(
            f"{N_FOLDS} folds need at least {2 * N_FOLDS} rows; there are {len(table)}."
        )
    target = np.asarray(y, float) if numbers else np.unique(np.asarray(y), return_inverse=True)[1]
    names = tuple(PREPARATIONS)
    tasks = [name for name in names for _ in range(n_repetitions)]
    task = partial(_errors, model, table, target, numbers)
    errors = np.array(list(engine.map(task, tasks, seed=random_state, progress=progress)))
    leaking, honest = errors.reshape(len(names), n_repetitions, 2).transpose(2, 0, 1)
    return Leakage(names, leaking, honest)


def _errors(
    model: Any, X: Floats, y: Any, numbers: bool, name: str, rng: np.random.Generator
) -> tuple[float, float]:
    seed = int(rng.integers(2**31 - 1))
    is_stratified = not numbers and np.bincount(y).min() >= N_FOLDS
    cv = (StratifiedKFold if is_stratified else KFold)(N_FOLDS, shuffle=True, random_state=seed)
    folds = list(cv.split(X, y))
    groups = _bands(y) if numbers else y
    if name == "imputation by target" and not np.isnan(X).any():
        X = np.where(rng.random(X.shape) < MISSING, np.nan, X)
    leak, prepare = PREPARATIONS[name]
    before = leak(X, groups, X)
    losses = np.zeros((2, len(y)))
    for train, test in folds:
        look()
        inside = prepare(X[train], groups[train], X)
        for i, table in enumerate((before, inside)):
            predicted = models.predictions(model, seed, table, y, None, (train, test))
            losses[i, test] = models.losses(y[test], predicted, numbers)
    leaking, honest = losses.mean(axis=1).tolist()
    return leaking, honest


def _bands(y: Floats) -> NDArray[np.intp]:
    """Return the part of the target in which each row lies."""
    return np.searchsorted(np.quantile(y, np.arange(1, N_BANDS) / N_BANDS), y)


def _filled(X: Floats, groups: Any, rows: Floats) -> Floats:
    """Fill missing values with the mean of the column."""
    is_present = ~np.isnan(X)
    mean = np.where(is_present, X, 0).sum(axis=0) / np.maximum(is_present.sum(axis=0), 1)
    return np.where(np.isnan(rows), mean, rows)


def _filled_by_group(X: Floats, groups: Any, rows: Floats) -> Floats:
    """Fill missing values with the mean of rows of the same group, which reveals the target."""
    filled = rows.copy()
    for group in np.unique(groups):
        members = groups == group
        filled[members] = _filled(X, groups, _filled(X[members], groups, rows[members]))
    return filled


def _scaled(X: Floats, groups: Any, rows: Floats) -> Floats:
    X, rows = _filled(X, groups, X), _filled(X, groups, rows)
    unit = standard_deviations(X)
    scaled: Floats = (rows - centred(X)[0]) / np.where(unit > 0, unit, 1.0)
    return scaled


def _selected(X: Floats, groups: Any, rows: Floats) -> Floats:
    """Select the columns whose means differ most between the groups: ten, or half of fewer."""
    Z = _scaled(X, groups, X)
    means = np.array([Z[groups == group].mean(axis=0) for group in np.unique(groups)])
    n_selected = min(10, -(-Z.shape[1] // 2))
    selected = np.argsort(-np.ptp(means, axis=0), kind="stable")[:n_selected]
    return _scaled(X, groups, rows)[:, np.sort(selected)]


PREPARATIONS: Mapping[str, tuple[Prepare, Prepare]] = {
    "scaling": (_scaled, _scaled),
    "selection of columns": (_selected, _selected),
    "imputation by target": (_filled_by_group, _filled),
}
"""The preparation before the split, and that within each fold."""
