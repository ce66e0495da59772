"""The places at which a curve over one column is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.marks import Line
from dmlib.pictures.scene import Axis, Panel, bounds
from dmlib.pictures.story import Moment
from dmlib.problem import Problem
from dmlib.regression.polynomial_regression.curve import Curve

GRID = 181  # places of a curve
MAX_REACH = 3.0  # heights of the panel beyond which nothing is drawn
MARGIN = 0.07  # of the range of the places: how far the curve goes beyond the data


@dataclass(frozen=True)
class Canvas:
    """A fitted curve, and the panel that it is drawn in.

    Attributes
    ----------
    problem : Problem
        The table.
    model : Curve
        Fitted.
    panel : Panel
        The panel of the rows.
    x, y : ndarray of shape (n_samples,)
        Places and heights of all rows, those of the test set included.
    grid : ndarray of shape (GRID,)
        The places of a curve.
    """

    problem: Problem
    model: Curve
    panel: Panel
    x: Floats
    y: Floats
    grid: Floats

    @classmethod
    def of(cls, problem: Problem, model: Curve) -> Canvas:
        """Return the canvas of a fitted curve."""
        x = model.x_of(problem.X)
        y = np.asarray(problem.y, float)
        across = Axis(problem.features[model.column - 1], *bounds(x, MARGIN))
        panel = Panel("data", across, Axis(problem.target, *bounds(y, 0.12)))
        return cls(problem, model, panel, x, y, np.linspace(across.low, across.high, GRID))

    def heights(self, step: Any) -> Floats:
        """Return the heights of the curve of a step over the grid."""
        return clipped(self.model.curve(step, self.grid), self.panel.y)

    def curves(self, moment: Moment) -> tuple[Line, Line]:
        """Return the curve of a moment and, dashed, that of the step before."""
        curve = Line(x=self.grid, y=self.heights(moment.step), color="accent", width=3.0, of="")
        before = self.heights(moment.before)
        return curve, Line(x=self.grid, y=before, color="muted", width=1.2, dash=True, of="")

    def zero(self) -> Line:
        """Return the line at height 0 of the small panel."""
        ends = [self.panel.x.low, self.panel.x.high]
        return Line(panel="part", x=ends, y=[0.0, 0.0], color="muted", width=1.0, of="")


def clipped(heights: Floats, axis: Axis) -> Floats:
    """Return heights that can be drawn: outside the panel by at most ``MAX_REACH`` of its heights.

    Examples
    --------
    >>> clipped(np.array([0.5, 99.0]), Axis("y", 0.0, 1.0)).tolist()
    [0.5, 4.0]
    """
    far = MAX_REACH * (axis.high - axis.low)
    return np.clip(heights, axis.low - far, axis.high + far)
