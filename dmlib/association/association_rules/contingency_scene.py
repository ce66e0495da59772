"""The 2 × 2 table of a rule as four rectangles."""

from __future__ import annotations

from dmlib.association.association_rules.ledger import Rules
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Rects
from dmlib.pictures.places import line_through, visible_if
from dmlib.pictures.scene import Axis, Panel

WITH_B = 0  # colour
PANEL = Panel(
    "table",
    Axis("baskets: with A, without A", 0.0, 1.0),
    Axis("fraction with B", 0.0, 1.02),
    title="Confidence; dashed: support of B",
    side=True,
)


def contingency_marks(rules: Rules, rule: int | None) -> tuple[Mark, ...]:
    """Return the table of a rule A → B: the share with B of baskets with A and without A."""
    a, b, with_a, without_a = (0.0,) * 4 if rule is None else rules.shares(rule)
    marks = (
        _rectangles(a, with_a, without_a),
        Line(panel="table", x=[a, a], y=[0.0, 1.0], color="muted", width=1.5, of=""),
        line_through([(0.0, b), (1.0, b)], panel="table", dash=True, of=""),
    )
    return tuple(visible_if(rule is not None, mark) for mark in marks)


def _rectangles(a: float, with_a: float, without_a: float) -> Rects:
    return Rects(
        panel="table",
        x0=[0.0, a, 0.0, a],
        x1=[a, 1.0, a, 1.0],
        y0=[0.0, 0.0, with_a, without_a],
        y1=[with_a, without_a, 1.0, 1.0],
        color=[WITH_B, WITH_B, NO_CLASS, NO_CLASS],
        opacity=[0.75, 0.35, 0.12, 0.12],
        of="",
    )
