"""A search from one node as a picture: the graph with its tree of paths, and bars of the distances so far."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from dmlib.pictures.data.graph import graph_edges, graph_names, graph_panel
from dmlib.pictures.ledger import Blocks, Formula, few, short_table
from dmlib.pictures.marks import NO_CLASS, Mark, PerFrame, Points, Rects
from dmlib.pictures.motion import thin, thinned_note
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Frame, Key, Panel, Scene
from dmlib.pictures.words import count, num, num4, short
from dmlib.similarity.graphs_similarity.nodes_scene import (
    bars,
    node_links,
    node_names,
    node_ring,
    node_size,
    node_way,
)
from dmlib.similarity.graphs_similarity.single_source import Relaxed, SingleSourceStep, way

MOST_BARS, MOST_ROWS, MOST_NAMED = 40, 12, 6
MOST_DRAWN = 12_000  # nodes, of all frames
SETTLED, QUEUED = 0, 1
LEGEND = (Key("settled", SETTLED, 0), Key("in the queue", QUEUED, 0), Key("not found yet", NO_CLASS, 0, hollow=True))


def search_scene(run: Run) -> Scene:
    """Draw a run of :class:`dmlib.similarity.SingleSourcePaths`.

    Examples
    --------
    >>> import networkx as nx
    >>> from dmlib.problem import prepare_graph
    >>> from dmlib.similarity import SingleSourcePaths
    >>> scene = search_scene(Run.of(prepare_graph(nx.path_graph(2)), SingleSourcePaths()))
    >>> [frame.caption for frame in scene.frames][1:3]
    ['Settle 0 at 0: its 1 neighbour joins the queue.', 'Settle 1 at 1: it has no unsettled neighbour.']
    """
    every, problem = run.trace.steps, run.problem
    shown = thin(len(every), max(20, MOST_DRAWN // len(problem.names)))
    steps: list[SingleSourceStep] = [every[i] for i in shown]
    teller = _Teller(run)
    panel, distances = _bars(steps, teller.names, weighted=problem.weighted and teller.nearest)
    frames = [teller.frame(step) for step in steps]
    notes = (*problem.notes, *thinned_note(shown))
    return Scene((graph_panel(problem), panel), [*_graph(run, steps), distances], frames, notes, legend=LEGEND)


def _states(step: SingleSourceStep, n: int) -> np.ndarray:
    """Return whether each node is settled, in the queue, or not found yet."""
    found = np.full(n, NO_CLASS, np.uint8)
    found[list(step.queue)] = QUEUED
    found[list(step.order)] = SETTLED
    return found


def _graph(run: Run, steps: list[SingleSourceStep]) -> list[Mark]:
    """Return edges, the tree of the paths, the nodes by their state, a ring around the one that is taken, its path."""
    problem, places = run.problem, run.problem.positions
    n = len(places)
    states = [_states(step, n) for step in steps]
    x, y = places.T
    nodes = Points(
        x=x, y=y, color=PerFrame(states), hollow=PerFrame([(each == NO_CLASS).astype(np.uint8) for each in states]),
        symbol=[0], size=[node_size(problem)], labels=problem.labels, data=True, numbers=np.arange(1, n + 1), of="node",
    )  # fmt: skip
    trees = [np.flatnonzero(step.predecessors >= 0) for step in steps]
    pairs = [np.column_stack([step.predecessors[tree], tree]) for step, tree in zip(steps, trees, strict=True)]
    tree = node_links(problem, pairs, arrow=False, color=[SETTLED], width=3.0, of="")
    ring = node_ring(problem, (step.node if step.phase == "settle" else None for step in steps))
    path = node_way(problem, (step.path for step in steps))
    return [*graph_edges(problem, (1.0, 1.0, 1.0)), tree, path, ring, nodes, *graph_names(problem)]


def _bars(steps: list[SingleSourceStep], names: list[str], *, weighted: bool) -> tuple[Panel, Rects]:
    """Return the distance of each node as a bar, in the order in which nodes are settled."""
    order = [*steps[-1].order, *sorted(set(range(len(names))) - set(steps[-1].order))][:MOST_BARS]
    at = np.arange(len(order), dtype=float)[::-1]
    reached = [np.where(np.isfinite(step.distances[order]), step.distances[order], 0.0) for step in steps]
    color = PerFrame([_states(step, len(names))[order] for step in steps])
    mark = bars("distances", reached, at, color=color, opacity=[0.9], numbers=np.array(order) + 1, of="node")
    top = max(float(each.max()) for each in reached) or 1.0
    across = Axis("distance from the origin" if weighted else "edges from the origin", 0.0, 1.08 * top)
    down = Axis("node", -0.6, len(order) - 0.4, ticks=[names[i] for i in order][::-1])
    return Panel("distances", across, down, title="Distances so far"), mark


class _Teller:
    """Says what a step does, with the numbers of a run."""

    def __init__(self, run: Run) -> None:
        self.nearest, self.selected = run.model.search == "dijkstra", run.selected
        self.names = node_names(run.problem, 16)
        self.s, self.t = run.model.origin - 1, run.model.target - 1

    def frame(self, step: SingleSourceStep) -> Frame:
        """Return the frame of a step."""
        tell = {"start": self._start, "settle": self._settle, "done": self._done}[step.phase]
        caption, ledger = tell(step)
        chosen: Blocks = [] if self.selected is None else [self._way(step, self.selected)]
        return Frame(caption, [*chosen, *ledger], step.phase)

    def _start(self, step: SingleSourceStep) -> tuple[str, Blocks]:
        caption = f"The queue holds the origin alone, {self.names[self.s]}."
        return caption, [Formula(f"d({self.names[self.s]}) = 0; d = ∞ for the others")]

    def _settle(self, step: SingleSourceStep) -> tuple[str, Blocks]:
        name, value = self.names[step.node], num4(step.distances[step.node])
        took = f"Settle {name} at {value}" if self.nearest else f"Take {name} from the front of the queue"
        new = sum(np.isinf(each.before) for each in step.relaxed)
        less = sum(each.through < each.before for each in step.relaxed) - new
        said = []
        if new:
            said.append(f"its {count(new, 'neighbour joins', 'neighbours join')} the queue")
        if less:
            said.append(f"{count(less, 'path becomes', 'paths become')} shorter")
        caption = f"{took}: {', and '.join(said) or self._nothing(step)}."
        blocks: Blocks = []
        if self.nearest:
            rest = [num4(d) for d in self._waiting(step)]
            minimum = f"min({few([value, *rest], MOST_NAMED, ', ')}) = {value}" if rest else value
            blocks.append(Formula(f"d({name}) = {minimum}, the smallest in the queue"))
        else:
            blocks.append(Formula(f"d({name}) = {value}, the first in the queue"))
        if step.relaxed:
            rows = [self._row(step, each) for each in step.relaxed]
            head, numbers = ("to", "d so far", f"through {name}", "d now"), [each.node + 1 for each in step.relaxed]
            blocks.append(short_table(head, rows, "Edges", most=MOST_ROWS, by="node", numbers=numbers))
        return caption, [*blocks, *self._queue(step)]

    def _waiting(self, step: SingleSourceStep) -> list[float]:
        """Return the distances of the nodes that were in the queue beside the one that is taken."""
        before = {each.node: each.before for each in step.relaxed}
        found = [before.get(j, float(step.distances[j])) for j in step.queue]
        return sorted(d for d in found if np.isfinite(d))

    def _nothing(self, step: SingleSourceStep) -> str:
        if not step.relaxed:
            return "it has no unsettled neighbour"
        return "no path becomes shorter" if self.nearest else "all its neighbours are found already"

    def _row(self, step: SingleSourceStep, edge: Relaxed) -> tuple[str, str, str, str]:
        start = float(step.distances[step.node])
        through = f"{num4(start)} + {num4(edge.length)} = {num4(edge.through)}"
        return self.names[edge.node], num4(edge.before), through, num4(min(edge.before, edge.through))

    def _queue(self, step: SingleSourceStep) -> Blocks:
        if not step.queue:
            return [Formula("The queue is empty.")]
        rows = [(self.names[j], short(step.distances[j])) for j in step.queue]
        how = "the smallest distance first" if self.nearest else "the oldest first"
        numbers = [j + 1 for j in step.queue]
        return [
            short_table(("node", "distance"), rows, f"Queue, {how}", [0], most=MOST_ROWS, by="node", numbers=numbers)
        ]

    def _done(self, step: SingleSourceStep) -> tuple[str, Blocks]:
        one, other = self.names[self.s], self.names[self.t]
        n_edges, d = len(step.path) - 1, float(step.distances[self.t])
        edges = count(n_edges, "edge", "edges")
        others = f"{len(step.order) - 1} of {len(self.names) - 1} other nodes are reached"
        if self.s == self.t:
            caption = f"Done. The origin is the target; {others}."
        elif not step.path:
            caption = f"Done. No path leads from {one} to {other}; {others}."
        elif self.nearest:
            caption = f"Done. The shortest path from {one} to {other} has {edges} and the length {num(d)}."
        else:
            caption = f"Done. No path from {one} to {other} has fewer than {edges}."
        blocks: Blocks = []
        if n_edges > 0:
            D = step.distances
            terms = [num4(D[b] - D[a]) for a, b in pairwise(step.path)]
            blocks.append(Formula(f"{few(terms, MOST_NAMED)} = {num(d)}"))
        ways = [few([self.names[v] for v in way(step.predecessors, self.s, j)], 6, " ") for j in step.order]
        rows = [(self.names[j], short(step.distances[j]), ways[k]) for k, j in enumerate(step.order)]
        chosen = [step.order.index(self.t)] if step.path else []
        head, title, numbers = ("to", "distance", "path"), f"From {one}, as settled", [j + 1 for j in step.order]
        blocks.append(short_table(head, rows, title, chosen, most=MOST_ROWS, by="node", numbers=numbers))
        return caption, blocks

    def _way(self, step: SingleSourceStep, node: int) -> Formula:
        """Say how the selected node is reached so far."""
        nodes = way(step.predecessors, self.s, node)
        if not nodes:
            return Formula(f"{self.names[node]}: no path is known")
        length = num4(step.distances[node])
        return Formula(f"{self.names[node]}: {few([self.names[v] for v in nodes], MOST_NAMED, ' → ')}, length {length}")
