"""Questions about PEBLS: how far two values are, and what a stored row weighs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dmlib.classification.knn.pebls import PEBLS
from dmlib.pictures.answers import Value
from dmlib.pictures.question import Question
from dmlib.pictures.run import Run
from dmlib.pictures.words import count, num4
from dmlib.problem import Problem

MAX_ROWS = 4  # whose weight is asked for
MAX_CLASSES = 4  # whose frequencies are written out


def pebls_questions(run: Run[Problem, PEBLS]) -> Iterator[Question]:
    """Yield the questions that the steps of PEBLS answer."""
    for number, step in enumerate(run.trace.steps):
        if step.phase == "compare" and number:
            yield from _values(run, number, step.column)
        elif step.phase == "weigh":
            yield from _weights(run, number)


def _values(run: Run[Problem, PEBLS], number: int, column: int) -> Iterator[Question]:
    counts, distances = run.fitted.value_counts_[column], run.fitted.value_distances_[column]
    if counts is None or distances is None or not 2 <= counts.shape[1] <= MAX_CLASSES:
        return
    first, second = (int(i) for i in np.unravel_index(distances.argmax(), distances.shape))
    sizes = counts.sum(axis=1)
    if first == second or not sizes[first] or not sizes[second]:
        return
    names = [str(value) for value in run.fitted.categories_[column] or ()]
    classes = [run.problem.classes[code] for code in run.fitted.classes_]
    frequencies = " and ".join(
        f"{names[i]} has "
        + ", ".join(f"{num4(n)} × {c}" for n, c in zip(counts[i], classes, strict=True))
        for i in (first, second)
    )
    terms = " + ".join(
        f"|{num4(a)}/{num4(sizes[first])} − {num4(b)}/{num4(sizes[second])}|"
        for a, b in zip(counts[first], counts[second], strict=True)
    )
    distance = float(distances[first, second])
    yield Question(
        number,
        "distance of values",
        f"In {run.problem.features[column]}, {frequencies}: how far are the two values apart?",
        Value(distance, 0.01 * max(distance, 1.0)),
        f"The distance is {terms} = {num4(distance)}.",
        hint="Compare the fractions of each class, and add up the differences.",
    )


def _weights(run: Run[Problem, PEBLS], number: int) -> Iterator[Question]:
    model = run.fitted
    misled = model.uses_ - model.correct_uses_
    for stored in np.argsort(-misled, kind="stable")[:MAX_ROWS]:
        uses, correct = int(model.uses_[stored]), int(model.correct_uses_[stored])
        weight = float(model.exemplar_weights_[stored])
        row = int(run.problem.training.rows[stored]) + 1
        if not uses:
            continue
        yield Question(
            number,
            "weight",
            f"Row {row} was the nearest of {count(uses, 'row', 'rows')}, and {correct} of them "
            "had its class: what does it weigh?",
            Value(weight, 0.01 * weight),
            f"The weight is ({uses} + 1) / ({correct} + 1) = {num4(weight)}.",
            hint="Uses over correct uses, each plus 1.",
            about=[row],
        )
