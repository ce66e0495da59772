"""The curse of dimensionality as a picture: how far all rows lie from one of them, while columns are added."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import NO_CLASS, Mark, Points, Rects, Segments, Texts
from dmlib.pictures.motion import path, per_frame, thin, thinned_note
from dmlib.pictures.plane import data_scene
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Frame, Key, Panel, Scene, bounds
from dmlib.problem import Problem
from dmlib.similarity.curse_of_dimensionality.algorithm import BINS, DimensionStep
from dmlib.similarity.curse_of_dimensionality.ledger import Teller

RIGHT = 0.88  # of the axis, from where on a name stands left of its line

MOST_PLACES, FEWEST = 24_000, 12  # points of all frames together, and frames of large tables
FAINT = 0.45  # opacity of rows that are no neighbours


def curse_scene(run: Run) -> Scene:
    """Draw the distances of all rows from one of them as a share of the longest possible, column by column.

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
    problem, trace = run.problem, run.trace
    if not trace.steps or trace.steps[-1].phase != "done":
        return data_scene(problem, trace.reason)
    shown = thin(len(trace.steps), max(FEWEST, MOST_PLACES // len(problem.X)))
    row = run.selected if run.selected is not None else 0
    columns = np.array([step.values for step in trace.steps[1:-1]])
    squared = np.vstack([np.zeros(len(problem.X)), np.cumsum((columns - columns[:, [row]]) ** 2, axis=0)])
    squared = np.vstack([squared, squared[-1]])
    steps = [trace.steps[i] for i in shown]
    picture = _Picture(problem, row, steps, squared[shown])
    asked = None if run.selected is None else columns
    teller = Teller(problem, row, problem.training.y if problem.labelled else None, asked)

    def frame(i: int) -> Frame:
        return teller.frame(steps[i], picture.squared[i])

    notes = (
        *problem.notes,
        "Each column is scaled to [0, 1] here, so that all count alike. Click on a row to measure from there.",
        *thinned_note(shown),
    )
    return Scene(
        picture.panels(), picture.marks(), Deferred(frame, range(len(steps))), notes, legend=_legend(problem, row)
    )


def _legend(problem: Problem, row: int) -> tuple[Key, ...]:
    names = problem.classes if problem.y is not None else ()
    return tuple(Key(name, code) for code, name in enumerate(names[:8]))


class _Picture:
    """The panels and marks of a run.

    Parameters
    ----------
    problem : Problem
        The table.
    row : int
        The row that distances are measured from.
    steps : sequence of DimensionStep
        Those that are shown.
    squared : ndarray of shape (n_steps, n_samples)
        Squared distances from the row.
    """

    def __init__(self, problem: Problem, row: int, steps: Sequence[DimensionStep], squared: Floats) -> None:
        self.problem, self.row, self.steps, self.squared = problem, row, steps, squared
        self.dimensions = np.array([step.dimensions for step in steps])
        self.shares = np.sqrt(squared / np.maximum(self.dimensions, 1)[:, None])
        self.with_error = bool(np.isfinite(steps[-1].error))

    def panels(self) -> tuple[Panel, ...]:
        """Return the large panel of one row's distances, and small ones of all pairs and of what they come to."""
        n, last = len(self.problem.X), max(int(self.dimensions[-1]), 1)
        row = int(self.problem.rows[self.row]) + 1
        right = max(1.0, float(self.shares.max()))
        across = Axis("columns", 0, 1.02 * last, integer=True)
        pairs = Panel("pairs", Axis("D / √d", 0, 1), Axis("pairs", 0, 1.05 * self._highest), "All pairs", side=True)
        heights = [value for step in self.steps[1:] for value in (step.nearest, step.farthest)]
        ends = Panel("ends", across, Axis("mean distance", 0, 1.08 * max(heights)), "Distances", side=True)
        if self.with_error:
            highest = max(0.5, *(step.error for step in self.steps[1:]))
            third = Panel("error", across, Axis("fraction of rows", 0, 1.05 * highest), "k-NN error", side=True)
        else:
            ends_of = bounds([0.0, *(step.hubness for step in self.steps[1:])])
            third = Panel("hubness", across, Axis("skewness", *ends_of), "Hubs", side=True)
        x = Axis(f"distance from row {row}, as a share of the unit cube's diagonal", -0.02, 1.02 * right)
        return Panel("data", x, Axis("row", -0.02 * n, 1.1 * n, integer=True)), pairs, ends, third

    @property
    def _highest(self) -> float:
        return float(max(step.pairs.max() for step in self.steps[1:]))

    def marks(self) -> tuple[Mark, ...]:
        """Return the rows where they lie, the nearest and the farthest one, and the small panels' curves."""
        return (*self._ends(), self._rows(), *self._names(), self._pairs(), *self._curves())

    def _rows(self) -> Points:
        problem, n = self.problem, len(self.problem.X)
        coloured = problem.y is not None and bool(problem.classes)
        color = np.asarray(problem.y if coloured else np.full(n, NO_CLASS), np.uint8)
        near = [
            np.isin(np.arange(n), step.neighbors[self.row]) if step.dimensions else np.ones(n, bool)
            for step in self.steps
        ]
        size = np.where(near, 5.5, 3.5)
        size[:, self.row] = 8.0
        opacity = np.where(near, 1.0, FAINT)
        opacity[:, self.row] = 1.0
        return Points(
            x=per_frame(self.shares),
            y=np.arange(1.0, n + 1),
            color=color,
            size=per_frame(size),
            opacity=per_frame(opacity),
            labels=problem.labels,
            classes=problem.classes if coloured else (),
            numbers=problem.rows + 1,
            data=True,
            tween=True,
        )

    def _extremes(self) -> Floats:
        """Return the places of the nearest and the farthest row, shape (n_steps, 2)."""
        others = np.delete(self.shares, self.row, axis=1)
        places: Floats = np.column_stack([others.min(axis=1), others.max(axis=1)])
        places[self.dimensions == 0] = np.nan
        return places

    def _ends(self) -> list[Mark]:
        places, n = self._extremes(), len(self.problem.X)
        return [
            Segments(
                x0=per_frame(places), y0=[0, 0], x1=per_frame(places), y1=[1.04 * n] * 2, width=2.0, tween=True, of=""
            )
        ]

    def _names(self) -> list[Mark]:
        places, n = self._extremes(), len(self.problem.X)
        close = places[:, 1] - places[:, 0] < 0.2
        left = np.where(close, places[:, 0] - 0.01, places[:, 0])
        right, edge = places[:, 1], places[:, 1] > RIGHT * max(1.0, float(self.shares.max()))  # else it is cut off
        outward, inward = np.where(edge, np.nan, right), np.where(edge, right, np.nan)
        return [
            Texts(x=per_frame(left[:, None]), y=[1.06 * n], text=["nearest"], anchor="end", tween=True),
            Texts(x=per_frame(outward[:, None]), y=[1.06 * n], text=["farthest"], anchor="start", tween=True),
            Texts(x=per_frame(inward[:, None]), y=[1.06 * n], text=["farthest"], anchor="end", tween=True),
        ]

    def _pairs(self) -> Rects:
        left = np.arange(BINS) / BINS
        heights = np.array([step.pairs if len(step.pairs) else np.zeros(BINS) for step in self.steps], float)
        return Rects(
            x0=left, x1=left + 1 / BINS, y0=np.zeros(BINS), y1=per_frame(heights), panel="pairs", tween=True, of=""
        )

    def _curves(self) -> list[Mark]:
        reached = self.dimensions
        marks: list[Mark] = []
        by_dimension = {step.dimensions: step for step in self.steps if step.dimensions}
        at = np.array(sorted(by_dimension), float)
        counts = [int((at <= d).sum()) for d in reached]
        third = "error" if self.with_error else "hubness"
        named = (("ends", "nearest"), ("ends", "farthest"), (third, third))
        for panel, name in named:
            values = np.array([getattr(by_dimension[int(d)], name) for d in at])
            marks += path(np.column_stack([at, values]), counts, panel=panel)
        return marks
