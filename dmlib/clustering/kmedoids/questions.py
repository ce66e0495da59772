"""Questions about k-medoids: which row becomes a medoid, and what a swap changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.clustering.kmedoids.algorithm import KMedoids
from dmlib.clustering.kmedoids.medoids import distances_between
from dmlib.clustering.kmedoids.mixed import measure_of
from dmlib.clustering.kmedoids.search import Candidate, KMedoidsStep
from dmlib.pictures.answers import Pick, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4
from dmlib.problem import Problem

MAX_STEPS = 60  # that are asked about
MAX_ROWS = 500  # in the picture: among more, nobody finds a row
TIE = "Several rows do equally well: the run takes the first of them."


class Rule(Misconception):
    """Wrong rules of k-medoids."""

    MEAN = "The new medoid is the row nearest to the mean of the cluster."
    FARTHEST = "The new medoid is the row that is farthest from the medoids so far."
    INHERIT = "The new medoid takes over exactly the rows of the medoid that it replaces."
    SQUARES = "The total deviation adds squared distances."


def questions(run: Run[Problem, KMedoids]) -> Iterator[Question]:
    """Yield the questions that the steps of k-medoids answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.clustering.KMedoids`.

    Yields
    ------
    Question
        Before builds, evaluations of swaps, swaps, assignments and updates; none of "clara".

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import KMedoids
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 9.0, 10.0, 14.0], "b": [0.0] * 6})
    >>> asked = questions(Run.of(prepare(frame, ["a", "b"]), KMedoids(2)))
    >>> [question.topic for question in asked]
    ['build', 'best swap', 'swap']
    """
    problem, steps = run.problem, run.trace.steps
    if run.model.method == "clara" or not 2 < len(problem.X) <= MAX_ROWS:
        return
    measure = measure_of(run.model.metric, problem.X, problem.categories)
    D = distances_between(problem.X, problem.X, measure)
    for number in range(1, min(len(steps), MAX_STEPS)):
        step, before = steps[number], steps[number - 1]
        asker = _Asker(problem, D, measure, number, step, before)
        if step.phase == "build" and step.chosen is not None:
            yield asker.build()
        elif step.phase == "evaluate":
            yield from asker.evaluate()
        elif step.phase == "swap":
            yield asker.members()
        elif step.phase == "assign":
            yield asker.assign()
        elif step.phase == "update":
            yield from asker.update()


class _Asker:
    """The questions about one step."""

    def __init__(
        self,
        problem: Problem,
        D: Floats,
        measure: Any,
        number: int,
        step: KMedoidsStep,
        before: KMedoidsStep,
    ) -> None:
        self.problem, self.D, self.measure = problem, D, measure
        self.number, self.step, self.before = number, step, before

    def names(self, rows: Any) -> list[int]:
        """Return the numbers of rows as the picture has them."""
        numbers: list[int] = (self.problem.rows[np.asarray(rows, np.intp)] + 1).tolist()
        return numbers

    def name(self, row: int) -> int:
        """Return the number of a row as the picture has it."""
        return int(self.problem.rows[row]) + 1

    def build(self) -> Question:
        """Ask for the next starting medoid."""
        row, nearest = int(self.step.medoids[-1]), self.before.distances
        totals = np.minimum(nearest, self.D).sum(axis=1)
        totals[self.before.medoids] = np.inf
        best = _ties(totals, row)
        farthest = int(nearest.argmax())
        proof = f"Row {self.name(row)} lowers the total deviation most, to {num4(totals[row])}."
        if farthest not in best:
            proof += f" Row {self.name(farthest)} would leave {num4(totals[farthest])}."
        rest = np.setdiff1d(np.arange(len(self.D)), self.before.medoids)
        center = self._nearest_to_mean(rest)
        return Question(
            self.number,
            "build",
            f"Which row is built in as medoid {len(self.step.medoids)}?",
            Pick("row", [[name] for name in self.names(best)]),
            proof,
            (Wrong(Rule.FARTHEST, [self.name(farthest)]), Wrong(Rule.MEAN, [self.name(center)])),
            "The sum of all distances to the nearest medoid is to fall as far as possible.",
            TIE if len(best) > 1 else "",
        )

    def evaluate(self) -> Iterator[Question]:
        """Ask for the row of the best swap, and for a term of another one."""
        swaps = self.step.candidates
        if not swaps:
            return
        if swaps[0].change < 0:
            yield self._best_swap(swaps[0])
        terms = [(swap, *self._telling_term(swap)) for swap in swaps[1:4]]
        for swap, row, worth in sorted(terms, key=lambda term: -term[2])[:1]:
            if worth > 0:
                yield self._term(swap, row)

    def members(self) -> Question:
        """Ask which rows the new medoid gets by a swap."""
        assert self.step.chosen is not None
        slot, row = self.step.chosen.out, self.step.chosen.row
        old = int(self.before.medoids[slot])
        inherited = np.union1d(np.flatnonzero(self.before.labels == slot), [row])
        members = np.flatnonzero(self.step.labels == slot)
        return Question(
            self.number,
            "swap",
            f"Row {self.name(row)} replaces row {self.name(old)} as medoid {slot + 1}. Which rows "
            "belong to its cluster now?",
            self._cluster(members),
            self._membership(members, inherited, slot),
            (Wrong(Rule.INHERIT, self.names(inherited)),),
            "All rows look for their nearest medoid again.",
            hides=("Cells",),
            about=[self.name(row)],
        )

    def assign(self) -> Question:
        """Ask which rows change their cluster."""
        changed = np.flatnonzero(self.step.labels != self.before.labels)
        proof = "Every row is nearest to the medoid of its cluster already."
        if len(changed):
            row = int(changed[0])
            new, old = (self.step.medoids[each.labels[row]] for each in (self.step, self.before))
            proof = (
                f"Row {self.name(row)} is {num4(self.D[row, new])} from row {self.name(new)}, and "
                f"{num4(self.D[row, old])} from row {self.name(old)}."
            )
        return Question(
            self.number,
            "assignment",
            "The medoids have moved. Which rows change their cluster now?",
            Pick("row", [self.names(changed)], several=True),
            proof,
            (Wrong(Rule.INHERIT, []),),
            "For each row, compare the distances to the medoids.",
            hides=("Cells",),
        )

    def update(self) -> Iterator[Question]:
        """Ask where the medoid of the cluster moves whose mean is nearest to another row."""
        labels, asked = self.before.labels, []
        for slot, medoid in enumerate(self.step.medoids.tolist()):
            members = np.flatnonzero(labels == slot)
            if len(members) > 2:
                asked.append((self._nearest_to_mean(members) == medoid, slot))
        if not asked:
            return
        _, slot = min(asked)
        members = np.flatnonzero(labels == slot)
        sums = self.D[np.ix_(members, members)].sum(axis=0)
        medoid, old = int(self.step.medoids[slot]), int(self.before.medoids[slot])
        best = members[_ties(sums, int(np.flatnonzero(members == medoid)[0]))]
        yield Question(
            self.number,
            "update",
            f"Which row is the medoid of cluster {slot + 1} after the update?",
            Pick("row", [[name] for name in self.names(best)], self.names(members)),
            f"The distances to row {self.name(medoid)} have the smallest sum, {num4(sums.min())}.",
            (
                Wrong(Rule.MEAN, [self.name(self._nearest_to_mean(members))]),
                Wrong(Rule.FARTHEST, [self.name(int(members[self.D[old, members].argmax()]))]),
            ),
            "For each row, add the distances from the others of the cluster.",
            TIE if len(best) > 1 else "",
            about=[slot],
            of="class",
        )

    def _best_swap(self, best: Candidate) -> Question:
        medoid = int(self.step.medoids[best.out])
        same = [swap for swap in self.step.candidates if swap.out == best.out]
        limit = best.change + 1e-9 * self.step.total
        ties = [swap.row for swap in same if swap.change <= limit]
        members = np.flatnonzero(self.step.labels == best.out)
        members = np.union1d(members[members != medoid], [best.row])
        to_medoids = self.D[:, self.step.medoids].min(axis=1)
        return Question(
            self.number,
            "best swap",
            f"The best swap takes row {self.name(medoid)} out. Which row comes in as a medoid?",
            Pick("row", [[name] for name in self.names(ties)]),
            f"With row {self.name(best.row)} in its place the total deviation changes by "
            f"{num4(best.change)}, more than with any other row.",
            (
                Wrong(Rule.MEAN, [self.name(self._nearest_to_mean(members))]),
                Wrong(Rule.FARTHEST, [self.name(int(to_medoids.argmax()))]),
            ),
            "Without the old medoid, which row would shorten the most distances?",
            TIE if len(ties) > 1 else "",
            about=[self.name(medoid)],
        )

    def _parts(self, swap: Candidate) -> tuple[Floats, Floats, Floats]:
        """Return the distances of rows to their medoid, to the best that stays, to the new one."""
        staying = np.delete(self.step.medoids, swap.out)
        others = self.D[:, staying].min(axis=1, initial=np.inf)
        return self.step.distances, others, self.D[:, swap.row]

    def _telling_term(self, swap: Candidate) -> tuple[int, float]:
        """Return the row at which the wrong rules are farthest from right, and by how much."""
        now, others, new = self._parts(swap)
        change = np.minimum(others, new) - now
        inherited = np.where(self.step.labels == swap.out, new - now, 0.0)
        worth = np.where(np.abs(change) > 0, np.abs(change - inherited), 0.0)
        worth[[swap.row, self.step.medoids[swap.out]]] = 0.0
        return int(worth.argmax()), float(np.where(np.isfinite(worth), worth, 0.0).max())

    def _term(self, swap: Candidate, row: int) -> Question:
        now, others, new = (float(each[row]) for each in self._parts(swap))
        medoid = int(self.step.medoids[swap.out])
        is_member = self.step.labels[row] == swap.out
        change, near = min(others, new) - now, min(others, new)
        squares = [Wrong(Rule.SQUARES, near**2 - now**2)]
        told = f"{num4(now)} from its medoid, row {self.name(medoid)}, {num4(others)} from the"
        told += " nearest other medoid"
        if not is_member:
            told = f"{num4(now)} from its medoid, which stays,"
        return Question(
            self.number,
            "change of TD",
            f"Suppose row {self.name(swap.row)} replaces row {self.name(medoid)} as a medoid. Row "
            f"{self.name(row)} is {told} and {num4(new)} from row {self.name(swap.row)}. By how "
            "much does its part of the total deviation change?",
            Value(change, 0.01 * max(abs(change), 0.1 * now)),
            f"Its nearest medoid is then {num4(near)} away: {num4(near)} − {num4(now)} = "
            f"{num4(change)}.",
            (
                Wrong(Rule.INHERIT, new - now if is_member else 0.0),
                *([] if self.measure == "sqeuclidean" else squares),
            ),
            "After a swap, every row belongs to whichever medoid is nearest.",
            about=[self.name(row)],
        )

    def _cluster(self, members: NDArray[np.intp]) -> Pick:
        return Pick("row", [self.names(members)], several=True)

    def _membership(self, members: NDArray[np.intp], inherited: NDArray[np.intp], slot: int) -> str:
        differs = np.setxor1d(members, inherited)
        if not len(differs):
            return "The new medoid is nearest to all rows of the old one, and to no other row."
        row = int(differs[0])
        to = self.D[row, self.step.medoids]
        other = int(np.argmin(np.delete(to, slot)))
        rival = int(np.delete(self.step.medoids, slot)[other])
        return (
            f"Row {self.name(row)} is {num4(to[slot])} from row "
            f"{self.name(int(self.step.medoids[slot]))}, and {num4(np.delete(to, slot)[other])} "
            f"from row {self.name(rival)}, the nearest other medoid."
        )

    def _nearest_to_mean(self, members: NDArray[np.intp]) -> int:
        X = self.problem.X[members]
        return int(members[np.linalg.norm(X - X.mean(axis=0), axis=1).argmin()])


def _ties(totals: Floats, chosen: int) -> NDArray[np.intp]:
    """Return the row that was chosen, and those with an equally small total."""
    same = np.flatnonzero(np.isclose(totals, totals[chosen], rtol=1e-9, atol=0))
    return np.concatenate([[chosen], same[same != chosen]]).astype(np.intp)
