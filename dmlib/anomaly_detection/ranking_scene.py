"""The highest scores in their order, and the line that is the threshold."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.anomaly_detection.detector import DetectorStep
from dmlib.arrays import Floats
from dmlib.pictures.marks import NO_CLASS, Mark
from dmlib.pictures.places import points_at
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Panel
from dmlib.pictures.words import num4
from dmlib.problem import Problem

PANEL = "scores"
MIN_ROWS, SHARE, MAX_ROWS = 40, 0.3, 150  # that are drawn: this share, between these bounds
MARKED = 1
MOST, HIGH = 6.0, 0.9  # no score is drawn higher than so many times what nine of ten rows have


class Ranking:
    """The panel of the sorted scores.

    Parameters
    ----------
    run : Run
        Steps of a detector.
    symbols : ndarray of shape (n_samples,)
        The symbol of each row.
    """

    def __init__(self, run: Run[Problem, Any], symbols: NDArray[np.uint8]) -> None:
        self.last: DetectorStep = run.trace.steps[-1]
        self.symbols, self.numbers = symbols, run.problem.rows + 1
        scores = self.last.scores
        order = np.argsort(-np.nan_to_num(scores, nan=-1.0), kind="stable")
        self.rank = np.empty(len(scores), np.intp)
        self.rank[order] = np.arange(1, len(scores) + 1)
        self.rows = order[: min(max(MIN_ROWS, int(SHARE * len(order))), MAX_ROWS)]
        # The axis depends on the scores alone: it must not move while the line is dragged.
        self.top = ceiling(scores)
        low = min(float(np.nanmin(scores[self.rows], initial=self.top)), 0.95 * self.top)
        low = 0.0 if low < 0.5 * self.top else low
        margin = 0.06 * (self.top - low) or 0.5
        self.panel = Panel(
            PANEL,
            Axis("rank of the row", 0.0, len(self.rows) + 1.0, integer=True),
            Axis("score", low - margin, self.top + margin),
            title="Sorted scores: drag the threshold",
            side=True,
        )

    def handle(self) -> Handle:
        """Return the line that sets the threshold; it stays within the panel."""
        threshold = self.last.threshold
        if threshold is None:
            return Handle("threshold", PANEL, "threshold", "y")
        height = min(max(threshold, self.panel.y.low), self.panel.y.high)
        return Handle("threshold", PANEL, f"threshold {num4(threshold)}", "y", y=height)

    def marks(self, step: DetectorStep, followed: list[int]) -> tuple[Mark, ...]:
        """Return the highest scores so far, and that of a row that is followed, or of none."""
        rows, heights = self.rows, np.minimum(step.scores, self.top)
        marked = np.zeros(len(heights), bool) if step.anomalies is None else step.anomalies
        return (
            points_at(
                np.column_stack([self.rank[rows], heights[rows]]),
                panel=PANEL,
                color=np.where(marked[rows], MARKED, NO_CLASS).astype(np.uint8),
                symbol=self.symbols[rows],
                size=[3.5],
                numbers=self.numbers[rows],
            ),
            points_at(
                [(self.rank[row], heights[row]) for row in followed],
                panel=PANEL,
                color=[NO_CLASS],
                emphasis=True,
                size=[5.0],
                of="",
            ),
        )


def ceiling(scores: Floats) -> float:
    """Return the highest score that is drawn at its height; one that is far beyond is drawn there.

    Examples
    --------
    >>> ceiling(np.array([1.0] * 9 + [3.0])), ceiling(np.array([1.0] * 19 + [1e9]))
    (3.0, 6.0)
    """
    finite = scores[np.isfinite(scores)]
    if not finite.size:
        return 1.0
    usual, highest = float(np.quantile(finite, HIGH)), float(finite.max())
    return (min(highest, MOST * usual) if usual > 0 else highest) or 1.0
