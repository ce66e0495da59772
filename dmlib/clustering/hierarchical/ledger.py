"""The words and the arithmetic of agglomerative clustering: distances, merges and what they change, the cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.clustering.centers_ledger import MAX_COLUMNS
from dmlib.clustering.hierarchical.algorithm import AgglomerativeClusteringStep as Step
from dmlib.clustering.hierarchical.dendrogram import lance_williams
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, class_table
from dmlib.pictures.scene import Frame
from dmlib.pictures.words import count, num, num4, short
from dmlib.problem import Problem

FEW = 75  # rows; with more, less is told of each merge: a picture has a frame for each
WHOLE = 6  # with so many clusters the whole matrix is shown
PATH = 5  # merges of the selected row
NEAREST = 5  # pairs of rows in the first table


@dataclass(frozen=True)
class Story:
    """What the frames are told from."""

    problem: Problem
    steps: Sequence[Step]  # the distances, all merges, and the cut
    # those of the algorithm
    linkage: str
    metric: str
    tree: Floats  # (n_samples - 1, 4): the merges in SciPy's format
    height: float  # where the cut is drawn
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
        """Return what a node is called: #7 is the cluster of merge 7."""
        n = len(self.problem.X)
        return f"row {self.problem.rows[node] + 1}" if node < n else f"#{node - n + 1}"


def merge_frame(story: Story, i: int, selected: int | None) -> Frame:
    """Tell a step: the distances, a merge, or the cut; and the merges of the selected row."""
    step = story.steps[i]
    tell = {"distances": _distances, "merge": _merge, "cut": _cut}[step.phase]
    caption, ledger = tell(story, i)
    if selected is not None:
        ledger = [_path(story, selected, min(i, len(story.tree))), *ledger]
    return Frame(caption, ledger, step.phase)


def _distances(story: Story, _: int) -> tuple[str, Blocks]:
    n, distances = len(story.problem.X), story.steps[0].distances
    D = np.zeros(1) if distances is None else distances
    rows, columns = np.triu_indices(n, 1)
    nearest = np.argsort(D, kind="stable")[:NEAREST]
    table = [(story.name(rows[at]), story.name(columns[at]), float(D[at])) for at in nearest]
    title = f"The nearest {len(table)} of {len(D)} pairs" if len(table) > 1 else "The pair"
    ledger: Blocks = [LedgerTable(("", "and", "distance"), table, title)]
    first = nearest[0]
    ledger.append(Formula(_arithmetic(story, int(rows[first]), int(columns[first]), float(D[first]))))
    return f"Every row is a cluster of its own, and the distances of all {len(D)} pairs are measured.", ledger


def _arithmetic(story: Story, i: int, j: int, distance: float) -> str:
    """Write out the distance of two rows."""
    a, b = story.problem.X[i], story.problem.X[j]
    n = MAX_COLUMNS
    more = " + …" if len(a) > n else ""
    pairs = [(num(p), num(q)) for p, q in zip(a[:n], b[:n], strict=True)]
    if story.metric == "manhattan":
        text = " + ".join(f"|{p} − {q}|" for p, q in pairs) + more
    elif story.metric == "chebyshev":
        text = f"max({', '.join(f'|{p} − {q}|' for p, q in pairs)}{', …' if more else ''})"
    elif story.metric == "cosine":
        text = f"1 − ({' + '.join(f'{p} · {q}' for p, q in pairs)}{more}) / (‖x‖ ‖y‖)"
    else:
        text = "√(" + " + ".join(f"({p} − {q})²" for p, q in pairs) + more + ")"
    return f"{story.name(i)} to {story.name(j)}: {text} = {num(distance)}"


def _merge(story: Story, i: int) -> tuple[str, Blocks]:
    step = story.steps[i]
    first, second = step.pair or (0, 0)
    caption = (
        f"Merge {i}: {story.name(first)} and {story.name(second)} are nearest, {num4(step.height)} apart; "
        f"{count(step.n_clusters, 'cluster is', 'clusters are')} left."
    )
    if step.n_ties:
        caption += f" {count(step.n_ties, 'other pair is', 'other pairs are')} just as near."
    if step.inverted:
        caption += " It lies lower than an earlier merge."
    if step.others is None or step.before is None or step.after is None or not len(step.others):
        return caption, [Formula(f"#{i}: {step.sizes[0]} + {step.sizes[1]} = {count(sum(step.sizes), 'row', 'rows')}")]
    order = np.argsort(step.after, kind="stable")[: 4 if len(story.problem.X) <= FEW else 2]
    head = ("to", "rows", story.name(first), story.name(second), f"#{i}")
    table: list[list[Cell]] = [
        [story.name(int(step.others[k])), int(_sizes(step)[k]), *map(short, (*step.before[:, k], step.after[k]))]
        for k in order
    ]
    title = "Distances"
    if len(step.others) > len(order):
        title = f"The nearest {len(order)} of {len(step.others)}"
    ledger: Blocks = [LedgerTable(head, table, title), Formula(_formula(story, step, int(order[0]), i))]
    if len(step.others) + 2 <= WHOLE:
        ledger += [_matrix(story, i, "before"), _matrix(story, i, "after")]
    return caption, ledger


def _sizes(step: Step) -> NDArray[np.intp]:
    return np.zeros(0, np.intp) if step.other_sizes is None else step.other_sizes


def _formula(story: Story, step: Step, k: int, i: int) -> str:
    """Write out the formula of Lance and Williams for one of the other clusters."""
    if step.before is None or step.after is None or step.others is None:
        return ""
    a, b, c = (num4(d) for d in (*step.before[:, k], step.height))
    start, end = f"{story.name(int(step.others[k]))}: ", f" = {num4(step.after[k])}"
    (n_i, n_j), n_k = step.sizes, int(_sizes(step)[k])
    if story.linkage in ("single", "complete"):
        *_, gamma = lance_williams(story.linkage, n_i, n_j, n_k)
        return f"{start}½ · {a} + ½ · {b} {'+' if gamma > 0 else '−'} ½ · |{a} − {b}|{end}"
    n = n_i + n_j
    if story.linkage == "average":
        return f"{start}{n_i}/{n} · {a} + {n_j}/{n} · {b}{end}"
    if story.linkage == "centroid":
        return f"{start}√({n_i}/{n} · {a}² + {n_j}/{n} · {b}² − {n_i * n_j}/{n * n} · {c}²){end}"
    return f"{start}√({n_i + n_k}/{n + n_k} · {a}² + {n_j + n_k}/{n + n_k} · {b}² − {n_k}/{n + n_k} · {c}²){end}"


def _matrix(story: Story, i: int, when: str) -> LedgerTable:
    """Return the whole distance matrix before or after a merge, with the rows that change marked."""
    step = story.steps[i]
    others = [] if step.others is None else sorted(step.others.tolist())
    changed = list(step.pair or ()) if when == "before" else [step.node or 0]
    nodes = [*changed, *others]
    rows: list[list[Cell]] = [
        [story.name(a), *(None if a == b else short(_between(story, a, b)) for b in nodes)] for a in nodes
    ]
    head = ("", *(story.name(node) for node in nodes))
    return LedgerTable(head, rows, f"All distances {when} the merge", range(len(changed)))


def _between(story: Story, a: int, b: int) -> float:
    """Return the distance of two clusters: as old as the younger of them."""
    n, old, young = len(story.problem.X), min(a, b), max(a, b)
    if young < n:
        D = story.steps[0].distances
        return float("nan") if D is None else float(D[n * old - old * (old + 1) // 2 + young - old - 1])
    step = story.merges[young - n]
    if step.others is None or step.after is None:
        return float("nan")
    return float(step.after[np.flatnonzero(step.others == old)[0]])


def _cut(story: Story, _: int) -> tuple[str, Blocks]:
    k, n = story.n_clusters, len(story.problem.X)
    undone = {1: "no merge is undone", 2: "the last merge is undone"}.get(k, f"the last {k - 1} merges are undone")
    left = count(k, "cluster is", "clusters are")
    caption = f"Cut at {num4(story.height)}: {undone}, and {left} left."
    tops = [0.0] * k
    for node, height in enumerate(story.tree[: n - k, 2]):
        leaf = node + n
        while leaf >= n:
            leaf = int(story.tree[leaf - n, 0])
        tops[story.labels[leaf]] = max(tops[story.labels[leaf]], float(height))
    rows = [(int(size), top) for size, top in zip(np.bincount(story.labels), tops, strict=True)]
    ledger: Blocks = [class_table(("rows", "its last merge"), rows, "Clusters")]
    if 1 < k <= n:
        last = float(story.tree[n - k - 1, 2]) if k < n else 0.0
        gap = float(story.tree[n - k, 2]) - last
        ledger.append(Formula(f"gap at the cut: {num(story.tree[n - k, 2])} − {num(last)} = {num(gap)}"))
    correlation = story.steps[-1].cophenetic_correlation
    if np.isfinite(correlation):
        ledger.append(Formula(f"cophenetic correlation = {num(correlation)}"))
    return caption, ledger


def _path(story: Story, selected: int, n_merges: int) -> LedgerTable:
    """Return the last merges of the selected row's cluster, the newest first."""
    n, node, rows = len(story.problem.X), selected, []
    for m, (first, second, height, size) in enumerate(story.tree[:n_merges].tolist()):
        if node in (first, second):
            partner = int(second if node == first else first)
            rows.append((f"#{m + 1}", story.name(partner), short(height), int(size)))
            node = n + m
    title = f"{story.name(selected).capitalize()}: {count(len(rows), 'merge', 'merges')} so far"
    return LedgerTable(("merge", "with", "at", "rows then"), rows[::-1][:PATH], title)
