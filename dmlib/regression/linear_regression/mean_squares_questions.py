"""Questions about least mean squares: an error, the slope that it makes, and what is left of it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dmlib.pictures.answers import Option, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4, signed
from dmlib.problem import Problem
from dmlib.regression.linear_regression.fit_ledger import Fit
from dmlib.regression.linear_regression.least_mean_squares import (
    LeastMeanSquares,
    LeastMeanSquaresStep,
)

MAX_CORRECTIONS = 20  # that are asked about
LEAST = 1e-9  # share of the targets' range from which an error is asked about
FATES = (
    "It becomes smaller and keeps its sign",
    "It becomes smaller and changes its sign",
    "It becomes larger",
    "It becomes 0",
)


class MeanSquaresRule(Misconception):
    """Wrong rules of the correction by one row."""

    MINUS = "The error is the prediction minus the target."
    SHARED = "Each weight changes by η times the error, whatever its input is."
    DOWN = "A weight changes by minus η times the error times its input."
    THROUGH = "A correction moves the line through its row."


def mean_squares_questions(run: Run[Problem, LeastMeanSquares], fit: Fit) -> Iterator[Question]:
    """Yield the questions that the corrections of a line answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.regression.LeastMeanSquares`.
    fit : Fit
        Least squares on the same rows.
    """
    steps = run.trace.steps
    if not fit.is_line or fit.data.weights is not None:
        return
    spread = float(np.ptp(fit.data.y))
    for number, step in enumerate(steps[: MAX_CORRECTIONS + 1]):
        if step.phase == "correct" and abs(step.error) > LEAST * spread:
            yield _error(fit, number, steps[number - 1], step)
            yield from _slope(fit, number, steps[number - 1], step, run.model.learning_rate)
            yield from _fate(fit, number, step, run.model.learning_rate)


def _name(fit: Fit, step: LeastMeanSquaresStep) -> int:
    assert step.row is not None
    return int(fit.problem.rows[fit.problem.trained[step.row]]) + 1


def _place(fit: Fit, step: LeastMeanSquaresStep) -> tuple[float, float]:
    assert step.row is not None
    return float(fit.data.Z[step.row, 0]), float(fit.data.y[step.row])


def _error(
    fit: Fit, number: int, before: LeastMeanSquaresStep, step: LeastMeanSquaresStep
) -> Question:
    x, y = _place(fit, step)
    line = f"{num4(before.intercept)} + {signed(before.coef[0], 4)} · x"
    return Question(
        number,
        "error",
        f"The line is ŷ = {line}; row {_name(fit, step)} is at ({num4(x)}, {num4(y)}): what is"
        " its error e?",
        Value(step.error, 0.01 * abs(step.error)),
        f"e = {num4(y)} − ({num4(before.intercept)} + {signed(before.coef[0], 4)} ·"
        f" {signed(x, 4)}) = {num4(step.error)}.",
        (Wrong(MeanSquaresRule.MINUS, -step.error),),
        "It is positive where the prediction is too low.",
    )


def _slope(
    fit: Fit, number: int, before: LeastMeanSquaresStep, step: LeastMeanSquaresStep, rate: float
) -> Iterator[Question]:
    (x, _), old, new = _place(fit, step), float(before.coef[0]), float(step.coef[0])
    if abs(new - old) <= 0.02 * abs(new):
        return
    yield Question(
        number,
        "corrected slope",
        f"The slope is {num4(old)}. Row {_name(fit, step)} at x = {num4(x)} has the error"
        f" {num4(step.error)}, and η = {num4(rate)}: what will the slope be?",
        Value(new, 0.01 * max(abs(new), abs(new - old))),
        f"{num4(old)} + {num4(rate)} · {signed(step.error, 4)} · {signed(x, 4)} = {num4(new)}.",
        (
            Wrong(MeanSquaresRule.SHARED, old + rate * step.error),
            Wrong(MeanSquaresRule.DOWN, old - rate * step.error * x),
            Wrong(MeanSquaresRule.THROUGH, old + step.error * x / (1 + x * x)),
        ),
        "The weights move so that the error of the row shrinks.",
    )


def _fate(fit: Fit, number: int, step: LeastMeanSquaresStep, rate: float) -> Iterator[Question]:
    x, _ = _place(fit, step)
    length = 1 + x * x
    factor = 1 - rate * length
    if min(abs(factor), abs(abs(factor) - 1)) < 1e-6:  # it vanishes, or keeps its size
        return
    right = 2 if abs(factor) > 1 else int(factor < 0)
    yield Question(
        number,
        "what is left",
        f"Row {_name(fit, step)} has ‖x‖² = 1 + {signed(x, 4)}² = {num4(length)}, and η ="
        f" {num4(rate)}: what does the correction do to its own error?",
        Option(list(FATES), [right]),
        f"The correction multiplies it by 1 − η ‖x‖² = 1 − {num4(rate * length)} = {num4(factor)}.",
        (Wrong(MeanSquaresRule.THROUGH, 3),),
        "The prediction of the row changes by η e ‖x‖².",
    )
