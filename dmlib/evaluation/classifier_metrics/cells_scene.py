"""A confusion matrix as a picture: one dot for each row, in the cell of its true and its predicted class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.evaluation.counts import EMPTY, NEEDS
from dmlib.pictures.marks import Mark, PerFrame, Points, Rects, Texts
from dmlib.pictures.motion import when
from dmlib.pictures.scene import Axis, Panel
from dmlib.problem import Problem

CELL = 0.47  # half the width of a cell
ROOM = 0.72  # share of a cell's height for the dots; the count is above them
BELOW = 11.0  # pixels from the upper edge of a cell to its count
MOST_ZEROS = 5  # classes up to which empty cells are marked with a zero
MOST_NUMBERS = 36  # cells whose counts are written in while rows come in
FAINT, PART, WHOLE = 0.05, 0.16, 0.4  # opacity of a cell: not in a measure, in its denominator, in its numerator
LONGEST = 14  # characters of a class name at an axis

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
"""The counts above the line of each rate; below it are those of ``NEEDS``. Measures of the whole matrix have the
diagonal above, or the cells beside it."""


@dataclass(frozen=True, eq=False)
class Cells:
    """Where everything in the matrix is drawn."""

    classes: tuple[str, ...]  # the classes; the first is at the left and at the top
    positive: int  # the class that is set against the rest
    # (k * k,): the middles of the cells, row by row of the matrix
    x: NDArray[np.float64]
    y: NDArray[np.float64]

    @classmethod
    def of(cls, classes: Sequence[str], positive: int) -> Cells:
        """Return the cells of a matrix of these classes."""
        k = len(classes)
        across = np.arange(k, dtype=float)
        return cls(tuple(classes), positive, np.tile(across, k), np.repeat(k - 1 - across, k))

    def role(self, truth: int, called: int) -> str:
        """Return what a cell counts: TP, FP, TN or FN of the positive class."""
        if truth == self.positive:
            return "TP" if called == self.positive else "FN"
        return "FP" if called == self.positive else "TN"

    def panel(self) -> Panel:
        """Return the panel of the matrix."""
        names = [name if len(name) <= LONGEST else name[: LONGEST - 1] + "…" for name in self.classes]
        low, high = -0.5, len(names) - 0.5
        return Panel(
            "data", Axis("predicted class", low, high, ticks=names), Axis("true class", low, high, ticks=names[::-1])
        )

    def weights(self, name: str) -> NDArray[np.float64]:
        """Return the opacity of each cell while a measure is computed; ``name`` is empty for none."""
        k = len(self.classes)
        shade = np.full((k, k), FAINT if name else PART)
        for i in range(k):
            for j in range(k):
                role = self.role(i, j)
                if name in ("accuracy", "kappa", "weighted_accuracy"):
                    shade[i, j] = WHOLE if i == j else PART
                elif name in ("error", "expected_cost"):
                    shade[i, j] = PART if i == j else WHOLE
                elif name in NUMERATORS:
                    inside = role in " + ".join(NEEDS.get(name, EMPTY))
                    shade[i, j] = WHOLE if role in NUMERATORS[name] else PART if inside else FAINT
        return shade.ravel()

    def marks(self, measures: Sequence[str]) -> Rects:
        """Return the cells; ``measures`` names for each frame the measure that is computed."""
        known = {name: self.weights(name) for name in dict.fromkeys(measures)}
        edges: dict[str, Any] = {
            "x0": self.x - CELL, "x1": self.x + CELL, "y0": self.y - CELL, "y1": self.y + CELL
        }  # fmt: skip
        k = len(self.classes)
        rows = np.repeat(np.arange(k), k) + 1
        return Rects(**edges, opacity=PerFrame([known[name] for name in measures]), numbers=rows, of="true class")

    def dots(
        self,
        problem: Problem,
        truth: NDArray[np.intp],
        called: NDArray[np.intp],
        order: NDArray[np.intp],
        seen: PerFrame,
    ) -> Points:
        """Return one dot for each row, side by side in the order in which they come."""
        k = len(self.classes)
        cell = truth[order] * k + called[order]
        turn = np.zeros(len(order), np.intp)
        for code in np.unique(cell):
            members = cell == code
            turn[members] = np.arange(members.sum())
        side = max(2, int(np.ceil(np.sqrt(np.bincount(cell).max(initial=1) / ROOM))))
        step = 2 * CELL * 0.94 / side
        x, y = np.full(len(problem.X), float(self.x.mean())), np.full(len(problem.X), float(self.y.mean()))
        x[order] = self.x[cell] - CELL * 0.94 + (turn % side + 0.5) * step
        y[order] = self.y[cell] - CELL * 0.94 + (turn // side + 0.5) * step
        return Points(
            x=x,
            y=y,
            color=problem.y,
            size=[float(np.clip(150 / (side * k), 1.5, 4.5))],
            opacity=seen,
            labels=problem.labels,
            numbers=problem.rows + 1,
            classes=problem.classes,
            data=True,
        )

    def numbers(self, matrices: Sequence[NDArray[Any] | None]) -> list[Mark]:
        """Return the counts as text, written above the dots; ``matrices`` has one for each frame, or None."""
        k = len(self.classes)
        distinct: list[NDArray[Any]] = []
        index = []
        for matrix in matrices:
            if matrix is not None and not (distinct and np.array_equal(distinct[-1], matrix)):
                distinct.append(matrix)
            index.append(-1 if matrix is None else len(distinct) - 1)
        first = 0 if k * k <= MOST_NUMBERS else len(distinct) - 1
        top = self.y + CELL
        return [
            Texts(
                x=when((i == at for i in index), self.x),
                y=when((i == at for i in index), top),
                text=self._texts(distinct[at]),
                dy=BELOW,
            )
            for at in range(first, len(distinct))
        ]

    def _texts(self, matrix: NDArray[Any]) -> list[str]:
        """Return the counts, of two classes with what they count."""
        k = len(self.classes)
        if k > 2:
            return [str(n) if n or k <= MOST_ZEROS else "" for n in matrix.ravel().tolist()]
        return [f"{self.role(i, j)} = {matrix[i, j]}" for i in range(k) for j in range(k)]
