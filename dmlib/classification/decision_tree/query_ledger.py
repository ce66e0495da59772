"""The path of a query through a decision tree in words and numbers, and the class at its end."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.decision_tree.cost_ledger import CostLedger
from dmlib.classification.decision_tree.walk_scene import Part
from dmlib.classification.tree_drawing_scene import node_name
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, abridged
from dmlib.pictures.words import upper_first
from dmlib.problem import Problem, Query
from dmlib.trees.significance_ledger import digits, short
from dmlib.trees.tests_ledger import question
from dmlib.trees.tree import Tree


class QueryNarrator:
    """Captions and ledgers of a query on its path.

    Parameters
    ----------
    problem : Problem
        The data, labelled.
    tree : Tree
        The finished tree.
    names : sequence of str
        The names of its classes.
    query : Query
        The place or sample that is asked about.
    costs : CostLedger or None
        The misclassification costs, if there are any.
    """

    def __init__(
        self,
        problem: Problem,
        tree: Tree,
        names: Sequence[str],
        query: Query,
        costs: CostLedger | None = None,
    ) -> None:
        self.problem, self.tree, self.names, self.query = problem, tree, names, query
        self.costs = costs
        self.query_name = upper_first(problem.name(query))

    def level(self, before: Sequence[Part], after: Sequence[Part]) -> tuple[str, Blocks]:
        """Return caption and ledger of one level of the path."""
        sources = {part.node for part in before}
        moved = [part for part in after if part.source in sources and part not in before]
        rows: list[list[Cell]] = []
        for part in moved:
            value, test = self._passed(part)
            source, target = self._number(part.source), self._number(part.node)
            rows.append([source, test, value, target, digits(part.share)])
        caption = self._fork(len(after)) if len(moved) > 1 else self._single(moved[0])
        head = ("from", "test", "value", "to", "part")
        return caption, [LedgerTable(head, rows, "Path through the tree")]

    def _fork(self, n_parts: int) -> str:
        """Return the caption of a level on which a value is missing."""
        name = self.query_name[0].lower() + self.query_name[1:]
        return (
            f"A value is missing, so {name} goes on in {n_parts} parts: "
            "each branch gets the fraction of the training rows in it."
        )

    def _single(self, part: Part) -> str:
        """Return the caption of a level on which the query goes to one child."""
        value, test = self._passed(part)
        answer = "It is missing"
        if value is not None:
            answer = f"it is {value if isinstance(value, str) else short(value)}".capitalize()
        return (
            f"{self.query_name} is tested: {test}? {answer}{self._instead(part)}, "
            f"so it goes to {self._number(part.node)}."
        )

    def _passed(self, part: Part) -> tuple[Cell, str]:
        """Return the value that was tested on the path to a part, and the test."""
        split = self.tree.splits.split(part.source)
        assert split is not None
        value = self.problem.value(split.column, self.query.x[split.column])
        test = question(split, self.problem)
        return float(value) if isinstance(value, float) else value, test

    def _instead(self, part: Part) -> str:
        """Return the surrogate that decided where the value is missing."""
        split = self.tree.splits.split(part.source)
        assert split is not None
        if not np.isnan(self.query.x[split.column]):
            return ""
        if split.missing >= 0:
            return ", which the split sends there"
        for surrogate in (self.tree.surrogates or {}).get(part.source, ()):
            if not np.isnan(self.query.x[surrogate.split.column]):
                return f", and its surrogate {question(surrogate.split, self.problem)} answers"
        return ", the branch of most training rows"

    def answer(self, parts: Sequence[Part]) -> tuple[str, Blocks]:
        """Return caption and ledger of the predicted class."""
        shares = sum(part.share * self.tree.value[part.node, 0] for part in parts)
        if self.costs is not None:
            return self._cheapest(parts, self.tree.plain(shares), self.costs.costs)
        winner = int(np.argmax(shares))
        caption = self._ending(parts, winner, float(shares[winner]))
        counts = self.tree.counts[parts[0].node]
        ledger: Blocks = []
        for i, name in enumerate(self.names):
            terms = [
                f"{short(part.share)} · {short(self.tree.value[part.node, 0, i])}" for part in parts
            ]
            text = abridged(terms, 6)
            if len(parts) == 1 and counts.sum() > 0:
                text = f"{short(counts[i])} / {short(counts.sum())}"
            ledger.append(Formula(f"P({name}) = {text} = {short(shares[i])}"))
        return caption, ledger

    def _cheapest(self, parts: Sequence[Part], shares: Floats, costs: Floats) -> tuple[str, Blocks]:
        """Return caption and ledger of the class of least expected cost."""
        expected = shares @ costs
        winner = int(expected.argmin())
        ending = self._number(parts[0].node) if len(parts) == 1 else f"{len(parts)} leaves"
        caption = (
            f"{self.query_name} ends in {ending}: of all predictions {self.names[winner]} has the"
            f" least expected cost, {short(expected[winner])}."
        )
        ledger: Blocks = [
            Formula(f"P({name}) = {short(share)}")
            for name, share in zip(self.names, shares, strict=True)
        ]
        for j, name in enumerate(self.names):
            terms = [
                f"{short(share)} · {short(cost)}"
                for share, cost in zip(shares, costs[:, j], strict=True)
                if cost
            ]
            text = abridged(terms, 6) if terms else "0"
            ledger.append(Formula(f"expected cost of {name} = {text} = {short(expected[j])}"))
        return caption, ledger

    def _ending(self, parts: Sequence[Part], winner: int, probability: float) -> str:
        """Return the caption of the end of the path."""
        name = self.names[winner]
        if len(parts) > 1:
            return (
                f"{self.query_name} ends in {len(parts)} leaves, in parts; together they give"
                f" {name} the probability {short(probability)}."
            )
        counts, leaf = self.tree.counts[parts[0].node], self._number(parts[0].node)
        if counts.sum() <= 0:
            return (
                f"{self.query_name} ends in {leaf}, which has no training rows: it predicts"
                f" {name}, the majority class of the node above."
            )
        share = f"{short(counts[winner])} of {short(counts.sum())}"
        return (
            f"{self.query_name} ends in {leaf}, where {share} rows are {name}, the predicted class."
        )

    def _number(self, place: int) -> str:
        return node_name(int(self.tree.numbers[place]))
