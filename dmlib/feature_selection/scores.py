"""How good a set of columns is: criteria of least squares, and cross-validation."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from sklearn.model_selection import KFold, StratifiedKFold

from dmlib.arrays import Floats
from dmlib.feature_selection.selector import Codes, standardised
from dmlib.trace import look

Subset = tuple[int, ...]
Predict = Callable[[Subset], Codes]
Fit = Callable[[Floats, Codes, Floats, int], Predict]
MIN_SSE = 1e-14  # times the total: an SSE that is rounding error
LARGE_IS_GOOD = {"adjusted_r2", "accuracy"}


class Score(Protocol):
    """A measure of sets of columns.

    Attributes
    ----------
    name : str
        A key of ``subset_search.SCORES``.
    n_features : int
        How many columns there are.
    prefers_first_columns : bool
        Whether of equally good sets that of the first columns is taken, not the first set.
    """

    name: str
    n_features: int
    prefers_first_columns: bool

    @property
    def n_evaluated(self) -> int:
        """How many sets have been scored."""

    def __call__(self, subset: Sequence[int]) -> float:
        """Return the value of a set of columns; NaN where it has none."""

    def parts(self, subset: Subset) -> Floats:
        """Return what the value is made of, fold by fold; empty for a criterion."""

    def compare(self, subsets: Sequence[Subset]) -> None:
        """Prepare to score some sets, where that is quicker for all at once."""

    def affordable(self, subsets: Sequence[Subset]) -> bool:
        """Return whether a picture may wait until these sets are scored."""


def goodness(score: Score, value: float) -> float:
    """Return a value so that larger is better; one that is not there is worst."""
    if np.isnan(value):
        return -np.inf
    return value if score.name in LARGE_IS_GOOD else -value


class CachedScore:
    """A score whose values are computed once."""

    name: str
    n_features: int
    prefers_first_columns = False

    def __init__(self) -> None:
        self._values: dict[Subset, float] = {}

    @property
    def n_evaluated(self) -> int:
        """How many sets have been scored."""
        return len(self._values)

    def __call__(self, subset: Sequence[int]) -> float:
        """Return the value of a set of columns."""
        key = tuple(sorted(subset))
        if key not in self._values:
            look()
            self._values[key] = self._value(key)
        return self._values[key]

    def remember(self, subsets: Sequence[Subset], values: Sequence[float]) -> None:
        """Take over values that are known."""
        self._values.update(zip(subsets, values, strict=True))

    def compare(self, subsets: Sequence[Subset]) -> None:
        """Prepare to score some sets, where that is quicker for all at once."""

    def affordable(self, subsets: Sequence[Subset]) -> bool:
        """Return whether a picture may wait until these sets are scored."""
        return True

    def _value(self, subset: Subset) -> float:
        raise NotImplementedError


class LeastSquaresScore(CachedScore):
    """The criterion of least squares on some columns and an intercept.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The columns.
    y : ndarray of shape (n_samples,)
        The target.
    scoring : {"aic", "bic", "cp", "adjusted_r2", "cv"}
        The criterion; "cv" is the mean squared error of cross-validation.
    cv : int
        Folds; no more than there are rows.
    random_state : int, RandomState or None
        Shuffles the rows before they are cut into folds.

    Examples
    --------
    >>> X, y = np.array([[1.0], [2.0], [3.0], [4.0]]), np.array([1.0, 3.0, 2.0, 4.0])
    >>> score = LeastSquaresScore(X, y, "aic")
    >>> round(score.sse((0,)), 6), round(score((0,)), 6)
    (1.8, 0.805969)
    """

    prefers_first_columns = True

    def __init__(
        self, X: Floats, y: Floats, scoring: str, cv: int = 5, random_state: Any = None
    ) -> None:
        super().__init__()
        self.name, (self.n, self.n_features) = scoring, X.shape
        Z = standardised(X)
        self.triangle = _triangle(Z, y - y.mean())
        _, first, copies = np.unique(Z.round(12), axis=1, return_index=True, return_inverse=True)
        # Sets that differ in equal columns have the same score, to the last digit.
        self._first_equal = first[copies]
        self.total = self.sse(())
        self.folds: list[tuple[Floats, Floats, Floats]] = []
        self.variance = np.nan
        if scoring == "cp":
            if self.n <= self.n_features + 1:
                raise ValueError(
                    f"Cp estimates the noise by the model of all {self.n_features} columns, which"
                    f" needs more than {self.n_features + 1} rows; there are {self.n}. Choose"
                    " another score or fewer columns."
                )
            rank = int(np.linalg.matrix_rank(self.triangle[:, :-1]))
            sse = max(self.sse(tuple(range(self.n_features))), MIN_SSE * self.total)
            self.variance = sse / (self.n - rank - 1)
        if scoring == "cv":
            cut = KFold(min(cv, self.n), shuffle=True, random_state=random_state)
            for train, test in cut.split(Z):
                middle, level = Z[train].mean(axis=0), y[train].mean()
                triangle = _triangle(Z[train] - middle, y[train] - level)
                self.folds.append((triangle, Z[test] - middle, y[test] - level))

    def sse(self, subset: Subset) -> float:
        """Return the sum of squared residuals of the least squares on some columns."""
        target = self.triangle[:, -1]
        if not subset:
            return float(target @ target)
        columns = self._originals(subset)
        residual = target - self.triangle[:, columns] @ _solution(self.triangle, columns)
        return float(residual @ residual)

    def _originals(self, subset: Subset) -> Subset:
        """Return the set with the first of equal columns in their place."""
        return tuple(sorted(self._first_equal[list(subset)].tolist()))

    def parts(self, subset: Subset) -> Floats:
        """Return the squared errors of each fold's test rows, summed."""
        sums, columns = [], self._originals(subset)
        for triangle, rows, y in self.folds:
            residual = y - rows[:, columns] @ _solution(triangle, columns) if columns else y
            sums.append(float(residual @ residual))
        return np.array(sums)

    def _value(self, subset: Subset) -> float:
        n, k = self.n, len(subset)
        if self.name == "cv":
            return float(self.parts(subset).sum() / n)
        if k > n - 2:  # no residual degree of freedom: any target is fitted
            return np.nan
        sse = max(self.sse(subset), MIN_SSE * self.total)
        if self.name == "cp":
            return float(sse / self.variance - n + 2 * (k + 1))
        if self.name == "adjusted_r2":
            return float(1 - (sse / (n - k - 1)) / (self.total / (n - 1)))
        return float(n * np.log(sse / n) + (2 if self.name == "aic" else np.log(n)) * (k + 1))


def _triangle(Z: Floats, t: Floats) -> Floats:
    """Return the R of [Z t] = QR: least squares on it are those on the rows, however many."""
    triangle: Floats = np.asarray(np.linalg.qr(np.column_stack([Z, t]), mode="r"))
    return triangle


def _solution(triangle: Floats, subset: Subset) -> Floats:
    solution = np.linalg.lstsq(triangle[:, subset], triangle[:, -1], rcond=1e-10)[0]
    return np.asarray(solution, float)


class ClassifierScore(CachedScore):
    """The cross-validated accuracy of a classifier on some columns.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The columns.
    y : ndarray of shape (n_samples,)
        Codes of the classes.
    classifier : {"naive_bayes", "knn"}
        Gaussian naive Bayes, or k nearest neighbours.
    n_neighbors : int
        The neighbours of "knn"; no more than a fold trains on.
    cv : int
        Folds, in which the classes are shared out evenly; no more than there are rows.
    random_state : int, RandomState or None
        Shuffles the rows before.

    Notes
    -----
    Logarithms of densities and squared distances are sums over columns, so each column is worked on
    once, and a set of columns costs an addition.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]])
    >>> ClassifierScore(X, np.array([0, 0, 0, 1, 1, 1]), "naive_bayes", cv=3)((0,))
    1.0
    """

    name = "accuracy"

    def __init__(
        self,
        X: Floats,
        y: Codes,
        classifier: str,
        *,
        n_neighbors: int = 5,
        cv: int = 5,
        random_state: Any = None,
    ) -> None:
        super().__init__()
        self.n, self.n_features = X.shape
        self._folds: list[tuple[Predict, Codes]] = []
        # Stratified folds need as many rows of some class.
        is_stratified = cv <= int(np.bincount(y).max())
        splitter: Any = StratifiedKFold if is_stratified else KFold
        splits = splitter(min(cv, self.n), shuffle=True, random_state=random_state)
        fit = _naive_bayes if classifier == "naive_bayes" else _neighbours(n_neighbors)
        with warnings.catch_warnings():
            # A class may have fewer rows than there are folds.
            warnings.simplefilter("ignore", UserWarning)
            for train, test in splits.split(X, y):
                predict = fit(X[train], y[train], X[test], int(y.max()) + 1)
                self._folds.append((predict, y[test]))

    def parts(self, subset: Subset) -> Floats:
        """Return how many test rows of each fold are predicted correctly."""
        return np.array([float((predict(subset) == y).sum()) for predict, y in self._folds])

    def _value(self, subset: Subset) -> float:
        return float(self.parts(subset).sum() / self.n)


def _naive_bayes(X: Floats, y: Codes, new: Floats, n_classes: int) -> Predict:
    floor = max(1e-9 * float(X.var(axis=0).max()), np.finfo(float).tiny)
    logs = np.full((n_classes, *new.shape), -np.inf)  # (n_classes, n_new, n_features)
    prior = np.full(n_classes, -np.inf)
    for c in np.unique(y):
        rows = X[y == c]
        variance = rows.var(axis=0) + floor
        with np.errstate(over="ignore"):
            squares = (new - rows.mean(axis=0)) ** 2 / variance
            logs[c] = -0.5 * (np.log(2 * np.pi * variance) + squares)
        prior[c] = np.log(len(rows) / len(y))

    def predict(subset: Subset) -> Codes:
        codes: Codes = (logs[:, :, subset].sum(axis=2) + prior[:, None]).argmax(axis=0)
        return codes

    return predict


def _neighbours(n_neighbors: int) -> Fit:
    def fit(X: Floats, y: Codes, new: Floats, n_classes: int) -> Predict:
        k, largest = min(n_neighbors, len(X)), int(np.bincount(y).argmax())
        one_hot = np.eye(n_classes)[y]

        def predict(subset: Subset) -> Codes:
            if not subset:
                return np.full(len(new), largest)
            look()
            distances = np.zeros((len(new), len(X)))
            for j in subset:
                distances += np.subtract.outer(new[:, j], X[:, j]) ** 2
            last = np.partition(distances, k - 1, axis=1)[:, [k - 1]]
            nearer, tied = distances < last, distances == last
            n_missing = k - nearer.sum(axis=1, keepdims=True)
            votes = nearer | (tied & (np.cumsum(tied, axis=1) <= n_missing))
            codes: Codes = (votes @ one_hot).argmax(axis=1)
            return codes

        return predict

    return fit
