"""k-medoids in words and numbers: the candidates of a step, what the chosen one changes, and the sums by cluster."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.clustering.kmedoids.clara import CLARAStep
from dmlib.clustering.kmedoids.medoids import distances_between
from dmlib.clustering.kmedoids.mixed import Gower
from dmlib.clustering.kmedoids.search import Candidate, KMedoidsStep
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, class_table, few, numbered_table, short_table
from dmlib.pictures.scene import Frame
from dmlib.pictures.words import changes, count, num, num4, short
from dmlib.problem import Problem

MOST_TERMS = 6


def name(problem: Problem, row: int) -> str:
    """Return what a row is called: its number from 1."""
    return f"row {problem.rows[row] + 1}"


def cluster_sums(problem: Problem, medoids: NDArray[Any], labels: NDArray[Any], distances: NDArray[Any]) -> Blocks:
    """Return the sum of distances of each cluster, and the total deviation as their sum."""
    sizes = np.bincount(labels, minlength=len(medoids))
    sums = np.bincount(labels, distances, minlength=len(medoids))
    rows = [(int(problem.rows[m]) + 1, int(n), float(s)) for m, n, s in zip(medoids, sizes, sums, strict=True)]
    terms = few([f"{part:.5g}" for part in sums], MOST_TERMS)
    return [
        class_table(("medoid (row)", "rows", "Σ d"), rows, "Clusters"),
        Formula(f"TD = {terms} = {num(distances.sum())}"),
    ]


def selected_row(problem: Problem, medoids: NDArray[Any], label: int, metric: Any, selected: int | None) -> Blocks:
    """Return the distances of the selected row to all medoids, that to its own emphasised."""
    if selected is None:
        return []
    distances = distances_between(problem.X[[selected]], problem.X[medoids], metric)[0]
    rows = [(int(problem.rows[m]) + 1, float(d)) for m, d in zip(medoids, distances, strict=True)]
    table = class_table(("medoid (row)", "distance"), rows, name(problem, selected).capitalize(), [label])
    return [table, *_gower(problem, int(medoids[label]), metric, selected)]


def _gower(problem: Problem, medoid: int, metric: Any, selected: int) -> Blocks:
    """Write Gower's distance of the selected row to its medoid out, column by column."""
    if not isinstance(metric, Gower):
        return []
    a, b = problem.X[selected], problem.X[medoid]
    rows = [
        (feature, problem.value(j, a[j]), problem.value(j, b[j]), float(metric.terms(a[j], b[j], j)))
        for j, feature in enumerate(problem.features)
    ]
    terms = [num4(row[-1]) for row in rows]
    total = num(sum(row[-1] for row in rows) / len(rows))
    return [
        short_table(("column", "row", "medoid", "adds"), rows, "Gower: |difference| / range, or 0 and 1 for names"),
        Formula(f"d = ({few(terms, MOST_TERMS)}) / {len(rows)} = {total}"),
    ]


def balance(before: NDArray[Any], after: NDArray[Any]) -> Formula:
    """Write a change of the total deviation as what rows gain that come nearer to a medoid, and what others lose."""
    change = after - before
    nearer, farther = change[change < 0], change[change > 0]
    parts = []
    if nearer.size:
        parts.append(f"{num(nearer.sum())} ({count(nearer.size, 'row comes', 'rows come')} nearer)")
    if farther.size:
        parts.append(f"{num(farther.sum())} ({count(farther.size, 'row gets', 'rows get')} farther)")
    return Formula(f"Change of TD = {' + '.join(parts) or '0'} = {num(change.sum())}")


def candidate_table(problem: Problem, step: KMedoidsStep, medoids: NDArray[Any]) -> LedgerTable:
    """Return the best candidates of a step; ``medoids`` are those before it."""
    some = f"the first {len(step.candidates)} of {step.n_candidates}"
    if step.phase == "build":
        head: tuple[str, ...] = ("row", "change of TD")
        rows: list[tuple[Any, ...]] = [(int(problem.rows[c.row]) + 1, c.change) for c in step.candidates]
        if len(step.medoids) == 1:
            head = ("row", "Σ d to all rows")
        return numbered_table(head, rows, f"Candidates ({some})", [0])
    rows = [(int(problem.rows[c.row]) + 1, int(problem.rows[medoids[c.out]]) + 1, c.change) for c in step.candidates]
    best = [0] if rows and (step.phase == "swap" or step.candidates[0].change < 0) else []
    return numbered_table(("row", "replaces medoid (row)", "change of TD"), rows, f"Swaps ({some})", best)


def medoids_frame(problem: Problem, steps: Sequence[KMedoidsStep], i: int, metric: Any, selected: int | None) -> Frame:
    """Return the frame of step ``i``."""
    step, before = steps[i], steps[max(i - 1, 0)]
    tell = {"build": _build, "evaluate": _evaluate, "swap": _swap, "assign": _assign, "update": _update, "done": _done}
    after = steps[min(i + 1, len(steps) - 1)] if step.phase == "evaluate" else before
    caption, ledger = tell[step.phase](problem, step, after)
    label = 0 if selected is None else int(step.labels[selected])
    mine = selected_row(problem, step.medoids, label, metric, selected)
    sums = cluster_sums(problem, step.medoids, step.labels, step.distances)
    return Frame(caption, [*mine, *ledger, *sums], step.phase)


def _build(problem: Problem, step: KMedoidsStep, before: KMedoidsStep) -> tuple[str, Blocks]:
    n, row = len(step.medoids), name(problem, step.medoids[-1])
    falls = changes("the total deviation", before.total, step.total)
    if step.chosen is None:
        told = f"is {num4(step.total)}" if n == 1 else falls.removeprefix("the total deviation ")
        return f"Medoid {n} starts at {row}; the total deviation {told}.", []
    table: Blocks = [candidate_table(problem, step, step.medoids)]
    if n == 1:
        return f"Medoid 1 is {row}: its distances to all rows have the smallest sum, {num4(step.total)}.", table
    return f"Medoid {n} is {row}: as a further medoid it lowers the total deviation most, to {_tenth(step)}.", [
        *table,
        balance(before.distances, step.distances),
    ]


def _tenth(step: KMedoidsStep) -> str:
    return num4(step.total)


def _evaluate(problem: Problem, step: KMedoidsStep, after: KMedoidsStep) -> tuple[str, Blocks]:
    if not step.candidates:
        return "Every row is a medoid, so there is no swap.", []
    best, n = step.candidates[0], count(step.n_candidates, "swap", "swaps")
    swap = f"{name(problem, best.row)} for {name(problem, step.medoids[best.out])}"
    table: Blocks = [candidate_table(problem, step, step.medoids)]
    if after.phase != "swap":
        return f"Evaluate {n}: none lowers the total deviation; the best, {swap}, changes it by {_by(best)}.", table
    table.append(balance(step.distances, after.distances))
    return f"Evaluate {n}: the best, {swap}, changes the total deviation by {_by(best)}.", table


def _by(swap: Candidate) -> str:
    return num4(swap.change)


def _swap(problem: Problem, step: KMedoidsStep, before: KMedoidsStep) -> tuple[str, Blocks]:
    new, old = (name(problem, int(rows[0])) for rows in ([step.medoids[_slot(step)]], np.asarray(step.before)))
    falls = changes("the total deviation", short(before.total), short(step.total))
    tables: Blocks = [candidate_table(problem, step, before.medoids)] if step.candidates else []
    return f"Swap: {new} replaces {old} as medoid {_slot(step) + 1}; {falls}.", [
        *tables,
        balance(before.distances, step.distances),
    ]


def _slot(step: KMedoidsStep) -> int:
    return -1 if step.chosen is None else step.chosen.out


def _assign(problem: Problem, step: KMedoidsStep, before: KMedoidsStep) -> tuple[str, Blocks]:
    told = changes("the total deviation", short(before.total), short(step.total))
    if step.iteration == 1:
        told = f"the total deviation is {num4(step.total)}"
    rows = count(step.n_changed, "row changes its cluster", "rows change their cluster")
    how = "every row joins its nearest medoid" if step.iteration == 1 else rows
    return f"Assign: {how}; {told}.", [balance(before.distances, step.distances)] * (step.iteration > 1)


def _update(problem: Problem, step: KMedoidsStep, before: KMedoidsStep) -> tuple[str, Blocks]:
    told = changes("the total deviation", short(before.total), short(step.total))
    old = np.asarray(step.before)
    moved = [
        (j, int(problem.rows[a]) + 1, int(problem.rows[b]) + 1)
        for j, (a, b) in enumerate(zip(old, step.medoids, strict=True))
    ]
    sums = [np.bincount(step.labels, s.distances, minlength=len(old)) for s in (before, step)]
    rows = [(a, b, float(sums[0][j]), float(sums[1][j])) for j, a, b in moved]
    head = ("from row", "to row", "Σ d before", "Σ d after")
    n = count(sum(a != b for _, a, b in moved), "medoid moves", "medoids move")
    return f"Update: {n} to the row with the smallest sum of distances in the cluster; {told}.", [
        class_table(head, rows, "Medoids")
    ]


def _done(problem: Problem, step: KMedoidsStep, before: KMedoidsStep) -> tuple[str, Blocks]:
    n = count(step.iteration, "iteration", "iterations")
    return f"Done after {n}: total deviation {num4(step.total)}. {step.reason}", []


def sample_frame(problem: Problem, step: CLARAStep, before: CLARAStep, metric: Any, selected: int | None) -> Frame:
    """Return the frame of a sample of CLARA, or of its end."""
    label = 0 if selected is None else int(step.labels[selected])
    mine = selected_row(problem, step.medoids, label, metric, selected)
    sums = cluster_sums(problem, step.medoids, step.labels, step.distances)
    if step.phase == "done":
        after = count(step.iteration, "sample", "samples")
        caption = f"Done after {after}: the medoids with the smallest total deviation, {num4(step.total)}, are kept."
        return Frame(caption, [*mine, *sums], "done")
    n, size = len(step.labels), len(step.sample)
    better = "the first" if step.iteration == 1 else "the best so far" if step.total < before.best else "not better"
    caption = (
        f"Sample {step.iteration}: PAM on {count(size, 'row', 'rows')}; its medoids have the total deviation "
        f"{num4(step.total)} over all {n} rows, {better}."
    )
    means = [
        Formula(f"Mean distance in the sample: {num(step.sample_total)} / {size} = {num(step.sample_total / size)}"),
        Formula(f"Mean distance of all rows: {num(step.total)} / {n} = {num(step.total / n)}"),
    ]
    return Frame(caption, [*mine, *means, *sums], "sample")
