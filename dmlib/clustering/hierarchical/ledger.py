"""Agglomerative clustering in words and numbers: distances, merges and the cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.clustering.centers_ledger import MAX_COLUMNS
from dmlib.clustering.hierarchical.dendrogram import lance_williams
from dmlib.clustering.hierarchical.merges import AgglomerativeClusteringStep as Step
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, class_table
from dmlib.pictures.words import count, num, num4, short
from dmlib.problem import Problem

MAX_ROWS_IN_FULL = 75  # rows; with more, ledgers are shorter: a picture has a frame for each merge
MAX_MATRIX = 6  # clusters of which the whole matrix is shown
PATH = 5  # merges of the selected row
NEAREST = 5  # pairs of rows in the first table


@dataclass(frozen=True)
class Dendrogram:
    """The merges of a run, and the height at which they are cut."""

    problem: Problem
    steps: Sequence[Any]  # the distances, all merges or splits, and the cut
    linkage: str
    metric: str
    tree: Floats  # (n_samples - 1, 4): the merges in SciPy's format
    height: float  # the height of the cut
    labels: NDArray[np.intp]  # (n_samples,): the clusters at the cut

    @property
    def merges(self) -> Sequence[Step]:
        """The steps that merge."""
        return self.steps[1:-1]

    @property
    def n_clusters(self) -> int:
        """The number of clusters at the cut."""
        return int(self.labels.max()) + 1

    def name(self, node: int) -> str:
        """Return the name of a node: #7 is the cluster of merge 7."""
        n = len(self.problem.X)
        return f"row {self.problem.rows[node] + 1}" if node < n else f"#{node - n + 1}"


def merge_ledger(dendrogram: Dendrogram, i: int, selected: int | None) -> tuple[str, Blocks]:
    """Return the caption and the ledger of step ``i``, with the merges of the selected row."""
    build = {"distances": _distances, "merge": _merge, "cut": _cut}[dendrogram.steps[i].phase]
    caption, ledger = build(dendrogram, i)
    if selected is not None:
        ledger = [_path(dendrogram, selected, min(i, len(dendrogram.tree))), *ledger]
    return caption, ledger


def _distances(dendrogram: Dendrogram, _: int) -> tuple[str, Blocks]:
    n, D = len(dendrogram.problem.X), cast(Floats, dendrogram.steps[0].distances)
    rows, columns = np.triu_indices(n, 1)
    nearest = np.argsort(D, kind="stable")[:NEAREST]
    table = [
        (dendrogram.name(rows[at]), dendrogram.name(columns[at]), float(D[at])) for at in nearest
    ]
    title = f"The nearest {len(table)} of {len(D)} pairs" if len(table) > 1 else "The pair"
    first = nearest[0]
    sums = distance_arithmetic(dendrogram, int(rows[first]), int(columns[first]), float(D[first]))
    distances = f"the distances of all {len(D)} pairs are measured"
    return f"Every row is a cluster of its own, and {distances}.", [
        LedgerTable(("", "and", "distance"), table, title),
        Formula(sums),
    ]


def distance_arithmetic(dendrogram: Dendrogram, i: int, j: int, distance: float) -> str:
    """Write out the distance of two rows."""
    a, b = dendrogram.problem.X[i], dendrogram.problem.X[j]
    pairs = [(num(p), num(q)) for p, q in zip(a[:MAX_COLUMNS], b[:MAX_COLUMNS], strict=True)]
    dots = " + …" if len(a) > MAX_COLUMNS else ""
    if dendrogram.metric == "manhattan":
        text = " + ".join(f"|{p} − {q}|" for p, q in pairs) + dots
    elif dendrogram.metric == "chebyshev":
        differences = [f"|{p} − {q}|" for p, q in pairs]
        text = f"max({', '.join([*differences, '…'] if dots else differences)})"
    elif dendrogram.metric == "cosine":
        text = f"1 − ({' + '.join(f'{p} · {q}' for p, q in pairs)}{dots}) / (‖x‖ ‖y‖)"
    elif dendrogram.metric == "correlation":
        x, y = num(a.mean()), num(b.mean())
        products = " + ".join(f"({p} − {x}) · ({q} − {y})" for p, q in pairs)
        text = f"1 − ({products}{dots}) / (‖x − {x}‖ ‖y − {y}‖)"
    else:
        text = "√(" + " + ".join(f"({p} − {q})²" for p, q in pairs) + dots + ")"
    return f"{dendrogram.name(i)} to {dendrogram.name(j)}: {text} = {num(distance)}"


def _merge(dendrogram: Dendrogram, i: int) -> tuple[str, Blocks]:
    step = dendrogram.steps[i]
    caption = _merge_caption(dendrogram, i)
    if step.after is None or not len(step.after):
        sizes = f"{step.sizes[0]} + {step.sizes[1]} = {count(sum(step.sizes), 'row', 'rows')}"
        return caption, [Formula(f"#{i}: {sizes}")]
    order = np.argsort(step.after, kind="stable")
    ledger: Blocks = [
        _changes(dendrogram, i, order),
        Formula(_formula(dendrogram, step, int(order[0]), i)),
    ]
    if len(order) + 2 <= MAX_MATRIX:
        ledger += [_matrix(dendrogram, i, "before"), _matrix(dendrogram, i, "after")]
    return caption, ledger


def _merge_caption(dendrogram: Dendrogram, i: int) -> str:
    step = dendrogram.steps[i]
    first, second = (dendrogram.name(node) for node in step.pair or (0, 0))
    clusters = count(step.n_clusters, "cluster is", "clusters are")
    nearest = f"{first} and {second} are nearest, {num4(step.height)} apart"
    caption = f"Merge {i}: {nearest}; {clusters} left."
    if step.n_ties:
        caption += f" {count(step.n_ties, 'other pair is', 'other pairs are')} just as near."
    if step.inverted:
        caption += " It lies lower than an earlier merge."
    return caption


def _changes(dendrogram: Dendrogram, i: int, order: NDArray[np.intp]) -> LedgerTable:
    """Return the distances of a merged cluster to the nearest others, and those of its parts."""
    step = dendrogram.steps[i]
    remaining, before, after = (
        np.asarray(each) for each in (step.remaining, step.before, step.after)
    )
    listed = order[: 4 if len(dendrogram.problem.X) <= MAX_ROWS_IN_FULL else 2]
    rows: list[list[Cell]] = [
        [
            dendrogram.name(int(remaining[k])),
            int(_sizes(step)[k]),
            *map(short, (*before[:, k], after[k])),
        ]
        for k in listed
    ]
    title = "Distances"
    if len(order) > len(listed):
        title = f"The nearest {len(listed)} of {len(order)}"
    parts = [dendrogram.name(node) for node in step.pair or (0, 0)]
    return LedgerTable(("to", "rows", *parts, f"#{i}"), rows, title)


def _sizes(step: Step) -> NDArray[np.intp]:
    return np.zeros(0, np.intp) if step.other_sizes is None else step.other_sizes


def _formula(dendrogram: Dendrogram, step: Step, k: int, i: int) -> str:
    """Write out the formula of Lance and Williams for one of the other clusters."""
    if step.before is None or step.after is None or step.remaining is None:
        return ""
    a, b, c = (num4(d) for d in (*step.before[:, k], step.height))
    start, end = f"{dendrogram.name(int(step.remaining[k]))}: ", f" = {num4(step.after[k])}"
    (n_i, n_j), n_k = step.sizes, int(_sizes(step)[k])
    if dendrogram.linkage in ("single", "complete"):
        *_, gamma = lance_williams(dendrogram.linkage, n_i, n_j, n_k)
        return f"{start}½ · {a} + ½ · {b} {'+' if gamma > 0 else '−'} ½ · |{a} − {b}|{end}"
    n = n_i + n_j
    if dendrogram.linkage == "average":
        return f"{start}{n_i}/{n} · {a} + {n_j}/{n} · {b}{end}"
    if dendrogram.linkage == "centroid":
        return f"{start}√({n_i}/{n} · {a}² + {n_j}/{n} · {b}² − {n_i * n_j}/{n * n} · {c}²){end}"
    return (
        f"{start}√({n_i + n_k}/{n + n_k} · {a}² + "
        f"{n_j + n_k}/{n + n_k} · {b}² − {n_k}/{n + n_k} · {c}²){end}"
    )


def _matrix(dendrogram: Dendrogram, i: int, when: str) -> LedgerTable:
    """Return the distance matrix before or after a merge, with the changed rows marked."""
    step = dendrogram.steps[i]
    remaining = [] if step.remaining is None else sorted(step.remaining.tolist())
    changed = list(step.pair or ()) if when == "before" else [step.node or 0]
    nodes = [*changed, *remaining]
    rows: list[list[Cell]] = [
        [
            dendrogram.name(a),
            *(None if a == b else short(_between(dendrogram, a, b)) for b in nodes),
        ]
        for a in nodes
    ]
    head = ("", *(dendrogram.name(node) for node in nodes))
    return LedgerTable(head, rows, f"All distances {when} the merge", range(len(changed)))


def _between(dendrogram: Dendrogram, a: int, b: int) -> float:
    """Return the distance of two clusters: as old as the younger of them."""
    n = len(dendrogram.problem.X)
    old, young = sorted((a, b))
    if young < n:
        D = cast(Floats, dendrogram.steps[0].distances)
        return float(D[n * old - old * (old + 1) // 2 + young - old - 1])
    step = dendrogram.merges[young - n]
    if step.remaining is None or step.after is None:
        return float("nan")
    return float(step.after[np.flatnonzero(step.remaining == old)[0]])


def _cut(dendrogram: Dendrogram, _: int) -> tuple[str, Blocks]:
    k, n = dendrogram.n_clusters, len(dendrogram.problem.X)
    undone = f"the last {k - 1} merges are undone"
    if k <= 2:
        undone = "no merge is undone" if k == 1 else "the last merge is undone"
    clusters = count(k, "cluster is", "clusters are")
    caption = f"Cut at {num4(dendrogram.height)}: {undone}, and {clusters} left."
    sizes = np.bincount(dendrogram.labels).tolist()
    rows = list(zip(sizes, last_merges(dendrogram), strict=True))
    ledger: Blocks = [class_table(("rows", "last merge"), rows, "Clusters")]
    if 1 < k <= n:
        last = float(dendrogram.tree[n - k - 1, 2]) if k < n else 0.0
        following = float(dendrogram.tree[n - k, 2])
        difference = f"{num(following)} − {num(last)} = {num(following - last)}"
        ledger.append(Formula(f"gap at the cut: {difference}"))
    correlation = dendrogram.steps[-1].cophenetic_correlation
    if np.isfinite(correlation):
        ledger.append(Formula(f"cophenetic correlation = {num(correlation)}"))
    return caption, ledger


def last_merges(dendrogram: Dendrogram) -> list[float]:
    """Return the height of the last merge of each cluster at the cut."""
    k, n = dendrogram.n_clusters, len(dendrogram.problem.X)
    heights = [0.0] * k
    for node, height in enumerate(dendrogram.tree[: n - k, 2]):
        leaf = node + n
        while leaf >= n:
            leaf = int(dendrogram.tree[leaf - n, 0])
        label = dendrogram.labels[leaf]
        heights[label] = max(heights[label], float(height))
    return heights


def _path(dendrogram: Dendrogram, selected: int, n_merges: int) -> LedgerTable:
    """Return the last merges of the selected row's cluster, the newest first."""
    n, node = len(dendrogram.problem.X), selected
    rows = []
    for m, (first, second, height, size) in enumerate(dendrogram.tree[:n_merges].tolist()):
        if node in (first, second):
            partner = int(second if node == first else first)
            rows.append((f"#{m + 1}", dendrogram.name(partner), short(height), int(size)))
            node = n + m
    name, merges = dendrogram.name(selected).capitalize(), count(len(rows), "merge", "merges")
    head = ("merge", "with", "at", "rows then")
    return LedgerTable(head, rows[::-1][:PATH], f"{name}: {merges} so far")
