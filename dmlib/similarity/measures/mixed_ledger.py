"""The arithmetic of Gower's distance: a term a column by its scale, and their mean."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.ledger import Formula, LedgerTable, abridged, short_table
from dmlib.pictures.words import count, num, num4, short
from dmlib.similarity.measures.algorithm import MeasureStep
from dmlib.similarity.measures.ledger import MAX_LINES, Narrator, lit_line
from dmlib.similarity.measures.mixed import MixedDistances, MixedSpace

MAX_TERMS = 6  # of a sum


class MixedNarrator(Narrator):
    """Captions and ledgers of two rows of mixed columns."""

    model: MixedDistances
    space: MixedSpace

    def _caption(self, step: MeasureStep) -> str:
        if step.phase == "start":
            a, b = self.name_of(self.model.first - 1), self.name_of(self.model.second - 1)
            return f"Gower: A is {a}, B is {b}, in {count(len(self.a), 'column', 'columns')}."
        if step.phase != "column":
            return super()._caption(step)
        name, scale = self.problem.features[step.column], self.space.scales[step.column]
        a, b, term = self.a[step.column], self.b[step.column], step.terms[-1]
        if np.isnan(term):
            reason = "a value is missing" if np.isnan(a + b) else "both are absent"
            return f"{name} ({scale}) is not counted: {reason}."
        return f"{name} ({scale}) is {num4(term)} apart."

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
        if self.space.names[j]:
            return f"{num(term)}: {'differ' if term else 'equal'}"
        sizes = f"|{num4(a)} − {num4(b)}| / {num4(self.space.ranges[j])}"
        return f"{sizes} = {num4(term)}"

    def _total(self, step: MeasureStep) -> Formula:
        counted: Floats = step.terms[~np.isnan(step.terms)]
        n = len(counted)
        if not n:
            return Formula("no column is known for both rows: 1")
        terms = abridged([num4(term) for term in counted], MAX_TERMS)
        n_excluded = len(step.terms) - n
        excluded = f", {n_excluded} not counted" if n_excluded else ""
        mean = f"({terms}) / {n} = {num4(step.distance)}"
        return Formula(f"mean of {n} columns{excluded}: {mean}")

    def _all(self) -> LedgerTable:
        """Return the contribution of each column to the distance, the largest first."""
        terms = self.space.terms(self.a, self.b)
        shares = np.nan_to_num(terms) / max(int((~np.isnan(terms)).sum()), 1)
        order = [j for j in np.argsort(-shares, kind="stable").tolist() if shares[j] > 0]
        rows = [(self.problem.features[j], short(shares[j])) for j in order]
        title = "Contributions to the distance"
        return short_table(("column", "adds"), rows, title, **_about_columns(order))


def _about_columns(columns: Iterable[int]) -> dict[str, Any]:
    """Return the attributes of a table with a line for each of these columns."""
    numbers = [j + 1 for j in columns]
    return {"max_rows": MAX_LINES, "of": "columns", "by": "column", "numbers": numbers}
