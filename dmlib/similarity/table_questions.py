"""Questions about the table of a dynamic program: the move into a cell, and the path back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.answers import Pick, Place
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.words import num4
from dmlib.similarity.recurrence import Move
from dmlib.similarity.table_scene import MAX_COLUMNS, MAX_ROWS, PANEL, cell_numbers

MAX_CELLS = 60  # that are asked about
MAX_PATHS = 100  # that are equally good
Cell = tuple[int, int]


def questions_by_step(
    steps: Sequence[Any],
    cell: Callable[[int, Any], Iterator[Question]],
    path: Callable[[int], Iterator[Question]],
    *,
    is_small: bool,
) -> Iterator[Question]:
    """Yield the questions about the first cells of a small table, and those about its path."""
    n_cells = 0
    for number, step in enumerate(steps[1:], 1):
        if step.phase == "trace":
            yield from path(number)
            return
        if is_small and n_cells < MAX_CELLS:
            n_cells += 1
            yield from cell(number, step)


@dataclass(frozen=True, eq=False)
class TableAuthor:
    """The parts of questions about a filled table.

    Parameters
    ----------
    values : ndarray of shape (n_rows, n_columns)
        The values of all cells; infinite where they are not used.
    moves : tuple of Move
        The moves into a cell.
    path : sequence of (int, int)
        The cells of the path that the run found.
    first : int
        The number of the first row and column in captions: 0 or 1.
    floor : float, optional
        The value with which a path may start in any cell.
    """

    values: Floats
    moves: tuple[Move, ...]
    path: Sequence[Cell]
    first: int = 1
    floor: float | None = None

    @property
    def is_small(self) -> bool:
        """Whether its values are written in its cells."""
        n, m = self.values.shape
        return bool(n <= MAX_ROWS and m <= MAX_COLUMNS)

    def name(self, cell: Cell) -> str:
        """Return a cell as captions name it."""
        return f"({cell[0] + self.first}, {cell[1] + self.first})"

    def number(self, cell: Cell) -> int:
        """Return the number of a cell, as the marks have it."""
        return cell_numbers([cell], self.values.shape[1])[0]

    def source(self, cell: Cell, k: int) -> Cell:
        """Return the cell that a move comes from."""
        return cell[0] - self.moves[k].rows, cell[1] - self.moves[k].columns

    def sources(self, step: Any) -> dict[int, Cell]:
        """Return the cells from which moves lead into the cell of a step, by the move."""
        possible = np.flatnonzero(np.isfinite(step.candidates)).tolist()
        return {k: self.source(step.cell, k) for k in possible}

    def best_moves(self, step: Any) -> list[int]:
        """Return the moves that give the cell of a step its value."""
        return [k for k in self.sources(step) if np.isclose(step.candidates[k], step.value)]

    def move_question(
        self, number: int, step: Any, prompt: str, wrong: Mapping[Misconception, Cell], hint: str
    ) -> Question:
        """Return the question from which cell the best way comes into the cell of a step."""
        sources = self.sources(step)
        names = {self.number(cell): self.name(cell) for cell in sources.values()}
        right = [[self.number(sources[k])] for k in self.best_moves(step)]
        listing = ", ".join(
            f"{num4(step.candidates[k])} from {self.name(cell)}" for k, cell in sources.items()
        )
        return Question(
            number,
            "move",
            prompt,
            Pick("cell", right, among=list(names), names=names),
            f"The moves give {listing}.",
            [Wrong(rule, [self.number(cell)]) for rule, cell in wrong.items()],
            hint,
            "Several moves are equally good." if len(right) > 1 else "",
            about=[self.number(step.cell)],
            of="cell",
        )

    def path_question(
        self, number: int, wrong: Mapping[Misconception, Sequence[Cell]], hint: str
    ) -> Iterator[Question]:
        """Yield the question which cells of a row the path passes, before it is traced back."""
        n, m = self.values.shape
        if min(n, m) < 2 or len(self.path) < 2:
            return
        if not self.is_small:
            yield self._column_question(number, wrong, hint)
            return
        paths = self._paths(self.path[-1])
        if len(paths) >= MAX_PATHS:
            return
        inner = range(self.path[0][0], self.path[-1][0])
        row = max(
            inner or [0],
            key=lambda i: sum(_at(path, i) != _at(self.path, i) for path in wrong.values()),
        )
        right: list[list[int]] = []
        for path in [self.path, *paths]:
            if _at(path, row) not in right:
                right.append(_at(path, row))
        answers = {rule: _at(path, row) for rule, path in wrong.items()}
        yield self._row_question(number, row, right, answers, hint)

    def _row_question(
        self,
        number: int,
        row: int,
        right: Sequence[Sequence[int]],
        wrong: Mapping[Misconception, Sequence[int]],
        hint: str,
    ) -> Question:
        """Return the question which columns of a row the path passes."""
        used = np.flatnonzero(np.isfinite(self.values[row])).tolist()
        number_of = {j: self.number((row, j)) for j in range(self.values.shape[1])}
        cells = " ".join(self.name(cell) for cell in reversed(self.path))
        return Question(
            number,
            "path",
            f"The path is traced back from cell {self.name(self.path[-1])}. Which cells of row"
            f" {row + self.first} does it pass?",
            Pick(
                "cell",
                [[number_of[j] for j in columns] for columns in right],
                among=[number_of[j] for j in used],
                several=True,
                names={number_of[j]: self.name((row, j)) for j in used},
            ),
            f"From each cell it goes back to the one that its value came from: {cells}.",
            [Wrong(rule, [number_of[j] for j in columns]) for rule, columns in wrong.items()],
            hint,
            "Several paths are equally good." if len(right) > 1 else "",
        )

    def _column_question(
        self, number: int, wrong: Mapping[Misconception, Sequence[Cell]], hint: str
    ) -> Question:
        n, m = self.values.shape
        row = max(self.path, key=lambda cell: abs(cell[0] - cell[1]))[0]
        height = float(n - 1 - row)
        columns = _at(self.path, row)
        panel = Panel(PANEL, Axis("column", -0.5, m - 0.5), Axis("row", -0.5, n - 0.5))
        listed = ", ".join(str(j + self.first) for j in columns)
        return Question(
            number,
            "path",
            f"The table is filled. In which column does the best path pass row {row + self.first}?",
            Place(panel, [(float(j), height) for j in columns], form="x"),
            f"Traced back, the path passes row {row + self.first} in column {listed}.",
            [Wrong(rule, (float(j), height)) for rule, p in wrong.items() for j in _at(p, row)[:1]],
            hint,
        )

    def _paths(self, end: Cell) -> list[list[Cell]]:
        """Return the best paths to a cell, at most so many."""
        waiting, paths = [[end]], list[list[Cell]]()
        while waiting and len(paths) < MAX_PATHS:
            path = waiting.pop()
            cell = path[-1]
            is_start = self.floor is not None and self.values[cell] <= self.floor
            if cell == (0, 0) or is_start:
                paths.append(path[::-1])
                continue
            for k, move in enumerate(self.moves):
                source = self.source(cell, k)
                if min(source) < 0 or not np.isfinite(self.values[source]):
                    continue
                cost = float(np.ravel(move.cost(sum(cell), cell[0], cell[0] + 1))[0])
                if np.isclose(self.values[source] + cost, self.values[cell]):
                    via = [(cell[0] - di, cell[1] - dj) for di, dj in reversed(move.via)]
                    waiting.append([*path, *via, source])
        return paths


def straight_path(n_rows: int, n_columns: int) -> list[Cell]:
    """Return the path along the diagonal, and then along the border.

    Examples
    --------
    >>> straight_path(2, 3)
    [(0, 0), (1, 1), (1, 2)]
    """
    longest = max(n_rows, n_columns)
    return [(min(i, n_rows - 1), min(i, n_columns - 1)) for i in range(longest)]


def _at(path: Sequence[Cell], row: int) -> list[int]:
    """Return the columns in which a path passes a row."""
    return sorted({j for i, j in path if i == row})
