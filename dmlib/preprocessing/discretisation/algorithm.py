"""Cuts of columns, one after another, by thirteen rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted, column_or_1d, validate_data

from dmlib.arrays import Floats
from dmlib.params import Choice, Conditions, Flag, Integer, Number, Param, Spoken, check_params
from dmlib.preprocessing.bin_counts import WIDTH_RULES, bin_count
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
    "sturges_10": "Sturges in base 10",
    "sqrt": "square root: equal width, by the rows",
    "scott": "Scott: equal width, by the spread",
    "fd": "Freedman-Diaconis: equal width, by the quartiles",
    "kmeans": "k-means of the values",
    "entropy": "entropy with MDL",
    "one_rule": "1R",
    "chi_merge": "ChiMerge",
}
SUPERVISED = ("entropy", "one_rule", "chi_merge")
COUNTED = ("width", "frequency", "percentile", "kmeans")
MAX_ROUNDS = 100  # of k-means

Phase = Literal["column", "cut", "reject", "merge", "move", "done"]


@dataclass(frozen=True)
class DiscretizerStep:
    """A cut is made, rejected or removed.

    Attributes
    ----------
    phase : {"column", "cut", "reject", "merge", "move", "done"}
        "move": the centres of k-means moved, and all cuts with them.
    column : int
        Its number; -1 at the end.
    borders : ndarray
        The cuts of the column so far, ascending.
    trial : Trial or None
        The cut and, where it depends on classes, the other candidates; None where all cuts move at
        once.
    n_intervals : int
        Of all columns so far.
    """

    phase: Phase
    column: int
    borders: Floats
    trial: Trial | None = None
    n_intervals: int = 0


class Discretizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    r"""Replace numbers by intervals.

    Parameters
    ----------
    strategy : str, default="width"
        "width": intervals of equal width. "frequency": as many rows in each, as far as equal values
        stay together. "percentile": interpolated percentiles. "statistical": the mean, and one and
        two standard deviations around it. "sturges": equal width, :math:`\lceil \log_2 n + 1
        \rceil` of them; "sturges_10": :math:`\lceil 1 + \frac{10}{3} \log_{10} n \rceil`; "sqrt":
        :math:`\lceil \sqrt n \rceil`; "scott": about :math:`3.49 s / \sqrt[3]{n}` wide; "fd"
        (Freedman and Diaconis): about :math:`2 (q_3 - q_1) / \sqrt[3]{n}`. "kmeans": between the
        centres of k-means.
        "entropy": where the entropy of the classes falls most, as long as the description becomes
        shorter. "one_rule": intervals with enough rows of one class. "chi_merge": neighbours whose
        classes differ by chance become one, by Pearson's chi-squared without a correction.
    n_bins : int, default=4
        How many intervals, where the strategy does not say.
    min_size : int, default=6
        1R: how many rows of its majority class an interval has at least.
    alpha : float, default=0.05
        ChiMerge: neighbours are merged while their difference has a probability above it.
    criterion : {"fayyad_irani", "kononenko"}, default="fayyad_irani"
        Entropy: the description length by which a cut is accepted.
    better_encoding : bool, default=False
        Entropy: whether the cost of a cut counts the places between different values only, not
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
        Mutual information of intervals and class in bits, the mean over the columns; NaN without
        classes.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If a value is missing, or the strategy needs classes and there are none.

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
    >>> Discretizer("width", n_bins=2).fit(X).cuts_[0].tolist()
    [6.5]
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
        """Set the fitted attributes from steps."""
        rows = validate_data(self, X, dtype=np.float64)
        last = {step.column: step.borders for step in steps if step.column >= 0}
        self.cuts_ = [last[j].copy() for j in range(rows.shape[1])]
        trials = [step.trial for step in steps if step.column == 0 and step.phase == "cut"]
        cuts = [*(trial.cut for trial in trials if trial is not None), *self.cuts_[0].tolist()]
        self.first_cut_ = cuts[0] if cuts else float("nan")
        self.n_intervals_ = sum(len(cuts) + 1 for cuts in self.cuts_)
        self.information_ = mean_information(rows, self.cuts_, _codes(y))
        return self

    def transform(self, X: ArrayLike) -> Floats:
        """Return the number of the interval of each value, shape (n_samples, n_features)."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        pairs = zip(self.cuts_, rows.T, strict=True)
        return np.column_stack([np.searchsorted(cuts, x) for cuts, x in pairs]).astype(float)

    def steps(self, X: ArrayLike, y: ArrayLike | None = None) -> Iterator[DiscretizerStep]:
        """Yield the cuts of one column after another."""
        check_params(self.PARAMS, self.get_params(deep=False))
        rows = check_array(X, dtype=np.float64, estimator=self)
        check_largest(rows)
        codes = _codes(y)
        if codes is None and self.strategy in SUPERVISED:
            raise ValueError(
                "These methods need classes. Choose a table with classes, in an own file their"
                " column under Data (Known classes), or take equal width."
            )
        n_intervals = 0
        for j, x in enumerate(rows.T):
            for step in self._column(j, x, codes, n_intervals):
                look()
                yield step
            n_intervals += len(step.borders) + 1
        yield DiscretizerStep("done", -1, step.borders, None, n_intervals)

    def _column(
        self, j: int, x: Floats, codes: Codes | None, n_intervals: int
    ) -> Iterator[DiscretizerStep]:
        """Yield the cuts of a column."""
        order = np.argsort(x, kind="stable")
        cuts = np.empty(0)
        yield DiscretizerStep("column", j, self._first(x), None, n_intervals)
        if codes is not None and self.strategy in SUPERVISED:
            cuts = self._first(x)
            for trial in self._trials(x[order], codes[order]):
                if trial.phase == "cut":
                    cuts = np.sort(np.append(cuts, trial.cut))
                elif trial.phase == "merge":
                    cuts = cuts[cuts != trial.cut]
                yield DiscretizerStep(trial.phase, j, cuts, trial, n_intervals)
            return
        if self.strategy == "kmeans":
            for cuts in kmeans_cuts(x[order], self.n_bins):
                yield DiscretizerStep("move", j, cuts, None, n_intervals)
            return
        for cut in unsupervised_cuts(x[order], self.strategy, self.n_bins):
            cuts = np.append(cuts, cut)
            trial = Trial("cut", float(cut))
            yield DiscretizerStep("cut", j, cuts, trial, n_intervals)

    def _first(self, x: Floats) -> Floats:
        """Return the cuts that a column begins with."""
        if self.strategy != "chi_merge":
            return np.empty(0)
        values = np.unique(x)
        return np.asarray((values[:-1] + values[1:]) / 2)

    def _trials(self, x: Floats, y: Codes) -> Iterator[Trial]:
        if self.strategy == "entropy":
            return entropy_cuts(x, y, self.criterion, better_encoding=self.better_encoding)
        if self.strategy == "one_rule":
            return one_rule_cuts(x, y, self.min_size)
        return chi_merge_cuts(x, y, self.alpha)


def _codes(y: ArrayLike | None) -> Codes | None:
    return None if y is None else np.unique(column_or_1d(y), return_inverse=True)[1]


def unsupervised_cuts(x: Floats, strategy: str, n_bins: int) -> Floats:
    """Return the cuts of sorted numbers by a strategy that needs no classes.

    Examples
    --------
    >>> x = np.array([64.0, 65, 68, 69, 70, 71, 72, 72, 75, 75, 80, 81, 83, 85])
    >>> unsupervised_cuts(x, "width", 3).tolist()
    [71.0, 78.0]
    >>> unsupervised_cuts(x, "frequency", 3).tolist()
    [70.5, 77.5]
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
        k = bin_count(x, strategy) if strategy in WIDTH_RULES else n_bins
        cuts = low + (high - low) / k * np.arange(1, k)
    cuts = np.unique(cuts)
    return np.asarray(cuts[(cuts >= low) & (cuts < high)])


def _frequency(x: Floats, n_bins: int) -> list[float]:
    """Return cuts between values; each interval gets an equal part of the remaining rows."""
    values, counts = np.unique(x, return_counts=True)
    cuts: list[float] = []
    target = len(x) / n_bins
    n_inside, n_above = 0, len(x)  # rows of the open interval, and of larger values
    previous, n_previous = -1, 0  # the value before in the interval, and the rows up to it
    for i, n_equal in enumerate(counts[:-1].tolist()):
        n_inside += n_equal
        n_above -= n_equal
        if n_inside < target:
            previous, n_previous = i, n_inside
            continue
        is_previous_closer = previous >= 0 and target - n_previous < n_inside - target
        place = previous if is_previous_closer else i
        n_inside = n_inside - n_previous if is_previous_closer else 0
        cuts.append(float((values[place] + values[place + 1]) / 2))
        n_remaining = n_bins - len(cuts)
        if n_remaining < 2:
            break
        target = (n_above + n_inside) / n_remaining
        previous, n_previous = (i, n_inside) if n_inside else (-1, 0)
    return cuts


def kmeans_cuts(x: Floats, n_bins: int) -> Iterator[Floats]:
    """Yield the cuts between the centres of k-means on sorted numbers.

    The first centres are evenly spaced.

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
    for _ in range(MAX_ROUNDS):
        cuts = (centres[:-1] + centres[1:]) / 2
        yield cuts
        ends = np.concatenate([[0], np.searchsorted(x, cuts, side="right"), [len(x)]])
        sizes = np.diff(ends)
        moved = np.where(sizes > 0, np.diff(sums[ends]) / np.maximum(sizes, 1), centres)
        if np.array_equal(moved, centres):
            break
        centres = moved


def information(codes: NDArray[Any], classes: Codes | None) -> float:
    """Return the mutual information of intervals and classes in bits; NaN without classes.

    Examples
    --------
    >>> information(np.array([0, 0, 1, 1]), np.array([0, 0, 1, 1]))
    1.0
    >>> information(np.array([0, 1]), np.array([0, 0]))
    0.0
    """
    if classes is None:
        return float("nan")
    table = np.zeros((int(codes.max()) + 1, int(classes.max()) + 1))
    np.add.at(table, (codes.astype(int), classes), 1)
    n = table.sum()
    return float(entropy(table.sum(axis=0)) - (table.sum(axis=1) / n * entropy(table)).sum())


def mean_information(X: Floats, cuts: Sequence[Floats], classes: Codes | None) -> float:
    """Return the mean over columns of the mutual information of their intervals and classes."""
    pairs = zip(cuts, X.T, strict=True)
    return float(np.mean([information(np.searchsorted(c, x), classes) for c, x in pairs]))
