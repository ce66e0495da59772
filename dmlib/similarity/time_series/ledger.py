"""Dynamic time warping in words and numbers: the moves into a cell, and the aligned pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, short_table
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, num4, short, signed
from dmlib.problem import SeriesProblem
from dmlib.similarity.recurrence import Move
from dmlib.similarity.table_scene import cell_numbers
from dmlib.similarity.time_series.algorithm import DynamicTimeWarping
from dmlib.similarity.time_series.warping import DTWStep, Indices

MAX_PAIRS = 12  # lines of a table
MAX_TERMS = 6
MAX_NAME = 24  # characters of a name
WEIGHTS = {"symmetric2": ("2 d", "d", "d"), "symmetricP1": ("2 d", "2 d↑ + d", "2 d← + d")}
SHORT = {
    "diagonal": "↘",
    "down": "↓",
    "right": "→",
    "skip": "↘→",
    "diagonal, down": "↘↓",
    "diagonal, right": "↘→",
}


class Narrator:
    """Captions and ledgers of dynamic time warping.

    Parameters
    ----------
    run : Run
        The run.
    moves : sequence of Move
        The moves of its step pattern.
    """

    def __init__(self, run: Run[SeriesProblem, DynamicTimeWarping], moves: Sequence[Move]) -> None:
        self.problem, self.model, self.selected = run.problem, run.model, run.selected
        self.moves = [move.name for move in moves]
        self.back = [(move.rows, move.columns) for move in moves]
        self.x, self.y = run.model.transformed(*run.problem.arguments)
        self.by_cell = len(run.trace.steps) > 1 and run.trace.steps[1].n_filled == 2
        first, second = map(self._short, run.problem.names)
        self.names = (first, second) if first != second else (f"{first} 1", f"{second} 2")

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: DTWStep = moment.step
        phases = {
            "start": self._start,
            "cell": self._cell,
            "trace": self._trace,
            "done": self._done,
        }
        caption, ledger = phases[step.phase](step)
        return caption, [*self._selected(step), *ledger]

    # --- phases -----------------------------------------------------------------------------------

    def _start(self, step: DTWStep) -> tuple[str, Blocks]:
        caption = f"The first two values are aligned: their distance is {num4(step.local)}."
        return caption, [
            *self._transform(),
            self._local(step),
            Formula(f"D(1, 1) = {num(step.value)}"),
        ]

    def _cell(self, step: DTWStep) -> tuple[str, Blocks]:
        cell, value = self._at(step), num4(step.value)
        if step.choice < 0:
            caption = f"Cell {cell} is the first of its row and has the cost {value}."
        elif self.by_cell:
            moves = count(len(self._possible(step)), "move", "moves")
            move = self.moves[step.choice]
            caption = f"Cell {cell}: the cheapest of {moves} is {move}, and the cost is {value}."
        else:
            row = f"Row {step.cell[0] + 1} is filled"
            caption = f"{row}; its cheapest cell is {cell} with the cost {value}."
        return caption, self._arithmetic(step)

    def _trace(self, step: DTWStep) -> tuple[str, Blocks]:
        cell, n = self._at(step), len(step.path)
        if n == 1:
            caption = f"The path ends in cell {cell}, whose value is the cost: {num4(step.value)}."
        elif step.choice < 0:
            caption = f"The path is back at its start after {count(n, 'pair', 'pairs')}."
        else:
            move = f"which was reached by the move {self.moves[step.choice]}"
            caption = f"Traced back to cell {cell}, {move}: {n} pairs so far."
        return caption, [*self._arithmetic(step), self._pairs(step)]

    def _done(self, step: DTWStep) -> tuple[str, Blocks]:
        cost, n = float(step.value), len(step.path)
        n_x, n_y = len(self.x), len(self.y)
        shift = int(np.abs(step.path[:, 0] - step.path[:, 1]).max())
        pairs = count(n, "pair", "pairs")
        caption = f"Done. The cheapest path aligns {pairs} at the cost {num4(cost)}"
        lines = [
            f"cost = D({n_x}, {n_y}) = {num(cost)}",
            f"normalised: {num(cost)} / ({n_x} + {n_y}) = {num(cost / (n_x + n_y))}",
            f"largest shift on the path: {shift}",
        ]
        if n_x == n_y:
            straight = self._gaps(np.arange(n_x), np.arange(n_x)).sum()
            caption += f"; value by value it is {num4(straight)}."
            lines.insert(1, f"value by value: Σ d(i, i) = {num(straight)}")
        else:
            caption += f", though {self.names[0]} has {n_x} values and {self.names[1]} {n_y}."
        return caption, [*map(Formula, lines), self._pairs(step)]

    # --- arithmetic -------------------------------------------------------------------------------

    def _arithmetic(self, step: DTWStep) -> Blocks:
        """Return the candidates of a cell, and its value."""
        cell = f"D{self._at(step)}"
        if step.choice < 0:
            value = Formula(f"{cell} = {num(step.value)}")
            return [*self._transform(), self._local(step), value]
        possible = [num(cost) for cost in self._possible(step)]
        minimum = Formula(f"{cell} = min({', '.join(possible)}) = {num(step.value)}")
        return [*self._transform(), self._local(step), self._candidates(step), minimum]

    def _candidates(self, step: DTWStep) -> LedgerTable:
        """Return the moves into a cell with their costs."""
        weights = WEIGHTS.get(self.model.pattern, ("d",) * len(self.moves))
        sources = cell_numbers(np.subtract(step.cell, self.back), len(self.y))
        rows, numbers = [], []
        for k, cost in enumerate(step.candidates):
            move = self.moves[k]
            rows.append((f"{SHORT[move]} {move}", weights[k], num4(cost)))
            numbers.append(sources[k] if np.isfinite(cost) else None)
        title, head = f"Moves into {self._at(step)}", ("move", "adds", "cost")
        return LedgerTable(head, rows, title, [step.choice], by="cell", numbers=numbers)

    @staticmethod
    def _possible(step: DTWStep) -> list[float]:
        return [cost for cost in step.candidates if np.isfinite(cost)]

    def _transform(self) -> Blocks:
        """Return what the numbers are, where they are not the values of the series."""
        sentences = {
            "z-score": "The numbers are z-scores of each series.",
            "derivative": "The numbers are estimated slopes.",
        }
        transform = self.model.transform
        return [Formula(sentences[transform])] if transform in sentences else []

    def _local(self, step: DTWStep) -> Formula:
        i, j = step.cell
        names = f"x{i + 1} − y{j + 1}"
        numbers = f"{signed(self.x[i])} − {signed(self.y[j])}"
        distance = f"|{names}| = |{numbers}|"
        if self.model.metric != "absolute":
            distance = f"({names})² = ({numbers})²"
        return Formula(f"d{self._at(step)} = {distance} = {num(step.local)}")

    @staticmethod
    def _at(step: DTWStep) -> str:
        return f"({step.cell[0] + 1}, {step.cell[1] + 1})"

    def _gaps(self, i: Indices, j: Indices) -> Floats:
        gaps: Floats = np.abs(self.x[i] - self.y[j])
        return gaps if self.model.metric == "absolute" else gaps**2

    def _pairs(self, step: DTWStep) -> LedgerTable:
        """Return the table of the aligned pairs, from the start of the path so far."""
        i, j = step.path.T
        pairs = zip(i.tolist(), j.tolist(), self._gaps(i, j).tolist(), strict=True)
        rows = [
            (a + 1, b + 1, short(self.x[a]), short(self.y[b]), short(gap)) for a, b, gap in pairs
        ]
        title = "Aligned pairs" if step.phase == "done" else "Aligned pairs so far"
        numbers = cell_numbers(step.path, len(self.y))
        head = ("i", "j", "x", "y", "d")
        about: dict[str, Any] = {"of": "pairs", "by": "cell", "numbers": numbers}
        return short_table(head, rows, title, max_rows=MAX_PAIRS, **about)

    def _selected(self, step: DTWStep) -> Blocks:
        """Return the partners of the selected value."""
        if self.selected is None:
            return []
        side = int(self.selected >= len(self.x))
        value = self.selected - side * len(self.x)
        partners = step.path[step.path[:, side] == value, 1 - side] + 1
        if len(partners):
            listed = abridged([str(k) for k in partners.tolist()], MAX_TERMS, ", ")
            state = f"aligned with {listed} of {self.names[1 - side]}"
        else:
            state = "skipped by the path" if step.phase == "done" else "not aligned yet"
        number = num((self.x, self.y)[side][value])
        return [Formula(f"{self.names[side]}, value {value + 1} = {number}: {state}")]

    @staticmethod
    def _short(text: str) -> str:
        name = " ".join(text.split())
        return name if len(name) <= MAX_NAME else name[: MAX_NAME - 1] + "…"
