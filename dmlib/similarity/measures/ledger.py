"""The arithmetic of a distance: a term a column, how they are put together, every other measure, the axioms."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, numbered_table, short_table
from dmlib.pictures.scene import Frame
from dmlib.pictures.words import count, num4, short
from dmlib.similarity.measures.algorithm import BITS, METRICS, MeasureStep, Space

MOST = 12  # lines of a table
RULES = {
    "euclidean": ("(a − b)²", "√ of the sum"),
    "manhattan": ("|a − b|", "the sum"),
    "chebyshev": ("|a − b|", "the largest"),
    "minkowski": ("|a − b|ᵖ", "the p-th root of the sum"),
    "mahalanobis": ("(a − b)², whitened", "√ of the sum"),
    "canberra": ("|a − b| / (|a| + |b|)", "the sum"),
    "gower": ("|a − b| / range", "the mean"),
    "cosine": ("a b", "1 − the sum / (‖a‖ ‖b‖)"),
    "pearson": ("(a − ā)(b − b̄)", "1 − the sum / (‖a − ā‖ ‖b − b̄‖)"),
    "smc": ("a = b", "1 − the mean"),
    "jaccard": ("a and b", "1 − both / any"),
    "dice": ("a and b", "1 − 2 both / (those of a + those of b)"),
    "overlap": ("a and b", "1 − both / the smaller"),
}


class Teller:
    """Tells what the steps do.

    Parameters
    ----------
    problem : Problem
        The table, or the bags.
    model : PairMeasure
        Fitted.
    space : Space
        The measure on its rows.
    selected : int or None
        The row that the reader clicked.
    """

    def __init__(self, problem: Any, model: Any, space: Space, selected: int | None) -> None:
        self.problem, self.model, self.space, self.selected = problem, model, space, selected
        self.a, self.b = model.points(space.X)

    @property
    def name(self) -> str:
        """What the measure is called."""
        power = f" (p = {self.space.p:g})" if self.space.metric == "minkowski" else ""
        return METRICS[self.space.metric] + power

    def called(self, row: int) -> str:
        """Return what a row is called."""
        name = self.problem.names[row] if self.problem.names else ""
        return f"row {int(self.problem.rows[row]) + 1}" + (f" ({name})" if name else "")

    def frame(self, step: MeasureStep) -> Frame:
        """Return the caption and the ledger of a step."""
        asked = [] if self.selected is None else self._row(self.selected)
        return Frame(self._caption(step), [*self._blocks(step), *asked], step.phase)

    def _caption(self, step: MeasureStep) -> str:
        if step.phase == "start":
            return f"{self.name}: two points, A and B, in {count(len(self.a), 'column', 'columns')}."
        if step.phase == "column":
            return f"{self.problem.features[step.column]} adds {num4(step.terms[-1])}."
        if step.phase == "nearest":
            return f"The {count(len(step.nearest), 'row', 'rows')} nearest to A."
        broken = f"{100 * step.violations:.1f} %"
        if step.phase == "triples":
            told = (
                "The triangle inequality holds in all triples"
                if not step.violations
                else f"{broken} of triples violate the triangle inequality"
            )
            return f"{told}."
        if step.phase == "total":
            return f"A and B are {num4(step.distance)} apart ({self.name})."
        holds = "a metric on these triples" if not step.violations else f"no metric: {broken} of triples violate it"
        return f"Done: A and B are {num4(step.distance)} apart ({self.name}), {holds}."

    def _blocks(self, step: MeasureStep) -> Blocks:
        if step.phase in ("start", "column", "total"):
            return [self._terms(step), *([self._together(step)] if step.phase == "total" else [])]
        if step.phase == "triples":
            return [self._axioms()]
        far = self.model.to_rows_
        nearest = self._nearest([(int(i), short(far[i])) for i in step.nearest[:MOST]])
        if step.phase == "nearest":
            return [nearest]
        return [self._together(step), self._all(), nearest, self._axioms()]

    def _nearest(self, rows: list[tuple[int, float]]) -> LedgerTable:
        numbered = [(int(self.problem.rows[i]) + 1, far) for i, far in rows]
        return numbered_table(("row", "distance"), numbered, "Nearest to A")

    def _terms(self, step: MeasureStep) -> LedgerTable:
        one, other = self.space.seen(self.a), self.space.seen(self.b)
        rows = [
            (self.problem.features[j], short(one[j]), short(other[j]),
             short(step.terms[j]) if j < len(step.terms) else None)
            for j in range(len(one))
        ]  # fmt: skip
        lit = [step.column] if step.column >= 0 else []
        head = ("column", "A", "B", RULES[self.model.metric][0])
        title = "Whitened columns" if self.model.metric == "mahalanobis" else (
            "1: above the mean of its column" if self.model.metric in BITS else "Column by column")  # fmt: skip
        return short_table(head, rows, title, lit, most=MOST, of="columns")

    def _together(self, step: MeasureStep) -> Formula:
        metric, terms = self.model.metric, step.terms
        one, other = self.space.seen(self.a), self.space.seen(self.b)
        told, total = RULES[metric][1], num4(terms.sum())
        numbers = {
            "euclidean": f"√{total}",
            "mahalanobis": f"√{total}",
            "minkowski": f"{total}^(1 / {self.model.p:g})",
            "gower": f"{total} / {len(terms)}",
            "cosine": f"1 − {total} / ({num4(_size(one))} · {num4(_size(other))})",
            "pearson": f"1 − {total} / ({num4(_size(one))} · {num4(_size(other))})",
            "smc": f"1 − {total} / {len(terms)}",
            "jaccard": f"1 − {total} / {int(((one > 0) | (other > 0)).sum())}",
            "dice": f"1 − 2 · {total} / ({int(one.sum())} + {int(other.sum())})",
            "overlap": f"1 − {total} / {int(min(one.sum(), other.sum()))}",
        }.get(metric, total if metric != "chebyshev" else num4(terms.max(initial=0.0)))
        return Formula(f"{told}: {numbers} = {num4(step.distance)}")

    def _all(self) -> LedgerTable:
        rows = []
        for metric, name in METRICS.items():
            value = Space(self.problem.X, metric, self.model.p).between(self.a, self.b)
            rows.append((name, short(value)))
        lit = [list(METRICS).index(self.model.metric)]
        return short_table(("measure", "A to B"), rows, "Every measure", lit, most=len(rows))

    def _axioms(self) -> LedgerTable:
        model = self.model
        triple = ", ".join(str(int(self.problem.rows[i]) + 1) for i in model.counterexample_)
        differs = np.nan_to_num(np.abs(self.space.X - self.a)).max(axis=1) > 0
        zero = (model.to_rows_ < 1e-12) & differs
        same = f"{self.called(int(zero.argmax()))} is 0 from A" if zero.any() else "holds"
        rows = [
            ("d = 0 only for the same", same),
            ("d(A, B) = d(B, A)", "holds"),
            ("triangle inequality holds", f"broken by rows {triple}" if triple else "holds"),
        ]
        return LedgerTable(("axiom", "here"), rows, "Axioms of a metric")

    def _row(self, row: int) -> Blocks:
        x, name = self.space.X[row], self.called(row)
        return [
            Formula(f"{name} is {num4(self.space.between(self.a, x))} from A"),
            Formula(f"{name} is {num4(self.space.between(self.b, x))} from B"),
        ]


def _size(row: Floats) -> float:
    return float(np.linalg.norm(row))
