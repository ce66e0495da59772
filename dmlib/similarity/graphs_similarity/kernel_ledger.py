"""What a step of a graph kernel says: its sentence and its arithmetic."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone

from dmlib.cached import cached_property
from dmlib.pictures.ledger import Blocks, Formula, few, short_table
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Frame
from dmlib.pictures.words import count, num, num4, short
from dmlib.problem.texts import shortened
from dmlib.similarity.graphs_similarity.features import Round
from dmlib.similarity.graphs_similarity.graph_kernel import GraphKernelStep
from dmlib.similarity.graphs_similarity.graphs import two_graphs
from dmlib.similarity.graphs_similarity.isomorphism import MOST_WORK, decided

MOST_ROWS, MOST_TERMS, NAME = 12, 6, 20
WHAT = {
    "weisfeiler-lehman": ("label", "labels"),
    "shortest-path": ("kind of pair", "kinds of pairs"),
    "graphlet": ("graphlet", "graphlets"),
}


def ordered(round_: Round) -> list[str]:
    """Return what a round counts: what both graphs have first, then the most frequent."""
    one, other = round_.counts
    every = sorted({*one, *other}, key=lambda name: (len(name), name))
    return sorted(every, key=lambda name: (-min(one[name], other[name], 1), -one[name] - other[name]))


class KernelTeller:
    """Says what a step does, with the numbers of a run."""

    def __init__(self, run: Run, parts: Any) -> None:
        self.problem, self.model, self.selected, self.parts = run.problem, run.model, run.selected, parts
        rounds = (step.round for step in run.trace.steps if step.phase == "count")
        self.differing = next((each.title for each in rounds if each.counts[0] != each.counts[1]), "")

    def frame(self, step: GraphKernelStep) -> Frame:
        """Return the frame of a step."""
        tell = {"count": self._count, "product": self._product, "done": self._done}[step.phase]
        caption, ledger = tell(step)
        return Frame(caption, [*self._selected(step), *ledger], step.phase)

    @cached_property
    def isomorphic(self) -> bool | None:
        """Whether the graphs are isomorphic; None if the search for a mapping takes too long."""
        labels = "equal" if self.model.kernel == "graphlet" else self.model.labels
        return False if self.differing else decided(*two_graphs(self.problem.graph), labels=labels, most=MOST_WORK)

    def _test(self) -> Formula:
        """Say what the counts tell about isomorphism, and what a search does where they tell nothing."""
        if self.differing:
            said = f"{self.differing.lower()}: the counts differ, so the graphs are not isomorphic"
        else:
            found = {
                True: "a mapping keeps the edges, so the graphs are isomorphic",
                False: "no mapping keeps the edges, so the graphs are not isomorphic",
                None: "the search for a mapping takes too long here, so nothing is proven",
            }[self.isomorphic]
            said = f"all counts are equal; {found}"
        return Formula(f"isomorphism test: {said}")

    def _count(self, step: GraphKernelStep) -> tuple[str, Blocks]:
        round_, added = step.round, num4(step.terms[-1])
        one, other = round_.counts
        if self.model.kernel == "random-walk":
            common, edges = round_.names[0], len(step.terms) - 1
            caption = f"The graphs have {common} common walks of {count(edges, 'edge', 'edges')}: this adds {added}."
            return caption, [Formula(f"{num(self.model.decay)}^{edges} · {common} = {num(step.terms[-1])}"),
                             *self._walks(step)]  # fmt: skip
        names = ordered(round_)
        shared = sum(bool(one[name] and other[name]) for name in names)
        what = count(len(names), *WHAT[self.model.kernel])
        caption = f"{round_.title}: {what}, of which both graphs have {shared}: this adds {added}."
        if self.model.kernel == "weisfeiler-lehman" and not round_.names:
            caption = f"{round_.title}: this adds {added}."
        products = [f"{one[name]} · {other[name]}" for name in names if one[name] and other[name]]
        sums = f"{few(products, MOST_TERMS) if products else '0'} = {num(step.terms[-1])}"
        if round_.names:
            head: tuple[str, ...] = ("label", "stands for", "1st", "2nd")
            rows: list[tuple[Any, ...]] = [
                (int(name), shortened(round_.names[int(name)], NAME), one[name], other[name]) for name in names
            ]
        else:
            head = ("counted", "1st", "2nd", "product")
            rows = [(shortened(name, NAME), one[name], other[name], one[name] * other[name]) for name in names]
        blocks: Blocks = [Formula(sums)]
        if rows:
            both, numbers = range(min(shared, MOST_ROWS)), range(1, len(rows) + 1)
            blocks.append(short_table(head, rows, round_.title, both, most=MOST_ROWS, by="count", numbers=numbers))
        tells = "equal, which proves nothing" if one == other else "different, so the graphs are not isomorphic"
        return caption, [*blocks, Formula(f"isomorphism test: the counts are {tells}")]

    def _walks(self, step: GraphKernelStep) -> Blocks:
        rows = [(str(k), short(value)) for k, value in enumerate(step.terms)]
        numbers = range(1, len(rows) + 1)
        return [
            short_table(("edges", "adds"), rows, "Walks so far", [len(rows) - 1], most=25, by="round", numbers=numbers)
        ]

    def _product(self, step: GraphKernelStep) -> tuple[str, Blocks]:
        rounds = count(len(step.terms), "round", "rounds")
        return f"The {rounds} add up to {num4(step.value or 0.0)}.", [self._sum(step), *self._terms(step)]

    def _sum(self, step: GraphKernelStep) -> Formula:
        terms = [num4(term) for term in step.terms]
        return Formula(f"k = {few(terms, MOST_TERMS)} = {num4(sum(step.terms))}")

    def _terms(self, step: GraphKernelStep) -> Blocks:
        rows = [(k, short(value)) for k, value in enumerate(step.terms)]
        return [short_table(("round", "adds"), rows, "Rounds", most=25, by="round", numbers=range(1, len(rows) + 1))]

    def _done(self, step: GraphKernelStep) -> tuple[str, Blocks]:
        assert step.matrix is not None
        K, value = step.matrix, num4(step.value or 0.0)
        normal = " normalised" if self.model.normalize else ""
        caption = f"Done. The{normal} kernel of the two graphs is {value}"
        if np.allclose(K[0, 1], [K[0, 0], K[1, 1]]):
            caption += ": each round counts the same in both."
        else:
            both = float(np.sqrt(K[0, 0] * K[1, 1]))
            compares = both > 0 and not self.model.normalize
            caption += f", {num4(100 * K[0, 1] / both)} % of that of equal graphs." if compares else "."
        if self.isomorphic is not None:
            caption = f"{caption.removesuffix('.')}; they are {'' if self.isomorphic else 'not '}isomorphic."
        blocks: Blocks = [self._sum(step), self._test()]
        if self.model.normalize:
            plain = clone(self.model).set_params(normalize=False).fit(self.problem.graph).matrix_
            own = f"√({num4(plain[0, 0])} · {num4(plain[1, 1])})"
            blocks.append(Formula(f"normalised: {num4(sum(step.terms))} / {own} = {value}"))
        rows = [(name, short(K[i, 0]), short(K[i, 1])) for i, name in enumerate(("first", "second"))]
        blocks.append(short_table(("graph", "first", "second"), rows, "Kernel matrix"))
        return caption, [*blocks, *self._terms(step)]

    def _selected(self, step: GraphKernelStep) -> Blocks:
        """Say which label the selected node has."""
        if self.selected is None:
            return []
        name = shortened(self.problem.names[self.selected], NAME)
        for side, part in enumerate(self.parts):
            where = np.flatnonzero(part == self.selected)
            if len(where):
                label = step.round.labels[side][int(where[0])]
                said = step.round.names.get(label)
                more = f" ({shortened(said, 30)})" if said and self.model.kernel == "weisfeiler-lehman" else ""
                return [Formula(f"{name}: {('first', 'second')[side]} graph, label {label}{more}")]
        return [Formula(f"{name}: in neither of the two graphs")]
