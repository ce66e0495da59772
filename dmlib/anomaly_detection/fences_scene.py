"""Box plots in the plane: the middle half of two columns as a box, and the fences around it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from dmlib.anomaly_detection.fences import FENCE, BoxPlotFences, FencesStep
from dmlib.pictures.marks import NO_CLASS, Mark, Rects
from dmlib.pictures.places import NOWHERE, line_through
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Panel
from dmlib.pictures.story import Moment
from dmlib.problem import Problem

FAINT = 0.15


def fence_marks(
    run: Run[Problem, BoxPlotFences], panel: Panel
) -> Callable[[Moment], Sequence[Mark]]:
    """Return what draws the boxes of the two columns of the plane; nothing in another plane."""
    basis = run.problem.plane.basis
    if ((basis != 0).sum(axis=1) > 1).any():
        return lambda moment: ()
    columns = [int(row.argmax()) if row.any() else None for row in basis]
    ends = np.array([[panel.x.low, panel.x.high], [panel.y.low, panel.y.high]])

    def marks(moment: Moment) -> Sequence[Mark]:
        step: FencesStep = moment.step
        fence = FENCE if step.threshold is None else step.threshold
        boxes, fences = ends.copy(), ends.copy()
        n_boxes = 0
        for axis, column in enumerate(columns):
            low, high = (np.nan, np.nan) if column is None else step.quartiles[:, column]
            if high > low:  # no box before the column has its quartiles, or where they are equal
                n_boxes += 1
                boxes[axis] = low, high
                reach = min(fence * (high - low), 10.0 * float(panel.size[axis]))
                fences[axis] = low - reach, high + reach
        (x0, x1), (y0, y1) = boxes[:, :, None][:, :, : min(n_boxes, 1)]
        (left, right), (bottom, top) = fences
        corners = [(left, bottom), (right, bottom), (right, top), (left, top), (left, bottom)]
        return (
            Rects(x0=x0, y0=y0, x1=x1, y1=y1, color=[NO_CLASS], opacity=[FAINT], of=""),
            line_through(corners if n_boxes else NOWHERE, color="accent", of=""),
        )

    return marks
