"""Pruning in words and numbers: both sides of each comparison, and the pruned tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.classification.tree_drawing_scene import node_name
from dmlib.classification.tree_pruning.algorithm import PrunedTreeClassifier
from dmlib.classification.tree_pruning.cutting import Comparison
from dmlib.classification.tree_pruning.pruning import PruningStep, simplest
from dmlib.classification.tree_pruning.sides_ledger import Sides
from dmlib.classification.tree_pruning.sizes import Sizes, error_of, matrix_and_codes
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, abridged, short_table
from dmlib.pictures.regions import query_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num4, percent, short, upper_first
from dmlib.problem import Problem, Query
from dmlib.trees.tree import Tree

MAX_TERMS = 6

NAMES = {
    "cost_complexity": "cost-complexity",
    "reduced_error": "reduced error",
    "minimum_error": "minimum error",
    "pessimistic": "pessimistic",
    "error_based": "error-based",
    "mdl": "MDL",
    "optimal": "optimal",
    "chi2": "chi-squared",
    "critical_value": "critical value",
}
"""The names of the methods in sentences."""


ACTIONS = {
    "prune": "becomes a leaf",
    "keep": "keeps its subtree",
    "raise": "is replaced by its largest branch",
}


class Narrator:
    """Captions and ledgers of pruning.

    Parameters
    ----------
    problem : Problem
        The data, labelled.
    model : PrunedTreeClassifier
        Fitted to the training samples.
    steps : sequence of PruningStep
        The whole run.
    query : Query or None
        The place or sample that is asked about.
    sizes : Sizes
        The trees of the path.
    """

    def __init__(
        self,
        problem: Problem,
        model: PrunedTreeClassifier,
        steps: Sequence[PruningStep],
        query: Query | None,
        sizes: Sizes,
    ) -> None:
        self.problem, self.model, self.steps = problem, model, steps
        self.query, self.sizes = query, sizes
        self.grown: Tree = model.grown_.tree_
        self.final: Tree = steps[-1].tree
        self.names = [problem.classes[int(code)] for code in model.classes_]
        self.sides = Sides(problem, model, self.grown, steps[0].alpha)

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: PruningStep = moment.step
        if step.comparison is not None:
            return self._compared(step, step.comparison)
        return self._start(step) if step.phase == "start" else self._done(step)

    # --- a comparison ---------------------------------------------------------------------------

    def _compared(self, step: PruningStep, comparison: Comparison) -> tuple[str, Blocks]:
        name = node_name(int(self.grown.numbers[comparison.node]), capital=True)
        caption = f"{name} {ACTIONS[comparison.action]}: {self.sides.reason(comparison)}"
        if step.phase != "keep":
            caption += f"; {count(step.n_leaves, 'leaf is', 'leaves are')} left"
        return f"{caption}.", self.sides.ledger(comparison, self._before(comparison))

    def _before(self, comparison: Comparison) -> Tree:
        """Return the tree before a comparison."""
        steps = enumerate(self.steps)
        number = next(i for i, step in steps if step.comparison is comparison)
        return self.steps[number - 1].tree

    # --- the start and the end ------------------------------------------------------------------

    def _start(self, step: PruningStep) -> tuple[str, Blocks]:
        n_errors = int(self.sides.cutting.errors[self.grown.is_leaf].sum().round())
        n, method = len(self.model.growing_rows_), NAMES[self.model.method]
        caption = (
            f"The grown tree has {count(self.grown.n_leaves, 'leaf', 'leaves')} and misclassifies"
            f" {n_errors} of the {n} growing rows; {method} pruning begins."
        )
        errors = self._errors([("grown", self.grown)])
        return caption, [errors, *self._path(step), *self._series(step)]

    def _errors(self, trees: Sequence[tuple[str, Tree]]) -> LedgerTable:
        """Return leaves and errors of trees on each part of the rows."""
        X, y = matrix_and_codes(self.model, self.problem.training)
        parts = {"growing": self.model.growing_rows_, "pruning": self.model.validation_rows_}
        samples = {name: (X[rows], y[rows]) for name, rows in parts.items() if len(rows)}
        if self.problem.testing is not None:
            samples["test"] = matrix_and_codes(self.model, self.problem.testing)
        rows: list[list[Cell]] = [
            [name, tree.n_leaves, *(short(error_of(tree, *part)) for part in samples.values())]
            for name, tree in trees
        ]
        return LedgerTable(("tree", "leaves", *samples), rows, "Error rate")

    def _path(self, step: PruningStep) -> Blocks:
        """Return the table of all trees of the cost-complexity path, and how alpha was chosen."""
        if self.model.method != "cost_complexity":
            return []
        sizes, path = self.sizes, step.path
        columns: list[tuple[str, Any]] = [
            ("α from", sizes.alphas),
            ("leaves", sizes.leaves),
            ("training", sizes.training),
        ]
        columns += [] if sizes.test is None else [("test", sizes.test)]
        if path is None:
            return [self._table(columns, int(np.flatnonzero(sizes.alphas <= step.alpha)[-1]))]
        columns += [("CV", path.cv_errors), ("± SE", path.cv_spread)]
        standard_errors = self.model.standard_errors
        chosen = simplest(path, standard_errors)
        best, spread = float(path.cv_errors[path.best]), float(path.cv_spread[path.best])
        limit = f"{num4(best)} + {num4(standard_errors)} · {num4(spread)}"
        mean = "the geometric mean of the limits between which this tree is optimal"
        return [
            self._table(columns, chosen),
            Formula(f"CV error at most {limit} = {num4(best + standard_errors * spread)}"),
            Formula(f"smallest such tree: {path.n_leaves[chosen]} leaves"),
            Formula(f"α = {num4(step.alpha)}, {mean}"),
        ]

    def _series(self, step: PruningStep) -> Blocks:
        """Return the trees of increasing critical values, and how one of them was chosen."""
        series = step.series
        if series is None:
            return []
        named: list[tuple[str, Any]] = [("above", series.limits), ("leaves", series.n_leaves)]
        named += [] if series.errors is None else [("errors, pruning set", series.errors)]
        values = zip(*(column for _, column in named), strict=True)
        rows, head = [list(map(_cell, row)) for row in values], [name for name, _ in named]
        limits = series.limits
        chosen = max(int(np.searchsorted(limits, step.critical_value)) - 1, 0)
        table = short_table(head, rows, "Trees by the critical value", [chosen], of="trees")
        if series.errors is None:
            return [table]
        value, least = num4(step.critical_value), num4(float(series.errors[chosen]))
        leaves = count(int(series.n_leaves[chosen]), "leaf", "leaves")
        between = f"beyond the largest, {num4(limits[chosen])}"
        if chosen + 1 < len(limits):
            between = f"halfway between {num4(limits[chosen])} and {num4(limits[chosen + 1])}"
        return [
            table,
            Formula(f"fewest errors on the pruning set: {least}; the smallest such tree: {leaves}"),
            Formula(f"critical value = {value}, {between}"),
        ]

    def _table(self, columns: Sequence[tuple[str, Any]], emphasised: int) -> LedgerTable:
        rows = [[_cell(values[i]) for _, values in columns] for i in range(len(self.sizes.alphas))]
        head = [name for name, _ in columns]
        return short_table(head, rows, "The path: all trees by α", [emphasised], of="trees")

    def _done(self, step: PruningStep) -> tuple[str, Blocks]:
        before, after = self.grown.n_leaves, step.n_leaves
        judged, method = self.sizes.judged, NAMES[self.model.method]
        _, first = self.sizes.of(self.steps[0].tree)
        _, last = self.sizes.of(step.tree)
        caption = (
            f"{upper_first(method)} pruning leaves {after} of {count(before, 'leaf', 'leaves')}:"
            f" {judged} error {percent(last)} instead of {percent(first)}."
        )
        table = self._errors([("grown", self.grown), ("pruned", self.final)])
        return caption, [table, *self._query(), self._leaves()]

    def _leaves(self) -> LedgerTable:
        """Return the leaves of the pruned tree."""
        tree, rows = self.final, []
        for leaf in np.flatnonzero(tree.is_leaf).tolist():
            n, best = float(tree.counts[leaf].sum()), int(tree.predictions[leaf])
            number, errors = int(tree.numbers[leaf]) + 1, n - float(tree.counts[leaf, best])
            rows.append([number, self.names[best], _cell(n), _cell(errors)])
        head = ("node", "class", "rows", "errors")
        return short_table(head, rows, "Leaves of the pruned tree", by="node")

    def _query(self) -> Blocks:
        """Return the predictions of both trees for the query."""
        if self.query is None:
            return []
        rows: list[list[Cell]] = []
        for name, tree in (("grown", self.grown), ("pruned", self.final)):
            shares = tree.predict(self.query.x[None])[0]
            best, leaf = int(tree.decide(shares)), int(tree.apply(self.query.x[None])[0])
            node = node_name(int(tree.numbers[leaf]))
            rows.append([name, node, self.names[best], short(shares[best])])
        table = LedgerTable(("tree", "leaf", "class", "share"), rows, "The query in both trees")
        shares = self.final.predict(self.query.x[None])[0]
        pairs = zip(self.names, shares, strict=True)
        terms = [f"P({name}) = {num4(float(share))}" for name, share in pairs]
        return [
            table,
            Formula(abridged(terms, MAX_TERMS, "; ")),
            query_table(self.problem, self.query),
        ]


def _cell(value: Any) -> Cell:
    number = float(value)
    return int(number) if number.is_integer() and abs(number) < 1e9 else short(number)
