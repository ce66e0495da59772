"""The picture of a cluster that is cut in two, shared by bisecting k-means and X-means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.clustering.centers_ledger import cell_sites, distances_to_centers, plane_note
from dmlib.clustering.kmeans_variants.bisecting_kmeans import BisectingKMeansStep
from dmlib.clustering.kmeans_variants.xmeans import XMeansStep
from dmlib.pictures.ledger import Blocks
from dmlib.pictures.marks import Cells, Line, Mark, PerFrame, Points
from dmlib.pictures.motion import moves, xy
from dmlib.pictures.plane import data_panel, data_points
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Frame, Panel, Scene
from dmlib.problem import Problem

FAINT = 0.22  # opacity of what a cut is not about
NOTHING: Floats = np.empty((0, 2))


Cut = BisectingKMeansStep | XMeansStep
"""A step that may cut a cluster in two."""


@dataclass(frozen=True)
class Look:
    """What one frame shows."""

    centers: Floats  # (n_clusters, n_features): the centres, those of a trial included
    labels: NDArray[np.int32]  # (n_samples,): the cluster of each row, the parts of a trial included
    focus: tuple[int, ...] = ()  # the clusters that the step is about; empty for all
    arrows: tuple[Floats, Floats] | None = None  # (m, n_features): where arrows start and end
    cells: bool = False  # whether each row belongs to its nearest centre, so that Voronoi cells tell the truth


def look_at_trial(step: Cut) -> Look:
    """Return the picture of a cluster and its two parts: the first keeps the colour, the second gets the next free."""
    if step.cluster is None or step.child_centers is None or step.child_labels is None:
        return Look(step.centers, step.labels, () if step.cluster is None else (step.cluster,))
    centers = np.vstack([step.centers, step.child_centers[1:]])
    centers[step.cluster] = step.child_centers[0]
    new = len(step.centers)
    labels = np.where(step.child_labels == 1, np.int32(new), step.labels)
    arrows = np.repeat(step.centers[[step.cluster]], 2, axis=0), step.child_centers
    return Look(centers, labels, (step.cluster, new), arrows)


def cuts_scene(
    run: Run, looks: Sequence[Look], told: Sequence[tuple[str, Blocks]], beside: Panel, marks: Sequence[Mark]
) -> Scene:
    """Return the data with what each step shows, its caption and its ledger, and a panel with marks beside them."""
    problem, frames = run.problem, []
    for step, look, (caption, ledger) in zip(run.trace.steps, looks, told, strict=True):
        own: Blocks = []
        if run.selected is not None:
            own = distances_to_centers(problem, look.centers, int(look.labels[run.selected]), run.selected)
        frames.append(Frame(caption, [*own, *ledger], step.phase.replace("_", " ")))
    panel = data_panel(problem, *(problem.plane.project(look.centers) for look in looks))
    notes = (*problem.notes, *plane_note(problem))
    return Scene((panel, beside), (*look_marks(problem, looks), *marks), frames, notes)


def look_marks(problem: Problem, looks: Sequence[Look]) -> list[Mark]:
    """Return the marks of the data panel: cells where they are true, rows, arrows, centres."""
    places = [problem.plane.project(look.centers) for look in looks]
    most = max(map(len, places))
    marks: list[Mark] = []
    if cell_sites(problem) and any(look.cells for look in looks):
        sites = [place if look.cells else NOTHING for place, look in zip(places, looks, strict=True)]
        x, y = xy(sites)
        marks.append(Cells(x=x, y=y))
    marks.append(
        data_points(
            problem,
            color=PerFrame([look.labels for look in looks]),
            opacity=PerFrame([_opacity(look, look.labels) for look in looks]),
            classes=[f"cluster {j + 1}" for j in range(most)],
        )
    )
    ends = [(None, None) if look.arrows is None else tuple(map(problem.plane.project, look.arrows)) for look in looks]
    marks.append(moves([start for start, _ in ends], [end for _, end in ends]))
    numbers = [np.arange(len(place)) for place in places]
    x, y = xy(places)
    marks.append(
        Points(
            x=x,
            y=y,
            color=PerFrame(numbers),
            opacity=PerFrame([_opacity(look, j) for look, j in zip(looks, numbers, strict=True)]),
            labels=[f"centre {j + 1}" for j in range(most)],
            emphasis=True,
        )
    )
    return marks


def curve_marks(panel: str, curves: Sequence[Sequence[tuple[float, float]]], ends: Sequence[int]) -> list[Mark]:
    """Return a curve that grows from frame to frame, and a mark on one of its points.

    For each frame, ``curves`` has the points so far, of which those are left out that are not finite, and ``ends`` the
    index of the point that is marked.
    """
    rows = [np.array(curve, float).reshape(-1, 2) for curve in curves]
    finite = [np.where(np.isfinite(row), row, np.nan) for row in rows]
    marked = [row[[end]] for row, end in zip(finite, ends, strict=True)]
    (x, y), (end_x, end_y) = xy(finite), xy(marked)
    return [
        Line(panel=panel, x=x, y=y, color="accent"),
        Points(panel=panel, x=x, y=y, color=[0], size=[3.0]),
        Points(panel=panel, x=end_x, y=end_y, color=[0]),
    ]


def _opacity(look: Look, clusters: NDArray[Any]) -> Floats:
    """Return the opacity of each row or centre of these clusters; one value where all have the same."""
    if not look.focus:
        return np.ones(1)
    return np.where(np.isin(clusters, look.focus), 1.0, FAINT)
