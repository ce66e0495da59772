"""The panels of a sweep: ROC, scores, precision-recall, gains, profit, each at one threshold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.evaluation import ScoreStep, ThresholdStep
from dmlib.evaluation.roc.sweep_scene import Sweep
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Points, Rects
from dmlib.pictures.places import NOWHERE, line_through, points_at, visible_if
from dmlib.pictures.scene import Axis, Key, Panel, bounds
from dmlib.pictures.story import Fold, Moment, Plot
from dmlib.problem import JITTER, Problem

CIRCLE, STAR = 0, 3  # symbols of the moving point and of the threshold that is optimal
HERE, BEST = "this threshold", "optimal"
SIZE = 6.5
GRIP = 0.5  # height of the point by which the threshold is dragged, between the classes
# Opacity of rows without a score (yet), and of the side on which rows are predicted positive
FAINT = 0.12
MAX_FADED = 600  # rows
UNIT = (-0.04, 1.04)
LEGEND = (Key(HERE, symbol=CIRCLE), Key(BEST, symbol=STAR))
NUMBER = {"data": 1, "pr": 2, "gains": 3, "profit": 4}
"""Of a curve and the points on it, by its panel."""
SLOPE = 5  # the number of the line of equal profit
GOLDEN = 0.61803398875  # rows of one class are spread by its multiples


def threshold_of(now: Moment) -> ThresholdStep | None:
    """Return the threshold of a moment; None while rows are scored."""
    return now.step if isinstance(now.step, ThresholdStep) else None


def _moving(panel: str, x: float, y: float) -> Points:
    """Return the point that moves along a curve; none where it is undefined."""
    return points_at(
        [[x, y]] if np.isfinite(y) else NOWHERE,
        panel=panel,
        color=[NO_CLASS],
        symbol=[CIRCLE],
        size=[SIZE],
        emphasis=True,
        labels=(HERE,),
        leads="xy",
        numbers=[NUMBER[panel]],
        of=HERE,
    )


def _optimum(panel: str, x: float, y: float) -> Points:
    """Return the point of the threshold with the highest profit."""
    return replace(_moving(panel, x, y), symbol=[STAR], labels=(BEST,), leads="", of=BEST)


def _guess(panel: str, first: float = 0.0, last: float = 1.0) -> Line:
    """Return the line of random guessing."""
    return Line(panel=panel, x=[0, 1], y=[first, last], color="muted", width=1.0, dash=True)


def _along(
    panel: Panel, fixed: list[Mark], place: Callable[[ThresholdStep], tuple[float, float]]
) -> Plot:
    """Return a curve with the point that moves along it, at the place of a threshold."""

    def marks(now: Moment) -> list[Mark]:
        step = threshold_of(now)
        return [*fixed, _moving(panel.name, *((np.nan, np.nan) if step is None else place(step)))]

    return Plot(panel, marks)


# --- ROC ------------------------------------------------------------------------------------------


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


def roc_plot(sweep: Sweep) -> Plot:
    """Return the ROC curve up to a threshold, with the lines of equal profit through it and through the optimum."""
    roc, slope = sweep.roc, sweep.profit.payoff.slope
    turns = corners(roc.fpr, roc.tpr)
    curve = np.column_stack([roc.fpr, roc.tpr])[turns]
    best = float(roc.fpr[sweep.profit.best]), float(roc.tpr[sweep.profit.best])
    fixed: list[Mark] = [
        _guess("data"),
        Line(x=roc.fpr[roc.hull], y=roc.tpr[roc.hull], color="muted", width=1.0),
        line_through(curve, color="muted", width=1.5, numbers=[NUMBER["data"]], of="curve"),
    ]

    def marks(now: Moment) -> list[Mark]:
        step = threshold_of(now)
        passed, place = NOWHERE, (np.nan, np.nan)
        if step is not None:
            place = step.fpr, step.tpr
            passed = np.vstack([curve[roc.counts.ends[turns] < step.tp + step.fp], place])
        moving = _moving("data", *place)
        drawn = [*fixed, line_through(passed, color="accent", width=2.5)]
        if np.isnan(slope):
            return [*drawn, moving]
        through = NOWHERE if step is None else np.column_stack(iso_line(slope, *place))
        optimal = np.column_stack(iso_line(slope, *best))
        return [
            *drawn,
            line_through(optimal, color="ink", width=1.5, dash=True, numbers=[SLOPE], of=BEST),
            line_through(through, color="ink", width=1.0),
            _optimum("data", *best),
            moving,
        ]

    x, y = Axis("false positive rate", *UNIT), Axis("true positive rate", *UNIT)
    return Plot(Panel("data", x, y), marks)


# --- scores ---------------------------------------------------------------------------------------


def scored_rows(problem: Problem, sweep: Sweep) -> Fold:
    """Return which rows have a score, as they accumulate; those of the test set have one from the start."""
    is_scored = np.zeros(len(problem.X), bool) if problem.test is None else problem.test.copy()
    if not sweep.played:
        for fold in sweep.scored:
            is_scored[sweep.learned[fold.rows]] = True

    def add(is_scored: NDArray[np.bool_], step: ScoreStep | ThresholdStep) -> NDArray[np.bool_]:
        if isinstance(step, ThresholdStep):
            return is_scored
        scored = is_scored.copy()
        scored[sweep.learned[step.rows]] = True
        return scored

    return Fold(is_scored, add)


def scores_plot(problem: Problem, sweep: Sweep) -> Plot:
    """Return the rows by class and score, and the side of the threshold on which they are predicted positive."""
    low, high = bounds(sweep.score)
    rows, is_faded = (
        _rows(problem, sweep),
        len(problem.X) <= MAX_FADED,
    )  # of many rows, all alike to keep them light

    def marks(now: Moment) -> list[Mark]:
        step = threshold_of(now)
        level = np.nan if step is None else min(step.threshold, high)
        opacity = np.where(now.so_far, 1.0, FAINT) if is_faded else [1.0]
        return [
            *(visible_if(step is not None, mark) for mark in _border(level, high)),
            replace(rows, opacity=opacity),
        ]

    lanes = Axis("", -0.5, 1.5, ticks=problem.classes)
    return Plot(Panel("scores", Axis("score", low, high), lanes, "Scores", side=True), marks)


def _border(level: float, high: float) -> list[Mark]:
    """Return the side above a threshold, the threshold, and the point by which it is dragged."""
    return [
        Rects(panel="scores", x0=[level], x1=[high], y0=[-0.5], y1=[1.5], opacity=[FAINT]),
        Line(panel="scores", x=[level, level], y=[-0.5, 1.5], color="accent"),
        Points(
            panel="scores",
            x=[level],
            y=[GRIP],
            color=[NO_CLASS],
            size=[5.0],
            emphasis=True,
            labels=(HERE,),
            leads="x",
        ),
    ]


def _rows(problem: Problem, sweep: Sweep) -> Points:
    """Return the rows by class and score."""
    lane = np.zeros(len(problem.X)) if problem.y is None else problem.y.astype(float)
    spread = JITTER * 1.3 * (np.arange(1, len(lane) + 1) * GOLDEN % 1 - 0.5)
    return Points(
        panel="scores",
        x=sweep.score,
        y=lane + spread,
        color=problem.y,
        size=[3.5],
        hollow=None if problem.test is None else problem.test.astype(np.uint8),
        labels=problem.labels,
        numbers=problem.rows + 1,
        classes=problem.classes,
        data=True,
    )


# --- the other curves -----------------------------------------------------------------------------


def precision_recall_plot(sweep: Sweep) -> Plot:
    """Return precision over recall."""
    counts, base = sweep.roc.counts, sweep.pr.base_rate
    recall, precision = np.repeat(counts.recall, 2)[1:-1], np.repeat(counts.precision[1:], 2)
    panel = Panel(
        "pr", Axis("recall", *UNIT), Axis("precision", *UNIT), "Precision-recall", side=True
    )
    fixed: list[Mark] = [
        _guess("pr", base, base),
        Line(
            panel="pr",
            x=recall,
            y=precision,
            color="ink",
            width=1.5,
            numbers=[NUMBER["pr"]],
            of="curve",
        ),
    ]
    return _along(panel, fixed, lambda step: (step.recall, step.precision))


def gains_plot(sweep: Sweep) -> Plot:
    """Return recall over the share of rows that are predicted positive, at the end with the parts of the table."""
    lift, n = sweep.lift, len(sweep.known)
    turns = corners(lift.depth, lift.gain)
    panel = Panel("gains", Axis("rows (share)", *UNIT), Axis("recall", *UNIT), "Gains", side=True)
    fixed: list[Mark] = [
        _guess("gains"),
        Line(panel="gains", x=[0, lift.base_rate, 1], y=[0, 1, 1], color="muted", width=1.0),
        Line(panel="gains", x=lift.depth[turns], y=lift.gain[turns], color="ink", width=1.5),
    ]
    curve = _along(panel, fixed, lambda step: ((step.tp + step.fp) / n, step.tpr))
    ends = np.concatenate([[0.0], lift.table.cum_n / n])
    parts = Rects(  # seen only as the outline of what is lit
        panel="gains",
        x0=ends[:-1],
        x1=ends[1:],
        y0=0 * ends[1:],
        y1=lift.table.gain,
        opacity=[0.0],
        numbers=np.arange(1, len(ends)),
        of="part",
    )
    return Plot(panel, lambda now: [visible_if(now.is_last, parts), *curve.marks(now)])


def profit_plot(sweep: Sweep) -> Plot:
    """Return the profit per row over the share of rows that are predicted positive."""
    curve, payoff = sweep.profit, sweep.profit.payoff
    turns = corners(curve.depth, curve.profit)
    up = Axis("profit", *bounds(curve.profit, 0.15))
    fixed: list[Mark] = [
        _guess("profit", curve.profit[0], curve.profit[-1]),
        Line(panel="profit", x=curve.depth[turns], y=curve.profit[turns], color="ink", width=1.5),
        _optimum("profit", curve.depth[curve.best], curve.profit[curve.best]),
    ]

    def place(step: ThresholdStep) -> tuple[float, float]:
        depth = payoff.prior * step.tpr + (1 - payoff.prior) * step.fpr
        return depth, payoff.profit(step.tpr, step.fpr)

    return _along(
        Panel("profit", Axis("rows (share)", *UNIT), up, "Profit", side=True), fixed, place
    )
