"""Questions about fuzzy c-means: memberships from distances, and centres from memberships."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dmlib.clustering.kernel_kmeans.fuzzy_cmeans import FuzzyCMeans, FuzzyCMeansStep, memberships
from dmlib.pictures.answers import Place, Value
from dmlib.pictures.plane import data_panel
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4
from dmlib.problem import Problem

MAX_STEPS = 40  # that are asked about
MAX_CLUSTERS = 3  # whose distances are told
MAX_ROWS = 2000
REACH = 0.03  # share of an axis within which a place is the right one


class FuzzyRule(Misconception):
    """Wrong rules of fuzzy c-means."""

    LINEAR = "A membership is proportional to one over the distance, whatever m is."
    CRISP = "A row belongs to the nearest centre alone."
    EQUAL = "A centre is the mean of all rows of which it has some share."


def fuzzy_questions(run: Run[Problem, FuzzyCMeans]) -> Iterator[Question]:
    """Yield the questions that the steps of fuzzy c-means answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.clustering.FuzzyCMeans`.

    Yields
    ------
    Question
        Before each assignment and update.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import FuzzyCMeans
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 4.0, 9.0, 10.0]}), ["a"])
    >>> run = Run.of(problem, FuzzyCMeans(2, init=[[0.0], [10.0]], max_iter=2))
    >>> [question.topic for question in fuzzy_questions(run)]
    ['membership', 'membership']
    """
    steps = run.trace.steps
    if len(run.problem.X) > MAX_ROWS:
        return
    for number in range(1, min(len(steps), MAX_STEPS)):
        step: FuzzyCMeansStep = steps[number]
        if step.memberships is None or step.memberships.shape[1] < 2:
            continue
        if step.phase == "assign" and step.memberships.shape[1] <= MAX_CLUSTERS:
            yield from _membership(run, number, step)
        elif step.phase == "update" and run.problem.plane.exact and run.problem.X.shape[1] == 2:
            yield _center(run, number, step)


def _membership(
    run: Run[Problem, FuzzyCMeans], number: int, step: FuzzyCMeansStep
) -> Iterator[Question]:
    u, m = np.asarray(step.memberships), run.model.m
    distances = np.linalg.norm(run.problem.X[:, None] - step.centers, axis=2)
    # With m = 3 the memberships are proportional to one over the distance
    linear = memberships(distances**2, 3.0)
    gaps = np.where(distances.min(axis=1, keepdims=True) > 0, np.abs(u - linear), 0.0)
    row, cluster = (int(i) for i in np.unravel_index(gaps.argmax(), gaps.shape))
    if gaps[row, cluster] == 0:
        return
    name, value = int(run.problem.rows[row]) + 1, float(u[row, cluster])
    listing = ", ".join(num4(d) for d in distances[row])
    power = num4(2 / (m - 1))
    terms = " + ".join(
        f"({num4(distances[row, cluster])}/{num4(d)})^{power}" for d in distances[row]
    )
    yield Question(
        number,
        "membership",
        f"Row {name} is {listing} from centres 1 to {u.shape[1]}. Which membership does it get in "
        f"cluster {cluster + 1} with m = {num4(m)}?",
        Value(value, 0.01),
        f"1 / ({terms}) = {num4(value)}.",
        (
            Wrong(FuzzyRule.LINEAR, float(linear[row, cluster])),
            Wrong(FuzzyRule.CRISP, float(u[row].argmax() == cluster)),
        ),
        "The exponent of the ratios of distances is 2 / (m − 1).",
        hides=("Raster",),
        about=[name],
    )


def _center(run: Run[Problem, FuzzyCMeans], number: int, step: FuzzyCMeansStep) -> Question:
    u, X, m = np.asarray(step.memberships), run.problem.X, run.model.m
    crisp = np.eye(u.shape[1])[u.argmax(axis=1)]
    sizes = crisp.sum(axis=0)
    hard = (crisp.T @ X) / np.maximum(sizes, 1)[:, None]
    gaps = np.where(sizes > 0, np.linalg.norm(hard - step.centers, axis=1), -1.0)
    cluster = int(gaps.argmax())
    panel = data_panel(run.problem)
    right, wrong, middle = run.problem.plane.project(
        np.array([step.centers[cluster], hard[cluster], X.mean(axis=0)])
    ).tolist()
    powers = u[:, cluster] ** m
    width, height = (REACH * panel.size).tolist()
    return Question(
        number,
        "centre",
        f"Where does centre {cluster + 1} move?",
        Place(panel, [(right[0], right[1])], reach=(width, height)),
        f"{run.problem.features[0]}: Σ uᵐ x / Σ uᵐ = {num4(powers @ X[:, 0])} / "
        f"{num4(powers.sum())} = {num4(step.centers[cluster, 0])}.",
        (
            Wrong(FuzzyRule.CRISP, (wrong[0], wrong[1])),
            Wrong(FuzzyRule.EQUAL, (middle[0], middle[1])),
        ),
        "All rows pull, each by the m-th power of its membership.",
        about=[cluster],
        of="class",
    )
