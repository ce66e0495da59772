"""Questions about dynamic time warping: costs of cells, moves, and the path."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.pictures.answers import Pick, Place, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.words import num4
from dmlib.problem import SeriesProblem
from dmlib.similarity.recurrence import Move
from dmlib.similarity.table_scene import MAX_COLUMNS, MAX_ROWS, PANEL, cell_numbers
from dmlib.similarity.time_series.algorithm import DynamicTimeWarping
from dmlib.similarity.time_series.patterns import Distances, moves_of
from dmlib.similarity.time_series.warping import DTWStep

MAX_QUESTIONS = 60
MAX_PATHS = 100  # that are equally cheap
Cell = tuple[int, int]


class Rule(Misconception):
    """Wrong rules of dynamic time warping."""

    DIAGONAL = "The path always takes the diagonal move where there is one."
    DISTANCE = "A cell holds the distance of its two values alone."
    NO_DISTANCE = "A cell takes over the smallest cost of its neighbours unchanged."
    NEAREST = "The move comes from the neighbouring cell whose two values are nearest."
    STRAIGHT = "Values with the same number are aligned."
    GREEDY = "From the start, the path goes to the neighbouring cell with the smallest distance."


def questions(run: Run[SeriesProblem, DynamicTimeWarping]) -> Iterator[Question]:
    """Yield the questions that the steps of dynamic time warping answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.similarity.DynamicTimeWarping` on two series.

    Yields
    ------
    Question
        Before cells of a small table, and before the path is traced back.

    Examples
    --------
    >>> from dmlib.problem import prepare_series
    >>> from dmlib.similarity import DynamicTimeWarping
    >>> problem = prepare_series([[1.0, 3.0, 3.0], [1.0, 4.0]], ["a", "b"])
    >>> asked = questions(Run.of(problem, DynamicTimeWarping()))
    >>> [question.topic for question in asked]
    ['border', 'border', 'cell', 'border', 'move', 'path']
    """
    steps: Sequence[DTWStep] = run.trace.steps
    if not steps or steps[-1].phase != "done":
        return
    author = _author(run, steps[-1])
    n_asked = 0
    for number in range(1, len(steps)):
        step = steps[number]
        if step.phase == "trace":
            yield from author.path(number)
            return
        if author.is_small and n_asked < MAX_QUESTIONS:
            n_asked += 1
            yield from author.cell(number, step)


@dataclass(frozen=True, eq=False)
class _Author:
    """What all questions about one table need."""

    x: Floats
    y: Floats
    gaps: Floats  # distances of all pairs of values of a small table
    values: Floats
    moves: tuple[Move, ...]
    cells: list[Cell]  # on the path
    panel: Panel
    is_small: bool

    def cell(self, number: int, step: DTWStep) -> Iterator[Question]:
        """Ask for the value of a cell or, in every second one, for the move into it."""
        possible = np.flatnonzero(np.isfinite(step.candidates))
        if not len(possible):
            return
        is_border = len(possible) == 1
        if is_border or sum(step.cell) % 2 == 0:
            yield self._value(number, step, "border" if is_border else "cell")
        else:
            yield self._move(number, step, possible)

    def _value(self, number: int, step: DTWStep, topic: str) -> Question:
        i, j = step.cell
        sources = [self._source(step.cell, move) for move in self.moves]
        costs = [
            float(self.values[source])
            for source, cost in zip(sources, step.candidates, strict=True)
            if np.isfinite(cost)
        ]
        diagonal = self.moves[0].name == "diagonal" and np.isfinite(step.candidates[0])
        wrong = [
            Wrong(Rule.DISTANCE, step.local, f"The way to the cell costs {num4(min(costs))} too."),
            Wrong(Rule.NO_DISTANCE, min(costs), f"The pair itself costs {num4(step.local)} too."),
        ]
        if diagonal:
            wrong.append(Wrong(Rule.DIAGONAL, step.candidates[0]))
        return Question(
            number,
            topic,
            f"Value {i + 1} of the first series is {num4(self.x[i])}, value {j + 1} of the second"
            f" {num4(self.y[j])}. What is the cost of cell ({i + 1}, {j + 1})?",
            Value(step.value, 0.0 if self._is_whole(step) else 0.01 * float(step.value)),
            self._proof(step, costs),
            wrong,
            "Add the distance of the two values to the cheapest way to the cell.",
            about=cell_numbers([step.cell], len(self.y)),
            of="cell",
        )

    def _proof(self, step: DTWStep, before: Sequence[float]) -> str:
        costs = [num4(cost) for cost in step.candidates if np.isfinite(cost)]
        distance = f"The distance of the values is {num4(step.local)}"
        if len(costs) == 1:
            return (
                f"{distance}, the only way comes from a cell of cost {num4(before[0])}: {costs[0]}."
            )
        return f"{distance}; with it the moves cost {', '.join(costs)}: min = {num4(step.value)}."

    def _move(self, number: int, step: DTWStep, possible: NDArray[np.intp]) -> Question:
        i, j = step.cell
        sources = [self._source(step.cell, self.moves[k]) for k in possible]
        names = {
            place: f"({a + 1}, {b + 1})"
            for place, (a, b) in zip(cell_numbers(sources, len(self.y)), sources, strict=True)
        }
        places = list(names)
        costs = np.array(step.candidates)[possible]
        right = [[places[k]] for k in np.flatnonzero(np.isclose(costs, costs.min()))]
        gaps = [self.gaps[source] for source in sources]
        wrong = [Wrong(Rule.NEAREST, [places[int(np.argmin(gaps))]])]
        if possible[0] == 0 and self.moves[0].name == "diagonal":
            wrong.insert(0, Wrong(Rule.DIAGONAL, [places[0]]))
        listing = ", ".join(
            f"from {name} {num4(cost)}" for name, cost in zip(names.values(), costs, strict=True)
        )
        return Question(
            number,
            "move",
            f"From which cell does the cheapest path come into cell ({i + 1}, {j + 1})?",
            Pick("cell", right, among=places, names=names),
            f"It costs {listing}.",
            wrong,
            "Compare the costs in the cells from which a move leads here.",
            "Several moves are equally cheap." if len(right) > 1 else "",
            about=cell_numbers([step.cell], len(self.y)),
            of="cell",
        )

    def path(self, number: int) -> Iterator[Question]:
        """Ask with which values one value is aligned."""
        n, m = self.values.shape
        if min(n, m) < 2:
            return
        straight = [(min(i, n - 1), min(i, m - 1)) for i in range(max(n, m))]
        if not self.is_small:
            yield self._place(number, straight)
            return
        paths, greedy = self._paths((n - 1, m - 1)), self._greedy()
        if len(paths) >= MAX_PATHS:
            return
        row = max(
            range(n),
            key=lambda i: sum(_at(path, i) != _at(self.cells, i) for path in (straight, greedy)),
        )
        right = []
        for path in [self.cells, *paths]:
            if _at(path, row) not in right:
                right.append(_at(path, row))
        numbers = [row * m + j + 1 for j in range(m) if np.isfinite(self.values[row, j])]
        pairs = " ".join(f"({i + 1}, {j + 1})" for i, j in self.cells)
        yield Question(
            number,
            "path",
            f"Which cells of row {row + 1} does the cheapest path pass, from the last cell back to"
            " the first?",
            Pick(
                "cell",
                [[row * m + j + 1 for j in columns] for columns in right],
                among=numbers,
                several=True,
                names={k: f"({row + 1}, {(k - 1) % m + 1})" for k in numbers},
            ),
            f"Traced back from the last cell to the cheapest predecessor each time: {pairs}.",
            [
                Wrong(rule, [row * m + j + 1 for j in _at(path, row)])
                for rule, path in ((Rule.STRAIGHT, straight), (Rule.GREEDY, greedy))
            ],
            "Begin in the last cell, and go back to the cell that its cost came from.",
            "Several paths are equally cheap." if len(right) > 1 else "",
        )

    def _place(self, number: int, straight: list[Cell]) -> Question:
        rows = np.array([i for i, _ in self.cells])
        shift = [abs(i - j) for i, j in self.cells]
        row = int(rows[int(np.argmax(shift))])
        height = float(len(self.values) - 1 - row)
        columns = _at(self.cells, row)
        last = _at(straight, row)
        return Question(
            number,
            "partner",
            f"The table is filled. Which value of the second series is aligned with value {row + 1}"
            " of the first?",
            Place(self.panel, [(float(j), height) for j in columns], form="x"),
            f"The path passes row {row + 1} in column {', '.join(str(j + 1) for j in columns)}.",
            [Wrong(Rule.STRAIGHT, (float(last[0]), height))] if last else [],
            "Costs are low along the path: which values are alike?",
        )

    @staticmethod
    def _source(cell: Cell, move: Move) -> Cell:
        return cell[0] - move.rows, cell[1] - move.columns

    def _is_whole(self, step: DTWStep) -> bool:
        return float(step.value).is_integer() and float(step.local).is_integer()

    def _paths(self, cell: Cell) -> list[list[Cell]]:
        """Return the cheapest paths to a cell, at most so many."""
        waiting, paths = [[cell]], list[list[Cell]]()
        while waiting and len(paths) < MAX_PATHS:
            path = waiting.pop()
            i, j = path[-1]
            if (i, j) == (0, 0):
                paths.append(path[::-1])
                continue
            for move in self.moves:
                source = self._source((i, j), move)
                if min(source) < 0 or not np.isfinite(self.values[source]):
                    continue
                cost = float(np.ravel(move.cost(i + j, i, i + 1))[0])
                if np.isclose(self.values[source] + cost, self.values[i, j]):
                    via = [(i - di, j - dj) for di, dj in reversed(move.via)]
                    waiting.append([*path, *via, source])
        return paths

    def _greedy(self) -> list[Cell]:
        n, m = self.values.shape
        path = [(0, 0)]
        while path[-1] != (n - 1, m - 1):
            i, j = path[-1]
            near = [(i + 1, j + 1), (i + 1, j), (i, j + 1)]
            path.append(
                min((c for c in near if c[0] < n and c[1] < m), key=lambda c: float(self.gaps[c]))
            )
        return path


def _author(run: Run[SeriesProblem, DynamicTimeWarping], last: DTWStep) -> _Author:
    x, y = run.model.transformed(*run.problem.arguments)
    assert last.matrix is not None
    n, m = last.matrix.shape
    is_small = n <= MAX_ROWS and m <= MAX_COLUMNS
    gaps = np.abs(x[:, None] - y) if is_small else np.empty((0, 0))
    down, across = run.problem.names
    panel = Panel(PANEL, Axis(across, -0.5, m - 0.5), Axis(down, -0.5, n - 0.5))
    return _Author(
        x,
        y,
        gaps,
        last.matrix,
        moves_of(run.model.pattern, Distances(x, y, run.model.metric)),
        [(int(i), int(j)) for i, j in last.path],
        panel,
        is_small,
    )


def _at(path: Sequence[Cell], row: int) -> list[int]:
    """Return the columns in which a path passes a row."""
    return sorted({j for i, j in path if i == row})
