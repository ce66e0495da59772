"""k-medoids in words and numbers: candidates, what a change is made of, and sums by cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dmlib.clustering.kmedoids.clara import CLARAStep
from dmlib.clustering.kmedoids.medoids import Indices, distances_between
from dmlib.clustering.kmedoids.mixed import Gower
from dmlib.clustering.kmedoids.search import Candidate, KMedoidsStep
from dmlib.pictures.ledger import (
    Blocks,
    Formula,
    LedgerTable,
    abridged,
    class_table,
    numbered_table,
    short_table,
)
from dmlib.pictures.story import Moment
from dmlib.pictures.words import changes, count, num, num4, short
from dmlib.problem import Problem

MAX_TERMS = 6


@dataclass(frozen=True)
class Narrator:
    """Captions and ledgers of k-medoids and CLARA."""

    problem: Problem
    steps: Sequence[KMedoidsStep | CLARAStep]
    metric: Any  # as dmlib.clustering.kmedoids.mixed.measure_of returns it
    selected: int | None  # the row that the reader clicked

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: KMedoidsStep | CLARAStep = moment.step
        if isinstance(step, CLARAStep):
            caption, ledger = _sample(step, moment.before)
        elif step.phase == "evaluate":
            following = self.steps[min(moment.index + 1, len(self.steps) - 1)]
            caption, ledger = self._evaluate(step, cast(KMedoidsStep, following))
        else:
            build = {
                "build": self._build,
                "swap": self._swap,
                "assign": self._assign,
                "update": self._update,
                "done": self._done,
            }[step.phase]
            caption, ledger = build(step, moment.before)
        return caption, [*self._selected_row(step), *ledger, *self._sums(step)]

    def _name(self, row: int) -> str:
        return f"row {self.problem.rows[row] + 1}"

    def _numbers(self, rows: Sequence[int] | Indices) -> list[int]:
        numbers: list[int] = (self.problem.rows[np.asarray(rows, np.intp)] + 1).tolist()
        return numbers

    def _sums(self, step: KMedoidsStep | CLARAStep) -> Blocks:
        """Return the sum of distances of each cluster, and the total deviation as their sum."""
        k = len(step.medoids)
        sizes = np.bincount(step.labels, minlength=k).tolist()
        sums = np.bincount(step.labels, step.distances, minlength=k).tolist()
        rows = list(zip(self._numbers(step.medoids), sizes, sums, strict=True))
        terms = abridged([f"{part:.5g}" for part in sums], MAX_TERMS)
        return [
            class_table(("medoid (row)", "rows", "Σ d"), rows, "Clusters"),
            Formula(f"TD = {terms} = {num(step.distances.sum())}"),
        ]

    def _selected_row(self, step: KMedoidsStep | CLARAStep) -> Blocks:
        """Return the distances of the selected row to all medoids, that to its own emphasised."""
        if self.selected is None:
            return []
        X, label = self.problem.X, int(step.labels[self.selected])
        distances = distances_between(X[[self.selected]], X[step.medoids], self.metric)[0]
        rows = list(zip(self._numbers(step.medoids), distances.tolist(), strict=True))
        title = self._name(self.selected).capitalize()
        table = class_table(("medoid (row)", "distance"), rows, title, [label])
        return [table, *self._gower(self.selected, int(step.medoids[label]))]

    def _gower(self, row: int, medoid: int) -> Blocks:
        """Write Gower's distance of a row to its medoid out, column by column."""
        if not isinstance(self.metric, Gower):
            return []
        a, b = self.problem.X[row], self.problem.X[medoid]
        terms = [float(self.metric.terms(a[j], b[j], j)) for j in range(len(a))]
        rows = [
            (feature, self.problem.value(j, a[j]), self.problem.value(j, b[j]), terms[j])
            for j, feature in enumerate(self.problem.features)
        ]
        head = ("column", "row", "medoid", "adds")
        total = f"({abridged([num4(term) for term in terms], MAX_TERMS)}) / {len(rows)}"
        return [
            short_table(head, rows, "Gower: |difference| / range, or 0 and 1 for names"),
            Formula(f"d = {total} = {num(sum(terms) / len(rows))}"),
        ]

    def _build(self, step: KMedoidsStep, before: KMedoidsStep) -> tuple[str, Blocks]:
        n, row = len(step.medoids), self._name(step.medoids[-1])
        if step.chosen is None:
            result = f"the total deviation is {num4(step.total)}"
            if n > 1:
                result = changes("the total deviation", before.total, step.total)
            return f"Medoid {n} starts at {row}; {result}.", []
        effect = "Σ d to all rows" if n == 1 else "change of TD"
        numbers = self._numbers([candidate.row for candidate in step.candidates])
        rows = list(zip(numbers, _changes(step.candidates), strict=True))
        table = numbered_table(("row", effect), rows, f"Candidates ({_extent(step)})", [0])
        if n == 1:
            sums = f"its distances to all rows have the smallest sum, {num4(step.total)}"
            return f"Medoid 1 is {row}: {sums}.", [table]
        effect = f"as a further medoid it lowers the total deviation most, to {num4(step.total)}"
        return f"Medoid {n} is {row}: {effect}.", [table, _balance(before, step)]

    def _swaps(self, step: KMedoidsStep, medoids: Indices) -> LedgerTable:
        """Return the best swaps of a step; ``medoids`` are those before it."""
        numbers = self._numbers([swap.row for swap in step.candidates])
        replaced = self._numbers(medoids[[swap.out for swap in step.candidates]])
        rows = list(zip(numbers, replaced, _changes(step.candidates), strict=True))
        best = [0] if step.phase == "swap" or step.candidates[0].change < 0 else []
        head = ("row", "replaces medoid (row)", "change of TD")
        return numbered_table(head, rows, f"Swaps ({_extent(step)})", best)

    def _evaluate(self, step: KMedoidsStep, following: KMedoidsStep) -> tuple[str, Blocks]:
        """Return the best swaps; ``following`` is the step that makes the best one."""
        if not step.candidates:
            return "Every row is a medoid, so there is no swap.", []
        best, swaps = step.candidates[0], count(step.n_candidates, "swap", "swaps")
        swap = f"{self._name(best.row)} for {self._name(step.medoids[best.out])}"
        table, change = self._swaps(step, step.medoids), num4(best.change)
        if following.phase != "swap":
            result = f"none lowers the total deviation; the best, {swap}, changes it by {change}"
            return f"Evaluate {swaps}: {result}.", [table]
        result = f"the best, {swap}, changes the total deviation by {change}"
        return f"Evaluate {swaps}: {result}.", [table, _balance(step, following)]

    def _swap(self, step: KMedoidsStep, before: KMedoidsStep) -> tuple[str, Blocks]:
        slot = cast(Candidate, step.chosen).out
        new, old = self._name(step.medoids[slot]), self._name(cast(Indices, step.before)[0])
        ledger: Blocks = [self._swaps(step, before.medoids)] if step.candidates else []
        caption = f"Swap: {new} replaces {old} as medoid {slot + 1}; {_change(before, step)}."
        return caption, [*ledger, _balance(before, step)]

    def _assign(self, step: KMedoidsStep, before: KMedoidsStep) -> tuple[str, Blocks]:
        if step.iteration == 1:
            total = f"the total deviation is {num4(step.total)}"
            return f"Assign: every row joins its nearest medoid; {total}.", []
        rows = count(step.n_changed, "row changes its cluster", "rows change their cluster")
        return f"Assign: {rows}; {_change(before, step)}.", [_balance(before, step)]

    def _update(self, step: KMedoidsStep, before: KMedoidsStep) -> tuple[str, Blocks]:
        old = cast(Indices, step.before)
        sums = (
            np.bincount(step.labels, distances, minlength=len(old)).tolist()
            for distances in (before.distances, step.distances)
        )
        rows = list(zip(self._numbers(old), self._numbers(step.medoids), *sums, strict=True))
        table = class_table(("from row", "to row", "Σ d before", "Σ d after"), rows, "Medoids")
        medoids = count(int((old != step.medoids).sum()), "medoid moves", "medoids move")
        best = "the row with the smallest sum of distances in the cluster"
        return f"Update: {medoids} to {best}; {_change(before, step)}.", [table]

    def _done(self, step: KMedoidsStep, before: KMedoidsStep) -> tuple[str, Blocks]:
        n = count(step.iteration, "iteration", "iterations")
        return f"Done after {n}: total deviation {num4(step.total)}. {step.reason}", []


def _extent(step: KMedoidsStep) -> str:
    return f"the first {len(step.candidates)} of {step.n_candidates}"


def _changes(candidates: Sequence[Candidate]) -> list[float]:
    return [candidate.change for candidate in candidates]


def _balance(before: KMedoidsStep, step: KMedoidsStep) -> Formula:
    """Write a change of the total deviation as gains of rows minus losses of others."""
    change: NDArray[np.float64] = step.distances - before.distances
    nearer, farther = change[change < 0], change[change > 0]
    parts = []
    if nearer.size:
        rows = count(nearer.size, "row comes", "rows come")
        parts.append(f"{num(nearer.sum())} ({rows} nearer)")
    if farther.size:
        rows = count(farther.size, "row gets", "rows get")
        parts.append(f"{num(farther.sum())} ({rows} farther)")
    return Formula(f"Change of TD = {' + '.join(parts) or '0'} = {num(change.sum())}")


def _change(before: KMedoidsStep, step: KMedoidsStep) -> str:
    return changes("the total deviation", short(before.total), short(step.total))


def _sample(step: CLARAStep, before: CLARAStep) -> tuple[str, Blocks]:
    """Return the caption and the means of a sample of CLARA, or of its end."""
    total = num4(step.total)
    if step.phase == "done":
        samples = count(step.iteration, "sample", "samples")
        best = f"the medoids with the smallest total deviation, {total}, are kept"
        return f"Done after {samples}: {best}.", []
    n, size = len(step.labels), len(step.sample)
    rank = "the best so far" if step.total < before.best else "not better"
    if step.iteration == 1:
        rank = "the first"
    deviation = f"its medoids have the total deviation {total} over all {n} rows, {rank}"
    rows = count(size, "row", "rows")
    return f"Sample {step.iteration}: PAM on {rows}; {deviation}.", [
        _mean("Mean distance in the sample", step.sample_total, size),
        _mean("Mean distance of all rows", step.total, n),
    ]


def _mean(name: str, total: float, n: int) -> Formula:
    return Formula(f"{name}: {num(total)} / {n} = {num(total / n)}")
