"""Greedy searches among the sets of columns, and the steps that all searches make."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dmlib.feature_selection.scores import Score, Subset, goodness
from dmlib.feature_selection.selector import mask_of

MIN_GAIN = 1e-12  # of the score: a smaller gain is rounding error
Phase = Literal[
    "start", "add", "remove", "change", "accept", "reject", "generation", "branch", "cut", "done"
]


@dataclass(frozen=True)
class Child:
    """A set of columns that a genetic search makes of two others.

    Attributes
    ----------
    parents : tuple of tuple of int
        The two sets.
    cut : int
        How many of all columns are as in the first parent; the others are as in the second.
    mutated : tuple of int
        The columns that were then added or removed by chance.
    repaired : tuple of int
        The columns that were added or removed for a given size.
    subset : tuple of int
        The set.
    """

    parents: tuple[Subset, Subset]
    cut: int
    mutated: Subset
    repaired: Subset
    subset: Subset


@dataclass(frozen=True)
class SearchStep:
    """One step of a search.

    Attributes
    ----------
    phase : {"start", "add", "remove", "change", "accept", "reject", "generation", "branch", \
            "cut", "done"}
        The first set; a column added or removed; several at once; of simulated annealing: a
        proposal taken or not; of a genetic search: the next generation; of the branch and bound:
        sets without one column compared, a branch that is left out; the end.
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
    moved : tuple of int
        The columns that were added or removed; on "reject", that would have been.
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
    temperature : float
        Of simulated annealing: the temperature of the step.
    chance, draw : float
        The probability with which the proposal is accepted, and the number drawn from [0, 1): it is
        accepted if that is below.
    incumbent : tuple of int or None
        Of simulated annealing: the best set so far.
    children : tuple of Child
        On "generation", and on "done" of the last one: how each set but the first, which stayed,
        came about.
    """

    phase: Phase
    iteration: int
    subset: Subset
    value: float
    candidates: tuple[Subset, ...] = ()
    values: tuple[float, ...] = ()
    moved: Subset = ()
    n_evaluated: int = 0
    best: tuple[Subset, ...] = ()
    bound: float = np.nan
    n_cut: int = 0
    reason: str = ""
    support: NDArray[np.bool_] | None = None
    parts: tuple[float, ...] = ()
    temperature: float = np.nan
    chance: float = np.nan
    draw: float = np.nan
    incumbent: Subset | None = None
    children: tuple[Child, ...] = ()

    @property
    def has_population(self) -> bool:
        """Whether the sets compared are a generation of a genetic search."""
        is_drawn = self.phase == "start" and bool(self.candidates) and self.incumbent is None
        return is_drawn or bool(self.children)


class CurrentSet:
    """A set of columns and the steps that led to it."""

    def __init__(self, score: Score, subset: Subset) -> None:
        self.score, self.subset, self.iteration = score, subset, 0
        self.value = score(subset)

    def step(self, phase: Phase, candidates: Sequence[Subset] = (), **fields: object) -> SearchStep:
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
            **fields,  # type: ignore[arg-type]
        )

    def best_of(self, candidates: Sequence[Subset]) -> tuple[Subset, float]:
        """Return the best of some sets with its goodness.

        Of equal ones it is the first, or, as the score prefers, that of the first columns.
        """
        self.score.compare(candidates)
        values = [goodness(self.score, self.score(each)) for each in candidates]
        best, pairs = max(values), zip(candidates, values, strict=True)
        equals = [each for each, value in pairs if not is_above(best, value)]
        first = equals[0]
        if self.score.prefers_first_columns:
            first = min(each for each in equals if len(each) == len(first))
        return first, values[candidates.index(first)]

    def improves(self, good: float) -> bool:
        """Return whether a goodness is above that of the set here, by more than rounding."""
        return is_above(good, goodness(self.score, self.value))

    def is_better(self, a: Subset, b: Subset) -> bool:
        """Return whether a set is better than another, by more than rounding."""
        return is_above(*(goodness(self.score, self.score(each)) for each in (a, b)))

    def move_to(
        self,
        subset: Subset,
        candidates: Sequence[Subset],
        phase: Phase | None = None,
        **fields: object,
    ) -> SearchStep:
        """Go to another set, and return the step: by default a column is added or removed."""
        moved = tuple(sorted({*subset} ^ {*self.subset}))
        if phase is None:
            phase = "add" if len(subset) > len(self.subset) else "remove"
        self.subset, self.value = subset, self.score(subset)
        return self.step(phase, candidates, moved=moved, **fields)

    def end(self, reason: str, candidates: Sequence[Subset] = (), **fields: object) -> SearchStep:
        """Return the last step."""
        support = mask_of(self.subset, self.score.n_features)
        return self.step("done", candidates, reason=reason, support=support, **fields)

    def larger_sets(self) -> list[Subset]:
        """Return the sets with one column more."""
        candidates = [j for j in range(self.score.n_features) if j not in self.subset]
        return [tuple(sorted((*self.subset, j))) for j in candidates]

    def smaller_sets(self) -> list[Subset]:
        """Return the sets with one column less."""
        return [tuple(i for i in self.subset if i != j) for j in self.subset]


def is_above(a: float, b: float) -> bool:
    """Return whether one goodness is above another by more than rounding.

    Examples
    --------
    >>> is_above(2.0, 1.0), is_above(1.0 + 1e-14, 1.0), is_above(1.0, -np.inf)
    (True, False, True)
    """
    return a > b and (not np.isfinite(b) or a - b > MIN_GAIN * (1 + abs(b)))


def forward(score: Score, k: int | None) -> Iterator[SearchStep]:
    """Yield the steps from no column upwards, to ``k`` columns or while the score improves."""
    current = CurrentSet(score, ())
    yield current.step("start")
    while len(current.subset) < (score.n_features if k is None else k):
        candidates = current.larger_sets()
        best, good = current.best_of(candidates)
        if k is None and not current.improves(good):
            yield current.end("No column improves the score any more.", candidates)
            return
        yield current.move_to(best, candidates)
    yield current.end(_size_reason(score, current.subset, k))


def backward(score: Score, k: int | None) -> Iterator[SearchStep]:
    """Yield the steps from all columns downwards, to ``k`` columns or while the score improves."""
    current = CurrentSet(score, tuple(range(score.n_features)))
    yield current.step("start")
    while len(current.subset) > (0 if k is None else k):
        candidates = current.smaller_sets()
        best, good = current.best_of(candidates)
        if k is None and np.isfinite(goodness(score, current.value)) and not current.improves(good):
            yield current.end("The score gets worse whichever column is removed.", candidates)
            return
        yield current.move_to(best, candidates)
    yield current.end(_size_reason(score, current.subset, k))


def bidirectional(score: Score, k: int | None) -> Iterator[SearchStep]:
    """Yield the steps to the best neighbour while the score improves.

    With ``k`` they are those of the floating search.
    """
    current = CurrentSet(score, ())
    yield current.step("start")
    if k is not None:
        yield from _floating(current, k)
        return
    while True:
        candidates = current.larger_sets() + current.smaller_sets()
        best, good = current.best_of(candidates)
        if not current.improves(good):
            break
        yield current.move_to(best, candidates)
    yield current.end("No column improves the score, whether it is added or removed.", candidates)


def _floating(current: CurrentSet, k: int) -> Iterator[SearchStep]:
    """Yield the steps of the floating search (Pudil et al.).

    The best column is added; then columns are removed as long as the set is the best of its size so
    far.
    """
    score = current.score
    best_sets: dict[int, Subset] = {0: ()}
    while len(current.subset) < k:
        candidates = current.larger_sets()
        yield current.move_to(current.best_of(candidates)[0], candidates)
        size = len(current.subset)
        if size not in best_sets or not current.improves(goodness(score, score(best_sets[size]))):
            best_sets[size] = current.subset
        while len(current.subset) > 2:
            candidates = current.smaller_sets()
            best, good = current.best_of(candidates)
            if not is_above(good, goodness(score, score(best_sets[len(best)]))):
                break
            best_sets[len(best)] = best
            yield current.move_to(best, candidates)
    current.subset, current.value = best_sets[k], score(best_sets[k])
    yield current.end(_size_reason(score, current.subset, k))


def _size_reason(score: Score, subset: Subset, k: int | None) -> str:
    n = len(subset)
    if k is None:
        return "All columns are in the set." if n else "No column is left in the set."
    if n == 1:
        return "The set has the one column asked for."
    return f"The set has the {n} columns that were asked for."
