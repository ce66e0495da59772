"""Greedy searches among the sets of columns: one column is added or removed at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dmlib.feature_selection.scores import Score, Subset, goodness
from dmlib.feature_selection.selector import mask_of

ENOUGH = 1e-12  # of the score: a smaller gain is rounding error


@dataclass(frozen=True)
class SearchStep:
    """One step of a search.

    Attributes
    ----------
    phase : {"start", "add", "remove", "branch", "cut", "done"}
        The first set; a column added or removed; of the branch and bound: sets without one column
        compared, a branch that is left out; the end.
    iteration : int
        Steps before this one.
    subset : tuple of int
        The columns in the set after the step.
    value : float
        Its score.
    candidates : tuple of tuple of int
        The sets that were compared.
    values : tuple of float
        Their scores.
    moved : int or None
        The column that was added or removed.
    n_evaluated : int
        How many sets have been scored so far.
    best : tuple of tuple of int
        Of the branch and bound: the best set so far of each size, from the smallest; of other
        searches empty.
    bound : float
        On "cut": the SSE of the branch's largest set, below which none of its sets can come.
    n_cut : int
        Of the branch and bound: how many sets have been left out so far.
    reason : str
        On "done": why it ended, as a sentence.
    support : ndarray of bool of shape (n_features,) or None
        On "done": which columns are chosen.
    parts : tuple of float
        What the score of the subset is made of, fold by fold; empty for a criterion.
    """

    phase: str
    iteration: int
    subset: Subset
    value: float
    candidates: tuple[Subset, ...] = ()
    values: tuple[float, ...] = ()
    moved: int | None = None
    n_evaluated: int = 0
    best: tuple[Subset, ...] = ()
    bound: float = np.nan
    n_cut: int = 0
    reason: str = ""
    support: NDArray[np.bool_] | None = None
    parts: tuple[float, ...] = ()


class Walk:
    """A set of columns and the steps that led to it."""

    def __init__(self, score: Score, subset: Subset) -> None:
        self.score, self.subset, self.iteration = score, subset, 0
        self.value = score(subset)

    def step(self, phase: str, candidates: Sequence[Subset] = (), **more: object) -> SearchStep:
        """Return the record of what was just done."""
        values = tuple(self.score(each) for each in candidates)
        self.iteration += 1
        return SearchStep(
            phase,
            self.iteration - 1,
            self.subset,
            self.value,
            tuple(candidates),
            values,
            n_evaluated=self.score.n_evaluated,
            parts=tuple(self.score.parts(self.subset).tolist()),
            **more,  # type: ignore[arg-type]
        )

    def best_of(self, candidates: Sequence[Subset]) -> tuple[Subset, float]:
        """Return the best of some sets with its goodness; of equal ones the first, or that of the first columns."""
        self.score.compare(candidates)
        values = [goodness(self.score, self.score(each)) for each in candidates]
        best = max(values)
        equals = [
            each for each, value in zip(candidates, values, strict=True) if not above(best, value)
        ]
        first = equals[0]
        if self.score.prefers_first_columns:
            first = min(each for each in equals if len(each) == len(first))
        return first, values[candidates.index(first)]

    def improves(self, good: float) -> bool:
        """Return whether a goodness is above that of the set here, by more than rounding."""
        return above(good, goodness(self.score, self.value))

    def go(self, subset: Subset, candidates: Sequence[Subset]) -> SearchStep:
        """Go to a neighbouring set, and return the step."""
        (moved,) = set(subset) ^ set(self.subset)
        phase = "add" if len(subset) > len(self.subset) else "remove"
        self.subset, self.value = subset, self.score(subset)
        return self.step(phase, candidates, moved=moved)

    def done(self, reason: str, candidates: Sequence[Subset] = ()) -> SearchStep:
        """Return the last step."""
        return self.step(
            "done", candidates, reason=reason, support=mask_of(self.subset, self.score.n_features)
        )

    def larger(self) -> list[Subset]:
        """Return the sets with one column more."""
        return [
            tuple(sorted((*self.subset, j)))
            for j in range(self.score.n_features)
            if j not in self.subset
        ]

    def smaller(self) -> list[Subset]:
        """Return the sets with one column less."""
        return [tuple(i for i in self.subset if i != j) for j in self.subset]


def above(one: float, other: float) -> bool:
    """Return whether one goodness is above another by more than rounding."""
    return one > other and (not np.isfinite(other) or one - other > ENOUGH * (1 + abs(other)))


def forward(score: Score, k: int | None) -> Iterator[SearchStep]:
    """Yield the steps from no column upwards, to ``k`` columns or while the score improves."""
    walk = Walk(score, ())
    yield walk.step("start")
    while len(walk.subset) < (score.n_features if k is None else k):
        candidates = walk.larger()
        best, good = walk.best_of(candidates)
        if k is None and not walk.improves(good):
            yield walk.done("No column improves the score any more.", candidates)
            return
        yield walk.go(best, candidates)
    yield walk.done(_wanted(score, walk.subset, k))


def backward(score: Score, k: int | None) -> Iterator[SearchStep]:
    """Yield the steps from all columns downwards, to ``k`` columns or while the score improves."""
    walk = Walk(score, tuple(range(score.n_features)))
    yield walk.step("start")
    while len(walk.subset) > (0 if k is None else k):
        candidates = walk.smaller()
        best, good = walk.best_of(candidates)
        if k is None and np.isfinite(goodness(score, walk.value)) and not walk.improves(good):
            yield walk.done("The score gets worse whichever column is removed.", candidates)
            return
        yield walk.go(best, candidates)
    yield walk.done(_wanted(score, walk.subset, k))


def bidirectional(score: Score, k: int | None) -> Iterator[SearchStep]:
    """Yield the steps to the best neighbour while the score improves; with ``k``, those of the floating search."""
    walk = Walk(score, ())
    yield walk.step("start")
    if k is not None:
        yield from _floating(walk, k)
        return
    while True:
        candidates = walk.larger() + walk.smaller()
        best, good = walk.best_of(candidates)
        if not walk.improves(good):
            break
        yield walk.go(best, candidates)
    yield walk.done("No column improves the score, whether it is added or removed.", candidates)


def _floating(walk: Walk, k: int) -> Iterator[SearchStep]:
    """Add the best column; then remove columns as long as the set is the best of its size so far (Pudil et al.)."""
    score = walk.score
    best_sets: dict[int, Subset] = {0: ()}
    while len(walk.subset) < k:
        candidates = walk.larger()
        yield walk.go(walk.best_of(candidates)[0], candidates)
        size = len(walk.subset)
        if size not in best_sets or not walk.improves(goodness(score, score(best_sets[size]))):
            best_sets[size] = walk.subset
        while len(walk.subset) > 2:
            candidates = walk.smaller()
            best, good = walk.best_of(candidates)
            if not above(good, goodness(score, score(best_sets[len(best)]))):
                break
            best_sets[len(best)] = best
            yield walk.go(best, candidates)
    walk.subset, walk.value = best_sets[k], score(best_sets[k])
    yield walk.done(_wanted(score, walk.subset, k))


def _wanted(score: Score, subset: Subset, k: int | None) -> str:
    n = len(subset)
    if k is not None:
        return (
            f"The set has the {n} columns that were asked for."
            if n != 1
            else "The set has the one column asked for."
        )
    return "All columns are in the set." if n else "No column is left in the set."
