"""Questions about discriminant analysis: covariances, what is pooled, scores, and predictions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.classification.class_questions import best, first_of, is_optional
from dmlib.classification.discriminant import Discriminant, DiscriminantStep, alike
from dmlib.pictures.answers import Option, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4, signed
from dmlib.problem import Problem

MAX_CLASSES = 5  # whose variances are averaged by hand
MAX_WEIGHTS = 3  # of a score that is computed by hand
MAX_ROWS = 4  # whose prediction is asked for
CLEAR = 0.15  # correlation whose sign, and lead of a class that is seen
SIGNS = ("positive", "negative", "0")
TOLERANCE = 0.01


class Rule(Misconception):
    """Wrong rules of discriminant analysis."""

    OVERALL = "Columns vary together within a class as they do over all rows."
    EVEN = "The covariance matrices of the classes count alike, however many rows each has."
    TOTAL = "The pooled covariance matrix is that of all rows together."
    CONSTANT = "The score has no constant: the prior and the mean do not count."
    NEAREST = "The class with the nearest mean is predicted."
    FREQUENT = "The most frequent class is predicted."


def questions(run: Run[Problem, Discriminant]) -> Iterator[Question]:
    """Yield the questions that the steps of discriminant analysis answer.

    Parameters
    ----------
    run : Run
        Steps of one of the classifiers of :mod:`dmlib.classification.discriminant`.

    Yields
    ------
    Question
        Before each covariance matrix, the pooled one, and each discriminant.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import LinearDiscriminantAnalysis
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 2, 4, 6], "b": [0.0, 2, 0, 2], "c": list("xxyy")})
    >>> problem = prepare(frame, ["a", "b"], target="c", labelled=True)
    >>> run = Run.of(problem, LinearDiscriminantAnalysis())
    >>> [question.topic for question in questions(run)][:5]
    ['covariance', 'covariance', 'pooled variance', 'score', 'prediction']
    """
    if run.trace.complete:
        yield from first_of(_of_steps(run))


def _of_steps(run: Run[Problem, Discriminant]) -> Iterator[Question]:
    steps = run.trace.steps
    for number in range(1, len(steps)):
        step: DiscriminantStep = steps[number]
        if step.phase == "covariance":
            yield from _covariance(run, number, step)
        elif step.phase == "pool":
            yield from _pooled(run, number, step)
        elif step.phase == "discriminant" and (step.index or 0) < len(step.counts) - 1:
            yield from _score(run, number, step)
        elif step.phase == "discriminant":  # the last one: now all can be compared
            yield from _prediction(run, number, step)


def _covariance(
    run: Run[Problem, Discriminant], number: int, step: DiscriminantStep
) -> Iterator[Question]:
    pair = _columns(run.problem)
    if pair is None:
        return
    i, j = pair
    matrix = step.singles[-1]
    r = _correlation(matrix, i, j)
    if not CLEAR <= abs(r) <= 1.01:
        return
    overall = np.cov(np.asarray(run.problem.training.X, float)[:, [i, j]].T)
    first, second = run.problem.features[i], run.problem.features[j]
    name = _names(run)[step.index or 0]
    yield Question(
        number,
        "covariance",
        f"Of which sign is the covariance of {first} and {second} within class {name}?",
        Option(SIGNS, [0 if r > 0 else 1]),
        f"s({first}, {second}) is {num4(matrix[i, j])} within {name}; the correlation is "
        f"{num4(r)}, and over all rows {num4(_correlation(overall, 0, 1))}.",
        [Wrong(Rule.OVERALL, int(np.argmax([overall[0, 1] > 0, overall[0, 1] < 0, True])))],
        f"Look at the rows of {name} alone, around their mean.",
        about=[int(run.fitted.classes_[step.index or 0])],
        of="class",
    )


def _pooled(
    run: Run[Problem, Discriminant], number: int, step: DiscriminantStep
) -> Iterator[Question]:
    names = _names(run)
    if step.pooled is None or len(names) > MAX_CLASSES:
        return
    j = 0 if (pair := _columns(run.problem)) is None else pair[0]
    variances = np.array([matrix[j, j] for matrix in step.singles])
    counts = step.counts
    right = float(step.pooled[j, j])
    listing = ", ".join(
        f"{num4(variance)} ({name}, {int(n)} rows)"
        for variance, name, n in zip(variances, names, counts, strict=True)
    )
    terms = " + ".join(
        f"{int(n)} · {num4(variance)}" for n, variance in zip(counts, variances, strict=True)
    )
    overall = float(np.var(np.asarray(run.problem.training.X, float)[:, j]))
    yield Question(
        number,
        "pooled variance",
        f"The variances of {run.problem.features[j]} are {listing}: what is the pooled one?",
        Value(right, TOLERANCE * right),
        f"({terms}) / {int(counts.sum())} = {num4(right)}.",
        (
            Wrong(Rule.EVEN, float(variances.mean())),
            Wrong(Rule.TOTAL, overall, "The distances between the means do not count."),
        ),
        "It is a mean, in which every row counts once.",
    )


def _score(
    run: Run[Problem, Discriminant], number: int, step: DiscriminantStep
) -> Iterator[Question]:
    k = step.index or 0
    is_linear = alike(step.matrices)
    if step.weights is None or step.constants is None or not is_linear:
        return
    w, b, x = step.weights[k], float(step.constants[k]), run.current_query.x
    if len(w) > MAX_WEIGHTS or not np.isfinite([*w, b, *x]).all():
        return
    products = " + ".join(
        f"{signed(weight, 4)} · {signed(value, 4)}" for weight, value in zip(w, x, strict=True)
    )
    score = float(w @ x) + b
    size = max(float(np.abs(w * x).max()), abs(b))
    weights = ", ".join(num4(weight) for weight in w)
    place = ", ".join(num4(value) for value in x)
    yield Question(
        number,
        "score",
        f"The discriminant of {_names(run)[k]} has w = ({weights}) and b = {num4(b)}. What is its "
        f"score at ({place})?",
        Value(score, TOLERANCE * size),
        f"w′x + b = {products} + {signed(b, 4)} = {num4(score)}.",
        [Wrong(Rule.CONSTANT, score - b)],
        "Multiply column by column, and add up.",
    )


def _prediction(
    run: Run[Problem, Discriminant], number: int, step: DiscriminantStep
) -> Iterator[Question]:
    names, training = _names(run), run.problem.training
    if not is_optional(names):
        return
    X = np.asarray(training.X, float)
    posterior = run.fitted.predict_proba(training.data)
    nearest = np.linalg.norm(X[:, None] - step.means, axis=2).argmin(axis=1)
    for i in _telling_rows(posterior, nearest):
        row = int(training.rows[i]) + 1
        listing = ", ".join(
            f"{num4(p)} for {name}" for p, name in zip(posterior[i], names, strict=True)
        )
        yield Question(
            number,
            "prediction",
            f"All discriminants are known then: which class is predicted for row {row}?",
            Option(names, best(posterior[i])),
            f"The probabilities there are {listing}.",
            (Wrong(Rule.NEAREST, int(nearest[i])), Wrong(Rule.FREQUENT, int(step.counts.argmax()))),
            "What counts is how many standard deviations a mean is away, and the prior.",
            hides=("Line",),
            about=[row],
        )


def _telling_rows(posterior: Floats, nearest: NDArray[np.intp]) -> list[int]:
    """Return the rows that are not predicted as the nearest mean says first, then sure ones."""
    ordered = np.sort(posterior, axis=1)
    lead = ordered[:, -1] - ordered[:, -2]
    differs = posterior.argmax(axis=1) != nearest
    order = np.lexsort((-lead, ~differs))
    return [int(i) for i in order if lead[i] > CLEAR][:MAX_ROWS]


def _columns(problem: Problem) -> tuple[int, int] | None:
    """Return the two columns that are in view; None where these are no two columns."""
    axes = problem.plane.basis
    columns = [int(np.flatnonzero(axis)[0]) for axis in axes if (axis != 0).sum() == 1]
    return (columns[0], columns[1]) if len(set(columns)) == 2 else None


def _correlation(matrix: Floats, i: int, j: int) -> float:
    size = float(np.sqrt(matrix[i, i] * matrix[j, j]))
    return float(matrix[i, j]) / size if size > 0 else 0.0


def _names(run: Run[Problem, Discriminant]) -> list[str]:
    return [run.problem.classes[code] for code in run.fitted.classes_]
