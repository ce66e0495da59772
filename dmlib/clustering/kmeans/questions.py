"""Questions about k-means: which rows change cluster, where a centre moves, when it ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.clustering.kmeans.algorithm import KMeansStep
from dmlib.clustering.kmeans.centroids_questions import centroid_questions
from dmlib.clustering.kmeans.kcentroids import KCentroids
from dmlib.pictures.answers import Option, Pick, Place, Value
from dmlib.pictures.plane import data_panel
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4
from dmlib.problem import Problem

MAX_TERMS = 6  # of a sum that is written out
MAX_ROWS = 400  # whose nearest rows are searched; of more, the first ones
MAX_CENTERS = 5  # among which one is chosen as an option


class Rule(Misconception):
    """Wrong rules of k-means."""

    MIDDLE = "The centre moves to the middle between the outermost rows of its cluster."
    MEDIAN = "The centre moves to the median of its rows."
    ROW = "The centre moves to one of the rows."
    NEIGHBOUR = "A row joins the cluster of the row that is nearest to it."
    KEEP = "A row stays in its first cluster."
    LARGEST = "A row joins the largest cluster."


def questions(run: Run[Problem, Any]) -> Iterator[Question]:
    """Yield the questions that the steps of k-means, k-medians or spherical k-means answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.clustering.KMeans` or :class:`dmlib.clustering.KCentroids`.

    Yields
    ------
    Question
        Before each assignment and update.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import KMeans
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 9.0, 10.0], "b": [0.0, 0.0, 0.0, 0.0]})
    >>> problem = prepare(frame, ["a", "b"])
    >>> asked = questions(Run.of(problem, KMeans(2, init=problem.X[:2], tol=0)))
    >>> [question.topic for question in asked][:3]
    ['update', 'mean', 'assignment']
    """
    if isinstance(run.model, KCentroids):
        yield from centroid_questions(run)
        return
    steps = run.trace.steps
    neighbors = _nearest_rows(run.problem.X)
    for number in range(1, len(steps)):
        step, before = steps[number], steps[number - 1]
        if step.phase == "assign":
            yield from _assignment(run.problem, number, step, before, neighbors)
        elif step.phase == "update" and not step.relocated:
            yield from _update(run.problem, number, step)


def _assignment(
    problem: Problem, number: int, step: KMeansStep, before: KMeansStep, neighbors: NDArray[np.intp]
) -> Iterator[Question]:
    if before.labels is None:
        yield from _first_assignment(problem, number, step, neighbors)
        return
    changed = np.flatnonzero(step.labels != before.labels)
    names = (problem.rows[changed] + 1).tolist()
    nearest = before.labels[neighbors]
    followers = (problem.rows[np.flatnonzero(nearest != before.labels)] + 1).tolist()
    yield Question(
        number,
        "assignment",
        "The centres have moved. Which rows change their cluster now?",
        Pick("row", [names], several=True),
        _changes(problem, step, before, changed),
        (
            Wrong(Rule.KEEP, []),
            Wrong(Rule.NEIGHBOUR, followers, "Only the distances to the centres count."),
        ),
        "For each row, compare the distances to the centres.",
        hides=("Cells",),
    )


def _first_assignment(
    problem: Problem, number: int, step: KMeansStep, neighbors: NDArray[np.intp]
) -> Iterator[Question]:
    k = len(step.centers)
    if not 2 < k <= MAX_CENTERS or step.labels is None:
        return
    distances = np.linalg.norm(problem.X[:, None] - step.centers, axis=2)
    nearest_row = step.labels[neighbors]
    two = np.sort(distances, axis=1)[:, :2]
    is_clear = (two[:, 1] > 1.05 * two[:, 0]) & (two[:, 0] > 0)
    differs = np.flatnonzero(is_clear & (nearest_row != step.labels))
    row = int(differs[0]) if len(differs) else int(np.argmin(np.where(is_clear, two[:, 1], np.inf)))
    listing = ", ".join(f"{num4(d)} to centre {j + 1}" for j, d in enumerate(distances[row]))
    proof = f"Its distances are {listing}."
    right = np.flatnonzero(distances[row] == distances[row].min()).tolist()
    yield Question(
        number,
        "nearest centre",
        f"Which cluster does row {problem.rows[row] + 1} join?",
        Option([f"cluster {j + 1}" for j in range(k)], right),
        proof,
        (
            Wrong(Rule.NEIGHBOUR, int(nearest_row[row])),
            Wrong(Rule.LARGEST, int(np.argmax(step.counts))),
        ),
        "Compare the distances to the centres, whatever the other rows do.",
        hides=("Cells",),
        about=[int(problem.rows[row]) + 1],
    )


def _update(problem: Problem, number: int, step: KMeansStep) -> Iterator[Question]:
    assert step.labels is not None
    cluster = _most_telling(problem, step)
    rows = problem.X[step.labels == cluster]
    if len(problem.features) == 2 and problem.plane.exact and len(rows) > 2:
        yield _place(problem, number, step, cluster, rows)
    values = rows[:, 0]
    if 2 < len(rows) <= MAX_TERMS:
        column = problem.features[0]
        listing = ", ".join(num4(value) for value in values)
        yield Question(
            number,
            "mean",
            f"The rows of cluster {cluster + 1} have {column} {listing}: what will {column} of its "
            "centre be?",
            Value(float(step.centers[cluster, 0]), 0.01 * float(np.ptp(problem.X[:, 0]))),
            _sum(values, float(step.centers[cluster, 0])),
            (
                Wrong(Rule.MIDDLE, float(values.min() + values.max()) / 2),
                Wrong(Rule.MEDIAN, float(np.median(values))),
            ),
            "Every row of the cluster counts once.",
            about=[cluster],
            of="class",
        )


def _place(problem: Problem, number: int, step: KMeansStep, cluster: int, rows: Floats) -> Question:
    x, y = (float(value) for value in problem.plane.project(step.centers[cluster][None])[0])
    middle, median = (rows.min(0) + rows.max(0)) / 2, np.median(rows, axis=0)
    nearest = rows[np.argmin(np.linalg.norm(rows - step.centers[cluster], axis=1))]
    sums = [
        f"{name}: {_sum(values, float(center))}"
        for name, values, center in zip(
            problem.features, rows.T, step.centers[cluster], strict=True
        )
    ]
    proof = " ".join(sums)
    panel = data_panel(problem)
    width, height = panel.size.tolist()

    def at(row: NDArray[np.float64]) -> tuple[float, float]:
        across, up = problem.plane.project(row[None])[0]
        return float(across), float(up)

    return Question(
        number,
        "update",
        f"Where does centre {cluster + 1} move?",
        Place(panel, [(x, y)], reach=(0.03 * width, 0.03 * height)),
        proof,
        (
            Wrong(Rule.MIDDLE, at(middle)),
            Wrong(Rule.MEDIAN, at(median)),
            Wrong(Rule.ROW, at(nearest)),
        ),
        "Take the mean of each column over the rows of the cluster.",
        about=[cluster],
        of="class",
    )


def _changes(
    problem: Problem,
    step: KMeansStep,
    before: KMeansStep,
    changed: Sequence[int] | NDArray[np.intp],
) -> str:
    if not len(changed):
        return "Every row is nearest to the centre of its cluster already: the run ends."
    assert step.labels is not None
    assert before.labels is not None
    row = int(changed[0])
    new, old = (
        float(np.linalg.norm(problem.X[row] - step.centers[labels[row]]))
        for labels in (step.labels, before.labels)
    )
    return (
        f"Row {problem.rows[row] + 1} is {num4(new)} from centre {step.labels[row] + 1}, "
        f"and {num4(old)} from centre {before.labels[row] + 1}, its centre so far."
    )


def _most_telling(problem: Problem, step: KMeansStep) -> int:
    """Return the cluster whose mean is farthest from the middle and the median of its rows."""
    assert step.labels is not None
    gaps = np.full(len(step.centers), -1.0)
    for cluster in range(len(step.centers)):
        rows = problem.X[step.labels == cluster]
        if len(rows):
            middle, median = (rows.min(0) + rows.max(0)) / 2, np.median(rows, axis=0)
            mean = rows.mean(0)
            gaps[cluster] = min(np.linalg.norm(mean - middle), np.linalg.norm(mean - median))
    return int(np.argmax(gaps))


def _nearest_rows(X: Floats) -> NDArray[np.intp]:
    """Return the row that is nearest to each, among the first rows of many."""
    distances: Floats = np.linalg.norm(X[:, None] - X[:MAX_ROWS], axis=2)
    np.fill_diagonal(distances, np.inf)
    return np.asarray(distances.argmin(1), np.intp)


def _sum(values: NDArray[np.float64], mean: float) -> str:
    terms = " + ".join(num4(value) for value in values[:MAX_TERMS])
    more = " + …" if len(values) > MAX_TERMS else ""
    return f"({terms}{more}) / {len(values)} = {num4(mean)}."
