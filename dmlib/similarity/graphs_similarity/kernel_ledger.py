"""A graph kernel in words and numbers: what each round counts and adds, and what that says of isomorphism."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, short_table
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, num4, short
from dmlib.problem.texts import shortened
from dmlib.similarity.graphs_similarity.features import Round
from dmlib.similarity.graphs_similarity.graph_kernel import GraphKernelStep
from dmlib.similarity.graphs_similarity.graphs import two_graphs
from dmlib.similarity.graphs_similarity.isomorphism import MOST_WORK, decided

MAX_ROWS, MAX_TERMS, NAME = 12, 6, 20
COUNTED = {
    "weisfeiler-lehman": ("label", "labels"),
    "shortest-path": ("kind of pair", "kinds of pairs"),
    "graphlet": ("graphlet", "graphlets"),
}


def ordered(round_: Round) -> list[str]:
    """Return the names of the counts of a round: of those that both graphs have first, then the most frequent."""
    first, second = round_.counts
    names = sorted({*first, *second}, key=lambda name: (len(name), name))
    return sorted(
        names, key=lambda name: (-min(first[name], second[name], 1), -first[name] - second[name])
    )


class Narrator:
    """Captions and ledgers of a graph kernel.

    Parameters
    ----------
    run : Run
        The run.
    parts : tuple of ndarray of int
        The nodes of both graphs.
    """

    def __init__(self, run: Run, parts: Any) -> None:
        self.problem, self.model, self.selected, self.parts = (
            run.problem,
            run.model,
            run.selected,
            parts,
        )
        rounds = (step.round for step in run.trace.steps if step.phase == "count")
        self.differing = next(
            (each.title for each in rounds if each.counts[0] != each.counts[1]), ""
        )

    def tell(self, now: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: GraphKernelStep = now.step
        phases = {"count": self._round, "product": self._product, "done": self._done}
        caption, ledger = phases[step.phase](step)
        return caption, [*self._selected(step), *ledger]

    @cached_property
    def isomorphic(self) -> bool | None:
        """Whether the graphs are isomorphic; None if the search for a mapping takes too long."""
        labels = "equal" if self.model.kernel == "graphlet" else self.model.labels
        return (
            False
            if self.differing
            else decided(*two_graphs(self.problem.graph), labels=labels, most=MOST_WORK)
        )

    def _test(self) -> Formula:
        """Return what the counts say about isomorphism, and what a search finds where they say nothing."""
        if self.differing:
            title = self.differing.lower()
            return Formula(
                f"isomorphism test: {title}: the counts differ, so the graphs are not isomorphic"
            )
        search = {
            True: "a mapping keeps the edges, so the graphs are isomorphic",
            False: "no mapping keeps the edges, so the graphs are not isomorphic",
            None: "the search for a mapping takes too long here, so nothing is proven",
        }[self.isomorphic]
        return Formula(f"isomorphism test: all counts are equal; {search}")

    def _round(self, step: GraphKernelStep) -> tuple[str, Blocks]:
        if self.model.kernel == "random-walk":
            return self._common_walks(step)
        round_ = step.round
        first, second = round_.counts
        names = ordered(round_)
        shared = [name for name in names if first[name] and second[name]]
        products = [f"{first[name]} · {second[name]}" for name in shared]
        sums = abridged(products, MAX_TERMS) if products else "0"
        blocks: Blocks = [Formula(f"{sums} = {num(step.terms[-1])}")]
        if names:
            blocks.append(self._counts(round_, names, len(shared)))
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
        """Return the counts of both graphs: of labels with their meaning, of anything else with their product."""
        first, second = round_.counts
        rows: list[tuple[Any, ...]]
        if round_.names:
            head: tuple[str, ...] = ("label", "stands for", "1st", "2nd")
            rows = [
                (int(name), shortened(round_.names[int(name)], NAME), first[name], second[name])
                for name in names
            ]
        else:
            head = ("counted", "1st", "2nd", "product")
            rows = [
                (shortened(name, NAME), first[name], second[name], first[name] * second[name])
                for name in names
            ]
        emphasis, numbers = range(min(n_shared, MAX_ROWS)), range(1, len(rows) + 1)
        return short_table(
            head, rows, round_.title, emphasis, max_rows=MAX_ROWS, by="count", numbers=numbers
        )

    def _common_walks(self, step: GraphKernelStep) -> tuple[str, Blocks]:
        n_walks, n_edges = step.round.names[0], len(step.terms) - 1
        walks = f"{n_walks} common walks of {count(n_edges, 'edge', 'edges')}"
        caption = f"The graphs have {walks}: this adds {num4(step.terms[-1])}."
        term = Formula(f"{num(self.model.decay)}^{n_edges} · {n_walks} = {num(step.terms[-1])}")
        return caption, [term, *self._walks(step)]

    def _walks(self, step: GraphKernelStep) -> Blocks:
        rows = [(str(k), short(value)) for k, value in enumerate(step.terms)]
        numbers = range(1, len(rows) + 1)
        return [
            short_table(
                ("edges", "adds"),
                rows,
                "Walks so far",
                [len(rows) - 1],
                max_rows=25,
                by="round",
                numbers=numbers,
            )
        ]

    def _product(self, step: GraphKernelStep) -> tuple[str, Blocks]:
        rounds = count(len(step.terms), "round", "rounds")
        return f"The {rounds} add up to {num4(step.value or 0.0)}.", [
            self._sum(step),
            *self._terms(step),
        ]

    def _sum(self, step: GraphKernelStep) -> Formula:
        terms = [num4(term) for term in step.terms]
        return Formula(f"k = {abridged(terms, MAX_TERMS)} = {num4(sum(step.terms))}")

    def _terms(self, step: GraphKernelStep) -> Blocks:
        rows = [(k, short(value)) for k, value in enumerate(step.terms)]
        return [
            short_table(
                ("round", "adds"),
                rows,
                "Rounds",
                max_rows=25,
                by="round",
                numbers=range(1, len(rows) + 1),
            )
        ]

    def _done(self, step: GraphKernelStep) -> tuple[str, Blocks]:
        assert step.matrix is not None
        K = step.matrix
        blocks: Blocks = [self._sum(step), self._test()]
        if self.model.normalize:
            blocks.append(self._normalised(step))
        rows = [
            (name, short(K[i, 0]), short(K[i, 1])) for i, name in enumerate(("first", "second"))
        ]
        blocks.append(short_table(("graph", "first", "second"), rows, "Kernel matrix"))
        return self._result(step, K), [*blocks, *self._terms(step)]

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
            caption += f", {num4(100 * K[0, 1] / size)} % of that of equal graphs"
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
        """Return a label and, where nodes are relabelled, what it stands for."""
        label = round_.labels[side][place]
        meaning = round_.names.get(label)
        if meaning and self.model.kernel == "weisfeiler-lehman":
            return f"{label} ({shortened(meaning, 30)})"
        return str(label)
