"""Centralities as a picture: nodes as large as their scores, and bars of the largest ones."""

from __future__ import annotations

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from dmlib.pictures.data.graph import graph_edges, graph_names, graph_panel
from dmlib.pictures.ledger import Blocks, Formula, few, short_table
from dmlib.pictures.marks import PerFrame, Points, Texts
from dmlib.pictures.motion import thin, thinned_note
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Frame, Panel, Scene
from dmlib.pictures.words import num, num4, short
from dmlib.similarity.graphs_similarity.centrality import ROUNDS, CentralityStep
from dmlib.similarity.graphs_similarity.graphs import adjacency, without_loops
from dmlib.similarity.graphs_similarity.nodes_scene import bars, node_names

MOST_FRAMES, MOST_BARS, MOST_TERMS = 120, 8, 6
SMALLEST, LARGEST = 3.0, 18.0  # radius in pixels
NAMES = {
    "pagerank": "PageRank",
    "authority": "authority score",
    "hub": "hub score",
    "degree": "degree centrality",
    "closeness": "closeness",
    "betweenness": "betweenness",
}


def centrality_scene(run: Run) -> Scene:
    """Draw a run of :class:`dmlib.similarity.NodeCentrality`.

    Examples
    --------
    >>> import networkx as nx
    >>> from dmlib.problem import prepare_graph
    >>> from dmlib.similarity import NodeCentrality
    >>> scene = centrality_scene(Run.of(prepare_graph(nx.star_graph(3)), NodeCentrality("degree")))
    >>> scene.frames[-1].caption
    'Done. Node 0 has the largest degree centrality, 1.'
    """
    problem, every = run.problem, run.trace.steps
    shown = thin(len(every), MOST_FRAMES)
    steps: list[CentralityStep] = [every[i] for i in shown]
    teller = _Teller(run)
    x, y = problem.positions.T
    top = max(float(step.scores.max()) for step in steps) or 1.0
    sizes = PerFrame([SMALLEST + (LARGEST - SMALLEST) * np.sqrt(step.scores / top) for step in steps])
    nodes = Points(
        x=x, y=y, color=[2], symbol=[0], size=sizes, opacity=[0.85], labels=problem.labels, data=True,
        numbers=np.arange(1, len(x) + 1), of="node",
    )  # fmt: skip
    first = np.argsort(-steps[-1].scores, kind="stable")[:MOST_BARS]
    names = [teller.names[i] for i in first][::-1]
    at = np.arange(len(first), dtype=float)[::-1]
    ends = [step.scores[first] for step in steps]
    largest = bars("scores", ends, at, color=[2], opacity=[0.9], numbers=first + 1, of="node")
    axis = Axis(NAMES[run.model.measure], 0.0, 1.08 * top)
    panel = Panel("scores", axis, Axis("node", -0.6, len(names) - 0.4, ticks=names), title="The largest scores")
    texts = [mark for mark in graph_names(problem)[:1] if isinstance(mark, Texts)]
    marks = [*graph_edges(problem, (1.0, 1.0, 1.0)), nodes, *texts, largest]
    frames = [teller.frame(step) for step in steps]
    notes = (*problem.notes, "The area of a node grows with its score.", *thinned_note(shown))
    return Scene((graph_panel(problem), panel), marks, frames, notes)


class _Teller:
    """Says what a step does, with the numbers of a run."""

    def __init__(self, run: Run) -> None:
        self.model, self.selected, self.graph = run.model, run.selected, run.problem.graph
        self.names = node_names(run.problem, 14)
        self.A: NDArray[np.bool_] = adjacency(without_loops(run.problem.graph))
        self.rounds: dict[int, CentralityStep] = {step.n_iter: step for step in run.trace.steps}

    def frame(self, step: CentralityStep) -> Frame:
        """Return the frame of a step."""
        best = int(step.scores.argmax())
        what, value = NAMES[self.model.measure], num4(step.scores[best])
        if step.phase == "start":
            caption = f"All nodes begin with the same score, {value}."
        elif step.phase == "pass":
            caption = f"Round {step.n_iter}: node {self.names[best]} leads with {value}; in all, scores change by "
            caption += f"{num4(step.change)}."
        else:
            caption = f"Done. Node {self.names[best]} has the largest {what}, {value}."
        order = np.argsort(-step.scores, kind="stable").tolist()
        rows = [(i + 1, self.names[i], short(step.scores[i])) for i in order]
        head, title, numbers = ("number", "node", "score"), what[:1].upper() + what[1:], [i + 1 for i in order]
        table = short_table(head, rows, title, [0], most=12, by="node", numbers=numbers)
        chosen = [] if self.selected is None else self._selected(step, self.selected)
        ledger: Blocks = [*chosen, *self._arithmetic(step, best), table]
        return Frame(caption, ledger, step.phase)

    def _selected(self, step: CentralityStep, node: int) -> Blocks:
        rank = int((step.scores > step.scores[node]).sum()) + 1
        score = num4(step.scores[node])
        place = Formula(f"{self.names[node]}: {score}, rank {rank} of {len(self.names)}")
        return [place, *(self._arithmetic(step, node) if node != int(step.scores.argmax()) else [])]

    def _arithmetic(self, step: CentralityStep, i: int) -> Blocks:
        """Write out the score of a node."""
        n, name = len(self.A), self.names[i]
        if step.phase == "start":
            return [Formula(f"1 / {n} = {num(1 / n)}")]
        value = num4(step.scores[i])
        if self.model.measure not in ROUNDS:
            return [Formula(f"C({name}) = {self._once(step, i)} = {value}")]
        before = self.rounds[step.n_iter - 1]
        if self.model.measure != "pagerank":
            A = self.A.astype(float) if self.model.measure == "hub" else self.A.T.astype(float)
            paths = A[i] @ A.T
            added = [f"{paths[j]:g} · {num4(before.scores[j])}" for j in np.flatnonzero(paths).tolist()]
            law = "a ← Aᵀ A a" if self.model.measure == "authority" else "h ← A Aᵀ h"
            total = num4((A @ (before.scores @ A)).sum())
            sums = few(added, MOST_TERMS) if added else "0"
            if total == "0":
                return [Formula(f"no edge passes a score on: score({name}) = 1 / {n} = {value}")]
            return [Formula(f"{law}, divided by its sum: score({name}) = ({sums}) / {total} = {value}")]
        d, out = self.model.damping, self.A.sum(axis=1)
        sources = np.flatnonzero(self.A[:, i])
        terms = [f"{num4(before.scores[j])} / {int(out[j])}" for j in sources.tolist()]
        lost = float(before.scores[out == 0].sum())
        more = f" + {num4(lost)} / {n}" if lost else ""
        total = f"({few(terms, MOST_TERMS) if terms else '0'}{more})"
        return [Formula(f"PR({name}) = {num4(1 - d)} / {n} + {num(d)} · {total} = {value}")]

    def _once(self, step: CentralityStep, i: int) -> str:
        """Write out a score that takes no rounds."""
        n = len(self.A)
        if self.model.measure == "degree":
            loose = int(self.A[i].sum() + (self.A[:, i].sum() if self.graph.is_directed() else 0))
            return f"{loose} / {max(n - 1, 1)}"
        if self.model.measure == "closeness":
            node = list(self.graph)[i]
            towards = self.graph.reverse() if self.graph.is_directed() else self.graph
            found = list(nx.single_source_shortest_path_length(towards, node).values())
            reached, total = len(found) - 1, sum(found)
            if not reached:
                return "no node reaches it"
            return (
                f"reached / Σ distances · reached / {max(n - 1, 1)} = {reached} / {total} · {reached} / {max(n - 1, 1)}"
            )
        pairs = (n - 1) * (n - 2) // (1 if self.graph.is_directed() else 2)
        through = num4(float(step.scores[i]) * pairs)
        return f"Σ of the shares of shortest paths through it / pairs = {through} / {max(pairs, 1)}"
