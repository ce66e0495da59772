"""Questions about OPTICS: core and reachability distances, the order, and a cut of the plot."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.clustering.neighbors import Indices, Neighbors
from dmlib.clustering.optics.algorithm import OPTICS, OPTICSStep
from dmlib.clustering.reachability import cut_reachability
from dmlib.pictures.answers import Option, Pick
from dmlib.pictures.motion import nth
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4
from dmlib.problem import Problem

MAX_STEPS = 60  # that are asked about
MAX_ROWS = 1000  # in the picture: among more, nobody finds a row
MAX_NOISE = 8  # rows that are picked
GAP = 0.04  # between heights of bars, as a share of the highest, in which a cut is seen


class Rule(Misconception):
    """Wrong rules of OPTICS."""

    OTHERS = "The row itself does not count for its core distance."
    NEAREST = "The row nearest to the one just processed comes next."
    DISTANCE = "The reachability is the plain distance of the two rows."
    LATEST = "A row keeps the reachability from the row processed last."
    ABOVE = "Every row whose bar is higher than the cut is noise."


def questions(run: Run[Problem, OPTICS]) -> Iterator[Question]:
    """Yield the questions that the steps of OPTICS answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.clustering.OPTICS`.

    Yields
    ------
    Question
        Before the rows are processed, and before the end.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import OPTICS
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 3.0, 9.0, 10.0]}), ["a"])
    >>> [question.topic for question in questions(Run.of(problem, OPTICS(2)))]
    ['core distance', 'reachability', 'next row', 'core distance', 'noise', 'noise']
    """
    steps = run.trace.steps
    if not 2 < len(run.problem.X) <= MAX_ROWS or not steps:
        return
    neighbors = Neighbors(run.problem.X, metric=run.model.metric)
    is_open = np.ones(len(run.problem.X), bool)
    for number in range(1, min(len(steps), MAX_STEPS)):
        step, before = steps[number], steps[number - 1]
        if step.row is None or before.row is None:
            break
        is_open[before.row] = False
        if number % 3 == 0 and step.phase == "process":
            yield from _next(run, number, is_open, neighbors)
        elif number % 3 == 2 and np.isfinite(step.core_distance):
            yield from _reachability(run, number, is_open, neighbors)
        elif np.isfinite(step.core_distance):
            yield from _core(run, number, neighbors)
    if steps[-1].ordering is not None:
        yield from _noise(run, steps[-1])


def _core(run: Run[Problem, OPTICS], number: int, neighbors: Neighbors) -> Iterator[Question]:
    step: OPTICSStep = run.trace.steps[number]
    row, least = _row(step), run.model.min_samples
    if isinstance(least, float):
        return
    others = np.sort(np.delete(neighbors.distances(row), row))
    first = max(0, least - 4)
    options = [num4(distance) for distance in others[first : least + 1]]
    if len(set(options)) < len(options):
        return
    at = least - 2 - first
    name, beyond = _name(run, row), [at + 1] if at + 1 < len(options) else []
    following = f"The {nth(first + 1)} and the following" if first else "Its nearest"
    yield Question(
        number,
        "core distance",
        f"Row {name} is processed next. {following} other rows are at {', '.join(options)}. "
        f"What is its core distance for {least} minimum points?",
        Option(options, [at]),
        f"{least} points with row {name} itself need {least - 1} other rows: the last of them is "
        f"at {num4(step.core_distance)}.",
        [Wrong(Rule.OTHERS, place) for place in beyond],
        "It is the smallest radius at which the row is a core point.",
        about=[name],
    )


def _reachability(
    run: Run[Problem, OPTICS], number: int, is_open: NDArray[np.bool_], neighbors: Neighbors
) -> Iterator[Question]:
    step: OPTICSStep = run.trace.steps[number]
    before: OPTICSStep = run.trace.steps[number - 1]
    row, core = _row(step), step.core_distance
    distances = neighbors.distances(row)
    reached = np.maximum(distances, core)
    waits = is_open & np.isfinite(before.reachabilities) & (distances <= run.model.max_eps)
    waits[row] = False
    if not waits.any():
        return
    # Of the rows at which the wrong rules differ, the nearest is the one that a learner would take
    rises = waits & (reached > 1.02 * before.reachabilities)
    hides = waits & (reached < before.reachabilities) & (core > 1.02 * distances)
    for candidates in (rises, hides) if number % 2 else (hides, rises):
        if candidates.any():
            waits = candidates
            break
    other = int(np.where(waits, distances, np.inf).argmin())
    d, old, new = (float(each[other]) for each in (distances, before.reachabilities, reached))
    after, name = min(old, new), _name(run, other)
    places = sorted({num4(each): each for each in (core, d, old)}.values())
    options = [num4(each) for each in places]
    if len(options) < 3:
        return
    yield Question(
        number,
        "reachability",
        f"Row {_name(run, row)} with the core distance {num4(core)} is processed next. Row {name}, "
        f"{num4(d)} from it, waits with the reachability {num4(old)}. What is its reachability "
        "then?",
        Option(options, [options.index(num4(after))]),
        f"max(core, d) = max({num4(core)}, {num4(d)}) = {num4(new)}, and min({num4(old)}, "
        f"{num4(new)}) = {num4(after)}.",
        (
            Wrong(Rule.LATEST, options.index(num4(new))),
            Wrong(Rule.DISTANCE, options.index(num4(d))),
        ),
        "A reachability is at least the core distance of the row it comes from, and never rises.",
        about=[name],
    )


def _next(
    run: Run[Problem, OPTICS], number: int, is_open: NDArray[np.bool_], neighbors: Neighbors
) -> Iterator[Question]:
    step: OPTICSStep = run.trace.steps[number]
    before: OPTICSStep = run.trace.steps[number - 1]
    row, last = _row(step), _row(before)
    waiting = np.where(is_open, before.reachabilities, np.inf)
    n_waiting = int(np.isfinite(waiting).sum())
    if n_waiting < 2:
        return
    same = np.flatnonzero(np.isclose(waiting, waiting[row], rtol=1e-9, atol=0))
    ties = [row, *same[same != row]]
    nearest = int(np.where(np.isfinite(waiting), neighbors.distances(last), np.inf).argmin())
    proof = f"Row {_name(run, row)} has the smallest reachability, {num4(waiting[row])}"
    if nearest not in ties:
        proof += f"; that of row {_name(run, nearest)} is {num4(waiting[nearest])}"
    yield Question(
        number,
        "next row",
        f"{n_waiting} rows are on the seed list. Which row is processed next?",
        Pick("row", [[_name(run, i)] for i in ties]),
        f"{proof}.",
        (Wrong(Rule.NEAREST, [_name(run, nearest)]),),
        "It may be reached from any of the processed rows.",
        "Several rows have the same reachability." if len(ties) > 1 else "",
    )


def _noise(run: Run[Problem, OPTICS], done: OPTICSStep) -> Iterator[Question]:
    """Ask at heights of a cut where some row above it starts a cluster, and another is noise."""
    assert done.ordering is not None
    processed = [step for step in run.trace.steps if step.row is not None]
    core = np.full(len(processed), np.inf)
    core[[_row(step) for step in processed]] = [step.core_distance for step in processed]
    heights = np.unique(done.reachabilities[np.isfinite(done.reachabilities)])
    n_asked = 0
    for low, high in pairwise(heights.tolist()):
        height = float(f"{(low + high) / 2:.3g}")
        above = done.reachabilities > height
        noise = above & (core > height)
        is_seen = high - low > GAP * heights[-1] and low < height < high
        if not is_seen or n_asked == 2 or noise.sum() > MAX_NOISE:
            continue
        if cut_reachability(done.ordering, done.reachabilities, core, height).max() < 0:
            continue
        n_asked += 1
        yield _cut(run, len(run.trace.steps) - 1, height, (np.flatnonzero(noise), above), core)


def _cut(
    run: Run[Problem, OPTICS],
    number: int,
    height: float,
    rows: tuple[Indices, NDArray[np.bool_]],
    core: Floats,
) -> Question:
    noise, above = rows
    start = int(np.where(above, core, np.inf).argmin())
    return Question(
        number,
        "noise",
        f"Which rows would be noise if the plot were cut at {num4(height)}?",
        Pick("row", [[_name(run, row) for row in noise]], several=True),
        f"Row {_name(run, start)} lies above the cut, but its core distance {num4(core[start])} "
        "does not: it starts a cluster.",
        (Wrong(Rule.ABOVE, [_name(run, row) for row in np.flatnonzero(above)]),),
        "The first row of each valley stands before it, and has a high bar.",
    )


def _row(step: OPTICSStep) -> int:
    return 0 if step.row is None else step.row


def _name(run: Run[Problem, OPTICS], row: int | np.integer[Any]) -> int:
    return int(run.problem.rows[row]) + 1
