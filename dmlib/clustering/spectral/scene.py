"""Spectral clustering as a picture: the graph in the plane, the eigenvalues, and the rows as points of eigenvectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.clustering.spectral.algorithm import SpectralClusteringStep as Step
from dmlib.clustering.spectral.edges_scene import SimilarityGraph, edge_marks, edges_note
from dmlib.clustering.spectral.ledger import Teller
from dmlib.params import Choice
from dmlib.pictures.marks import NO_CLASS, Cells, Mark, PerFrame, Points, Segments
from dmlib.pictures.motion import displacements, thin, thinned_note, xy
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.plane import data_panel, data_points, data_scene, view_note
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Key, Panel, Scene, bounds
from dmlib.problem import Problem

NORMAL, SMALL, SMALLEST, LARGEST = 4.5, 3.5, 1.5, 6.5  # radii in pixels
CONSTANT = 1e-9  # spread of an eigenvector, as a share of its largest entry, that is only rounding
AUTO = "auto"
AXES: dict[str, tuple[int, ...]] = {AUTO: (), "1 and 2": (0, 1), "2 and 3": (1, 2), "3 and 4": (2, 3)}
"""The choices of eigenvectors for the axes of the embedding, with their columns."""
OPTIONS = {"axes": Option(Choice(tuple(AXES)), AUTO)}
"""The eigenvectors on the axes of the embedding; "auto", and where there are not so many: the first two that are not
constant."""
LEGEND = 6  # clusters that the legend names
MOST_EIGENVECTORS = 20  # that have a frame of their own
NOTHING: Floats = np.empty((0, 2))


def spectral_scene(run: Run) -> Scene:
    """Draw spectral clustering.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.clustering.SpectralClustering`; see :data:`OPTIONS`.

    Returns
    -------
    Scene
        One frame for the graph, the Laplacian, each eigenvector, the embedding, each step of k-means, and the cut.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import SpectralClustering
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 3.0, 4.0], "b": [0.0, 0.0, 0.0, 0.0]}), ["a", "b"])
    >>> scene = spectral_scene(Run.of(problem, SpectralClustering(2, random_state=0)))
    >>> [frame.phase for frame in scene.frames][:5]
    ['graph', 'laplacian', 'eigenvector', 'eigenvector', 'embedding']
    >>> scene.frames[-1].caption
    'Done: the 2 clusters cut edges of the weight 0.01856 of 0.7543 in all, 2.46%.'
    """
    problem, trace = run.problem, run.trace
    steps: Sequence[Step] = trace.steps
    if not steps or steps[-1].phase != "cut" or steps[1].degrees is None or steps[1].components is None:
        return data_scene(problem, trace.reason)
    graph = SimilarityGraph(problem, steps[0].affinity, steps[1].degrees, steps[1].components)
    steps, left_out = _drawn(steps)
    view = _view(steps[-1], chosen(run, OPTIONS)["axes"])
    spectrum, handle = _eigenvalue_panel(steps[-1])
    marks = (
        *edge_marks(graph, [step.labels for step in steps]),
        _rows(graph, steps),
        *_embedded(problem, steps, view),
        *_eigenvalue_marks(steps),
    )
    seen = view_note(problem, "joined rows may look far apart", "Similarities")
    parts = [steps[-1].reason] if steps[-1].reason else []
    notes = (*problem.notes, *edges_note(graph), *seen, *view.notes, *parts, *left_out)
    frames = Teller(graph, run.model.get_params(), run.selected).frames(steps)
    return Scene((data_panel(problem), view.panel, spectrum), marks, frames, notes, (handle,), _legend(steps[-1]))


def _drawn(steps: Sequence[Step]) -> tuple[Sequence[Step], tuple[str, ...]]:
    """Return the steps that are shown, and a note if there are so many eigenvectors that some are left out."""
    vectors = [step for step in steps if step.phase == "eigenvector"]
    kept = thin(len(vectors), MOST_EIGENVECTORS)
    wanted = {vectors[i].index for i in kept if vectors}
    return [step for step in steps if step.phase != "eigenvector" or step.index in wanted], thinned_note(kept)


# The plane ------------------------------------------------------------------------------------------------------------


def _rows(graph: SimilarityGraph, steps: Sequence[Step]) -> Points:
    """Return the rows: as large as their degrees, then as the entries of an eigenvector, then in their clusters."""
    n_clusters = _n_clusters(steps[-1])
    none, normal = np.array([NO_CLASS], np.uint8), np.array([NORMAL])
    colors: list[NDArray[Any]] = []
    sizes: list[Floats] = []
    for step in steps:
        color: NDArray[Any] = none
        size = normal
        if step.labels is not None:
            color = step.labels
        elif step.phase == "laplacian":
            size = _radii(np.sqrt(graph.degrees))
        elif step.phase == "eigenvector" and step.vectors is not None:
            entries = step.vectors[:, -1]
            color, size = _signs(entries, n_clusters), _radii(np.abs(entries))
        colors.append(color)
        sizes.append(size)
    names = [f"cluster {j + 1}" for j in range(n_clusters)]
    if n_clusters < NO_CLASS - 1:
        names += ["entry above 0", "entry below 0"]
    opacity = _one_by_one(graph.problem)
    return data_points(graph.problem, color=PerFrame(colors), size=PerFrame(sizes), opacity=opacity, classes=names)


def _one_by_one(problem: Problem) -> Floats:
    """Return an opacity for each row: such points are painted one over the other, and heaps of them stay visible."""
    return np.ones(len(problem.X))


def _signs(entries: Floats, n_clusters: int) -> NDArray[np.uint8]:
    """Return the classes after those of the clusters: one for entries above 0, one for those below, none at 0."""
    zero = np.abs(entries) <= CONSTANT * np.abs(entries).max()
    if n_clusters >= NO_CLASS - 1:
        return np.full(len(entries), NO_CLASS, np.uint8)
    return np.where(zero, NO_CLASS, np.where(entries > 0, n_clusters, n_clusters + 1)).astype(np.uint8)


def _radii(values: Floats) -> Floats:
    radii: Floats = SMALLEST + (LARGEST - SMALLEST) * values / (values.max(initial=0.0) or 1.0)
    return radii


def _n_clusters(end: Step) -> int:
    return 0 if end.labels is None else int(end.labels.max()) + 1


def _legend(end: Step) -> tuple[Key, ...]:
    k = _n_clusters(end)
    if k > LEGEND:
        return ()
    names = [*(f"cluster {j + 1}" for j in range(k)), "entry above 0", "entry below 0"]
    return tuple(Key(name, j) for j, name in enumerate(names))


# The embedding --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class View:
    """How the embedding is looked at."""

    columns: tuple[int, ...]  # the one or two eigenvectors on the axes
    # (n_samples,): with one eigenvector, the place of each row in the order of its entries, which is drawn on the
    # other axis
    ranks: Floats | None
    exact: bool  # whether all eigenvectors that tell rows apart are shown
    panel: Panel
    notes: tuple[str, ...]  # what is not seen

    def project(self, E: Floats, labels: NDArray[Any] | None = None) -> Floats:
        """Return the places of points of the embedding; with ``labels``, of the centres of these clusters."""
        if self.ranks is None:
            return E[:, list(self.columns)]
        across = self.ranks
        if labels is not None:
            sizes = np.maximum(np.bincount(labels, minlength=len(E)), 1)
            across = np.bincount(labels, self.ranks, minlength=len(E)) / sizes
        elif len(E) != len(across):
            across = np.full(len(E), (len(across) + 1) / 2)
        return np.column_stack([across, E[:, self.columns[0]]])


def _view(end: Step, chosen: str) -> View:
    E, V = (np.empty((0, 0)) if array is None else array for array in (end.embedding, end.vectors))
    k = E.shape[1]
    varies = np.flatnonzero(np.ptp(E, axis=0) > CONSTANT * np.abs(E).max(axis=0)).tolist()
    columns: tuple[int, ...] = tuple(varies[:2] or [0])
    if max(AXES[chosen], default=k) < k:
        columns = AXES[chosen]
    axes = [_entries_axis(j, E, V) for j in columns]
    notes: tuple[str, ...] = ()
    exact = set(varies) <= set(columns)
    if not exact:
        shown = " and ".join(str(j + 1) for j in columns)
        notes = (f"k-means counts all {k} eigenvectors; the picture shows numbers {shown}.",)
    if len(axes) == 2:
        return View(columns, None, exact, Panel("embedding", axes[0], axes[1], title="Embedding"), notes)
    if k > 1:
        notes = ("Only one eigenvector distinguishes rows, so the embedding shows them in the order of their entries.",)
    ranks = np.argsort(np.argsort(E[:, columns[0]], kind="stable"), kind="stable").astype(float) + 1
    across = Axis("rows, in the order of their entries", 0.0, len(E) + 1.0, integer=True)
    return View(columns, ranks, False, Panel("embedding", across, axes[0], title="Embedding"), notes)


def _entries_axis(column: int, E: Floats, V: Floats) -> Axis:
    """Return the axis of one eigenvector; 0 is in view, where rows are before it is taken."""
    return Axis(f"eigenvector {column + 1}", *bounds([0.0, *E[:, column], *V[:, column]]))


def _embedded(problem: Problem, steps: Sequence[Step], view: View) -> list[Mark]:
    """Return the rows as points of the embedding, and the centres of k-means with their moves."""
    x, y = xy(_places(step, view) for step in steps)
    centers = [_centers(step, view) for step in steps[:-1]]
    centers.append(centers[-1])
    marks: list[Mark] = []
    center_x, center_y = xy(centers)
    if view.exact:
        marks.append(Cells(panel="embedding", x=center_x, y=center_y))
    none = np.array([NO_CLASS], np.uint8)
    color = PerFrame([none if step.labels is None else step.labels for step in steps])
    size, opacity = PerFrame([_drawing(step) for step in steps]), _one_by_one(problem)
    marks.append(Points(panel="embedding", x=x, y=y, color=color, labels=problem.labels, size=size, opacity=opacity))
    marks.append(displacements(centers, [step.phase == "update" for step in steps], panel="embedding"))
    k = _n_clusters(steps[-1])
    names = [f"centre {j + 1}" for j in range(k)]
    color = PerFrame([np.arange(len(place)) for place in centers])
    marks.append(Points(panel="embedding", x=center_x, y=center_y, color=color, labels=names, emphasis=True))
    return marks


def _places(step: Step, view: View) -> Floats:
    """Return where the rows are in the embedding: while eigenvectors are taken, 0 in those that are missing."""
    if step.embedding is not None:
        return view.project(step.embedding)
    if step.vectors is None or step.vectors.shape[1] <= view.columns[0]:
        return NOTHING
    known = np.zeros((len(step.vectors), max(view.columns) + 1))
    known[:, : step.vectors.shape[1]] = step.vectors[:, : known.shape[1]]
    return view.project(known)


def _drawing(step: Step) -> Floats:
    """Return the radii: while k-means++ draws, the area of a row is its probability."""
    squares = None if step.kmeans is None else step.kmeans.distances
    return np.array([SMALL]) if squares is None else _radii(np.sqrt(squares))


def _centers(step: Step, view: View) -> Floats:
    if step.kmeans is None:
        return NOTHING
    chosen = np.isfinite(step.kmeans.centers).all(axis=1)
    return view.project(step.kmeans.centers[chosen], step.kmeans.labels)


# The eigenvalues ------------------------------------------------------------------------------------------------------


def _eigenvalue_panel(end: Step) -> tuple[Panel, Handle]:
    """Return the panel of the eigenvalues, and the line in it that sets the number of clusters."""
    values = np.zeros(1) if end.eigenvalues is None else end.eigenvalues
    k, n = _n_clusters(end), len(values)
    panel = Panel(
        "eigenvalues",
        Axis("number", 0.5, n + 0.5, integer=True),
        Axis("eigenvalue", *bounds([0.0, *values])),
        title="Smallest eigenvalues",
        side=True,
    )
    return panel, Handle("n_clusters", "eigenvalues", f"k = {k}", "x", float(min(k, n)), None)


def _eigenvalue_marks(steps: Sequence[Step]) -> list[Mark]:
    """Return the eigenvalues, those filled whose eigenvectors are taken, and the gap after the last of them."""
    nothing = np.empty(0)
    known = [nothing if step.eigenvalues is None else step.eigenvalues for step in steps]
    taken = [0 if step.vectors is None else step.vectors.shape[1] for step in steps]
    x = [np.arange(1.0, len(values) + 1) for values in known]
    hollow = [(place > n).astype(np.uint8) for place, n in zip(x, taken, strict=True)]
    gaps = [values[n - 1 : n + 1] if 0 < n < len(values) else nothing for values, n in zip(known, taken, strict=True)]
    at = [np.full(len(gap) // 2, n + 0.5) for gap, n in zip(gaps, taken, strict=True)]
    low, high = (PerFrame([gap[end::2] for gap in gaps]) for end in (0, 1))
    return [
        Segments(panel="eigenvalues", x0=PerFrame(at), y0=low, x1=PerFrame(at), y1=high, color=[0], width=3.0),
        Points(panel="eigenvalues", x=PerFrame(x), y=PerFrame(known), color=[0], hollow=PerFrame(hollow)),
    ]
