"""Many graphs as a picture: the kernel matrix, cell by cell, and the neighbours that vote."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.pictures.data.graph import bond_notes, graph_edges, graph_panel
from dmlib.pictures.marks import NO_CLASS, Mark, Raster, Texts
from dmlib.pictures.places import line_through, points_at, segments_between, visible_where
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene
from dmlib.pictures.story import Moment, Plot, draw_plots, frames_by_phase, story
from dmlib.problem import GraphProblem
from dmlib.similarity.graphs_similarity.classifier_ledger import GraphSet, Narrator
from dmlib.similarity.graphs_similarity.graph_classifier import (
    GraphClassifierStep,
    GraphKernelClassifier,
)

FAINT = 0.2  # opacity of graphs that a step is not about
MAX_CELLS = 120  # frames of the matrix
MAX_TICKS = 24
MAX_NAMES = 24  # graphs; of more only the marks, right or wrong, are written
BELOW, LINE = 14.0, 13.0  # from the lowest node to the name, and to the next line, in pixels
SIZE, SMALL_SIZE = 5.5, 3.5  # radius of a node in pixels, of more graphs than that the small one
PALEST = 30  # shade of the smallest value, which a cell without one does not have
NAME = "kernel"


def classifier_scene(run: Run[GraphProblem, GraphKernelClassifier]) -> Scene:
    """Draw a run of :class:`dmlib.similarity.GraphKernelClassifier`.

    Examples
    --------
    >>> from dmlib.datasets import make
    >>> from dmlib.problem import prepare_graph
    >>> data = make("rings_and_trees", n_graphs=4)
    >>> problem = prepare_graph(data.graph, target=data.target)
    >>> classifier_scene(Run.of(problem, GraphKernelClassifier(n_neighbors=1))).frames[-1].phase
    'done'
    """
    graphs = GraphSet(run.problem)
    steps = run.trace.steps
    matrix = _matrix_plot(graphs, steps[-1])
    nodes = Plot(graph_panel(run.problem), lambda moment: _graph_marks(graphs, moment.step))
    numbers, note = frames_by_phase(steps, {("kernel",): MAX_CELLS})
    keys = [Key(str(name), code) for code, name in enumerate(graphs.classes)]
    atoms = [Key(name, NO_CLASS, code) for code, name in enumerate(graphs.atoms) if name]
    return story(
        run,
        draw_plots([nodes, matrix], Narrator(run, graphs).caption_and_ledger),
        panels=(nodes.panel, matrix.panel),
        legend=(*keys, *atoms),
        numbers=numbers,
        notes=(*note, *bond_notes(run.problem)),
    )


def _graph_marks(graphs: GraphSet, step: GraphClassifierStep) -> list[Mark]:
    """Return all graphs, those of a step strong, with links from one to its neighbours."""
    problem = graphs.problem
    active = set(step.pair or ())
    if step.graph is not None:
        active = {step.graph, *step.neighbors}
    is_active = np.isin(graphs.graph_of, list(active)) | (not active)
    starts = [] if step.graph is None else [step.graph] * len(step.neighbors)
    centers, ends = graphs.centers, np.array(step.neighbors, np.intp)
    return [
        segments_between(centers[starts], centers[ends], arrow=True, width=2.0),
        *graph_edges(problem),
        points_at(
            problem.positions,
            color=graphs.codes[graphs.graph_of],
            symbol=graphs.symbols,
            opacity=np.where(is_active, 1.0, FAINT),
            size=[SIZE if len(graphs.names) <= MAX_NAMES else SMALL_SIZE],
            labels=problem.labels,
            data=True,
        ),
        *_names(graphs, step),
    ]


def _names(graphs: GraphSet, step: GraphClassifierStep) -> list[Texts]:
    """Return the name of each graph, and below it a mark once it is classified: right, or wrong."""
    is_classified, is_right = step.predicted >= 0, step.predicted == graphs.codes
    x, y = graphs.captions.T
    is_named = len(x) <= MAX_NAMES
    names = [Texts(x=x, y=y, text=graphs.names, dy=BELOW, halo=True, of="")] if is_named else []
    below: dict[str, Any] = {"x": x, "y": y, "dy": BELOW + LINE * is_named, "halo": True, "of": ""}
    masks = {"✓": is_right, "✗": is_classified & ~is_right}
    signs = [
        visible_where(mask, Texts(text=[sign] * len(x), **below)) for sign, mask in masks.items()
    ]
    return [*names, *signs]


def _matrix_plot(graphs: GraphSet, end: GraphClassifierStep) -> Plot:
    """Return the kernel matrix as a heat map, filled cell by cell."""
    n = len(graphs.names)
    low, high = float(end.matrix.min()), float(end.matrix.max())
    shares = (end.matrix - low) / ((high - low) or 1.0)
    shades = np.round(PALEST + (255 - PALEST) * shares).astype(np.uint8)
    rows, columns = np.tril_indices(n)
    ticks: Sequence[str] = graphs.names if n <= MAX_TICKS else ("",)
    x = Axis("graph", -0.5, n - 0.5, ticks=ticks)
    y = Axis("", -0.5, n - 0.5, ticks=ticks[::-1])
    panel = Panel(NAME, x, y, title="Kernel matrix", equal=True, side=True)

    def marks(moment: Moment) -> list[Mark]:
        step: GraphClassifierStep = moment.step
        pixels = np.zeros((n, n), np.uint8)
        i, j = rows[: step.n_cells], columns[: step.n_cells]
        pixels[i, j] = pixels[j, i] = shades[i, j]
        image = Raster(
            panel=NAME,
            pixels=pixels.ravel(),
            width=n,
            height=n,
            extent=panel.extent,
            ramp=True,
            opacity=0.9,
            crisp=True,
        )
        return [image, line_through(_frames(step, n), panel=NAME, color="accent", width=2.5)]

    return Plot(panel, marks)


def _frames(step: GraphClassifierStep, n: int) -> list[tuple[float, float]]:
    """Return the outlines of the cells of a step; of a graph that is classified, its row."""
    if step.graph is not None:
        return _box(-0.5, n - 0.5, n - 1 - step.graph)
    if step.phase == "done" or step.pair is None:
        return []
    i, j = step.pair
    gap = [(np.nan, np.nan)]
    return [*_box(j - 0.5, j + 0.5, n - 1 - i), *gap, *_box(i - 0.5, i + 0.5, n - 1 - j)]


def _box(x0: float, x1: float, row: float) -> list[tuple[float, float]]:
    low, high = row - 0.5, row + 0.5
    return [(x0, low), (x1, low), (x1, high), (x0, high), (x0, low)]
