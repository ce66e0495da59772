"""Misclassification costs in numbers: the weights that they give to classes, the cheapest class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.class_ledger import table_by_class
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged
from dmlib.pictures.regions import cases_of
from dmlib.problem import Problem
from dmlib.trees.significance_ledger import digits, short

MAX_TERMS = 4
COST_WEIGHT = (
    "weight = cost of its errors · n / Σ (cost of its errors · rows): in every number of rows,"
    " impurity and gain, a row counts as the errors of its class cost (altered priors)"
)


class CostLedger:
    """The costs of a tree, and the rows that its altered class weights stand for.

    Parameters
    ----------
    problem : Problem
        The data, labelled.
    codes : sequence of int
        The classes of the tree, as codes into those of the problem.
    costs : ndarray of shape (n_classes, n_classes)
        The cost of each prediction (column) for each class (row).
    root : ndarray of shape (n_classes,)
        The altered weight of each class in the root.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0], "c": ["ill", "well", "well"]})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> ledger = CostLedger(problem, [0, 1], np.array([[0.0, 4], [1, 0]]), np.array([2.0, 1]))
    >>> ledger.rows(np.array([2.0, 1.0])).tolist()
    [1.0, 2.0]
    >>> ledger.predictions(np.array([2.0, 1.0]), "Cost").rows
    [['ill', '2 · 1', 2.0], ['well', '1 · 4', 4.0]]
    """

    def __init__(self, problem: Problem, codes: Sequence[int], costs: Floats, root: Floats) -> None:
        self.problem, self.codes, self.costs = problem, np.asarray(codes), costs
        self.names = [problem.classes[code] for code in codes]
        plain = root / costs.sum(axis=1)
        self.totals = plain * root.sum() / plain.sum()
        self.weights = costs.sum(axis=1) * root.sum() / (costs.sum(axis=1) * self.totals).sum()

    def rows(self, counts: Floats) -> Floats:
        """Return the rows of each class, from their altered weight."""
        rows: Floats = counts / self.weights
        return rows

    def expected(self, counts: Floats) -> Floats:
        """Return what each prediction costs, summed over the rows of a node."""
        expected: Floats = self.rows(counts) @ self.costs
        return expected

    def predictions(self, counts: Floats, title: str) -> LedgerTable:
        """Return the cost of each prediction for the rows of a node, with the cheapest marked."""
        rows, expected = self.rows(counts), self.expected(counts)
        texts = [self._terms(rows, self.costs[:, j]) for j in range(len(rows))]
        columns = {"rows · cost": texts, "cost": map(digits, expected)}
        cheapest = int(expected.argmin())
        return table_by_class(self.problem, self.codes, columns, title, best=cheapest)

    def _terms(self, rows: Floats, costs: Floats) -> str:
        """Return the sum of the rows of all classes, each times its cost."""
        terms = [
            f"{short(n)} · {short(cost)}" for n, cost in zip(rows, costs, strict=True) if n * cost
        ]
        return abridged(terms, MAX_TERMS) if terms else "0"

    def weighing(self) -> Blocks:
        """Return the costs, and what they make of the weights of the classes."""
        columns = {f"as {name}": map(digits, self.costs[:, j]) for j, name in enumerate(self.names)}
        sums = {
            "rows": map(digits, self.totals),
            "errors cost": map(digits, self.costs.sum(axis=1)),
            "weight": map(digits, self.weights),
        }
        return [
            table_by_class(self.problem, self.codes, columns, "Costs of a row of each class"),
            table_by_class(self.problem, self.codes, sums, "Class weights by the costs"),
            Formula(COST_WEIGHT),
        ]

    def total(self, model: Any, problem: Problem) -> float:
        """Return what the predictions for the rows of a problem cost; 1 for an unknown class."""
        predictions, cases = model.predict(problem.data), cases_of(model, problem)
        n_classes = len(self.problem.classes)
        costs = 1.0 - np.eye(n_classes)
        costs[np.ix_(self.codes, self.codes)] = self.costs
        return float(cases @ costs[np.asarray(problem.y), np.asarray(predictions)])

    def totals_table(self, model: Any) -> LedgerTable:
        """Return the cost of the training rows and of the test rows."""
        rows = []
        parts = {"training": self.problem.training, "test": self.problem.testing}
        for name, part in parts.items():
            if part is not None:
                n, total = cases_of(model, part).sum().item(), self.total(model, part)
                rows.append((name, n, digits(total), digits(total / n)))
        return LedgerTable(
            ("samples", "rows", "cost", "cost of a row"), rows, "Costs of all errors"
        )
