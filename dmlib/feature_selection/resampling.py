"""How far a selection can be trusted: on resamples, and outside and inside the folds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB

from dmlib import engine
from dmlib.arrays import Floats
from dmlib.feature_selection.selector import mask_of, standardised
from dmlib.trace import look

Progress = Callable[[Any], None]
Select = Callable[[Floats, NDArray[Any]], NDArray[np.bool_]]
FOLDS = 5
N_NOISE_COLUMNS, N_NOISE_SELECTED = 200, 5


@dataclass(frozen=True)
class SelectionStability:
    """How often columns are selected.

    Attributes
    ----------
    chosen : ndarray of bool of shape (n_resamples, n_features)
        Which columns are selected in each resample.
    """

    chosen: NDArray[np.bool_]

    @property
    def shares(self) -> Floats:
        """The share of the resamples in which each column is selected."""
        shares: Floats = self.chosen.mean(axis=0)
        return shares

    @property
    def stability(self) -> float:
        """1 if all agree, 0 as for columns at random, NaN if undefined.

        It is the measure of Nogueira, Sechidis and Brown (2018).
        """
        m, p = self.chosen.shape
        size = float(self.chosen.sum(axis=1).mean()) / p
        chance = size * (1 - size)
        spread = float(self.chosen.var(axis=0, ddof=1).mean())
        return 1 - spread / chance if chance > 0 and m > 1 else np.nan


def selection_stability(
    model: Any,
    X: ArrayLike,
    y: ArrayLike,
    *,
    n_resamples: int = 50,
    random_state: int = 0,
    progress: Progress | None = None,
) -> SelectionStability:
    """Select again in bootstrap resamples of the rows.

    Parameters
    ----------
    model : estimator
        A selector; it is not changed.
    X : array-like of shape (n_samples, n_features)
        The columns.
    y : array-like of shape (n_samples,)
        The target.
    n_resamples : int
        How many resamples are drawn.
    random_state : int
        The seed.
    progress : callable, optional
        Called after each resample.

    Examples
    --------
    >>> from dmlib.feature_selection import FilterSelector
    >>> X = np.random.default_rng(0).normal(size=(50, 3))
    >>> selection_stability(FilterSelector(k=1), X, X[:, 1], n_resamples=5).shares.tolist()
    [0.0, 1.0, 0.0]
    """
    task = partial(_resampled, model, np.asarray(X), np.asarray(y))
    supports = engine.map(
        task, range(n_resamples), seed=random_state, progress=progress, prefer="threads"
    )
    return SelectionStability(np.array([each for each in supports if each is not None]))


def _resampled(
    model: Any, X: Floats, y: NDArray[Any], item: int, rng: np.random.Generator
) -> NDArray[np.bool_] | None:
    look()
    rows = rng.integers(len(X), size=len(X))
    try:
        support: NDArray[np.bool_] = clone(model).fit(X[rows], y[rows]).support_
    except ValueError:  # a resample with equal targets, or of one class
        return None
    return support


@dataclass(frozen=True)
class Circularity:
    """Cross-validation with the selection before the folds, and inside each fold.

    Attributes
    ----------
    outside, inside : ndarray of shape (n_repetitions,)
        The scores: R², or accuracy.
    noise_outside, noise_inside : ndarray of shape (n_repetitions,)
        The same for the best of many columns of random numbers, by their correlation with a
        shuffled target.
    chance : float
        What is reached without any column: R² of 0, or the share of the largest class.
    classes : bool
        Whether the scores are accuracies.
    """

    outside: Floats
    inside: Floats
    noise_outside: Floats
    noise_inside: Floats
    chance: float
    classes: bool


def circularity(
    model: Any,
    X: ArrayLike,
    y: ArrayLike,
    *,
    classes: bool = False,
    n_repetitions: int = 20,
    random_state: int = 0,
    progress: Progress | None = None,
) -> Circularity:
    """Cross-validate on columns that are selected outside or inside the folds.

    The model is least squares or, of classes, naive Bayes.

    Parameters
    ----------
    model : estimator
        A selector; it is not changed.
    X : array-like of shape (n_samples, n_features)
        The columns.
    y : array-like of shape (n_samples,)
        The target.
    classes : bool
        Whether these are classes.
    n_repetitions : int
        How often the rows are cut into folds, and noise is drawn, anew.
    random_state : int
        The seed.
    progress : callable, optional
        Called after each repetition.

    Examples
    --------
    >>> from dmlib.feature_selection import FilterSelector
    >>> X = np.random.default_rng(0).normal(size=(40, 3))
    >>> found = circularity(FilterSelector(k=1), X, X[:, 1], n_repetitions=3)
    >>> bool(found.noise_outside.mean() > 0.2), bool(found.noise_inside.mean() < 0)
    (True, True)
    """
    X, y = np.asarray(X, float), np.asarray(y)
    task = partial(_repetition, model, X, y, classes)
    scores = engine.map(
        task, range(n_repetitions), seed=random_state, progress=progress, prefer="threads"
    )
    chance = float(np.bincount(y).max()) / len(y) if classes else 0.0
    outside, inside, noise_outside, noise_inside = np.array(list(scores)).T
    return Circularity(outside, inside, noise_outside, noise_inside, chance, classes)


def _repetition(
    model: Any, X: Floats, y: NDArray[Any], classes: bool, item: int, rng: np.random.Generator
) -> tuple[float, ...]:
    seed = int(rng.integers(2**31 - 1))
    noise, shuffled = rng.normal(size=(len(X), N_NOISE_COLUMNS)), rng.permutation(y)
    chosen = partial(_selected, model)
    best = partial(_correlated, classes)
    scores = [
        _validated(select, table, target, classes, seed, inside=inside)
        for select, table, target in ((chosen, X, y), (best, noise, shuffled))
        for inside in (False, True)
    ]
    return tuple(scores)


def _selected(model: Any, X: Floats, y: NDArray[Any]) -> NDArray[np.bool_]:
    support: NDArray[np.bool_] = clone(model).fit(X, y).support_
    return support


def _correlated(classes: bool, X: Floats, y: NDArray[Any]) -> NDArray[np.bool_]:
    """Return the columns that correlate most with the target, or with one of its classes."""
    Y = standardised((y[:, None] == np.unique(y)).astype(float) if classes else y[:, None])
    r = np.abs(standardised(X).T @ Y).max(axis=1)
    return mask_of(np.argsort(-r, kind="stable")[:N_NOISE_SELECTED], X.shape[1])


def _validated(
    select: Select, X: Floats, y: NDArray[Any], classes: bool, seed: int, *, inside: bool
) -> float:
    """Return the cross-validated score."""
    n_folds = min(FOLDS, len(X))
    stratified = classes and np.bincount(y).min() >= n_folds
    splitter = StratifiedKFold if stratified else KFold
    splits = splitter(n_folds, shuffle=True, random_state=seed)
    support = None if inside else select(X, y)
    n_correct, error, total = 0.0, 0.0, 0.0
    for train, test in splits.split(X, y):
        look()
        columns = select(X[train], y[train]) if support is None else support
        predicted = _predicted(X[:, columns], y, train, test, classes)
        n_correct += float((predicted == y[test]).sum())
        error += float(((predicted - y[test]) ** 2).sum())
        total += float(((y[train].mean() - y[test]) ** 2).sum())
    return n_correct / len(X) if classes else 1 - error / total


def _predicted(X: Floats, y: NDArray[Any], train: Any, test: Any, classes: bool) -> Any:
    if not X.shape[1]:
        usual = np.bincount(y[train]).argmax() if classes else y[train].mean()
        return np.full(len(test), usual)
    if classes:
        return GaussianNB().fit(X[train], y[train]).predict(X[test])
    middle, level = X[train].mean(axis=0), y[train].mean()
    return (X[test] - middle) @ np.linalg.lstsq(X[train] - middle, y[train] - level)[0] + level
