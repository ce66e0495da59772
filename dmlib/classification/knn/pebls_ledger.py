"""PEBLS in words and numbers: distances between values, weights, and the nearest exemplar."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.classification.knn.pebls import PEBLS, ExemplarStep
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, few, numbered_table
from dmlib.pictures.regions import error_table, query_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, upper_first
from dmlib.problem import Problem, Query

MAX_VALUES = 6  # of a column, that are compared in a table
MAX_CLASSES = 5  # whose counts are listed
MAX_WEIGHTS = 10  # stored rows listed with their weights
MAX_TERMS = 6  # columns whose term is written out
TIED = 1e-12  # share by which distances may differ through rounding


class Narrator:
    """Captions and ledgers of PEBLS.

    Parameters
    ----------
    problem : Problem
        The data.
    model : PEBLS
        Fitted to the training rows.
    query : Query
        The place or row that is classified.
    terms : ndarray of shape (n_stored, n_features)
        What each column adds to the distance to each stored row.
    nearest : ndarray of shape (n_listed,)
        The stored rows whose distances are listed, the exemplar first.
    """

    def __init__(
        self, problem: Problem, model: PEBLS, query: Query, terms: Floats, nearest: NDArray[np.intp]
    ) -> None:
        self.problem, self.model = problem, model
        self.terms, self.nearest = terms, nearest
        self.x = query.x
        self.rows = problem.training.rows + 1
        self.names = [problem.classes[code] for code in problem.training.y]
        self.query_table = query_table(problem, query)
        self.name = upper_first(problem.name(query))

    def tell(self, now: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: ExemplarStep = now.step
        narrate = {
            "compare": self._compare,
            "weigh": self._weigh,
            "measure": self._measure,
            "multiply": self._multiply,
            "choose": self._choose,
        }
        return narrate[step.phase](step)

    def _compare(self, step: ExemplarStep) -> tuple[str, Blocks]:
        j = int(step.column or 0)
        name = self.problem.features[j]
        counts, between = self.model.value_counts_[j], self.model.value_distances_[j]
        if counts is None:
            reach = num(self.model.ranges_[j])
            return f"{name} holds numbers: a difference counts divided by their range, {reach}.", [
                Formula(
                    f"d(v, w) = |v − w| / {reach}"
                    if self.model.ranges_[j]
                    else "d(v, w) = 0: all numbers are equal."
                )
            ]
        assert between is not None
        values = [str(value) for value in self.model.categories_[j] or ()]
        met = np.flatnonzero(counts.sum(axis=1) > 0)
        ledger: Blocks = [Formula("d(v, w) = Σ over the classes of |P(class | v) − P(class | w)|")]
        caption = f"{name} has one value only, so it distinguishes no rows."
        if len(met) > 1:
            v, w = self._farthest(between, met)
            far = num(between[v, w])
            pair = f"{values[v]} and {values[w]}"
            caption = (
                f"In {name}, {pair} have the most different class frequencies: distance {far}."
            )
            ledger.append(Formula(self._pair(counts, values, v, w, between)))
        return caption, [
            *ledger,
            self._count_table(name, counts, values),
            self._value_table(between, values),
        ]

    def _farthest(self, between: Floats, met: NDArray[np.intp]) -> tuple[int, int]:
        inner = between[np.ix_(met, met)]
        v, w = np.unravel_index(int(inner.argmax()), inner.shape) if inner.any() else (0, 1)
        return int(met[v]), int(met[w])

    def _pair(self, counts: Floats, values: Sequence[str], v: int, w: int, between: Floats) -> str:
        parts = [
            f"|{a:g}/{counts[v].sum():g} − {b:g}/{counts[w].sum():g}|"
            for a, b in zip(counts[v], counts[w], strict=True)
        ]
        terms = few(parts, MAX_CLASSES)
        return f"d({values[v]}, {values[w]}) = {terms} = {num(between[v, w])}"

    def _count_table(self, name: str, counts: Floats, values: Sequence[str]) -> LedgerTable:
        classes = [self.problem.classes[code] for code in self.model.classes_[:MAX_CLASSES]]
        rows: list[list[Cell]] = [
            [value, *map(int, line[:MAX_CLASSES]), int(line.sum())]
            for value, line in zip(values[:MAX_VALUES], counts, strict=False)
        ]
        return LedgerTable(
            (name, *classes, "rows"), rows, f"Rows with each value{_cut(len(values))}"
        )

    def _value_table(self, between: Floats, values: Sequence[str]) -> LedgerTable:
        listed = values[:MAX_VALUES]
        rows: list[list[Cell]] = [
            [v, *map(float, line[:MAX_VALUES])] for v, line in zip(listed, between, strict=False)
        ]
        return LedgerTable(("", *listed), rows, f"Distances between values{_cut(len(values))}")

    def _weigh(self, step: ExemplarStep) -> tuple[str, Blocks]:
        model = self.model
        order = np.argsort(-model.exemplar_weights_, kind="stable")[:MAX_WEIGHTS]
        worst = int(order[0])
        rows = [
            (
                int(self.rows[i]),
                self.names[i],
                int(model.uses_[i]),
                int(model.correct_uses_[i]),
                float(step.weights[i]),
            )
            for i in order
        ]
        wrong = int((step.weights > 1).sum())
        caption = "No stored row misclassified another as its nearest neighbour: all weights are 1."
        if wrong:
            caption = (
                f"{count(wrong, 'stored row was', 'stored rows were')} used in misclassifications; "
                f"row {self.rows[worst]} gets the largest weight, {num(step.weights[worst])}."
            )
        uses, correct = int(model.uses_[worst]), int(model.correct_uses_[worst])
        quotient = f"({uses} + 1) / ({correct} + 1) = {num(step.weights[worst])}"
        return caption, [
            Formula(
                "w = (uses + 1) / (correct uses + 1): each stored row uses the nearest of the"
                " others"
            ),
            Formula(f"w({self.rows[worst]}) = {quotient}"),
            numbered_table(
                ("row", "class", "uses", "correct", "weight"), rows, "The largest weights"
            ),
        ]

    def _measure(self, step: ExemplarStep) -> tuple[str, Blocks]:
        order = step.distances.argsort(kind="stable")[: len(self.nearest)]
        first = int(order[0])
        caption = (
            f"{self.name} is measured with"
            f" {count(len(step.distances), 'stored row', 'stored rows')}: row {self.rows[first]} is"
            f" the nearest, {num(step.distances[first])} away."
        )
        rows = [(int(self.rows[i]), self.names[i], float(step.distances[i])) for i in order]
        table = numbered_table(
            ("row", "class", "distance"), rows, "The nearest, before weights", [0]
        )
        return caption, [
            Formula(self._sum(first)),
            table,
            self._term_table(first),
            self.query_table,
        ]

    def _sum(self, stored: int) -> str:
        terms = [f"{term:.4g}" for term in self.terms[stored, :MAX_TERMS]]
        dots = ["…"] if self.terms.shape[1] > MAX_TERMS else []
        return (
            f"d(x, {self.rows[stored]}) = {' + '.join([*terms, *dots])} ="
            f" {num(self.terms[stored].sum())}"
        )

    def _term_table(self, stored: int) -> LedgerTable:
        problem = self.problem
        theirs = problem.training.X[stored]
        rows = [
            (
                name,
                _cell(problem.value(j, self.x[j])),
                _cell(problem.value(j, theirs[j])),
                float(self.terms[stored, j]),
            )
            for j, name in enumerate(problem.features)
        ]
        return LedgerTable(
            ("column", "x", f"row {self.rows[stored]}", "adds"), rows, "Column by column"
        )

    def _multiply(self, step: ExemplarStep) -> tuple[str, Blocks]:
        plain = self.terms.sum(axis=1)
        before, after = int(plain.argmin()), int(self.nearest[0])
        caption = "Distances are multiplied by the weights, and the same row stays nearest."
        if before != after:
            caption = (
                f"Distances are multiplied by the weights: row {self.rows[before]} is no longer"
                f" nearest, but row {self.rows[after]}."
            )
        line = f"{num(step.weights[after])} · {num(plain[after])} = {num(step.distances[after])}"
        return caption, [
            Formula(f"w({self.rows[after]}) · d(x, {self.rows[after]}) = {line}"),
            self._list(step),
        ]

    def _choose(self, step: ExemplarStep) -> tuple[str, Blocks]:
        chosen = int(self.nearest[0])
        reach = float(step.distances[chosen])
        tied = int((step.distances <= reach * (1 + TIED)).sum()) - 1
        answer = f"{self.name} is predicted {self.names[chosen]}, like row {self.rows[chosen]}"
        caption = f"{answer}, which is {num(reach)} away."
        if tied:
            caption = (
                f"{answer}; {count(tied, 'row is', 'rows are')} as near, but with a larger number."
            )
        return caption, [
            Formula(self._sum(chosen)),
            self._list(step),
            self._term_table(chosen),
            self.query_table,
            error_table(self.problem, self.model),
        ]

    def _list(self, step: ExemplarStep) -> LedgerTable:
        plain = self.terms.sum(axis=1)
        rows = [
            (
                int(self.rows[i]),
                self.names[i],
                float(plain[i]),
                float(step.weights[i]),
                float(step.distances[i]),
            )
            for i in self.nearest
        ]
        return numbered_table(
            ("row", "class", "distance", "weight", "product"), rows, "The nearest stored rows", [0]
        )


def _cell(value: Any) -> Cell:
    return "missing" if value is None else value


def _cut(n_values: int) -> str:
    return f" (the first {MAX_VALUES} of {n_values} values)" if n_values > MAX_VALUES else ""
