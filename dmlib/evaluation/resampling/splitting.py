"""Splits of the rows into training and test rows, by method."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold
from sklearn.utils import check_random_state

from dmlib.trace import look

Rows = NDArray[np.intp]

HOLDOUT = "holdout"
REPEATED = "repeated_holdout"
K_FOLD = "k_fold"
STRATIFIED = "stratified"
GROUPED = "grouped"
LEAVE_ONE_OUT = "leave_one_out"
NESTED = "nested"
BOOTSTRAP = "bootstrap"
B632 = "bootstrap_632"
B632_PLUS = "bootstrap_632_plus"
BOOTSTRAPS = (BOOTSTRAP, B632, B632_PLUS)
METHODS = (HOLDOUT, REPEATED, K_FOLD, STRATIFIED, GROUPED, LEAVE_ONE_OUT, *BOOTSTRAPS, NESTED)
METHOD_LABELS = {
    HOLDOUT: "holdout",
    REPEATED: "repeated holdout",
    K_FOLD: "k-fold",
    STRATIFIED: "stratified k-fold",
    GROUPED: "grouped k-fold",
    LEAVE_ONE_OUT: "leave-one-out",
    BOOTSTRAP: "bootstrap, out-of-bag",
    B632: "bootstrap .632",
    B632_PLUS: "bootstrap .632+",
    NESTED: "nested k-fold",
}
MAX_TRIES = 200  # draws of a bootstrap sample until it can be used


@dataclass(frozen=True, eq=False)
class Split:
    """Training rows and test rows.

    Attributes
    ----------
    train : ndarray of shape (n_train,)
        The training rows; a bootstrap sample has duplicates.
    test : ndarray of shape (n_test,)
        The test rows.
    """

    train: Rows
    test: Rows


def splits(
    method: str,
    y: ArrayLike,
    *,
    folds: int = 5,
    n_repeats: int = 10,
    test_size: float = 0.3,
    groups: ArrayLike | None = None,
    random_state: Any = None,
) -> list[Split]:
    """Split rows into training and test rows.

    Parameters
    ----------
    method : str
        One of holdout, repeated_holdout, k_fold, stratified, grouped, leave_one_out, bootstrap
        (bootstrap_632 and bootstrap_632_plus draw the same samples), nested (its outer folds).
    y : array-like of shape (n_samples,)
        Classes, or numbers to predict, which stratify nothing.
    folds : int, default=5
        The number of folds of k-fold, stratified, grouped and nested.
    n_repeats : int, default=10
        The number of repeated holdouts and of bootstrap samples.
    test_size : float, default=0.3
        The fraction of the rows that a holdout tests.
    groups : array-like of shape (n_samples,), optional
        The groups of the rows; "grouped" never splits a group.
    random_state : int, RandomState or None, default=None
        The seed.

    Returns
    -------
    list of Split
        One for each fold or repetition.

    Raises
    ------
    ValueError
        If there are fewer rows or groups than folds, or a class is missing where it is needed.

    Notes
    -----
    The folds are scikit-learn's. A bootstrap sample is drawn again where it holds all rows, or
    misses a class.

    References
    ----------
    B. Efron and R. Tibshirani (1997), Improvements on cross-validation: the .632+ bootstrap method.

    Examples
    --------
    >>> [split.test.tolist() for split in splits("k_fold", [0, 0, 1, 1], folds=2, random_state=0)]
    [[1, 3], [0, 2]]
    """
    target = np.asarray(y)
    n = len(target)
    if n < 2:
        raise ValueError(
            "There is one row (n_samples = 1), but one is to train and one to test. Add rows."
        )
    rng = check_random_state(random_state)
    rows = np.arange(n)
    if method in (HOLDOUT, REPEATED):
        n_test = min(max(round(test_size * n), 1), n - 1)
        orders = (rng.permutation(n) for _ in range(1 if method == HOLDOUT else n_repeats))
        return [Split(np.sort(order[n_test:]), np.sort(order[:n_test])) for order in orders]
    if method in BOOTSTRAPS:
        return [_bootstrap(target, rng) for _ in range(n_repeats)]
    if method == LEAVE_ONE_OUT:
        return [Split(np.delete(rows, i), rows[i : i + 1]) for i in range(n)]
    if method == GROUPED:
        return _grouped(rows, groups, folds, rng)
    if folds > n:
        raise ValueError(f"There are {n} rows, fewer than {folds} folds. Choose at most {n} folds.")
    seed = int(rng.randint(2**31 - 1))
    if method == K_FOLD or _is_numeric(target):
        return _as_splits(KFold(folds, shuffle=True, random_state=seed).split(rows))
    return _stratified(rows, target, folds, seed)


def _is_numeric(target: NDArray[Any]) -> bool:
    """Return whether a target holds numbers instead of classes."""
    return target.dtype.kind == "f"


def _stratified(rows: Rows, classes: NDArray[Any], folds: int, seed: int) -> list[Split]:
    smallest = np.unique(classes, return_counts=True)[1].min()
    if smallest == 1:
        raise ValueError(
            "A class has a single row: all folds but one would miss it. Choose k-fold, or leave it"
            " out."
        )
    if smallest < folds:
        raise ValueError(
            f"A class has {smallest} rows, fewer than {folds} folds, so some fold would miss"
            f" it. Choose at most {smallest} folds, or leave this class out."
        )
    return _as_splits(StratifiedKFold(folds, shuffle=True, random_state=seed).split(rows, classes))


def _grouped(rows: Rows, groups: ArrayLike | None, folds: int, rng: Any) -> list[Split]:
    if groups is None:
        raise ValueError("Grouped folds need groups: say which rows belong together.")
    members = np.asarray(groups)
    if len(members) != len(rows):
        raise ValueError(
            f"groups has {len(members)} entries, but there are {len(rows)} rows. Give one for each"
            " row."
        )
    n_groups = len(np.unique(members))
    if n_groups < folds:
        remedy = (
            f"at most {n_groups} folds, or smaller groups" if n_groups > 1 else "smaller groups"
        )
        raise ValueError(f"There are {n_groups} groups, fewer than {folds} folds. Choose {remedy}.")
    seed = int(rng.randint(2**31 - 1))
    cv = GroupKFold(folds, shuffle=True, random_state=seed)
    return _as_splits(cv.split(rows, groups=members))


def _as_splits(pairs: Iterator[tuple[Any, Any]]) -> list[Split]:
    return [Split(np.asarray(train, np.intp), np.asarray(test, np.intp)) for train, test in pairs]


def _bootstrap(target: NDArray[Any], rng: Any) -> Split:
    """Draw as many rows as there are, with replacement; rows that were not drawn test."""
    n = len(target)
    is_numeric = _is_numeric(target)
    n_classes = 0 if is_numeric else len(np.unique(target))
    for _ in range(MAX_TRIES):
        look()
        train = np.sort(rng.randint(n, size=n))
        test = np.setdiff1d(np.arange(n), train)
        if len(test) and (is_numeric or len(np.unique(target[train])) == n_classes):
            return Split(train, test)
    raise ValueError(
        "Bootstrap samples of these rows miss a class again and again. Leave the rare class out, or"
        " choose stratified."
    )


class Splitter:
    """The splits of a method as ``cv`` of scikit-learn's functions and searches.

    Parameters
    ----------
    method : str
        As in :func:`splits`.
    **settings
        Further parameters of :func:`splits`, except ``groups``.

    Examples
    --------
    >>> from dmlib.classification import KNeighborsClassifier
    >>> from sklearn.model_selection import cross_val_score
    >>> X, y = [[0.0], [1.0], [2.0], [8.0], [9.0], [10.0]], [0, 0, 0, 1, 1, 1]
    >>> cv = Splitter("stratified", folds=3, random_state=0)
    >>> cross_val_score(KNeighborsClassifier(1), X, y, cv=cv).tolist()
    [1.0, 1.0, 1.0]
    """

    def __init__(self, method: str, **settings: Any) -> None:
        self.method = method
        self.settings = settings

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Rows, Rows]]:
        """Yield training and test rows; without ``y`` nothing is stratified."""
        target = np.zeros(len(X)) if y is None else np.asarray(y)
        for split in splits(self.method, target, groups=groups, **self.settings):
            yield split.train, split.test

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of splits."""
        if self.method == HOLDOUT:
            return 1
        if self.method == REPEATED or self.method in BOOTSTRAPS:
            return int(self.settings.get("n_repeats", 10))
        return len(X) if self.method == LEAVE_ONE_OUT else int(self.settings.get("folds", 5))
