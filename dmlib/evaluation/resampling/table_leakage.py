"""Three leaks on a table: what is prepared with all rows before the split, and with the training rows of each fold."""

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
from dmlib.evaluation.resampling.leakage import FOLDS, Leakage
from dmlib.squares import centred, standard_deviations
from dmlib.trace import look

Prepare = Callable[[Floats, Any, Floats], Floats]

HOLES = 0.2  # share of the cells that are emptied where a table has no missing values
BANDS = 5  # into so many parts of equal size a target that is a number is cut


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
    """Cross-validate a model with a preparation before the split, and with the same one inside each fold.

    Parameters
    ----------
    model : str or estimator
        What is judged.
    X : array-like or DataFrame of shape (n_samples, n_features)
        The table; nominal columns are left out.
    y : array-like of shape (n_samples,)
        Classes or numbers.
    numbers : bool
        Which of both.
    n_repetitions : int
        How often the rows are shared out anew.
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
    >>> found = table_leakage("knn", rng.normal(size=(40, 300)), np.arange(40) % 2, n_repetitions=2)
    >>> found.names, bool(found.leaking[1].mean() < 0.3 < found.honest[1].mean())
    (('scaling', 'selection of columns', 'imputation by target'), True)
    """
    frame = pd.DataFrame(X)
    table = frame.select_dtypes("number").to_numpy(float)
    if not table.shape[1]:
        raise ValueError(
            "Leaks of a preparation need numeric columns, and this table has none. Choose another"
            " table."
        )
    if len(table) < 2 * FOLDS:
        raise ValueError(f"{FOLDS} folds need at least {2 * FOLDS} rows; there are {len(table)}.")
    target = np.asarray(y, float) if numbers else np.unique(np.asarray(y), return_inverse=True)[1]
    names = tuple(WAYS)
    tasks = [name for name in names for _ in range(n_repetitions)]
    task = partial(_one, model, table, target, numbers)
    found = np.array(list(engine.map(task, tasks, seed=random_state, progress=progress)))
    return Leakage(names, *found.reshape(len(names), n_repetitions, 2).transpose(2, 0, 1))


def _one(
    model: Any, X: Floats, y: Any, numbers: bool, name: str, rng: np.random.Generator
) -> tuple[float, float]:
    seed = int(rng.integers(2**31 - 1))
    stratified = not numbers and np.bincount(y).min() >= FOLDS
    cut = (StratifiedKFold if stratified else KFold)(FOLDS, shuffle=True, random_state=seed)
    folds = list(cut.split(X, y))
    groups = _bands(y) if numbers else y
    if name == "imputation by target" and not np.isnan(X).any():
        X = np.where(rng.random(X.shape) < HOLES, np.nan, X)
    leak, prepare = WAYS[name]
    before = leak(X, groups, X)
    losses = np.zeros((2, len(y)))
    for train, test in folds:
        look()
        inside = prepare(X[train], groups[train], X)
        for i, table in enumerate((before, inside)):
            said = models.predictions(model, seed, table, y, None, (train, test))
            losses[i, test] = models.losses(y[test], said, numbers)
    leaking, honest = losses.mean(axis=1).tolist()
    return leaking, honest


def _bands(y: Floats) -> NDArray[np.intp]:
    """Return in which part of the target each row lies."""
    return np.searchsorted(np.quantile(y, np.arange(1, BANDS) / BANDS), y)


def _filled(X: Floats, groups: Any, rows: Floats) -> Floats:
    """Fill holes with the mean of the column."""
    known = ~np.isnan(X)
    mean = np.where(known, X, 0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    return np.where(np.isnan(rows), mean, rows)


def _filled_by_group(X: Floats, groups: Any, rows: Floats) -> Floats:
    """Fill holes with the mean of the rows with a like target, which tells the target of a test row."""
    filled = rows.copy()
    for group in np.unique(groups):
        there = groups == group
        filled[there] = _filled(X, groups, _filled(X[there], groups, rows[there]))
    return filled


def _scaled(X: Floats, groups: Any, rows: Floats) -> Floats:
    learned, rows = _filled(X, groups, X), _filled(X, groups, rows)
    unit = standard_deviations(learned)
    scaled: Floats = (rows - centred(learned)[0]) / np.where(unit > 0, unit, 1.0)
    return scaled


def _selected(X: Floats, groups: Any, rows: Floats) -> Floats:
    """Keep the columns whose means differ most between the groups: ten, or half of fewer."""
    Z = _scaled(X, groups, X)
    means = np.array([Z[groups == group].mean(axis=0) for group in np.unique(groups)])
    kept = min(10, -(-Z.shape[1] // 2))
    return _scaled(X, groups, rows)[
        :, np.sort(np.argsort(-np.ptp(means, axis=0), kind="stable")[:kept])
    ]


WAYS: Mapping[str, tuple[Prepare, Prepare]] = {
    "scaling": (_scaled, _scaled),
    "selection of columns": (_selected, _selected),
    "imputation by target": (_filled_by_group, _filled),
}
"""What is done before the split, and what is done inside each fold."""
