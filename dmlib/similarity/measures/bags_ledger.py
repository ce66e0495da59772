"""The arithmetic of two sets or texts: four counts, every coefficient, the nearest ones."""

from __future__ import annotations

from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from dmlib.pictures.ledger import Formula, LedgerTable, short_table
from dmlib.pictures.words import count, num4, short, upper_first
from dmlib.similarity.measures.algorithm import MeasureStep
from dmlib.similarity.measures.bags import CORNERS, COUNTED, BagSimilarity, BagSpace
from dmlib.similarity.measures.ledger import MAX_LINES, Narrator, lit_line
from dmlib.similarity.measures.registry import COEFFICIENTS

MAX_NAMED = 8  # items of a list
DIGITS = ("₁₁", "₁₀", "₀₁", "₀₀")


class BagNarrator(Narrator):
    """Captions and ledgers of two bags."""

    model: BagSimilarity

    @property
    def name(self) -> str:
        """The title of the distance."""
        return f"1 − {COEFFICIENTS[self.space.metric]}"

    def name_of(self, row: int) -> str:
        """Return the name of a bag."""
        return str(self.problem.names[row])

    @property
    def pair_names(self) -> tuple[str, str]:
        """The names of the two bags."""
        return self.name_of(self.model.first - 1), self.name_of(self.model.second - 1)

    def _caption(self, step: MeasureStep) -> str:
        if step.phase == "start":
            sizes = [int((bag > 0).sum()) for bag in (self.a, self.b)]
            a, b = self.pair_names
            return f"A, {a}, has {count(sizes[0], 'item', 'items')}; B, {b}, has {sizes[1]}."
        if step.phase == "column":
            verb = "is" if step.terms[-1] == 1 else "are"
            return f"{count(int(step.terms[-1]), 'item', 'items')} {verb} {CORNERS[step.column]}."
        if step.phase == "total":
            name, value = COEFFICIENTS[self.space.metric], num4(1 - step.distance)
            distance = num4(step.distance)
            return f"{upper_first(name)} of A and B is {value}, and 1 less it {distance}."
        if step.phase == "nearest":
            return f"The {len(step.nearest)} nearest to A, {self.pair_names[0]}."
        return super()._caption(step)

    def _nearest(self, rows: list[tuple[int, float]]) -> LedgerTable:
        shared = ((self.space.X > 0) & (self.a > 0)).sum(axis=1)
        bags = [(self.name_of(i), distance, int(shared[i])) for i, distance in rows]
        head = ("nearest to A", self.name, "in both")
        numbers = [int(self.problem.rows[i]) + 1 for i, _ in rows]
        return LedgerTable(head, bags, "Nearest to A", by="row", numbers=numbers)

    def _terms(self, step: MeasureStep) -> LedgerTable:
        in_a, in_b = self.a > 0, self.b > 0
        corners = (in_a & in_b, in_a & ~in_b, ~in_a & in_b, ~in_a & ~in_b)
        names = [f"f{digits} {name}" for digits, name in zip(DIGITS, CORNERS, strict=True)]
        numbers = [int(term) for term in step.terms]
        rows = list(zip_longest(names, numbers, map(self._listed, corners)))
        head = ("items", "number", "which")
        bars = [1, 2, 3, None]  # what is in neither has no bar
        return LedgerTable(head, rows, "Counted", lit_line(step), by="items", numbers=bars)

    def _listed(self, in_corner: NDArray[np.bool_]) -> str:
        """Return the items of a corner, the most frequent of both bags first."""
        places = np.flatnonzero(in_corner)
        places = places[np.argsort(-(self.a + self.b)[places], kind="stable")]
        items = ", ".join(self.problem.items[j] for j in places[:MAX_NAMED])
        n_hidden = len(places) - MAX_NAMED
        return f"{items} and {n_hidden} more" if n_hidden > 0 else items

    def _total(self, step: MeasureStep) -> Formula:
        if not (self.a.any() or self.b.any()):
            return Formula("two empty bags are alike: 1 − 1 = 0")
        return Formula(f"1 − {self._sum(self.space.metric)} = {num4(step.distance)}")

    def _sum(self, coefficient: str) -> str:
        """Return a coefficient as its formula with the numbers."""
        f11, f10, f01, f00 = (int(n) for n in self.space.terms(self.a, self.b))
        if coefficient in COUNTED:
            dot, aa, bb = (num4(x) for x in (self.a @ self.b, self.a @ self.a, self.b @ self.b))
            if coefficient == "cosine":
                return f"{dot} / √({aa} · {bb})"
            return f"{dot} / ({aa} + {bb} − {dot})"
        return {
            "smc": f"({f11} + {f00}) / {f11 + f10 + f01 + f00}",
            "jaccard": f"{f11} / ({f11} + {f10} + {f01})",
            "dice": f"2 · {f11} / ({f11 + f10} + {f11 + f01})",
            "overlap": f"{f11} / min({f11 + f10}, {f11 + f01})",
        }[coefficient]

    def _all(self) -> LedgerTable:
        rows = []
        for coefficient, name in COEFFICIENTS.items():
            distance = float(BagSpace(self.space.X, coefficient).between(self.a, self.b))
            rows.append((name, self._sum(coefficient), short(1 - distance)))
        lit, head = [list(COEFFICIENTS).index(self.space.metric)], ("coefficient", "arithmetic")
        return short_table((*head, "A and B"), rows, "Every coefficient", lit, max_rows=MAX_LINES)

    def _row(self, row: int) -> list[Formula | LedgerTable]:
        x = self.space.X[row] > 0
        with_a, with_b = int((x & (self.a > 0)).sum()), int((x & (self.b > 0)).sum())
        shared = f"{self.name_of(row)} shares {with_a} with A and {with_b} with B"
        return [*super()._row(row), Formula(shared)]
