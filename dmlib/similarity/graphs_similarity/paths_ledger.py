"""Floyd-Warshall in words and numbers: pairs with a shorter path, and the path of a pair."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, short_table
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, num4
from dmlib.problem import GraphProblem
from dmlib.similarity.graphs_similarity.nodes_scene import node_names
from dmlib.similarity.graphs_similarity.shortest_paths import ShortestPathsStep, restore

MAX_ROWS, MAX_NAMED = 12, 8


class Narrator:
    """Captions and ledgers of Floyd-Warshall.

    Parameters
    ----------
    run : Run
        The run.
    """

    def __init__(self, run: Run[GraphProblem, Any]) -> None:
        self.problem, self.selected = run.problem, run.selected
        self.names = node_names(run.problem, 16)
        self.s, self.t = run.model.origin - 1, run.model.target - 1

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment, compared with the frame before it."""
        step: ShortestPathsStep = moment.step
        phases = {"start": self._start, "trace": self._trace, "done": self._done}
        if step.phase == "through":
            caption, ledger = self._through(step, moment.before)
        else:
            caption, ledger = phases[step.phase](step)
        return caption, [*self._selected(step), *ledger]

    def _start(self, step: ShortestPathsStep) -> tuple[str, Blocks]:
        edges = count(len(self.problem.edges), "edge is a path", "edges are paths")
        caption = f"Only the {edges}, from each of {len(self.names)} nodes to the next."
        length = step.distances[self.s, self.t]
        is_edge = np.isfinite(length) and self.s != self.t
        remark = ", the edge's length" if is_edge else ""
        pair = f"D({self.names[self.s]}, {self.names[self.t]})"
        return caption, [Formula(f"{pair} = {num(length)}{remark}")]

    def _through(self, step: ShortestPathsStep, before: ShortestPathsStep) -> tuple[str, Blocks]:
        is_single = step.k - max(before.k, -1) == 1
        name = self.names[step.k]
        nodes = f"{name} too" if is_single else f"the nodes up to {name}"
        shorter = np.argwhere(step.distances < before.distances)
        if not self.problem.directed:
            shorter = shorter[shorter[:, 0] <= shorter[:, 1]]
        pairs = "no pair has a shorter path"
        if len(shorter):
            pairs = count(len(shorter), "pair has a shorter path", "pairs have a shorter path")
        caption = f"Paths may lead through {nodes}: {pairs}."
        blocks: Blocks = [self._chosen(step, before)] if is_single else []
        if len(shorter):
            blocks.append(self._shorter(step, before, shorter.tolist(), is_single=is_single))
        return caption, blocks or [Formula("No distance changes.")]

    def _shorter(
        self,
        step: ShortestPathsStep,
        before: ShortestPathsStep,
        pairs: list[list[int]],
        *,
        is_single: bool,
    ) -> LedgerTable:
        """Return the pairs with a shorter path, through the node of the step if it is one."""
        D, k = step.distances, step.k
        rows = []
        for i, j in pairs[:MAX_ROWS]:
            length = num(D[i, j])
            if is_single:
                length = f"{num(D[i, k])} + {num(D[k, j])} = {length}"
            rows.append((f"{self.names[i]} – {self.names[j]}", num(before.distances[i, j]), length))
        title = "Shorter pairs"
        if len(pairs) > MAX_ROWS:
            title += f" ({MAX_ROWS} of {len(pairs)})"
        head = ("pair", "before", f"through {self.names[k]}" if is_single else "now")
        numbers = [i * len(self.names) + j + 1 for i, j in pairs[:MAX_ROWS]]
        return short_table(head, rows, title, by="pair", numbers=numbers)

    def _chosen(self, step: ShortestPathsStep, before: ShortestPathsStep) -> Formula:
        """Return the arithmetic of the step for the chosen pair."""
        D, s, t, k = before.distances, self.s, self.t, step.k
        minimum = f"min({num(D[s, t])}, {num(D[s, k])} + {num(D[k, t])})"
        pair = f"D({self.names[s]}, {self.names[t]})"
        return Formula(f"{pair} = {minimum} = {num(step.distances[s, t])}")

    def _trace(self, step: ShortestPathsStep) -> tuple[str, Blocks]:
        node, target = step.path[-1], self.names[self.t]
        remaining = num(step.distances[node, self.t])
        caption = f"The next node is {self.names[node]}: {remaining} left to {target}."
        if len(step.path) == 1:
            caption = f"The path begins at {self.names[node]}: {remaining} to {target}."
        return caption, [self._sum(step), self._rows(step)]

    def _sum(self, step: ShortestPathsStep) -> Formula:
        D, path = step.distances, step.path
        terms = [num(D[a, b]) for a, b in pairwise(path)]
        if not terms:
            return Formula("length so far: 0")
        return Formula(f"{abridged(terms, MAX_NAMED)} = {num(D[path[0], path[-1]])}")

    def _rows(self, step: ShortestPathsStep) -> LedgerTable:
        D = step.distances
        rows = [(self.names[v], num(D[step.path[0], v]), num(D[v, self.t])) for v in step.path]
        head, emphasis = ("node", "from origin", "to target"), [len(rows) - 1]
        numbers = [v + 1 for v in step.path]
        return short_table(
            head, rows, "Path", emphasis, max_rows=MAX_ROWS, by="node", numbers=numbers
        )

    def _done(self, step: ShortestPathsStep) -> tuple[str, Blocks]:
        D, s, t = step.distances, self.s, self.t
        pairs = D[~np.eye(len(D), dtype=bool)]
        lengths = pairs[np.isfinite(pairs)]
        orders = 1 if self.problem.directed else 2  # in which a pair is counted
        n_pairs, n_joined = len(pairs) // orders, len(lengths) // orders
        if s == t:
            joined = f"{n_joined} of {n_pairs} pairs are joined by a path"
            caption = f"Done. The origin is the target; {joined}."
        elif step.path:
            edges = count(len(step.path) - 1, "edge", "edges")
            path = f"The shortest path from {self.names[s]} to {self.names[t]}"
            caption = f"Done. {path} has {edges} and the length {num(D[s, t])}."
        else:
            joined = f"{n_joined} of {n_pairs} pairs are joined by one"
            caption = f"Done. No path leads from {self.names[s]} to {self.names[t]}; {joined}."
        blocks: Blocks = [self._sum(step)] if len(step.path) > 1 else []
        blocks += self._wiener(float(lengths.sum()) / orders, n_joined, n_pairs)
        if n_joined:
            blocks.append(Formula(f"largest distance: {num(lengths.max())}"))
        return caption, [*blocks, self._from_origin(step)]

    def _wiener(self, total: float, n_joined: int, n_pairs: int) -> Blocks:
        """Return the sum of the distances and, where it is finite, their mean."""
        law = "W = Σ D(i, j)" if self.problem.directed else "W = Σ D(i, j) over i < j"
        if n_joined < n_pairs:
            return [Formula(f"{law} = ∞; over {n_joined} of {n_pairs} pairs: {num(total)}")]
        index = Formula(f"{law} = {num(total)}, the Wiener index")
        if not n_pairs:
            return [index]
        n, factor = len(self.names), "" if self.problem.directed else "2 "
        times = factor and "2 · "
        quotient = f"{times}{num(total)} / ({n} · {n - 1}) = {num4(total / n_pairs)}"
        return [index, Formula(f"mean distance: {factor}W / (n (n − 1)) = {quotient}")]

    def _from_origin(self, step: ShortestPathsStep) -> LedgerTable:
        distances = step.distances[self.s]
        order = np.argsort(distances, kind="stable").tolist()
        reached = [j for j in order if np.isfinite(distances[j])]
        rows = [(self.names[j], float(distances[j]), self._path(step, j)) for j in reached]
        emphasis = [reached.index(self.t)] if self.t in reached else []
        head, title = ("to", "distance", "path"), f"From {self.names[self.s]}"
        numbers = [j + 1 for j in reached]
        return short_table(
            head, rows, title, emphasis, max_rows=MAX_ROWS, by="node", numbers=numbers
        )

    def _path(self, step: ShortestPathsStep, j: int) -> str:
        return abridged([self.names[v] for v in restore(step.successors, self.s, j)], 6, " ")

    def _selected(self, step: ShortestPathsStep) -> Blocks:
        """Return the distances of the selected node to the others."""
        if self.selected is None:
            return []
        distances = np.delete(step.distances[self.selected], self.selected)
        finite = distances[np.isfinite(distances)]
        text = f"{self.names[self.selected]}: paths to {len(finite)} of {len(distances)} nodes"
        if len(finite):
            text += f"; mean {num(finite.mean())}, largest {num(finite.max())}"
        return [Formula(text)]
