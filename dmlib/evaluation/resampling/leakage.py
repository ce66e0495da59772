"""Five leaks of test rows into the training, on noise: errors below one half are wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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

N_ROWS = 40
N_FOLDS = 5
N_COLUMNS = 1000  # of which N_SELECTED are used
N_SELECTED = 10
N_PROTEINS = 10
N_VARIANTS = 6  # rows of a protein
MISSING = 0.4  # fraction of the cells


@dataclass(frozen=True, eq=False)
class Leakage:
    """Cross-validated errors with and without leaks.

    Attributes
    ----------
    names : tuple of str
        The leaks.
    leaking, honest : ndarray of shape (n_leaks, n_repetitions)
        The error rates; the true one is 0.5 everywhere.
    """

    names: tuple[str, ...]
    leaking: Floats
    honest: Floats


def leakage(n_repetitions: int = 20, *, random_state: int = 0, progress: Any = None) -> Leakage:
    """Estimate the error of nearest neighbours on random classes, with and without a leak.

    Examples
    --------
    >>> errors = leakage(2)
    >>> errors.leaking.shape, bool(errors.leaking[2].mean() < 0.25 < errors.honest[2].mean())
    ((5, 2), True)
    """
    names = tuple(LEAKS)
    tasks = [name for name in names for _ in range(n_repetitions)]
    errors = np.array(list(engine.map(_simulate, tasks, seed=random_state, progress=progress)))
    leaking, honest = errors.reshape(len(names), n_repetitions, 2).transpose(2, 0, 1)
    return Leakage(names, leaking, honest)


def _simulate(name: str, rng: np.random.Generator) -> tuple[float, float]:
    look()
    return LEAKS[name](rng)


def _classes(rng: np.random.Generator, n: int) -> NDArray[np.intp]:
    return rng.permutation(np.arange(n) % 2)


def _error(X: Floats, y: Any, fit: Fit, folds: Any, k: int = 3) -> float:
    """Return the error rate by cross-validation; ``fit`` prepares training and test rows."""
    n_wrong = 0
    for train, test in folds:
        X_train, X_test = fit(X[train], y[train], X[test])
        model = KNeighborsClassifier(k).fit(X_train, y[train])
        n_wrong += int((model.predict(X_test) != y[test]).sum())
    return n_wrong / len(y)


def _folds(y: Any, rng: np.random.Generator) -> list[Any]:
    seed = int(rng.integers(2**31))
    return list(StratifiedKFold(N_FOLDS, shuffle=True, random_state=seed).split(y, y))


def _as_they_are(X: Floats, y: Any, T: Floats) -> tuple[Floats, Floats]:
    return X, T


def _scaled(X: Floats, y: Any, T: Floats) -> tuple[Floats, Floats]:
    mean, unit = X.mean(axis=0), X.std(axis=0)
    return (X - mean) / unit, (T - mean) / unit


def _selected(X: Floats, y: Any, T: Floats) -> tuple[Floats, Floats]:
    gap = np.abs(X[y == 0].mean(axis=0) - X[y == 1].mean(axis=0))
    best = np.argsort(-gap)[:N_SELECTED]
    return X[:, best], T[:, best]


def _filled(X: Floats, y: Any, T: Floats) -> tuple[Floats, Floats]:
    mean = np.nanmean(X, axis=0)
    return np.where(np.isnan(X), mean, X), np.where(np.isnan(T), mean, T)


def _scaling(rng: np.random.Generator) -> tuple[float, float]:
    X = rng.normal(size=(N_ROWS, 5)) * [1, 2, 4, 8, 16]
    y = _classes(rng, N_ROWS)
    folds = _folds(y, rng)
    return _error(_scaled(X, y, X)[0], y, _as_they_are, folds), _error(X, y, _scaled, folds)


def _imputation(rng: np.random.Generator) -> tuple[float, float]:
    """Fill missing values with the mean of their class, which reveals the class of a test row."""
    X = rng.normal(size=(N_ROWS, 10))
    y = _classes(rng, N_ROWS)
    X[rng.random(X.shape) < MISSING] = np.nan
    means = np.array([np.nanmean(X[y == code], axis=0) for code in (0, 1)])
    folds = _folds(y, rng)
    filled = np.where(np.isnan(X), means[y], X)
    return _error(filled, y, _as_they_are, folds), _error(X, y, _filled, folds)


def _selection(rng: np.random.Generator) -> tuple[float, float]:
    X = rng.normal(size=(N_ROWS, N_COLUMNS))
    y = _classes(rng, N_ROWS)
    folds = _folds(y, rng)
    return _error(_selected(X, y, X)[0], y, _as_they_are, folds), _error(X, y, _selected, folds)


def _overlap(rng: np.random.Generator) -> tuple[float, float]:
    """Collect the training set from the sources of the test set: half of its rows are in both."""
    X = rng.normal(size=(N_ROWS, 5))
    y = _classes(rng, N_ROWS)
    half = N_ROWS // 2
    train, test = np.split(np.arange(N_ROWS), [half])
    overlapping = np.concatenate([train, test[: half // 2]])
    leaking = KNeighborsClassifier(1).fit(X[overlapping], y[overlapping])
    honest = KNeighborsClassifier(1).fit(X[train], y[train])
    errors = [float((model.predict(X[test]) != y[test]).mean()) for model in (leaking, honest)]
    return errors[0], errors[1]


def _proteins(rng: np.random.Generator) -> tuple[float, float]:
    """Give the rows of a protein one class: a model that recognises proteins knows the class."""
    protein = np.repeat(np.arange(N_PROTEINS), N_VARIANTS)
    X = rng.normal(size=(N_PROTEINS, 5))[protein] + 0.3 * rng.normal(size=(len(protein), 5))
    y = _classes(rng, N_PROTEINS)[protein]
    grouped = GroupKFold(N_FOLDS).split(X, y, protein)
    return _error(X, y, _as_they_are, _folds(y, rng)), _error(X, y, _as_they_are, grouped)


LEAKS: Mapping[str, Callable[[np.random.Generator], tuple[float, float]]] = {
    "scaling": _scaling,
    "imputation by class": _imputation,
    "selection of columns": _selection,
    "type 1: shared rows": _overlap,
    "type 2: shared groups": _proteins,
}


def tuning(
    n_test: int, n_models: Sequence[int], n_repetitions: int = 500, random_state: int = 0
) -> Floats:
    """Return test error rates of the best of random models, shape (len(n_models), n_repetitions).

    Examples
    --------
    >>> tuning(30, [1, 100]).mean(axis=1).round(2).tolist()
    [0.51, 0.28]
    """
    rng = np.random.default_rng(random_state)
    n_wrong = (np.asarray(rng.binomial(n_test, 0.5, (n_repetitions, m))) for m in n_models)
    return np.array([counts.min(axis=1) / n_test for counts in n_wrong])
