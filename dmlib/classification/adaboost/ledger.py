"""AdaBoost in words and numbers: the error of a classifier, its vote, and the weights after it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.cached import cached_property
from dmlib.classification.adaboost.adaboost_step import AdaBoostStep
from dmlib.classification.adaboost.algorithm import AdaBoostClassifier
from dmlib.classification.adaboost.rounds_ledger import RoundsNarrator
from dmlib.classification.base_learners import NAMES, noun_of
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

    model: AdaBoostClassifier

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
        is_wrong = step.predicted != self.codes
        head: Blocks = [
            Formula(f"{self.noun}: {self._test(step.estimator)}"),
            self._wrong_rows(step, is_wrong),
            Formula(self._error(step, is_wrong)),
        ]
        missed = count(int(is_wrong.sum()), "row", "rows")
        if step.phase == "perfect":
            outcome = f"the {self.noun} misclassifies no row, which ends boosting; it votes with 1"
            reason = Formula("ε = 0: (1 − ε) / ε is infinite, so the vote is set to 1")
            return f"Round {number}: {outcome}.", [head[0], reason]
        if step.phase == "stop":
            ends = f"boosting ends and the {self.noun} " + (
                "stays alone" if step.is_voting else "does not vote"
            )
            limit = f"the error {short(step.error)} is not below {short(self._worst)}"
            caption = f"Round {number}: {limit}, so {ends}; {self._remedy} may do better."
            return caption, [*head, Formula(self._limit(step))]
        caption = (
            f"Round {number}: {missed} misclassified, error {short(step.error)}; their weights are"
            f" multiplied by {short(step.growth)}, and the {self.noun} votes with"
            f" {short(2 * step.alpha)}."
        )
        return caption, [
            *head,
            *self._vote(step),
            self._groups(step, is_wrong),
            self._bound(step, number),
        ]

    @property
    def noun(self) -> str:
        """The noun for a classifier of a round."""
        return noun_of(self.model)

    @property
    def _remedy(self) -> str:
        return "deeper trees" if self.noun == "tree" else "another base learner"

    def _test(self, estimator: Any) -> str:
        """Return the test of a stump, the size of a tree, or the name of another classifier."""
        if self.noun != "tree":
            return NAMES.get(str(self.model.estimator), type(estimator).__name__)
        tree: Tree = estimator.tree_
        if tree.n_leaves == 1:
            return f"no split, always {self.names[int(tree.predictions[0])]}"
        conditions = self.conditions(tree)
        if tree.max_depth > 1:
            return f"{tree.n_leaves} leaves; the first test is {conditions[0]}"
        predictions = [self.names[int(tree.predictions[child])] for child in tree.children[0]]
        pairs = zip(conditions, predictions, strict=False)
        return "; ".join(f"{condition} → {answer}" for condition, answer in pairs)

    def _wrong_rows(self, step: AdaBoostStep, is_wrong: NDArray[np.bool_]) -> LedgerTable:
        places = np.flatnonzero(is_wrong)
        top = places[np.argsort(-step.before[places], kind="stable")]
        rows: list[list[Cell]] = []
        for i in top:
            weights = short(step.before[i]), short(step.weights[i])
            rows.append([int(self.rows[i]), self.names[self.codes[i]], *weights])
        title = "Misclassified rows, the largest weight first"
        return numbered_table(
            ("row", "class", "w before", "w after"), rows, title, max_rows=MAX_ROWS
        )

    def _error(self, step: AdaBoostStep, is_wrong: NDArray[np.bool_]) -> str:
        terms = [num4(w) for w in sorted(step.before[is_wrong], reverse=True)]
        sample = ""
        if step.n_draws is not None:
            sample = f" (trained on {int((step.n_draws > 0).sum())} different rows, drawn)"
        total = f"{abridged(terms, MAX_TERMS) or '0'} = {num(step.error)}"
        return f"ε = weight of the misclassified = {total}{sample}"

    @property
    def _worst(self) -> float:
        """The error from which on boosting ends."""
        return 0.5 if self.model.multiclass == "m1" else 1 - 1 / len(self.names)

    def _limit(self, step: AdaBoostStep) -> str:
        k = len(self.names)
        if self._worst == 0.5:
            return f"ε = {num(step.error)} ≥ 1/2: (1 − ε) / ε ≤ 1, so no weight would grow"
        limit = f"ε = {num(step.error)} ≥ 1 − 1/{k} = {num(1 - 1 / k)}"
        return f"{limit}: random guessing among {k} classes is as good"

    def _vote(self, step: AdaBoostStep) -> Blocks:
        e, rate, k = num(step.error), self.model.learning_rate, len(self.names)
        blocks: Blocks = [Formula(f"factor = (1 − ε) / ε = (1 − {e}) / {e} = {num(step.factor)}")]
        class_term = f" + ln({k} − 1)" if self.model.multiclass == "samme" and k > 2 else ""
        shrunk = "" if rate == 1 else f"{num(rate)} · "
        logarithm = f"ln {num(step.factor)}{class_term}"
        half = f"½ · {shrunk}({logarithm})" if class_term else f"½ · {shrunk}{logarithm}"
        blocks.append(Formula(f"α = {half} = {num(step.alpha)}; vote = 2α = {num(2 * step.alpha)}"))
        if class_term or shrunk:
            blocks.append(Formula(f"weights are multiplied by e^2α = {num(step.growth)}"))
        return blocks

    def _groups(self, step: AdaBoostStep, is_wrong: NDArray[np.bool_]) -> LedgerTable:
        """Return the weights of misclassified and correct rows before and after the round."""
        grown = step.growth
        total = step.error * grown + 1 - step.error
        groups = (
            ("misclassified", is_wrong, step.error, grown),
            ("correct", ~is_wrong, 1 - step.error, 1.0),
        )
        rows: list[list[Cell]] = []
        for name, mask, weight, factor in groups:
            product = weight * factor
            numbers = map(short, (weight, factor, product, product / total))
            rows.append([name, int(mask.sum()), *numbers])
        rows.append(["all", len(is_wrong), 1.0, None, short(total), 1.0])
        title = f"Weights w: multiplied, then divided by their sum {num(total)}"
        head = ("rows", "n", "w", "factor", "product", "new w")
        return LedgerTable(head, rows, title)

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
        row = self.problem.table(self.query.x[None])
        labels = [step.estimator.predict(row)[0] for step in self.steps[1:]]
        return [-1, *np.searchsorted(self.model.classes_, labels).tolist()]

    def _query(self, number: int) -> Blocks:
        """Return the votes on the query, tree by tree."""
        if self.query is None:
            return []
        voting = [i for i in range(1, number + 1) if self.steps[i].is_voting]
        blocks: Blocks = [query_table(self.problem, self.query)]
        if not voting:
            return [*blocks, Formula(f"no {self.noun} has voted yet")]
        totals = np.zeros(len(self.names))
        for i in voting:
            totals[self._predictions[i]] += 2 * self.steps[i].alpha
        rows: list[list[Cell]] = []
        for i in voting[-MAX_TREES:]:
            step, prediction = self.steps[i], self.names[self._predictions[i]]
            rows.append([i, self._test(step.estimator), prediction, short(2 * step.alpha)])
        extent = f" (the last {MAX_TREES} of {len(voting)})" if len(voting) > MAX_TREES else ""
        blocks.append(
            LedgerTable(("round", self.noun, "says", "vote"), rows, f"Votes on it{extent}")
        )
        sums = [f"{name}: {num4(total)}" for name, total in zip(self.names, totals, strict=True)]
        winner = self.names[int(totals.argmax())]
        return [*blocks, Formula(f"{abridged(sums, MAX_TERMS, '; ')}, so the class is {winner}")]
