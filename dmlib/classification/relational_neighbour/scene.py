"""The relational neighbour classifier as a picture: classes spread over a graph, the surer the stronger."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Bytes, Floats
from dmlib.classification.relational_neighbour.algorithm import RelationalNeighborStep, winners
from dmlib.classification.relational_neighbour.ledger import Teller
from dmlib.pictures.data.graph import MOST_NAMES, NODE, SMALL_NODE, graph_edges, graph_names, graph_panel, graph_scene
from dmlib.pictures.marks import NO_CLASS, Mark, PerFrame, Points
from dmlib.pictures.motion import path, per_frame, rays, thin, thinned_note, with_before
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Key, Panel, Scene, step_panel
from dmlib.problem import GraphProblem

MOST_FRAMES = 150
EVEN = 1e-12  # a lead of rounding only
PALE = 0.3  # opacity of a node whose two best classes are even
RING = 3.0  # pixels from a node to the ring of a known label
THIN = (0.75, 1.25, 2.0)  # pixels of the edges: they shine through pale nodes
LIT = 3.5  # pixels of the edges of the node that is told about


def relational_neighbour_scene(run: Run) -> Scene:
    """Draw a run of the weighted-vote relational neighbour classifier.

    There is a frame for the start, for each sweep, and for the end; of very many, some.

    Examples
    --------
    >>> import networkx as nx
    >>> from dmlib.classification import WeightedVoteRelationalNeighbor
    >>> from dmlib.problem import prepare_graph
    >>> G = nx.path_graph(3)
    >>> nx.set_node_attributes(G, {0: "a", 2: "b"}, "class")
    >>> problem = prepare_graph(G, target="class", labelled=True)
    >>> scene = relational_neighbour_scene(Run.of(problem, WeightedVoteRelationalNeighbor()))
    >>> [frame.phase for frame in scene.frames]
    ['start', 'sweep', 'done']
    """
    problem, steps = run.problem, run.trace.steps
    if not steps:
        return graph_scene(problem)
    shown = thin(len(steps), MOST_FRAMES)
    pairs, teller = with_before(steps, shown.tolist()), Teller(run)
    focus = [teller.focus(step) for step, _ in pairs]
    colors = _colors([step for step, _ in pairs])
    panel, curve = _errors(steps, shown, teller)
    marks = (
        *graph_edges(problem, THIN),
        _votes(problem, focus, teller, colors),
        *_nodes(problem, teller, [step for step, _ in pairs], colors),
        *graph_names(problem),
        *curve,
    )
    frames = [teller.frame(step, before) for step, before in pairs]
    notes = (*problem.notes, *_notes(problem), *thinned_note(shown))
    return Scene((graph_panel(problem), *panel), marks, frames, notes, legend=_legend(problem))


def _votes(problem: GraphProblem, focus: Sequence[int | None], teller: Teller, colors: Bytes) -> Mark:
    """Return the edges over which the neighbours vote on the node that each frame tells about, in their classes."""
    nobody = np.empty(0, np.intp)
    ways = [(node, nobody if node is None else teller.neighbors(node)[0]) for node in focus]
    codes = [row[others] for row, (_, others) in zip(colors, ways, strict=True)]
    return rays(problem.positions, ways, color=PerFrame(codes), width=LIT)


def _colors(steps: Sequence[RelationalNeighborStep]) -> Bytes:
    """Return the most probable class of each node in each frame; none where the best two are even."""
    best = np.array([winners(step.proba) for step in steps])
    return np.where(np.array([_lead(step.proba) for step in steps]) < EVEN, NO_CLASS, best).astype(np.uint8)


def _lead(proba: Floats) -> Floats:
    """Return how far the most probable class of each node is ahead of the second."""
    second, first = np.sort(proba, axis=1)[:, -2:].T
    lead: Floats = first - second
    return lead


def _nodes(
    problem: GraphProblem, teller: Teller, steps: Sequence[RelationalNeighborStep], colors: Bytes
) -> list[Points]:
    """Return rings around known labels, and all nodes in their classes."""
    lead = np.array([_lead(step.proba) for step in steps])
    size = NODE if len(problem.names) <= MOST_NAMES else SMALL_NODE
    x, y = problem.positions.T
    known = teller.given >= 0
    rings = Points(
        x=x[known], y=y[known], color=[NO_CLASS], symbol=[0], size=[size + RING], hollow=[1] * int(known.sum()), of=""
    )
    nodes = Points(
        x=x,
        y=y,
        color=per_frame(colors),
        size=[size],
        opacity=per_frame(PALE + (1 - PALE) * lead),
        labels=problem.labels,
        classes=problem.classes,
        data=True,
    )
    return [rings, nodes]


def _errors(
    steps: Sequence[RelationalNeighborStep], shown: NDArray[np.intp], teller: Teller
) -> tuple[tuple[Panel, ...], tuple[Mark, ...]]:
    """Return the panel of the test error after each sweep, and the curve in it; nothing where nothing is held out."""
    if teller.problem.test is None:
        return (), ()
    points = [(step.sweep, np.divide(*teller.wrong(step))) for step in steps if step.phase != "done"]
    heights = [0.0, *(error for _, error in points)]
    panel = step_panel("error", "test error", len(points) - 1, heights, "Test error", 0.1)
    return (panel,), path(points, np.minimum(shown + 1, len(points)).tolist(), panel="error")


def _notes(problem: GraphProblem) -> list[str]:
    notes = ["The stronger a colour, the further the most probable class is ahead of the second."]
    if problem.directed:
        notes.append("The directions of the edges do not count.")
    return notes


def _legend(problem: GraphProblem) -> tuple[Key, ...]:
    keys = tuple(Key(name, code) for code, name in enumerate(problem.classes))
    return (*keys, Key("known label", NO_CLASS, 0, hollow=True))
