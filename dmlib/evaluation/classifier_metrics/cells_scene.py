"""A confusion matrix as a picture: a dot for each row in the cell of its classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dmlib.evaluation import MeasureStep
from dmlib.evaluation.classifier_metrics.report_scene import Counted, Report
from dmlib.evaluation.counts import EMPTY, NEEDS
from dmlib.pictures.marks import Mark, Points, Rects, Texts
from dmlib.pictures.places import visible_if
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.story import Moment, Plot
from dmlib.problem import Problem

CELL = 0.47  # half the width of a cell
ROOM = 0.72  # fraction of a cell's height for the dots; the count is above them
BELOW = 11.0  # pixels from the upper edge of a cell to its count
MAX_ZEROS = 5  # classes up to which empty cells are marked with a zero
MAX_NUMBERS = 36  # cells up to which counts are written while rows are counted
UNUSED, DENOMINATOR, NUMERATOR = 0.05, 0.16, 0.4  # opacity of a cell by its role in a measure
MAX_LENGTH = 14  # characters of a class name at an axis

NUMERATORS: dict[str, tuple[str, ...]] = {
    "accuracy": ("TP", "TN"),
    "error": ("FP", "FN"),
    "precision": ("TP",),
    "recall": ("TP",),
    "specificity": ("TN",),
    "fpr": ("FP",),
    "fnr": ("FN",),
    "fdr": ("FP",),
    "npv": ("TN",),
    "f1": ("TP",),
    "balanced_accuracy": ("TP", "TN"),
    "youden": ("TP", "TN"),
    "mcc": ("TP", "TN"),
    "lr_positive": ("TP",),
    "lr_negative": ("FN",),
}
"""The counts in the numerator of each rate; the denominator has those of ``NEEDS``."""


@dataclass(frozen=True, eq=False)
class Cells:
    """The places and texts of the cells of a matrix."""

    classes: tuple[str, ...]  # the first is at the left and at the top
    positive: int  # the code of the positive class
    x: NDArray[np.float64]  # (k * k,): the middles of the cells, row by row of the matrix
    y: NDArray[np.float64]

    @classmethod
    def of(cls, classes: Sequence[str], positive: int) -> Cells:
        """Return the cells of a matrix of these classes."""
        k = len(classes)
        across = np.arange(k, dtype=float)
        return cls(tuple(classes), positive, np.tile(across, k), np.repeat(k - 1 - across, k))

    def role(self, truth: int, predicted: int) -> str:
        """Return the role of a cell for the positive class: TP, FP, TN or FN."""
        if truth == self.positive:
            return "TP" if predicted == self.positive else "FN"
        return "FP" if predicted == self.positive else "TN"

    def panel(self) -> Panel:
        """Return the panel of the matrix."""
        names = [_shortened(name) for name in self.classes]
        ends = -0.5, len(names) - 0.5
        x = Axis("predicted class", *ends, ticks=names)
        return Panel("data", x, Axis("true class", *ends, ticks=names[::-1]))

    def weights(self, name: str) -> NDArray[np.float64]:
        """Return the opacity of each cell while measure ``name`` (empty: none) is computed."""
        k = len(self.classes)
        diagonal = np.eye(k, dtype=bool).ravel()
        if name in ("accuracy", "kappa", "weighted_accuracy"):
            return np.where(diagonal, NUMERATOR, DENOMINATOR)
        if name in ("error", "expected_cost"):
            return np.where(diagonal, DENOMINATOR, NUMERATOR)
        if name not in NUMERATORS:
            return np.full(k * k, UNUSED if name else DENOMINATOR)
        opacity = {}
        for role in ("TP", "FP", "TN", "FN"):
            is_used = role in " + ".join(NEEDS.get(name, EMPTY))
            opacity[role] = DENOMINATOR if is_used else UNUSED
        opacity |= dict.fromkeys(NUMERATORS[name], NUMERATOR)
        return np.array([opacity[self.role(i, j)] for i in range(k) for j in range(k)])

    def rects(self, name: str) -> Rects:
        """Return the cells while a measure is computed; ``name`` is empty for none."""
        k = len(self.classes)
        return Rects(
            x0=self.x - CELL,
            x1=self.x + CELL,
            y0=self.y - CELL,
            y1=self.y + CELL,
            opacity=self.weights(name),
            numbers=np.repeat(np.arange(k), k) + 1,
            of="true class",
        )

    def targets(self) -> Rects:
        """Return the cells by their own numbers, row by row from 1, to be picked."""
        return Rects(
            x0=self.x - CELL,
            x1=self.x + CELL,
            y0=self.y - CELL,
            y1=self.y + CELL,
            opacity=[0.0],
            numbers=np.arange(len(self.x)) + 1,
            of="cell",
        )

    def counts(self, matrix: NDArray[Any]) -> Texts:
        """Return the counts as text, written above the dots."""
        return Texts(x=self.x, y=self.y + CELL, text=self._texts(matrix), dy=BELOW)

    def _texts(self, matrix: NDArray[Any]) -> list[str]:
        """Return the counts, of two classes with their roles."""
        k = len(self.classes)
        if k > 2:
            return [str(n) if n or k <= MAX_ZEROS else "" for n in matrix.ravel().tolist()]
        return [f"{self.role(i, j)} = {matrix[i, j]}" for i in range(k) for j in range(k)]


def _shortened(name: str) -> str:
    return name if len(name) <= MAX_LENGTH else name[: MAX_LENGTH - 1] + "…"


def matrix_plot(problem: Problem, report: Report, cells: Cells) -> Plot:
    """Return the cells, a dot for each row that is counted, and the counts."""
    dots = _dots(problem, report, cells)
    counts, n_matrices = _counts(report, cells)
    rects, targets = lru_cache(None)(cells.rects), cells.targets()

    def marks(moment: Moment) -> list[Mark]:
        name = getattr(moment.step, "name", "")
        current = n_matrices[moment.index]
        return [
            targets,
            rects(name),
            replace(dots, opacity=moment.so_far.is_counted.astype(float)),
            *(visible_if(number == current, texts) for number, texts in counts),
        ]

    return Plot(cells.panel(), marks)


def _dots(problem: Problem, report: Report, cells: Cells) -> Points:
    """Return a dot for each row, side by side in its cell in the order of counting."""
    k = len(cells.classes)
    order = report.order
    cell = report.truth[order] * k + report.predicted[order]
    turn = pd.Series(cell).groupby(cell).cumcount().to_numpy()
    side = max(2, int(np.ceil(np.sqrt(np.bincount(cell).max(initial=1) / ROOM))))
    width = 2 * CELL * 0.94
    x = np.full(len(problem.X), float(cells.x.mean()))
    y = np.full(len(problem.X), float(cells.y.mean()))
    x[order] = cells.x[cell] + width * ((turn % side + 0.5) / side - 0.5)
    y[order] = cells.y[cell] + width * ((turn // side + 0.5) / side - 0.5)
    return Points(
        x=x,
        y=y,
        color=problem.y,
        size=[float(np.clip(150 / (side * k), 1.5, 4.5))],
        opacity=np.zeros(len(x)),
        labels=problem.labels,
        numbers=problem.rows + 1,
        classes=problem.classes,
        data=True,
    )


def _counts(report: Report, cells: Cells) -> tuple[list[tuple[int, Texts]], list[int]]:
    """Return the numbered counts of each matrix, and the number of each step's; 0 for none."""
    matrices: list[NDArray[Any]] = []
    numbers = []
    for step in report.steps:
        matrix = step.matrix if isinstance(step, Counted | MeasureStep) else None
        if matrix is not None and not (matrices and np.array_equal(matrices[-1], matrix)):
            matrices.append(matrix)
        numbers.append(len(matrices))  # 0 while rows are scored
    numbered = list(enumerate(matrices, start=1))
    if len(cells.x) > MAX_NUMBERS:  # of many cells, only the final counts are written
        numbered = numbered[-1:]
    return [(number, cells.counts(matrix)) for number, matrix in numbered], numbers
