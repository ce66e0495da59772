"""PEBLS in words and numbers: distances between values, weights, and the nearest exemplar."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.classification.knn.pebls import PEBLS, ExemplarStep
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, abridged, numbered_table
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
        self.problem = problem
        self.model = model
        self.terms = terms
        self.distances = terms.sum(axis=1)
        self.nearest = nearest
        self.x = query.x
        self.rows = problem.training.rows + 1
        self.names = [problem.classes[code] for code in np.asarray(problem.training.y)]
        self.query_table = query_table(problem, query)
        self.name = upper_first(problem.name(query))

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: ExemplarStep = moment.step
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
        counts = self.model.value_counts_[j]
        distances = self.model.value_distances_[j]
        if counts is None or distances is None:
            return self._compare_numbers(j)
        values = [str(value) for value in self.model.categories_[j] or ()]
        ledger: Blocks = [
            Formula("d(v, w) = Σ over the classes of |P(class | v) − P(class | w)|"),
            self._count_table(name, counts, values),
            self._value_table(distances, values),
        ]
        present = np.flatnonzero(counts.any(axis=1))
        if len(present) < 2:
            return f"{name} has one value only, so it distinguishes no rows.", ledger
        v, w = _farthest(distances, present)
        caption = (
            f"In {name}, {values[v]} and {values[w]} have the most different class frequencies: "
            f"distance {num(distances[v, w])}."
        )
        parts = [
            f"|{a:g}/{counts[v].sum():g} − {b:g}/{counts[w].sum():g}|"
            for a, b in zip(counts[v], counts[w], strict=True)
        ]
        terms = abridged(parts, MAX_CLASSES)
        pair = Formula(f"d({values[v]}, {values[w]}) = {terms} = {num(distances[v, w])}")
        return caption, [ledger[0], pair, *ledger[1:]]

    def _compare_numbers(self, j: int) -> tuple[str, Blocks]:
        name = self.problem.features[j]
        reach = num(self.model.ranges_[j])
        formula = "d(v, w) = 0: all numbers are equal."
        if self.model.ranges_[j]:
            formula = f"d(v, w) = |v − w| / {reach}"
        caption = f"{name} holds numbers: a difference counts divided by their range, {reach}."
        return caption, [Formula(formula)]

    def _count_table(self, name: str, counts: Floats, values: Sequence[str]) -> LedgerTable:
        classes = [self.problem.classes[code] for code in self.model.classes_[:MAX_CLASSES]]
        rows: list[list[Cell]] = [
            [value, *map(int, line[:MAX_CLASSES]), int(line.sum())]
            for value, line in zip(values[:MAX_VALUES], counts, strict=False)
        ]
        return LedgerTable(
            (name, *classes, "rows"), rows, f"Rows with each value{_cut(len(values))}"
        )

    def _value_table(self, distances: Floats, values: Sequence[str]) -> LedgerTable:
        listed = values[:MAX_VALUES]
        rows: list[list[Cell]] = [
            [v, *map(float, line[:MAX_VALUES])] for v, line in zip(listed, distances, strict=False)
        ]
        return LedgerTable(("", *listed), rows, f"Distances between values{_cut(len(values))}")

    def _weigh(self, step: ExemplarStep) -> tuple[str, Blocks]:
        model = self.model
        order = np.argsort(-model.exemplar_weights_, kind="stable")[:MAX_WEIGHTS]
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
        row, _, uses, correct, weight = rows[0]
        n_unreliable = int((step.weights > 1).sum())
        caption = "No stored row misclassified another as its nearest neighbour: all weights are 1."
        if n_unreliable:
            caption = (
                f"{count(n_unreliable, 'stored row was', 'stored rows were')} used in "
                f"misclassifications; row {row} gets the largest weight, {num(weight)}."
            )
        headings = ("row", "class", "uses", "correct", "weight")
        return caption, [
            Formula(
                "w = (uses + 1) / (correct uses + 1): each "
                "stored row uses the nearest of the others"
            ),
            Formula(f"w({row}) = ({uses} + 1) / ({correct} + 1) = {num(weight)}"),
            numbered_table(headings, rows, "The largest weights"),
        ]

    def _measure(self, step: ExemplarStep) -> tuple[str, Blocks]:
        order = step.distances.argsort(kind="stable")[: len(self.nearest)]
        nearest = int(order[0])
        stored_rows = count(len(step.distances), "stored row", "stored rows")
        caption = (
            f"{self.name} is measured with {stored_rows}: row {self.rows[nearest]} is the "
            f"nearest, {num(step.distances[nearest])} away."
        )
        rows = [(int(self.rows[i]), self.names[i], float(step.distances[i])) for i in order]
        headings = ("row", "class", "distance")
        return caption, [
            self._distance(nearest),
            numbered_table(headings, rows, "The nearest, before weights", [0]),
            self._term_table(nearest),
            self.query_table,
        ]

    def _distance(self, stored: int) -> Formula:
        """Return the distance to a stored row, column by column."""
        terms = [f"{term:.4g}" for term in self.terms[stored, :MAX_TERMS]]
        if self.terms.shape[1] > MAX_TERMS:
            terms.append("…")
        total = num(self.distances[stored])
        return Formula(f"d(x, {self.rows[stored]}) = {' + '.join(terms)} = {total}")

    def _term_table(self, stored: int) -> LedgerTable:
        problem = self.problem
        stored_row = problem.training.X[stored]
        rows = [
            (
                name,
                _cell(problem.value(j, self.x[j])),
                _cell(problem.value(j, stored_row[j])),
                float(self.terms[stored, j]),
            )
            for j, name in enumerate(problem.features)
        ]
        headings = ("column", "x", f"row {self.rows[stored]}", "adds")
        return LedgerTable(headings, rows, "Column by column")

    def _multiply(self, step: ExemplarStep) -> tuple[str, Blocks]:
        before = int(self.distances.argmin())
        after = int(self.nearest[0])
        caption = "Distances are multiplied by the weights, and the same row stays nearest."
        if before != after:
            caption = (
                f"Distances are multiplied by the weights: row {self.rows[before]} "
                f"is no longer nearest, but row {self.rows[after]}."
            )
        product = " · ".join([num(step.weights[after]), num(self.distances[after])])
        symbols = f"w({self.rows[after]}) · d(x, {self.rows[after]})"
        return caption, [
            Formula(f"{symbols} = {product} = {num(step.distances[after])}"),
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
            self._distance(chosen),
            self._list(step),
            self._term_table(chosen),
            self.query_table,
            error_table(self.problem, self.model),
        ]

    def _list(self, step: ExemplarStep) -> LedgerTable:
        rows = [
            (
                int(self.rows[i]),
                self.names[i],
                float(self.distances[i]),
                float(step.weights[i]),
                float(step.distances[i]),
            )
            for i in self.nearest
        ]
        headings = ("row", "class", "distance", "weight", "product")
        return numbered_table(headings, rows, "The nearest stored rows", [0])


def _farthest(distances: Floats, values: NDArray[np.intp]) -> tuple[int, int]:
    """Return the values with the largest distance; the first two where all are 0."""
    between = distances[np.ix_(values, values)]
    v, w = np.unravel_index(int(between.argmax()), between.shape) if between.any() else (0, 1)
    return int(values[v]), int(values[w])


def _cell(value: Cell | None) -> Cell:
    return "missing" if value is None else value


def _cut(n_values: int) -> str:
    return f" (the first {MAX_VALUES} of {n_values} values)" if n_values > MAX_VALUES else ""
