"""What a step of Floyd-Warshall says: its sentence and its arithmetic."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, few, short_table
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Frame
from dmlib.pictures.words import count, num
from dmlib.similarity.graphs_similarity.nodes_scene import node_names
from dmlib.similarity.graphs_similarity.shortest_paths import ShortestPathsStep, restore

MOST_ROWS, MOST_NAMED = 12, 8


class PathsTeller:
    """Says what a step does, with the numbers of a run."""

    def __init__(self, run: Run) -> None:
        self.problem, self.selected = run.problem, run.selected
        self.names = node_names(run.problem, 16)
        self.s, self.t = run.model.origin - 1, run.model.target - 1

    def frame(self, step: ShortestPathsStep, before: ShortestPathsStep) -> Frame:
        """Return the frame of a step, after the one shown before it."""
        tell = {"start": self._start, "through": self._through, "trace": self._trace, "done": self._done}[step.phase]
        caption, ledger = tell(step, before)
        return Frame(caption, [*self._selected(step), *ledger], step.phase)

    def _start(self, step: ShortestPathsStep, before: ShortestPathsStep) -> tuple[str, Blocks]:
        n_edges, n = len(self.problem.edges), len(self.names)
        caption = f"Only the {count(n_edges, 'edge is a path', 'edges are paths')}, from each of {n} nodes to the next."
        own = num(step.distances[self.s, self.t])
        return caption, [Formula(f"D({self.names[self.s]}, {self.names[self.t]}) = {own}, the edge's length"
                                 if np.isfinite(step.distances[self.s, self.t]) and self.s != self.t
                                 else f"D({self.names[self.s]}, {self.names[self.t]}) = {own}")]  # fmt: skip

    def _through(self, step: ShortestPathsStep, before: ShortestPathsStep) -> tuple[str, Blocks]:
        k = self.names[step.k]
        several = step.k - max(before.k, -1) > 1
        what = f"Paths may lead through {k} too" if not several else f"Paths may lead through the nodes up to {k}"
        shorter = np.argwhere(step.distances < before.distances)
        if not self.problem.directed:
            shorter = shorter[shorter[:, 0] <= shorter[:, 1]]
        pairs = count(len(shorter), "pair has a shorter path", "pairs have a shorter path")
        caption = f"{what}: {pairs if len(shorter) else 'no pair has a shorter path'}."
        rows = []
        for i, j in shorter[:MOST_ROWS].tolist():
            now = num(step.distances[i, j])
            sums = f"{num(step.distances[i, step.k])} + {num(step.distances[step.k, j])} = {now}"
            old = num(before.distances[i, j])
            rows.append((f"{self.names[i]} – {self.names[j]}", old, now if several else sums))
        blocks: Blocks = [] if several else [self._chosen(step, before)]
        if rows:
            title = f"Shorter pairs ({MOST_ROWS} of {len(shorter)})" if len(shorter) > MOST_ROWS else "Shorter pairs"
            head = ("pair", "before", "now" if several else f"through {k}")
            numbers = [i * len(self.names) + j + 1 for i, j in shorter[:MOST_ROWS].tolist()]
            blocks.append(short_table(head, rows, title, by="pair", numbers=numbers))
        return caption, blocks or [Formula("No distance changes.")]

    def _chosen(self, step: ShortestPathsStep, before: ShortestPathsStep) -> Formula:
        """Write the step out for the chosen pair."""
        D, s, t, k = before.distances, self.s, self.t, step.k
        parts = f"{num(D[s, t])}, {num(D[s, k])} + {num(D[k, t])}"
        return Formula(f"D({self.names[s]}, {self.names[t]}) = min({parts}) = {num(step.distances[s, t])}")

    def _trace(self, step: ShortestPathsStep, before: ShortestPathsStep) -> tuple[str, Blocks]:
        here = step.path[-1]
        left = num(step.distances[here, self.t])
        if len(step.path) == 1:
            caption = f"The path begins at {self.names[here]}: {left} to {self.names[self.t]}."
        else:
            caption = f"The next node is {self.names[here]}: {left} left to {self.names[self.t]}."
        return caption, [self._sum(step), self._rows(step)]

    def _sum(self, step: ShortestPathsStep) -> Formula:
        D, path = step.distances, step.path
        terms = [num(D[a, b]) for a, b in pairwise(path)]
        total = num(D[path[0], path[-1]]) if path else "∞"
        return Formula(f"{few(terms, MOST_NAMED) if terms else '0'} = {total}" if terms else "length so far: 0")

    def _rows(self, step: ShortestPathsStep) -> LedgerTable:
        D = step.distances
        rows = [(self.names[v], num(D[step.path[0], v]), num(D[v, self.t])) for v in step.path]
        head, numbers = ("node", "from origin", "to target"), [v + 1 for v in step.path]
        return short_table(head, rows, "Path", [len(rows) - 1], most=MOST_ROWS, by="node", numbers=numbers)

    def _done(self, step: ShortestPathsStep, before: ShortestPathsStep) -> tuple[str, Blocks]:
        D, s, t = step.distances, self.s, self.t
        one, other = self.names[s], self.names[t]
        directed = self.problem.directed
        pairs = D[~np.eye(len(D), dtype=bool)]
        found = np.isfinite(pairs)
        total = float(pairs[found].sum()) / (1 if directed else 2)
        n_pairs, n_found = (n if directed else n // 2 for n in (len(pairs), int(found.sum())))
        if s == t:
            caption = f"Done. The origin is the target; {n_found} of {n_pairs} pairs are joined by a path."
        elif step.path:
            edges = count(len(step.path) - 1, "edge", "edges")
            caption = f"Done. The shortest path from {one} to {other} has {edges} and the length {num(D[s, t])}."
        else:
            caption = f"Done. No path leads from {one} to {other}; {n_found} of {n_pairs} pairs are joined by one."
        wiener = "W = Σ D(i, j)" if directed else "W = Σ D(i, j) over i < j"
        blocks: Blocks = [self._sum(step)] if len(step.path) > 1 else []
        if n_found == n_pairs:
            blocks.append(Formula(f"{wiener} = {num(total)}, the Wiener index"))
        else:
            blocks.append(Formula(f"{wiener} = ∞; over {n_found} of {n_pairs} pairs: {num(total)}"))
        if n_found:
            blocks.append(Formula(f"largest distance: {num(pairs[found].max())}"))
        reached = [j for j in np.argsort(D[s], kind="stable").tolist() if np.isfinite(D[s, j])]
        rows = [(self.names[j], float(D[s, j]), self._way(step, j)) for j in reached]
        emphasis = [reached.index(t)] if t in reached else []
        head, numbers = ("to", "distance", "path"), [j + 1 for j in reached]
        blocks.append(short_table(head, rows, f"From {one}", emphasis, most=MOST_ROWS, by="node", numbers=numbers))
        return caption, blocks

    def _way(self, step: ShortestPathsStep, j: int) -> str:
        return few([self.names[v] for v in restore(step.successors, self.s, j)], 6, " ")

    def _selected(self, step: ShortestPathsStep) -> Blocks:
        """Say how far the selected node is from the others."""
        if self.selected is None:
            return []
        own = np.delete(step.distances[self.selected], self.selected)
        own = own[np.isfinite(own)]
        text = f"{self.names[self.selected]}: paths to {len(own)} of {len(step.distances) - 1} nodes"
        return [Formula(f"{text}; mean {num(own.mean())}, largest {num(own.max())}" if len(own) else text)]
