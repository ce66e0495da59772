"""Questions about detectors: neighbours, densities and their ratio, and which rows are marked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from dmlib.anomaly_detection.detector import Detector, DetectorStep
from dmlib.anomaly_detection.fences import FENCE, BoxPlotFences, FencesStep
from dmlib.anomaly_detection.isolation_forest import IsolationForestStep
from dmlib.anomaly_detection.local_outlier_factor import LocalOutlierFactorStep
from dmlib.anomaly_detection.mahalanobis import MahalanobisDistance, MahalanobisStep
from dmlib.anomaly_detection.neighbor_distance import NeighborStep
from dmlib.pictures.answers import Option, Pick, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import count, num4
from dmlib.problem import Problem

MAX_ROWS = 500  # in the picture: among more, nobody finds a row
MAX_NEIGHBORS = 5  # whose numbers are told
N_PAIRS = 2  # of rows whose reachability distance is asked for
CLEAR = 0.02  # scores that are nearer to each other or to the threshold cannot be told apart


class Rule(Misconception):
    """Wrong rules of the local outlier factor."""

    SELF = "A row is the first of its own neighbours."
    PLAIN = "The reachability distance is the distance of the two rows."
    OWN = "The reachability distance is at least the k-distance of the row itself."
    MEAN = "The density is the mean reachability distance."
    INVERSE = "The factor is the density of the row over that of its neighbours."
    FAR = "The rows that are farthest from their neighbours are marked."


def questions(run: Run[Problem, Detector[Any]]) -> Iterator[Question]:
    """Yield the questions that the steps of a detector answer.

    Parameters
    ----------
    run : Run
        Steps of a detector of :mod:`dmlib.anomaly_detection`.

    Yields
    ------
    Question
        Before densities and scores, and before rows are marked.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.anomaly_detection import LocalOutlierFactor
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 2.5, 9.0]}), ["a"])
    >>> asked = questions(Run.of(problem, LocalOutlierFactor(2)))
    >>> [question.topic for question in asked][-3:]
    ['neighbours', 'factor', 'marks']
    """
    steps = run.trace.steps
    if not 2 < len(run.problem.X) <= MAX_ROWS or not run.trace.complete:
        return
    for number in range(1, len(steps) - 1):
        yield from _about_step(run, number)
    yield from _marks(run, len(steps) - 1)


def _about_step(run: Run[Problem, Detector[Any]], number: int) -> Iterator[Question]:
    """Yield the questions that one step answers."""
    step = run.trace.steps[number]
    if isinstance(step, LocalOutlierFactorStep) and step.phase == "density":
        yield from _reach(run, number, step)
        yield from _density(run, number, step)
    elif isinstance(step, LocalOutlierFactorStep) and number % 2:
        yield from _factor(run, number, step)
    elif isinstance(step, NeighborStep) and step.phase == "score":
        yield from _neighbors(run, number, step)
    elif isinstance(run.model, BoxPlotFences) and step.phase == "quartiles":
        yield from _fence(run, number, step)
    elif isinstance(run.model, MahalanobisDistance) and number == 2:
        yield from _farther(run, number, step)
    elif isinstance(step, IsolationForestStep) and step.phase == "score":
        yield from _cuts(run, number, step)


def _reach(run: Run[Problem, Any], number: int, step: LocalOutlierFactorStep) -> Iterator[Question]:
    """Ask about the pairs in which the wrong rules are farthest from right."""
    own, k_distances = step.k_distances[:, None], step.k_distances[step.neighbors]
    distances = step.distances
    gaps = np.minimum(k_distances - distances, np.abs(own - k_distances))
    gaps = np.minimum(gaps, own - distances)
    order = np.argsort(-gaps, axis=None)[:N_PAIRS]
    for row, place in zip(*np.unravel_index(order, gaps.shape), strict=True):
        far = float(k_distances[row, place])
        if gaps[row, place] <= CLEAR * far:
            continue
        name, neighbor = _names(run, [row, step.neighbors[row, place]])
        distance, radius = float(distances[row, place]), float(step.k_distances[row])
        options = [
            f"{num4(distance)}: the distance of the two rows",
            f"{num4(radius)}: the k-distance of row {name}",
            f"{num4(far)}: the k-distance of row {neighbor}",
        ]
        yield Question(
            number,
            "reachability",
            f"Row {neighbor} is a neighbour of row {name}. What is the reachability distance of "
            f"row {name} from row {neighbor}?",
            Option(options, [2]),
            f"Row {neighbor} reaches as far as its own neighbours do: the larger of "
            f"{num4(distance)} and {num4(far)} is {num4(far)}.",
            (Wrong(Rule.PLAIN, 0), Wrong(Rule.OWN, 1)),
            "All rows close to the neighbour count as equally far from it.",
            about=[name, neighbor],
        )


def _density(
    run: Run[Problem, Any], number: int, step: LocalOutlierFactorStep
) -> Iterator[Question]:
    k = step.n_neighbors
    if not 1 < k <= MAX_NEIGHBORS:
        return
    reach = np.maximum(step.distances, step.k_distances[step.neighbors])
    for row in (int(step.densities.argmin()), int(step.densities.argmax())):
        (name,), mean = _names(run, [row]), float(reach[row].mean())
        numbers = ", ".join(num4(each) for each in reach[row])
        if abs(mean - 1 / mean) < CLEAR or not mean:
            continue
        yield Question(
            number,
            "density",
            f"The reachability distances of row {name} from its {k} neighbours are {numbers}. "
            "What is its local reachability density?",
            Value(1 / mean, 0.02 / mean),
            f"Their mean is {num4(mean)}, and 1 / {num4(mean)} = {num4(1 / mean)}.",
            (Wrong(Rule.MEAN, mean),),
            "Rows that are hard to reach lie less densely.",
            about=[name],
        )


def _factor(
    run: Run[Problem, Any], number: int, step: LocalOutlierFactorStep
) -> Iterator[Question]:
    k = step.n_neighbors
    if not 0 < k <= MAX_NEIGHBORS:
        return
    row = int(step.rows[step.scores[step.rows].argmax()])
    (name,), own = _names(run, [row]), float(step.densities[row])
    densities, factor = step.densities[step.neighbors[row]], float(step.scores[row])
    numbers = ", ".join(num4(each) for each in densities)
    mean = float(densities.mean())
    yield Question(
        number,
        "factor",
        f"Row {name} has the density {num4(own)}, and its neighbours have {numbers}. What is its "
        "local outlier factor?",
        Value(factor, 0.02 * factor),
        f"The neighbours' mean is {num4(mean)}, and {num4(mean)} / {num4(own)} = {num4(factor)}.",
        (Wrong(Rule.INVERSE, own / mean),),
        "It is above 1 for a row that lies less densely than its neighbours.",
        about=[name],
    )


def _neighbors(run: Run[Problem, Any], number: int, step: NeighborStep) -> Iterator[Question]:
    k = step.n_neighbors
    if not 0 < k <= MAX_NEIGHBORS:
        return
    row = int(step.rows[step.scores[step.rows].argmax()])
    distances = np.sort(np.linalg.norm(run.problem.X - run.problem.X[row], axis=1))[1:]
    if len(distances) > k and distances[k] - distances[k - 1] <= CLEAR * distances[k]:
        return  # which of them is nearer cannot be seen
    (name,), right = _names(run, [row]), _names(run, step.neighbors[row])
    yield Question(
        number,
        "neighbours",
        f"Which rows are the {k} nearest neighbours of row {name}?"
        if k > 1
        else f"Which row is the nearest neighbour of row {name}?",
        Pick("row", [right], several=k > 1),
        f"The last of them, row {right[-1]}, is {num4(distances[k - 1])} away.",
        (Wrong(Rule.SELF, [name, *right[:-1]]),),
        "Draw a circle around the row, and widen it.",
        about=[name],
    )


def _fence(run: Run[Problem, Any], number: int, step: FencesStep) -> Iterator[Question]:
    low, high = step.quartiles[:, step.column or 0].tolist()
    if not high > low:
        return
    name, fence = run.problem.features[step.column or 0], high + FENCE * (high - low)
    yield Question(
        number,
        "fence",
        f"The quartiles of {name} are {num4(low)} and {num4(high)}. Where is its upper fence?",
        Value(fence, 0.02 * (high - low)),
        f"{num4(high)} + 1.5 · ({num4(high)} − {num4(low)}) = {num4(fence)}.",
        hint="It is 1.5 interquartile ranges beyond the box.",
    )


def _farther(run: Run[Problem, Any], number: int, step: MahalanobisStep) -> Iterator[Question]:
    """Ask about two rows of which the one that is nearer counts as farther."""
    scores = run.trace.steps[-1].scores
    lengths = np.linalg.norm(run.problem.X - step.location, axis=1)
    swapped = np.where(
        lengths[:, None] < lengths, scores[:, None] - scores, -np.inf
    )  # the first is nearer
    first, second = np.unravel_index(int(swapped.argmax()), swapped.shape)
    if swapped[first, second] <= CLEAR:
        return
    names = _names(run, [first, second])
    far, near = float(scores[first]), float(scores[second])
    yield Question(
        number,
        "distance",
        f"Rows {names[0]} and {names[1]} are {num4(lengths[first])} and "
        f"{num4(lengths[second])} from the mean. Which one has the larger Mahalanobis distance?",
        Option([f"row {name}" for name in names], [0]),
        f"Row {names[0]} is at {num4(far)}, row {names[1]} at {num4(near)}: there is less spread "
        "in the direction of the first.",
        hint="Compare them with the ellipses.",
        about=names,
    )


def _cuts(run: Run[Problem, Any], number: int, step: IsolationForestStep) -> Iterator[Question]:
    if len(step.trees) > 1:
        return
    tree, scores = step.trees[0], run.trace.steps[-1].scores
    row = int(step.sample[scores[step.sample].argmax()])
    path = tree.path(run.problem.X[row])
    if tree.sizes[path[-1]] > 1:
        return
    (name,), n_cuts = _names(run, [row]), len(path) - 1
    yield Question(
        number,
        "path",
        f"The first tree is complete. How many of its cuts does row {name} pass until it is alone?",
        Value(n_cuts),
        f"It is alone in its cell after {count(n_cuts, 'cut', 'cuts')}.",
        hint="Cuts that lie beyond another cut do not count.",
        about=[name],
    )


def _marks(run: Run[Problem, Any], number: int) -> Iterator[Question]:
    last: DetectorStep = run.trace.steps[-1]
    threshold = last.threshold
    if threshold is None or last.anomalies is None:
        return
    if (np.abs(last.scores - threshold) <= CLEAR * max(threshold, CLEAR)).any():
        return
    marked = np.flatnonzero(last.anomalies)
    wrong = []
    if isinstance(last, LocalOutlierFactorStep) and last.n_neighbors:
        far = np.argsort(-last.k_distances, kind="stable")[: max(len(marked), 1)]
        wrong = [Wrong(Rule.FAR, _names(run, far))]
    proof = f"No score is above {num4(threshold)}."
    if len(marked):
        lowest = marked[last.scores[marked].argmin()]
        (name,), score = _names(run, [lowest]), num4(last.scores[lowest])
        have = "its score is" if len(marked) == 1 else "the lowest of their scores is"
        proof = f"Of {count(len(marked), 'row', 'rows')}, {have} {score}, that of row {name}."
    yield Question(
        number,
        "marks",
        f"All scores are known. Which rows are marked, with the threshold {num4(threshold)}?",
        Pick("row", [_names(run, marked)], several=True),
        proof,
        wrong,
        "Rows with a score above the threshold are marked.",
    )


def _names(run: Run[Problem, Any], rows: Iterable[Any]) -> list[int]:
    return [int(run.problem.rows[row]) + 1 for row in rows]
