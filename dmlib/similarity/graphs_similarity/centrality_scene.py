"""Centralities as a picture: nodes as large as their scores, and bars of the largest ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.pictures.data.graph import graph_edges, graph_names, graph_panel
from dmlib.pictures.marks import Points, Rects
from dmlib.pictures.places import points_at
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, Plot, story
from dmlib.problem import GraphProblem
from dmlib.similarity.graphs_similarity.centrality import CentralityStep
from dmlib.similarity.graphs_similarity.centrality_ledger import NAMES, Narrator
from dmlib.similarity.graphs_similarity.nodes_scene import bars

MAX_FRAMES, MAX_BARS = 120, 8
SMALLEST, LARGEST = 3.0, 18.0  # radius in pixels


def centrality_scene(run: Run[GraphProblem, Any]) -> Scene:
    """Draw a run of :class:`dmlib.similarity.NodeCentrality`.

    Examples
    --------
    >>> import networkx as nx
    >>> from dmlib.problem import prepare_graph
    >>> from dmlib.similarity import NodeCentrality
    >>> scene = centrality_scene(Run.of(prepare_graph(nx.star_graph(3)), NodeCentrality("degree")))
    >>> scene.frames[-1].caption
    'Done. Node 0 has the largest degree centrality, 1.'
    """
    problem, steps = run.problem, run.trace.steps
    top = max(float(step.scores.max()) for step in steps) or 1.0
    narrator = Narrator(run)
    largest = _largest_plot(run, narrator.names, top)
    edges = graph_edges(problem, (1.0, 1.0, 1.0))
    names = graph_names(problem, dy=-LARGEST - 5)[:1]

    def draw(moment: Moment) -> Drawing:
        step: CentralityStep = moment.step
        marks = (*edges, _nodes(problem, step, top), *names, *largest.marks(moment))
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(graph_panel(problem), largest.panel),
        notes=("The area of a node grows with its score.",),
        max_frames=MAX_FRAMES,
    )


def _nodes(problem: GraphProblem, step: CentralityStep, top: float) -> Points:
    return points_at(
        problem.positions,
        color=[2],
        symbol=[0],
        size=SMALLEST + (LARGEST - SMALLEST) * np.sqrt(step.scores / top),
        opacity=[0.85],
        labels=problem.labels,
        data=True,
        numbers=np.arange(1, len(problem.names) + 1),
        of="node",
    )


def _largest_plot(run: Run[GraphProblem, Any], names: list[str], top: float) -> Plot:
    """Return the scores of the nodes with the largest ones at the end."""
    order = np.argsort(-run.trace.steps[-1].scores, kind="stable")[:MAX_BARS]
    up = np.arange(len(order), dtype=float)[::-1]
    across = Axis(NAMES[run.model.measure], 0.0, 1.08 * top)
    down = Axis("node", -0.6, len(order) - 0.4, ticks=[names[i] for i in order[::-1]])

    style: dict[str, Any] = {"color": [2], "opacity": [0.9], "numbers": order + 1, "of": "node"}

    def marks(moment: Moment) -> list[Rects]:
        step: CentralityStep = moment.step
        return [bars("scores", step.scores[order], up, **style)]

    return Plot(Panel("scores", across, down, title="The largest scores"), marks)
