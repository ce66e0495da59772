"""A polynomial as a picture: the curve of a degree, and what the last degree adds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlib.pictures.marks import Line, Mark, Points
from dmlib.pictures.places import NOWHERE, line_through
from dmlib.pictures.scene import Axis, Panel, bounds
from dmlib.pictures.story import Moment, Plot
from dmlib.regression.polynomial_regression.algorithm import (
    PolynomialRegression,
    PolynomialStep,
    orthogonal,
)
from dmlib.regression.polynomial_regression.canvas_scene import GRID, Canvas, clipped
from dmlib.regression.polynomial_regression.curve import unit_scale


def polynomial_plots(
    canvas: Canvas, rows: Points, steps: Sequence[PolynomialStep]
) -> tuple[Plot, Plot]:
    """Return the rows with this curve, the previous one and least squares; and the last degree."""
    assert isinstance(canvas.model, PolynomialRegression)
    has_penalty = canvas.model.alpha > 0
    least_squares = [step for step in steps if step.phase in ("constant", "degree")][-1]
    unshrunk = np.column_stack([canvas.grid, canvas.heights(least_squares)])

    def marks(moment: Moment) -> list[Mark]:
        curve, previous = canvas.curves(moment)
        if not has_penalty:
            return [rows, previous, curve]
        places = unshrunk if moment.step.phase in ("shrink", "done") else NOWHERE
        dashed = line_through(places, color="muted", width=1.5, dash=True, of="")
        return [rows, previous, dashed, curve]

    return Plot(canvas.panel, marks), _contributions(canvas, steps)


def _contributions(canvas: Canvas, steps: Sequence[PolynomialStep]) -> Plot:
    """Return the orthogonal polynomial that a degree adds, times its coefficient."""
    middle, half = unit_scale(canvas.model.places_)
    inside = np.linspace(-1, 1, GRID)
    _, R = orthogonal((canvas.model.places_ - middle) / half, max(step.degree for step in steps))
    basis = np.linalg.solve(R.T, np.polynomial.legendre.legvander(inside, len(R) - 1).T)
    heights = [basis[step.degree] * step.added for step in steps if step.degree]
    reach = np.quantile(np.abs(heights or [np.ones(1)]), 0.97)
    axis = Axis("c q(x)", *bounds([-1.2 * reach, 1.2 * reach]))
    zero = canvas.zero()
    x = middle + half * inside

    def marks(moment: Moment) -> list[Mark]:
        step: PolynomialStep = moment.step
        added = basis[step.degree] * step.added if step.degree else np.zeros(GRID)
        return [zero, Line(panel="part", x=x, y=clipped(added, axis), width=2.5, of="")]

    title = "Contribution of the last degree"
    return Plot(Panel("part", canvas.panel.x, axis, title, side=True), marks)
