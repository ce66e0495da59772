"""A graph edit distance as a picture: the mapping of the nodes, candidates, and the queue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.curves import Curve
from dmlib.pictures.data.graph import (
    MAX_NAMES,
    NODE,
    bond_notes,
    graph_edges,
    graph_names,
    graph_panel,
)
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Points, Segments, Texts
from dmlib.pictures.places import line_through, points_at
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene, bounds
from dmlib.pictures.story import Drawing, Moment, Plot, story
from dmlib.problem import GraphProblem
from dmlib.similarity.graphs_similarity.edit_distance import DELETED, EditStep
from dmlib.similarity.graphs_similarity.edit_ledger import Narrator
from dmlib.similarity.graphs_similarity.nodes_scene import bars, node_links

MAX_FRAMES, MIN_ROWS = 120, 3
LEGEND = (
    Key("first graph", NO_CLASS, 0),
    Key("second graph", NO_CLASS, 1),
    Key("deleted or not reached", NO_CLASS, 0, hollow=True),
)


def edit_scene(run: Run[GraphProblem, Any]) -> Scene:
    """Draw a run of :class:`dmlib.similarity.GraphEditDistance`.

    Examples
    --------
    >>> import networkx as nx
    >>> from dmlib.problem import prepare_graph
    >>> from dmlib.similarity import GraphEditDistance
    >>> scene = edit_scene(Run.of(prepare_graph(nx.Graph([(0, 1), (2, 3)])), GraphEditDistance()))
    >>> scene.frames[-1].caption
    'Done. The edit distance is 0: the graphs are isomorphic.'
    """
    problem, steps = run.problem, run.trace.steps
    narrator = Narrator(run)
    candidates, queue_line = _candidates(steps, narrator), _queue_line(steps)
    curve = _curve(steps)
    edges = graph_edges(problem)
    names = graph_names(problem)[:1] if len(problem.names) <= MAX_NAMES else []

    def draw(moment: Moment) -> Drawing:
        step: EditStep = moment.step
        marks = (
            *edges,
            _links(narrator, step),
            _nodes(narrator, step),
            *names,
            *candidates.marks(moment),
            *curve.marks(moment.index, color=[2]),
            queue_line,
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(graph_panel(problem), candidates.panel, curve.panel, _queue_panel(steps)),
        legend=LEGEND,
        notes=(narrator.note, *bond_notes(problem)),
        max_frames=MAX_FRAMES,
    )


def _links(narrator: Narrator, step: EditStep) -> Segments:
    """Return arrows from nodes to their targets."""
    mapped = [i for i, target in enumerate(step.mapping) if target != DELETED]
    pairs = [(narrator.first[i], narrator.second[step.mapping[i]]) for i in mapped]
    return node_links(
        narrator.problem,
        np.array(pairs, np.intp).reshape(-1, 2),
        color=(np.array(mapped, int) % NO_CLASS).astype(np.uint8),
        arrow=True,
        numbers=np.array(mapped, int) + 1,
        of="pair",
    )


def _nodes(narrator: Narrator, step: EditStep) -> Points:
    """Return the nodes in the colours of their pairs; those without a partner are hollow."""
    n = len(narrator.problem.names)
    color = np.full(n, NO_CLASS, np.uint8)
    hollow, numbers = np.ones(n, np.uint8), np.zeros(n, np.intp)
    for i, target in enumerate(step.mapping):
        numbers[narrator.first[i]] = i + 1
        if target != DELETED:
            pair = [narrator.first[i], narrator.second[target]]
            color[pair], hollow[pair], numbers[pair] = i % NO_CLASS, 0, i + 1
    symbol = np.zeros(n, np.uint8)
    symbol[narrator.second] = 1
    return points_at(
        narrator.problem.positions,
        color=color,
        hollow=hollow,
        symbol=symbol,
        size=[NODE + 2],
        labels=narrator.problem.labels,
        data=True,
        numbers=numbers,
        of="pair",
    )


def _candidates(steps: Sequence[EditStep], narrator: Narrator) -> Plot:
    """Return a bar for each candidate: g in full colour, h behind it pale, and its name."""
    top = max([1.0, *(g + h for step in steps for _, g, h in step.children)])
    n_rows = max(MIN_ROWS, *(len(step.children) for step in steps))
    x, y = Axis("cost: g, then h", -0.2 * top, 1.08 * top), Axis("", -0.7, n_rows - 0.3)
    panel = Panel("costs", x, y, title="Candidates of the next node")
    last = steps[-2].children if len(steps) > 1 else ()

    def marks(moment: Moment) -> list[Mark]:
        children = moment.step.children or last  # at the end those of the last node
        targets, g, h = np.array(children, float).reshape(-1, 3).T
        up = n_rows - 1 - np.arange(len(g), dtype=float)
        style: dict[str, Any] = {"half": 0.32, "color": [2], "of": "candidate"}
        style["numbers"] = np.arange(1, len(g) + 1)
        codes = (*narrator.targets, DELETED)
        return [
            bars("costs", g, up, opacity=[0.95], **style),
            bars("costs", g + h, up, g, opacity=[0.35], **style),
            *(_name(narrator.target(code), up[targets == code]) for code in codes),
        ]

    return Plot(panel, marks)


def _name(text: str, up: Floats) -> Texts:
    """Return the name of a candidate in its row, if it is one."""
    return Texts(panel="costs", x=np.zeros(len(up)), y=up, text=[text], anchor="end")


def _curve(steps: Sequence[EditStep]) -> Curve:
    """Return the smallest f after each step."""
    f = [step.cost + step.bound for step in steps]
    up = Axis("f = g + h", *bounds([0.0, *f], 0.1))
    panel = Panel("f", _steps_axis(steps), up, title="Smallest f in the queue", side=True)
    return Curve.of_steps(panel, f, first=1, color="ink", width=2.0)


def _steps_axis(steps: Sequence[EditStep]) -> Axis:
    return Axis("step", 0.0, 1.06 * len(steps) + 0.5, integer=True)


def _queue_panel(steps: Sequence[EditStep]) -> Panel:
    top = max([1, *(step.n_queued for step in steps)])
    up = Axis("mappings", 0.0, 1.1 * top)
    return Panel("queue", _steps_axis(steps), up, title="Mappings in the queue", side=True)


def _queue_line(steps: Sequence[EditStep]) -> Line:
    places = [(i, step.n_queued) for i, step in enumerate(steps, 1)]
    return line_through(places, panel="queue", of="")
