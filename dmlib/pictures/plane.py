"""The panel and the points of a table, and a scene of them without a run."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.pictures.marks import NO_CLASS, Channel, Points
from dmlib.pictures.scene import Axis, Frame, Panel, Scene, bounds
from dmlib.problem import GraphProblem, Problem

SQUARE = 4.0  # up to this ratio of the two spreads, one unit is drawn as long on both axes


def data_panel(problem: Problem, *further: Any, equal: bool = True) -> Panel:
    """Return the panel of the data plane, wide enough for further places of shape (m, 2).

    Distances look right only where one unit is as long on both axes. Columns of very different
    spread would then be a line, so those fill the panel instead, as do nominal columns, and all
    without ``equal``.
    """
    points = np.vstack(
        [problem.points, *(np.asarray(places, float).reshape(-1, 2) for places in further)]
    )
    if problem.window:
        x, y = problem.window[:2], problem.window[2:]
    else:
        x, y = (bounds(column) for column in points.T)
    if len(problem.features) == 1:
        y = (-1.0, 1.0)
    labels, ticks = problem.plane.labels, problem.plane.ticks
    x, y = (
        (-0.5, len(names) - 0.5) if names else ends
        for names, ends in zip(ticks, (x, y), strict=True)
    )
    spreads = sorted(high - low for low, high in (x, y))
    alike = equal and not any(ticks) and spreads[1] <= SQUARE * spreads[0]
    return Panel(
        "data",
        Axis(labels[0], *x, ticks=ticks[0]),
        Axis(labels[1], *y, ticks=ticks[1]),
        equal=alike,
    )


def data_points(
    problem: Problem | GraphProblem, *, color: Channel | None = None, **attributes: Any
) -> Points:
    """Return the samples as points, uncoloured by default, test rows hollow."""
    points = problem.points
    neutral = np.array([NO_CLASS], np.uint8)
    x, y = points.T
    if problem.test is not None:
        attributes.setdefault("hollow", problem.test.astype(np.uint8))
    attributes |= {"labels": problem.labels, "numbers": problem.rows + 1, "data": True}
    return Points(x=x, y=y, color=neutral if color is None else color, **attributes)


def view_note(problem: Problem, seems: str, counted: str = "Distances") -> tuple[str, ...]:
    """Return the sentence on what a projection may distort.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame(np.eye(3), columns=list("abc")), list("abc"))
    >>> view_note(problem, "joined rows may look far apart")
    ('Distances count all 3 columns; in this view of them, joined rows may look far apart.',)
    """
    n = len(problem.features)
    return (
        ()
        if problem.plane.exact
        else (f"{counted} count all {n} columns; in this view of them, {seems}.",)
    )


def across(
    start: float, slopes: NDArray[np.float64], level: float, panel: Panel
) -> NDArray[np.float64]:
    """Return where the line ``start + slopes @ u = level`` enters and leaves a panel, shape (2, 2).

    NaN where it does not cross the panel.

    Examples
    --------
    >>> square = Panel("data", Axis("x", 0, 2), Axis("y", 0, 2))
    >>> across(-1.0, np.array([1.0, 0.0]), 0.0, square).tolist()
    [[1.0, 0.0], [1.0, 2.0]]
    """
    low, width = np.array([panel.x.low, panel.y.low]), panel.size
    height, rise = start + float(slopes @ low) - level, slopes * width
    outside = np.full((2, 2), np.nan)
    size = float(rise @ rise)
    if not 0 < size < np.inf:
        return outside
    place, along = -height * rise / size, np.array([-rise[1], rise[0]])
    first, last = -np.inf, np.inf
    for p, d in zip(place, along, strict=True):
        if d == 0 and not 0 <= p <= 1:
            return outside
        if d != 0:
            entry, exit_ = sorted((-p / d, (1 - p) / d))
            first, last = max(first, entry), min(last, exit_)
    return low + width * (place + np.outer([first, last], along)) if first < last else outside


def data_scene(problem: Problem, caption: str) -> Scene:
    """Return the data alone, in one frame.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0], "b": [0.0, 1.0]}), ["a", "b"])
    >>> data_scene(problem, "Two points.").frames[0].caption
    'Two points.'
    """
    attributes: dict[str, Any] = (
        {} if problem.y is None else {"color": problem.y, "classes": problem.classes}
    )
    return Scene((data_panel(problem),), (data_points(problem, **attributes),), (Frame(caption),))


def empty_scene(caption: str, low: float = 0.0, high: float = 10.0) -> Scene:
    """Return an empty plane, to draw on."""
    return Scene(
        (Panel("data", Axis("x", low, high), Axis("y", low, high), equal=True),),
        (),
        (Frame(caption),),
    )


def pixel_rows(problem: Problem, panel: Panel, size: int) -> Floats:
    """Return the rows at the pixels of a panel, from the top left, shape (size², n_features)."""
    x, y = (
        axis.low + (axis.high - axis.low) * (np.arange(size) + 0.5) / size
        for axis in (panel.x, panel.y)
    )
    return problem.plane.lift_grid(x, y[::-1])
