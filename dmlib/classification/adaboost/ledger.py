"""AdaBoost in words and numbers: the error of a tree, its vote, and the weights that it changes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dmlib.cached import cached_property
from dmlib.classification.adaboost.adaboost_step import AdaBoostStep
from dmlib.classification.adaboost.rounds_ledger import RoundsNarrator
from dmlib.pictures.ledger import (
    Blocks,
    Cell,
    Formula,
    LedgerTable,
    abridged,
    numbered_table,
    short_table,
)
from dmlib.pictures.regions import query_table
from dmlib.pictures.words import count, num, num4, short
from dmlib.trees.tree import Tree

MAX_TERMS, MAX_ROWS, MAX_TREES = 5, 8, 12


class AdaBoostNarrator(RoundsNarrator):
    """Captions and ledgers of AdaBoost."""

    def _start(self, step: AdaBoostStep) -> tuple[str, Blocks]:
        n = len(step.weights)
        totals = np.bincount(self.codes, step.weights, len(self.names))
        counts = np.bincount(self.codes, minlength=len(self.names))
        columns = zip(self.names, counts.tolist(), totals, strict=True)
        rows: list[list[Cell]] = [list(row) for row in columns]
        table = short_table(("class", "rows", "weight"), rows, "Classes")
        return f"All {n} training rows have the same weight, 1/{n}.", [
            Formula(f"w = 1 / {n} = {num(1 / n)}"),
            table,
        ]

    # --- a round --------------------------------------------------------------------------------

    def _round(self, step: AdaBoostStep, number: int) -> tuple[str, Blocks]:
        wrong = step.predicted != self.codes
        first = self._test(step.estimator.tree_)
        head: Blocks = [
            Formula(f"tree: {first}"),
            self._wrong_rows(step, wrong),
            Formula(self._error(step, wrong)),
        ]
        missed = count(int(wrong.sum()), "row", "rows")
        if step.phase == "perfect":
            caption = (
                f"Round {number}: the tree misclassifies no row, which ends boosting; it votes"
                " with 1."
            )
            return caption, [
                head[0],
                Formula("ε = 0: (1 − ε) / ε is infinite, so the vote is set to 1"),
            ]
        if step.phase == "stop":
            ends = "boosting ends and the tree " + ("stays alone" if step.kept else "does not vote")
            limit = f"the error {short(step.error)} is not below {short(self._worst)}"
            caption = f"Round {number}: {limit}, so {ends}; deeper trees may do better."
            return caption, [*head, Formula(self._limit(step))]
        caption = (
            f"Round {number}: {missed} misclassified, error {short(step.error)}; their weights are"
            f" multiplied by {short(step.growth)}, and the tree votes with {short(2 * step.alpha)}."
        )
        return caption, [
            *head,
            *self._vote(step),
            self._groups(step, wrong),
            self._bound(step, number),
        ]

    def _test(self, tree: Tree) -> str:
        if tree.n_leaves == 1:
            return f"no split, always {self.names[int(tree.predictions[0])]}"
        conditions = self.conditions(tree)
        if tree.max_depth > 1:
            return f"{tree.n_leaves} leaves; the first test is {conditions[0]}"
        answers = [self.names[int(tree.predictions[child])] for child in tree.children[0]]
        pairs = zip(conditions, answers, strict=False)
        return "; ".join(f"{condition} → {answer}" for condition, answer in pairs)

    def _wrong_rows(self, step: AdaBoostStep, wrong: NDArray[np.bool_]) -> LedgerTable:
        places = np.flatnonzero(wrong)
        top = places[np.argsort(-step.before[places], kind="stable")]
        rows: list[list[Cell]] = [
            [
                int(self.rows[i]),
                self.names[self.codes[i]],
                short(step.before[i]),
                short(step.weights[i]),
            ]
            for i in top
        ]
        title = "Misclassified rows, the largest weight first"
        return numbered_table(
            ("row", "class", "w before", "w after"), rows, title, max_rows=MAX_ROWS
        )

    def _error(self, step: AdaBoostStep, wrong: NDArray[np.bool_]) -> str:
        terms = [num4(w) for w in sorted(step.before[wrong], reverse=True)]
        drawn = (
            ""
            if step.drawn is None
            else f" (trained on {int((step.drawn > 0).sum())} different rows, drawn)"
        )
        return (
            f"ε = weight of the misclassified = {abridged(terms, MAX_TERMS) or '0'} ="
            f" {num(step.error)}{drawn}"
        )

    @property
    def _worst(self) -> float:
        """The error from which on boosting ends."""
        return 0.5 if self.model.multiclass == "m1" else 1 - 1 / len(self.names)

    def _limit(self, step: AdaBoostStep) -> str:
        k = len(self.names)
        if self._worst == 0.5:
            return f"ε = {num(step.error)} ≥ 1/2: (1 − ε) / ε ≤ 1, so no weight would grow"
        return (
            f"ε = {num(step.error)} ≥ 1 − 1/{k} = {num(1 - 1 / k)}: random guessing among {k}"
            " classes is as good"
        )

    def _vote(self, step: AdaBoostStep) -> Blocks:
        e, rate, k = num(step.error), self.model.learning_rate, len(self.names)
        blocks: Blocks = [Formula(f"factor = (1 − ε) / ε = (1 − {e}) / {e} = {num(step.factor)}")]
        more = f" + ln({k} − 1)" if self.model.multiclass == "samme" and k > 2 else ""
        shrunk = "" if rate == 1 else f"{num(rate)} · "
        half = f"½ · {shrunk}{'(' if more else ''}ln {num(step.factor)}{more}{')' if more else ''}"
        blocks.append(Formula(f"α = {half} = {num(step.alpha)}; vote = 2α = {num(2 * step.alpha)}"))
        if more or shrunk:
            blocks.append(Formula(f"weights are multiplied by e^2α = {num(step.growth)}"))
        return blocks

    def _groups(self, step: AdaBoostStep, wrong: NDArray[np.bool_]) -> LedgerTable:
        """Return how the weight moves between misclassified and correct rows."""
        grown = step.growth
        total = step.error * grown + 1 - step.error
        groups = (
            ("misclassified", wrong, step.error, grown),
            ("correct", ~wrong, 1 - step.error, 1.0),
        )
        rows: list[list[Cell]] = [
            [
                name,
                int(mask.sum()),
                *map(short, (weight, factor, weight * factor, weight * factor / total)),
            ]
            for name, mask, weight, factor in groups
        ]
        rows.append(["all", len(wrong), 1.0, None, short(total), 1.0])
        title = f"Weights: multiplied, then divided by their sum {num(total)}"
        return LedgerTable(
            ("rows", "number", "weight", "factor", "product", "new weight"), rows, title
        )

    def _bound(self, step: AdaBoostStep, number: int) -> Formula:
        plain = abs(2 * step.alpha - np.log(step.factor)) < 1e-9
        e, a = num4(step.error), num4(step.alpha)
        z = f"2√({e} · (1 − {e}))" if plain else f"((1 − {e}) e^(−{a}) + {e} e^{a})"
        product = f"{num4(self.steps[number - 1].bound)} · {z} = {num4(step.bound)}"
        if step.bound > 1:
            return Formula(f"bound = {product} > 1, which bounds nothing")
        return Formula(f"bound = {product} ≥ training error {num4(self.training[number])}")

    # --- the query ------------------------------------------------------------------------------

    @cached_property
    def _predictions(self) -> list[int]:
        """The class code that each tree predicts for the query; -1 at the start."""
        assert self.query is not None
        trees = [step.estimator.tree_ for step in self.steps[1:]]
        return [-1, *(int(tree.decide(tree.predict(self.query.x[None]))[0]) for tree in trees)]

    def _query(self, number: int) -> Blocks:
        """Return the votes on the query, tree by tree."""
        if self.query is None:
            return []
        voting = [i for i in range(1, number + 1) if self.steps[i].kept]
        blocks: Blocks = [query_table(self.problem, self.query)]
        if not voting:
            return [*blocks, Formula("no tree has voted yet")]
        totals = np.zeros(len(self.names))
        for i in voting:
            totals[self._predictions[i]] += 2 * self.steps[i].alpha
        rows: list[list[Cell]] = []
        for i in voting[-MAX_TREES:]:
            step, prediction = self.steps[i], self.names[self._predictions[i]]
            rows.append([i, self._test(step.estimator.tree_), prediction, short(2 * step.alpha)])
        more = f" (the last {MAX_TREES} of {len(voting)})" if len(voting) > MAX_TREES else ""
        blocks.append(LedgerTable(("round", "tree", "says", "vote"), rows, f"Votes on it{more}"))
        sums = [f"{name}: {num4(total)}" for name, total in zip(self.names, totals, strict=True)]
        winner = self.names[int(totals.argmax())]
        return [*blocks, Formula(f"{abridged(sums, MAX_TERMS, '; ')}, so the class is {winner}")]
