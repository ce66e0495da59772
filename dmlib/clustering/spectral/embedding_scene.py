"""The embedding of spectral clustering as a picture: rows and centres by eigenvectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.clustering.centers_scene import center_points, moves, numbered, voronoi_cells
from dmlib.clustering.spectral.algorithm import SpectralClusteringStep as Step
from dmlib.params import Choice
from dmlib.pictures.marks import NO_CLASS, Mark
from dmlib.pictures.options import Option
from dmlib.pictures.places import NOWHERE, points_at
from dmlib.pictures.scene import Axis, Panel, bounds
from dmlib.problem import GraphProblem, Problem

SMALL, SMALLEST, LARGEST = 3.5, 1.5, 6.5  # radii in pixels
CONSTANT = 1e-9  # spread of an eigenvector, as a share of its largest entry, that is only rounding
AUTO = "auto"
AXES: dict[str, tuple[int, ...]] = {
    AUTO: (),
    "1 and 2": (0, 1),
    "2 and 3": (1, 2),
    "3 and 4": (2, 3),
}
"""The choices of eigenvectors for the axes of the embedding, with their columns."""
OPTIONS = {"axes": Option(Choice(tuple(AXES)), AUTO)}
"""The eigenvectors on the axes of the embedding; "auto", and where there are not so many: the first
two that are not constant."""
ONE_VECTOR = (
    "Only one eigenvector distinguishes rows, "
    "so the embedding shows them in the order of their entries."
)


@dataclass(frozen=True)
class View:
    """The plane in which the embedding is drawn."""

    columns: tuple[int, ...]  # the one or two eigenvectors on the axes
    # (n_samples,): with one eigenvector, the place of each row in the order of its entries, which
    # is on the other axis
    ranks: Floats | None
    is_exact: bool  # whether all eigenvectors that distinguish rows are shown
    panel: Panel
    notes: tuple[str, ...]  # what is not seen

    def project(self, E: Floats, labels: NDArray[Any] | None = None) -> Floats:
        """Return the places of points of the embedding, or of the centres of ``labels``."""
        if self.ranks is None:
            return E[:, list(self.columns)]
        across = self.ranks
        if labels is not None:
            sizes = np.maximum(np.bincount(labels, minlength=len(E)), 1)
            across = np.bincount(labels, self.ranks, minlength=len(E)) / sizes
        elif len(E) != len(across):
            across = np.full(len(E), (len(across) + 1) / 2)
        return np.column_stack([across, E[:, self.columns[0]]])


def embedding_view(end: Step, axes: str) -> View:
    """Return the plane of the embedding at the end; ``axes`` is one of :data:`AXES`."""
    E, V = (np.empty((0, 0)) if array is None else array for array in (end.embedding, end.vectors))
    k = E.shape[1]
    varying = np.flatnonzero(np.ptp(E, axis=0) > CONSTANT * np.abs(E).max(axis=0)).tolist()
    columns: tuple[int, ...] = tuple(varying[:2] or [0])
    if max(AXES[axes], default=k) < k:
        columns = AXES[axes]
    entries = [_entries_axis(j, E, V) for j in columns]
    is_exact = set(varying) <= set(columns)
    if len(columns) == 2:
        panel = Panel("embedding", entries[0], entries[1], title="Embedding")
        notes = () if is_exact else (_left_out_note(columns, k),)
        return View(columns, None, is_exact, panel, notes)
    order = np.argsort(E[:, columns[0]], kind="stable")
    ranks = np.argsort(order, kind="stable").astype(float) + 1
    across = Axis("rows, in the order of their entries", 0.0, len(E) + 1.0, integer=True)
    panel = Panel("embedding", across, entries[0], title="Embedding")
    return View(columns, ranks, False, panel, (ONE_VECTOR,) if k > 1 else ())


def _left_out_note(columns: tuple[int, ...], k: int) -> str:
    numbers = " and ".join(str(j + 1) for j in columns)
    return f"k-means counts all {k} eigenvectors; the picture shows numbers {numbers}."


def _entries_axis(column: int, E: Floats, V: Floats) -> Axis:
    """Return the axis of one eigenvector; 0 is in view, where rows are before it is taken."""
    return Axis(f"eigenvector {column + 1}", *bounds([0.0, *E[:, column], *V[:, column]]))


def embedding_marks(
    problem: Problem | GraphProblem, view: View, step: Step, before: Step, n_clusters: int
) -> tuple[Mark, ...]:
    """Return the rows as points of the embedding, and the centres of k-means with their moves.

    Parameters
    ----------
    problem : Problem
        The data.
    view : View
        The plane of the embedding.
    step, before : SpectralClusteringStep
        The step, and the one before it.
    n_clusters : int
        The number of clusters at the end.
    """
    centers, old = _centers(before if step.phase == "cut" else step, view), _centers(before, view)
    return (
        *([voronoi_cells(centers, panel="embedding")] if view.is_exact else []),
        points_at(
            _places(step, view),
            panel="embedding",
            color=np.array([NO_CLASS], np.uint8) if step.labels is None else step.labels,
            labels=problem.labels,
            size=_sizes(step),
            opacity=one_by_one(problem),
        ),
        moves(old, centers, step.phase == "update", panel="embedding"),
        center_points(centers, numbered("centre", n_clusters), panel="embedding"),
    )


def _places(step: Step, view: View) -> Floats:
    """Return the places of the rows: while eigenvectors are taken, 0 in those that are missing."""
    if step.embedding is not None:
        return view.project(step.embedding)
    if step.vectors is None or step.vectors.shape[1] <= view.columns[0]:
        return NOWHERE
    entries = np.zeros((len(step.vectors), max(view.columns) + 1))
    entries[:, : step.vectors.shape[1]] = step.vectors[:, : entries.shape[1]]
    return view.project(entries)


def _sizes(step: Step) -> Floats:
    """Return the radii: while k-means++ draws, the area of a row is its probability."""
    squares = None if step.kmeans is None else step.kmeans.distances
    return np.array([SMALL]) if squares is None else radii(np.sqrt(squares))


def _centers(step: Step, view: View) -> Floats:
    if step.kmeans is None:
        return NOWHERE
    is_chosen = np.isfinite(step.kmeans.centers).all(axis=1)
    return view.project(step.kmeans.centers[is_chosen], step.kmeans.labels)


def one_by_one(problem: Problem | GraphProblem) -> Floats:
    """Return an opacity for each row, so that heaps of points stay visible."""
    return np.ones(len(problem.rows))


def radii(values: Floats) -> Floats:
    """Return the radii in pixels of points as large as their values."""
    pixels: Floats = SMALLEST + (LARGEST - SMALLEST) * values / (values.max(initial=0.0) or 1.0)
    return pixels
