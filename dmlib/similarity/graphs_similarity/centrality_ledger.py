"""Centralities in words and numbers: the score of a node written out, and all scores in order."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, short_table
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import num, num4, short, upper_first
from dmlib.problem import GraphProblem
from dmlib.similarity.graphs_similarity.centrality import ROUNDS, CentralityStep
from dmlib.similarity.graphs_similarity.graphs import adjacency, without_loops
from dmlib.similarity.graphs_similarity.nodes_scene import node_names

MAX_TERMS = 6
NAMES = {
    "pagerank": "PageRank",
    "authority": "authority score",
    "hub": "hub score",
    "degree": "degree centrality",
    "closeness": "closeness",
    "betweenness": "betweenness",
}


class Narrator:
    """Captions and ledgers of centralities.

    Parameters
    ----------
    run : Run
        The run.
    """

    def __init__(self, run: Run[GraphProblem, Any]) -> None:
        self.model, self.selected, self.graph = run.model, run.selected, run.problem.graph
        self.names = node_names(run.problem, 14)
        self.A: NDArray[np.bool_] = adjacency(without_loops(run.problem.graph))
        self.rounds: dict[int, CentralityStep] = {step.n_iter: step for step in run.trace.steps}

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: CentralityStep = moment.step
        best = int(step.scores.argmax())
        blocks: Blocks = [self._arithmetic(step, best), self._table(step)]
        if self.selected is not None:
            blocks = [*self._selected(step, self.selected), *blocks]
        return self._caption(step, best), blocks

    def _caption(self, step: CentralityStep, best: int) -> str:
        value = num4(step.scores[best])
        if step.phase == "start":
            return f"All nodes begin with the same score, {value}."
        if step.phase == "pass":
            leader = f"node {self.names[best]} leads with {value}"
            return f"Round {step.n_iter}: {leader}; in all, scores change by {num4(step.change)}."
        measure = NAMES[self.model.measure]
        return f"Done. Node {self.names[best]} has the largest {measure}, {value}."

    def _table(self, step: CentralityStep) -> LedgerTable:
        order = np.argsort(-step.scores, kind="stable").tolist()
        rows = [(i + 1, self.names[i], short(step.scores[i])) for i in order]
        title, head = upper_first(NAMES[self.model.measure]), ("number", "node", "score")
        numbers = [i + 1 for i in order]
        return short_table(head, rows, title, [0], max_rows=12, by="node", numbers=numbers)

    def _selected(self, step: CentralityStep, node: int) -> Blocks:
        rank = int((step.scores > step.scores[node]).sum()) + 1
        score = num4(step.scores[node])
        place = Formula(f"{self.names[node]}: {score}, rank {rank} of {len(self.names)}")
        return [place] if node == step.scores.argmax() else [place, self._arithmetic(step, node)]

    def _arithmetic(self, step: CentralityStep, i: int) -> Formula:
        """Return the score of a node as a formula with its numbers."""
        n, value = len(self.A), num4(step.scores[i])
        if step.phase == "start":
            return Formula(f"1 / {n} = {num(1 / n)}")
        if self.model.measure not in ROUNDS:
            return Formula(f"C({self.names[i]}) = {self._centrality(step, i)} = {value}")
        scores = self.rounds[step.n_iter - 1].scores
        law = self._pagerank if self.model.measure == "pagerank" else self._hits
        return Formula(f"{law(scores, i)} = {value}")

    def _hits(self, scores: Floats, i: int) -> str:
        """Return the score of a hub or an authority, from the scores of the round before."""
        A, law = self.A.astype(float), "h ← A Aᵀ h"
        if self.model.measure == "authority":
            A, law = A.T, "a ← Aᵀ A a"
        paths = A[i] @ A.T
        terms = [f"{paths[j]:g} · {num4(scores[j])}" for j in np.flatnonzero(paths).tolist()]
        total = num4((A @ (scores @ A)).sum())
        if total == "0":
            return f"no edge passes a score on: score({self.names[i]}) = 1 / {len(A)}"
        sums = abridged(terms, MAX_TERMS) if terms else "0"
        return f"{law}, divided by its sum: score({self.names[i]}) = ({sums}) / {total}"

    def _pagerank(self, scores: Floats, i: int) -> str:
        """Return the PageRank of a node, from those of the round before."""
        n, d, out = len(self.A), self.model.damping, self.A.sum(axis=1)
        sources = np.flatnonzero(self.A[:, i]).tolist()
        terms = [f"{num4(scores[j])} / {int(out[j])}" for j in sources]
        sums = abridged(terms, MAX_TERMS) if terms else "0"
        dangling = float(scores[out == 0].sum())
        if dangling:
            sums += f" + {num4(dangling)} / {n}"
        return f"PR({self.names[i]}) = {num4(1 - d)} / {n} + {num(d)} · ({sums})"

    def _centrality(self, step: CentralityStep, i: int) -> str:
        """Return the arithmetic of a score without rounds."""
        n, is_directed = len(self.A), self.graph.is_directed()
        if self.model.measure == "degree":
            degree = int(self.A[i].sum() + (self.A[:, i].sum() if is_directed else 0))
            return f"{degree} / {max(n - 1, 1)}"
        if self.model.measure == "closeness":
            return self._closeness(i)
        pairs = (n - 1) * (n - 2) // (1 if is_directed else 2)
        through = num4(float(step.scores[i]) * pairs)
        return f"Σ of the shares of shortest paths through it / pairs = {through} / {max(pairs, 1)}"

    def _closeness(self, i: int) -> str:
        towards = self.graph.reverse() if self.graph.is_directed() else self.graph
        lengths = nx.single_source_shortest_path_length(towards, list(self.graph)[i])
        n_reached, n = len(lengths) - 1, max(len(self.A) - 1, 1)
        if not n_reached:
            return "no node reaches it"
        law = f"reached / Σ distances · reached / {n}"
        return f"{law} = {n_reached} / {sum(lengths.values())} · {n_reached} / {n}"
