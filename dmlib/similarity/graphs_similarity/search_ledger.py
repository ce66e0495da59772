"""A search from one node in words and numbers: the edges of the settled node, and the queue."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, short_table
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, num4, short
from dmlib.problem import GraphProblem
from dmlib.similarity.graphs_similarity.nodes_scene import node_names
from dmlib.similarity.graphs_similarity.single_source import Relaxed, SingleSourceStep, path_to

MAX_ROWS, MAX_NAMED = 12, 6


class Narrator:
    """Captions and ledgers of a search from one node.

    Parameters
    ----------
    run : Run
        The run.
    """

    def __init__(self, run: Run[GraphProblem, Any]) -> None:
        self.selected = run.selected
        self.by_distance = run.model.search == "dijkstra"
        self.names = node_names(run.problem, 16)
        self.s, self.t = run.model.origin - 1, run.model.target - 1

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: SingleSourceStep = moment.step
        phases = {"start": self._start, "settle": self._settle, "done": self._done}
        caption, ledger = phases[step.phase](step)
        selected: Blocks = [] if self.selected is None else [self._path_to(step, self.selected)]
        return caption, [*selected, *ledger]

    def _start(self, step: SingleSourceStep) -> tuple[str, Blocks]:
        caption = f"The queue holds the origin alone, {self.names[self.s]}."
        return caption, [Formula(f"d({self.names[self.s]}) = 0; d = ∞ for the others")]

    def _settle(self, step: SingleSourceStep) -> tuple[str, Blocks]:
        blocks: Blocks = [self._minimum(step)]
        if step.relaxed:
            blocks.append(self._edges(step))
        return self._settled(step), [*blocks, *self._queue(step)]

    def _settled(self, step: SingleSourceStep) -> str:
        """Return the caption of a node that is settled."""
        name = self.names[step.node]
        action = f"Take {name} from the front of the queue"
        if self.by_distance:
            action = f"Settle {name} at {num4(step.distances[step.node])}"
        n_new = sum(np.isinf(edge.before) for edge in step.relaxed)
        n_shorter = sum(edge.through < edge.before for edge in step.relaxed) - n_new
        results = []
        if n_new:
            results.append(f"its {count(n_new, 'neighbour joins', 'neighbours join')} the queue")
        if n_shorter:
            results.append(f"{count(n_shorter, 'path becomes', 'paths become')} shorter")
        return f"{action}: {', and '.join(results) or self._no_change(step)}."

    def _minimum(self, step: SingleSourceStep) -> Formula:
        """Return the distance of the settled node as a minimum."""
        name, value = self.names[step.node], num4(step.distances[step.node])
        if not self.by_distance:
            return Formula(f"d({name}) = {value}, the first in the queue")
        waiting = [num4(d) for d in self._waiting(step)]
        terms = abridged([value, *waiting], MAX_NAMED, ", ")
        minimum = f"min({terms}) = {value}" if waiting else value
        return Formula(f"d({name}) = {minimum}, the smallest in the queue")

    def _edges(self, step: SingleSourceStep) -> LedgerTable:
        rows = [self._row(step, edge) for edge in step.relaxed]
        head = ("to", "d so far", f"through {self.names[step.node]}", "d now")
        numbers = [edge.node + 1 for edge in step.relaxed]
        return short_table(head, rows, "Edges", max_rows=MAX_ROWS, by="node", numbers=numbers)

    def _waiting(self, step: SingleSourceStep) -> list[float]:
        """Return the distances of the other nodes in the queue, before the relaxation."""
        previous = {edge.node: edge.before for edge in step.relaxed}
        distances = [previous.get(j, float(step.distances[j])) for j in step.queue]
        return sorted(d for d in distances if np.isfinite(d))

    def _no_change(self, step: SingleSourceStep) -> str:
        if not step.relaxed:
            return "it has no unsettled neighbour"
        if self.by_distance:
            return "no path becomes shorter"
        return "all its neighbours are found already"

    def _row(self, step: SingleSourceStep, edge: Relaxed) -> tuple[str, str, str, str]:
        start = float(step.distances[step.node])
        through = f"{num4(start)} + {num4(edge.length)} = {num4(edge.through)}"
        shortest = num4(min(edge.before, edge.through))
        return self.names[edge.node], num4(edge.before), through, shortest

    def _queue(self, step: SingleSourceStep) -> Blocks:
        if not step.queue:
            return [Formula("The queue is empty.")]
        rows = [(self.names[j], short(step.distances[j])) for j in step.queue]
        order = "smallest distance" if self.by_distance else "oldest"
        title, head = f"Queue, the {order} first", ("node", "distance")
        about: dict[str, Any] = {"by": "node", "numbers": [j + 1 for j in step.queue]}
        return [short_table(head, rows, title, [0], max_rows=MAX_ROWS, **about)]

    def _done(self, step: SingleSourceStep) -> tuple[str, Blocks]:
        path = f"path from {self.names[self.s]} to {self.names[self.t]}"
        length = num(step.distances[self.t])
        edges = count(len(step.path) - 1, "edge", "edges")
        reached = f"{len(step.order) - 1} of {len(self.names) - 1} other nodes are reached"
        if self.s == self.t:
            caption = f"Done. The origin is the target; {reached}."
        elif not step.path:
            pair = f"from {self.names[self.s]} to {self.names[self.t]}"
            caption = f"Done. No path leads {pair}; {reached}."
        elif self.by_distance:
            caption = f"Done. The shortest {path} has {edges} and the length {length}."
        else:
            caption = f"Done. No {path} has fewer than {edges}."
        blocks: Blocks = []
        if len(step.path) > 1:
            terms = [num4(step.distances[b] - step.distances[a]) for a, b in pairwise(step.path)]
            blocks.append(Formula(f"{abridged(terms, MAX_NAMED)} = {length}"))
        return caption, [*blocks, self._all_paths(step)]

    def _all_paths(self, step: SingleSourceStep) -> LedgerTable:
        rows = [
            (self.names[j], short(step.distances[j]), self._nodes(step, j, " ")) for j in step.order
        ]
        emphasis = [step.order.index(self.t)] if step.path else []
        head, title = ("to", "distance", "path"), f"From {self.names[self.s]}, as settled"
        numbers = [j + 1 for j in step.order]
        return short_table(
            head, rows, title, emphasis, max_rows=MAX_ROWS, by="node", numbers=numbers
        )

    def _nodes(self, step: SingleSourceStep, node: int, between: str) -> str:
        """Return the nodes of the path to a node; empty without a path."""
        names = [self.names[v] for v in path_to(step.predecessors, self.s, node)]
        return abridged(names, MAX_NAMED, between)

    def _path_to(self, step: SingleSourceStep, node: int) -> Formula:
        """Return the path so far to the selected node."""
        nodes = self._nodes(step, node, " → ")
        if not nodes:
            return Formula(f"{self.names[node]}: no path is known")
        return Formula(f"{self.names[node]}: {nodes}, length {num4(step.distances[node])}")
