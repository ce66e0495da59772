"""Questions about principal components: turns, shares of the variance, deflation, scores."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dmlib.arrays import Floats
from dmlib.decomposition.axis_questions import axis_angle, axis_answer, degrees
from dmlib.decomposition.pca.algorithm import PCA
from dmlib.decomposition.pca.power_iteration import PCAStep
from dmlib.pictures.answers import Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num, percent, signed
from dmlib.problem import Problem

MAX_COLUMNS = 3  # of a product that is worked out by hand
MAX_QUESTIONS = 40
MIN_TURN = np.deg2rad(12.0)  # smaller turns are hard to see
FAR = 0.85  # of its distance from the mean: the score of a row for which the two differ visibly


class Rule(Misconception):
    """Wrong rules of principal components."""

    JUMP = "One iteration turns the axis to the direction of maximum variance."
    COLUMN = "The axis turns to the column with the largest variance."
    MIRROR = "Component 2 has the slope of component 1 with its sign changed."
    DEVIATIONS = "The explained share is a share of the standard deviations."
    WHOLE = "Deflation subtracts the whole variance λ from the variance of each column."
    DISTANCE = "The score of a row is its distance from the mean."


def questions(run: Run[Problem, PCA]) -> Iterator[Question]:
    """Yield the questions that the steps of the power iteration answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.decomposition.PCA`.

    Yields
    ------
    Question
        Before turns of the axis, before a component is accepted, and before the next one.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [4.0, -4.0, -1.5, 1.5], "b": [3.0, -3.0, 2.0, -2.0]})
    >>> run = Run.of(prepare(frame, ["a", "b"]), PCA(tol=0.1, random_state=0))
    >>> [question.topic for question in questions(run)][:5]
    ['turn', 'explained variance', 'score', 'second component', 'deflation']
    """
    steps = run.trace.steps
    if not steps or not float(np.trace(steps[0].covariance)) > 0:
        return
    for number, _ in zip(range(1, len(steps)), range(10 * MAX_QUESTIONS), strict=False):
        step, before = steps[number], steps[number - 1]
        if step.phase == "turn" and step.turned > MIN_TURN:
            yield from _turn(run, number, step, before)
        elif step.phase == "found" and step.component < MAX_QUESTIONS:
            yield from _component(run, number, step)
        elif step.phase == "start" and 0 < step.component < MAX_QUESTIONS:
            yield from _next_component(run, number, step)


def _turn(
    run: Run[Problem, PCA], number: int, step: PCAStep, before: PCAStep
) -> Iterator[Question]:
    if not _is_plane(run.problem):
        return
    image = step.covariance @ before.axis
    matrix = " and ".join(_vector(row) for row in step.covariance)
    sums = ", ".join(_product(row, before.axis) for row in step.covariance)
    best = np.linalg.eigh(run.trace.steps[0].covariance)[1][:, -1]
    column = np.eye(2)[int(np.argmax(np.diag(step.covariance)))]
    yield Question(
        number,
        "turn",
        f"S has the rows {matrix}, and the axis is w = {_vector(before.axis)}: what direction does"
        " it have after this iteration?",
        axis_answer(run.problem, step.axis),
        f"S w = ({sums}), which points {degrees(run.problem, image)} from the horizontal.",
        (
            Wrong(Rule.JUMP, axis_angle(run.problem, best)),
            Wrong(Rule.COLUMN, axis_angle(run.problem, column)),
        ),
        "The new axis points along S w: multiply each row of S by w.",
    )


def _component(run: Run[Problem, PCA], number: int, step: PCAStep) -> Iterator[Question]:
    total = float(np.trace(run.trace.steps[0].covariance))
    share, name = step.variance / total, f"component {step.component + 1}"
    all_variances = run.trace.steps[-1].variances
    roots = np.sqrt(np.maximum(all_variances, 0.0))
    root_share = float(roots[step.component] / max(roots.sum(), 1e-300))
    yield Question(
        number,
        "explained variance",
        f"Along {name} the variance is {num(step.variance, 4)}, and the columns have the variance"
        f" {num(total, 4)} together: what percentage does {name} explain?",
        Value(100 * share, 1.0, "%"),
        f"{num(step.variance, 4)} / {num(total, 4)} = {percent(share)}.",
        (
            Wrong(
                Rule.DEVIATIONS,
                100 * root_share,
                "Variances add up over the components, standard deviations do not.",
            ),
        ),
        "The variances of all components add up to those of the columns.",
    )
    if len(run.problem.features) <= MAX_COLUMNS:
        yield _score(run, number, step)


def _score(run: Run[Problem, PCA], number: int, step: PCAStep) -> Question:
    differences = run.problem.X - run.problem.X.mean(axis=0)
    scores, lengths = differences @ step.axis, np.linalg.norm(differences, axis=1)
    is_clear = np.abs(scores) < FAR * lengths
    row = int(np.argmax(np.where(is_clear, np.abs(scores), -1.0)))
    x, score = differences[row], float(scores[row])
    name = f"Row {run.problem.rows[row] + 1}"
    return Question(
        number,
        "score",
        f"{name} minus the mean is {_vector(x)}, and component {step.component + 1} is"
        f" w = {_vector(step.axis)}: what is the score of this row?",
        Value(score, max(0.02 * float(lengths[row]), 1e-12)),
        f"{_product(x, step.axis)}; the distance from the mean is {num(lengths[row], 3)}.",
        (Wrong(Rule.DISTANCE, float(lengths[row])),),
        "A score is a coordinate along the component: multiply entry by entry, and add.",
        about=[int(run.problem.rows[row]) + 1],
    )


def _next_component(run: Run[Problem, PCA], number: int, step: PCAStep) -> Iterator[Question]:
    if _is_plane(run.problem):
        yield _second_component(run.problem, number, step)
    n_columns = len(run.problem.features)
    if n_columns > 2:
        yield _remaining(run, number, step)
    if n_columns <= MAX_COLUMNS:
        yield _deflation(run, number, step)


def _second_component(problem: Problem, number: int, step: PCAStep) -> Question:
    first = step.components[0]
    mirrored = first * np.array([1.0, -1.0])
    angle = axis_angle(problem, first)
    return Question(
        number,
        "second component",
        f"Component 1 has the direction {angle:.0f}°: which direction does component 2 have?",
        axis_answer(problem, step.axis),
        f"It is orthogonal to component 1: {angle:.0f}° {'+' if angle < 90 else '−'} 90° ="
        f" {degrees(problem, step.axis)}.",
        (
            Wrong(
                Rule.MIRROR,
                axis_angle(problem, mirrored),
                "Two lines with opposite slopes are orthogonal only at 45°.",
            ),
        ),
        "Scores on different components are uncorrelated, and the components are orthogonal.",
        hides=("Segments",),
    )


def _remaining(run: Run[Problem, PCA], number: int, step: PCAStep) -> Question:
    total, found = float(np.trace(run.trace.steps[0].covariance)), step.variances
    share = max(1 - float(found.sum()) / total, 0.0)
    roots = np.sqrt(np.maximum(run.trace.steps[-1].variances, 0.0))
    root_share = 1 - float(roots[: len(found)].sum() / max(roots.sum(), 1e-300))
    return Question(
        number,
        "remaining variance",
        f"The columns have the variance {num(total, 4)} together, and the components found have"
        f" {num(found.sum(), 4)}: what percentage of the variance is left for the others?",
        Value(100 * share, 1.0, "%"),
        f"1 − {num(found.sum(), 4)} / {num(total, 4)} = {percent(share)}.",
        (
            Wrong(
                Rule.DEVIATIONS,
                100 * root_share,
                "Variances add up over the components, standard deviations do not.",
            ),
        ),
        "The variances of all components add up to those of the columns.",
    )


def _deflation(run: Run[Problem, PCA], number: int, step: PCAStep) -> Question:
    """Return a question about a column that the ledger does not work out."""
    found, column = step.component - 1, len(run.problem.features) - 1
    variance, w = float(step.variances[found]), float(step.components[found][column])
    remaining = float(step.covariance[column, column])
    old = remaining + variance * w**2
    name = run.problem.features[column]
    return Question(
        number,
        "deflation",
        f"The variance of {name} is {num(old, 4)}; component {found + 1} has λ ="
        f" {num(variance, 4)} and the entry {num(w, 3)} for {name}: what variance of {name} does"
        " deflation leave?",
        Value(remaining, max(0.02 * old, 1e-12)),
        f"S − λ w w′ leaves {num(old, 4)} − {num(variance, 4)} · {signed(w, 3)}² ="
        f" {num(remaining, 3)}.",
        (Wrong(Rule.WHOLE, old - variance),),
        "The matrix λ w w′ is subtracted from S: look at its entry on the diagonal.",
    )


def _is_plane(problem: Problem) -> bool:
    return len(problem.features) == 2 and problem.plane.exact


def _vector(values: Floats) -> str:
    return "(" + ", ".join(num(value, 3) for value in values) + ")"


def _product(values: Floats, weights: Floats) -> str:
    """Return a sum of products, with its result."""
    terms = (f"{signed(a, 3)} · {signed(b, 3)}" for a, b in zip(values, weights, strict=True))
    return f"{' + '.join(terms)} = {num(float(values @ weights), 3)}"
