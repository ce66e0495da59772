"""A graph edit distance as a picture: which node becomes which, and the costs of the mappings that are tried."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.pictures.data.graph import MOST_NAMES, NODE, graph_edges, graph_names, graph_panel
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.ledger import Blocks, Formula, short_table
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points, Texts
from dmlib.pictures.motion import thin, thinned_note
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Frame, Key, Panel, Scene, bounds
from dmlib.pictures.words import count, num
from dmlib.similarity.graphs_similarity.edit_distance import DELETED, EditStep
from dmlib.similarity.graphs_similarity.graphs import two_graphs, two_parts, without_loops
from dmlib.similarity.graphs_similarity.isomorphism import MOST_WORK, decided
from dmlib.similarity.graphs_similarity.nodes_scene import bars, node_links, node_names

MOST_FRAMES, MOST_ROWS = 120, 14
LEGEND = (
    Key("first graph", NO_CLASS, 0),
    Key("second graph", NO_CLASS, 1),
    Key("deleted or not reached", NO_CLASS, 0, hollow=True),
)


def edit_scene(run: Run) -> Scene:
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
    picture = _Picture(run)
    marks = [*picture.graphs(), *picture.candidates(), *picture.curve()]
    frames = Deferred(picture.frame, picture.steps)
    notes = (*run.problem.notes, picture.said, *thinned_note(picture.shown))
    return Scene(picture.panels, marks, frames, notes, legend=LEGEND)


class _Picture:
    """The marks and sentences of one run."""

    def __init__(self, run: Run) -> None:
        self.problem, self.model, self.selected = run.problem, run.model, run.selected
        self.one, self.other, self.said = two_parts(run.problem.graph)
        steps: Sequence[EditStep] = run.trace.steps
        self.shown = thin(len(steps), MOST_FRAMES)
        self.steps = [steps[i] for i in self.shown]
        self.all = steps
        last = steps[-2].children if len(steps) > 1 else ()
        self.children = [step.children or last for step in self.steps]  # at the end those of the last node
        self.names = node_names(run.problem)
        self.n_rows = max((len(step.children) for step in steps), default=1) or 1

    # --- panels and marks ---------------------------------------------------------------------------------------------

    @property
    def panels(self) -> tuple[Panel, ...]:
        """The graphs, the candidates of a step, and the smallest f of each step."""
        most = max([1.0, *(g + h for step in self.steps for _, g, h in step.children)])
        costs = Axis("cost: g, then h", -0.2 * most, 1.08 * most)
        down = Axis("", -0.7, max(self.n_rows, 3) - 0.3)
        f = [step.cost + step.bound for step in self.all]
        across = Axis("step", 0.0, 1.06 * len(f) + 0.5, integer=True)
        curve = Panel(
            "f", across, Axis("f = g + h", *bounds([0.0, *f], 0.1)), title="Smallest f in the queue", side=True
        )
        queued = max([1, *(step.n_queued for step in self.all)])
        queue = Panel("queue", across, Axis("mappings", 0.0, 1.1 * queued), title="Mappings in the queue", side=True)
        candidates = Panel("costs", costs, down, title="Candidates of the next node")
        return graph_panel(self.problem), candidates, curve, queue

    def graphs(self) -> list[Mark]:
        """Return the graph, lines from nodes to what they become, and nodes in the colours of their pairs."""
        x, y = self.problem.positions.T
        colors, hollow, numbers = zip(*(self._colors(step) for step in self.steps), strict=True)
        symbol = np.zeros(len(x), np.uint8)
        symbol[self.other] = 1
        nodes = Points(
            x=x,
            y=y,
            color=PerFrame(colors),
            hollow=PerFrame(hollow),
            symbol=symbol,
            size=[NODE + 2],
            labels=self.problem.labels,
            data=True,
            numbers=PerFrame(numbers),
            of="pair",
        )
        pairs = [self._pairs(step) for step in self.steps]
        kept = [np.flatnonzero(np.array(step.mapping, int) != DELETED) for step in self.steps]
        color = PerFrame([(some % NO_CLASS).astype(np.uint8) for some in kept])
        about = {"numbers": PerFrame([some + 1 for some in kept]), "of": "pair"}
        links = node_links(self.problem, pairs, color=color, width=1.5, **about)
        names = graph_names(self.problem) if len(x) <= MOST_NAMES else []
        return [*graph_edges(self.problem), links, nodes, *names[:1]]

    def _colors(self, step: EditStep) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.intp]]:
        """Return the colours of the nodes, which are hollow, and the numbers of the pairs that they belong to."""
        color = np.full(len(self.problem.names), NO_CLASS, np.uint8)
        hollow, numbers = np.ones(len(color), np.uint8), np.zeros(len(color), np.intp)
        for i, target in enumerate(step.mapping):
            numbers[self.one[i]] = i + 1
            if target != DELETED:
                both = [self.one[i], self.other[target]]
                color[both], hollow[both], numbers[both] = i % NO_CLASS, 0, i + 1
        return color, hollow, numbers

    def _pairs(self, step: EditStep) -> NDArray[np.intp]:
        found = [(self.one[i], self.other[to]) for i, to in enumerate(step.mapping) if to != DELETED]
        return np.array(found, np.intp).reshape(-1, 2)

    def candidates(self) -> list[Mark]:
        """Return a bar for each candidate: g in full colour, h behind it pale, and its name."""
        rows = max(self.n_rows, 3)
        g = [np.array([child[1] for child in children], float) for children in self.children]
        f = [np.array([child[1] + child[2] for child in children], float) for children in self.children]
        y = [rows - 1.0 - np.arange(len(each)) for each in g]
        about = {"numbers": PerFrame([np.arange(1, len(each) + 1) for each in g]), "of": "candidate"}
        marks: list[Mark] = [
            bars("costs", ends, y, starts, half=0.32, color=[2], opacity=[opacity], **about)
            for ends, starts, opacity in ((g, None, 0.95), (f, g, 0.35))
        ]
        for target in (*range(len(self.other)), DELETED):
            at = [[k for k, child in enumerate(own) if child[0] == target] for own in self.children]
            places = PerFrame([rows - 1.0 - np.array(each, float) for each in at])
            x = PerFrame([np.zeros(len(each)) for each in at])
            marks.append(Texts(panel="costs", x=x, y=places, text=[self._target(target)], anchor="end"))
        return marks

    def curve(self) -> list[Mark]:
        """Return f after each step, and the step of the frame."""
        f = np.array([step.cost + step.bound for step in self.all])
        at = np.arange(1.0, len(f) + 1)
        point = Points(
            panel="f",
            x=PerFrame([at[i : i + 1] for i in self.shown]),
            y=PerFrame([f[i : i + 1] for i in self.shown]),
            color=[2],
            size=[5.0],
            emphasis=True,
            of="",
            leads="x",
        )
        waiting = Line(panel="queue", x=at, y=[float(step.n_queued) for step in self.all], color="ink", of="")
        return [Line(panel="f", x=at, y=f, color="ink", of=""), point, waiting]

    # --- words --------------------------------------------------------------------------------------------------------

    def _target(self, target: int) -> str:
        return "deleted" if target == DELETED else self.names[self.other[target]]

    def frame(self, step: EditStep) -> Frame:
        """Return the frame of a step."""
        caption, ledger = self._done(step) if step.phase == "done" else self._expand(step)
        return Frame(caption, [*self._selected(step), *ledger], step.phase)

    def _expand(self, step: EditStep) -> tuple[str, Blocks]:
        name = self.names[self.one[len(step.mapping)]]
        f = num(step.cost + step.bound)
        caption = f"The best mapping has f = {f}: node {name} is next, with {len(step.children)} candidates."
        sums = [g + h for _, g, h in step.children]
        rows = [(self._target(to), num(g), num(h), num(g + h)) for to, g, h in step.children]
        best = [k for k, value in enumerate(sums) if value == min(sums)]
        title = f"Candidates of {name}"
        about: dict[str, Any] = {"by": "candidate", "numbers": range(1, len(rows) + 1)}
        return caption, [
            Formula(f"f = g + h = {num(step.cost)} + {num(step.bound)} = {f}"),
            short_table(("becomes", "g", "h", "f"), rows, title, best, most=MOST_ROWS, **about),
            Formula(f"{count(step.n_queued, 'mapping in the queue', 'mappings in the queue')}"),
            *self._mapping(step),
        ]

    def _mapping(self, step: EditStep) -> Blocks:
        rows = [(self.names[self.one[i]], self._target(to)) for i, to in enumerate(step.mapping)]
        about: dict[str, Any] = {"by": "pair", "numbers": range(1, len(rows) + 1)}
        return [short_table(("node", "becomes"), rows, "Mapping", most=MOST_ROWS, **about)] if rows else []

    def _done(self, step: EditStep) -> tuple[str, Blocks]:
        kept = [to for to in step.mapping if to != DELETED]
        deleted, inserted = len(step.mapping) - len(kept), len(self.other) - len(kept)
        graphs = map(without_loops, two_graphs(self.problem.graph))
        same = decided(*graphs, labels=self.model.labels, most=MOST_WORK)
        caption = f"Done. The edit distance is {'' if step.exact else 'at most '}{num(step.cost)}: "
        caption += (
            "the graphs are isomorphic."
            if same and not step.cost
            else f"{'the cheapest' if step.exact else 'these'} edits turn one graph into the other."
        )
        nodes = f"{deleted} deleted, {inserted} inserted nodes; {len(self.all) - 1} mappings extended"
        test = {True: "the graphs are isomorphic", False: "the graphs are not isomorphic", None: "not decided"}[same]
        return caption, [
            Formula(f"distance = {num(step.cost)}"),
            Formula(f"isomorphism test: {test}"),
            Formula(nodes),
            *self._mapping(step),
        ]

    def _selected(self, step: EditStep) -> Blocks:
        if self.selected is None:
            return []
        name = self.names[self.selected]
        for i, to in enumerate(step.mapping):
            if self.one[i] == self.selected:
                return [Formula(f"{name} → {self._target(to)}")]
            if to != DELETED and self.other[to] == self.selected:
                return [Formula(f"{self.names[self.one[i]]} → {name}")]
        return [Formula(f"{name}: no partner yet")]
