"""Points with a number to predict: their height over one feature, their size over two."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.pictures.marks import Points
from dmlib.pictures.plane import data_panel, data_points
from dmlib.pictures.scene import Axis, Frame, Panel, Scene, bounds
from dmlib.problem import Problem

SMALL, LARGE = 2.5, 9.0  # radius in pixels of the lowest and of the highest number


def heights_panel(problem: Problem, *further: ArrayLike) -> Panel:
    """Return the panel of the points, wide enough for further places of shape (m, 2)."""
    if not problem.upright:
        return data_panel(problem, *further, equal=False)
    points = np.vstack(
        [problem.points, *(np.asarray(places, float).reshape(-1, 2) for places in further)]
    )
    x, y = (
        (problem.window[:2], problem.window[2:])
        if problem.window
        else (bounds(column) for column in points.T)
    )
    labels, names = problem.plane.labels, problem.plane.ticks[0]
    x = (-0.5, len(names) - 0.5) if names else x
    return Panel("data", Axis(labels[0], *x, ticks=names), Axis(labels[1], *y))


def heights_points(problem: Problem) -> Points:
    """Return the points; over two features, the size grows with the number."""
    return data_points(problem) if problem.upright else data_points(problem, size=radii(problem.y))


def radii(y: ArrayLike | None) -> NDArray[np.float64]:
    """Return radii that grow with the numbers.

    Examples
    --------
    >>> radii([0.0, 5.0, 10.0]).tolist()
    [2.5, 5.75, 9.0]
    """
    numbers = np.asarray(y, float)
    spread = float(np.ptp(numbers))
    share = (numbers - numbers.min()) / spread if spread > 0 else np.full(len(numbers), 0.5)
    return SMALL + (LARGE - SMALL) * share


def heights_scene(problem: Problem) -> Scene:
    """Return the points alone, in one frame."""
    y = np.asarray(problem.y, float)
    caption = (
        f"{len(y)} points; {problem.target} goes from {y.min():.4g} to {y.max():.4g}, its mean is"
        f" {y.mean():.4g}."
    )
    notes = () if problem.upright else (f"The larger a point, the higher its {problem.target}.",)
    return Scene((heights_panel(problem),), (heights_points(problem),), (Frame(caption),), notes)
