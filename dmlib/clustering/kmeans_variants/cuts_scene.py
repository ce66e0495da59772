"""The plane of bisecting k-means and X-means: clusters, and the one that is cut in two."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.clustering.centers_ledger import cell_sites, distances_to_centers, plane_note
from dmlib.clustering.centers_scene import center_points, numbered, voronoi_cells
from dmlib.clustering.kmeans_variants.bisecting_kmeans import BisectingKMeans, BisectingKMeansStep
from dmlib.clustering.kmeans_variants.xmeans import XMeans, XMeansStep
from dmlib.pictures.ledger import Blocks
from dmlib.pictures.marks import Line, Mark, Points
from dmlib.pictures.places import NOWHERE, line_through, points_at, segments_between
from dmlib.pictures.plane import data_panel, data_points
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Panel, Scene
from dmlib.pictures.story import Drawing, Fold, Moment, story
from dmlib.problem import Problem

FAINT = 0.22  # opacity of clusters that a cut is not about

Step = BisectingKMeansStep | XMeansStep


@dataclass(frozen=True)
class Clustering:
    """The clusters of a step, the parts of a trial cut included."""

    centers: Floats
    labels: NDArray[np.int32]  # (n_samples,): the cluster of each row
    focus: tuple[int, ...] = ()  # the clusters that the step is about; empty for all
    arrows: tuple[Floats, Floats] | None = None  # (m, n_features): the starts and ends of moves
    # Whether each row belongs to its nearest centre, so that the Voronoi cells are those of the
    # clusters
    is_nearest: bool = False


def trial_clustering(step: Step) -> Clustering:
    """Return labels in which one cluster is its two parts; the second gets the next number."""
    if step.cluster is None:
        return Clustering(step.centers, step.labels)
    if step.child_centers is None or step.child_labels is None:
        return Clustering(step.centers, step.labels, (step.cluster,))
    centers = np.vstack([step.centers, step.child_centers[1:]])
    centers[step.cluster] = step.child_centers[0]
    new = len(step.centers)
    labels = np.where(step.child_labels == 1, np.int32(new), step.labels)
    arrows = step.centers[[step.cluster]], step.child_centers
    return Clustering(centers, labels, (step.cluster, new), arrows)


def cuts_story(
    run: Run[Problem, BisectingKMeans | XMeans],
    clusterings: Sequence[Clustering],
    caption_and_ledger: Callable[[Moment], tuple[str, Blocks]],
    side_panels: Sequence[Panel],
    side_marks: Callable[[Moment], Sequence[Mark]],
    progress: Fold,
) -> Scene:
    """Return the scene of clusterings in the plane, with panels beside them.

    Parameters
    ----------
    run : Run
        The run.
    clusterings : sequence of Clustering
        That of each step.
    caption_and_ledger : callable
        Takes a moment and returns its caption and ledger.
    side_panels : sequence of Panel
        The panels beside the plane.
    side_marks : callable
        Takes a moment and returns the marks of those panels.
    progress : Fold
        What accumulates.
    """
    problem, selected = run.problem, run.selected
    places = [problem.plane.project(clustering.centers) for clustering in clusterings]
    n_clusters = max(map(len, places))
    has_cells = cell_sites(problem) and any(each.is_nearest for each in clusterings)

    def draw(moment: Moment) -> Drawing:
        clustering = clusterings[moment.index]
        cells = places[moment.index] if clustering.is_nearest else NOWHERE
        caption, ledger = caption_and_ledger(moment)
        if selected is not None:
            label = int(clustering.labels[selected])
            ledger = [*distances_to_centers(problem, clustering.centers, label, selected), *ledger]
        marks = (
            *([voronoi_cells(cells)] if has_cells else []),
            *clustering_marks(problem, clustering, n_clusters),
            *side_marks(moment),
        )
        return Drawing(marks, caption, ledger, moment.step.phase.replace("_", " "))

    return story(
        run,
        draw,
        panels=(data_panel(problem, *places), *side_panels),
        fold=progress,
        notes=plane_note(problem),
        max_frames=len(clusterings),
    )


def clustering_marks(problem: Problem, clustering: Clustering, n_clusters: int) -> tuple[Mark, ...]:
    """Return the rows, arrows and centres of a clustering; names are for so many clusters."""
    project = problem.plane.project
    starts, ends = map(project, clustering.arrows) if clustering.arrows else (NOWHERE, NOWHERE)
    numbers = np.arange(len(clustering.centers))
    return (
        data_points(
            problem,
            color=clustering.labels,
            opacity=_opacity(clustering, clustering.labels),
            classes=numbered("cluster", n_clusters),
        ),
        segments_between(starts, ends, arrow=True),
        center_points(
            project(clustering.centers),
            numbered("centre", n_clusters),
            opacity=_opacity(clustering, numbers),
        ),
    )


def curve_marks(
    panel: str, curve: Sequence[tuple[float, float]], current: int
) -> tuple[Line, Points, Points]:
    """Return a curve without its infinite points, and a mark on the current one."""
    places = np.array(curve, float).reshape(-1, 2)
    places[~np.isfinite(places)] = np.nan
    return (
        line_through(places, panel=panel, color="accent"),
        points_at(places, panel=panel, color=[0], size=[3.0]),
        points_at(places[[current]], panel=panel, color=[0]),
    )


def _opacity(clustering: Clustering, clusters: NDArray[Any]) -> Floats:
    """Return the opacity of each row or centre; one value where all have the same."""
    if not clustering.focus:
        return np.ones(1)
    return np.where(np.isin(clusters, clustering.focus), 1.0, FAINT)
