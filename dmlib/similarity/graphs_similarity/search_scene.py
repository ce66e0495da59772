"""A search from one node as a picture: the tree of paths, and bars of the distances so far."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.pictures.data.graph import graph_edges, graph_names, graph_panel
from dmlib.pictures.marks import NO_CLASS, Points, Rects, Segments
from dmlib.pictures.places import points_at
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, Plot, story
from dmlib.problem import GraphProblem
from dmlib.similarity.graphs_similarity.nodes_scene import (
    bars,
    node_links,
    node_path,
    node_ring,
    node_size,
)
from dmlib.similarity.graphs_similarity.search_ledger import Narrator
from dmlib.similarity.graphs_similarity.single_source import SingleSourceStep

MAX_BARS = 40
MAX_NODES, MIN_FRAMES = 12_000, 20  # nodes of all frames together, and frames of large graphs
SETTLED, QUEUED = 0, 1
LEGEND = (
    Key("settled", SETTLED, 0),
    Key("in the queue", QUEUED, 0),
    Key("not found yet", NO_CLASS, 0, hollow=True),
)


def search_scene(run: Run[GraphProblem, Any]) -> Scene:
    """Draw a run of :class:`dmlib.similarity.SingleSourcePaths`.

    Examples
    --------
    >>> import networkx as nx
    >>> from dmlib.problem import prepare_graph
    >>> from dmlib.similarity import SingleSourcePaths
    >>> scene = search_scene(Run.of(prepare_graph(nx.path_graph(2)), SingleSourcePaths()))
    >>> scene.frames[1].caption
    'Settle 0 at 0: its 1 neighbour joins the queue.'
    """
    problem = run.problem
    narrator = Narrator(run)
    distances = _distances(run, narrator.names)
    edges, names = graph_edges(problem, (1.0, 1.0, 1.0)), graph_names(problem)

    def draw(moment: Moment) -> Drawing:
        step: SingleSourceStep = moment.step
        marks = (
            *edges,
            _tree(problem, step),
            node_path(problem, step.path),
            node_ring(problem, step.node if step.phase == "settle" else None),
            _nodes(problem, step),
            *names,
            *distances.marks(moment),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(graph_panel(problem), distances.panel),
        legend=LEGEND,
        max_frames=max(MIN_FRAMES, MAX_NODES // len(problem.names)),
    )


def _states(step: SingleSourceStep) -> NDArray[np.uint8]:
    """Return the state of each node: settled, in the queue, or not found yet."""
    states = np.full(len(step.distances), NO_CLASS, np.uint8)
    states[list(step.queue)] = QUEUED
    states[list(step.order)] = SETTLED
    return states


def _tree(problem: GraphProblem, step: SingleSourceStep) -> Segments:
    """Return the edges by which the nodes are reached."""
    reached = np.flatnonzero(step.predecessors >= 0)
    pairs = np.column_stack([step.predecessors[reached], reached])
    return node_links(problem, pairs, color=[SETTLED], width=3.0, of="")


def _nodes(problem: GraphProblem, step: SingleSourceStep) -> Points:
    states = _states(step)
    return points_at(
        problem.positions,
        color=states,
        hollow=(states == NO_CLASS).astype(np.uint8),
        symbol=[0],
        size=[node_size(problem)],
        labels=problem.labels,
        data=True,
        numbers=np.arange(1, len(states) + 1),
        of="node",
    )


def _distances(run: Run[GraphProblem, Any], names: list[str]) -> Plot:
    """Return the distance of each node as a bar; of many, of those that are settled first."""
    steps = run.trace.steps
    settled = steps[-1].order
    unsettled = sorted(set(range(len(names))) - set(settled))
    order = sorted([*settled, *unsettled][:MAX_BARS])  # the order of settling is asked for
    up = np.arange(len(order), dtype=float)[::-1]
    top = max(_finite(step, order).max() for step in steps) or 1.0
    has_lengths = run.problem.weighted and run.model.search == "dijkstra"
    unit = "distance" if has_lengths else "edges"
    across = Axis(f"{unit} from the origin", 0.0, 1.08 * top)
    down = Axis("node", -0.6, len(order) - 0.4, ticks=[names[i] for i in order][::-1])
    about: dict[str, Any] = {"numbers": np.array(order) + 1, "of": "node"}

    def marks(moment: Moment) -> list[Rects]:
        step: SingleSourceStep = moment.step
        lengths, color = _finite(step, order), _states(step)[order]
        return [bars("distances", lengths, up, color=color, opacity=[0.9], **about)]

    return Plot(Panel("distances", across, down, title="Distances so far"), marks)


def _finite(step: SingleSourceStep, nodes: list[int]) -> NDArray[np.float64]:
    """Return the distances of nodes, 0 for those without a path yet."""
    distances = step.distances[nodes]
    return np.where(np.isfinite(distances), distances, 0.0)
