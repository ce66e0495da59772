"""Two columns of a table with holes as a cloud, with missing values on the border."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Bytes, Floats
from dmlib.pictures.marks import NO_CLASS, Points
from dmlib.pictures.places import NOWHERE, points_at
from dmlib.pictures.scene import Axis, Panel, bounds
from dmlib.pictures.story import Moment
from dmlib.preprocessing import ImputerStep
from dmlib.preprocessing.missing_values.matrix_scene import (
    FILLED,
    MAX_NEIGHBORS,
    NEIGHBOR,
    OPEN,
    turns_of,
)
from dmlib.problem import Problem

SMALL, LARGE = 3.0, 4.0  # radius in pixels
MAX_LARGE = 200  # rows up to which they are drawn large


class Cloud:
    """The rows in two columns.

    Parameters
    ----------
    problem : Problem
        The table.
    filled : ndarray of shape (n_samples, n_features)
        The filled table.
    columns : tuple of (int, int)
        The columns across and up.
    drops_rows : bool
        Whether rows with holes are left out.
    """

    def __init__(
        self, problem: Problem, filled: Floats, columns: tuple[int, int], *, drops_rows: bool
    ) -> None:
        self.problem, self.columns, self.drops_rows = problem, columns, drops_rows
        holes = np.isnan(problem.X)
        self._is_hole = holes[:, columns]
        self._turns = turns_of(holes, drops_rows=drops_rows)[:, columns]
        borders = np.array([_border(problem, filled, j) for j in columns])
        self._places = np.where(self._is_hole, borders, problem.X[:, columns])
        self._ends = np.where(np.isnan(filled[:, columns]), borders, filled[:, columns])
        across, up = (_axis(problem, filled, j) for j in columns)
        self.panel = Panel("data", across, up, "Rows in two columns")

    def marks(self, moment: Moment) -> tuple[Points, Points, Points]:
        """Return the rows, the neighbours of a step, and the row that it fills."""
        step: ImputerStep = moment.step
        places = self._places_at(step.n_done)
        is_in_view = step.column in self.columns
        neighbors = self._places[step.neighbors[:MAX_NEIGHBORS]] if is_in_view else NOWHERE
        row = places[[step.row]] if is_in_view else NOWHERE
        return (
            self._rows(places, step.n_done),
            points_at(neighbors, color=[NEIGHBOR], size=[5.5], of=""),
            points_at(row, color=[FILLED], size=[7.0], emphasis=True, of=""),
        )

    def _rows(self, places: Floats, n_done: int) -> Points:
        return points_at(
            places,
            color=self._colors(n_done),
            size=[LARGE if len(places) <= MAX_LARGE else SMALL],
            opacity=[0.8],
            labels=self.problem.labels,
            numbers=self.problem.rows + 1,
            data=True,
        )

    def _places_at(self, n_done: int) -> Floats:
        """Return the places of the rows after so many holes or rows; NaN if they are left out."""
        is_done = self._turns <= n_done
        if self.drops_rows:
            return np.where(is_done.all(axis=1, keepdims=True), np.nan, self._places)
        return np.where(is_done, self._ends, self._places)

    def _colors(self, n_done: int) -> Bytes:
        """Return the colours of the rows: with a hole in view, with filled ones only, without."""
        has_holes = self._is_hole.any(axis=1)
        is_open = has_holes
        if not self.drops_rows:
            is_open = (self._is_hole & (self._turns > n_done)).any(axis=1)
        return np.where(is_open, OPEN, np.where(has_holes, FILLED, NO_CLASS)).astype(np.uint8)


def _range(problem: Problem, filled: Floats, column: int) -> tuple[float, float]:
    return bounds(np.append(problem.X[:, column], filled[:, column]))


def _border(problem: Problem, filled: Floats, column: int) -> float:
    """Return the place of the missing values of a column, below all others."""
    low, high = _range(problem, filled, column)
    return low - 0.05 * (high - low)


def _axis(problem: Problem, filled: Floats, column: int) -> Axis:
    low, high = _range(problem, filled, column)
    start = _border(problem, filled, column) - 0.05 * (high - low)
    return Axis(problem.features[column], start, high, ticks=problem.categories.get(column, ()))
