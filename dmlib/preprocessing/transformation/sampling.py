"""Samples of rows: random, stratified, systematic, from a stream, or progressive."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_array, column_or_1d, validate_data

from dmlib.arrays import Floats
from dmlib.params import Choice, Integer, Param, Range, Spoken, check_params
from dmlib.preprocessing.transformation.algorithm import skewness, spread_ratio
from dmlib.preprocessing.transformation.allocation import SPREAD, allocate, costs_of, spreads
from dmlib.squares import check_largest, standard_deviations
from dmlib.trace import look

Rows = NDArray[np.intp]

STRATEGIES: Mapping[str, str] = {
    "random": "random",
    "replacement": "with replacement",
    "stratified": "stratified by class",
    "stratified_equal": "stratified, equal",
    "neyman": "stratified (Neyman)",
    "optimal": "stratified by cost",
    "systematic": "systematic",
    "reservoir": "reservoir",
    "progressive": "progressive",
}
STRATIFIED = ("stratified", "stratified_equal", *SPREAD)
NEIGHBORS = 5  # of the classifier whose error decides when a progressive sample is large enough
TOL = 0.005  # by which the error must fall to go on
PATIENCE = 2  # sizes in a row without that

Phase = Literal["start", "draw", "grow", "done"]


@dataclass(frozen=True)
class SampleStep:
    """A row is drawn or arrives, or the sample has grown.

    Attributes
    ----------
    phase : {"start", "draw", "grow", "done"}
        No row is drawn yet; a row is drawn or arrives; the sample has a new size; it is complete.
    row : int
        The row; -1 for none.
    slot : int
        Its place in the sample; -1 if it is not sampled.
    n_rows : int
        The size of the sample.
    chance : float
        The probability with which it is sampled, or replaces another row.
    error : float
        Of a progressive sample; else 0.
    """

    phase: Phase
    row: int = -1
    slot: int = -1
    n_rows: int = 0
    chance: float = 0.0
    error: float = 0.0


def sizes(model: Any, X: ArrayLike, y: ArrayLike | None = None) -> dict[str, Range]:
    """Return the sizes up to the number of rows.

    Examples
    --------
    >>> sizes(None, [[0.0], [1.0], [2.0]])
    {'n_rows': (1, 3)}
    """
    return {"n_rows": (1, max(1, len(np.asarray(X))))}


class Sampler(BaseEstimator):
    """Draw a sample of the rows.

    Parameters
    ----------
    strategy : str, default="random"
        "random": each subset is as likely as any. "replacement": a row can come several times.
        "stratified": each class has its share of the rows. "stratified_equal": each has as many.
        "neyman": a class of N rows has its share of N S, where S is the standard deviation of the
        first column in it; "optimal": of N S / sqrt(cost); each has one at least. "systematic": a
        random start, then every k-th. "reservoir": rows arrive one by one, and the i-th replaces
        one of the sample with probability n_rows / i. "progressive": ``n_rows`` at first and twice
        as many each time, until the error on the other rows falls no more.
    n_rows : int, default=30
        How many; at most all.
    costs : mapping or None, default=None
        The cost of a row of a class; of classes that are not named 1.
    random_state : int, RandomState or None, default=None
        The seed.

    Attributes
    ----------
    indices_ : ndarray of shape (n_rows_,)
        The rows of the sample.
    prepared_ : ndarray of shape (n_rows_, n_features)
        The rows themselves.
    n_rows_ : int
        How many there are.
    spread_ratio_, skewness_ : float
        The largest standard deviation of a column by the smallest, and the largest absolute
        skewness.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If a value is missing, the strategy needs classes and there are none, or a cost is not
        above 0.

    Notes
    -----
    O(n). A progressive sample is judged by the vote of five neighbours on the other rows; without
    classes by how far its means are from those of all rows, in standard deviations.

    References
    ----------
    J. S. Vitter (1985), Random sampling with a reservoir. ACM TOMS 11, 37-57 (algorithm R, by A.
    Waterman). J. Neyman (1934), On the two different aspects of the representative method. JRSS 97,
    558-625. F. Provost, D. Jensen and T. Oates (1999), Efficient progressive sampling. KDD.

    Examples
    --------
    >>> X, y = [[float(i)] for i in range(12)], [0] * 8 + [1] * 4
    >>> sample = Sampler("stratified", n_rows=6, random_state=0).fit(X, y)
    >>> [int((np.array(y)[sample.indices_] == c).sum()) for c in (0, 1)]
    [4, 2]
    """

    RANGES: ClassVar[Any] = staticmethod(sizes)
    PARAMS: ClassVar[dict[str, Param]] = {
        "strategy": Choice(tuple(STRATEGIES)),
        "n_rows": Integer(1, 100_000, shown=(5, 200)),
    }
    APPLIES: ClassVar[Any] = {"costs": ("strategy", ("optimal",))}
    SPOKEN: ClassVar[Spoken] = {"strategy": STRATEGIES}

    def __init__(
        self,
        strategy: str = "random",
        *,
        n_rows: int = 30,
        costs: Mapping[Any, float] | None = None,
        random_state: Any = None,
    ) -> None:
        self.strategy = strategy
        self.n_rows = n_rows
        self.costs = costs
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Draw from the rows of ``X``, whose classes are ``y``."""
        return self.fit_from(list(self.steps(X, y)), X, y)

    def fit_from(
        self, steps: Sequence[SampleStep], X: ArrayLike, y: ArrayLike | None = None
    ) -> Self:
        """Set the fitted attributes from steps."""
        rows = validate_data(self, X, dtype=np.float64)
        self.indices_ = sampled_rows(steps)
        self.prepared_ = rows[self.indices_]
        self.n_rows_ = len(self.indices_)
        self.spread_ratio_ = spread_ratio(self.prepared_)
        self.skewness_ = skewness(self.prepared_)
        return self

    def steps(self, X: ArrayLike, y: ArrayLike | None = None) -> Iterator[SampleStep]:
        """Yield row after row, or size after size."""
        check_params(self.PARAMS, self.get_params(deep=False))
        rows = check_array(X, dtype=np.float64, estimator=self)
        check_largest(rows)
        codes = weights = None
        if y is not None:
            classes, codes = np.unique(column_or_1d(y), return_inverse=True)
            weights = self._weights(rows[:, 0], codes, classes.tolist())
        elif self.strategy in STRATIFIED:
            raise ValueError(
                "A stratified sample needs classes. Choose a table with classes, in an own file"
                " their column under Data (Known classes), or another method."
            )
        rng = check_random_state(self.random_state)
        size = min(self.n_rows, len(rows))
        yield SampleStep("start")
        if self.strategy == "progressive":
            yield from self._progressive(rows, codes, size, rng)
            return
        n = 0
        for row, slot, chance in self._draws(len(rows), codes, size, rng, weights):
            look()
            n = max(n, slot + 1)
            yield SampleStep("draw", int(row), int(slot), n, float(chance))
        yield SampleStep("done", n_rows=n)

    def class_sizes(self, X: Floats, y: Rows, classes: Sequence[Any]) -> list[int]:
        """Return the rows of each class in a stratified sample; ``y`` are codes of the classes."""
        present = np.flatnonzero(np.bincount(y, minlength=len(classes)))
        codes = np.searchsorted(present, y)
        weights = self._weights(X[:, 0], codes, present.tolist())
        sizes = np.zeros(len(classes), int)
        sizes[present] = self._allocation(codes, min(self.n_rows, len(X)), weights)
        return [int(size) for size in sizes]

    def _allocation(self, codes: Rows, size: int, weights: Floats | None) -> list[int]:
        is_equal = self.strategy == "stratified_equal"
        return allocate(np.bincount(codes), size, equal=is_equal, weights=weights)

    def _weights(self, x: Floats, codes: Rows, classes: Sequence[Any]) -> Floats | None:
        """Return the weights of the classes, if the strategy depends on their spread."""
        if self.strategy not in SPREAD:
            return None
        cost = costs_of(self.costs if self.strategy == "optimal" else None, classes)
        return np.asarray(np.bincount(codes) * spreads(x, codes) / np.sqrt(cost))

    def _draws(
        self, n: int, codes: Rows | None, size: int, rng: Any, weights: Floats | None
    ) -> Iterator[tuple[int, int, float]]:
        """Yield rows, their places in the sample (-1 for none), and the probabilities of that."""
        if self.strategy == "random":
            for i, row in enumerate(rng.permutation(n)[:size]):
                yield row, i, 1 / (n - i)
        elif self.strategy == "replacement":
            for i, row in enumerate(rng.randint(n, size=size)):
                yield row, i, 1 / n
        elif self.strategy == "systematic":
            stride = n / size
            start = rng.uniform(0, stride)
            for i in range(size):
                yield min(int(start + i * stride), n - 1), i, size / n
        elif self.strategy == "reservoir":
            yield from _stream(n, size, rng)
        elif codes is not None:
            yield from _by_class(codes, self._allocation(codes, size, weights), rng)

    def _progressive(
        self, X: Floats, codes: Rows | None, size: int, rng: Any
    ) -> Iterator[SampleStep]:
        """Yield a sample that is doubled until the error of the other rows has stopped falling."""
        order = rng.permutation(len(X))
        best, n_without_progress, n_drawn = np.inf, 0, 0
        while True:
            look()
            for i in range(n_drawn, size):
                yield SampleStep("draw", int(order[i]), i, i + 1, 1 / (len(X) - i))
            n_drawn = size
            error = _error(X, codes, order, size)
            yield SampleStep("grow", n_rows=size, error=error)
            n_without_progress = 0 if error < best - TOL else n_without_progress + 1
            best = min(best, error)
            if 2 * size >= len(X) or n_without_progress == PATIENCE:
                break
            size *= 2
        yield SampleStep("done", n_rows=size, error=error)


def sampled_rows(steps: Sequence[SampleStep]) -> Rows:
    """Return the rows of the sample after some steps.

    Examples
    --------
    >>> steps = [SampleStep("draw", row, slot) for row, slot in ((4, 0), (5, 1), (7, 0))]
    >>> sampled_rows(steps).tolist()
    [7, 5]
    """
    row_of = {step.slot: step.row for step in steps if step.slot >= 0}
    return np.array([row_of[slot] for slot in sorted(row_of)], np.intp)


def _stream(n: int, size: int, rng: Any) -> Iterator[tuple[int, int, float]]:
    """Yield the rows of a stream: the first fill the sample, later ones replace one of it."""
    for row in range(n):
        slot = row if row < size else int(rng.randint(row + 1))
        yield row, slot if slot < size else -1, min(1.0, size / (row + 1))


def _by_class(codes: Rows, sizes: Sequence[int], rng: Any) -> Iterator[tuple[int, int, float]]:
    """Yield so many rows of each class at random, class by class."""
    place = 0
    for c, size in enumerate(sizes):
        of_class = np.flatnonzero(codes == c)
        for i, row in enumerate(rng.permutation(of_class)[:size]):
            yield row, place, 1 / (len(of_class) - i)
            place += 1


def _error(X: Floats, codes: Rows | None, order: Rows, size: int) -> float:
    """Return the error of a sample on the rows that are not in it."""
    inside, outside = order[:size], order[size:]
    spread = np.where(standard_deviations(X) > 0, standard_deviations(X), 1.0)
    if codes is None:
        return float((np.abs(X[inside].mean(axis=0) - X.mean(axis=0)) / spread).mean())
    if not len(outside):
        return 0.0
    vote = KNeighborsClassifier(min(NEIGHBORS, size)).fit(X[inside] / spread, codes[inside])
    return float((vote.predict(X[outside] / spread) != codes[outside]).mean())
