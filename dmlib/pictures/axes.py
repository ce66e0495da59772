"""Axes through the mean of a table in the plane: directions, projections of rows, handles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.pictures.scene import Handle, Panel
from dmlib.problem import Problem

OUTSIDE = 50.0  # widths of the panel beyond which nothing has to be in its place
END = 0.88  # where the handle stands between the centre and the edge


def along(problem: Problem, angles: Floats) -> Floats:
    """Return unit vectors in the plane with these angles in degrees, one a row."""
    radians = np.deg2rad(np.atleast_1d(angles))
    if not problem.plane.basis[1].any():  # a single column
        radians = np.zeros_like(radians)
    unit = np.column_stack([np.cos(radians), np.sin(radians)]).round(
        12
    )  # the cosine of 90° is 0, not 6e-17
    directions: Floats = unit @ problem.plane.basis
    return directions


def feet(problem: Problem, panel: Panel, samples: NDArray[np.intp], axis: Floats) -> Floats:
    """Return the projections of samples onto an axis, those far outside the panel cut short."""
    rows, mean = (problem.X - problem.X.mean(axis=0))[samples], problem.points.mean(axis=0)
    starts = problem.points[samples]
    shifts = mean + np.outer(rows @ axis, problem.plane.basis @ axis) - starts
    widths = (np.abs(shifts) / panel.size).max(axis=1, keepdims=True)
    ends: Floats = starts + shifts * np.minimum(1.0, OUTSIDE / np.maximum(widths, 1e-12))
    return ends


def axis_ends(problem: Problem, panel: Panel, shadow: Floats) -> Floats:
    """Return both ends of an axis with this direction in the plane, as long as the farthest row."""
    mean = problem.points.mean(axis=0)
    longest = float(np.linalg.norm(problem.X - problem.X.mean(axis=0), axis=1).max())
    length = min(longest, OUTSIDE / max(float((np.abs(shadow) / panel.size).max()), 1e-300))
    ends: Floats = mean + np.outer([-length, length], shadow)
    return ends


def axis_handle(problem: Problem, panel: Panel, angle: float, label: str) -> Handle:
    """Return the end by which the reader turns an axis."""
    x, y = map(float, problem.points.mean(axis=0))
    cos, sin = np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))
    across = (panel.x.high - x if cos > 0 else x - panel.x.low) / max(abs(cos), 1e-12)
    length = END * min(across, (panel.y.high - y) / max(sin, 1e-12))
    return Handle(
        "axis",
        "data",
        label,
        "turn",
        float(x + length * cos),
        float(y + length * sin),
        around=(x, y),
    )
