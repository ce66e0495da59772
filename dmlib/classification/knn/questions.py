"""Questions about k nearest neighbours: which row joins, which class leads, how sure the vote is.

Of PEBLS: how far two values are, and what a stored row weighs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.class_questions import best, first_of, is_optional
from dmlib.classification.knn.algorithm import KNeighborsClassifier, NeighborStep
from dmlib.classification.knn.pebls import PEBLS
from dmlib.classification.knn.pebls_questions import pebls_questions
from dmlib.pictures.answers import Option, Pick, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4, percent
from dmlib.problem import Problem

CLEAR = 1.06  # how many times farther the next row is, for eyes that compare
MAX_JOINS = 12  # neighbours that are asked about


class Rule(Misconception):
    """Wrong rules of k nearest neighbours."""

    CHAIN = "The next neighbour is the row that is nearest to the last neighbour."
    SAME = "The next neighbour is of the class that leads."
    NEAREST = "The class of the nearest neighbour leads, whatever the others are."
    NEWEST = "The class of the newest neighbour leads."
    PRIOR = "The probability of a class is its share of all training rows."
    CERTAIN = "The predicted class has probability 1, the others 0."


def questions(run: Run[Problem, Any]) -> Iterator[Question]:
    """Yield the questions that the classification of the query answers.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.classification.KNeighborsClassifier` or
        :class:`dmlib.classification.PEBLS`.

    Yields
    ------
    Question
        Before neighbours join, and before the vote.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0], "b": [0.0, 1.0, 0.0], "c": list("xxy")})
    >>> problem = prepare(frame, ["a", "b"], target="c", labelled=True)
    >>> run = Run.of(problem, KNeighborsClassifier(3), query=problem.query((1.0, 0.5)))
    >>> [question.topic for question in questions(run)]
    ['majority', 'probability', 'probability']
    """
    if isinstance(run.model, PEBLS):
        yield from first_of(pebls_questions(run))
        return
    query = _Classified.of(run)
    # The run begins with one step more: that all rows were stored.
    n_steps = min(len(query.steps), len(run.trace.steps) - 1)
    for number, step in enumerate(query.steps[:n_steps], 1):
        n = len(step.neighbors)
        if step.phase == "join" and 2 <= n <= MAX_JOINS:
            yield from _neighbour(query, number, n) if n % 2 == 0 else _majority(query, number, n)
        elif step.phase == "vote":
            yield from _probabilities(query, number, step)


@dataclass(frozen=True)
class _Classified:
    """How the query of a run is classified.

    Attributes
    ----------
    problem : Problem
        The data.
    model : KNeighborsClassifier
        Fitted.
    steps : list of NeighborStep
        The steps.
    nearest : ndarray
        The stored rows, the nearest first, as many as are asked about.
    distances : ndarray
        Their distances.
    """

    problem: Problem
    model: KNeighborsClassifier
    steps: list[NeighborStep]
    nearest: Any
    distances: Floats

    @classmethod
    def of(cls, run: Run[Problem, KNeighborsClassifier]) -> _Classified:
        """Classify the query of a run."""
        problem, model = run.problem, run.fitted
        row = problem.table(run.current_query.x[None])
        distances, nearest = model.kneighbors(row, model.n_samples_fit_)
        steps = list(model.explain_steps(row))
        return cls(problem, model, steps, nearest[0], distances[0])

    @property
    def classes(self) -> list[str]:
        """The names of the classes, in the order of the votes."""
        return [self.problem.classes[code] for code in self.model.classes_]

    def code(self, stored: int) -> int:
        """Return the place of the class of a stored row."""
        return int(np.searchsorted(self.model.classes_, self.y[stored]))

    @property
    def y(self) -> Any:
        """The classes of the stored rows."""
        return np.asarray(self.problem.training.y)

    def number(self, stored: int) -> int:
        """Return the number of a stored row."""
        return int(self.problem.training.rows[stored]) + 1


def _neighbour(query: _Classified, number: int, n: int) -> Iterator[Question]:
    nearest, distances = query.nearest, query.distances
    is_clear = n >= len(nearest) or distances[n] > CLEAR * distances[n - 1]
    if not is_clear or len(nearest) - n < 1:
        return
    left = nearest[n - 1 :]
    last, leader = int(nearest[n - 2]), query.steps[number - 2].winner
    gaps = query.model.metric_.between(
        *(query.model.metric_.coordinates(query.model.stored_[rows]) for rows in ([last], left))
    )[0]
    of_leader = [row for row in left if query.code(row) == leader]
    row, rival = query.number(left[0]), query.number(left[1])
    yield Question(
        number,
        "next neighbour",
        f"Which row becomes neighbour {n}?",
        Pick("row", [[row]]),
        f"Row {row} is {num4(distances[n - 1])} from the query; the next nearest, row {rival}, is "
        f"{num4(distances[n])} away.",
        (
            Wrong(Rule.CHAIN, [query.number(left[int(np.argmin(gaps))])]),
            *(Wrong(Rule.SAME, [query.number(each)]) for each in of_leader[:1]),
        ),
        "All distances are measured from the query.",
        hides=("Raster",),
    )


def _majority(query: _Classified, number: int, n: int) -> Iterator[Question]:
    if not is_optional(query.classes, 1):
        return
    step = query.steps[number - 1]
    row, newest = query.number(step.neighbors[-1]), query.code(step.neighbors[-1])
    leaders = best(step.votes)
    weight = "" if query.model.weights == "uniform" else f", with {num4(step.weights[-1])} votes"
    listing = ", ".join(
        f"{num4(votes)} for {name}" for name, votes in zip(query.classes, step.votes, strict=True)
    )
    yield Question(
        number,
        "majority",
        f"Neighbour {n} is row {row}, {query.classes[newest]}{weight}: which class leads then?",
        Option(
            [*query.classes, "none alone"], leaders if len(leaders) == 1 else [len(query.classes)]
        ),
        f"The votes are {listing}.",
        (Wrong(Rule.NEAREST, query.code(step.neighbors[0])), Wrong(Rule.NEWEST, newest)),
        "Add the new vote to those that are drawn.",
        hides=("Raster",),
        about=[row],
    )


def _probabilities(query: _Classified, number: int, step: NeighborStep) -> Iterator[Question]:
    total = float(step.votes.sum())
    shares = step.votes / total
    for code, name in enumerate(query.classes):
        prior = float(np.mean(query.y == query.model.classes_[code]))
        if not step.votes[code] and code != step.winner:
            continue
        yield Question(
            number,
            "probability",
            f"The votes are counted: which probability does the class {name} get?",
            Value(float(shares[code]), 0.01),
            f"{num4(step.votes[code])} of {num4(total)} votes are for {name}: "
            f"{percent(shares[code])}, however many of the training rows have that class.",
            (Wrong(Rule.PRIOR, prior), Wrong(Rule.CERTAIN, float(code == step.winner))),
            "Only the neighbours vote.",
        )
