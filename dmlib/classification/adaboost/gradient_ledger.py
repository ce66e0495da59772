"""Gradient boosting in words and numbers: residuals, the values of leaves, the sum of trees."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.classification.adaboost.gradient_step import GradientBoostingStep
from dmlib.classification.adaboost.residual_tree import ResidualTree
from dmlib.classification.adaboost.rounds_ledger import RoundsNarrator
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, numbered_table, short_table
from dmlib.pictures.regions import query_table
from dmlib.pictures.words import changes, num, num4, short, signed

MAX_ROWS, MAX_LEAVES, MAX_TREES = 8, 8, 12


def busiest(step: GradientBoostingStep) -> int:
    """Return the class with the largest sum of residuals, whose tree of the round is shown."""
    return int(np.abs(step.residuals).sum(axis=0).argmax())


class GradientNarrator(RoundsNarrator):
    """Captions and ledgers of gradient boosting."""

    def _start(self, step: GradientBoostingStep) -> tuple[str, Blocks]:
        counts = np.bincount(self.codes, minlength=len(self.names))
        n = counts.sum()
        rows: list[list[Cell]] = [
            [name, int(k), k / n] for name, k in zip(self.names, counts, strict=True)
        ]
        table = short_table(("class", "rows", "share"), rows, "Classes")
        if len(self.names) == 2:
            odds = f"F₀ = ln({counts[1]} / {counts[0]}) = {num(step.init_score[0])}"
            p = f"p = 1 / (1 + e^−F₀) = {num(counts[1] / n)}"
            prior = f"the prior probability of {self.names[1]}, {short(counts[1] / n)}"
            caption = f"All rows start from {prior}."
            return caption, [table, Formula(f"{odds}; {p}")]
        start = "; ".join(
            f"{name}: {num4(f)}" for name, f in zip(self.names, step.init_score, strict=False)
        )
        return "All rows start from the prior probabilities of the classes.", [
            table,
            Formula(f"F₀ = ln prior − mean: {start}"),
        ]

    # --- a round --------------------------------------------------------------------------------

    def _round(self, step: GradientBoostingStep, number: int) -> tuple[str, Blocks]:
        k = busiest(step)
        tree, target = step.trees[k], self.names[1 if len(step.trees) == 1 else k]
        leaves = np.flatnonzero(tree.tree.is_leaf)
        before = step.train_score[-2] if number > 1 else self._first_loss(self.steps[0])
        loss = "deviance" if len(step.trees) == 1 else "log-loss"
        test = self.conditions(tree.tree)[0] if len(leaves) > 1 else "no split"
        share = ""
        if len(step.trees) > 1:
            share = f" (1 of {len(step.trees)} trees; this one is for {target})"
        caption = (
            f"Round {number}: a tree ({test}) is fitted to the residuals{share}, and the training "
            f"{changes(loss, short(before), short(step.train_score[-1]))}."
        )
        errors = f"{num4(self.training[number - 1])} → {num4(self.training[number])}"
        return caption, [
            self._residuals(step, k, target),
            self._leaves(tree, leaves),
            *self._first_leaf(tree, leaves, len(step.trees)),
            Formula(f"training error: {errors}"),
        ]

    def _first_loss(self, start: GradientBoostingStep) -> float:
        own = start.probabilities[np.arange(len(self.codes)), self.codes]
        return float(-np.log(own).mean()) * (2 if len(self.names) == 2 else 1)

    def _residuals(self, step: GradientBoostingStep, k: int, target: str) -> LedgerTable:
        r = step.residuals[:, k]
        y = self.codes == (1 if len(step.trees) == 1 else k)
        top = np.argsort(-np.abs(r), kind="stable")
        rows: list[list[Cell]] = [
            [int(self.rows[i]), int(y[i]), *map(short, (y[i] - r[i], r[i], step.raw[i, k]))]
            for i in top
        ]
        title = f"Largest residuals r = y − p, with y = 1 for {target}"
        return numbered_table(("row", "y", "p", "r", "new F"), rows, title, max_rows=MAX_ROWS)

    def _leaves(self, tree: ResidualTree, leaves: NDArray[np.intp]) -> LedgerTable:
        rate = self.model.learning_rate
        names = self._leaf_names(tree)
        columns = tree.means, tree.sums, tree.curvatures, tree.values, rate * tree.values
        rows: list[list[Cell]] = []
        for i, leaf in enumerate(leaves.tolist()):
            name = names.get(leaf, f"leaf {i + 1}")
            rows.append([name, *(short(column[leaf]) for column in columns)])
        head = ("leaf", "mean r", "Σ r", "Σ p(1 − p)", "value γ", "ν γ")
        return short_table(head, rows, "Leaves", max_rows=MAX_LEAVES)

    def _leaf_names(self, tree: ResidualTree) -> dict[int, str]:
        """Return the conditions of the leaves of a stump; of deeper trees, leaves have numbers."""
        if tree.tree.max_depth != 1:
            return {}
        conditions = self.conditions(tree.tree)
        return dict(zip(map(int, tree.tree.children[0]), conditions, strict=False))

    def _first_leaf(self, tree: ResidualTree, leaves: NDArray[np.intp], n: int) -> Blocks:
        """Return the value of the first leaf and what it adds, in a round of ``n`` trees."""
        leaf = leaves[0]
        share = f"({n} − 1)/{n} · " if n > 1 else ""
        total, curvature, value = (
            float(x[leaf]) for x in (tree.sums, tree.curvatures, tree.values)
        )
        rate = self.model.learning_rate
        quotient = f"{share}Σ r / Σ p(1 − p) = {share}{num(total)} / {num(curvature)}"
        update = f"F + {num(rate)} · {signed(value)} = F + {signed(rate * value)}"
        return [
            Formula(f"γ of the first leaf = {quotient} = {num(value)}"),
            Formula(f"F ← F + ν γ = {update}"),
        ]

    # --- the query ------------------------------------------------------------------------------

    @cached_property
    def _sums(self) -> Floats:
        """The terms of the decision values of the query, shape (n_steps, n_trees)."""
        assert self.query is not None
        x, rate = self.query.x[None], self.model.learning_rate
        rounds = [
            [rate * float(tree.predict(x)[0]) for tree in step.trees] for step in self.steps[1:]
        ]
        return np.vstack([self.steps[0].init_score, *rounds])

    def _query(self, number: int) -> Blocks:
        """Return the decision values of the query, tree by tree."""
        if self.query is None:
            return []
        F = self._sums[: number + 1].sum(axis=0)
        last = range(max(1, number + 1 - MAX_TREES), number + 1)
        rows: list[list[Cell]] = [["start", *map(short, self._sums[0])]]
        rows += [[i, *map(short, self._sums[i])] for i in last]
        extent = f" (the start and the last {MAX_TREES} of {number})" if number > MAX_TREES else ""
        columns = ("ν γ",) if len(F) == 1 else self.names
        blocks: Blocks = [
            query_table(self.problem, self.query),
            LedgerTable(("round", *columns), rows, f"Its sum{extent}"),
        ]
        if len(F) == 1:
            probability = f"P({self.names[1]}) = 1 / (1 + e^−F) = {num(1 / (1 + np.exp(-F[0])))}"
            winner = self.names[int(F[0] > 0)]
            return [*blocks, Formula(f"F = {num(F[0])}; {probability}, so the class is {winner}")]
        values = "; ".join(f"{name} {num4(f)}" for name, f in zip(self.names, F, strict=True))
        return [*blocks, Formula(f"F: {values}, so the class is {self.names[int(F.argmax())]}")]
