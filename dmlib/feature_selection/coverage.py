"""Greedy coverage: few columns that stand for all others, as few sensors cover many places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from math import comb
from operator import or_
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.feature_selection.ranges import coverage_ranges
from dmlib.feature_selection.selector import Selector, mask_of, standardised
from dmlib.params import Integer, Number, Param, Ranges
from dmlib.trace import look

MAX_CHOICES = 100_000  # of which the best is found by a look at all


@dataclass(frozen=True)
class CoverageStep:
    """One step of greedy coverage.

    Attributes
    ----------
    phase : {"graph", "evaluate", "choose", "done"}
        Who covers whom; of the lazy search: a gain computed again; one more chosen; the end.
    chosen : tuple of int
        Those chosen so far, in order.
    gains : ndarray of int of shape (n_sets,)
        How many more each would have covered before this choice; of the lazy search, as far as it
        is known: no more than that.
    covered : ndarray of bool of shape (n_elements,)
        What is covered.
    reason : str
        On "done": why it ended, as a sentence.
    support : ndarray of bool of shape (n_sets,)
        Which are chosen.
    evaluated : int or None
        On "evaluate": whose gain was computed.
    n_evaluated : int
        How many gains have been computed so far.
    """

    phase: Literal["graph", "evaluate", "choose", "done"]
    chosen: tuple[int, ...]
    gains: NDArray[np.intp]
    covered: NDArray[np.bool_]
    support: NDArray[np.bool_]
    reason: str = ""
    evaluated: int | None = None
    n_evaluated: int = 0

    @property
    def n_covered(self) -> int:
        """How much is covered."""
        return int(self.covered.sum())


def greedy_coverage(covers: ArrayLike, k: int | None = None) -> list[int]:
    """Return sets that together cover much, each time the one that covers most of what is left.

    Parameters
    ----------
    covers : array-like of bool of shape (n_sets, n_elements)
        Which set covers which element; of a graph, each node itself and its neighbours.
    k : int or None
        How many are chosen; None until nothing more can be covered.

    Returns
    -------
    list of int
        In the order in which they are chosen; of equal ones the first.

    Notes
    -----
    Coverage is submodular: what a set adds can only shrink. So the greedy choice covers at least 1
    - 1/e, 63 %, of what the best choice of the same size covers (Nemhauser, Wolsey and Fisher
    1978).

    Examples
    --------
    >>> greedy_coverage([[1, 1, 1, 0], [0, 0, 1, 1], [1, 0, 0, 1]], 2)
    [0, 1]
    """
    matrix = np.asarray(covers, bool)
    if matrix.ndim != 2:
        raise ValueError(
            f"covers must be a table of sets by elements; it has {matrix.ndim} dimensions."
        )
    *_, last = coverage_steps(matrix, k)
    return list(last.chosen)


def coverage_steps(
    matrix: NDArray[np.bool_], k: int | None, *, lazy: bool = False
) -> Iterator[CoverageStep]:
    """Yield the choices of :func:`greedy_coverage`.

    The lazy search makes the same. It computes a gain again only where the old one, a bound of it,
    is the largest.
    """
    n = len(matrix)
    size = n if k is None else min(k, n)
    chosen: tuple[int, ...] = ()
    covered = np.zeros(matrix.shape[1], bool)
    gains, n_evaluated = matrix.sum(axis=1), n

    def step(phase: Literal["graph", "evaluate", "choose", "done"], **fields: Any) -> CoverageStep:
        support = mask_of(chosen, n)
        return CoverageStep(
            phase, chosen, gains, covered, support, n_evaluated=n_evaluated, **fields
        )

    yield step("graph")
    while len(chosen) < size and gains.any() and not covered.all():
        stale = np.zeros(n, bool)
        if chosen and lazy:
            stale = ~mask_of(chosen, n)
            gains = np.where(stale, gains, 0)
        elif chosen:
            gains = (matrix & ~covered).sum(axis=1)
            n_evaluated += n - len(chosen)
        while stale[best := int(gains.argmax())]:
            look()
            gains, stale[best] = gains.copy(), False
            gains[best] = (matrix[best] & ~covered).sum()
            n_evaluated += 1
            yield step("evaluate", evaluated=best)
        look()
        if not gains[best]:
            break
        chosen, covered = (*chosen, best), covered | matrix[best]
        yield step("choose")
    gains = (matrix & ~covered).sum(axis=1)
    reason = "As many as were asked for are chosen."
    if not gains.any():
        reason = "Everything is covered." if covered.all() else "Nothing more can be covered."
    yield step("done", reason=reason)


def best_coverage(matrix: NDArray[np.bool_], k: int) -> int | None:
    """Return how much the best ``k`` sets cover, by a look at all; None where there are too many.

    Examples
    --------
    >>> best_coverage(np.array([[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]], bool), 2)
    4
    """
    if comb(len(matrix), k) > MAX_CHOICES:
        return None
    masks = [int("".join("01"[bit] for bit in row), 2) for row in matrix.astype(int).tolist()]
    look()
    return max(reduce(or_, sets, 0).bit_count() for sets in combinations(masks, k))


def coverage_bound(steps: Sequence[CoverageStep], k: int) -> int:
    """Return what ``k`` sets cover at most: what is covered, and the ``k`` largest gains beside it.

    Of the bounds of all steps it is the smallest.

    Examples
    --------
    >>> steps = list(coverage_steps(np.array([[1, 1, 1], [0, 1, 1], [1, 0, 0]], bool), 1))
    >>> coverage_bound(steps, 1), coverage_bound(steps, 2)
    (3, 3)
    """
    bounds = [len(steps[0].covered)]
    for step in steps:
        if step.phase == "evaluate":
            continue
        gained = step.gains[step.chosen[-1]] if step.phase == "choose" else 0
        bounds.append(step.n_covered - int(gained) + int(np.sort(step.gains)[-k:].sum()))
    return min(bounds)


class CoverageSelector(Selector):
    """Choose columns so that every other is correlated with one of them; no target is needed.

    Parameters
    ----------
    threshold : float, default=0.7
        A column covers itself and those whose correlation with it has at least this size.
    n_features_to_select : int or None, default=None
        How many are chosen; None until all are covered.

    Attributes
    ----------
    support_ : ndarray of bool of shape (n_features,)
        Which columns are chosen.
    chosen_ : tuple of int
        Those, in the order in which they were chosen.
    covered_ : ndarray of bool of shape (n_features,)
        Which columns are covered.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Notes
    -----
    O(n p²) for the correlations, O(p²) for each choice. Coverage is submodular, so the greedy
    choice covers at least 63 % of what the best of its size covers. Of equal gains the first column
    wins.

    References
    ----------
    G. L. Nemhauser, L. A. Wolsey and M. L. Fisher (1978), An analysis of approximations for
    maximizing submodular set functions. Mathematical Programming 14.

    Examples
    --------
    >>> x = np.random.default_rng(0).normal(size=(50, 2))
    >>> X = np.column_stack([x[:, 0], -2 * x[:, 0], x[:, 1]])
    >>> CoverageSelector().fit(X).get_support(indices=True).tolist()
    [0, 2]
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "threshold": Number(0.0, 1.0, step=0.01),
        "n_features_to_select": Integer(1, 1000, shown=(1, 20), none="auto"),
    }
    RANGES: ClassVar[Ranges] = staticmethod(coverage_ranges)

    def __init__(self, *, threshold: float = 0.7, n_features_to_select: int | None = None) -> None:
        self.threshold = threshold
        self.n_features_to_select = n_features_to_select

    def fit(self, X: Any, y: ArrayLike | None = None) -> Self:
        """Choose among the columns of ``X``; ``y`` is not used."""
        self._remember_columns(X)
        for step in self.steps(X, y):
            last = step
        self.support_, self.chosen_, self.covered_ = last.support, last.chosen, last.covered
        return self

    def steps(self, X: Any, y: ArrayLike | None = None) -> Iterator[CoverageStep]:
        """Yield every step; the last is the answer of ``fit``."""
        yield from coverage_steps(self.neighbourhoods(X), self.n_features_to_select)

    def neighbourhoods(self, X: Any) -> NDArray[np.bool_]:
        """Return which column covers which, shape (n_features, n_features)."""
        Z = standardised(self._check_table(X))
        covers: NDArray[np.bool_] = np.abs(Z.T @ Z) / len(Z) >= self.threshold - 1e-12
        np.fill_diagonal(covers, val=True)
        return covers
