"""Questions about bisecting k-means and X-means: the next cut, its SSE, and whether it is kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.clustering.kmeans_variants.bisecting_kmeans import BisectingKMeans, BisectingKMeansStep
from dmlib.clustering.kmeans_variants.xmeans_questions import xmeans_questions
from dmlib.clustering.partition import squared_distances
from dmlib.pictures.answers import MAX_OPTIONS, Option, Pick, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4
from dmlib.problem import Problem

MAX_STEPS = 60  # that are asked about
MAX_ROWS = 2000


class Rule(Misconception):
    """Wrong rules of bisecting k-means."""

    ROWS = "The cluster with the most rows is cut next."
    LOOSEST = "The cluster with the largest SSE per row is cut next."
    PARTS = "After a cut, the SSE is that of the two new parts."
    ADDED = "A cut adds the SSE of its two parts to the SSE so far."
    NEAREST = "At the end every row is in the cluster with the nearest centre."


def questions(run: Run[Problem, Any]) -> Iterator[Question]:
    """Yield the questions that the steps of bisecting k-means or X-means answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.clustering.BisectingKMeans` or :class:`dmlib.clustering.XMeans`.

    Yields
    ------
    Question
        Before choices and trial cuts and before the end, or before each judged cut.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import BisectingKMeans
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 10.0, 11.0, 30.0]}), ["a"])
    >>> model = BisectingKMeans(3, init="farthest", random_state=0)
    >>> [question.topic for question in questions(Run.of(problem, model))]
    ['SSE', 'next cut', 'SSE', 'nearest centre']
    """
    steps = run.trace.steps
    if not isinstance(run.model, BisectingKMeans):
        yield from xmeans_questions(run)
        return
    for number in range(1, min(len(steps), MAX_STEPS)):
        step: BisectingKMeansStep = steps[number]
        if step.phase == "choose":
            yield from _choice(run.model, number, step)
        elif step.phase == "trial":
            yield _trial(number, step)
        elif step.phase in ("assign", "done") and _asks_for_nearest(run, steps[number - 1]):
            yield from _nearest(run.problem, number, steps[number - 1])


def _asks_for_nearest(run: Run[Problem, Any], before: BisectingKMeansStep) -> bool:
    return before.phase in ("start", "split") and len(run.problem.X) <= MAX_ROWS


def _choice(model: BisectingKMeans, number: int, step: BisectingKMeansStep) -> Iterator[Question]:
    k = len(step.centers)
    if not 1 < k <= MAX_OPTIONS or step.cluster is None:
        return
    by_sse = model.bisecting_strategy == "biggest_inertia"
    scores = step.inertias if by_sse else step.counts
    ties = np.flatnonzero(np.isclose(scores, scores[step.cluster], rtol=1e-9, atol=0)).tolist()
    largest = f"the {'largest SSE' if by_sse else 'most rows'} of all"
    proof = f"Cluster {step.cluster + 1} has {largest}: {num4(scores[step.cluster])}."
    if scores[step.cluster] < scores.max():
        proof = f"Of the clusters with distinct rows, cluster {step.cluster + 1} has {largest}."
    per_row = step.inertias / np.maximum(step.counts, 1)
    wrong = [Wrong(Rule.LOOSEST, int(per_row.argmax()))]
    if by_sse:
        wrong.append(Wrong(Rule.ROWS, int(step.counts.argmax())))
    yield Question(
        number,
        "next cut",
        f"Clusters 1 to {k} have {_listing(step.counts)} rows, and the SSE "
        f"{_listing(step.inertias)}. Which one is cut next?",
        Option([f"cluster {j + 1}" for j in range(k)], ties),
        proof,
        wrong,
        "A cut is to lower the SSE of the whole." if by_sse else "Large clusters are to be cut.",
        "Several are equally large: the first of them is cut." if len(ties) > 1 else "",
    )


def _trial(number: int, step: BisectingKMeansStep) -> Question:
    assert step.cluster is not None
    assert step.child_inertias is not None
    before, parent = step.inertia, float(step.inertias[step.cluster])
    first, second = step.child_inertias.tolist()
    after = before - parent + first + second
    told = f", and {num4(parent)} of it is that of cluster {step.cluster + 1}"
    return Question(
        number,
        "SSE",
        f"The SSE is {num4(before)}{told if len(step.centers) > 1 else ''}. Now cluster "
        f"{step.cluster + 1} is cut into two parts with the SSE {num4(first)} and {num4(second)}. "
        "What would be the SSE of all clusters?",
        Value(after, 0.01 * max(after, 0.01 * before)),
        f"{num4(before)} − {num4(parent)} + {num4(first)} + {num4(second)} = {num4(after)}.",
        (Wrong(Rule.PARTS, first + second), Wrong(Rule.ADDED, before + first + second)),
        "The two parts take the place of one cluster; the others stay as they are.",
        about=[step.cluster],
        of="class",
    )


def _nearest(problem: Problem, number: int, step: BisectingKMeansStep) -> Iterator[Question]:
    squares = np.array([squared_distances(problem.X, center) for center in step.centers])
    own = squares[step.labels, np.arange(len(problem.X))]
    crossed = np.flatnonzero(squares.min(axis=0) < own * (1 - 1e-9))
    names = (problem.rows[crossed] + 1).tolist()
    proof = "Every row is nearest to the centre of its own cluster here, by chance."
    if names:
        row = int(crossed[0])
        other = int(squares[:, row].argmin())
        proof = (
            f"Row {names[0]} is {num4(np.sqrt(own[row]))} from centre {step.labels[row] + 1}, its "
            f"own, and {num4(np.sqrt(squares[other, row]))} from centre {other + 1}: it cannot "
            "cross an earlier cut."
        )
    yield Question(
        number,
        "nearest centre",
        "The cuts are complete. Which rows are nearer to the centre of another cluster than to "
        "that of their own?",
        Pick("row", [names], several=True),
        proof,
        (Wrong(Rule.NEAREST, []),),
        "Look at the rows along the borders of the first cuts.",
    )


def _listing(values: Floats | Any) -> str:
    *first, last = (num4(value) for value in values)
    return f"{', '.join(first)} and {last}"
