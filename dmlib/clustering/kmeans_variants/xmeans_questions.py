"""Questions about X-means: the parts of the BIC, and what a cut gains."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dmlib.clustering.kmeans_variants.xmeans import XMeans, XMeansStep
from dmlib.pictures.answers import Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4
from dmlib.problem import Problem

MAX_STEPS = 30  # that are asked about


class BICRule(Misconception):
    """Wrong rules of X-means."""

    FREE = "A cut is kept if the likelihood rises; parameters cost nothing."
    CENTERS = "Only the coordinates of the centres count as parameters."
    FULL = "Each parameter costs ln n."
    POPULATION = "The variance is the SSE divided by the number of rows and columns."


def xmeans_questions(run: Run[Problem, XMeans]) -> Iterator[Question]:
    """Yield the questions that the judged cuts of X-means answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.clustering.XMeans`.

    Yields
    ------
    Question
        Before each cut that is judged.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import XMeans
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 2.0, 10.0, 11.0, 13.0]}), ["a"])
    >>> run = Run.of(problem, XMeans(1, random_state=0))
    >>> [question.topic for question in xmeans_questions(run)][:3]
    ['variance', 'parameters', 'gain in BIC']
    """
    for number in range(1, min(len(run.trace.steps), MAX_STEPS)):
        step: XMeansStep = run.trace.steps[number]
        if step.phase != "improve_structure" or not (step.parent and step.children):
            continue
        if np.isfinite(step.children.bic) and np.isfinite(step.parent.bic):
            yield _variance(run.problem, number, step)
            yield _parameters(run.problem, number, step)
            yield _gain(number, step)


def _variance(problem: Problem, number: int, step: XMeansStep) -> Question:
    assert step.parent is not None
    n, d, sse = sum(step.parent.sizes), problem.X.shape[1], step.parent.inertia
    return Question(
        number,
        "variance",
        f"Cluster {_name(step)} has {n} rows of {d} columns around one centre, with the SSE "
        f"{num4(sse)}. Which variance does X-means estimate?",
        Value(step.parent.variance, 0.01 * step.parent.variance),
        f"SSE / (d (n − k)) = {num4(sse)} / ({d} · ({n} − 1)) = {num4(step.parent.variance)}.",
        (Wrong(BICRule.POPULATION, sse / (n * d)),),
        "The estimate is unbiased: each centre that is fitted costs a row.",
    )


def _gain(number: int, step: XMeansStep) -> Question:
    assert step.parent is not None
    assert step.children is not None
    n, p, q = sum(step.parent.sizes), step.parent.n_parameters, step.children.n_parameters
    rise = step.children.log_likelihood - step.parent.log_likelihood
    gain = step.children.bic - step.parent.bic
    return Question(
        number,
        "gain in BIC",
        f"Two centres instead of one change the log-likelihood of cluster {_name(step)} by "
        f"{num4(rise)}, and its {n} rows then need {q} instead of {p} parameters (ln {n} = "
        f"{num4(np.log(n))}). By how much does the BIC change?",
        Value(gain, 0.01 * max(abs(gain), 1.0)),
        f"{num4(rise)} − ({q} − {p}) / 2 · {num4(np.log(n))} = {num4(gain)}.",
        (Wrong(BICRule.FREE, rise), Wrong(BICRule.FULL, rise - (q - p) * np.log(n))),
        "BIC = ln L − p/2 · ln n.",
    )


def _parameters(problem: Problem, number: int, step: XMeansStep) -> Question:
    assert step.children is not None
    d, p = problem.X.shape[1], step.children.n_parameters
    return Question(
        number,
        "parameters",
        f"Cluster {_name(step)} is cut in two, in {d} columns. How many parameters does the BIC "
        "count for the two parts?",
        Value(p),
        f"(k − 1) + k d + 1 = 1 + 2 · {d} + 1 = {p}: shares, centres and the common variance.",
        (Wrong(BICRule.CENTERS, 2 * d),),
        "Shares that sum to 1, centres, and one variance for both.",
    )


def _name(step: XMeansStep) -> int:
    return (step.cluster or 0) + 1
