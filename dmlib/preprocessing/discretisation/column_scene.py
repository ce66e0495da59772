"""A column with its cuts: the intervals between them, their rows, and their places in a panel."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.arrays import Floats
from dmlib.pictures.marks import Segments
from dmlib.pictures.places import segments_between
from dmlib.pictures.scene import Axis, Panel, bounds
from dmlib.preprocessing.discretisation.algorithm import Discretizer
from dmlib.preprocessing.discretisation.binarizer import Binarizer
from dmlib.problem import Problem

CANDIDATE = 1  # the colour of a candidate cut


class CutColumn:
    """A column that is cut into intervals.

    Parameters
    ----------
    problem : Problem
        The table.
    model : Discretizer or Binarizer
        Fitted.
    column : int
        The number of the column, from 0.

    Attributes
    ----------
    x : ndarray of shape (n_samples,)
        Its values.
    y : ndarray of shape (n_samples,)
        The codes of the classes; 0 without classes.
    axis : Axis
        The axis of the values.
    """

    def __init__(self, problem: Problem, model: Discretizer | Binarizer, column: int) -> None:
        self.problem, self.model, self.column = problem, model, column
        self.x = problem.X[:, column]
        self.names = problem.categories.get(column, ())
        ends = (-0.5, len(self.names) - 0.5) if self.names else bounds(self.x, 0.04)
        self.axis = Axis(problem.features[column], *ends, ticks=self.names)
        self.has_classes = problem.y is not None and bool(problem.classes)
        self.classes = problem.classes if self.has_classes else ("all",)
        self.y = np.asarray(problem.y) if self.has_classes else np.zeros(len(self.x), int)

    def cuts_at(self, step: Any) -> Floats:
        """Return the cuts of the column at a step."""
        cuts = self.model.cuts_[self.column] if step.phase == "done" else step.borders
        return np.asarray(cuts, float)

    def ends(self, cuts: Floats) -> tuple[Floats, Floats]:
        """Return where the intervals in view begin and end."""
        inside = cuts[(cuts > self.axis.low) & (cuts < self.axis.high)]
        return np.append(self.axis.low, inside), np.append(inside, self.axis.high)

    def intervals(self, cuts: Floats) -> dict[str, Any]:
        """Return where the intervals in view lie on the axis, with their numbers among all."""
        low, high = self.ends(cuts)
        numbers = np.searchsorted(cuts, high) + 1
        return {"x0": low, "x1": high, "numbers": numbers, "of": "interval"}

    def table(self, cuts: Floats) -> NDArray[np.int_]:
        """Return the number of rows of each class in each interval in view."""
        _, high = self.ends(cuts)
        table = np.zeros((len(high), len(self.classes)), int)
        np.add.at(table, (np.searchsorted(high[:-1], self.x), self.y), 1)
        return table

    def shares(self, cuts: Floats) -> Floats:
        """Return the shares of the classes in each interval; without classes, of the intervals."""
        table = self.table(cuts)
        totals = table.sum(axis=1, keepdims=True) if self.has_classes else len(self.x)
        return np.asarray(table / np.maximum(totals, 1))

    def cut_lines(self, step: Any, panel: Panel) -> tuple[Segments, Segments]:
        """Return the cuts of a step, and its candidate."""
        trial = step.trial if step.phase in ("cut", "reject", "merge") else None
        return (
            _lines(self.cuts_at(step), panel, width=2.0),
            _lines([] if trial is None else [trial.cut], panel, width=3.0, color=[CANDIDATE]),
        )


def _lines(x: ArrayLike, panel: Panel, **attributes: Any) -> Segments:
    """Return vertical lines through a panel."""
    places = np.asarray(x, float)
    low = np.column_stack([places, np.full(len(places), panel.y.low)])
    high = np.column_stack([places, np.full(len(places), panel.y.high)])
    return segments_between(low, high, panel=panel.name, of="", **attributes)
