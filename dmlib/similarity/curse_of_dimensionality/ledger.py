"""The arithmetic of another column: the squared distance, the contrast, the vote, and volumes."""

from __future__ import annotations

from itertools import chain, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, numbered_table, short_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num4, short
from dmlib.problem import Problem
from dmlib.similarity.curse_of_dimensionality.algorithm import DimensionStep, vote
from dmlib.similarity.curse_of_dimensionality.volumes import ball_volume, cover_count, edge_share

RIM = 0.05  # of the side of the cube
SCALE = (
    "Each column is scaled to [0, 1]; then they are taken one after another, and noise after them."
)


class Narrator:
    """Captions and ledgers of the distances from one row.

    Parameters
    ----------
    problem : Problem
        The table.
    row : int
        The row that distances are measured from.
    y : ndarray of shape (n_samples,) or None
        The codes of the classes that are learned.
    squared : ndarray of shape (n_steps, n_samples)
        The squared distances from the row after each step.
    columns : ndarray of shape (n_dimensions, n_samples) or None
        All columns, where the reader selected the row: its distance is then written out column by
        column.
    """

    def __init__(
        self,
        problem: Problem,
        row: int,
        y: NDArray[np.intp] | None,
        squared: Floats,
        columns: Floats | None,
    ) -> None:
        self.problem, self.row, self.y = problem, row, y
        self.squared, self.columns = squared, columns

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: DimensionStep = moment.step
        if step.phase == "scale":
            formula = Formula("x ← (x − min) / (max − min)")
            return SCALE, [formula, *self._by_column(step, self.row)]
        squared = self.squared[moment.index]
        nearest = int(np.where(np.arange(len(squared)) == self.row, np.inf, squared).argmin())
        farthest = int(squared.argmax())
        return self._caption(step), [
            *self._growth(step, nearest, squared),
            self._contrast(step, np.sqrt(squared[[nearest, farthest]])),
            self._neighbors(step, np.sqrt(squared)),
            *self._vote(step),
            *self._by_column(step, nearest),
            self._volumes(step.dimensions),
        ]

    @property
    def _name(self) -> int:
        return int(self.problem.rows[self.row]) + 1

    def _caption(self, step: DimensionStep) -> str:
        columns = count(step.dimensions, "column", "columns")
        result = "each row has a duplicate"
        if step.nearest > 0:
            ratio = num4(step.farthest / step.nearest)
            result = f"the farthest row is, on average, {ratio} times as far as the nearest"
        if step.phase == "done":
            return f"Done: in {columns} {result}."
        event = "Another column of noise"
        if step.phase == "column":
            event = f"Column “{self.problem.features[step.dimensions - 1]}”"
        return f"{event}: in {columns} {result}."

    def _growth(self, step: DimensionStep, nearest: int, squared: Floats) -> Blocks:
        """Return the distance to the nearest row as a sum."""
        x, z = step.values[self.row], step.values[nearest]
        before = max(float(squared[nearest]) - float(x - z) ** 2, 0.0)
        sums = f"{num4(before)} + ({num4(x)} − {num4(z)})² = {num4(squared[nearest])}"
        return [
            Formula(f"D²({self._name}, {self.problem.rows[nearest] + 1}) = {sums}"),
            Formula(f"D = √{num4(squared[nearest])} = {num4(np.sqrt(squared[nearest]))}"),
        ]

    def _by_column(self, step: DimensionStep, nearest: int) -> Blocks:
        """Return the terms of the distance to the nearest row, if the reader selected the row."""
        if self.columns is None:
            return []
        pairs = self.columns[: step.dimensions, [self.row, nearest]]
        names = chain(self.problem.features, repeat("noise"))
        rows = [
            (name, short(x), short(z), short((x - z) ** 2))
            for name, (x, z) in zip(names, pairs, strict=False)
        ]
        head = ("column", f"row {self._name}", f"row {self.problem.rows[nearest] + 1}", "square")
        return [
            short_table(head, rows, "The squared distance by column", max_rows=12, of="columns")
        ]

    def _contrast(self, step: DimensionStep, ends: Floats) -> LedgerTable:
        with np.errstate(divide="ignore", invalid="ignore"):
            own = (ends[1] - ends[0]) / ends[0]
        rows = [
            ("nearest", short(ends[0]), short(step.nearest)),
            ("farthest", short(ends[1]), short(step.farthest)),
            ("(farthest − nearest) / nearest", _finite(own), _finite(step.contrast)),
            ("γ, of all pairs", None, _finite(step.gamma)),
        ]
        return LedgerTable(("distance", f"row {self._name}", "mean of all"), rows, "Contrast")

    def _neighbors(self, step: DimensionStep, distances: Floats) -> LedgerTable:
        problem, neighbors = self.problem, step.neighbors[self.row]
        columns: dict[str, list[Any]] = {
            "row": [int(problem.rows[i]) + 1 for i in neighbors],
            "distance": [short(distances[i]) for i in neighbors],
        }
        if problem.classes and problem.y is not None:
            columns["class"] = [problem.classes[problem.y[i]] for i in neighbors]
        columns["is a neighbour of"] = [int(step.counts[i]) for i in neighbors]
        rows = list(zip(*columns.values(), strict=True))
        hub = int(step.counts.argmax())
        title = f"The nearest rows; row {problem.rows[hub] + 1} is one of {step.counts[hub]} rows'"
        return numbered_table(list(columns), rows, title, max_rows=10)

    def _vote(self, step: DimensionStep) -> Blocks:
        if self.y is None:
            return []
        vote_code, own_code = vote(step.neighbors[[self.row]], self.y)[0], self.y[self.row]
        name, own_name = self.problem.classes[vote_code], self.problem.classes[own_code]
        verdict = "right" if vote_code == own_code else f"wrong, it is {own_name}"
        n = len(self.y)
        errors = f"errors {round(step.error * n)} / {n} = {num4(step.error)}"
        return [Formula(f"vote on row {self._name}: {name} ({verdict}); {errors}")]

    def _volumes(self, d: int) -> LedgerTable:
        rim = f"within {RIM} of a face: 1 − {1 - 2 * RIM:g}^d"
        rows = [
            (rim, short(edge_share(d, RIM).item())),
            ("ball that touches all faces: V(½)", short(ball_volume(d, 0.5).item())),
            ("rows to cover it with ρ = ½: 1 / V(½)", short(cover_count(d, 0.5).item())),
        ]
        return LedgerTable(("of a cube of side 1", f"d = {d}"), rows, "Volumes")


def _finite(value: float) -> float | None:
    """Return a number for a table; nothing where all distances are 0."""
    return None if np.isnan(value) else short(value)
