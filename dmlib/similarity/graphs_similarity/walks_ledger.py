"""Common walks in words and numbers: each length, and the linear system of all lengths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, short_table
from dmlib.pictures.run import Run
from dmlib.pictures.words import count, num, num4, short
from dmlib.problem import GraphProblem
from dmlib.problem.texts import shortened
from dmlib.similarity.graphs_similarity.features import first_labels
from dmlib.similarity.graphs_similarity.graph_kernel import GraphKernelStep
from dmlib.similarity.graphs_similarity.graphs import Indices, two_graphs
from dmlib.similarity.graphs_similarity.walks import (
    decay_of,
    largest_eigenvalue,
    product_graph,
    round_names,
    walk_sums,
)

MAX_ROWS, NAME = 12, 12


class WalksNarrator:
    """Captions and ledgers of the rounds of a kernel that counts common walks.

    Parameters
    ----------
    run : Run
        The run.
    parts : tuple of ndarray of int
        The nodes of both graphs.
    """

    def __init__(self, run: Run[GraphProblem, Any], parts: tuple[Indices, Indices]) -> None:
        self.model, self.problem, self.parts = run.model, run.problem, parts
        self.graphs = two_graphs(run.problem.graph)
        self.has_all_lengths = run.model.kernel == "geometric"
        self.decay = decay_of(run.model, self.graphs)
        self.total = sum(run.trace.steps[-1].terms)

    def caption_and_ledger(self, step: GraphKernelStep) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a round."""
        if not step.round.names:
            return self._closed_form(step)
        n_walks, n_edges = step.round.names[0], len(step.terms) - 1
        added = num4(step.terms[-1])
        walks = f"{n_walks} common walks of {count(n_edges, 'edge', 'edges')}"
        caption = f"The graphs have {walks}: this adds {added}."
        term = f"{num(self.decay)}^{n_edges} · {n_walks} = {num(step.terms[-1])}"
        blocks: Blocks = [Formula(term)]
        if self.has_all_lengths:
            so_far = sum(step.terms)
            missing = num4(max(self.total - so_far, 0.0))
            blocks.append(
                Formula(f"sum so far: {num4(so_far)}; missing to {num4(self.total)}: {missing}")
            )
        return caption, [*blocks, self._lengths(step)]

    def _closed_form(self, step: GraphKernelStep) -> tuple[str, Blocks]:
        """Return the last round: what all lengths add up to, by the linear system."""
        labels = first_labels(self.graphs, self.model.labels)
        own = self.model.edge_labels
        pairs, A = product_graph(*self.graphs, labels, edge_labels=own)
        x = walk_sums(A, self.decay)
        added, total = num4(step.terms[-1]), num4(self.total)
        caption = f"All longer walks add {added}: by the linear system, all lengths have {total}."
        names = [
            [shortened(self.problem.names[node], NAME) for node in part] for part in self.parts
        ]
        rows = [
            (f"{names[0][i]}, {names[1][j]}", short(value))
            for (i, j), value in zip(pairs.tolist(), x.tolist(), strict=True)
        ]
        unknowns = count(len(rows), "unknown", "unknowns")
        blocks: Blocks = [
            Formula(f"k = 1ᵀ (I − λA)⁻¹ 1 = Σ x = {total}"),
            Formula(f"x = 1 + λ A x: {unknowns}, one for each node of the product graph"),
            Formula(self._convergence()),
            short_table(("pair of nodes", "x"), rows, "Linear system", max_rows=MAX_ROWS),
        ]
        return caption, [*blocks, self._lengths(step)]

    def _convergence(self) -> str:
        """Return why all lengths have a sum."""
        model, decay = self.model, num4(self.decay)
        radius = largest_eigenvalue(self.graphs, model.labels, edge_labels=model.edge_labels)
        if radius < 1:
            return f"λ = {decay}: all walks end, so that they have a sum with any λ"
        share = f"{num(model.decay_share)} / {num4(radius)}"
        return f"λ = share / largest eigenvalue of the product graphs = {share} = {decay}"

    def _lengths(self, step: GraphKernelStep) -> LedgerTable:
        last = len(step.terms) - 1
        names = [*range(last + 1)] if step.round.names else round_names(self.model, last + 1)
        head, title = "edges", "Walks so far"
        return _table(head, [str(name) for name in names], step.terms, title, [last])


def rounds_table(model: Any, terms: Sequence[float]) -> LedgerTable:
    """Return the contributions of all rounds of a kernel."""
    return _table("round", round_names(model, len(terms)), terms, "Rounds")


def _table(
    head: str,
    names: Sequence[int | str],
    terms: Sequence[float],
    title: str,
    emphasis: Sequence[int] = (),
) -> LedgerTable:
    rows = [(name, short(term)) for name, term in zip(names, terms, strict=True)]
    about: dict[str, Any] = {"by": "round", "numbers": range(1, len(rows) + 1)}
    return short_table((head, "adds"), rows, title, emphasis, max_rows=25, **about)
