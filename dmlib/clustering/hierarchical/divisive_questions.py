"""Questions about divisive clustering: the splinter group, the row that moves, the height."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from scipy.spatial.distance import squareform

from dmlib.arrays import Floats
from dmlib.clustering.hierarchical.divisive import DivisiveClustering
from dmlib.clustering.hierarchical.splits import DivisiveClusteringStep as Step
from dmlib.pictures.answers import Pick, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4
from dmlib.problem import Problem

N_SPLITS = 4  # that are asked about
TIE = 1e-9  # of the largest: a difference that is smaller is none


class SplitRule(Misconception):
    """Wrong rules of divisive clustering."""

    DISTANCE = "The row with the largest distance to any one row starts the splinter group."
    NEAREST = "The row that is nearest to the splinter group moves, however near the others are."
    MEAN = "A split has the height of the mean distance in its cluster."


def split_questions(run: Run[Problem, DivisiveClustering]) -> Iterator[Question]:
    """Yield the questions that the steps of divisive clustering answer.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.5, 4.5, 5.5, 9.5]}), ["a"])
    >>> asked = split_questions(Run.of(problem, DivisiveClustering(2)))
    >>> [question.topic for question in asked][:3]
    ['splinter group', 'height', 'splinter group']
    """
    steps = run.trace.steps
    for number, (before, step) in enumerate(pairwise(steps), start=1):
        if step.split > N_SPLITS:
            return
        if step.members is None or len(step.members) < 3:
            continue
        if step.phase == "splinter":
            yield from _first_row(run, number, step)
        elif step.phase == "move":
            yield from _next_row(run, number, step)
        elif before.phase in ("splinter", "move"):
            yield from _height(run, number, step)


def _first_row(
    run: Run[Problem, DivisiveClustering], number: int, step: Step
) -> Iterator[Question]:
    assert step.members is not None
    assert step.to_remaining is not None
    D = run.once("distances", lambda: _distances(run))[np.ix_(step.members, step.members)]
    means = step.to_remaining
    best = _largest(means)
    names = run.problem.rows[step.members] + 1
    farthest = int(D.max(axis=1).argmax())
    yield Question(
        number,
        "splinter group",
        f"A cluster of {len(names)} rows is split next, the one of the largest diameter. Which row "
        "starts its splinter group?",
        Pick("row", [[int(names[k])] for k in best]),
        f"The mean distance of row {names[best[0]]} to the other rows of the cluster is "
        f"{num4(means[best[0]])}, the largest.",
        (Wrong(SplitRule.DISTANCE, [int(names[farthest])]),),
        "Compare the mean distances to all other rows of the cluster.",
    )


def _next_row(run: Run[Problem, DivisiveClustering], number: int, step: Step) -> Iterator[Question]:
    assert step.members is not None
    assert step.to_remaining is not None
    assert step.to_splinter is not None
    advantage = step.to_remaining - step.to_splinter
    best = _largest(advantage)
    names = run.problem.rows[step.members] + 1
    nearest = int(np.nanargmin(step.to_splinter))
    row = best[0]
    yield Question(
        number,
        "move",
        "Which row joins the splinter group next?",
        Pick("row", [[int(names[k])] for k in best]),
        f"Row {names[row]}: on average {num4(step.to_remaining[row])} from the other remaining "
        f"rows, {num4(step.to_splinter[row])} from the splinter group. The difference "
        f"{num4(advantage[row])} is the largest.",
        (Wrong(SplitRule.NEAREST, [int(names[nearest])]),),
        "A row moves for the difference of two mean distances.",
    )


def _height(run: Run[Problem, DivisiveClustering], number: int, step: Step) -> Iterator[Question]:
    assert step.members is not None
    D = run.once("distances", lambda: _distances(run))[np.ix_(step.members, step.members)]
    pairs = D[np.triu_indices(len(D), 1)]
    mean = float(pairs.mean())
    yield Question(
        number,
        "height",
        f"The cluster of {len(D)} rows is split. Its largest distance is {num4(step.height)}, its "
        f"mean distance {num4(mean)}. At which height is the bracket?",
        Value(step.height, 0.01 * step.height),
        f"At the diameter, the largest distance in the cluster: {num4(step.height)}.",
        (Wrong(SplitRule.MEAN, mean),),
        "The height says how wide the cluster was.",
    )


def _distances(run: Run[Problem, DivisiveClustering]) -> Floats:
    distances: Floats = squareform(run.trace.steps[0].distances)
    return distances


def _largest(values: Floats) -> list[int]:
    """Return the places of the largest value, ties included."""
    limit = np.nanmax(values) - TIE * max(np.nanmax(np.abs(values)), 1e-300)
    places: list[int] = np.flatnonzero(values >= limit).tolist()
    return places
