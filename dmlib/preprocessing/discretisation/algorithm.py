"""Cuts of columns, one after another, by nine rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log2
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted, column_or_1d, validate_data

from dmlib.arrays import Floats
from dmlib.params import Choice, Conditions, Flag, Integer, Number, Param, Spoken, check_params
from dmlib.preprocessing.discretisation.supervised import (
    CRITERIA,
    Codes,
    Trial,
    chi_merge_cuts,
    entropy,
    entropy_cuts,
    one_rule_cuts,
)
from dmlib.squares import check_largest
from dmlib.trace import look

STRATEGIES: Mapping[str, str] = {
    "width": "equal width",
    "frequency": "equal frequency",
    "percentile": "percentiles",
    "statistical": "mean and standard deviations",
    "sturges": "Sturges: equal width, by the rows",
    "kmeans": "k-means of the values",
    "entropy": "entropy with MDL",
    "one_rule": "1R",
    "chi_merge": "ChiMerge",
}
SUPERVISED = ("entropy", "one_rule", "chi_merge")
COUNTED = ("width", "frequency", "percentile", "kmeans")
MOST_ROUNDS = 100  # of k-means


@dataclass(frozen=True)
class DiscretizerStep:
    """A cut was made, refused or taken away.

    Attributes
    ----------
    phase : {"column", "cut", "reject", "merge", "move", "done"}
        "move": the centres of k-means moved, and all cuts with them.
    column : int
        Which; -1 in the end.
    borders : ndarray
        The cuts of the column now, ascending.
    trial : Trial or None
        The cut, and where classes are asked for what else was tried; None where all cuts move at
        once.
    n_intervals : int
        Of all columns so far.
    """

    phase: str
    column: int
    borders: Floats
    trial: Trial | None = None
    n_intervals: int = 0


class Discretizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    r"""Put intervals in the place of numbers.

    Parameters
    ----------
    strategy : str, default="width"
        "width": intervals of equal width. "frequency": as many rows in each, as far as equal values
        stay together. "percentile": interpolated percentiles. "statistical": the mean, and one and
        two standard deviations around it. "sturges": equal width, :math:`\lceil \log_2 n + 1
        \rceil` of them. "kmeans": between the centres of k-means. "entropy": where the entropy of
        the classes falls most, as long as the description becomes shorter. "one_rule": intervals
        with enough rows of one class. "chi_merge": neighbours whose classes differ by chance become
        one, by Pearson's chi-squared without a correction.
    n_bins : int, default=4
        How many intervals, where the strategy does not say.
    min_size : int, default=6
        1R: how many rows of its commonest class an interval has.
    alpha : float, default=0.05
        ChiMerge: neighbours are merged while their difference has a probability above it.
    criterion : {"fayyad_irani", "kononenko"}, default="fayyad_irani"
        Entropy: by which description a cut must be worth its price.
    better_encoding : bool, default=False
        Entropy: whether the price of a cut counts the places between different values only, not
        those between rows.

    Attributes
    ----------
    cuts_ : list of ndarray
        The cuts of each column; an interval holds its upper end.
    first_cut_ : float
        The first cut that was made in the first column, or where all came at once the lowest; NaN
        for none.
    n_intervals_ : int
        Intervals of all columns.
    information_ : float
        Bits that the intervals of a column tell of the class, the mean over the columns; NaN
        without classes.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If a value is missing, or classes are asked for and there are none.

    Notes
    -----
    O(n log n) for a column; ChiMerge O(m²) for m values.

    References
    ----------
    U. M. Fayyad and K. B. Irani (1993), Multi-interval discretization of continuous-valued
    attributes. IJCAI. R. C. Holte (1993), Very simple classification rules perform well. Machine
    Learning 11, 63-91. I. Kononenko (1995), On biases in estimating multi-valued attributes. IJCAI.
    R. Kerber (1992), ChiMerge: discretization of numeric attributes. AAAI.

    Examples
    --------
    >>> X, y = [[1.0], [2.0], [3.0], [10.0], [11.0], [12.0]], [0, 0, 0, 1, 1, 1]
    >>> [Discretizer(strategy, n_bins=2).fit(X, y).cuts_[0].tolist() for strategy in ("width", "entropy")]
    [[6.5], [6.5]]
    >>> Discretizer("entropy").fit_transform(X, y).ravel().tolist()
    [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "strategy": Choice(tuple(STRATEGIES)),
        "n_bins": Integer(2, 50, shown=(2, 12)),
        "min_size": Integer(1, 1000, shown=(1, 20)),
        "alpha": Number(1e-6, 0.9, shown=(0.001, 0.5), log=True),
        "criterion": Choice(tuple(CRITERIA)),
        "better_encoding": Flag(),
    }
    APPLIES: ClassVar[Conditions] = {
        "n_bins": ("strategy", COUNTED),
        "min_size": ("strategy", ("one_rule",)),
        "alpha": ("strategy", ("chi_merge",)),
        "criterion": ("strategy", ("entropy",)),
        "better_encoding": ("strategy", ("entropy",)),
    }
    SPOKEN: ClassVar[Spoken] = {"strategy": STRATEGIES, "criterion": CRITERIA}

    def __init__(
        self,
        strategy: str = "width",
        *,
        n_bins: int = 4,
        min_size: int = 6,
        alpha: float = 0.05,
        criterion: str = "fayyad_irani",
        better_encoding: bool = False,
    ) -> None:
        self.strategy = strategy
        self.n_bins = n_bins
        self.min_size = min_size
        self.alpha = alpha
        self.criterion = criterion
        self.better_encoding = better_encoding

    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Cut the columns of ``X``; ``y`` are the classes."""
        return self.fit_from(list(self.steps(X, y)), X, y)

    def fit_from(
        self, steps: Sequence[DiscretizerStep], X: ArrayLike, y: ArrayLike | None = None
    ) -> Self:
        """Become what the steps say."""
        rows = validate_data(self, X, dtype=np.float64)
        last = {step.column: step.borders for step in steps if step.column >= 0}
        self.cuts_ = [last[j].copy() for j in range(rows.shape[1])]
        made = [
            step.trial.cut
            for step in steps
            if step.column == 0 and step.phase == "cut" and step.trial
        ]
        self.first_cut_ = next(iter([*made, *self.cuts_[0].tolist()]), float("nan"))
        self.n_intervals_ = sum(len(cuts) + 1 for cuts in self.cuts_)
        codes = None if y is None else np.unique(column_or_1d(y), return_inverse=True)[1]
        told = [
            information(np.searchsorted(c, x), codes)
            for x, c in zip(rows.T, self.cuts_, strict=True)
        ]
        self.information_ = float(np.mean(told))
        return self

    def transform(self, X: ArrayLike) -> Floats:
        """Return the number of the interval of each value, from 0, shape (n_samples, n_features)."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        return np.column_stack(
            [np.searchsorted(c, x) for x, c in zip(rows.T, self.cuts_, strict=True)]
        ).astype(float)

    def steps(self, X: ArrayLike, y: ArrayLike | None = None) -> Iterator[DiscretizerStep]:
        """Yield the cuts of one column after another."""
        check_params(self.PARAMS, self.get_params(deep=False))
        rows = check_array(X, dtype=np.float64, estimator=self)
        check_largest(rows)
        codes = None if y is None else np.unique(column_or_1d(y), return_inverse=True)[1]
        if codes is None and self.strategy in SUPERVISED:
            raise ValueError(
                "These methods need classes. Choose a table with classes, in an own file their"
                " column under Data (Known classes), or take equal width."
            )
        done = 0
        for j, x in enumerate(rows.T):
            step = DiscretizerStep("column", j, np.empty(0), None, done)
            for step in self._column(j, x, codes, done):
                look()
                yield step
            done += len(step.borders) + 1
        yield DiscretizerStep("done", -1, step.borders, None, done)

    def _column(
        self, j: int, x: Floats, codes: Codes | None, done: int
    ) -> Iterator[DiscretizerStep]:
        """Yield the cuts of a column."""
        order = np.argsort(x, kind="stable")
        cuts = np.empty(0)
        yield DiscretizerStep("column", j, self._first(x), None, done)
        if codes is not None and self.strategy in SUPERVISED:
            cuts = self._first(x)
            for trial in self._trials(x[order], codes[order]):
                if trial.phase == "cut":
                    cuts = np.sort(np.append(cuts, trial.cut))
                elif trial.phase == "merge":
                    cuts = cuts[cuts != trial.cut]
                yield DiscretizerStep(trial.phase, j, cuts, trial, done)
            return
        if self.strategy == "kmeans":
            for cuts in kmeans_cuts(x[order], self.n_bins):
                yield DiscretizerStep("move", j, cuts, None, done)
            return
        for cut in unsupervised_cuts(x[order], self.strategy, self.n_bins):
            cuts = np.append(cuts, cut)
            yield DiscretizerStep("cut", j, cuts, Trial("cut", float(cut)), done)

    def _first(self, x: Floats) -> Floats:
        """Return the cuts that a column begins with."""
        if self.strategy != "chi_merge":
            return np.empty(0)
        values = np.unique(x)
        return np.asarray((values[:-1] + values[1:]) / 2)

    def _trials(self, x: Floats, y: Codes) -> Iterator[Trial]:
        if self.strategy == "entropy":
            return entropy_cuts(x, y, self.criterion, better_encoding=self.better_encoding)
        return (
            one_rule_cuts(x, y, self.min_size)
            if self.strategy == "one_rule"
            else chi_merge_cuts(x, y, self.alpha)
        )


def unsupervised_cuts(x: Floats, strategy: str, n_bins: int) -> Floats:
    """Return the cuts of sorted numbers that ask for no classes.

    Examples
    --------
    >>> x = np.array([64.0, 65, 68, 69, 70, 71, 72, 72, 75, 75, 80, 81, 83, 85])
    >>> unsupervised_cuts(x, "width", 3).tolist(), unsupervised_cuts(x, "frequency", 3).tolist()
    ([71.0, 78.0], [70.5, 77.5])
    """
    low, high = float(x[0]), float(x[-1])
    if high <= low:
        return np.empty(0)
    if strategy == "statistical":
        cuts = x.mean() + x.std() * np.arange(-2.0, 3.0)
    elif strategy == "percentile":
        cuts = np.quantile(x, np.arange(1, n_bins) / n_bins)
    elif strategy == "frequency":
        cuts = np.array(_frequency(x, n_bins))
    else:
        k = ceil(log2(len(x)) + 1) if strategy == "sturges" else n_bins
        cuts = low + (high - low) / k * np.arange(1, k)
    cuts = np.unique(cuts)
    return np.asarray(cuts[(cuts >= low) & (cuts < high)])


def _frequency(x: Floats, n_bins: int) -> list[float]:
    """Return cuts between values, each after about as many of the rows that are left as intervals are."""
    values, counts = np.unique(x, return_counts=True)
    cuts, seen, wanted = [], 0, len(x) / n_bins
    left, last, best = float(len(x)), -1, 0
    for i, number in enumerate(counts[:-1]):
        seen += int(number)
        left -= number
        if seen >= wanted:
            if wanted - best < seen - wanted and last >= 0:  # the cut before was nearer
                at, seen = last, seen - best
            else:
                at, seen = i, 0
            cuts.append(float((values[at] + values[at + 1]) / 2))
            remaining = n_bins - len(cuts)
            if remaining < 2:
                break
            wanted, best, last = (left + seen) / remaining, seen, i
            if not seen:
                last, best = -1, 0
        else:
            last, best = i, seen
    return cuts


def kmeans_cuts(x: Floats, n_bins: int) -> Iterator[Floats]:
    """Yield the cuts between the centres of k-means on sorted numbers, from evenly spaced centres on.

    Examples
    --------
    >>> list(kmeans_cuts(np.array([0.0, 1.0, 2.0, 9.0, 10.0]), 2))[-1].tolist()
    [5.25]
    """
    if x[-1] <= x[0]:
        return
    k = min(n_bins, len(np.unique(x)))
    edges = np.linspace(x[0], x[-1], k + 1)
    centres = (edges[:-1] + edges[1:]) / 2
    sums = np.concatenate([[0.0], np.cumsum(x)])
    for _ in range(MOST_ROUNDS):
        cuts = (centres[:-1] + centres[1:]) / 2
        yield cuts
        at = np.concatenate([[0], np.searchsorted(x, cuts, side="right"), [len(x)]])
        sizes = np.diff(at)
        moved = np.where(sizes > 0, np.diff(sums[at]) / np.maximum(sizes, 1), centres)
        if np.array_equal(moved, centres):
            break
        centres = moved


def information(codes: NDArray[Any], classes: Codes | None) -> float:
    """Return the mutual information of intervals and classes in bits; NaN without classes.

    Examples
    --------
    >>> information(np.array([0, 0, 1, 1]), np.array([0, 0, 1, 1])), information(np.array([0, 1]), np.array([0, 0]))
    (1.0, 0.0)
    """
    if classes is None:
        return float("nan")
    table = np.zeros((int(codes.max()) + 1, int(classes.max()) + 1))
    np.add.at(table, (codes.astype(int), classes), 1)
    n = table.sum()
    return float(entropy(table.sum(axis=0)) - (table.sum(axis=1) / n * entropy(table)).sum())
