"""The best columns by a filter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.arrays import Floats
from dmlib.feature_selection.filters import (
    BINNED,
    METHODS,
    UNSUPERVISED,
    Parts,
    Target,
    parts_of,
    target_of,
)
from dmlib.feature_selection.ranges import filter_ranges
from dmlib.feature_selection.selector import Codes, Selector, mask_of
from dmlib.params import Choice, Conditions, Integer, Param, Ranges, Spoken


@dataclass(frozen=True)
class FilterStep:
    """One step of a filter.

    Attributes
    ----------
    phase : {"score", "select", "done"}
        A column scored; the best column left selected; the end.
    column : int or None
        The column.
    parts : dict of str to float
        On "score": the numbers that its score is made of.
    scores : ndarray of shape (n_features,)
        The scores so far; NaN for those to come.
    ranking : ndarray of int of shape (n_features,) or None
        From "select" on: the rank of each column, from 1.
    support : ndarray of bool of shape (n_features,)
        The columns selected so far.
    """

    phase: Literal["score", "select", "done"]
    column: int | None
    parts: Parts
    scores: Floats
    ranking: Codes | None
    support: NDArray[np.bool_]


class FilterSelector(Selector):
    """Choose the columns that are best alone, before anything is learned from them.

    Parameters
    ----------
    score_func : str, default="correlation"
        The filter, one of those of :func:`dmlib.feature_selection.filter_scores`; the last five
        need no target.
    k : int, default=3
        How many columns are kept; more than there are means all.
    n_bins : int, default=5
        Bins of a number; a column with no more values than bins holds categories, each in a bin of
        its own.
    n_neighbors : int, default=10
        Near rows that ReliefF compares.

    Attributes
    ----------
    support_ : ndarray of bool of shape (n_features,)
        Which columns are chosen.
    scores_ : ndarray of shape (n_features,)
        The score of each column.
    ranking_ : ndarray of int of shape (n_features,)
        Their ranks, from 1; of equal scores the first column is better.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Notes
    -----
    Floating-point targets are numbers, all others classes. A filter does not see that two columns
    say the same, nor that two are useful only together.

    References
    ----------
    I. Guyon and A. Elisseeff (2003), An introduction to variable and feature selection. JMLR 3.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(40, 4))
    >>> FilterSelector(k=1).fit(X, X[:, 2] ** 3).get_support(indices=True).tolist()
    [2]
    """

    APPLIES: ClassVar[Conditions] = {
        "n_bins": ("score_func", BINNED),
        "n_neighbors": ("score_func", ("relieff",)),
    }
    PARAMS: ClassVar[dict[str, Param]] = {
        "score_func": Choice(tuple(METHODS)),
        "k": Integer(1, 1000, shown=(1, 20)),
        "n_bins": Integer(2, 100, shown=(2, 12)),
        "n_neighbors": Integer(1, 1000, shown=(1, 30)),
    }
    RANGES: ClassVar[Ranges] = staticmethod(filter_ranges)
    SPOKEN: ClassVar[Spoken] = {"score_func": METHODS}

    def __init__(
        self, *, score_func: str = "correlation", k: int = 3, n_bins: int = 5, n_neighbors: int = 10
    ) -> None:
        self.score_func = score_func
        self.k = k
        self.n_bins = n_bins
        self.n_neighbors = n_neighbors

    def fit(self, X: Any, y: ArrayLike | None = None) -> Self:
        """Score the columns of ``X``."""
        self._remember_columns(X)
        for step in self.steps(X, y):
            last = step
        self.support_, self.scores_, self.ranking_ = last.support, last.scores, last.ranking
        return self

    def steps(self, X: Any, y: ArrayLike | None = None) -> Iterator[FilterStep]:
        """Yield every step; the last is the answer of ``fit``."""
        X, target = self._check_data(X, y)
        p = X.shape[1]
        sizes = {"n_bins": self.n_bins, "n_neighbors": self.n_neighbors}
        scores, empty = np.full(p, np.nan), np.zeros(p, bool)
        for j, parts in enumerate(parts_of(X, target, self.score_func, **sizes)):
            scores = np.where(np.arange(p) == j, parts["score"], scores)
            yield FilterStep("score", j, parts, scores, None, empty)
        order = np.argsort(-scores, kind="stable")
        ranking = np.empty(p, np.intp)
        ranking[order] = np.arange(1, p + 1)
        best = order[: self.k]
        for i, j in enumerate(best.tolist(), start=1):
            yield FilterStep("select", j, {}, scores, ranking, mask_of(order[:i], p))
        yield FilterStep("done", None, {}, scores, ranking, mask_of(best, p))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self.score_func not in UNSUPERVISED
        return tags

    def _check_data(self, X: Any, y: Any) -> tuple[Floats, Target]:
        if self.score_func in UNSUPERVISED:
            return self._check_table(X), Target(None, classes=False)
        target = target_of(y)
        X, _ = self._check_numbers(X, target.y)  # y may be None: it says so
        return X, target
