"""Divisive clustering in words and numbers: the rows that move, the splits and the cut."""

from __future__ import annotations

from typing import cast

import numpy as np

from dmlib.arrays import Floats
from dmlib.clustering.hierarchical.ledger import Dendrogram, distance_arithmetic, last_merges
from dmlib.clustering.hierarchical.splits import DivisiveClusteringStep as Step
from dmlib.clustering.hierarchical.splits import Rows
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, class_table, numbered_table
from dmlib.pictures.words import count, num, num4, short, upper_first

LISTED = 5  # rows of a table


def split_ledger(dendrogram: Dendrogram, i: int, selected: int | None) -> tuple[str, Blocks]:
    """Return the caption and the ledger of step ``i``, with the splits of the selected row."""
    step: Step = dendrogram.steps[i]
    build = {
        "distances": _distances,
        "splinter": _splinter,
        "move": _move,
        "split": _split,
        "cut": _cut,
    }[step.phase]
    caption, ledger = build(dendrogram, step)
    if selected is not None:
        ledger = [_path(dendrogram, selected, i), *ledger]
    return caption, ledger


def _distances(dendrogram: Dendrogram, step: Step) -> tuple[str, Blocks]:
    n, D = len(dendrogram.problem.X), cast(Floats, step.distances)
    rows, columns = np.triu_indices(n, 1)
    at = int(D.argmax())
    caption = f"All {n} rows are one cluster, whose diameter is {num4(D[at])}."
    sums = distance_arithmetic(dendrogram, int(rows[at]), int(columns[at]), float(D[at]))
    return caption, [Formula(f"The largest of {len(D)} distances: {sums}")]


def _splinter(dendrogram: Dendrogram, step: Step) -> tuple[str, Blocks]:
    members, row = cast(Rows, step.members), dendrogram.name(step.row or 0)
    means = cast(Floats, step.to_remaining)
    farthest = num4(np.nanmax(means))
    start = f"{row} is farthest from the others on average ({farthest})"
    order = np.argsort(-means, kind="stable")[:LISTED]
    rows = [(_number(dendrogram, members[k]), short(means[k])) for k in order]
    title = f"Mean distance to the other {len(members) - 1}: the largest {len(rows)}"
    diameter = f"The largest diameter: {num(step.height)}, of {count(len(members), 'row', 'rows')}"
    caption = f"Split {step.split}: {start} and starts the splinter group."
    return caption, [numbered_table(("row", "mean"), rows, title, [0]), Formula(diameter)]


def _move(dendrogram: Dendrogram, step: Step) -> tuple[str, Blocks]:
    members, row = cast(Rows, step.members), dendrogram.name(step.row or 0)
    k = int(np.flatnonzero(members == step.row)[0])
    to_remaining, to_splinter = cast(Floats, step.to_remaining), cast(Floats, step.to_splinter)
    a, b = num4(to_remaining[k]), num4(to_splinter[k])
    caption = (
        f"{upper_first(row)} joins the splinter group: its mean distance to it is {b}, "
        f"to the other remaining rows {a}."
    )
    return caption, [_advantages(dendrogram, step, [0])]


def _split(dendrogram: Dendrogram, step: Step) -> tuple[str, Blocks]:
    is_splinter = cast(np.ndarray, step.is_splinter)
    n_splinter = int(is_splinter.sum())
    n_remaining = len(is_splinter) - n_splinter
    caption = (
        f"Split {step.split} at the diameter {num4(step.height)}: {n_remaining} and "
        f"{count(n_splinter, 'row', 'rows')}; there are {step.n_clusters} clusters."
    )
    ledger: Blocks = []
    if n_remaining > 1:
        ledger.append(_advantages(dendrogram, step, []))
        ledger.append(Formula("no difference above 0: no row moves"))
    return caption, [*ledger, Formula(f"height = diameter = {num(step.height)}")]


def _advantages(dendrogram: Dendrogram, step: Step, emphasis: list[int]) -> LedgerTable:
    """Return the rows that would gain most by a move to the splinter group."""
    members = cast(Rows, step.members)
    to_remaining, to_splinter = cast(Floats, step.to_remaining), cast(Floats, step.to_splinter)
    order = np.argsort(-(to_remaining - to_splinter), kind="stable")[:LISTED]
    rows = [
        (
            _number(dendrogram, members[k]),
            *map(short, (to_remaining[k], to_splinter[k], to_remaining[k] - to_splinter[k])),
        )
        for k in order
        if np.isfinite(to_splinter[k])
    ]
    head = ("row", "to remaining", "to splinter", "difference")
    return numbered_table(head, rows, "Mean distances, the largest differences", emphasis)


def _cut(dendrogram: Dendrogram, step: Step) -> tuple[str, Blocks]:
    k, tree = dendrogram.n_clusters, dendrogram.tree
    splits = f"the first {k - 1} splits remain"
    if k <= 2:
        splits = "no split remains" if k == 1 else "the first split remains"
    clusters = count(k, "cluster", "clusters")
    caption = f"Cut at {num4(dendrogram.height)}: {splits}, which leaves {clusters}."
    rows = list(zip(np.bincount(dendrogram.labels).tolist(), last_merges(dendrogram), strict=True))
    ledger: Blocks = [class_table(("rows", "diameter"), rows, "Clusters")]
    if np.isfinite(step.divisive_coefficient):
        n, highest = len(tree) + 1, num(tree[-1, 2])
        coefficient = num(step.divisive_coefficient)
        ledger.append(
            Formula(f"divisive coefficient = Σ (1 − h / {highest}) / {n} = {coefficient}")
        )
    if np.isfinite(step.cophenetic_correlation):
        ledger.append(Formula(f"cophenetic correlation = {num(step.cophenetic_correlation)}"))
    return caption, ledger


def _path(dendrogram: Dendrogram, selected: int, i: int) -> LedgerTable:
    """Return the last splits of the selected row's cluster, the newest first."""
    rows = []
    for step in dendrogram.steps[: i + 1]:
        if step.phase == "split" and selected in step.members:
            part = step.is_splinter == step.is_splinter[step.members == selected]
            rows.append((step.split, short(step.height), len(part), int(part.sum())))
    splits = count(len(rows), "split", "splits")
    title = f"{upper_first(dendrogram.name(selected))}: {splits} so far"
    return LedgerTable(("split", "diameter", "rows", "with it"), rows[::-1][:LISTED], title)


def _number(dendrogram: Dendrogram, row: int) -> int:
    return int(dendrogram.problem.rows[row]) + 1
