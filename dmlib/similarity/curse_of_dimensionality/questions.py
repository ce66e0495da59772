"""Questions about distances as columns are added: sums of squares, neighbours, contrast, rims."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.answers import Pick, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import count, num4, percent
from dmlib.problem import Problem
from dmlib.similarity.curse_of_dimensionality.algorithm import DimensionStep, DistanceConcentration
from dmlib.similarity.curse_of_dimensionality.volumes import edge_share

MAX_COLUMNS = 12  # after which nothing is asked
MAX_CHOICES = 4  # rows among which the nearest is chosen
RIM = 0.05  # of the side of a cube


class Rule(Misconception):
    """Wrong rules about distances in many columns."""

    ADD = "The distances in the columns add up."
    NEWEST = "The distance in the newest column decides."
    STAY = "The nearest row stays the nearest."
    RATIO = "The contrast is the farthest distance divided by the nearest."
    LINEAR = "The rim of a cube grows by the same share with each dimension."
    ALWAYS = "The rim is the same share of a cube in all dimensions."


def questions(run: Run[Problem, DistanceConcentration]) -> Iterator[Question]:
    """Yield the questions that further columns answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.similarity.DistanceConcentration`.

    Yields
    ------
    Question
        Before a column is added.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 4.0, 7.0]}), ["a"])
    >>> run = Run.of(problem, DistanceConcentration(2))
    >>> sorted({question.topic for question in questions(run)})
    ['contrast', 'distance', 'nearest row', 'rim of the cube']
    """
    steps = run.trace.steps
    if not run.trace.complete or len(run.problem.X) < 3:
        return
    row = 0 if run.selected is None else run.selected
    squared: Floats = np.zeros(len(run.problem.X))
    for number in range(1, min(len(steps) - 1, MAX_COLUMNS + 1)):
        step = steps[number]
        added: Floats = (step.values - step.values[row]) ** 2
        after = squared + added
        if number > 1:
            yield _distance(run.problem, number, row, squared, step)
            yield _rim(number, step.dimensions)
        # The contrast names the distance of the nearest row, so both are not asked at once.
        if number % 2 == 0:
            yield _nearest(run.problem, number, row, squared, added)
        else:
            yield from _contrast(run.problem, number, row, after)
        squared = after


def _distance(
    problem: Problem, number: int, row: int, squared: Floats, step: DimensionStep
) -> Question:
    """Return a question about the row that the new column moves away most."""
    gaps = np.abs(step.values - step.values[row])
    other = int(gaps.argmax())
    old, gap = float(squared[other]), float(gaps[other])
    after = float(np.sqrt(old + gap**2))
    x, z = num4(step.values[row]), num4(step.values[other])
    first, second = _label(problem, row), _label(problem, other)
    return Question(
        number,
        "distance",
        f"Rows {first} and {second} have the distance {num4(np.sqrt(old))} so far, and {x} and {z}"
        " in the next column: what is their distance then?",
        Value(after, 0.01 * after),
        f"√({num4(np.sqrt(old))}² + ({x} − {z})²) = √{num4(after**2)} = {num4(after)}.",
        (Wrong(Rule.ADD, float(np.sqrt(old)) + gap), Wrong(Rule.NEWEST, gap)),
        "The squared distances in the columns add up.",
        about=[first, second],
    )


def _nearest(problem: Problem, number: int, row: int, squared: Floats, added: Floats) -> Question:
    """Return a question about the nearest row before, after, and in the new column alone."""
    others = np.delete(np.arange(len(squared)), row)
    orders = [
        others[np.argsort(d[others], kind="stable")] for d in (squared, squared + added, added)
    ]
    old, new, newest = (int(order[0]) for order in orders)
    after = squared + added
    # Those that wrong rules choose, and the nearest others.
    candidates = dict.fromkeys([new, old, newest, *orders[1].tolist()])
    among = sorted(list(candidates)[:MAX_CHOICES])
    equal = [i for i in among if np.isclose(after[i], after[new])]
    equal.sort(key=lambda i: i != new)
    listing = ", ".join(
        f"{num4(squared[i])} + {num4(added[i])} for row {_label(problem, i)}" for i in among
    )
    sums = ", ".join(f"{num4(after[i])} for row {_label(problem, i)}" for i in among)
    label = _label(problem, row)
    return Question(
        number,
        "nearest row",
        f"The squared distances from row {label} and what the next column adds are {listing}: which"
        " row is the nearest then?",
        Pick("row", [[_label(problem, i)] for i in equal], [_label(problem, i) for i in among]),
        f"The sums are {sums}.",
        (Wrong(Rule.STAY, [_label(problem, old)]), Wrong(Rule.NEWEST, [_label(problem, newest)])),
        "Only the sum over all columns counts.",
        "Several rows are equally near." if len(equal) > 1 else "",
        about=[label],
    )


def _contrast(problem: Problem, number: int, row: int, after: Floats) -> Iterator[Question]:
    lengths = np.sqrt(np.delete(after, row))
    near, far = float(lengths.min()), float(lengths.max())
    if near <= 0:
        return
    contrast = (far - near) / near
    label = _label(problem, row)
    yield Question(
        number,
        "contrast",
        f"With the next column the nearest row is {num4(near)} from row {label} and the farthest"
        f" {num4(far)}: what contrast do its distances have?",
        Value(contrast, max(0.01 * contrast, 0.005)),
        f"(farthest − nearest) / nearest = ({num4(far)} − {num4(near)}) / {num4(near)} ="
        f" {num4(contrast)}.",
        (Wrong(Rule.RATIO, far / near),),
        "The contrast is 0 where all rows are equally far.",
        about=[label],
    )


def _rim(number: int, d: int) -> Question:
    share, inner = 100 * float(edge_share(d, RIM).item()), num4(1 - 2 * RIM)
    dimensions = count(d, "dimension", "dimensions")
    return Question(
        number,
        "rim of the cube",
        f"In a unit cube of {dimensions}, what percentage of the volume is within {RIM} of a face?",
        Value(share, 0.5, "%"),
        f"The inner cube has the side {inner}, so 1 − {inner}^{d} = {percent(share / 100)}.",
        (
            Wrong(Rule.LINEAR, 200 * RIM * d, "The rims along several axes overlap."),
            Wrong(Rule.ALWAYS, 200 * RIM),
        ),
        "What remains is a cube with a shorter side.",
    )


def _label(problem: Problem, row: int) -> int:
    return int(problem.rows[row]) + 1
