"""Lloyd's algorithm in words and numbers: each seed, assignment and update of k-means."""

from __future__ import annotations

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
from dmlib.pictures.ledger import Blocks, Formula, class_table, numbered_table
from dmlib.pictures.words import count
from dmlib.problem import Problem

TOP = 5  # rows of a table


def lloyd_ledger(
    problem: Problem, step: KMeansStep, before: KMeansStep, selected: int | None = None
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
    """
    build = {"seed": _seed, "assign": _assign, "update": _update, "done": _done}[step.phase]
    caption, ledger = build(problem, step, before)
    if selected is not None and step.labels is not None:
        label = int(step.labels[selected])
        ledger = [*distances_to_centers(problem, step.centers, label, selected), *ledger]
    return caption, ledger


def _seed(problem: Problem, step: KMeansStep, before: KMeansStep) -> tuple[str, Blocks]:
    j = int(np.isfinite(step.centers[:, 0]).sum())
    ledger: Blocks = [center_table(problem, step.centers[:j], "Centres so far")]
    if step.chosen is None:
        return f"Centre {j} starts where you put it.", ledger
    row = problem.rows[step.chosen] + 1
    if step.distances is None:
        return f"Centre {j} is a row drawn at random: row {row}.", ledger
    share = step.distances / step.distances.sum()
    order = np.argsort(-share, kind="stable")[:TOP]
    table = [(int(problem.rows[i] + 1), float(step.distances[i]), float(share[i])) for i in order]
    head, title = ("row", "D²", "D² / ΣD²"), f"The {len(table)} farthest rows"
    square, total = step.distances[step.chosen], step.distances.sum()
    quotient = f"{square:.6g} / {total:.6g} = {share[step.chosen]:.4g}"
    ledger.append(numbered_table(head, table, title))
    ledger.append(Formula(f"row {row}: D² / ΣD² = {quotient}"))
    reason = "drawn with probability D² / ΣD²: the larger a mark, the likelier it was"
    if step.chosen == int(step.distances.argmax()) and share[step.chosen] == share.max():
        reason = "the one with the largest D², its squared distance to the nearest centre"
    return f"Centre {j} is row {row}, {reason}.", ledger


def _assign(problem: Problem, step: KMeansStep, before: KMeansStep) -> tuple[str, Blocks]:
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


def _update(problem: Problem, step: KMeansStep, before: KMeansStep) -> tuple[str, Blocks]:
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
        row = f"row {problem.rows[sample] + 1}, far from its own centre"
        caption += f" Cluster {cluster + 1} was empty: it takes {row}."
    return caption, [
        class_table((*features, "moved by"), rows, "New centre = sum / rows"),
        Formula(f"SSE: {before.inertia:.6g} → {step.inertia:.6g}"),
    ]


def _done(problem: Problem, step: KMeansStep, before: KMeansStep) -> tuple[str, Blocks]:
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
