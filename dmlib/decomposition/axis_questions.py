"""Questions about the direction of an axis in the plane of two columns."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.answers import Angle
from dmlib.pictures.plane import data_panel
from dmlib.problem import Problem

GRIP = 0.3  # of the panel, from its middle to the grip of an axis


def axis_answer(problem: Problem, axis: Floats) -> Angle:
    """Return the answer that an axis has this direction; it is turned around the mean."""
    panel = data_panel(problem)
    x, y = problem.points.mean(axis=0)
    middle = float(x), float(y)
    return Angle(panel, middle, [axis_angle(problem, axis)], GRIP * float(panel.size.min()))


def axis_angle(problem: Problem, axis: Floats) -> float:
    """Return the direction of an axis on the picture, from 0 to 180 degrees."""
    x, y = problem.plane.basis @ axis
    return float(np.rad2deg(np.arctan2(y, x)) % 180)


def degrees(problem: Problem, axis: Floats) -> str:
    """Return the direction of an axis in words."""
    return f"{axis_angle(problem, axis):.0f}°"
