"""Lloyd's algorithm in words and numbers: each seed, assignment and update of k-means."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from dmlib.clustering.centers_ledger import (
    MAX_COLUMNS,
    center_table,
    distances_to_centers,
    parts_of_sse,
    quotients,
    sum_of_parts,
)
from dmlib.clustering.kmeans.algorithm import KMeansStep
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, class_table
from dmlib.pictures.words import count
from dmlib.problem import Problem

TOP = 5  # rows of a table


RowName = Callable[[int], str]


def lloyd_ledger(
    problem: Problem,
    step: KMeansStep,
    before: KMeansStep,
    selected: int | None = None,
    row_name: RowName | None = None,
) -> tuple[str, Blocks]:
    """Return the caption and the ledger of a step of k-means.

    Parameters
    ----------
    problem : Problem
        The data.
    step, before : KMeansStep
        The step, and the one before it in its restart.
    selected : int, optional
        The sample that the reader clicked.
    row_name : callable, optional
        Sample -> its name; by default "row" and its number.
    """
    name = row_name or (lambda row: f"row {problem.rows[row] + 1}")
    build = {"seed": _seed, "assign": _assign, "update": _update, "done": _done}[step.phase]
    caption, ledger = build(problem, step, before, name)
    if selected is not None and step.labels is not None:
        label = int(step.labels[selected])
        distances = distances_to_centers(problem, step.centers, label, selected, name(selected))
        ledger = [*distances, *ledger]
    return caption, ledger


def _seed(
    problem: Problem, step: KMeansStep, before: KMeansStep, name: RowName
) -> tuple[str, Blocks]:
    j = int(np.isfinite(step.centers[:, 0]).sum())
    ledger: Blocks = [center_table(problem, step.centers[:j], "Centres so far")]
    if step.chosen is None and step.counts.any():
        rows = count(int(step.counts[j - 1]), "row", "rows")
        return f"All rows are divided at random: centre {j} is the mean of its {rows}.", ledger
    if step.chosen is None:
        return f"Centre {j} starts where you put it.", ledger
    chosen = name(step.chosen)
    if step.distances is None:
        return f"Centre {j} is drawn at random: {chosen}.", ledger
    share = step.distances / step.distances.sum()
    order = np.argsort(-share, kind="stable")[:TOP]
    table = [(name(i), float(step.distances[i]), float(share[i])) for i in order.tolist()]
    head, title = ("", "D²", "D² / ΣD²"), f"The {len(table)} farthest"
    numbers = (problem.rows[order] + 1).tolist()
    square, total = step.distances[step.chosen], step.distances.sum()
    quotient = f"{square:.6g} / {total:.6g} = {share[step.chosen]:.4g}"
    ledger.append(LedgerTable(head, table, title, by="row", numbers=numbers))
    ledger.append(Formula(f"{chosen}: D² / ΣD² = {quotient}"))
    reason = "drawn with probability D² / ΣD²: the larger a mark, the likelier it was"
    if step.chosen == int(step.distances.argmax()) and share[step.chosen] == share.max():
        reason = "the one with the largest D², its squared distance to the nearest centre"
    return f"Centre {j} is {chosen}, {reason}.", ledger


def _assign(
    problem: Problem, step: KMeansStep, before: KMeansStep, name: RowName
) -> tuple[str, Blocks]:
    parts = _parts(problem, step)
    gained = step.counts - (0 if before.labels is None else before.counts)
    rows = [(int(n), int(g), float(p)) for n, g, p in zip(step.counts, gained, parts, strict=True)]
    change = count(step.n_changed, "row changes", "rows change")
    if before.labels is None:
        caption = f"Assign: every row joins its nearest centre; the SSE is {step.inertia:.6g}."
    elif step.n_changed == 0:
        caption = f"Assign: no row changes its cluster; the SSE stays {step.inertia:.6g}."
    else:
        fall = f"falls from {before.inertia:.6g} to {step.inertia:.6g}"
        caption = f"Assign: {change} to a nearer centre; the SSE {fall}."
    table = class_table(("rows", "change", "Σ‖x − c‖²"), rows, "After the assignment")
    return caption, [table, sum_of_parts(parts, step.inertia)]


def _update(
    problem: Problem, step: KMeansStep, before: KMeansStep, name: RowName
) -> tuple[str, Blocks]:
    features = problem.features[:MAX_COLUMNS]
    shift = np.zeros(len(step.counts)) if step.shift is None else step.shift
    centers = step.centers[:, : len(features)]
    means = quotients(centers * step.counts[:, None], map(str, step.counts), centers)
    rows = [(*mean, float(moved)) for mean, moved in zip(means, shift, strict=True)]
    move = "every centre moves to the mean of its rows"
    change = f"falls from {before.inertia:.6g} to {step.inertia:.6g}"
    if before.inertia <= step.inertia:
        move, change = "every centre is already the mean of its rows", f"stays {step.inertia:.6g}"
    caption = f"Update: {move}; the SSE {change}."
    for cluster, sample in step.relocated:
        row = f"{name(sample)}, far from its own centre"
        caption += f" Cluster {cluster + 1} was empty: it takes {row}."
    return caption, [
        class_table((*features, "moved by"), rows, "New centre = sum / rows"),
        Formula(f"SSE: {before.inertia:.6g} → {step.inertia:.6g}"),
    ]


def _done(
    problem: Problem, step: KMeansStep, before: KMeansStep, name: RowName
) -> tuple[str, Blocks]:
    parts = _parts(problem, step)
    rows = [(int(n), float(p)) for n, p in zip(step.counts, parts, strict=True)]
    sizes = class_table(("rows", "Σ‖x − c‖²"), rows, "Clusters")
    ledger: Blocks = [
        sizes,
        sum_of_parts(parts, step.inertia),
        center_table(problem, step.centers, "Centres"),
    ]
    return f"Done after {count(step.iteration, 'iteration', 'iterations')}. {step.reason}", ledger


def _parts(problem: Problem, step: KMeansStep) -> NDArray[np.float64]:
    labels = np.zeros(len(problem.X), np.intp) if step.labels is None else step.labels
    return parts_of_sse(problem, step.centers, labels)
