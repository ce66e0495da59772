"""The panels of a sweep: ROC, scores, precision-recall, gains, profit, each at one threshold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.evaluation import ScoreStep, ThresholdStep
from dmlib.evaluation.roc.sweep_scene import Sweep
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Points, Rects, Texts
from dmlib.pictures.places import NOWHERE, line_through, points_at, visible_if
from dmlib.pictures.scene import Axis, Key, Panel, bounds
from dmlib.pictures.story import Fold, Moment, Plot
from dmlib.problem import JITTER, Problem

CIRCLE, STAR = 0, 3  # symbols of the current and of the optimal threshold
CURRENT, BEST = "this threshold", "optimal"
SIZE = 6.5
GRIP = 0.5  # height of the point by which the threshold is dragged, between the classes
FAINT = 0.12  # opacity of rows without a score, and of the side predicted positive
MAX_FADED = 600  # rows
UNIT = (-0.06, 1.06)
LEGEND = (Key(CURRENT, symbol=CIRCLE), Key(BEST, symbol=STAR))
NUMBER = {"data": 1, "pr": 2, "gains": 3, "profit": 4}
"""The numbers of the curves and the points on them, by panel."""
SLOPE = 5  # the number of the line of equal profit
GOLDEN = 0.61803398875  # rows of one class are spread by its multiples


def threshold_of(moment: Moment) -> ThresholdStep | None:
    """Return the threshold of a moment; None while rows are scored."""
    return moment.step if isinstance(moment.step, ThresholdStep) else None


def _moving(panel: str, x: float, y: float) -> Points:
    """Return the point that moves along a curve; none where it is undefined."""
    return points_at(
        [[x, y]] if np.isfinite(y) else NOWHERE,
        panel=panel,
        color=[NO_CLASS],
        symbol=[CIRCLE],
        size=[SIZE],
        emphasis=True,
        labels=(CURRENT,),
        leads="xy",
        numbers=[NUMBER[panel]],
        of=CURRENT,
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

    def marks(moment: Moment) -> list[Mark]:
        step = threshold_of(moment)
        x, y = (np.nan, np.nan) if step is None else place(step)
        return [*fixed, _moving(panel.name, x, y)]

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
    ends = np.array([0.0, 1.0])
    if slope > 0:
        ends = np.clip([x - y / slope, x + (1 - y) / slope], 0.0, 1.0)
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
    """Return the ROC curve up to a threshold, and lines of equal profit."""
    roc = sweep.roc
    slope = sweep.profit.payoff.slope
    turns = corners(roc.fpr, roc.tpr)
    curve = np.column_stack([roc.fpr, roc.tpr])[turns]
    best = float(roc.fpr[sweep.profit.best]), float(roc.tpr[sweep.profit.best])
    fixed: list[Mark] = [
        _guess("data"),
        Texts(x=[0.35], y=[0.3], text=["random guessing"], anchor="start", halo=True, of=""),
        Line(x=roc.fpr[roc.hull], y=roc.tpr[roc.hull], color="muted", width=1.0),
        line_through(curve, color="muted", width=1.5, numbers=[NUMBER["data"]], of="curve"),
    ]

    def marks(moment: Moment) -> list[Mark]:
        step = threshold_of(moment)
        passed, place = NOWHERE, (np.nan, np.nan)
        if step is not None:
            place = step.fpr, step.tpr
            passed = np.vstack([curve[roc.counts.ends[turns] < step.tp + step.fp], place])
        moving = _moving("data", *place)
        curves: list[Mark] = [*fixed, line_through(passed, color="accent", width=2.5)]
        if np.isnan(slope):
            return [*curves, moving]
        through = NOWHERE if step is None else np.column_stack(iso_line(slope, *place))
        optimal = np.column_stack(iso_line(slope, *best))
        end = optimal[[optimal[:, 1].argmax()]]
        return [
            *curves,
            line_through(optimal, color="ink", width=1.5, dash=True, numbers=[SLOPE], of=BEST),
            Texts(x=end[:, 0], y=end[:, 1], text=[" equal profit"], anchor="start", of=""),
            line_through(through, color="ink", width=1.0),
            _optimum("data", *best),
            moving,
        ]

    axes = Axis("false positive rate", *UNIT), Axis("true positive rate", *UNIT)
    return Plot(Panel("data", *axes), marks)


# --- scores ---------------------------------------------------------------------------------------


def scored_rows(problem: Problem, sweep: Sweep) -> Fold:
    """Return which rows have a score so far; those of the test set have one from the start."""
    is_scored = np.zeros(len(problem.X), bool) if problem.test is None else problem.test.copy()
    if not sweep.played_folds:
        for fold in sweep.folds:
            is_scored[sweep.learned[fold.rows]] = True

    def add(is_scored: NDArray[np.bool_], step: ScoreStep | ThresholdStep) -> NDArray[np.bool_]:
        if isinstance(step, ThresholdStep):
            return is_scored
        scored = is_scored.copy()
        scored[sweep.learned[step.rows]] = True
        return scored

    return Fold(is_scored, add)


def scores_plot(problem: Problem, sweep: Sweep) -> Plot:
    """Return the rows by class and score, and the side that is predicted positive."""
    low, high = bounds(sweep.score)
    rows = _rows(problem, sweep)
    can_fade = len(problem.X) <= MAX_FADED  # many rows are all alike, to keep the picture small

    def marks(moment: Moment) -> list[Mark]:
        step = threshold_of(moment)
        level = np.nan if step is None else min(step.threshold, high)
        opacity = np.where(moment.so_far, 1.0, FAINT) if can_fade else [1.0]
        return [
            *(visible_if(step is not None, mark) for mark in _border(level, high)),
            replace(rows, opacity=opacity),
        ]

    lanes = Axis("", -0.5, 1.5, ticks=problem.classes)
    return Plot(Panel("scores", Axis("score", low, high), lanes, "Scores"), marks)


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
            labels=(CURRENT,),
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


# --- precision-recall, gains, profit --------------------------------------------------------------


def precision_recall_plot(sweep: Sweep, is_side: bool) -> Plot:
    """Return precision over recall."""
    counts = sweep.roc.counts
    axes = Axis("recall", *UNIT), Axis("precision", *UNIT)
    panel = Panel("pr", *axes, "Precision-recall", side=is_side)
    curve = Line(
        panel="pr",
        x=np.repeat(counts.recall, 2)[1:-1],
        y=np.repeat(counts.precision[1:], 2),
        color="ink",
        width=1.5,
        numbers=[NUMBER["pr"]],
        of="curve",
    )
    fixed: list[Mark] = [_guess("pr", sweep.pr.base_rate, sweep.pr.base_rate), curve]
    return _along(panel, fixed, lambda step: (step.recall, step.precision))


def gains_plot(sweep: Sweep, is_side: bool) -> Plot:
    """Return recall over the fraction predicted positive, with the parts of the table."""
    lift = sweep.lift
    n = len(sweep.scored)
    turns = corners(lift.depth, lift.gain)
    panel = Panel(
        "gains", Axis("rows (share)", *UNIT), Axis("recall", *UNIT), "Gains", side=is_side
    )
    fixed: list[Mark] = [
        _guess("gains"),
        Line(panel="gains", x=[0, lift.base_rate, 1], y=[0, 1, 1], color="muted", width=1.0),
        Line(panel="gains", x=lift.depth[turns], y=lift.gain[turns], color="ink", width=1.5),
    ]
    curve = _along(panel, fixed, lambda step: ((step.tp + step.fp) / n, step.tpr))
    ends = np.concatenate([[0.0], lift.table.cum_n / n])
    parts = Rects(  # visible as the outline of a highlighted part only
        panel="gains",
        x0=ends[:-1],
        x1=ends[1:],
        y0=0 * ends[1:],
        y1=lift.table.gain,
        opacity=[0.0],
        numbers=np.arange(1, len(ends)),
        of="part",
    )
    return Plot(panel, lambda moment: [visible_if(moment.is_last, parts), *curve.marks(moment)])


def profit_plot(sweep: Sweep, is_side: bool) -> Plot:
    """Return the profit per row over the fraction predicted positive."""
    curve = sweep.profit
    payoff = curve.payoff
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

    panel = Panel("profit", Axis("rows (share)", *UNIT), up, "Profit", side=is_side)
    return _along(panel, fixed, place)
