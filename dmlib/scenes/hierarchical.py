"""Agglomerative clustering as a picture: merges in the plane, the dendrogram beside it, the distances that change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import squareform

from dmlib.clustering.agglomerative import AgglomerativeClustering
from dmlib.clustering.agglomerative import AgglomerativeClusteringStep as Step
from dmlib.clustering.dendrogram import clusters_below, cut_tree, lance_williams
from dmlib.problem import Problem
from dmlib.scene import (
    NO_CLASS,
    Axis,
    Cell,
    Formula,
    Frame,
    Handle,
    Key,
    LedgerTable,
    Line,
    Panel,
    PerFrame,
    Points,
    Scene,
)
from dmlib.scenes.centers import MOST_COLUMNS, Blocks, cluster_table, count, num
from dmlib.scenes.data import data_panel, data_points, data_scene
from dmlib.scenes.dendrogram import Floats, Layout, brackets, cut_height, growing, hull, layout, paint
from dmlib.trace import Trace

FEW = 75  # rows; with more, less is told of each merge: a picture has a frame for each
WHOLE = 6  # with so many clusters the whole matrix is shown
PATH = 5  # merges of the selected row
NEAREST = 5  # pairs of rows in the first table
LEGEND = 8
AUTO = "auto"


@dataclass(frozen=True)
class Story:
    """What the frames are told from.

    Attributes
    ----------
    problem : Problem
        The data.
    steps : sequence of Step
        The distances, all merges, and the cut.
    linkage, metric : str
        Those of the algorithm.
    tree : ndarray of shape (n_samples - 1, 4)
        The merges in SciPy's format.
    height : float
        Where the cut is drawn.
    labels : ndarray of shape (n_samples,)
        The clusters at the cut.
    """

    problem: Problem
    steps: Sequence[Step]
    linkage: str
    metric: str
    tree: Floats
    height: float
    labels: NDArray[np.intp]

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


def hierarchical_scene(
    problem: Problem,
    trace: Trace,
    *,
    linkage: str = "ward",
    metric: str = "euclidean",
    height: float | str = AUTO,
    selected: int | None = None,
) -> Scene:
    """Draw agglomerative clustering.

    Parameters
    ----------
    problem : Problem
        The data.
    trace : Trace
        Steps of :class:`dmlib.clustering.AgglomerativeClustering`.
    linkage, metric : str
        Those of the algorithm.
    height : float or "auto"
        Where the tree is cut; "auto": where as many clusters are left as the algorithm's cut leaves.
    selected : int, optional
        The sample whose merges are listed.

    Returns
    -------
    Scene
        One frame for the distances, one per merge, and one for the cut.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import AgglomerativeClustering
    >>> from dmlib.problem import prepare
    >>> from dmlib.trace import run
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 5.0], "b": [0.0, 0.0, 0.0]}), ["a", "b"])
    >>> scene = hierarchical_scene(problem, run(AgglomerativeClustering(2, linkage="single"), problem.X))
    >>> scene.frames[1].caption
    'Merge 1: row 1 and row 2 are nearest, 1 apart; 2 clusters are left.'
    """
    if not trace.steps or trace.steps[-1].phase != "cut":
        return data_scene(problem, trace.reason)
    story = _story(problem, trace.steps, linkage, metric, height)
    places, shown = layout(story.tree), [0, *range(1, len(story.tree) + 1), len(story.tree)]
    n_kept = len(problem.X) - story.n_clusters
    leaves, merges = paint(story.tree, story.labels, n_kept)
    if story.n_clusters <= LEGEND:
        leaves = story.labels.astype(np.uint8)  # few rows can be alone: they have the colours of the table
    links, names = _links(story), [f"cluster {j + 1}" for j in range(story.n_clusters)]
    marks = [
        *growing(links[:, None, :], merges, shown, panel="data"),
        data_points(problem, color=leaves, size=[4.5 if len(leaves) <= FEW else 3.0], classes=names),
        _outlines(story),
        *growing(brackets(story.tree, places), merges, shown, panel="tree"),
        _newest(story, places),
        _leaves(problem, places, leaves),
    ]
    frames = [_frame(story, i, selected) for i in range(len(story.steps))]
    keys = [Key("a row alone" if j == NO_CLASS else names[j], j) for j in np.unique(leaves).tolist()]
    handle = Handle("cut", "tree", f"cut: {count(story.n_clusters, 'cluster', 'clusters')}", "y", None, story.height)
    panels = (data_panel(problem), _tree_panel(story, places))
    return Scene(panels, marks, frames, _notes(story, height), (handle,), keys if len(keys) <= LEGEND else ())


def shown_labels(model: AgglomerativeClustering, height: float | str) -> NDArray[np.intp]:
    """Return the clusters in the picture: those of a fitted model, or those below a height that was chosen."""
    return model.labels_ if isinstance(height, str) else model.cut(height)


def _story(problem: Problem, steps: Sequence[Step], linkage: str, metric: str, height: float | str) -> Story:
    *_, cut = steps
    tree = np.array([(*(step.pair or ()), step.height, sum(step.sizes)) for step in steps[1:-1]], float)
    if isinstance(height, str):
        return Story(problem, steps, linkage, metric, tree, cut_height(tree[:, 2], cut.n_clusters), _labels(cut))
    labels = cut_tree(tree, clusters_below(tree, height))
    return Story(problem, steps, linkage, metric, tree, height, labels)


def _labels(cut: Step) -> NDArray[np.intp]:
    return np.zeros(1, np.intp) if cut.labels is None else cut.labels


# Marks ----------------------------------------------------------------------------------------------------------------


def _tree_panel(story: Story, places: Layout) -> Panel:
    top = max(float(story.tree[:, 2].max()) * 1.06, min(story.height, 2 * float(story.tree[:, 2].max())) * 1.03)
    names = [str(story.problem.rows[i] + 1) for i in places.order]
    n = len(names)
    x = Axis("rows, in the order of the tree", -0.02 * n - 0.5, 1.02 * n - 0.5, ticks=names)
    return Panel("tree", x, Axis("distance", 0.0, top or 1.0), title="Dendrogram")


def _links(story: Story) -> Floats:
    """Return for each merge the link that it draws: between the rows that decided, or between the two means."""
    points = story.problem.points
    members: list[NDArray[np.intp]] = [np.array([i]) for i in range(len(points))]
    D = squareform(story.steps[0].distances) if story.linkage in ("single", "complete") else np.empty(0)
    links = []
    for first, second in story.tree[:, :2].astype(int):
        one, other = members[first], members[second]
        members.append(np.concatenate([one, other]))
        if len(D):
            between = D[np.ix_(one, other)]
            at = between.argmin() if story.linkage == "single" else between.argmax()
            i, j = np.unravel_index(at, between.shape)
            links.append((*points[one[i]], *points[other[j]]))
        else:
            links.append((*points[one].mean(axis=0), *points[other].mean(axis=0)))
    return np.array(links)


def _outlines(story: Story) -> Line:
    """Return the outlines of the two clusters that merge."""
    nothing, gap = np.empty((0, 2)), np.full((1, 2), np.nan)
    hulls = [hull(point[None]) for point in story.problem.points]
    rows = [nothing]
    for first, second in story.tree[:, :2].astype(int):
        rows.append(np.vstack([hulls[first], gap, hulls[second]]))
        hulls.append(hull(np.vstack([hulls[first], hulls[second]])))
    rows.append(nothing)
    return Line(x=PerFrame([r[:, 0] for r in rows]), y=PerFrame([r[:, 1] for r in rows]), color="ink", width=1.5)


def _newest(story: Story, places: Layout) -> Line:
    """Return the bracket of the merge that is told."""
    rows = [np.empty((0, 2))]
    for first, second, top, _ in story.tree:
        (a, b), (u, v) = (values[[int(first), int(second)]] for values in (places.x, places.y))
        rows.append(np.array([(a, u), (a, top), (b, top), (b, v)]))
    rows.append(rows[0])
    x, y = (PerFrame([row[:, axis] for row in rows]) for axis in (0, 1))
    return Line(panel="tree", x=x, y=y, color="ink", width=2.5)


def _leaves(problem: Problem, places: Layout, colors: NDArray[np.uint8]) -> Points:
    labels = [f"row {problem.rows[i] + 1}" for i in places.order]
    x = np.arange(len(labels))
    size = [4.0 if len(labels) <= 40 else 2.5]
    return Points(panel="tree", x=x, y=np.zeros(len(x)), color=colors[places.order], labels=labels, size=size)


def _notes(story: Story, height: float | str) -> tuple[str, ...]:
    notes = [*story.problem.notes]
    what = {"single": "the two nearest rows", "complete": "the two farthest rows"}
    notes.append(f"#7 is the cluster of merge 7. A link joins {what.get(story.linkage, 'the means')} of two clusters.")
    if not story.problem.plane.exact:
        n = len(story.problem.features)
        notes.append(f"Distances count all {n} columns; in this view of them, the nearest may not look nearest.")
    if n_inverted := sum(step.inverted for step in story.merges):
        verb = "merge lies" if n_inverted == 1 else "merges lie"
        notes.append(f"{n_inverted} {verb} lower than an earlier one: the merge brought two centroids nearer.")
    asked = story.steps[-1].n_clusters
    if isinstance(height, str):
        if clusters_below(story.tree, story.height) != story.n_clusters:
            notes.append("Merges at equal heights cannot be parted by a line; the last ones are undone one by one.")
    elif asked != story.n_clusters:
        notes.append(f"The picture is cut at the height that you chose, not at {count(asked, 'cluster', 'clusters')}.")
    return tuple(notes)


# Ledger ---------------------------------------------------------------------------------------------------------------


def _frame(story: Story, i: int, selected: int | None) -> Frame:
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
    n = MOST_COLUMNS
    more = " + …" if len(a) > n else ""
    pairs = [(num(float(p)), num(float(q))) for p, q in zip(a[:n], b[:n], strict=True)]
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
        f"Merge {i}: {story.name(first)} and {story.name(second)} are nearest, {num(_short(step.height))} apart; "
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
        [story.name(int(step.others[k])), int(_sizes(step)[k]), *map(_short, (*step.before[:, k], step.after[k]))]
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


def _short(value: float) -> float:
    return float(f"{value:.4g}")


def _formula(story: Story, step: Step, k: int, i: int) -> str:
    """Write out the formula of Lance and Williams for one of the other clusters."""
    if step.before is None or step.after is None or step.others is None:
        return ""
    a, b, c = (num(_short(float(d))) for d in (*step.before[:, k], step.height))
    start, end = f"{story.name(int(step.others[k]))}: ", f" = {num(_short(float(step.after[k])))}"
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
        [story.name(a), *(None if a == b else _short(_between(story, a, b)) for b in nodes)] for a in nodes
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
    caption = f"Cut at {num(_short(story.height))}: {undone}, and {left} left."
    tops = [0.0] * k
    for node, height in enumerate(story.tree[: n - k, 2]):
        leaf = node + n
        while leaf >= n:
            leaf = int(story.tree[leaf - n, 0])
        tops[story.labels[leaf]] = max(tops[story.labels[leaf]], float(height))
    rows = [(int(size), top) for size, top in zip(np.bincount(story.labels), tops, strict=True)]
    ledger: Blocks = [cluster_table(("rows", "its last merge"), rows, "Clusters")]
    if 1 < k <= n:
        last = float(story.tree[n - k - 1, 2]) if k < n else 0.0
        gap = float(story.tree[n - k, 2]) - last
        ledger.append(Formula(f"gap at the cut: {num(float(story.tree[n - k, 2]))} − {num(last)} = {num(gap)}"))
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
            rows.append((f"#{m + 1}", story.name(partner), _short(height), int(size)))
            node = n + m
    title = f"{story.name(selected).capitalize()}: {count(len(rows), 'merge', 'merges')} so far"
    return LedgerTable(("merge", "with", "at", "rows then"), rows[::-1][:PATH], title)
