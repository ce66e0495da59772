"""Divisive clustering as a picture: the splinter group, and the dendrogram from its top."""

from __future__ import annotations

import numpy as np

from dmlib.clustering.centers_scene import numbered, rings
from dmlib.clustering.dendrogram_scene import (
    Layout,
    brackets,
    cut_height,
    hull,
    layout,
    strokes_until,
)
from dmlib.clustering.hierarchical.agglomerative_scene import (
    cluster_legend,
    cut_band,
    cut_handle,
    leaf_points,
    node_colors,
    shown_height,
    tree_panel,
)
from dmlib.clustering.hierarchical.dendrogram import clusters_below, cut_tree
from dmlib.clustering.hierarchical.divisive import DivisiveClustering
from dmlib.clustering.hierarchical.divisive_ledger import split_ledger
from dmlib.clustering.hierarchical.ledger import MAX_ROWS_IN_FULL, Dendrogram
from dmlib.clustering.hierarchical.splits import DivisiveClusteringStep as Step
from dmlib.pictures.marks import Line
from dmlib.pictures.places import NOWHERE, line_through
from dmlib.pictures.plane import data_panel, data_points, view_note
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Scene
from dmlib.pictures.story import Drawing, Moment, data_alone, frames_by_phase, story
from dmlib.problem import Problem

MAX_MOVES, MAX_SPLITS = 100, 150  # frames
RING = 9.0  # radius in pixels


def divisive_scene(run: Run[Problem, DivisiveClustering]) -> Scene:
    """Draw divisive clustering: a frame for each row that moves, each split, and the cut."""
    problem, steps = run.problem, run.trace.steps
    if not steps or steps[-1].phase != "cut":
        return data_alone(run)
    dendrogram = split_dendrogram(run)
    places = layout(dendrogram.tree)
    leaf_colors, merge_colors = node_colors(dendrogram)
    names = numbered("cluster", dendrogram.n_clusters)
    radius = 4.5 if len(leaf_colors) <= MAX_ROWS_IN_FULL else 3.0
    rows = data_points(problem, color=leaf_colors, size=[radius], classes=names)
    leaves = leaf_points(problem, places, leaf_colors)
    strokes = brackets(dendrogram.tree, places)[::-1]
    panel = tree_panel(dendrogram, places)
    band = cut_band(dendrogram, panel)
    numbers, thinned_note = frames_by_phase(
        steps, {("splinter", "move"): MAX_MOVES, ("split",): MAX_SPLITS}
    )

    def draw(moment: Moment) -> Drawing:
        step: Step = moment.step
        n_splits = len(strokes) if step.phase == "cut" else step.n_clusters - 1
        moved = [] if step.row is None else [step.row]
        marks = (
            rows,
            _parts(problem, step),
            rings(problem.points[moved], RING),
            band,
            strokes_until(strokes, merge_colors[::-1], n_splits, panel="tree"),
            _bracket(step, dendrogram, places),
            leaves,
        )
        ledger = split_ledger(dendrogram, moment.index, run.selected)
        return Drawing(marks, *ledger, step.phase)

    return story(
        run,
        draw,
        panels=(data_panel(problem), panel),
        numbers=numbers,
        legend=cluster_legend(leaf_colors, names),
        handles=(cut_handle(dendrogram),),
        notes=(*view_note(problem, "the farthest row may not look farthest"), *thinned_note),
    )


def split_dendrogram(run: Run[Problem, DivisiveClustering]) -> Dendrogram:
    """Return the splits of a run as a tree of merges, cut at the height that was chosen."""
    height, end = shown_height(run), run.trace.steps[-1]
    labels = end.labels
    if isinstance(height, str):
        height = cut_height(end.tree[:, 2], end.n_clusters)
    else:
        labels = cut_tree(end.tree, clusters_below(end.tree, height))
    metric = run.model.metric
    return Dendrogram(run.problem, run.trace.steps, "", metric, end.tree, height, labels)


def _parts(problem: Problem, step: Step) -> Line:
    """Return the outlines of the remaining rows and of the splinter group."""
    if step.members is None or step.is_splinter is None:
        return line_through(NOWHERE, color="ink", width=1.5)
    points, gap = problem.points[step.members], np.full((1, 2), np.nan)
    outlines = [hull(points[~step.is_splinter]), gap, hull(points[step.is_splinter])]
    return line_through(np.vstack(outlines), color="ink", width=1.5)


def _bracket(step: Step, dendrogram: Dendrogram, places: Layout) -> Line:
    """Return the bracket of a split."""
    corners: list[tuple[float, float]] = []
    if step.phase == "split":
        pair = dendrogram.tree[-step.split, :2].astype(int)
        (a, b), (u, v) = places.x[pair], places.y[pair]
        corners = [(a, u), (a, step.height), (b, step.height), (b, v)]
    return line_through(corners, panel="tree", color="ink", width=2.5)
