"""Five ways in which the test rows leak into the training, on noise: errors below one half are wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import GroupKFold, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier

from dmlib import engine
from dmlib.arrays import Floats
from dmlib.trace import look

Fit = Callable[[Floats, Any, Floats], tuple[Floats, Floats]]

ROWS, FOLDS = 40, 5
COLUMNS, KEPT = 1000, 10
PROTEINS, VARIANTS = 10, 6
HOLES = 0.4


@dataclass(frozen=True, eq=False)
class Leakage:
    """Errors by cross-validation where something leaks, and where nothing does.

    Attributes
    ----------
    names : tuple of str
        The ways.
    leaking, honest : ndarray of shape (n_ways, n_repetitions)
        The error rates; the true one is 0.5 everywhere.
    """

    names: tuple[str, ...]
    leaking: Floats
    honest: Floats


def leakage(n_repetitions: int = 20, *, random_state: int = 0, progress: Any = None) -> Leakage:
    """Estimate the error of nearest neighbours on random classes, with and without a leak.

    Examples
    --------
    >>> found = leakage(2)
    >>> found.leaking.shape, bool(found.leaking[2].mean() < 0.25 < found.honest[2].mean())
    ((5, 2), True)
    """
    names = tuple(WAYS)
    tasks = [name for name in names for _ in range(n_repetitions)]
    found = np.array(list(engine.map(_one, tasks, seed=random_state, progress=progress)))
    return Leakage(names, *found.reshape(len(names), n_repetitions, 2).transpose(2, 0, 1))


def _one(name: str, rng: np.random.Generator) -> tuple[float, float]:
    look()
    return WAYS[name](rng)


def _classes(rng: np.random.Generator, n: int) -> NDArray[np.intp]:
    return rng.permutation(np.arange(n) % 2)


def _error(X: Floats, y: Any, fit: Fit, folds: Any, k: int = 3) -> float:
    """Return the error rate by cross-validation; ``fit`` prepares training and test rows."""
    wrong = 0
    for train, test in folds:
        learned, asked = fit(X[train], y[train], X[test])
        model = KNeighborsClassifier(k).fit(learned, y[train])
        wrong += int((model.predict(asked) != y[test]).sum())
    return wrong / len(y)


def _folds(y: Any, rng: np.random.Generator) -> list[Any]:
    seed = int(rng.integers(2**31))
    return list(StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(y, y))


def _as_they_are(X: Floats, y: Any, T: Floats) -> tuple[Floats, Floats]:
    return X, T


def _scaled(X: Floats, y: Any, T: Floats) -> tuple[Floats, Floats]:
    mean, unit = X.mean(axis=0), X.std(axis=0)
    return (X - mean) / unit, (T - mean) / unit


def _selected(X: Floats, y: Any, T: Floats) -> tuple[Floats, Floats]:
    gap = np.abs(X[y == 0].mean(axis=0) - X[y == 1].mean(axis=0))
    best = np.argsort(-gap)[:KEPT]
    return X[:, best], T[:, best]


def _filled(X: Floats, y: Any, T: Floats) -> tuple[Floats, Floats]:
    mean = np.nanmean(X, axis=0)
    return np.where(np.isnan(X), mean, X), np.where(np.isnan(T), mean, T)


def _scaling(rng: np.random.Generator) -> tuple[float, float]:
    X, y = rng.normal(size=(ROWS, 5)) * [1, 2, 4, 8, 16], _classes(rng, ROWS)
    folds = _folds(y, rng)
    return _error(_scaled(X, y, X)[0], y, _as_they_are, folds), _error(X, y, _scaled, folds)


def _imputation(rng: np.random.Generator) -> tuple[float, float]:
    """Holes are filled with the mean of their class, which tells the class of a test row."""
    X, y = rng.normal(size=(ROWS, 10)), _classes(rng, ROWS)
    X[rng.random(X.shape) < HOLES] = np.nan
    means = np.array([np.nanmean(X[y == code], axis=0) for code in (0, 1)])
    folds = _folds(y, rng)
    return _error(np.where(np.isnan(X), means[y], X), y, _as_they_are, folds), _error(
        X, y, _filled, folds
    )


def _selection(rng: np.random.Generator) -> tuple[float, float]:
    X, y = rng.normal(size=(ROWS, COLUMNS)), _classes(rng, ROWS)
    folds = _folds(y, rng)
    return _error(_selected(X, y, X)[0], y, _as_they_are, folds), _error(X, y, _selected, folds)


def _overlap(rng: np.random.Generator) -> tuple[float, float]:
    """Collect the training set from the sources of the test set: half of its rows are in both."""
    X, y = rng.normal(size=(ROWS, 5)), _classes(rng, ROWS)
    half = ROWS // 2
    train, test = np.arange(half), np.arange(half, ROWS)
    both = np.concatenate([train, test[: half // 2]])
    leaking = KNeighborsClassifier(1).fit(X[both], y[both])
    honest = KNeighborsClassifier(1).fit(X[train], y[train])
    errors = [float((model.predict(X[test]) != y[test]).mean()) for model in (leaking, honest)]
    return errors[0], errors[1]


def _proteins(rng: np.random.Generator) -> tuple[float, float]:
    """Give the rows of a protein one class: who knows the protein knows the class."""
    of = np.repeat(np.arange(PROTEINS), VARIANTS)
    X = rng.normal(size=(PROTEINS, 5))[of] + 0.3 * rng.normal(size=(len(of), 5))
    y = _classes(rng, PROTEINS)[of]
    grouped = GroupKFold(FOLDS).split(X, y, of)
    return _error(X, y, _as_they_are, _folds(y, rng)), _error(X, y, _as_they_are, grouped)


WAYS: Mapping[str, Callable[[np.random.Generator], tuple[float, float]]] = {
    "scaling": _scaling,
    "imputation by class": _imputation,
    "selection of columns": _selection,
    "type 1: shared rows": _overlap,
    "type 2: shared groups": _proteins,
}


def tuning(n_test: int, tried: Any, n_repetitions: int = 500, random_state: int = 0) -> Floats:
    """Return the error rate of the best of some guessing models on a test set, shape (n_tried, n_repetitions).

    Examples
    --------
    >>> tuning(30, [1, 100]).mean(axis=1).round(2).tolist()
    [0.51, 0.28]
    """
    rng = np.random.default_rng(random_state)
    drawn = (np.asarray(rng.binomial(n_test, 0.5, (n_repetitions, m))) for m in tried)
    return np.array([wrong.min(axis=1) / n_test for wrong in drawn])
