"""An axis through the mean of a table: its ends, perpendiculars, and a value against its angle."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.pictures.axes import along, axis_ends, axis_handle, feet
from dmlib.pictures.marks import NO_CLASS, Channel, Line, Mark, Points, Segments, Texts
from dmlib.pictures.places import NOWHERE, points_at, segments_between
from dmlib.pictures.regions import class_points
from dmlib.pictures.scene import Axis, Handle, Panel
from dmlib.problem import Problem

MANY, SMALL = 400, 3.0  # from so many rows on they have this radius
ANGLES = np.linspace(0.0, 180.0, 91)
X_AXIS = Axis("angle in the picture, °", -4.0, 184.0)


def row_points(problem: Problem) -> Points:
    """Return the rows in the colours of their classes; many rows are small."""
    if len(problem.X) > MANY:
        return class_points(problem, size=[SMALL])
    return class_points(problem)


def perpendiculars(
    problem: Problem,
    panel: Panel,
    rows: NDArray[np.intp],
    axis: Floats | None,
    *,
    color: Channel,
    size: float,
) -> tuple[Segments, Points]:
    """Return the perpendiculars of rows onto an axis and their feet; nowhere without an axis."""
    starts = ends = NOWHERE
    if axis is not None:
        starts, ends = problem.points[rows], feet(problem, panel, rows, axis)
    return (segments_between(starts, ends, width=0.8), points_at(ends, color=color, size=[size]))


def turning_ends(
    problem: Problem, panel: Panel, axes: Iterable[Floats | None], shadow: Floats
) -> list[Floats]:
    """Return both ends of each of several axes in the order in which an axis turns through them.

    ``shadow`` is the projection of the axis before them; the end that was on one side stays there.
    """
    ends = []
    for axis in axes:
        if axis is None:
            ends.append(NOWHERE)
            continue
        turned = problem.plane.basis @ axis
        shadow = turned if turned @ shadow >= 0 else -turned
        ends.append(axis_ends(problem, panel, shadow))
    return ends


class AngleCurve:
    """A value of all axes in the plane against their angle, with the reader's axis.

    Parameters
    ----------
    problem : Problem
        The data.
    panel : Panel
        The panel; its x axis is :data:`X_AXIS`.
    best : float
        The largest value of all axes, those outside the plane included.
    label : str
        The name of this value.
    own : tuple of float
        The angle of the reader's axis, and its value.
    """

    def __init__(
        self, problem: Problem, panel: Panel, best: float, label: str, own: tuple[float, float]
    ) -> None:
        self.problem, self.panel, self.own = problem, panel, own
        self.directions = along(problem, ANGLES)
        name, x, y = panel.name, [X_AXIS.low, X_AXIS.high], [best, best]
        self.best = (
            Line(panel=name, x=x, y=y, color="muted", width=1.0, dash=True),
            Texts(panel=name, x=x[1:], y=y[1:], text=[label], anchor="end", dy=-8.0),
        )
        self.own_point = points_at([own], panel=name, color=[NO_CLASS], labels=["your axis"])

    def line(self, heights: Floats, color: str = "accent", width: float = 2.0) -> Line:
        """Return the curve of these values of all axes."""
        return Line(panel=self.panel.name, x=ANGLES, y=heights, color=color, width=width)

    def marks(self, curves: Sequence[Line], axis: Floats | None, value: float) -> tuple[Mark, ...]:
        """Return the largest value, curves, the reader's axis, and an axis with its value."""
        return (*self.best, *curves, self.own_point, self._point(axis, value))

    def _point(self, axis: Floats | None, value: float) -> Points:
        places = NOWHERE
        if axis is not None:
            x, y = self.problem.plane.basis @ axis
            places = np.array([[np.rad2deg(np.arctan2(y, x)) % 180, value]])
        return points_at(
            places,
            panel=self.panel.name,
            color=[NO_CLASS],
            size=[6.0],
            labels=["the axis"],
            emphasis=True,
        )

    def handles(self, panel: Panel, axis_label: str, curve_label: str) -> tuple[Handle, ...]:
        """Return what turns the reader's axis: its end in a panel, and a line in this one."""
        if not self.problem.plane.basis[1].any():  # a single column
            return ()
        angle = self.own[0]
        return (
            axis_handle(self.problem, panel, angle, axis_label),
            Handle("angle", self.panel.name, curve_label, "x", angle),
        )
