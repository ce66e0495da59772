"""Agglomerative clustering as a picture: merges in the plane, the dendrogram beside it, the distances that change."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import squareform

from dmlib.arrays import Floats
from dmlib.clustering.clusters import Clusters
from dmlib.clustering.hierarchical.algorithm import AgglomerativeClusteringStep as Step
from dmlib.clustering.hierarchical.dendrogram import clusters_below, cut_tree
from dmlib.clustering.hierarchical.dendrogram_scene import Layout, brackets, cut_height, growing, hull, layout, paint
from dmlib.clustering.hierarchical.ledger import FEW, Story, merge_frame
from dmlib.params import Number
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import NO_CLASS, Line, Points
from dmlib.pictures.motion import xy
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.plane import data_panel, data_points, data_scene, view_note
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Key, Panel, Scene
from dmlib.pictures.words import count
from dmlib.problem import Problem

LEGEND = 8  # clusters that the legend names
AUTO = "auto"
OPTIONS = {"height": Option(Number(0.0, 1e30, shown=(0.0, 100.0), names=(AUTO,)), AUTO)}
"""Where the tree is cut; "auto": where as many clusters are left as the algorithm's cut leaves."""


def hierarchical_scene(run: Run) -> Scene:
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
    >>> scene = hierarchical_scene(Run.of(problem, AgglomerativeClustering(2, linkage="single")))
    >>> scene.frames[1].caption
    'Merge 1: row 1 and row 2 are nearest, 1 apart; 2 clusters are left.'
    """
    problem, trace = run.problem, run.trace
    if not trace.steps or trace.steps[-1].phase != "cut":
        return data_scene(problem, trace.reason)
    height = shown_height(run)
    story = _story(problem, trace.steps, run.model.linkage, run.model.metric, height)
    places, shown = layout(story.tree), [0, *range(1, len(story.tree) + 1), len(story.tree)]
    n_kept = len(problem.X) - story.n_clusters
    leaves, merges = paint(story.tree, story.labels, n_kept)
    if story.n_clusters <= LEGEND:
        leaves = story.labels.astype(np.uint8)  # few rows can be alone: they have the colours of the table
    links, names = _links(story), [f"cluster {j + 1}" for j in range(story.n_clusters)]
    marks = [
        growing(links[:, None, :], merges, shown, panel="data"),
        data_points(problem, color=leaves, size=[4.5 if len(leaves) <= FEW else 3.0], classes=names),
        _outlines(story),
        growing(brackets(story.tree, places), merges, shown, panel="tree"),
        _newest(story, places),
        _leaves(problem, places, leaves),
    ]
    frames = Deferred(lambda i: merge_frame(story, i, run.selected), range(len(story.steps)))
    keys = [Key("a row alone" if j == NO_CLASS else names[j], j) for j in np.unique(leaves).tolist()]
    handle = Handle("cut", "tree", f"cut: {count(story.n_clusters, 'cluster', 'clusters')}", "y", None, story.height)
    panels = (data_panel(problem), _tree_panel(story, places))
    return Scene(panels, marks, frames, _notes(story, height), (handle,), keys if len(keys) <= LEGEND else ())


def shown_clusters(run: Run) -> Clusters:
    """Return the clusters in the picture: those that were found, or those below a height that was chosen."""
    height, model = shown_height(run), run.fitted
    return Clusters(model.labels_ if isinstance(height, str) else model.cut(height))


def shown_height(run: Run) -> float | str:
    """Return where the tree is cut, as :data:`OPTIONS` say."""
    height: float | str = chosen(run, OPTIONS)["height"]
    return height


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
    x, y = xy(rows)
    return Line(x=x, y=y, color="ink", width=1.5)


def _newest(story: Story, places: Layout) -> Line:
    """Return the bracket of the merge that is told."""
    rows = [np.empty((0, 2))]
    for first, second, top, _ in story.tree:
        (a, b), (u, v) = (values[[int(first), int(second)]] for values in (places.x, places.y))
        rows.append(np.array([(a, u), (a, top), (b, top), (b, v)]))
    rows.append(rows[0])
    x, y = xy(rows)
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
    notes += view_note(story.problem, "the nearest may not look nearest")
    if n_inverted := sum(step.inverted for step in story.merges):
        verb = "merge lies" if n_inverted == 1 else "merges lie"
        notes.append(f"{n_inverted} {verb} lower than an earlier one: the merge brought two centroids nearer.")
    asked = story.steps[-1].n_clusters
    if isinstance(height, str):
        if clusters_below(story.tree, story.height) != story.n_clusters:
            notes.append("Merges at equal heights cannot be separated by a cut; the last ones are undone one by one.")
    elif asked != story.n_clusters:
        notes.append(f"The picture is cut at the height that you chose, not at {count(asked, 'cluster', 'clusters')}.")
    return tuple(notes)
