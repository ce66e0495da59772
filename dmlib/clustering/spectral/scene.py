"""Spectral clustering as a picture: the graph in the plane, the eigenvalues, and the embedding."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.clustering.centers_scene import numbered
from dmlib.clustering.spectral.algorithm import SpectralClustering
from dmlib.clustering.spectral.algorithm import SpectralClusteringStep as Step
from dmlib.clustering.spectral.edges_scene import SimilarityGraph, cut_edges, edge_marks, edges_note
from dmlib.clustering.spectral.embedding_scene import (
    CONSTANT,
    OPTIONS,
    embedding_marks,
    embedding_view,
    one_by_one,
    radii,
)
from dmlib.clustering.spectral.ledger import Narrator
from dmlib.pictures.data.graph import graph_names, graph_panel
from dmlib.pictures.marks import NO_CLASS, Mark, Points, Segments
from dmlib.pictures.options import chosen
from dmlib.pictures.plane import data_panel, data_points, view_note
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Key, Panel, Scene, bounds
from dmlib.pictures.story import Drawing, Moment, data_alone, frames_by_phase, story
from dmlib.problem import GraphProblem, Problem

NORMAL = 4.5  # radius in pixels
MAX_KEYS = 6  # clusters that the legend names
MAX_EIGENVECTORS = 20  # that have a frame of their own


def spectral_scene(run: Run[Problem | GraphProblem, SpectralClustering]) -> Scene:
    """Draw spectral clustering.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.clustering.SpectralClustering`; see :data:`OPTIONS`.

    Returns
    -------
    Scene
        One frame for the graph, the Laplacian, each eigenvector, the embedding, each step of
        k-means, and the cut.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import SpectralClustering
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 3.0, 4.0], "b": [0.0, 0.0, 0.0, 0.0]})
    >>> problem = prepare(frame, ["a", "b"])
    >>> scene = spectral_scene(Run.of(problem, SpectralClustering(2, random_state=0)))
    >>> [frame.phase for frame in scene.frames][:5]
    ['graph', 'laplacian', 'eigenvector', 'eigenvector', 'embedding']
    >>> scene.frames[-1].caption
    'Done: the 2 clusters cut edges of the weight 0.01856 of 0.7543 in all, 2.5 %.'
    """
    problem, steps = run.problem, run.trace.steps
    if not steps or steps[-1].phase != "cut":
        return data_alone(run)
    end: Any = steps[-1]
    numbers, thinned_note = frames_by_phase(steps, {("eigenvector",): MAX_EIGENVECTORS})
    graph = SimilarityGraph(problem, end.affinity, end.degrees, end.components)
    view = embedding_view(end, chosen(run, OPTIONS)["axes"])
    params = run.model.get_params() | {"scales_rows": run.model.scales_rows}
    narrator = Narrator(graph, params, end.embedding, run.selected)
    n_clusters = int(end.labels.max()) + 1
    names = graph_names(problem) if isinstance(problem, GraphProblem) else []

    def draw(moment: Moment) -> Drawing:
        step: Step = moment.step
        marks = (
            *edge_marks(graph, step.labels),
            cut_edges(graph, step.labels if step.phase == "cut" else None),
            _rows(graph, step, n_clusters),
            *embedding_marks(problem, view, step, moment.before, n_clusters),
            *_eigenvalue_marks(step),
            *names,
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(_panel(problem), view.panel, _eigenvalue_panel(end.eigenvalues)),
        numbers=numbers,
        legend=_legend(n_clusters),
        handles=(_handle(n_clusters, len(end.eigenvalues)),),
        notes=(*edges_note(graph), *_view_note(problem), *view.notes, *thinned_note),
    )


def _panel(problem: Problem | GraphProblem) -> Panel:
    return graph_panel(problem, 0.16) if isinstance(problem, GraphProblem) else data_panel(problem)


def _view_note(problem: Problem | GraphProblem) -> tuple[str, ...]:
    if isinstance(problem, GraphProblem):
        return ("The directions of the edges do not count.",) if problem.directed else ()
    return view_note(problem, "joined rows may look far apart", "Similarities")


def _rows(graph: SimilarityGraph, step: Step, n_clusters: int) -> Points:
    """Return the rows: sized by degree, then by an eigenvector, then coloured by cluster."""
    color: NDArray[Any] = np.array([NO_CLASS], np.uint8)
    size = np.array([NORMAL])
    if step.labels is not None:
        color = step.labels
    elif step.phase == "laplacian":
        size = radii(np.sqrt(graph.degrees))
    elif step.phase == "eigenvector" and step.vectors is not None:
        entries = step.vectors[:, -1]
        color, size = _signs(entries, n_clusters), radii(np.abs(entries))
    problem, names = graph.problem, numbered("cluster", n_clusters)
    if n_clusters < NO_CLASS - 1:
        names += ["entry above 0", "entry below 0"]
    return data_points(problem, color=color, size=size, opacity=one_by_one(problem), classes=names)


def _signs(entries: Floats, n_clusters: int) -> NDArray[np.uint8]:
    """Return the classes by the sign of an eigenvector, after those of the clusters; none at 0."""
    if n_clusters >= NO_CLASS - 1:
        return np.full(len(entries), NO_CLASS, np.uint8)
    is_zero = np.abs(entries) <= CONSTANT * np.abs(entries).max()
    signs = np.where(entries > 0, n_clusters, n_clusters + 1)
    return np.where(is_zero, NO_CLASS, signs).astype(np.uint8)


def _legend(n_clusters: int) -> tuple[Key, ...]:
    if n_clusters > MAX_KEYS:
        return ()
    signs = "entry above 0", "entry below 0"
    names = [*numbered("cluster", n_clusters), *signs]
    return tuple(Key(name, j) for j, name in enumerate(names))


def _eigenvalue_panel(values: Floats) -> Panel:
    return Panel(
        "eigenvalues",
        Axis("number", 0.5, len(values) + 0.5, integer=True),
        Axis("eigenvalue", *bounds([0.0, *values])),
        title="Smallest eigenvalues",
        side=True,
    )


def _handle(n_clusters: int, n_values: int) -> Handle:
    """Return the line among the eigenvalues that sets the number of clusters."""
    x = float(min(n_clusters, n_values))
    return Handle("n_clusters", "eigenvalues", f"k = {n_clusters}", "x", x, None)


def _eigenvalue_marks(step: Step) -> tuple[Mark, ...]:
    """Return the eigenvalues, those of the embedding filled, and the gap after the last."""
    values = np.empty(0) if step.eigenvalues is None else step.eigenvalues
    n_taken = 0 if step.vectors is None else step.vectors.shape[1]
    gap = values[n_taken - 1 : n_taken + 1] if 0 < n_taken < len(values) else values[:0]
    x, numbers = np.full(len(gap) // 2, n_taken + 0.5), np.arange(1.0, len(values) + 1)
    return (
        Segments(panel="eigenvalues", x0=x, y0=gap[::2], x1=x, y1=gap[1::2], color=[0], width=3.0),
        Points(
            panel="eigenvalues",
            x=numbers,
            y=values,
            color=[0],
            hollow=(numbers > n_taken).astype(np.uint8),
        ),
    )
