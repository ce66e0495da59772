"""The code matrix of a reduction to binary problems: the side of each class in each problem."""

from __future__ import annotations

import numpy as np

from dmlib.classification.multiclass.binary_step import BinaryStep
from dmlib.classification.multiclass.reduction import BinaryReduction
from dmlib.pictures.marks import NO_CLASS, Mark, Rects, Texts
from dmlib.pictures.places import NOWHERE, line_through
from dmlib.pictures.scene import Axis, Panel
from dmlib.problem import Problem

MAX_SIGNS = 150  # cells whose signs are written
MAX_NAMES = 6  # class names that fit under an axis
TRAINED = 0.8  # opacity of a column
UNTRAINED = 0.25
NEGATIVE = 0.4  # factor of the opacity of a negative cell


class CodePanel:
    """The code matrix: positive in the colour of the class, negative grey.

    Parameters
    ----------
    problem : Problem
        The data.
    model : BinaryReduction
        Fitted to the training rows.
    """

    def __init__(self, problem: Problem, model: BinaryReduction) -> None:
        self._signs = model.signs
        self._codes = np.asarray(model.classes_, np.uint8)
        self._rows, self._columns = np.nonzero(self._signs)
        names = [problem.classes[code] for code in self._codes]
        self.panel = _panel(names, self._signs.shape[1])
        self._shift = 0.0 if self.panel.x.ticks else 1.0
        self._x = self._columns + self._shift
        self._y = (len(names) - 1.0) - self._rows

    def marks(self, step: BinaryStep) -> list[Mark]:
        """Return the cells, their signs where there is room, and a frame around the column."""
        return [self._cells(step), *self._sign_texts(), self._frame(step)]

    def _cells(self, step: BinaryStep) -> Rects:
        """Return the cells; columns that are not trained yet are pale."""
        is_positive = self._signs[self._rows, self._columns] > 0
        opacity = np.where(self._columns < step.number, TRAINED, UNTRAINED)
        return Rects(
            panel="code",
            x0=self._x - 0.45,
            x1=self._x + 0.45,
            y0=self._y - 0.45,
            y1=self._y + 0.45,
            color=np.where(is_positive, self._codes[self._rows], NO_CLASS).astype(np.uint8),
            opacity=opacity * np.where(is_positive, 1.0, NEGATIVE),
            numbers=self._columns + 1,
            of="problem",
        )

    def _sign_texts(self) -> list[Mark]:
        if self._signs.size > MAX_SIGNS:
            return []
        signs = self._signs[self._rows, self._columns]
        text = ["+" if sign > 0 else "−" for sign in signs]
        return [Texts(panel="code", x=self._x, y=self._y, text=text)]

    def _frame(self, step: BinaryStep) -> Mark:
        places = NOWHERE
        if step.phase == "train":
            top = len(self._signs) - 0.5
            box = np.array([[-0.5, -0.5], [-0.5, top], [0.5, top], [0.5, -0.5], [-0.5, -0.5]])
            places = box + np.array([step.number - 1 + self._shift, 0.0])
        return line_through(places, panel="code", color="accent", width=3)


def _panel(names: list[str], n_problems: int) -> Panel:
    """Return the panel, with names as far as there is room."""
    n_classes = len(names)
    if n_classes > MAX_NAMES:
        names = [str(i + 1) for i in range(n_classes)]
    x = Axis("problem", 0.5, n_problems + 0.5, integer=True)
    if n_problems <= 2 * MAX_NAMES:
        ticks = tuple(str(i + 1) for i in range(n_problems))
        x = Axis("problem", -0.5, n_problems - 0.5, ticks=ticks)
    y = Axis("class", -0.5, n_classes - 0.5, ticks=names[::-1])
    return Panel("code", x, y, title="Code: side of each class", side=True)
