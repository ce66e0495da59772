"""A graph kernel in words and numbers: the counts of each round, and the isomorphism test."""

from __future__ import annotations

from collections import Counter
from math import dist
from typing import Any

import numpy as np
from sklearn.base import clone

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, short_table
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, num4, percent, short
from dmlib.problem import GraphProblem
from dmlib.problem.texts import shortened
from dmlib.similarity.graphs_similarity.features import Round
from dmlib.similarity.graphs_similarity.graph_kernel import (
    BY_EDGES,
    WITHOUT_LABELS,
    GraphKernelStep,
)
from dmlib.similarity.graphs_similarity.graphs import Indices, two_graphs
from dmlib.similarity.graphs_similarity.isomorphism import MAX_WORK, decided
from dmlib.similarity.graphs_similarity.walks import WALKS
from dmlib.similarity.graphs_similarity.walks_ledger import WalksNarrator, rounds_table

MAX_ROWS, MAX_TERMS, NAME = 12, 6, 20
COUNTED = {
    "weisfeiler-lehman": ("label", "labels"),
    "shortest-path": ("kind of pair", "kinds of pairs"),
    "graphlet": ("graphlet", "graphlets"),
    "edge-histogram": ("kind of edge", "kinds of edges"),
    "topological": ("number", "numbers"),
}


def ordered(round_: Round) -> list[str]:
    """Return the names of the features of a round: shared ones first, then the most frequent."""
    first, second = round_.counts

    def rank(name: str) -> tuple[int, int, int, str]:
        is_shared = min(first[name], second[name], 1)
        return -is_shared, -first[name] - second[name], len(name), name

    return sorted({*first, *second}, key=rank)


class Narrator:
    """Captions and ledgers of a graph kernel.

    Parameters
    ----------
    run : Run
        The run.
    parts : tuple of ndarray of int
        The nodes of both graphs.
    """

    def __init__(self, run: Run[GraphProblem, Any], parts: tuple[Indices, Indices]) -> None:
        self.run, self.problem, self.model = run, run.problem, run.model
        self.selected, self.parts = run.selected, parts
        rounds: list[Round] = [step.round for step in run.trace.steps if step.phase == "count"]
        titles = [round_.title for round_ in rounds if round_.counts[0] != round_.counts[1]]
        self.differing = titles[0] if titles else ""

    @cached_property
    def walks(self) -> WalksNarrator:
        """Captions and ledgers of the rounds of a kernel that counts common walks."""
        return WalksNarrator(self.run, self.parts)

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: GraphKernelStep = moment.step
        phases = {"count": self._round, "product": self._product, "done": self._done}
        caption, ledger = phases[step.phase](step)
        return caption, [*self._selected(step), *ledger]

    @cached_property
    def isomorphic(self) -> bool | None:
        """Whether the graphs are isomorphic; None if the search for a mapping takes too long."""
        if self.differing:
            return False
        labels = "equal" if self.model.kernel in WITHOUT_LABELS else self.model.labels
        own = self.model.edge_labels and self.model.kernel in BY_EDGES
        graphs = two_graphs(self.problem.graph)
        return decided(*graphs, labels=labels, edge_labels=own, max_work=MAX_WORK)

    def _test(self) -> Formula:
        """Return the result of the isomorphism test: by the counts, or by a search."""
        if self.differing:
            result = "the counts differ, so the graphs are not isomorphic"
            return Formula(f"isomorphism test: {self.differing.lower()}: {result}")
        search = {
            True: "a mapping keeps the edges, so the graphs are isomorphic",
            False: "no mapping keeps the edges, so the graphs are not isomorphic",
            None: "the search for a mapping takes too long here, so nothing is proven",
        }[self.isomorphic]
        return Formula(f"isomorphism test: all counts are equal; {search}")

    def _round(self, step: GraphKernelStep) -> tuple[str, Blocks]:
        if self.model.kernel in WALKS:
            return self.walks.caption_and_ledger(step)
        round_ = step.round
        first, second = round_.counts
        names = ordered(round_)
        shared = [name for name in names if first[name] and second[name]]
        products = [f"{first[name]} · {second[name]}" for name in shared]
        sums = abridged(products, MAX_TERMS) if products else "0"
        blocks: Blocks = [Formula(f"{sums} = {num(step.terms[-1])}")]
        if names:
            blocks.append(self._counts(round_, names, len(shared)))
        if self.model.kernel == "topological":
            blocks.append(_distance(first, second))
        verdict = "different, so the graphs are not isomorphic"
        if first == second:
            verdict = "equal, which proves nothing"
        caption = self._caption(step, len(names), len(shared))
        return caption, [*blocks, Formula(f"isomorphism test: the counts are {verdict}")]

    def _caption(self, step: GraphKernelStep, n_names: int, n_shared: int) -> str:
        title, added = step.round.title, num4(step.terms[-1])
        if self.model.kernel == "weisfeiler-lehman" and not step.round.names:
            return f"{title}: this adds {added}."
        counted = count(n_names, *COUNTED[self.model.kernel])
        return f"{title}: {counted}, of which both graphs have {n_shared}: this adds {added}."

    def _counts(self, round_: Round, names: list[str], n_shared: int) -> LedgerTable:
        """Return the counts of both graphs: labels with their meanings, others with products."""
        first, second = round_.counts
        head, rows = ("counted", "1st", "2nd", "product"), list[tuple[Any, ...]]()
        if round_.names:
            head = ("label", "stands for", "1st", "2nd")
        for name in names:
            counts = first[name], second[name]
            if round_.names:
                meaning = shortened(round_.names[int(name)], NAME)
                rows.append((int(name), meaning, *counts))
            else:
                rows.append((shortened(name, NAME), *counts, counts[0] * counts[1]))
        emphasis = range(min(n_shared, MAX_ROWS))
        about: dict[str, Any] = {"by": "count", "numbers": range(1, len(rows) + 1)}
        return short_table(head, rows, round_.title, emphasis, max_rows=MAX_ROWS, **about)

    def _product(self, step: GraphKernelStep) -> tuple[str, Blocks]:
        rounds = count(len(step.terms), "round", "rounds")
        caption = f"The {rounds} add up to {num4(step.value or 0.0)}."
        return caption, [self._sum(step), self._terms(step)]

    def _sum(self, step: GraphKernelStep) -> Formula:
        terms = [num4(term) for term in step.terms]
        return Formula(f"k = {abridged(terms, MAX_TERMS)} = {num4(sum(step.terms))}")

    def _terms(self, step: GraphKernelStep) -> LedgerTable:
        return rounds_table(self.model, step.terms)

    def _done(self, step: GraphKernelStep) -> tuple[str, Blocks]:
        assert step.matrix is not None
        K = step.matrix
        blocks: Blocks = [self._sum(step), self._test()]
        if self.model.normalize:
            blocks.append(self._normalised(step))
        names = ("first", "second")
        rows = [(name, short(K[i, 0]), short(K[i, 1])) for i, name in enumerate(names)]
        blocks.append(short_table(("graph", *names), rows, "Kernel matrix"))
        return self._result(step, K), [*blocks, self._terms(step)]

    def _result(self, step: GraphKernelStep, K: Floats) -> str:
        """Return the caption of the end."""
        kernel = "normalised kernel" if self.model.normalize else "kernel"
        caption = f"Done. The {kernel} of the two graphs is {num4(step.value or 0.0)}"
        size = float(np.sqrt(K[0, 0] * K[1, 1]))
        verdict = ""
        if self.isomorphic is not None:
            verdict = "they are isomorphic" if self.isomorphic else "they are not isomorphic"
        if np.allclose(K[0, 1], [K[0, 0], K[1, 1]]):
            caption += ": each round counts the same in both"
        elif size > 0 and not self.model.normalize:
            caption += f", {percent(K[0, 1] / size)} of that of equal graphs"
        return f"{caption}; {verdict}." if verdict else f"{caption}."

    def _normalised(self, step: GraphKernelStep) -> Formula:
        plain = clone(self.model).set_params(normalize=False).fit(self.problem.graph).matrix_
        sizes = f"√({num4(plain[0, 0])} · {num4(plain[1, 1])})"
        return Formula(f"normalised: {num4(sum(step.terms))} / {sizes} = {num4(step.value or 0.0)}")

    def _selected(self, step: GraphKernelStep) -> Blocks:
        """Return the label of the selected node."""
        if self.selected is None:
            return []
        name = shortened(self.problem.names[self.selected], NAME)
        for side, part in enumerate(self.parts):
            places = np.flatnonzero(part == self.selected)
            if len(places):
                label = self._label(step.round, side, int(places[0]))
                return [Formula(f"{name}: {('first', 'second')[side]} graph, label {label}")]
        return [Formula(f"{name}: in neither of the two graphs")]

    def _label(self, round_: Round, side: int, place: int) -> str:
        """Return a label and, where nodes are relabelled, its meaning."""
        label = round_.labels[side][place]
        meaning = round_.names.get(label)
        if meaning and self.model.kernel == "weisfeiler-lehman":
            return f"{label} ({shortened(meaning, 30)})"
        return str(label)


def _distance(first: Counter[str], second: Counter[str]) -> Formula:
    """Return the Euclidean distance of two topological vectors."""
    pairs = [(first[name], second[name]) for name in first]
    terms = " + ".join(f"({a} − {b})²" for a, b in pairs)
    return Formula(f"distance of the vectors: √({terms}) = {num4(dist(*zip(*pairs, strict=True)))}")
