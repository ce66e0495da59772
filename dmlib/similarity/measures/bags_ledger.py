"""The arithmetic of two sets or texts: four counts, every coefficient with its numbers, the nearest ones."""

from __future__ import annotations

import numpy as np

from dmlib.pictures.ledger import Formula, LedgerTable, short_table
from dmlib.pictures.words import count, num4, short, upper_first
from dmlib.similarity.measures.algorithm import MeasureStep
from dmlib.similarity.measures.bags import COEFFICIENTS, CORNERS, COUNTED, BagSpace
from dmlib.similarity.measures.ledger import MOST, Teller

NAMED = 8  # items of a list


class BagTeller(Teller):
    """Tells how two bags are compared."""

    @property
    def name(self) -> str:
        """What the coefficient is called."""
        return f"1 − {COEFFICIENTS[self.space.metric]}"

    def called(self, row: int) -> str:
        """Return what a bag is called."""
        return str(self.problem.names[row])

    @property
    def both(self) -> tuple[str, str]:
        """What the two bags are called."""
        return self.called(self.model.first - 1), self.called(self.model.second - 1)

    def _caption(self, step: MeasureStep) -> str:
        if step.phase == "start":
            sizes = [int((bag > 0).sum()) for bag in (self.a, self.b)]
            one, other = self.both
            return f"A, {one}, has {count(sizes[0], 'item', 'items')}; B, {other}, has {sizes[1]}."
        if step.phase == "column":
            verb = "is" if step.terms[-1] == 1 else "are"
            return f"{count(int(step.terms[-1]), 'item', 'items')} {verb} {CORNERS[step.column]}."
        if step.phase == "total":
            alike, name = num4(1 - step.distance), COEFFICIENTS[self.space.metric]
            return f"{upper_first(name)} of A and B is {alike}, and 1 less it {num4(step.distance)}."
        if step.phase == "nearest":
            return f"The {len(step.nearest)} nearest to A, {self.both[0]}."
        return super()._caption(step)

    def _nearest(self, rows: list[tuple[int, float]]) -> LedgerTable:
        told = [(self.called(i), far, int(((self.space.X[i] > 0) & (self.a > 0)).sum())) for i, far in rows]
        numbers = [int(self.problem.rows[i]) + 1 for i, _ in rows]
        return LedgerTable(("nearest to A", self.name, "in both"), told, "Nearest to A", by="row", numbers=numbers)

    def _terms(self, step: MeasureStep) -> LedgerTable:
        one, other = self.a > 0, self.b > 0
        corners = (one & other, one & ~other, ~one & other, ~one & ~other)
        rows = [
            (f"f{digits} {name}", int(step.terms[j]) if j < len(step.terms) else None, self._listed(corners[j]))
            for j, (digits, name) in enumerate(zip(("₁₁", "₁₀", "₀₁", "₀₀"), CORNERS, strict=True))
        ]
        lit = [step.column] if step.column >= 0 else []
        numbers = [1, 2, 3, None]  # what is in neither has no bar
        return LedgerTable(("items", "number", "which"), rows, "Counted", lit, by="items", numbers=numbers)

    def _listed(self, there: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> str:
        """Return the items of a corner, the most frequent of both bags first."""
        places = np.flatnonzero(there)
        places = places[np.argsort(-(self.a + self.b)[places], kind="stable")]
        more = f" and {len(places) - NAMED} more" if len(places) > NAMED else ""
        return ", ".join(self.problem.items[j] for j in places[:NAMED]) + more

    def _together(self, step: MeasureStep) -> Formula:
        if not (self.a.any() or self.b.any()):
            return Formula("two empty bags are alike: 1 − 1 = 0")
        return Formula(f"1 − {self._sum(self.space.metric)} = {num4(step.distance)}")

    def _sum(self, coefficient: str) -> str:
        """Return a coefficient as its formula with the numbers."""
        f11, f10, f01, f00 = (int(n) for n in self.space.terms(self.a, self.b))
        if coefficient in COUNTED:
            dot, one, other = (num4(x) for x in (self.a @ self.b, self.a @ self.a, self.b @ self.b))
            return f"{dot} / √({one} · {other})" if coefficient == "cosine" else f"{dot} / ({one} + {other} − {dot})"
        return {
            "smc": f"({f11} + {f00}) / {f11 + f10 + f01 + f00}",
            "jaccard": f"{f11} / ({f11} + {f10} + {f01})",
            "dice": f"2 · {f11} / ({f11 + f10} + {f11 + f01})",
            "overlap": f"{f11} / min({f11 + f10}, {f11 + f01})",
        }[coefficient]

    def _all(self) -> LedgerTable:
        rows = []
        for coefficient, name in COEFFICIENTS.items():
            far = float(BagSpace(self.space.X, coefficient).between(self.a, self.b))
            rows.append((name, self._sum(coefficient), short(1 - far)))
        lit = [list(COEFFICIENTS).index(self.space.metric)]
        return short_table(("coefficient", "arithmetic", "A and B"), rows, "Every coefficient", lit, most=MOST)

    def _row(self, row: int) -> list[Formula | LedgerTable]:
        x, name = self.space.X[row] > 0, self.called(row)
        shared = [f"{int((x & (bag > 0)).sum())} with {letter}" for bag, letter in ((self.a, "A"), (self.b, "B"))]
        return [*super()._row(row), Formula(f"{name} shares {' and '.join(shared)}")]
