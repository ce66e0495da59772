"""Questions about MapReduce: emitted and combined pairs, the reducer of a key, and results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dmlib.mapreduce.algorithm import KMeansJob, WordCountJob
from dmlib.mapreduce.base import MapReduceStep
from dmlib.mapreduce.execution import MAX_PAIRS, MapTask, Round
from dmlib.mapreduce.simulation import Attempt
from dmlib.pictures.answers import Pick, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import count, num4
from dmlib.problem import LinesProblem

MAX_QUESTIONS = 60
MAX_REDUCERS = 8  # among which one is picked
MAX_LETTERS = 80  # of the lines in a prompt


class Rule(Misconception):
    """Wrong rules of MapReduce."""

    DISTINCT = "A mapper emits one pair for each different word."
    PER_LINE = "A mapper emits one pair for each line."
    UNCHANGED = "A combiner sorts the pairs of a map task, and their number stays."
    ONE_PAIR = "A combiner adds all pairs of a map task to a single one."
    OWN = "A map task sends its pairs to the reducer on its own worker."
    IN_TURN = "The pairs of a map task go to the reducers in turn."
    PAIRS = "A reducer counts the pairs of a key, whatever their values."


def questions(run: Run[LinesProblem, Any]) -> Iterator[Question]:
    """Yield the questions that the steps of a MapReduce job answer.

    Parameters
    ----------
    run : Run
        Steps of a job of :mod:`dmlib.mapreduce` on lines.

    Yields
    ------
    Question
        Before map tasks, combiners and reducers end.

    Examples
    --------
    >>> from dmlib.problem import prepare_texts
    >>> problem = prepare_texts(["to be or not", "to be"])
    >>> run = Run.of(problem, WordCountJob(n_splits=2, n_reducers=2))
    >>> [question.topic for question in questions(run)]
    ['map', 'combine', 'map', 'reducer', 'combine', 'reduce', 'reduce']
    """
    steps = run.trace.steps
    if not steps or not steps[0].rounds:
        return
    author = _Author(run)
    n_asked = 0
    for number in range(1, len(steps)):
        step = steps[number]
        for question in author.questions(number, step):
            n_asked += 1
            yield question
        if n_asked >= MAX_QUESTIONS:
            return


class _Author:
    """Questions about one job; knows the pairs that reducers have received so far."""

    def __init__(self, run: Run[LinesProblem, Any]) -> None:
        self.model, self.lines = run.model, run.problem.texts
        self.rounds: tuple[Round, ...] = run.trace.steps[0].rounds
        self.schedule: tuple[Attempt, ...] = run.trace.steps[0].schedule
        self.received: set[tuple[int, str]] = set()  # rounds and keys

    def questions(self, number: int, step: MapReduceStep) -> Iterator[Question]:
        """Yield the questions that a step answers."""
        attempt = step.attempt
        if step.phase == "fail" and attempt is not None:
            yield from self._failure(number, attempt)
        if attempt is None or attempt.kind == "fail" or attempt.outcome != "done":
            return
        tasks = self.rounds[attempt.round]
        if step.phase == "reduce":
            yield from self._reduce(number, attempt)
            return
        task = tasks.maps[attempt.task]
        if step.phase == "shuffle":
            keys = (key for key, _, r in task.partition if r == attempt.reducer)
            self.received |= {(attempt.round, key) for key in keys}
        elif not 0 < task.n_emitted <= MAX_PAIRS:
            return
        elif step.phase == "map":
            yield from self._map(number, attempt, task)
        elif step.phase == "combine":
            yield from self._reducer(number, attempt, task)
            yield self._combine(number, attempt, task)

    # --- mappers ---

    def _map(self, number: int, attempt: Attempt, task: MapTask) -> Iterator[Question]:
        lines = self.lines[task.first : task.first + task.n_lines]
        text = " / ".join(lines)
        if len(text) > MAX_LETTERS or not isinstance(self.model, WordCountJob | KMeansJob):
            return
        is_count = isinstance(self.model, WordCountJob)
        wrong = [Wrong(Rule.DISTINCT, task.n_combined), Wrong(Rule.PER_LINE, task.n_lines)]
        lines_text = count(task.n_lines, "line", "lines")
        proof = (
            f"Each word gives a pair (word, 1), also where it comes again: {task.n_emitted} words."
        )
        if not is_count:
            proof = f"Each line gives one pair, its cluster and its point: {lines_text}."
        yield Question(
            number,
            "map",
            f"Map task {attempt.task + 1} reads “{text}”. How many pairs does it emit, before any"
            " are added?",
            Value(task.n_emitted),
            proof,
            wrong if is_count else (),
            "A mapper remembers nothing from one word to the next."
            if is_count
            else "A mapper assigns one point after the other.",
            about=[attempt.task + 1],
            of="split",
        )

    def _combine(self, number: int, attempt: Attempt, task: MapTask) -> Question:
        keys = ", ".join(f"({key}, {self._value(value)})" for key, value, _ in task.combined)
        return Question(
            number,
            "combine",
            f"Map task {attempt.task + 1} has emitted"
            f" {count(task.n_emitted, 'pair', 'pairs')}. How many are left after its combiner?",
            Value(task.n_combined),
            f"Pairs of the same key are added: {keys}.",
            (Wrong(Rule.UNCHANGED, task.n_emitted), Wrong(Rule.ONE_PAIR, 1)),
            "How many different keys are there?",
            about=[attempt.task + 1],
            of="split",
        )

    def _value(self, value: Any) -> str:
        return "…" if isinstance(value, tuple) else num4(value)

    # --- reducers ---

    def _reducer(self, number: int, attempt: Attempt, task: MapTask) -> Iterator[Question]:
        """Ask for the reducer of a key that another map task has sent already."""
        n = self.model.n_reducers
        known = [
            (place, key, r)
            for place, (key, _, r) in enumerate(task.partition)
            if (attempt.round, key) in self.received
        ]
        if not known or not 1 < n <= MAX_REDUCERS:
            return
        place, key, r = max(
            known, key=lambda each: (each[2] != attempt.worker) + (each[2] != each[0] % n)
        )
        wrong = [Wrong(Rule.IN_TURN, [place % n + 1])]
        if attempt.worker < n:
            wrong.insert(0, Wrong(Rule.OWN, [attempt.worker + 1]))
        yield Question(
            number,
            "reducer",
            f"To which reducer will map task {attempt.task + 1} send its pairs of the key {key}?",
            Pick(
                "reducer",
                [[r + 1]],
                among=range(1, n + 1),
                names={i: f"reducer {i}" for i in range(1, n + 1)},
            ),
            f"The partitioner depends on the key alone, and other pairs of {key} are at reducer"
            f" {r + 1}.",
            wrong,
            "Where are the pairs of the same key from other map tasks?",
        )

    def _reduce(self, number: int, attempt: Attempt) -> Iterator[Question]:
        """Ask for the result of a key."""
        task = self.rounds[attempt.round].reduces[attempt.task]
        groups = [
            (key, values, result)
            for key, values, result in task.groups
            if len(values) < MAX_PAIRS
            and isinstance(result, int | float)
            and not any(isinstance(value, tuple) for value in values)
        ]
        if not groups or task.n_pairs > MAX_PAIRS:
            return
        key, values, result = max(
            groups, key=lambda group: (abs(group[2] - len(group[1])), len(group[1]))
        )
        terms = " + ".join(self._value(value) for value in values)
        yield Question(
            number,
            "reduce",
            f"Reducer {attempt.task + 1} has all its pairs. What is its result for the key {key}?",
            Value(float(result), 0.0 if float(result).is_integer() else 0.01 * abs(result)),
            f"It adds the values: {terms} = {self._value(result)}.",
            (Wrong(Rule.PAIRS, len(values)),),
            "Look at the values of its pairs.",
            about=[attempt.task + 1],
            of="reducer",
        )

    # --- failures ---

    def _failure(self, number: int, failure: Attempt) -> Iterator[Question]:
        """Ask which map tasks of a worker that dies are repeated."""
        maps = [a for a in self.schedule if (a.kind, a.round) == ("map", failure.round)]
        own = sorted({a.task for a in maps if a.worker == failure.worker})
        repeated = {a.task for a in maps if a.start >= failure.end}
        right = [task + 1 for task in own if task in repeated]
        if len(own) < 2:
            return
        listing = ", ".join(map(str, right)) or "none"
        yield Question(
            number,
            "failure",
            f"Worker {failure.worker + 1} dies after {num4(failure.end)} s. Which of its map tasks"
            " do other workers repeat?",
            Pick(
                "split",
                [right],
                among=[task + 1 for task in own],
                several=True,
                names={task + 1: f"map task {task + 1}" for task in own},
            ),
            f"Its pairs are lost with it; a reducer still needs those of: {listing}.",
            hint="Pairs stay on the worker of their mapper until the reducers have fetched them.",
        )
