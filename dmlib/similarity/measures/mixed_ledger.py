"""The arithmetic of Gower's distance: what each column adds by its scale, and the mean of those that say something."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.ledger import Formula, LedgerTable, few, short_table
from dmlib.pictures.words import count, num, num4, short
from dmlib.similarity.measures.algorithm import MeasureStep
from dmlib.similarity.measures.ledger import MOST, Teller
from dmlib.similarity.measures.mixed import MixedSpace

TERMS = 6  # of a sum


class MixedTeller(Teller):
    """Tells how two rows of mixed columns are compared."""

    space: MixedSpace

    def _caption(self, step: MeasureStep) -> str:
        if step.phase == "start":
            one, other = (self.called(row - 1) for row in (self.model.first, self.model.second))
            return f"Gower: A is {one}, B is {other}, in {count(len(self.a), 'column', 'columns')}."
        if step.phase != "column":
            return super()._caption(step)
        name, scale = self.problem.features[step.column], self.space.scales[step.column]
        a, b, term = self.a[step.column], self.b[step.column], step.terms[-1]
        if np.isnan(term):
            why = "a value is missing" if np.isnan(a + b) else "both are absent"
            return f"{name} ({scale}) is not counted: {why}."
        return f"{name} ({scale}) is {num4(term)} apart."

    def _terms(self, step: MeasureStep) -> LedgerTable:
        rows = [
            (self.problem.features[j], self.space.scales[j], self._value(j, self.a[j]), self._value(j, self.b[j]),
             self._rule(j) if j < len(step.terms) else None)
            for j in range(len(self.a))
        ]  # fmt: skip
        lit = [step.column] if step.column >= 0 else []
        head = ("column", "scale", "A", "B", "apart")
        numbers = range(1, len(rows) + 1)
        return short_table(head, rows, "Column by column", lit, most=MOST, of="columns", by="column", numbers=numbers)

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

    def _together(self, step: MeasureStep) -> Formula:
        told: Floats = step.terms[~np.isnan(step.terms)]
        if not len(told):
            return Formula("no column is known for both rows: 1")
        terms = few([num4(term) for term in told], TERMS)
        left = len(step.terms) - len(told)
        silent = f", {left} not counted" if left else ""
        return Formula(f"mean of {len(told)} columns{silent}: ({terms}) / {len(told)} = {num4(step.distance)}")

    def _all(self) -> LedgerTable:
        """Return what each column adds to the distance of both rows, the most first."""
        terms = np.nan_to_num(self.space.terms(self.a, self.b))
        counted = max(int((~np.isnan(self.space.terms(self.a, self.b))).sum()), 1)
        order = [j for j in np.argsort(-terms, kind="stable").tolist() if terms[j] > 0]
        rows = [(self.problem.features[j], short(terms[j] / counted)) for j in order]
        title, numbers = "Contributions to the distance", [j + 1 for j in order]
        return short_table(("column", "adds"), rows, title, most=MOST, of="columns", by="column", numbers=numbers)
