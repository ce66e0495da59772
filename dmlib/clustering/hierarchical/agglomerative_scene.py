"""Agglomerative clustering as a picture: merges in the plane, and the dendrogram."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import squareform

from dmlib.arrays import Floats
from dmlib.clustering.centers_scene import numbered
from dmlib.clustering.clusters import Clusters
from dmlib.clustering.dendrogram_scene import (
    Layout,
    brackets,
    cut_height,
    hull,
    layout,
    paint,
    strokes_until,
)
from dmlib.clustering.hierarchical.algorithm import AgglomerativeClustering
from dmlib.clustering.hierarchical.dendrogram import clusters_below, cut_tree
from dmlib.clustering.hierarchical.ledger import MAX_ROWS_IN_FULL, Dendrogram, merge_ledger
from dmlib.clustering.hierarchical.merges import AgglomerativeClusteringStep as Step
from dmlib.clustering.hierarchical.trees import HierarchicalClustering
from dmlib.params import Number
from dmlib.pictures.marks import NO_CLASS, Line, Points, Rects
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.places import NOWHERE, line_through
from dmlib.pictures.plane import data_panel, data_points, view_note
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Key, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, data_alone, story
from dmlib.pictures.words import count
from dmlib.problem import Problem

FAINT = 0.12  # opacity
MAX_KEYS = 8  # clusters that the legend names
MAX_NAMED = 16  # rows up to which the tree names them
AUTO = "auto"
OPTIONS = {"height": Option(Number(0.0, 1e30, shown=(0.0, 100.0), names=(AUTO,)), AUTO)}
"""The height of the cut; "auto": where as many clusters are left as the algorithm's cut leaves."""


def agglomerative_scene(run: Run[Problem, AgglomerativeClustering]) -> Scene:
    """Draw agglomerative clustering.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.clustering.AgglomerativeClustering`; see :data:`OPTIONS`.

    Returns
    -------
    Scene
        One frame for the distances, one per merge, and one for the cut.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import AgglomerativeClustering
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 5.0], "b": [0.0, 0.0, 0.0]}), ["a", "b"])
    >>> scene = agglomerative_scene(Run.of(problem, AgglomerativeClustering(2, linkage="single")))
    >>> scene.frames[1].caption
    'Merge 1: row 1 and row 2 are nearest, 1 apart; 2 clusters are left.'
    """
    problem, steps = run.problem, run.trace.steps
    if not steps or steps[-1].phase != "cut":
        return data_alone(run)
    dendrogram = dendrogram_of(run)
    places = layout(dendrogram.tree)
    leaf_colors, merge_colors = node_colors(dendrogram)
    names = numbered("cluster", dendrogram.n_clusters)
    radius = 4.5 if len(leaf_colors) <= MAX_ROWS_IN_FULL else 3.0
    rows = data_points(problem, color=leaf_colors, size=[radius], classes=names)
    leaves = leaf_points(problem, places, leaf_colors)
    links, outlines = _links(dendrogram)[:, None, :], _outlines(dendrogram)
    strokes = brackets(dendrogram.tree, places)
    panel = tree_panel(dendrogram, places)
    gap = cut_band(dendrogram, panel)

    def draw(moment: Moment) -> Drawing:
        n_merges = min(moment.index, len(dendrogram.tree))
        marks = (
            strokes_until(links, merge_colors, n_merges),
            rows,
            line_through(outlines[moment.index], color="ink", width=1.5),
            gap,
            strokes_until(strokes, merge_colors, n_merges, panel="tree"),
            _new_bracket(moment.step, places),
            leaves,
        )
        ledger = merge_ledger(dendrogram, moment.index, run.selected)
        return Drawing(marks, *ledger, moment.step.phase)

    return story(
        run,
        draw,
        panels=(data_panel(problem), panel),
        legend=cluster_legend(leaf_colors, names),
        handles=(cut_handle(dendrogram),),
        notes=_notes(dendrogram, shown_height(run)),
        max_frames=len(steps),
    )


def shown_clusters(run: Run[Problem, HierarchicalClustering]) -> Clusters:
    """Return the clusters in the picture: those of the run, or those below a chosen height."""
    height, model = shown_height(run), run.fitted
    return Clusters(model.labels_ if isinstance(height, str) else model.cut(height))


def shown_height(run: Run[Problem, HierarchicalClustering]) -> float | str:
    """Return the height of the cut, as :data:`OPTIONS` say."""
    height: float | str = chosen(run, OPTIONS)["height"]
    return height


def dendrogram_of(run: Run[Problem, AgglomerativeClustering]) -> Dendrogram:
    """Return the merges of a run, cut at the height that was chosen."""
    steps: Sequence[Step] = run.trace.steps
    height, (*_, cut) = shown_height(run), steps
    merges = [(*(step.pair or ()), step.height, sum(step.sizes)) for step in steps[1:-1]]
    tree = np.array(merges, float)
    if isinstance(height, str):
        labels = np.zeros(1, np.intp) if cut.labels is None else cut.labels
        height = cut_height(tree[:, 2], cut.n_clusters)
    else:
        labels = cut_tree(tree, clusters_below(tree, height))
    model = run.model
    return Dendrogram(run.problem, steps, model.linkage, model.metric, tree, height, labels)


def node_colors(dendrogram: Dendrogram) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the classes of the rows and of the merges."""
    labels = dendrogram.labels
    n_below = len(labels) - dendrogram.n_clusters
    leaves, merges = paint(dendrogram.tree, labels, n_below)
    if dendrogram.n_clusters <= MAX_KEYS:
        leaves = labels.astype(np.uint8)  # single rows too have the colours of the table
    return leaves, merges


def cluster_legend(colors: NDArray[np.uint8], names: Sequence[str]) -> list[Key]:
    """Return the keys of the clusters, none where there are too many."""
    keys = [
        Key("a row alone" if color == NO_CLASS else names[color], color)
        for color in np.unique(colors).tolist()
    ]
    return keys if len(keys) <= MAX_KEYS else []


def cut_handle(dendrogram: Dendrogram) -> Handle:
    """Return the line that sets the height of the cut."""
    clusters = count(dendrogram.n_clusters, "cluster", "clusters")
    return Handle("cut", "tree", f"cut: {clusters}", "y", None, dendrogram.height)


# Marks
# ---------------------------------------------------------------------------------------------


def tree_panel(dendrogram: Dendrogram, places: Layout) -> Panel:
    """Return the panel of the dendrogram."""
    highest = float(dendrogram.tree[:, 2].max())
    top = max(highest * 1.06, min(dendrogram.height, 2 * highest) * 1.03)
    names = [str(dendrogram.problem.rows[i] + 1) for i in places.order]
    n = len(names)
    ticks = names if n <= MAX_NAMED else ("",)  # every seventh row number would say nothing
    x = Axis("rows, in the order of the tree", -0.02 * n - 0.5, 1.02 * n - 0.5, ticks=ticks)
    return Panel("tree", x, Axis("distance", 0.0, top or 1.0), title="Dendrogram")


def cut_band(dendrogram: Dendrogram, panel: Panel) -> Rects:
    """Return the band between the two merges around the cut: within it nothing changes."""
    heights, cut = dendrogram.tree[:, 2], dendrogram.height
    return Rects(
        panel="tree",
        x0=[panel.x.low],
        x1=[panel.x.high],
        y0=[heights[heights <= cut].max(initial=0.0)],
        y1=[heights[heights > cut].min(initial=panel.y.high)],
        opacity=[FAINT],
        of="",
    )


def _links(dendrogram: Dendrogram) -> Floats:
    """Return the link of each merge, between the nearest rows or the means, shape (n_merges, 4)."""
    points = dendrogram.problem.points
    members: list[NDArray[np.intp]] = [np.array([i]) for i in range(len(points))]
    D = np.empty(0)
    if dendrogram.linkage in ("single", "complete"):
        D = squareform(dendrogram.steps[0].distances)
    links = []
    for first, second in dendrogram.tree[:, :2].astype(int):
        a, b = members[first], members[second]
        members.append(np.concatenate([a, b]))
        if len(D):
            between = D[np.ix_(a, b)]
            at = between.argmin() if dendrogram.linkage == "single" else between.argmax()
            i, j = np.unravel_index(at, between.shape)
            links.append((*points[a[i]], *points[b[j]]))
        else:
            links.append((*points[a].mean(axis=0), *points[b].mean(axis=0)))
    return np.array(links)


def _outlines(dendrogram: Dendrogram) -> list[Floats]:
    """Return for each step the outlines of the two clusters that merge."""
    gap = np.full((1, 2), np.nan)
    hulls = [hull(point[None]) for point in dendrogram.problem.points]
    outlines = [NOWHERE]
    for first, second in dendrogram.tree[:, :2].astype(int):
        outlines.append(np.vstack([hulls[first], gap, hulls[second]]))
        hulls.append(hull(np.vstack([hulls[first], hulls[second]])))
    return [*outlines, NOWHERE]


def _new_bracket(step: Step, places: Layout) -> Line:
    """Return the bracket of a merge."""
    corners: list[tuple[float, float]] = []
    if step.pair is not None:
        (a, b), (u, v) = (values[list(step.pair)] for values in (places.x, places.y))
        corners = [(a, u), (a, step.height), (b, step.height), (b, v)]
    return line_through(corners, panel="tree", color="ink", width=2.5)


def leaf_points(problem: Problem, places: Layout, colors: NDArray[np.uint8]) -> Points:
    """Return the rows at the feet of the tree."""
    labels = [f"row {problem.rows[i] + 1}" for i in places.order]
    x = np.arange(len(labels))
    size = [4.0 if len(labels) <= 40 else 2.5]
    return Points(
        panel="tree", x=x, y=np.zeros(len(x)), color=colors[places.order], labels=labels, size=size
    )


def _notes(dendrogram: Dendrogram, height: float | str) -> tuple[str, ...]:
    ends = {"single": "the two nearest rows", "complete": "the two farthest rows"}
    link = f"A link joins {ends.get(dendrogram.linkage, 'the means')} of two clusters."
    notes = [f"#7 is the cluster of merge 7. {link}"]
    notes += view_note(dendrogram.problem, "the nearest may not look nearest")
    if n_inverted := sum(step.inverted for step in dendrogram.merges):
        inverted = count(n_inverted, "merge lies", "merges lie")
        reason = "the merge brought two centroids nearer"
        notes.append(f"{inverted} lower than an earlier one: {reason}.")
    n_chosen = dendrogram.steps[-1].n_clusters
    if isinstance(height, str):
        if clusters_below(dendrogram.tree, dendrogram.height) != dendrogram.n_clusters:
            ties = "Merges at equal heights cannot be separated by a cut"
            notes.append(f"{ties}; the last ones are undone one by one.")
    elif n_chosen != dendrogram.n_clusters:
        clusters = count(n_chosen, "cluster", "clusters")
        notes.append(f"The picture is cut at the height that you chose, not at {clusters}.")
    return tuple(notes)
