"""Local regression as a picture: the neighbourhood of a place with its line, and residuals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.marks import Line, Mark, Points, Rects
from dmlib.pictures.places import NOWHERE, line_through, points_at
from dmlib.pictures.scene import Axis, Panel, bounds
from dmlib.pictures.story import Moment, Plot
from dmlib.regression.polynomial_regression.canvas_scene import GRID, Canvas, clipped
from dmlib.regression.polynomial_regression.local_regression import LocalStep, tricube

LOCAL = 1  # colour of the line in a neighbourhood
SMALL, LARGE = 2.5, 6.0  # radius of a row without weight, and with all


def local_plots(canvas: Canvas, rows: Points, last: LocalStep) -> tuple[Plot, Plot]:
    """Return the weighted rows with the neighbourhood and the curve up to it; and the residuals."""
    heights = canvas.heights(last)

    def marks(moment: Moment) -> list[Mark]:
        step: LocalStep = moment.step
        reached = np.full(GRID, step.phase == "done")
        if step.phase == "place":
            reached = canvas.grid <= step.place
        curve = np.where(reached, heights, np.nan)
        return [
            *_neighbourhood(canvas, step),
            replace(rows, size=_radii(canvas, step)),
            Line(x=canvas.grid, y=curve, color="accent", width=3.0, of=""),
        ]

    return Plot(canvas.panel, marks), _residuals(canvas, last)


def _radii(canvas: Canvas, step: LocalStep) -> Floats:
    """Return the radii of the rows by their weight in the neighbourhood of a step."""
    weights = np.zeros(len(canvas.x))
    training = canvas.problem.trained
    weights[training] = 0.4 * step.trust
    if step.phase == "place":
        weights[training] = tricube(canvas.x[training], step.place, step.radius) * step.trust
    return SMALL + (LARGE - SMALL) * weights


def _neighbourhood(canvas: Canvas, step: LocalStep) -> list[Mark]:
    """Return the neighbourhood of a place, its local line, and the height of the curve."""
    x, y = canvas.panel.x, canvas.panel.y
    corners, line, place = np.empty((0, 4)), NOWHERE, NOWHERE
    if step.phase == "place":
        ends = np.clip([step.place - step.radius, step.place + step.radius], x.low, x.high)
        corners = np.array([[*ends, y.low, y.high]])
        place = np.array([[step.place, *clipped(step.coef[:1], y)]])
        line = _fitted_line(step, ends, y)
    x0, x1, y0, y1 = corners.T
    return [
        Rects(x0=x0, x1=x1, y0=y0, y1=y1, opacity=[0.12], of=""),
        line_through(line, color=LOCAL, width=2.5, of=""),
        points_at(place, color=[LOCAL], size=[6.0], emphasis=True, leads="x", of=""),
    ]


def _fitted_line(step: LocalStep, ends: Floats, axis: Axis) -> Floats:
    """Return the polynomial that is fitted in a neighbourhood; none where it has no width."""
    if not step.radius:
        return NOWHERE
    across = np.linspace(ends[0], ends[1], 21)
    u = (across - step.place) / step.radius
    heights = np.asarray(np.polynomial.polynomial.polyval(u, step.coef), float)
    return np.column_stack([across, clipped(heights, axis)])


def _residuals(canvas: Canvas, last: LocalStep) -> Plot:
    """Return the residuals of all rows, as soon as there is a curve."""
    residuals = canvas.y - canvas.model.curve(last, canvas.x)
    axis = Axis("y − ŷ", *bounds(np.append(residuals, 0.0)))
    places = np.column_stack([canvas.x, residuals])
    zero = canvas.zero()
    numbers = canvas.problem.rows + 1

    def marks(moment: Moment) -> list[Mark]:
        visible = NOWHERE if moment.step.phase == "robust" else places
        return [zero, points_at(visible, panel="part", size=[2.5], numbers=numbers)]

    return Plot(Panel("part", canvas.panel.x, axis, "Residuals", side=True), marks)
