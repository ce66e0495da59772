"""The curse of dimensionality as a picture: distances from a row while columns are added."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.marks import NO_CLASS, Mark, Points, Rects, Segments, Texts
from dmlib.pictures.places import path_until, segments_between, visible_if
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene, bounds
from dmlib.pictures.story import Moment, Plot, data_alone, draw_plots, story
from dmlib.problem import Problem
from dmlib.similarity.curse_of_dimensionality.algorithm import (
    BINS,
    DimensionStep,
    DistanceConcentration,
)
from dmlib.similarity.curse_of_dimensionality.ledger import Narrator

RIGHT = 0.88  # of the axis: from there on a name stands left of its line
CLOSE = 0.2  # of the axis: nearer lines would have names that touch
MAX_PLACES, MIN_FRAMES = 24_000, 12  # points of all frames together, and frames of large tables
FAINT = 0.45  # opacity of rows that are no neighbours
MAX_KEYS = 8
NOTE = (
    "Each column is scaled to [0, 1] here, so that all count alike."
    " Click on a row to measure from there."
)


def curse_scene(run: Run[Problem, DistanceConcentration]) -> Scene:
    """Draw the distances of all rows from one of them, as shares of the longest, by column.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> from dmlib.similarity import DistanceConcentration
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 4.0]}), ["a"])
    >>> scene = curse_scene(Run.of(problem, DistanceConcentration(2)))
    >>> [frame.phase for frame in scene.frames]
    ['scale', 'column', 'noise', 'done']
    """
    problem, steps = run.problem, run.trace.steps
    if not steps or steps[-1].phase != "done":
        return data_alone(run)
    row = 0 if run.selected is None else run.selected
    columns = np.array([step.values for step in steps[1:-1]])
    squared = _squared_distances(columns, row)
    distances = _Distances(problem, row, steps, squared)
    third = "error" if np.isfinite(steps[-1].error) else "hubness"
    plots = (
        Plot(distances.panel, distances.marks),
        _pairs_plot(steps),
        _ends_plot(steps),
        _third_plot(steps, third),
    )
    classes = problem.training.y if problem.labelled else None
    narrator = Narrator(problem, row, classes, squared, None if run.selected is None else columns)

    return story(
        run,
        draw_plots(plots, narrator.caption_and_ledger),
        panels=[plot.panel for plot in plots],
        legend=_legend(problem),
        notes=(NOTE,),
        max_frames=max(MIN_FRAMES, MAX_PLACES // len(problem.X)),
    )


def _squared_distances(columns: Floats, row: int) -> Floats:
    """Return the squared distances from a row after each step, shape (n_steps, n_samples)."""
    squares = (columns - columns[:, [row]]) ** 2
    zeros = np.zeros((1, columns.shape[1]))
    return np.cumsum(np.vstack([zeros, squares, zeros]), axis=0)


def _legend(problem: Problem) -> list[Key]:
    names = problem.classes if problem.y is not None else ()
    return [Key(name, code) for code, name in enumerate(names[:MAX_KEYS])]


class _Distances:
    """All rows by their distance from one of them, with the nearest and the farthest.

    Parameters
    ----------
    problem : Problem
        The table.
    row : int
        The row that distances are measured from.
    steps : sequence of DimensionStep
        The steps of the run.
    squared : ndarray of shape (n_steps, n_samples)
        Squared distances from the row.
    """

    def __init__(
        self, problem: Problem, row: int, steps: Sequence[DimensionStep], squared: Floats
    ) -> None:
        self.problem, self.row, self.n = problem, row, len(problem.X)
        dimensions = np.array([step.dimensions for step in steps])
        self.shares = np.sqrt(squared / np.maximum(dimensions, 1)[:, None])
        self.right = max(1.0, float(self.shares.max()))
        has_classes = problem.y is not None and bool(problem.classes)
        self.color = np.asarray(problem.y if has_classes else np.full(self.n, NO_CLASS), np.uint8)
        self.classes = problem.classes if has_classes else ()

    @property
    def panel(self) -> Panel:
        """The panel of the distances, a line for each row."""
        row = int(self.problem.rows[self.row]) + 1
        label = f"distance from row {row}, as a share of the unit cube's diagonal"
        up = Axis("row", -0.02 * self.n, 1.1 * self.n, integer=True)
        return Panel("data", Axis(label, -0.02, 1.02 * self.right), up)

    def marks(self, moment: Moment) -> list[Mark]:
        """Return the rows by their distances, with the names of the nearest and the farthest."""
        step: DimensionStep = moment.step
        shares = self.shares[moment.index]
        ends = np.delete(shares, self.row)
        low, high = float(ends.min()), float(ends.max())
        if not step.dimensions:
            names = [visible_if(False, text) for _, text in self._names(low, high)]
            return [self._end_lines(np.empty(0)), self._rows(shares, step), *names]
        names = [visible_if(is_visible, text) for is_visible, text in self._names(low, high)]
        return [self._end_lines(np.array([low, high])), self._rows(shares, step), *names]

    def _end_lines(self, x: Floats) -> Segments:
        feet = np.column_stack([x, np.zeros(len(x))])
        top = np.array([0.0, 1.04 * self.n])
        return segments_between(feet, feet + top, width=2.0, of="")

    def _names(self, low: float, high: float) -> list[tuple[bool, Texts]]:
        """Return the names of both lines, and whether they are visible: none is cut off."""
        is_at_edge = high > RIGHT * self.right
        x = low - 0.01 if high - low < CLOSE else low
        return [
            (True, self._name("nearest", x, "end")),
            (not is_at_edge, self._name("farthest", high, "start")),
            (is_at_edge, self._name("farthest", high, "end")),
        ]

    def _name(self, text: str, x: float, anchor: str) -> Texts:
        return Texts(x=[x], y=[1.06 * self.n], text=[text], anchor=anchor)

    def _rows(self, shares: Floats, step: DimensionStep) -> Points:
        is_neighbor = np.ones(self.n, bool)
        if step.dimensions:
            is_neighbor = np.isin(np.arange(self.n), step.neighbors[self.row])
        size, opacity = np.where(is_neighbor, 5.5, 3.5), np.where(is_neighbor, 1.0, FAINT)
        size[self.row], opacity[self.row] = 8.0, 1.0
        return Points(
            x=shares,
            y=np.arange(1.0, self.n + 1),
            color=self.color,
            size=size,
            opacity=opacity,
            labels=self.problem.labels,
            classes=self.classes,
            numbers=self.problem.rows + 1,
            data=True,
        )


def _pairs_plot(steps: Sequence[DimensionStep]) -> Plot:
    """Return the distribution of the distances of all pairs."""
    highest = float(max(step.pairs.max() for step in steps[1:]))
    x, y = Axis("D / √d", 0, 1), Axis("pairs", 0, 1.05 * highest)
    panel = Panel("pairs", x, y, "All pairs", side=True)
    edges, zeros = np.arange(BINS + 1) / BINS, np.zeros(BINS)

    def bars(step: DimensionStep) -> Rects:
        heights = np.asarray(step.pairs, float) if len(step.pairs) else zeros
        corners: dict[str, Any] = {"x0": edges[:-1], "x1": edges[1:], "y0": zeros, "y1": heights}
        return Rects(panel="pairs", **corners, of="")

    return Plot(panel, lambda moment: [bars(moment.step)])


def _ends_plot(steps: Sequence[DimensionStep]) -> Plot:
    """Return the mean distances of the nearest and the farthest row by the number of columns."""
    nearest, farthest = _curve(steps, "nearest"), _curve(steps, "farthest")
    top = 1.3 * max(nearest[:, 1].max(), farthest[:, 1].max())
    x, y = _columns_axis(steps), Axis("distance", 0, top)
    panel = Panel("ends", x, y, "Mean distances", side=True)

    def marks(moment: Moment) -> list[Mark]:
        marks: list[Mark] = []
        for name, curve in (("nearest", nearest), ("farthest", farthest)):
            line, end = path_until(curve, moment.step.dimensions, panel="ends")
            marks += [replace(line, label=name), end]
        return marks

    return Plot(panel, marks)


def _third_plot(steps: Sequence[DimensionStep], name: str) -> Plot:
    """Return the error of k nearest neighbours, or their skewness, by the number of columns."""
    curve = _curve(steps, name)
    values = curve[:, 1]
    up, title = Axis("skewness", *bounds([0.0, *values])), "Hubs"
    if name == "error":
        up, title = Axis("fraction of rows", 0, 1.05 * max(0.5, *values)), "k-NN error"
    panel = Panel(name, _columns_axis(steps), up, title, side=True)
    return Plot(panel, lambda moment: path_until(curve, moment.step.dimensions, panel=name))


def _columns_axis(steps: Sequence[DimensionStep]) -> Axis:
    return Axis("columns", 0, 1.02 * max(steps[-1].dimensions, 1), integer=True)


def _curve(steps: Sequence[DimensionStep], name: str) -> Floats:
    """Return an attribute of the steps by the number of columns, shape (n_dimensions, 2)."""
    places = [(step.dimensions, getattr(step, name)) for step in steps[1:-1]]
    return np.array(places, float).reshape(-1, 2)
