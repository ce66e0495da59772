"""Questions about mean shift: what a window averages, where a seed moves, and how modes merge."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from dmlib.arrays import Floats
from dmlib.clustering.mean_shift.algorithm import MeanShift, MeanShiftStep
from dmlib.clustering.mean_shift.kernel import means_around
from dmlib.clustering.mean_shift.scene import followed_seed
from dmlib.pictures.answers import Pick, Place, Value
from dmlib.pictures.ledger import abridged
from dmlib.pictures.plane import data_panel
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import count, num4
from dmlib.problem import Problem

MAX_STEPS = 30  # that are asked about
MAX_ROWS = 500  # in the picture: among more, nobody finds a row
MAX_SEEDS = 40  # among which one is chosen
MAX_TERMS = 6  # of a sum that is written out
REACH = 0.03  # share of an axis within which a place is the right one
CLEAR = 0.03  # a distance that differs less from the bandwidth, relatively, cannot be seen
SAME = 0.05  # of the bandwidth: seeds that rest nearer to each other are at one place


class Rule(Misconception):
    """Wrong rules of mean shift."""

    MIDDLE = "The seed moves to the middle between the outermost rows around it."
    SEEDS = "The seed moves to the mean of the other seeds around it."
    START = "The window stays around the row where the seed started."
    PLACES = "Every place where seeds come to rest is a cluster of its own."


def questions(run: Run[Problem, MeanShift]) -> Iterator[Question]:
    """Yield the questions that the steps of mean shift answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.clustering.MeanShift`.

    Yields
    ------
    Question
        Before each shift, and before the first mode.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import MeanShift
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 2.4, 8.0, 9.0]}), ["a"])
    >>> [question.topic for question in questions(Run.of(problem, MeanShift(bandwidth=2.0)))]
    ['window', 'window', 'mean', 'window', 'mean', 'modes']
    """
    problem, steps = run.problem, run.trace.steps
    if not steps or not 2 < len(problem.X) <= MAX_ROWS:
        return
    seed = followed_seed(run)
    first_merge = next((i for i, step in enumerate(steps) if step.phase == "merge"), 0)
    for number in range(1, min(len(steps), MAX_STEPS)):
        step, before = steps[number], steps[number - 1]
        if step.phase == "shift" and before.moving.any() and step.bandwidth > 0:
            yield from _shift(run, number, seed)
    if first_merge and steps[-1].phase == "assign":
        yield from _modes(run, first_merge)


def _shift(run: Run[Problem, MeanShift], number: int, seed: int) -> Iterator[Question]:
    problem = run.problem
    is_followed = run.model.kernel == "flat" and run.trace.steps[number - 1].moving[seed]
    if is_followed:
        yield from _window(run, number, seed)
    if len(problem.features) == 2 and problem.plane.exact:
        yield from _place(run, number)
    elif is_followed:
        yield from _mean(run, number, seed)


def _window(run: Run[Problem, MeanShift], number: int, seed: int) -> Iterator[Question]:
    step, before = run.trace.steps[number], run.trace.steps[number - 1]
    start, X, h = run.trace.steps[0].places[seed], run.problem.X, step.bandwidth
    distances = np.linalg.norm(X - before.places[seed], axis=1)
    if (np.abs(distances / h - 1) < CLEAR).any():
        return
    inside = np.flatnonzero(distances <= h)
    old = np.flatnonzero(np.linalg.norm(X - start, axis=1) <= h)
    place = ", ".join(num4(value) for value in before.places[seed][:3])
    farthest = int(inside[distances[inside].argmax()])
    yield Question(
        number,
        "window",
        f"Seed {seed + 1}, which is followed, is at ({place}) now. Which rows does its next shift "
        f"average (h = {num4(h)})?",
        Pick("row", [_names(run, inside)], several=True),
        f"{count(len(inside), 'row is', 'rows are')} within {num4(h)} of its place: row "
        f"{int(run.problem.rows[farthest]) + 1} is the farthest of them, at "
        f"{num4(distances[farthest])}.",
        (Wrong(Rule.START, _names(run, old)),),
        "Move the disc, so that the seed is in its middle.",
        about=[seed + 1],
        of="seed",
    )


def _mean(run: Run[Problem, MeanShift], number: int, seed: int) -> Iterator[Question]:
    step, before = run.trace.steps[number], run.trace.steps[number - 1]
    X, h = run.problem.X, step.bandwidth
    values = X[np.linalg.norm(X - before.places[seed], axis=1) <= h, 0]
    if not 2 < len(values) <= MAX_TERMS:
        return
    mean, name = float(step.places[seed, 0]), run.problem.features[0]
    yield Question(
        number,
        "mean",
        f"The rows within h of seed {seed + 1} have {name} {', '.join(map(num4, values))}: to "
        f"which {name} does the seed shift?",
        Value(mean, 0.01 * float(np.ptp(values)) or 0.01 * abs(mean)),
        f"({' + '.join(map(num4, values))}) / {len(values)} = {num4(mean)}.",
        (Wrong(Rule.MIDDLE, float(values.min() + values.max()) / 2),),
        "With the flat kernel, every row in the window counts the same.",
        about=[seed + 1],
        of="seed",
    )


def _place(run: Run[Problem, MeanShift], number: int) -> Iterator[Question]:
    """Ask about the seed at which the wrong rules are farthest from right."""
    step, before = run.trace.steps[number], run.trace.steps[number - 1]
    X, h, kernel = run.problem.X, step.bandwidth, run.model.kernel
    panel = data_panel(run.problem)
    moving = np.flatnonzero(before.moving)[:MAX_SEEDS]
    old, new = before.places[moving], step.places[moving]
    rules = {Rule.SEEDS: means_around(before.places, old, h, kernel)[0]}
    if kernel == "flat":
        rules[Rule.MIDDLE] = _middles(X, old, h)
    gaps = [np.linalg.norm((places - new) / panel.size, axis=1) for places in rules.values()]
    moves = np.linalg.norm((new - old) / panel.size, axis=1)
    worth = np.max(gaps, axis=0) * (moves > REACH)
    at = int(worth.argmax())
    if worth[at] <= REACH:
        return
    seed = int(moving[at])
    inside = np.flatnonzero(np.linalg.norm(X - old[at], axis=1) <= h)
    names = abridged([str(name) for name in _names(run, inside)], MAX_TERMS, ", ")
    x, y = new[at].tolist()
    width, height = (REACH * panel.size).tolist()
    proof = f"Rows {names} lie within {num4(h)} of it, and their mean is ({num4(x)}, {num4(y)})."
    if kernel != "flat":
        proof = f"The weighted mean of all rows, the near ones first, is ({num4(x)}, {num4(y)})."
    yield Question(
        number,
        "shift",
        f"Where does seed {seed + 1} shift (h = {num4(h)})?",
        Place(panel, [(x, y)], reach=(width, height)),
        proof,
        [Wrong(rule, tuple(places[at].tolist())) for rule, places in rules.items()],
        "Draw a circle of the radius h around it, and look at the rows inside.",
        about=[seed + 1],
        of="seed",
    )


def _modes(run: Run[Problem, MeanShift], number: int) -> Iterator[Question]:
    step: MeanShiftStep = run.trace.steps[number]
    last: MeanShiftStep = run.trace.steps[-1]
    places, h = step.places[step.densities > 0], step.bandwidth
    n_modes, n_places = len(last.cluster_centers), _n_places(places, SAME * h)
    if not h or n_modes == len(run.problem.X):
        return
    gaps = cdist(places, places)
    near = gaps[(gaps > SAME * h) & (gaps <= h)]
    proof = f"The modes that are left lie more than h = {num4(h)} apart."
    if near.size:
        proof = f"Two places only {num4(near.min())} apart, less than h = {num4(h)}, are one mode."
    yield Question(
        number,
        "modes",
        f"The seeds are at rest. Seeds within h = {num4(h)} of a denser one are merged into it. "
        "How many modes are left?",
        Value(n_modes),
        proof,
        (Wrong(Rule.PLACES, n_places),),
        "Begin at the densest place, and take all seeds within h of it.",
    )


def _middles(X: Floats, places: Floats, h: float) -> Floats:
    """Return the middle between the outermost rows around each place."""
    inside = (cdist(places, X) <= h)[:, :, None]
    low = np.where(inside, X, np.inf).min(axis=1)
    high = np.where(inside, X, -np.inf).max(axis=1)
    return np.where(inside.any(axis=1), (low + high) / 2, places)


def _n_places(places: Floats, width: float) -> int:
    """Return how many places are farther apart than a width, one after the other."""
    n, is_left = 0, np.ones(len(places), bool)
    while is_left.any():
        is_left &= np.linalg.norm(places - places[is_left.argmax()], axis=1) > width
        n += 1
    return n


def _names(run: Run[Problem, MeanShift], rows: NDArray[np.intp]) -> list[int]:
    names: list[int] = (run.problem.rows[rows] + 1).tolist()
    return names
