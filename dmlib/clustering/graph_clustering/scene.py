"""Threshold graph clustering as a picture: edges join by weight, and a line on a step curve sets the threshold."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dmlib.clustering.graph_clustering.algorithm import Indices, ThresholdGraphClusteringStep, spanning_forest
from dmlib.clustering.graph_clustering.ledger import Teller
from dmlib.pictures.data.graph import MOST_NAMES, NODE, SMALL_NODE, graph_names, graph_panel, graph_scene
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points, Segments
from dmlib.pictures.motion import during, per_frame, thin, thinned_note
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Key, Panel, Scene
from dmlib.pictures.words import num
from dmlib.problem import GraphProblem

MOST_FRAMES = 150
FAINT, STRONG, LIT = 0.75, 3.0, 9.0  # widths in pixels
LEGEND = (Key("cluster of two or more nodes", 0), Key("single node", NO_CLASS, 0, hollow=True))


def graph_clustering_scene(run: Run) -> Scene:
    """Draw a run of threshold graph clustering.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.clustering.ThresholdGraphClustering`.

    Returns
    -------
    Scene
        One frame for each kept edge, and one for the end; of very many, some.

    Examples
    --------
    >>> import networkx as nx
    >>> from dmlib.clustering import ThresholdGraphClustering
    >>> from dmlib.problem import prepare_graph
    >>> problem = prepare_graph(nx.Graph([(1, 2, {"weight": 9}), (2, 3, {"weight": 4})]))
    >>> scene = graph_clustering_scene(Run.of(problem, ThresholdGraphClustering(5)))
    >>> [frame.phase for frame in scene.frames]
    ['merge', 'done']
    """
    problem, steps = run.problem, run.trace.steps
    if not steps:
        return graph_scene(problem)
    shown = thin(len(steps), MOST_FRAMES)
    colors = _colors(steps)
    panel, handle, curve = _curve(run)
    marks = (
        *_faint(problem),
        _lit(problem, [steps[i] for i in shown]),
        _kept(problem, steps, shown, colors),
        _nodes(problem, colors[shown]),
        *graph_names(problem),
        curve,
        _state(run, [steps[i] for i in shown], (handle.x or 0.0)),
    )
    teller = Teller(run)
    frames = [teller.frame(steps[i]) for i in shown]
    notes = (*problem.notes, *_notes(problem), *thinned_note(shown))
    return Scene((graph_panel(problem), panel), marks, frames, notes, (handle,), LEGEND)


# Nodes and edges ------------------------------------------------------------------------------------------------------


def _colors(steps: Sequence[ThresholdGraphClusteringStep]) -> NDArray[np.uint8]:
    """Return the colour of each node after each step: a component keeps the one of its larger part.

    Colours are named so that the clusters at the end have those of their labels.
    """
    codes = np.full((len(steps), len(steps[0].components)), -1)
    now = codes[0].copy()
    for i, step in enumerate(steps):
        if step.phase == "merge" and step.edge is not None:
            parts = sorted(zip(step.sizes, now[list(step.edge)].tolist(), strict=True), key=lambda part: -part[0])
            unused = next(code for code in range(len(now) + 1) if code not in now)
            now[step.components == step.components[step.edge[0]]] = unused if parts[0][1] < 0 else parts[0][1]
        codes[i] = now
    final = steps[-1].labels
    if final is not None and codes.max() >= 0:
        renamed = dict(zip(now[now >= 0].tolist(), final[now >= 0].tolist(), strict=True))
        others = (code for code in range(codes.max() + len(now)) if code not in renamed.values())
        names = np.array([renamed[code] if code in renamed else next(others) for code in range(codes.max() + 1)])
        codes = np.where(codes >= 0, names[codes], -1)
    return np.where(codes >= 0, codes % NO_CLASS, NO_CLASS).astype(np.uint8)


def _ends(problem: GraphProblem, pairs: Indices) -> tuple[NDArray[np.float64], ...]:
    (x0, y0), (x1, y1) = (problem.positions[pairs[:, side]].T for side in (0, 1))
    return x0, y0, x1, y1


def _faint(problem: GraphProblem) -> tuple[Mark, ...]:
    x0, y0, x1, y1 = _ends(problem, problem.edges)
    return (Segments(x0=x0, y0=y0, x1=x1, y1=y1, width=FAINT),)


def _kept(
    problem: GraphProblem,
    steps: Sequence[ThresholdGraphClusteringStep],
    shown: Indices,
    colors: NDArray[np.uint8],
) -> Segments:
    """Return the kept edges, each from its step on, in the colour of its component."""
    pairs = np.array([step.edge for step in steps if step.edge is not None], np.intp).reshape(-1, 2)
    x0, y0, x1, y1 = _ends(problem, pairs)
    there = during(x0, np.arange(len(pairs)), len(steps), shown)
    return Segments(x0=there, y0=y0, x1=x1, y1=y1, color=per_frame(colors[shown][:, pairs[:, 0]]), width=STRONG)


def _lit(problem: GraphProblem, steps: Sequence[ThresholdGraphClusteringStep]) -> Line:
    """Return the outline of the edge of each step; the edge itself is drawn on it, in its colour."""
    places = [problem.positions[list(step.edge or ())].reshape(-1, 2) for step in steps]
    return Line(
        x=PerFrame([place[:, 0] for place in places]),
        y=PerFrame([place[:, 1] for place in places]),
        color="ink",
        width=LIT,
    )


def _nodes(problem: GraphProblem, colors: NDArray[np.uint8]) -> Points:
    x, y = problem.positions.T
    size = NODE if len(problem.names) <= MOST_NAMES else SMALL_NODE
    single = per_frame((colors == NO_CLASS).astype(np.uint8))
    return Points(x=x, y=y, color=per_frame(colors), hollow=single, size=[size], labels=problem.labels, data=True)


# The number of components against the threshold -----------------------------------------------------------------------


def _curve(run: Run) -> tuple[Panel, Handle, Line]:
    """Return the panel of the step curve, the line in it that sets the threshold, and the curve."""
    heights = np.sort(spanning_forest(run.problem.graph, run.model.weights)[1])  # a stopped run has them too
    threshold = run.model.threshold
    n_nodes = len(run.problem.names)
    largest = float(run.problem.weights.max(initial=0.0))
    low, high = min(0.0, float(run.problem.weights.min(initial=0.0))), 1.08 * largest or 1.0
    x = np.concatenate([[low], np.repeat(np.unique(heights), 2), [high]])
    merged = np.searchsorted(heights, np.unique(heights), "right")
    passed = np.concatenate([[0], merged])  # merges at weights up to each
    joined = len(heights) - passed if run.model.weights == "similarity" else passed
    panel = Panel(
        "count",
        Axis("threshold", low, high),
        Axis("components", 0.0, n_nodes * 1.4 + 0.5, integer=True),  # above the curve there is room for the line's name
        title="Components: drag the line",
        side=True,
    )
    place = min(max(threshold, low), high)
    handle = Handle("threshold", "count", f"threshold = {num(threshold)}", "x", place, None)
    return panel, handle, Line(panel="count", x=x, y=n_nodes - np.repeat(joined, 2).astype(float), color="ink")


def _state(run: Run, steps: Sequence[ThresholdGraphClusteringStep], end: float) -> Points:
    """Return the place on the curve of each step."""
    x = [np.array([end if step.edge is None else step.weight]) for step in steps]
    y = [np.array([float(step.n_components)]) for step in steps]
    return Points(panel="count", x=PerFrame(x), y=PerFrame(y), color=[NO_CLASS], size=[5.0], emphasis=True)


def _notes(problem: GraphProblem) -> tuple[str, ...]:
    notes = []
    if not problem.weighted and len(problem.edges):
        notes.append(
            f"Every edge weighs {num(problem.weights[0])}, so a threshold keeps all of them or none: choose a graph "
            "with weights, or raise the maximum weight of the generator."
        )
    if problem.directed:
        notes.append("The directions of the edges do not count.")
    return tuple(notes)
