"""A natural spline as a picture: the curve with its knots, and its second derivative."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.marks import Line, Mark, Points, Segments
from dmlib.pictures.scene import Axis, Panel, bounds
from dmlib.pictures.story import Moment, Plot
from dmlib.regression.polynomial_regression.canvas_scene import Canvas, clipped
from dmlib.regression.polynomial_regression.curve import unit_scale
from dmlib.regression.polynomial_regression.natural_spline import SplineStep

KNOT = 0  # colour of a knot


def spline_plots(canvas: Canvas, rows: Points, last: SplineStep) -> tuple[Plot, Plot]:
    """Return the rows with this curve, the previous one and the knots; and the derivative."""

    def marks(moment: Moment) -> list[Mark]:
        curve, previous = canvas.curves(moment)
        return [rows, previous, _knots(canvas, moment.step), curve]

    return Plot(canvas.panel, marks), _curvature(canvas, last)


def _knots(canvas: Canvas, step: SplineStep) -> Segments:
    """Return the knots, as lines from the ground to the curve."""
    x = step.knots
    return Segments(
        x0=x,
        y0=np.full(len(x), canvas.panel.y.low),
        x1=x,
        y1=clipped(canvas.model.curve(step, x), canvas.panel.y),
        width=1.0,
        numbers=np.arange(len(x)) + 1,
        of="knot",
    )


def _curvature(canvas: Canvas, last: SplineStep) -> Plot:
    """Return the second derivative; the axis is that of the last step."""
    axis = Axis("y″", *bounds(np.append(second_derivative(last), 0.0), 0.15))
    zero = canvas.zero()

    def marks(moment: Moment) -> list[Mark]:
        x = moment.step.knots
        y = clipped(second_derivative(moment.step), axis)
        numbers = np.arange(len(x)) + 1
        return [
            zero,
            Line(panel="part", x=x, y=y, width=2.0, of=""),
            Points(panel="part", x=x, y=y, color=[KNOT], size=[3.5], numbers=numbers, of="knot"),
        ]

    title = "Second derivative: 0 at both ends"
    return Plot(Panel("part", canvas.panel.x, axis, title, side=True), marks)


def second_derivative(step: SplineStep) -> Floats:
    """Return the second derivative of a spline at its knots; between them it is a straight line."""
    t = step.knots
    if len(t) < 3:
        return np.zeros(len(t))
    middle, half = unit_scale(t)
    cubes = np.maximum((t[:, None] - t) / half, 0.0) * 6
    z = (t - middle) / half
    d = (cubes[:, :-1] - cubes[:, -1:]) / (z[-1] - z[:-1])
    return np.asarray((d[:, :-1] - d[:, -1:]) @ step.coef[2:] / half**2)
