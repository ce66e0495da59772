"""The arithmetic of a column more: the squared distance that grows, the contrast, the vote, and volumes of the cube."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, numbered_table, short_table
from dmlib.pictures.scene import Frame
from dmlib.pictures.words import count, num4, short
from dmlib.problem import Problem
from dmlib.similarity.curse_of_dimensionality.algorithm import DimensionStep, vote
from dmlib.similarity.curse_of_dimensionality.volumes import ball_volume, cover_count, edge_share

RIM = 0.05  # of the side of the cube


class Teller:
    """Tells what a step does to one row.

    Parameters
    ----------
    problem : Problem
        The table.
    row : int
        The row that distances are measured from.
    y : ndarray of shape (n_samples,) or None
        The codes of the classes that are learned.
    columns : ndarray of shape (n_dimensions, n_samples) or None
        All columns, where the row was asked about: its distance is then told column by column.
    """

    def __init__(self, problem: Problem, row: int, y: NDArray[np.intp] | None, columns: Floats | None) -> None:
        self.problem, self.row, self.y, self.columns = problem, row, y, columns

    def frame(self, step: DimensionStep, squared: Floats) -> Frame:
        """Return the caption and the ledger of a step; ``squared`` are the squared distances from the row."""
        if step.phase == "scale":
            return Frame(
                "Each column is scaled to [0, 1]; then they are taken one after another, and noise after them.",
                [Formula("x ← (x − min) / (max − min)"), *self._asked(step, self.row)],
                step.phase,
            )
        others = np.where(np.arange(len(squared)) == self.row, np.inf, squared)
        near, far = int(others.argmin()), int(squared.argmax())
        blocks: Blocks = [
            *self._growth(step, near, squared),
            self._contrast(step, np.sqrt(squared[[near, far]])),
            self._neighbors(step, np.sqrt(squared)),
            *self._vote(step),
            *self._asked(step, near),
            self._volumes(step.dimensions),
        ]
        return Frame(self._caption(step), blocks, step.phase)

    @property
    def _name(self) -> int:
        return int(self.problem.rows[self.row]) + 1

    def _caption(self, step: DimensionStep) -> str:
        columns = count(step.dimensions, "column", "columns")
        if step.nearest > 0:
            ratio = num4(step.farthest / step.nearest)
            tells = f"the farthest row is, on average, {ratio} times as far as the nearest"
        else:
            tells = "each row has a duplicate"
        if step.phase == "done":
            return f"Done: in {columns} {tells}."
        added = "Another column of noise" if step.phase == "noise" else f"Column {self._column(step)}"
        return f"{added}: in {columns} {tells}."

    def _column(self, step: DimensionStep) -> str:
        return f"“{self.problem.features[step.dimensions - 1]}”"

    def _growth(self, step: DimensionStep, near: int, squared: Floats) -> Blocks:
        """Return how the distance to the nearest row came about."""
        x, z = step.values[self.row], step.values[near]
        before = max(float(squared[near]) - float(x - z) ** 2, 0.0)
        sums = f"{num4(before)} + ({num4(x)} − {num4(z)})² = {num4(squared[near])}"
        return [
            Formula(f"D²({self._name}, {self.problem.rows[near] + 1}) = {sums}"),
            Formula(f"D = √{num4(squared[near])} = {num4(np.sqrt(squared[near]))}"),
        ]

    def _asked(self, step: DimensionStep, near: int) -> Blocks:
        """Return the terms of the distance between the row and its nearest, if the row was asked about."""
        if self.columns is None:
            return []
        names, k = self.problem.features, step.dimensions
        rows = [
            (names[j] if j < len(names) else "noise", short(x), short(z), short((x - z) ** 2))
            for j, (x, z) in enumerate(self.columns[:k, [self.row, near]])
        ]
        head = ("column", f"row {self._name}", f"row {self.problem.rows[near] + 1}", "square")
        return [short_table(head, rows, "The squared distance by column", most=12, of="columns")]

    def _contrast(self, step: DimensionStep, ends: Floats) -> LedgerTable:
        with np.errstate(divide="ignore", invalid="ignore"):
            own = (ends[1] - ends[0]) / ends[0]
        return LedgerTable(
            ("distance", f"row {self._name}", "mean of all"),
            [
                ("nearest", short(ends[0]), short(step.nearest)),
                ("farthest", short(ends[1]), short(step.farthest)),
                ("(farthest − nearest) / nearest", _known(own), _known(step.contrast)),
                ("γ, of all pairs", None, _known(step.gamma)),
            ],
            "Contrast",
        )

    def _neighbors(self, step: DimensionStep, distances: Floats) -> LedgerTable:
        named = bool(self.problem.classes) and self.problem.y is not None
        head = ("row", "distance", *(["class"] if named else []), "is a neighbour of")
        rows = [
            (
                int(self.problem.rows[i]) + 1,
                short(distances[i]),
                *([self.problem.classes[self.problem.y[i]]] if named and self.problem.y is not None else []),
                int(step.counts[i]),
            )
            for i in step.neighbors[self.row]
        ]
        hub = int(step.counts.argmax())
        most = f"row {self.problem.rows[hub] + 1} is one of {step.counts[hub]} rows'"
        return numbered_table(head, rows, f"The nearest rows; {most}", most=10)

    def _vote(self, step: DimensionStep) -> Blocks:
        if self.y is None:
            return []
        voted = vote(step.neighbors[[self.row]], self.y)[0]
        n, wrong = len(self.y), round(step.error * len(self.y))
        name, own = self.problem.classes[voted], self.problem.classes[self.y[self.row]]
        right = "right" if voted == self.y[self.row] else f"wrong, it is {own}"
        return [Formula(f"vote on row {self._name}: {name} ({right}); errors {wrong} / {n} = {num4(step.error)}")]

    def _volumes(self, d: int) -> LedgerTable:
        return LedgerTable(
            ("of a cube of side 1", f"d = {d}"),
            [
                (f"within {RIM} of a face: 1 − {1 - 2 * RIM:g}^d", short(edge_share(d, RIM).item())),
                ("ball that touches all faces: V(½)", short(ball_volume(d, 0.5).item())),
                ("rows to cover it with ρ = ½: 1 / V(½)", short(cover_count(d, 0.5).item())),
            ],
            "Volumes",
        )


def _known(value: float) -> float | None:
    """Return a number for a table; nothing where all distances are 0."""
    return None if np.isnan(value) else short(value)
