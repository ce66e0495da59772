"""k-medoids in words and numbers: candidates, what a change is made of, and sums by cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.clustering.kmedoids.clara import CLARAStep
from dmlib.clustering.kmedoids.medoids import distances_between
from dmlib.clustering.kmedoids.mixed import Gower
from dmlib.clustering.kmedoids.search import KMedoidsStep
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


def name(problem: Problem, row: int) -> str:
    """Return what a row is called: its number from 1."""
    return f"row {problem.rows[row] + 1}"


def cluster_sums(
    problem: Problem, medoids: NDArray[Any], labels: NDArray[Any], distances: NDArray[Any]
) -> Blocks:
    """Return the sum of distances of each cluster, and the total deviation as their sum."""
    sizes = np.bincount(labels, minlength=len(medoids))
    sums = np.bincount(labels, distances, minlength=len(medoids))
    rows = [
        (int(problem.rows[m]) + 1, int(n), float(s))
        for m, n, s in zip(medoids, sizes, sums, strict=True)
    ]
    terms = abridged([f"{part:.5g}" for part in sums], MAX_TERMS)
    return [
        class_table(("medoid (row)", "rows", "Σ d"), rows, "Clusters"),
        Formula(f"TD = {terms} = {num(distances.sum())}"),
    ]


def selected_row(
    problem: Problem, medoids: NDArray[Any], label: int, metric: Any, selected: int | None
) -> Blocks:
    """Return the distances of the selected row to all medoids, that to its own emphasised."""
    if selected is None:
        return []
    distances = distances_between(problem.X[[selected]], problem.X[medoids], metric)[0]
    rows = [(int(problem.rows[m]) + 1, float(d)) for m, d in zip(medoids, distances, strict=True)]
    table = class_table(
        ("medoid (row)", "distance"), rows, name(problem, selected).capitalize(), [label]
    )
    return [table, *_gower(problem, int(medoids[label]), metric, selected)]


def _gower(problem: Problem, medoid: int, metric: Any, selected: int) -> Blocks:
    """Write Gower's distance of the selected row to its medoid out, column by column."""
    if not isinstance(metric, Gower):
        return []
    a, b = problem.X[selected], problem.X[medoid]
    terms = [float(metric.terms(a[j], b[j], j)) for j in range(len(a))]
    rows = [
        (feature, problem.value(j, a[j]), problem.value(j, b[j]), terms[j])
        for j, feature in enumerate(problem.features)
    ]
    head = ("column", "row", "medoid", "adds")
    total = f"({abridged([num4(term) for term in terms], MAX_TERMS)}) / {len(rows)}"
    return [
        short_table(head, rows, "Gower: |difference| / range, or 0 and 1 for names"),
        Formula(f"d = {total} = {num(sum(terms) / len(rows))}"),
    ]


def balance(before: NDArray[Any], after: NDArray[Any]) -> Formula:
    """Write a change of the total deviation as gains of rows minus losses of others."""
    change = after - before
    nearer, farther = change[change < 0], change[change > 0]
    parts = []
    if nearer.size:
        rows = count(nearer.size, "row comes", "rows come")
        parts.append(f"{num(nearer.sum())} ({rows} nearer)")
    if farther.size:
        rows = count(farther.size, "row gets", "rows get")
        parts.append(f"{num(farther.sum())} ({rows} farther)")
    return Formula(f"Change of TD = {' + '.join(parts) or '0'} = {num(change.sum())}")


def candidate_table(problem: Problem, step: KMedoidsStep, medoids: NDArray[Any]) -> LedgerTable:
    """Return the best candidates of a step; ``medoids`` are those before it."""
    extent = f"the first {len(step.candidates)} of {step.n_candidates}"
    if step.phase == "build":
        effect = "Σ d to all rows" if len(step.medoids) == 1 else "change of TD"
        candidates = [(int(problem.rows[c.row]) + 1, c.change) for c in step.candidates]
        return numbered_table(("row", effect), candidates, f"Candidates ({extent})", [0])
    swaps = [
        (int(problem.rows[c.row]) + 1, int(problem.rows[medoids[c.out]]) + 1, c.change)
        for c in step.candidates
    ]
    best = [0] if swaps and (step.phase == "swap" or step.candidates[0].change < 0) else []
    head = ("row", "replaces medoid (row)", "change of TD")
    return numbered_table(head, swaps, f"Swaps ({extent})", best)


@dataclass(frozen=True)
class Narrator:
    """Captions and ledgers of k-medoids and CLARA.

    Attributes
    ----------
    problem : Problem
        The data.
    steps : sequence of KMedoidsStep or of CLARAStep
        The run.
    metric : object
        The metric, as :func:`dmlib.clustering.kmedoids.mixed.measure_of` returns it.
    selected : int or None
        The row that the reader clicked.
    """

    problem: Problem
    steps: Sequence[KMedoidsStep | CLARAStep]
    metric: Any
    selected: int | None

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step = moment.step
        label = 0 if self.selected is None else int(step.labels[self.selected])
        selected = selected_row(self.problem, step.medoids, label, self.metric, self.selected)
        caption, ledger = self._step(moment)
        sums = cluster_sums(self.problem, step.medoids, step.labels, step.distances)
        return caption, [*selected, *ledger, *sums]

    def _step(self, moment: Moment) -> tuple[str, Blocks]:
        if isinstance(moment.step, CLARAStep):
            return _sample(moment.step, moment.before)
        if moment.step.phase == "evaluate":
            following: Any = self.steps[min(moment.index + 1, len(self.steps) - 1)]
            return _evaluate(self.problem, moment.step, following)
        build = {
            "build": _build,
            "swap": _swap,
            "assign": _assign,
            "update": _update,
            "done": _done,
        }[moment.step.phase]
        return build(self.problem, moment.step, moment.before)


def _build(problem: Problem, step: KMedoidsStep, before: KMedoidsStep) -> tuple[str, Blocks]:
    n, row = len(step.medoids), name(problem, step.medoids[-1])
    total = f"the total deviation is {num4(step.total)}"
    if step.chosen is None:
        change = changes("the total deviation", before.total, step.total)
        return f"Medoid {n} starts at {row}; {total if n == 1 else change}.", []
    table: Blocks = [candidate_table(problem, step, step.medoids)]
    if n == 1:
        sums = f"its distances to all rows have the smallest sum, {num4(step.total)}"
        return f"Medoid 1 is {row}: {sums}.", table
    effect = f"as a further medoid it lowers the total deviation most, to {num4(step.total)}"
    return f"Medoid {n} is {row}: {effect}.", [*table, balance(before.distances, step.distances)]


def _evaluate(problem: Problem, step: KMedoidsStep, following: KMedoidsStep) -> tuple[str, Blocks]:
    """Return the best swaps; ``following`` is the step that makes the best one."""
    if not step.candidates:
        return "Every row is a medoid, so there is no swap.", []
    best, swaps = step.candidates[0], count(step.n_candidates, "swap", "swaps")
    swap = f"{name(problem, best.row)} for {name(problem, step.medoids[best.out])}"
    table: Blocks = [candidate_table(problem, step, step.medoids)]
    change = num4(best.change)
    if following.phase != "swap":
        result = f"none lowers the total deviation; the best, {swap}, changes it by {change}"
        return f"Evaluate {swaps}: {result}.", table
    table.append(balance(step.distances, following.distances))
    return f"Evaluate {swaps}: the best, {swap}, changes the total deviation by {change}.", table


def _swap(problem: Problem, step: KMedoidsStep, before: KMedoidsStep) -> tuple[str, Blocks]:
    slot = -1 if step.chosen is None else step.chosen.out
    new, old = name(problem, step.medoids[slot]), name(problem, int(np.asarray(step.before)[0]))
    ledger: Blocks = [candidate_table(problem, step, before.medoids)] if step.candidates else []
    ledger.append(balance(before.distances, step.distances))
    return f"Swap: {new} replaces {old} as medoid {slot + 1}; {_change(step, before)}.", ledger


def _change(step: KMedoidsStep, before: KMedoidsStep) -> str:
    return changes("the total deviation", short(before.total), short(step.total))


def _assign(problem: Problem, step: KMedoidsStep, before: KMedoidsStep) -> tuple[str, Blocks]:
    if step.iteration == 1:
        total = f"the total deviation is {num4(step.total)}"
        return f"Assign: every row joins its nearest medoid; {total}.", []
    rows = count(step.n_changed, "row changes its cluster", "rows change their cluster")
    ledger: Blocks = [balance(before.distances, step.distances)]
    return f"Assign: {rows}; {_change(step, before)}.", ledger


def _update(problem: Problem, step: KMedoidsStep, before: KMedoidsStep) -> tuple[str, Blocks]:
    old = np.asarray(step.before)
    sums = (
        np.bincount(step.labels, distances, minlength=len(old)).tolist()
        for distances in (before.distances, step.distances)
    )
    numbers = ((problem.rows[medoids] + 1).tolist() for medoids in (old, step.medoids))
    rows = list(zip(*numbers, *sums, strict=True))
    head = ("from row", "to row", "Σ d before", "Σ d after")
    medoids = count(int((old != step.medoids).sum()), "medoid moves", "medoids move")
    best = "the row with the smallest sum of distances in the cluster"
    caption = f"Update: {medoids} to {best}; {_change(step, before)}."
    return caption, [class_table(head, rows, "Medoids")]


def _done(problem: Problem, step: KMedoidsStep, before: KMedoidsStep) -> tuple[str, Blocks]:
    n = count(step.iteration, "iteration", "iterations")
    return f"Done after {n}: total deviation {num4(step.total)}. {step.reason}", []


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
