"""The arithmetic of distances of mixed rows: a term a column by its scale, and their mean."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.ledger import Formula, LedgerTable, abridged, short_table
from dmlib.pictures.words import count, num, num4, short, upper_first
from dmlib.similarity.measures.algorithm import MeasureStep
from dmlib.similarity.measures.ledger import MAX_LINES, Narrator, lit_line
from dmlib.similarity.measures.mixed import (
    DISTANCES,
    NAME_DISTANCES,
    NUMBER_DISTANCES,
    MixedDistances,
    MixedSpace,
    WeightedSpace,
)

MAX_TERMS = 6  # of a sum


class MixedNarrator(Narrator):
    """Captions and ledgers of two rows of mixed columns."""

    model: MixedDistances
    space: MixedSpace

    @property
    def name(self) -> str:
        """The title of the distance."""
        return DISTANCES[self.space.metric]

    def _caption(self, step: MeasureStep) -> str:
        if step.phase == "start":
            a, b = self.name_of(self.model.first - 1), self.name_of(self.model.second - 1)
            columns = count(len(self.a), "column", "columns")
            return f"{upper_first(self.name)}: A is {a}, B is {b}, in {columns}."
        if step.phase != "column":
            return super()._caption(step)
        name, scale = self.problem.features[step.column], self.space.scales[step.column]
        a, b, term = self.a[step.column], self.b[step.column], step.terms[-1]
        if np.isnan(term):
            reason = "a value is missing" if np.isnan(a + b) else "both are absent"
            return f"{name} ({scale}) is not counted: {reason}."
        reason = ": a value is missing" if np.isnan(a + b) else ""
        return f"{name} ({scale}) is {num4(term)} apart{reason}."

    def _terms(self, step: MeasureStep) -> LedgerTable:
        columns = range(len(self.a))
        a, b = ([self._value(j, row[j]) for j in columns] for row in (self.a, self.b))
        rules = [self._rule(j) for j in range(len(step.terms))]
        rows = list(zip_longest(self.problem.features[: len(a)], self.space.scales, a, b, rules))
        head, title = ("column", "scale", "A", "B", "apart"), "Column by column"
        return short_table(head, rows, title, lit_line(step), **_about_columns(columns))

    def _value(self, column: int, x: float) -> Any:
        value = self.problem.value(column, float(x))
        return short(value) if isinstance(value, float) else value

    def _rule(self, j: int) -> str:
        """Return the arithmetic of a column with its numbers."""
        a, b = float(self.a[j]), float(self.b[j])
        term = float(self.space.terms(self.a, self.b)[j])
        if np.isnan(term):
            return "not counted"
        if np.isnan(a + b):
            return "1: a value is missing"
        if self.space.names[j]:
            return f"{num(term)}: {'differ' if term else 'equal'}"
        sizes = f"|{num4(a)} − {num4(b)}| / {num4(self.space.ranges[j])}"
        return f"{sizes} = {num4(term)}"

    def _total(self, step: MeasureStep) -> Formula:
        counted: Floats = step.terms[~np.isnan(step.terms)]
        n = len(counted)
        if isinstance(self.space, WeightedSpace) and n:
            return self._weighted(self.space, step.distance)
        if self.space.metric == "heom":
            squares = abridged([f"{num4(term)}²" for term in counted], MAX_TERMS) or "0"
            return Formula(f"√ of the sum of squares: √({squares}) = {num4(step.distance)}")
        if not n:
            return Formula("no column is known for both rows: 1")
        terms = abridged([num4(term) for term in counted], MAX_TERMS)
        n_excluded = len(step.terms) - n
        excluded = f", {n_excluded} not counted" if n_excluded else ""
        mean = f"({terms}) / {n} = {num4(step.distance)}"
        return Formula(f"mean of {n} columns{excluded}: {mean}")

    def _weighted(self, space: WeightedSpace, distance: float) -> Formula:
        (of_names, of_numbers), (n_names, n_numbers) = space.parts(self.a, self.b)
        n = n_names + n_numbers
        names = f"{n_names} / {n} · {num4(of_names)}"
        numbers = f"{n_numbers} / {n} · {num4(of_numbers)}"
        head = f"names by {NAME_DISTANCES[space.of_names]}"
        head += f", numbers by {NUMBER_DISTANCES[space.of_numbers]}"
        return Formula(f"{head}: {names} + {numbers} = {num4(distance)}")

    def _all(self) -> LedgerTable:
        """Return the contribution of each column to the distance, the largest first."""
        if isinstance(self.space, WeightedSpace):
            return self._parts(self.space)
        terms = self.space.terms(self.a, self.b)
        shares = np.nan_to_num(terms) / max(int((~np.isnan(terms)).sum()), 1)
        title = "Contributions to the distance"
        if self.space.metric == "heom":
            shares, title = np.nan_to_num(terms) ** 2, "Contributions to the squared distance"
        order = [j for j in np.argsort(-shares, kind="stable").tolist() if shares[j] > 0]
        rows = [(self.problem.features[j], short(shares[j])) for j in order]
        return short_table(("column", "adds"), rows, title, **_about_columns(order))

    def _parts(self, space: WeightedSpace) -> LedgerTable:
        """Return the distances of names and of numbers with their weights."""
        distances, n = space.parts(self.a, self.b)
        weights = n / max(int(n.sum()), 1)
        columns = zip(("names", "numbers"), n, distances, weights * distances, strict=True)
        rows = [(name, int(k), short(d), short(added)) for name, k, d, added in columns]
        head = ("columns", "number", "distance", "adds")
        return LedgerTable(head, rows, "Contributions to the distance")


def _about_columns(columns: Iterable[int]) -> dict[str, Any]:
    """Return the attributes of a table with a line for each of these columns."""
    numbers = [j + 1 for j in columns]
    return {"max_rows": MAX_LINES, "of": "columns", "by": "column", "numbers": numbers}
