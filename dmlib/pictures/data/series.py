"""One or two series as lines over time."""

from __future__ import annotations

import numpy as np

from dmlib.pictures.marks import Line, Mark, Points
from dmlib.pictures.scene import Axis, Frame, Key, Panel, Scene, bounds
from dmlib.problem import SeriesProblem

SMALL = 2.5  # radius in pixels of a value


def series_panel(problem: SeriesProblem) -> Panel:
    """Return the panel of the series: times across, values up."""
    label = problem.names[0] if len(problem.names) == 1 else "value"
    if problem.window is not None:
        x0, x1, y0, y1 = problem.window
        return Panel("data", Axis(problem.time, x0, x1), Axis(label, y0, y1))
    x, y = bounds(np.concatenate(problem.times), 0.03), bounds(np.concatenate(problem.values))
    return Panel("data", Axis(problem.time, *x), Axis(label, *y))


def series_marks(problem: SeriesProblem) -> tuple[Mark, ...]:
    """Return a line for each series, and the values on them."""
    lines = [
        Line(x=times, y=values, color=code, width=1.5)
        for code, (times, values) in enumerate(zip(problem.times, problem.values, strict=True))
    ]
    color = np.repeat(
        np.arange(len(problem.values), dtype=np.uint8), [len(values) for values in problem.values]
    )
    points = Points(
        x=np.concatenate(problem.times),
        y=np.concatenate(problem.values),
        color=color,
        size=[SMALL],
        labels=problem.labels,
        classes=problem.names,
        data=True,
    )
    return (*lines, points)


def series_scene(problem: SeriesProblem) -> Scene:
    """Return the series alone, in one frame."""
    parts = [
        f"{name} ({len(values)} values)"
        for name, values in zip(problem.names, problem.values, strict=True)
    ]
    caption = f"{'One' if len(parts) == 1 else 'Two'} series: {' and '.join(parts)}."
    legend = tuple(Key(name, code) for code, name in enumerate(problem.names))
    return Scene((series_panel(problem),), series_marks(problem), (Frame(caption),), legend=legend)
