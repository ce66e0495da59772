"""The arithmetic of a distance: a term a column, their sum, all measures, the axioms."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

import numpy as np

from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, numbered_table, short_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num4, percent, short
from dmlib.similarity.measures.algorithm import BITS, MeasureStep, PairMeasure, Space
from dmlib.similarity.measures.registry import METRICS

MAX_LINES = 12  # lines of a table
RULES = {
    "euclidean": ("(a − b)²", "√ of the sum"),
    "manhattan": ("|a − b|", "the sum"),
    "chebyshev": ("|a − b|", "the largest"),
    "minkowski": ("|a − b|ᵖ", "the p-th root of the sum"),
    "mahalanobis": ("(a − b)², whitened", "√ of the sum"),
    "canberra": ("|a − b| / (|a| + |b|)", "the sum"),
    "gower": ("|a − b| / range", "the mean"),
    "cosine": ("a b", "1 − the sum / (‖a‖ ‖b‖)"),
    "squared_cosine": ("a b", "1 − (the sum / (‖a‖ ‖b‖))²"),
    "pearson": ("(a − ā)(b − b̄)", "1 − the sum / (‖a − ā‖ ‖b − b̄‖)"),
    "smc": ("a = b", "1 − the mean"),
    "jaccard": ("a and b", "1 − both / any"),
    "dice": ("a and b", "1 − 2 both / (those of a + those of b)"),
    "overlap": ("a and b", "1 − both / the smaller"),
}


class Narrator:
    """Captions and ledgers of the distance of two points.

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

    def __init__(
        self, problem: Any, model: PairMeasure, space: Space, selected: int | None
    ) -> None:
        self.problem, self.model, self.space, self.selected = problem, model, space, selected
        self.a, self.b = model.points(space.X)

    @property
    def name(self) -> str:
        """The title of the measure."""
        power = f" (p = {self.space.p:g})" if self.space.metric == "minkowski" else ""
        return METRICS[self.space.metric] + power

    def name_of(self, row: int) -> str:
        """Return the name of a row."""
        name = self.problem.names[row] if self.problem.names else ""
        return f"row {int(self.problem.rows[row]) + 1}" + (f" ({name})" if name else "")

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: MeasureStep = moment.step
        selected_row = [] if self.selected is None else self._row(self.selected)
        return self._caption(step), [*self._blocks(step), *selected_row]

    def _caption(self, step: MeasureStep) -> str:
        if step.phase == "start":
            columns = count(len(self.a), "column", "columns")
            return f"{self.name}: two points, A and B, in {columns}."
        if step.phase == "column":
            return f"{self.problem.features[step.column]} adds {num4(step.terms[-1])}."
        if step.phase == "nearest":
            return f"The {count(len(step.nearest), 'row', 'rows')} nearest to A."
        if step.phase == "total":
            return f"A and B are {num4(step.distance)} apart ({self.name})."
        return self._verdict(step)

    def _verdict(self, step: MeasureStep) -> str:
        """Return the caption of the triples and of the end."""
        broken = f"{percent(step.violations)} of triples violate"
        if step.phase == "triples" and step.violations:
            return f"{broken} the triangle inequality."
        if step.phase == "triples":
            return "The triangle inequality holds in all triples."
        verdict = f"no metric: {broken} it" if step.violations else "a metric on these triples"
        return f"Done: A and B are {num4(step.distance)} apart ({self.name}), {verdict}."

    def _blocks(self, step: MeasureStep) -> Blocks:
        if step.phase in ("start", "column"):
            return [self._terms(step)]
        if step.phase == "total":
            return [self._terms(step), self._total(step), self._as_similarity(step)]
        if step.phase == "triples":
            return [self._axioms()]
        distances = self.model.to_rows_
        nearest = self._nearest([(int(i), short(distances[i])) for i in step.nearest[:MAX_LINES]])
        if step.phase == "nearest":
            return [nearest]
        similarity = self._as_similarity(step)
        return [self._total(step), self._all(), nearest, self._axioms(), similarity]

    def _nearest(self, rows: list[tuple[int, float]]) -> LedgerTable:
        numbered = [(int(self.problem.rows[i]) + 1, distance) for i, distance in rows]
        return numbered_table(("row", "distance"), numbered, "Nearest to A")

    def _terms(self, step: MeasureStep) -> LedgerTable:
        a, b = self.space.transformed(self.a), self.space.transformed(self.b)
        terms = [short(term) for term in step.terms]
        columns = zip_longest(self.problem.features[: len(a)], a, b, terms)
        rows = [(name, short(x), short(y), term) for name, x, y, term in columns]
        head = ("column", "A", "B", RULES[self.space.metric][0])
        title = "Column by column"
        if self.space.metric == "mahalanobis":
            title = "Whitened columns"
        elif self.space.metric in BITS:
            title = "1: above the mean of its column"
        return short_table(head, rows, title, lit_line(step), max_rows=MAX_LINES, of="columns")

    def _total(self, step: MeasureStep) -> Formula:
        metric, terms = self.space.metric, step.terms
        a, b = self.space.transformed(self.a), self.space.transformed(self.b)
        rule, total = RULES[metric][1], num4(terms.sum())
        sizes = f"({num4(np.linalg.norm(a))} · {num4(np.linalg.norm(b))})"
        arithmetic = {
            "euclidean": f"√{total}",
            "mahalanobis": f"√{total}",
            "minkowski": f"{total}^(1 / {self.space.p:g})",
            "gower": f"{total} / {len(terms)}",
            "cosine": f"1 − {total} / {sizes}",
            "squared_cosine": f"1 − ({total} / {sizes})²",
            "pearson": f"1 − {total} / {sizes}",
            "smc": f"1 − {total} / {len(terms)}",
            "jaccard": f"1 − {total} / {int(((a > 0) | (b > 0)).sum())}",
            "dice": f"1 − 2 · {total} / ({int(a.sum())} + {int(b.sum())})",
            "overlap": f"1 − {total} / {int(min(a.sum(), b.sum()))}",
            "chebyshev": num4(terms.max(initial=0.0)),
        }.get(metric, total)
        return Formula(f"{rule}: {arithmetic} = {num4(step.distance)}")

    def _all(self) -> LedgerTable:
        rows = []
        for metric, name in METRICS.items():
            value = Space(self.problem.X, metric, self.space.p).between(self.a, self.b)
            rows.append((name, short(value)))
        lit = [list(METRICS).index(self.space.metric)]
        return short_table(("measure", "A to B"), rows, "Every measure", lit, max_rows=len(rows))

    def _axioms(self) -> LedgerTable:
        model = self.model
        triple = ", ".join(str(int(self.problem.rows[i]) + 1) for i in model.counterexample_)
        differs = np.nan_to_num(np.abs(self.space.X - self.a)).max(axis=1) > 0
        zero = (model.to_rows_ < 1e-12) & differs
        same = f"{self.name_of(int(zero.argmax()))} is 0 from A" if zero.any() else "holds"
        from_itself = float(self.space.between(self.a, self.a))
        if from_itself > 1e-12:
            same = f"A is {num4(from_itself)} from itself"
        rows = [
            ("d = 0 only for the same", same),
            ("d(A, B) = d(B, A)", "holds"),
            ("triangle inequality holds", f"broken by rows {triple}" if triple else "holds"),
        ]
        return LedgerTable(("axiom", "here"), rows, "Axioms of a metric")

    def _as_similarity(self, step: MeasureStep) -> LedgerTable:
        """Write out four similarities that a distance gives."""
        d, largest = step.distance, max(step.distance, float(np.max(self.model.to_rows_)))
        name, top = num4(d), num4(largest)
        rows: list[tuple[str, str | None, str]] = [
            ("−d", None, num4(0 - d)),
            ("1 / (1 + d)", f"1 / (1 + {name})", num4(1 / (1 + d))),
            ("e^−d", f"e^−{name}", num4(np.exp(-d))),
        ]
        if largest > 0:
            rows.append(("1 − d / d_max", f"1 − {name} / {top}", num4(1 - d / largest)))
        title = "As a similarity; d_max: the largest distance from A"
        return LedgerTable(("s", "with the numbers", "A and B"), rows, title)

    def _row(self, row: int) -> Blocks:
        x, name = self.space.X[row], self.name_of(row)
        return [
            Formula(f"{name} is {num4(self.space.between(self.a, x))} from A"),
            Formula(f"{name} is {num4(self.space.between(self.b, x))} from B"),
        ]


def lit_line(step: MeasureStep) -> list[int]:
    """Return the line of the column that a step counts."""
    return [step.column] if step.column >= 0 else []
