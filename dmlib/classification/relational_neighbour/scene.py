"""The relational neighbour classifier as a picture: classes spread over a graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dmlib.arrays import Bytes, Floats
from dmlib.classification.relational_neighbour.algorithm import (
    RelationalNeighborStep,
    WeightedVoteRelationalNeighbor,
    winners,
)
from dmlib.classification.relational_neighbour.ledger import Narrator
from dmlib.pictures.data.graph import (
    MAX_NAMES,
    NODE,
    SMALL_NODE,
    graph_edges,
    graph_names,
    graph_panel,
)
from dmlib.pictures.marks import NO_CLASS, Mark, Points, Segments
from dmlib.pictures.places import NOWHERE, path_until, points_at, segments_between
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Key, Panel, Scene, step_panel
from dmlib.pictures.story import Drawing, Moment, needs_steps, story
from dmlib.problem import GraphProblem

MAX_FRAMES = 150
EVEN = 1e-12  # a lead of rounding only
PALE = 0.3  # opacity of a node whose two best classes are even
RING = 3.0  # pixels from a node to the ring of a known label
NARROW = (0.75, 1.25, 2.0)  # pixels of the edges: they shine through pale nodes
WIDE = 3.5  # pixels of the edges over which neighbours vote


@needs_steps
def relational_neighbour_scene(run: Run[GraphProblem, WeightedVoteRelationalNeighbor]) -> Scene:
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
    problem = run.problem
    narrator = Narrator(run)
    curve = ErrorCurve(run.trace.steps, narrator)
    edges = graph_edges(problem, NARROW)
    names = graph_names(problem)
    rings = _known_labels(problem, narrator)
    nodes = points_at(
        problem.positions,
        size=[_size(problem)],
        labels=problem.labels,
        classes=problem.classes,
        numbers=np.arange(1, len(problem.names) + 1),
        of="node",
    )

    def draw(moment: Moment) -> Drawing:
        step: RelationalNeighborStep = moment.step
        colors = _colors(step)
        marks = (
            *edges,
            _votes(problem, narrator, step, colors),
            rings,
            replace(nodes, color=colors, hollow=[1]),  # pale nodes must not let the edges through
            replace(nodes, color=colors, opacity=PALE + (1 - PALE) * _lead(step.proba), data=True),
            *names,
            *curve.marks(moment.index),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(graph_panel(problem), *curve.panels),
        legend=_legend(problem),
        notes=_notes(problem),
        max_frames=MAX_FRAMES,
    )


def _votes(
    problem: GraphProblem, narrator: Narrator, step: RelationalNeighborStep, colors: Bytes
) -> Segments:
    """Return the edges over which the neighbours vote on the node of a step, in their classes."""
    focus = narrator.focus(step)
    nodes = np.array([] if focus is None else [focus], np.intp)
    neighbors = nodes if focus is None else narrator.neighbors(focus)[0]
    starts = problem.positions[np.resize(nodes, len(neighbors))]
    ends = problem.positions[neighbors]
    return segments_between(starts, ends, color=colors[neighbors], width=WIDE)


def _colors(step: RelationalNeighborStep) -> Bytes:
    """Return the most probable class of each node; none where the best two are even."""
    is_even = _lead(step.proba) < EVEN
    return np.where(is_even, NO_CLASS, winners(step.proba)).astype(np.uint8)


def _lead(proba: Floats) -> Floats:
    """Return the lead of each node's most probable class over the second."""
    second, first = np.sort(proba, axis=1)[:, -2:].T
    lead: Floats = first - second
    return lead


def _size(problem: GraphProblem) -> float:
    return NODE if len(problem.names) <= MAX_NAMES else SMALL_NODE


def _known_labels(problem: GraphProblem, narrator: Narrator) -> Points:
    """Return rings around the nodes whose labels are known."""
    places = problem.positions[narrator.labels >= 0]
    return points_at(
        places,
        color=[NO_CLASS],
        symbol=[0],
        size=[_size(problem) + RING],
        hollow=[1] * len(places),
        of="",
    )


class ErrorCurve:
    """The test error after each sweep, with its panel; no marks where no label is held out.

    Parameters
    ----------
    steps : sequence of RelationalNeighborStep
        All steps of the run.
    narrator : Narrator
        It counts the misclassified nodes.
    """

    panels: tuple[Panel, ...] = ()

    def __init__(self, steps: Sequence[RelationalNeighborStep], narrator: Narrator) -> None:
        self._places = NOWHERE
        if narrator.problem.test is None:
            return
        sweeps = [step for step in steps if step.phase != "done"]
        errors = [np.divide(*narrator.misclassified(step)) for step in sweeps]
        self._places = np.column_stack([[step.sweep for step in sweeps], errors])
        self.panels = (
            step_panel("error", "test error", len(sweeps) - 1, [0.0, *errors], "Test error", 0.1),
        )

    def marks(self, number: int) -> tuple[Mark, ...]:
        """Return the curve up to a step."""
        return path_until(self._places, number + 1, panel="error") if self.panels else ()


def _notes(problem: GraphProblem) -> list[str]:
    notes = ["The stronger a colour, the further the most probable class is ahead of the second."]
    if problem.directed:
        notes.append("The directions of the edges do not count.")
    return notes


def _legend(problem: GraphProblem) -> tuple[Key, ...]:
    keys = tuple(Key(name, code) for code, name in enumerate(problem.classes))
    return (*keys, Key("known label", NO_CLASS, 0, hollow=True))
