"""The panels and marks of a sweep: ROC, scores, precision-recall, gains, profit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.evaluation.roc.sweep_scene import Sweep
from dmlib.pictures.marks import NO_CLASS, Channel, Line, Mark, PerFrame, Points, Rects
from dmlib.pictures.motion import during
from dmlib.pictures.scene import Axis, Key, Panel, bounds
from dmlib.problem import JITTER, Problem

CIRCLE, STAR = 0, 3  # symbols of the moving point and of the threshold that is optimal
HERE, BEST = "this threshold", "optimal"
SIZE = 6.5
GRIP = 0.5  # height of the point by which the threshold is dragged, between the classes
FAINT = 0.12  # opacity of rows without a score (yet), and of the side on which rows are predicted positive
MOST_FADED = 600  # rows
NOTHING: Floats = np.empty(0)
UNIT = (-0.04, 1.04)
LEGEND = (Key(HERE, symbol=CIRCLE), Key(BEST, symbol=STAR))
NUMBER = {"data": 1, "pr": 2, "gains": 3, "profit": 4}
"""Of a curve and the points on it, by its panel."""
SLOPE = 5  # the number of the line of equal profit


def panels(problem: Problem, sweep: Sweep) -> dict[str, Panel]:
    """Return the panels by name."""
    called = Axis("rows (share)", *UNIT)
    lanes = Axis("", -0.5, 1.5, ticks=problem.classes)
    every = (
        Panel("data", Axis("false positive rate", *UNIT), Axis("true positive rate", *UNIT)),
        Panel("scores", Axis("score", *bounds(sweep.score)), lanes, "Scores", side=True),
        Panel("pr", Axis("recall", *UNIT), Axis("precision", *UNIT), "Precision-recall", side=True),
        Panel("gains", called, Axis("recall", *UNIT), "Gains", side=True),
        Panel("profit", called, Axis("profit", *bounds(sweep.profit.profit, 0.15)), "Profit", side=True),
    )
    return {panel.name: panel for panel in every}


def marks(problem: Problem, sweep: Sweep) -> list[Mark]:
    """Return the marks of all panels."""
    parts: tuple[Callable[[Sweep], list[Mark]], ...] = (_roc, _precision_recall, _gains, _profit)
    return [*_scores(problem, sweep), *(mark for part in parts for mark in part(sweep))]


def iso_line(slope: float, x: float, y: float) -> tuple[Floats, Floats]:
    """Return the ends of the line through a point of the ROC plane, inside the unit square.

    Examples
    --------
    >>> iso_line(1.0, 0.25, 0.75)
    (array([0. , 0.5]), array([0.5, 1. ]))
    """
    if np.isinf(slope):
        return np.array([x, x], float), np.array([0.0, 1.0])
    left, right = 0.0, 1.0
    if slope > 0:
        left, right = max(0.0, x - y / slope), min(1.0, x + (1 - y) / slope)
    ends = np.array([left, right], float)
    return ends, y + slope * (ends - x)


def _frames(sweep: Sweep, values: Sequence[Any], before: Any = NOTHING) -> PerFrame:
    """Return one row for each threshold that is shown; ``before`` while there are only scores."""
    return PerFrame([before] * len(sweep.played) + list(values))


def _line(sweep: Sweep, places: Sequence[tuple[Any, Any]], **look: Any) -> Line:
    """Return a line that has its own vertices (x, y) at each threshold."""
    return Line(x=_frames(sweep, [x for x, _ in places]), y=_frames(sweep, [y for _, y in places]), **look)


def _moving(sweep: Sweep, panel: str, x: Sequence[float], y: Sequence[float]) -> Points:
    """Return the point that walks along a curve; nothing where it is undefined."""
    known = np.isfinite(np.asarray(y, float))
    xs, ys = (
        _frames(sweep, [np.array([value]) if there else NOTHING for value, there in zip(values, known, strict=True)])
        for values in (x, y)
    )
    look: dict[str, Any] = {"color": [NO_CLASS], "symbol": [CIRCLE], "size": [SIZE], "emphasis": True}
    return Points(panel=panel, x=xs, y=ys, labels=(HERE,), leads="xy", numbers=[NUMBER[panel]], of=HERE, **look)


def _best(panel: str, x: float, y: float) -> Points:
    look: dict[str, Any] = {"color": [NO_CLASS], "symbol": [STAR], "size": [SIZE], "emphasis": True}
    return Points(panel=panel, x=[x], y=[y], labels=(BEST,), numbers=[NUMBER[panel]], of=BEST, **look)


def _guess(panel: str, y: tuple[float, float] = (0.0, 1.0)) -> Line:
    """Return what random guessing would reach."""
    return Line(panel=panel, x=[0, 1], y=y, color="muted", width=1.0, dash=True)


def corners(x: Floats, y: Floats) -> NDArray[np.intp]:
    """Return the indices at which a polyline changes its direction, and its ends.

    Examples
    --------
    >>> corners(np.array([0.0, 0.0, 0.0, 1.0]), np.array([0.0, 1.0, 2.0, 2.0])).tolist()
    [0, 2, 3]
    """
    dx, dy = np.diff(x), np.diff(y)
    turns = np.abs(dx[:-1] * dy[1:] - dy[:-1] * dx[1:]) > 1e-12
    return np.concatenate([[0], np.flatnonzero(turns) + 1, [len(x) - 1]])


def _roc(sweep: Sweep) -> list[Mark]:
    roc, slope = sweep.roc, sweep.profit.payoff.slope
    at = [(step.fpr, step.tpr) for step in sweep.passed]
    kept = corners(roc.fpr, roc.tpr)
    passed = [roc.counts.ends[kept] < step.tp + step.fp for step in sweep.passed]
    walked = [
        (np.append(roc.fpr[kept[done]], x), np.append(roc.tpr[kept[done]], y))
        for done, (x, y) in zip(passed, at, strict=True)
    ]
    found: list[Mark] = [
        _guess("data"),
        Line(x=roc.fpr[roc.hull], y=roc.tpr[roc.hull], color="muted", width=1.0),
        Line(x=roc.fpr[kept], y=roc.tpr[kept], color="muted", width=1.5, numbers=[NUMBER["data"]], of="curve"),
        _line(sweep, walked, color="accent", width=2.5),
    ]
    if not np.isnan(slope):
        best = (roc.fpr[sweep.profit.best], roc.tpr[sweep.profit.best])
        x, y = iso_line(slope, *best)
        found += [
            Line(x=x, y=y, color="ink", width=1.5, dash=True, numbers=[SLOPE], of=BEST),
            _line(sweep, [iso_line(slope, *place) for place in at], color="ink", width=1.0),
            _best("data", *best),
        ]
    return [*found, _moving(sweep, "data", *zip(*at, strict=True))]


def _scores(problem: Problem, sweep: Sweep) -> list[Mark]:
    """Return the rows by class and score, and the side of the threshold on which they are predicted positive."""
    high = bounds(sweep.score)[1]
    levels = [min(step.threshold, high) for step in sweep.passed]
    lane = np.zeros(len(problem.X)) if problem.y is None else problem.y.astype(float)
    spread = JITTER * 1.3 * (np.arange(1, len(lane) + 1) * 0.61803398875 % 1 - 0.5)
    hollow = None if problem.test is None else problem.test.astype(np.uint8)
    box = [(np.array([level]), np.array([high])) for level in levels]
    lines = [(np.array([level, level]), np.array([-0.5, 1.5])) for level in levels]
    flat = [np.array([end]) for end in (-0.5, 1.5)]
    return [
        Rects(
            panel="scores",
            x0=_frames(sweep, [x0 for x0, _ in box]),
            x1=_frames(sweep, [x1 for _, x1 in box]),
            y0=_frames(sweep, [flat[0]] * len(box)),
            y1=_frames(sweep, [flat[1]] * len(box)),
            opacity=[FAINT],
        ),
        _line(sweep, lines, panel="scores", color="accent"),
        Points(
            panel="scores",
            x=_frames(sweep, [ends[:1] for ends, _ in lines]),
            y=_frames(sweep, [np.array([GRIP])] * len(lines)),
            color=[NO_CLASS],
            size=[5.0],
            emphasis=True,
            labels=(HERE,),
            leads="x",
        ),
        Points(
            panel="scores",
            x=sweep.score,
            y=lane + spread,
            color=problem.y,
            size=[3.5],
            opacity=_opacity(problem, sweep),
            hollow=hollow,
            labels=problem.labels,
            numbers=problem.rows + 1,
            classes=problem.classes,
            data=True,
        ),
    ]


def _opacity(problem: Problem, sweep: Sweep) -> Channel:
    """Return how visible each row is: faint as long as it has no score; of many rows, all alike to keep them light."""
    if len(problem.X) > MOST_FADED:
        return [1.0]
    now = np.full(len(problem.X), FAINT)
    if problem.test is not None:
        now[problem.test] = 1.0
    rows = []
    for step in sweep.scored:
        now = now.copy()
        now[sweep.learned[step.rows]] = 1.0
        rows.append(now)
    return PerFrame(rows[: len(sweep.played)] + [rows[-1]] * len(sweep.passed))


def _precision_recall(sweep: Sweep) -> list[Mark]:
    counts, base = sweep.roc.counts, sweep.pr.base_rate
    recall, precision = np.repeat(counts.recall, 2)[1:-1], np.repeat(counts.precision[1:], 2)
    return [
        _guess("pr", (base, base)),
        Line(panel="pr", x=recall, y=precision, color="ink", width=1.5, numbers=[NUMBER["pr"]], of="curve"),
        _moving(sweep, "pr", [step.recall for step in sweep.passed], [step.precision for step in sweep.passed]),
    ]


def _gains(sweep: Sweep) -> list[Mark]:
    lift, n = sweep.lift, len(sweep.known)
    kept = corners(lift.depth, lift.gain)
    depth = [(step.tp + step.fp) / n for step in sweep.passed]
    ends, last = np.concatenate([[0.0], lift.table.cum_n / n]), len(sweep.played) + len(depth) - 1
    parts = Rects(  # seen only as the outline of what is lit
        panel="gains", x0=during(ends[:-1], last, last, last + 1), x1=ends[1:], y0=0 * ends[1:],
        y1=lift.table.gain, opacity=[0.0], numbers=np.arange(1, len(ends)), of="part",
    )  # fmt: skip
    return [
        parts,
        _guess("gains"),
        Line(panel="gains", x=[0, lift.base_rate, 1], y=[0, 1, 1], color="muted", width=1.0),
        Line(panel="gains", x=lift.depth[kept], y=lift.gain[kept], color="ink", width=1.5),
        _moving(sweep, "gains", depth, [step.tpr for step in sweep.passed]),
    ]


def _profit(sweep: Sweep) -> list[Mark]:
    curve, payoff, passed = sweep.profit, sweep.profit.payoff, sweep.passed
    kept = corners(curve.depth, curve.profit)
    depth = [payoff.prior * step.tpr + (1 - payoff.prior) * step.fpr for step in passed]
    return [
        _guess("profit", (curve.profit[0], curve.profit[-1])),
        Line(panel="profit", x=curve.depth[kept], y=curve.profit[kept], color="ink", width=1.5),
        _best("profit", curve.depth[curve.best], curve.profit[curve.best]),
        _moving(sweep, "profit", depth, [payoff.profit(step.tpr, step.fpr) for step in passed]),
    ]
