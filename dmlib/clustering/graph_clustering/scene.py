"""Threshold graph clustering as a picture: edges that merge, and the number of components."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.clustering.density_scene import cluster_keys
from dmlib.clustering.graph_clustering.algorithm import (
    Indices,
    ThresholdGraphClustering,
    ThresholdGraphClusteringStep,
    spanning_forest,
)
from dmlib.clustering.graph_clustering.ledger import Narrator
from dmlib.pictures.data.graph import MAX_NAMES, NODE, SMALL_NODE, graph_names, graph_panel
from dmlib.pictures.marks import NO_CLASS, Line, Points, Segments
from dmlib.pictures.places import line_through, points_at, segments_between
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Key, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, needs_steps, story
from dmlib.pictures.words import num
from dmlib.problem import GraphProblem

MAX_FRAMES = 150
FAINT, STRONG, LIT = 0.75, 3.0, 9.0  # widths in pixels
SINGLE = Key("single node", NO_CLASS, 0, hollow=True)


@needs_steps
def graph_clustering_scene(run: Run[GraphProblem, ThresholdGraphClustering]) -> Scene:
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
    edges = np.array([step.edge for step in steps if step.edge], np.intp).reshape(-1, 2)
    colors = _colors(steps)
    last_codes = np.where(colors[-1] == NO_CLASS, -1, colors[-1].astype(int))
    numbers, names = np.arange(len(problem.edges)) + 1, graph_names(problem)
    all_edges = _edges(problem, problem.edges, width=FAINT, numbers=numbers, of="edge")
    narrator, curve = Narrator(run), ThresholdCurve(run)

    def draw(moment: Moment) -> Drawing:
        step: ThresholdGraphClusteringStep = moment.step
        kept_edges, node_colors = edges[: step.n_kept], colors[moment.index]
        marks = (
            all_edges,
            _outline(problem, step),
            _edges(problem, kept_edges, color=node_colors[kept_edges[:, 0]], width=STRONG),
            _nodes(problem, node_colors),
            *names,
            curve.line(),
            curve.point(step),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(graph_panel(problem), curve.panel()),
        legend=(*cluster_keys(last_codes), SINGLE),
        handles=(curve.handle(),),
        notes=_notes(problem),
        max_frames=MAX_FRAMES,
    )


# Nodes and edges
# ---------------------------------------------------------------------------------------------


def _colors(steps: Sequence[ThresholdGraphClusteringStep]) -> NDArray[np.uint8]:
    """Return the colour of each node after each step, shape (n_steps, n_nodes).

    Colours are named so that the clusters at the end have those of their labels.
    """
    codes = _component_codes(steps)
    if steps[-1].labels is not None and codes.max() >= 0:
        codes = _renamed(codes, steps[-1].labels)
    return np.where(codes >= 0, codes % NO_CLASS, NO_CLASS).astype(np.uint8)


def _component_codes(steps: Sequence[ThresholdGraphClusteringStep]) -> Indices:
    """Return a number for the component of each node after each step, -1 for single nodes.

    A component keeps the number of its larger part.
    """
    codes = np.full((len(steps), len(steps[0].components)), -1)
    current = codes[0].copy()
    for i, step in enumerate(steps):
        if step.phase == "merge" and step.edge is not None:
            parts = zip(step.sizes, current[list(step.edge)].tolist(), strict=True)
            _, code = max(parts, key=lambda part: part[0])
            if code < 0:
                code = next(unused for unused in range(len(current) + 1) if unused not in current)
            current[step.components == step.components[step.edge[0]]] = code
        codes[i] = current
    return codes


def _renamed(codes: Indices, labels: Indices) -> Indices:
    """Return codes of which those of the last step are the labels."""
    last = codes[-1]
    is_named = last >= 0
    names = dict(zip(last[is_named].tolist(), labels[is_named].tolist(), strict=True))
    n_codes = codes.max() + 1
    unused = (code for code in range(n_codes + len(last)) if code not in names.values())
    new = [names[code] if code in names else next(unused) for code in range(n_codes)]
    return np.where(codes >= 0, np.array(new)[codes], -1)


def _edges(problem: GraphProblem, edges: Indices, **attributes: Any) -> Segments:
    ends = problem.positions[edges]
    return segments_between(ends[:, 0], ends[:, 1], **attributes)


def _outline(problem: GraphProblem, step: ThresholdGraphClusteringStep) -> Line:
    """Return the outline of the edge of a step; the edge itself is drawn on it, in its colour."""
    return line_through(problem.positions[list(step.edge or ())], color="ink", width=LIT)


def _nodes(problem: GraphProblem, colors: NDArray[np.uint8]) -> Points:
    return points_at(
        problem.positions,
        color=colors,
        hollow=(colors == NO_CLASS).astype(np.uint8),
        size=[NODE if len(problem.names) <= MAX_NAMES else SMALL_NODE],
        labels=problem.labels,
        data=True,
        numbers=problem.rows + 1,
        of="node",
    )


# The number of components against the threshold
# -----------------------------------------------------------------------


class ThresholdCurve:
    """The number of components for each threshold.

    Parameters
    ----------
    run : Run
        The run; one that was stopped has the whole curve too.
    """

    def __init__(self, run: Run[GraphProblem, ThresholdGraphClustering]) -> None:
        problem, self._threshold = run.problem, run.model.threshold
        self._n_nodes = len(problem.names)
        self._low = min(0.0, float(problem.weights.min(initial=0.0)))
        self._high = 1.08 * float(problem.weights.max(initial=0.0)) or 1.0
        heights = np.sort(spanning_forest(problem.graph, run.model.weights)[1])
        self._weights = np.unique(heights)
        n_up_to = np.searchsorted(heights, self._weights, "right")
        self._n_merges = np.concatenate([[0], n_up_to])  # at weights up to each
        if run.model.weights == "similarity":
            self._n_merges = len(heights) - self._n_merges

    def panel(self) -> Panel:
        """Return the panel of the curve."""
        # Above the curve there is room for the line's name.
        components = Axis("components", 0.0, self._n_nodes * 1.4 + 0.5, integer=True)
        threshold = Axis("threshold", self._low, self._high)
        title = "Components: drag the line"
        return Panel("count", threshold, components, title=title, side=True)

    def handle(self) -> Handle:
        """Return the line that sets the threshold."""
        label = f"threshold = {num(self._threshold)}"
        return Handle("threshold", "count", label, "x", self._place, None)

    @property
    def _place(self) -> float:
        return float(min(max(self._threshold, self._low), self._high))

    def line(self) -> Line:
        """Return the curve."""
        x = np.concatenate([[self._low], np.repeat(self._weights, 2), [self._high]])
        y = self._n_nodes - np.repeat(self._n_merges, 2)
        return line_through(np.column_stack([x, y]), panel="count", color="ink")

    def point(self, step: ThresholdGraphClusteringStep) -> Points:
        """Return the place of a step on the curve."""
        x = self._place if step.edge is None else step.weight
        return points_at(
            [[x, step.n_components]], panel="count", color=[NO_CLASS], size=[5.0], emphasis=True
        )


def _notes(problem: GraphProblem) -> tuple[str, ...]:
    notes = []
    if not problem.weighted and len(problem.edges):
        effect = "a threshold keeps all of them or none"
        advice = "choose a graph with weights, or raise the maximum weight of the generator"
        notes.append(f"Every edge weighs {num(problem.weights[0])}, so {effect}: {advice}.")
    if problem.directed:
        notes.append("The directions of the edges do not count.")
    return tuple(notes)
