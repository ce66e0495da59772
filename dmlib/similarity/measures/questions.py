"""Questions about measures: terms of columns, distances, nearest rows, common items of sets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.answers import Option, Pick, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import AnyRun
from dmlib.pictures.words import count, num4
from dmlib.similarity.measures.algorithm import NORMS, MeasureStep
from dmlib.similarity.measures.bags import CORNERS, COUNTED, BagSpace
from dmlib.similarity.measures.mixed import MixedSpace
from dmlib.similarity.measures.registry import COEFFICIENTS, METRICS

MAX_COLUMNS = 6  # of a sum that is written out
MAX_ROWS = 25  # among which a set is picked
MAX_ITEMS = 26  # of bags, that the picture shows
GAP_METRICS = ("euclidean", "manhattan", "chebyshev")


class Rule(Misconception):
    """Wrong rules of distances."""

    SUM = "The Euclidean distance adds the differences of the columns."
    NO_ROOT = "The Euclidean distance is the sum of the squares, without a root."
    LARGEST = "The largest difference alone decides the Euclidean distance."
    ONE_COLUMN = "The row that is nearest in the first column is the nearest."
    SQUARES = "The Manhattan distance adds squares."
    MEAN = "The Chebyshev distance is the mean of the differences."


def questions(run: AnyRun) -> Iterator[Question]:
    """Yield the questions that the steps of a distance answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.similarity.Distances`, :class:`dmlib.similarity.MixedDistances` or
        :class:`dmlib.similarity.BagSimilarity`.

    Yields
    ------
    Question
        Before the terms, the distance, the nearest rows and the end.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.pictures.run import Run
    >>> from dmlib.problem import prepare
    >>> from dmlib.similarity import Distances
    >>> frame = pd.DataFrame({"a": [0.0, 3.0, 1.0], "b": [0.0, 4.0, 5.0]})
    >>> asked = questions(Run.of(prepare(frame, ["a", "b"]), Distances()))
    >>> [question.topic for question in asked]
    ['term', 'term', 'distance', 'other measures', 'other measures']
    """
    steps = run.trace.steps
    if not steps:
        return
    space = run.model.space(run.problem.data)
    kind = _Bags if isinstance(space, BagSpace) else _Rows
    author = kind(run, space)
    for number in range(1, len(steps)):
        yield from author.questions(number, steps[number])


class _Rows:
    """Questions about two rows of a table."""

    def __init__(self, run: AnyRun, space: Any) -> None:
        self.problem, self.space = run.problem, space
        self.a, self.b = run.model.points(space.X)
        self.gaps: Floats = np.abs(self.a - self.b)
        self.is_plain = space.metric in GAP_METRICS and len(self.gaps) <= MAX_COLUMNS

    def questions(self, number: int, step: MeasureStep) -> Iterator[Question]:
        """Yield the questions that a step answers."""
        if step.phase == "column":
            yield from self._term(number, step)
        elif step.phase == "total":
            if self.is_plain:
                yield self._distance(number, step)
            yield from self._ball(number, step)
        elif step.phase == "nearest":
            yield from self._nearest(number)
        elif step.phase == "done" and self.space.metric == "euclidean" and self.is_plain:
            yield from self._other_measures(number)

    def _pair(self, j: int) -> str:
        a, b = num4(self.a[j]), num4(self.b[j])
        return f"In column {self.problem.features[j]}, A has {a} and B {b}"

    def _term(self, number: int, step: MeasureStep) -> Iterator[Question]:
        j, term, gap = step.column, float(step.terms[-1]), float(self.gaps[step.column])
        is_name = isinstance(self.space, MixedSpace) and self.space.names[j]
        if not self.is_plain and (self.space.metric != "gower" or is_name or not np.isfinite(term)):
            return
        proof = f"|{num4(self.a[j])} − {num4(self.b[j])}| = {num4(gap)}"
        wrong = []
        if self.space.metric == "euclidean":
            proof += f", squared {num4(term)}"
            wrong.append(Wrong(Rule.SUM, gap))
        elif self.space.metric == "gower":
            proof += f", divided by the range {num4(self.space.ranges[j])} {num4(term)}"
        yield Question(
            number,
            "term",
            f"{self._pair(j)}. What does it add to the {self._name()} distance"
            + (" before the root is taken?" if wrong else "?"),
            Value(term, 0.01 * term),
            f"{proof}.",
            wrong,
            self._hint(),
        )

    def _name(self) -> str:
        return METRICS[self.space.metric]

    def _hint(self) -> str:
        hints = {
            "euclidean": "It is the root of the sum of the squared differences.",
            "gower": "Each difference is divided by the range of its column.",
        }
        return hints.get(self.space.metric, "It is about the differences without their signs.")

    def _distance(self, number: int, step: MeasureStep) -> Question:
        squares = float((self.gaps**2).sum())
        wrong = []
        arithmetic = f"{self._listed(' + ')} = {num4(step.distance)}"
        if self.space.metric == "euclidean":
            terms = " + ".join(f"{num4(gap)}²" for gap in self.gaps)
            arithmetic = f"√({terms}) = √{num4(squares)} = {num4(step.distance)}"
            wrong = [
                Wrong(Rule.NO_ROOT, squares),
                Wrong(Rule.SUM, float(self.gaps.sum())),
                Wrong(Rule.LARGEST, float(self.gaps.max())),
            ]
        elif self.space.metric == "chebyshev":
            arithmetic = f"max({self._listed(', ')}) = {num4(step.distance)}"
        return Question(
            number,
            "distance",
            f"The differences of A and B are {self._listed(', ')}. What is their"
            f" {self._name()} distance?",
            Value(step.distance, 0.01 * step.distance),
            f"{arithmetic}.",
            wrong,
            self._hint(),
        )

    def _listed(self, separator: str) -> str:
        return separator.join(num4(gap) for gap in self.gaps)

    def _ball(self, number: int, step: MeasureStep) -> Iterator[Question]:
        distances = np.asarray(self.space.between(self.a, self.space.X), float)
        gaps = np.abs(self.space.X - self.a)
        is_choice = ~np.isclose(distances, step.distance) & (gaps.max(axis=1) > 0)
        is_flat = len(self.a) == 2 and self.space.metric in NORMS
        if not (is_flat and 2 < len(distances) <= MAX_ROWS and is_choice.sum() > 2):
            return

        def numbers(values: Floats) -> list[int]:
            rows = np.flatnonzero(is_choice & (values < step.distance))
            return [int(row) + 1 for row in self.problem.rows[rows]]

        wrong = []
        if self.space.metric == "euclidean":
            wrong = [
                Wrong(Rule.LARGEST, numbers(gaps.max(axis=1))),
                Wrong(Rule.SUM, numbers(gaps.sum(axis=1))),
            ]
        right = numbers(distances)
        n = count(len(right), "other row is", "other rows are")
        yield Question(
            number,
            "ball",
            f"Which rows are nearer to A than B is, by the {self._name()} distance?",
            Pick(
                "row",
                [right],
                among=[int(row) + 1 for row in self.problem.rows[np.flatnonzero(is_choice)]],
                several=True,
            ),
            f"B is {num4(step.distance)} from A, and {n} nearer.",
            wrong,
            "They lie inside the line of all points that are as far from A as B is.",
        )

    def _nearest(self, number: int) -> Iterator[Question]:
        X = self.space.X
        differs = np.nan_to_num(np.abs(X - self.a)).max(axis=1) > 0
        if differs.sum() < 3 or np.isnan(X).any():
            return
        rows = np.flatnonzero(differs)
        distances = np.asarray(self.space.between(self.a, X[rows]), float)
        right = rows[np.isclose(distances, distances.min())]
        gaps = np.abs(X[rows, 0] - self.a[0])
        nearest = int(rows[int(np.argmin(gaps))])
        among = [int(row) + 1 for row in self.problem.rows[rows]]
        yield Question(
            number,
            "nearest row",
            "Which row, other than A itself, is nearest to A?",
            Pick(
                "row",
                [[int(self.problem.rows[row]) + 1] for row in right],
                among=among if len(among) <= MAX_ROWS else (),
            ),
            f"Row {self.problem.rows[right[0]] + 1} is {num4(distances.min())} from A, all others"
            " are farther."
            if len(right) == 1
            else f"{len(right)} rows are {num4(distances.min())} from A, all others are farther.",
            (Wrong(Rule.ONE_COLUMN, [int(self.problem.rows[nearest]) + 1]),),
            "All columns that are used count.",
            f"{len(right)} rows are equally near." if len(right) > 1 else "",
        )

    def _other_measures(self, number: int) -> Iterator[Question]:
        gaps = self._listed(", ")
        total, top = float(self.gaps.sum()), float(self.gaps.max())
        squares = float((self.gaps**2).sum())
        yield Question(
            number,
            "other measures",
            f"The differences of A and B are {gaps}. What is their Manhattan distance?",
            Value(total, 0.01 * total),
            f"{self._listed(' + ')} = {num4(total)}.",
            (Wrong(Rule.SQUARES, squares),),
            "It is the length of a way along the axes.",
        )
        numbers = {num4(value): value for value in (top, float(self.gaps.mean()), total)}
        numbers |= {num4(value): value for value in (float(self.gaps.min()), squares)}
        options = sorted(numbers, key=lambda text: numbers[text])
        wrong = [Wrong(Rule.MEAN, options.index(num4(self.gaps.mean())))]
        if len(options) < 3:
            return
        yield Question(
            number,
            "other measures",
            f"The differences of A and B are {gaps}. What is their Chebyshev distance?",
            Option(options, [options.index(num4(top))]),
            f"max({gaps}) = {num4(top)}.",
            wrong,
            "It is the limit of the Minkowski distance for large p.",
        )


class _Bags:
    """Questions about two bags."""

    def __init__(self, run: AnyRun, space: BagSpace) -> None:
        self.space = space
        self.a, self.b = run.model.points(space.X)
        self.is_small = int(((self.a > 0) | (self.b > 0)).sum()) <= MAX_ITEMS

    def questions(self, number: int, step: MeasureStep) -> Iterator[Question]:
        """Yield the questions that a step answers."""
        if step.phase == "column" and step.column < len(CORNERS) - 1 and self.is_small:
            n = int(step.terms[-1])
            yield Question(
                number,
                "items",
                f"How many items are {CORNERS[step.column]}?",
                Value(n),
                f"The picture has {n} of them.",
                hint="A is to the left, B to the right.",
            )
        if step.phase == "total" and self.space.metric not in COUNTED:
            yield self._coefficient(number, step)

    def _coefficient(self, number: int, step: MeasureStep) -> Question:
        both, only_a, only_b, neither = (int(n) for n in self.space.terms(self.a, self.b))
        arithmetic = {
            "smc": f"({both} + {neither}) / {both + only_a + only_b + neither}",
            "jaccard": f"{both} / ({both} + {only_a} + {only_b})",
            "dice": f"2 · {both} / ({both + only_a} + {both + only_b})",
            "overlap": f"{both} / min({both + only_a}, {both + only_b})",
        }[self.space.metric]
        value = 1 - step.distance
        return Question(
            number,
            "coefficient",
            f"{both} items are in both, {only_a} only in A, {only_b} only in B and {neither} in"
            f" neither. What is the {COEFFICIENTS[self.space.metric]} coefficient?",
            Value(value, 0.01),
            f"{arithmetic} = {num4(value)}."
            if self.a.any() or self.b.any()
            else "Two empty bags are alike: 1.",
            hint="Do items that are in neither count for this coefficient?",
        )
