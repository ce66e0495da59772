"""The second panel of a column that is cut: candidate cuts, rows of the intervals, or bits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Points, Rects, Texts
from dmlib.pictures.places import NOWHERE, line_through, points_at, visible_where
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.story import Moment, Plot
from dmlib.preprocessing.discretisation.algorithm import Discretizer
from dmlib.preprocessing.discretisation.binarizer import Binarizer
from dmlib.preprocessing.discretisation.column_scene import CANDIDATE, CutColumn
from dmlib.preprocessing.discretisation.supervised import Trial

MAX_CODES = 12  # intervals up to which the bits are texts
PANEL = "tried"


def trials_plot(column: CutColumn, steps: Sequence[Any]) -> Plot:
    """Return the score of each candidate cut, and the best one.

    At the end they are those of the first trial, or of the last one of ChiMerge.
    """
    model = column.model
    is_chi = isinstance(model, Discretizer) and model.strategy == "chi_merge"
    trials = [step.trial for step in steps if step.trial is not None]
    scored = [trial for trial in trials if len(trial.scores)]
    limit = max((trial.threshold for trial in trials), default=0.0) if is_chi else 0.0
    top = max([limit, *(float(trial.scores.max()) for trial in scored)])
    panel = _chi_panel(column, top, limit) if is_chi else _entropy_panel(column, top)
    limit_lines = _limit_lines(column.axis, limit) if is_chi else []

    def marks(moment: Moment) -> list[Mark]:
        trial = moment.step.trial
        if moment.step.phase == "done" and scored:
            trial = scored[-1] if is_chi else scored[0]
        scores = NOWHERE if trial is None else np.column_stack([trial.candidates, trial.scores])
        scores = np.minimum(scores, [np.inf, panel.y.high])
        return [
            line_through(scores, panel=PANEL, of=""),
            points_at(scores, panel=PANEL, color=[NO_CLASS], size=[2.0], of=""),
            *limit_lines,
            _best(trial),
        ]

    return Plot(panel, marks)


def _chi_panel(column: CutColumn, top: float, limit: float) -> Panel:
    high = min(1.1 * top, 6 * limit) if limit else 1.1 * top or 1.0
    up = Axis("χ² of both sides", 0.0, high)
    return Panel(PANEL, column.axis, up, "χ² of neighbouring intervals")


def _entropy_panel(column: CutColumn, top: float) -> Panel:
    up = Axis("entropy after the cut (bits)", 0.0, 1.1 * top or 1.0)
    return Panel(PANEL, column.axis, up, "Entropy after each candidate cut")


def _limit_lines(axis: Axis, limit: float) -> list[Line]:
    ends = [(axis.low, limit), (axis.high, limit)]
    return [line_through(ends, panel=PANEL, color="accent", dash=True, width=1.5, of="")]


def _best(trial: Trial | None) -> Points:
    """Return the best of the candidates."""
    place = NOWHERE
    if trial is not None and len(trial.scores):
        place = np.array([[trial.cut, trial.scores.min()]])
    return points_at(place, panel=PANEL, color=[CANDIDATE], size=[6.0], emphasis=True, of="")


def counts_plot(column: CutColumn, steps: Sequence[Any]) -> Plot:
    """Return the number of rows in each interval as bars of its width."""
    tops = [column.table(column.cuts_at(step)).sum(axis=1) for step in steps]
    # Before the first cut, the bar of all rows fills the panel: all bars after it would be low.
    after_a_cut = [top for top in tops if len(top) > 1] or tops
    high = 1.08 * max(float(top.max()) for top in after_a_cut)
    up = Axis("rows", 0.0, high, integer=True)
    panel = Panel(PANEL, column.axis, up, "Rows of each interval")

    def marks(moment: Moment) -> list[Mark]:
        cuts = column.cuts_at(moment.step)
        counts = np.minimum(column.table(cuts).sum(axis=1), high)
        floors = np.zeros(len(counts))
        bars = Rects(panel=PANEL, y0=floors, y1=counts, opacity=[0.6], **column.intervals(cuts))
        return [bars, *column.cut_lines(moment.step, panel)]

    return Plot(panel, marks)


def codes_plot(column: CutColumn) -> Plot:
    """Return the bits of each interval below it, bit by bit."""
    assert isinstance(column.model, Binarizer)
    table = column.model.codes_[column.column]
    low, high = column.ends(column.model.cuts_[column.column])
    k, width = table.shape
    up = Axis("bit", 0.0, float(width), integer=True)
    panel = Panel(PANEL, column.axis, up, "The bits of each interval")
    intervals, bits = np.nonzero(table)
    texts = [_code_texts(column, table, (low + high) / 2)] if k <= MAX_CODES else []
    numbers = np.arange(k)

    def marks(moment: Moment) -> list[Mark]:
        n_coded = k if moment.step.phase == "done" else moment.step.interval + 1
        is_coded = intervals < n_coded
        rows, top = intervals[is_coded], width - bits[is_coded].astype(float)
        ones = Rects(
            panel=PANEL,
            x0=low[rows],
            x1=high[rows],
            y0=top - 1,
            y1=top,
            color=[0],
            opacity=[0.8],
            numbers=rows + 1,
            of="interval",
        )
        codes = [visible_where(numbers < n_coded, text) for text in texts]
        return [ones, *codes, *column.cut_lines(moment.step, panel)]

    return Plot(panel, marks)


def _code_texts(column: CutColumn, table: Any, middles: Floats) -> Texts:
    """Return the code of each interval as text, not cut off at the edges of the panel."""
    low, high = column.axis.low, column.axis.high
    margin = 0.035 * (high - low)
    codes = ["".join(map(str, row)) for row in table]
    x = np.clip(middles, low + margin, high - margin)
    return Texts(panel=PANEL, x=x, y=np.full(len(codes), 0.12), text=codes, halo=True)
