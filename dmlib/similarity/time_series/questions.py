"""Questions about dynamic time warping: costs of cells, moves, and the path."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dmlib.pictures.answers import Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4
from dmlib.problem import SeriesProblem
from dmlib.similarity.table_questions import Cell, TableAuthor, questions_by_step, straight_path
from dmlib.similarity.time_series.algorithm import DynamicTimeWarping
from dmlib.similarity.time_series.patterns import Distances, moves_of
from dmlib.similarity.time_series.warping import DTWStep


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
    author = _Author(run, steps[-1])
    yield from questions_by_step(steps, author.cell, author.path, is_small=author.table.is_small)


class _Author:
    """Questions about one table."""

    def __init__(self, run: Run[SeriesProblem, DynamicTimeWarping], last: DTWStep) -> None:
        assert last.matrix is not None
        self.x, self.y = run.model.transformed(*run.problem.arguments)
        moves = moves_of(run.model.pattern, Distances(self.x, self.y, run.model.metric))
        path = [(int(i), int(j)) for i, j in last.path]
        self.table = TableAuthor(last.matrix, moves, path)

    def _gap(self, cell: Cell) -> float:
        return float(abs(self.x[cell[0]] - self.y[cell[1]]))

    def cell(self, number: int, step: DTWStep) -> Iterator[Question]:
        """Ask for the value of a cell or, in every second one, for the move into it."""
        sources = self.table.sources(step)
        if len(sources) == 1:
            yield self._value(number, step, "border")
        elif sources:
            is_value = sum(step.cell) % 2 == 0
            yield self._value(number, step, "cell") if is_value else self._move(number, step)

    def _value(self, number: int, step: DTWStep, topic: str) -> Question:
        i, j = step.cell
        sources = self.table.sources(step)
        nearest = min(float(self.table.values[cell]) for cell in sources.values())
        wrong = [
            Wrong(Rule.DISTANCE, step.local, f"The way to the cell costs {num4(nearest)} too."),
            Wrong(Rule.NO_DISTANCE, nearest, f"The pair itself costs {num4(step.local)} too."),
        ]
        if 0 in sources:
            wrong.append(Wrong(Rule.DIAGONAL, step.candidates[0]))
        is_whole = float(step.value).is_integer() and float(step.local).is_integer()
        costs = [num4(step.candidates[k]) for k in sources]
        moves = f"with it the moves cost {', '.join(costs)}: min = {num4(step.value)}."
        if len(costs) == 1:
            moves = f"the only way comes from a cell of cost {num4(nearest)}: {costs[0]}."
        return Question(
            number,
            topic,
            f"Value {i + 1} of the first series is {num4(self.x[i])}, value {j + 1} of the second"
            f" {num4(self.y[j])}. What is the cost of cell {self.table.name(step.cell)}?",
            Value(step.value, 0.0 if is_whole else 0.01 * float(step.value)),
            f"The distance of the values is {num4(step.local)}; {moves}",
            wrong,
            "Add the distance of the two values to the cheapest way to the cell.",
            about=[self.table.number(step.cell)],
            of="cell",
        )

    def _move(self, number: int, step: DTWStep) -> Question:
        sources = self.table.sources(step)
        wrong: dict[Misconception, Cell] = {Rule.NEAREST: min(sources.values(), key=self._gap)}
        if 0 in sources:
            wrong = {Rule.DIAGONAL: sources[0], **wrong}
        return self.table.move_question(
            number,
            step,
            f"From which cell does the cheapest path come into cell {self.table.name(step.cell)}?",
            wrong,
            "Compare the costs in the cells from which a move leads here.",
        )

    def path(self, number: int) -> Iterator[Question]:
        """Ask with which values one value is aligned."""
        straight = straight_path(*self.table.values.shape)
        yield from self.table.path_question(
            number,
            {Rule.STRAIGHT: straight, Rule.GREEDY: self._greedy()},
            "Begin in the last cell, and go back to the cell that its cost came from.",
        )

    def _greedy(self) -> list[Cell]:
        n, m = self.table.values.shape
        path = [(0, 0)]
        while path[-1] != (n - 1, m - 1):
            i, j = path[-1]
            following = [(i + 1, j + 1), (i + 1, j), (i, j + 1)]
            path.append(min((c for c in following if c[0] < n and c[1] < m), key=self._gap))
        return path
