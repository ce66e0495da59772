"""Questions about k-medians and spherical k-means: the new centre, and the nearest one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dmlib.clustering.kmeans.algorithm import KMeansStep
from dmlib.clustering.kmeans.kcentroids import KCentroids
from dmlib.clustering.kmeans.metric_partition import distances_between
from dmlib.pictures.answers import Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4
from dmlib.problem import Problem

MAX_VALUES = 9  # of a cluster, that are written out


class CentroidRule(Misconception):
    """Wrong rules of k-medians and spherical k-means."""

    MEAN = "The centre is the mean of its rows, whatever the distance."
    EUCLIDEAN = "The distance is the Euclidean one."


def centroid_questions(run: Run[Problem, KCentroids]) -> Iterator[Question]:
    """Yield the questions that the steps of k-medians or spherical k-means answer.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 3.0, 90.0, 91.0, 98.0]}), ["a"])
    >>> asked = centroid_questions(Run.of(problem, KCentroids(2, init=[[0.0], [90.0]])))
    >>> [question.topic for question in asked][:2]
    ['centre', 'centre']
    """
    X = run.model.prepared(run.problem.X)
    for number, step in enumerate(run.trace.steps):
        if step.phase == "update" and run.model.metric == "manhattan":
            yield from _median(run.problem, number, step)
        elif step.phase == "assign" and X.shape[1] > 1:
            yield from _distance(run, X, number, step)


def _median(problem: Problem, number: int, step: KMeansStep) -> Iterator[Question]:
    for cluster in range(len(step.centers)):
        values = np.sort(problem.X[step.labels == cluster, 0])
        if not 2 < len(values) <= MAX_VALUES or np.isclose(values.mean(), np.median(values)):
            continue
        median = float(np.median(values))
        listed = ", ".join(map(num4, values))
        yield Question(
            number,
            "centre",
            f"Cluster {cluster + 1} has the values {listed} of {problem.features[0]}. Where is "
            "its centre in this column after the update?",
            Value(median, 0.005 * max(abs(median), 1e-9)),
            f"At the median, {num4(median)}: the sum of absolute differences is smallest there.",
            (Wrong(CentroidRule.MEAN, float(values.mean())),),
            "Half of the values lie on each side.",
        )


def _distance(
    run: Run[Problem, KCentroids], X: np.ndarray, number: int, step: KMeansStep
) -> Iterator[Question]:
    if step.iteration > 1 or X.shape[1] > 2:
        return
    row, center = number % len(X), step.centers[0]
    distance = float(distances_between(X[[row]], step.centers[:1], run.model.metric)[0, 0])
    euclidean = float(np.linalg.norm(X[row] - center))
    x, c = (", ".join(map(num4, place)) for place in (run.problem.X[row], center))
    name = run.model.metric.replace("manhattan", "Manhattan")
    yield Question(
        number,
        "distance",
        f"Row {run.problem.rows[row] + 1} is at ({x}), centre 1 at ({c}). What is their {name} "
        "distance?",
        Value(distance, 0.01 * max(distance, 1e-6)),
        f"It is {num4(distance)}; the Euclidean one is {num4(euclidean)}.",
        (Wrong(CentroidRule.EUCLIDEAN, euclidean),),
        "The row joins the centre of the smallest such distance.",
    )
