"""Questions about least absolute deviations: the row that a line turns to, its slope, its end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from sklearn.base import clone

from dmlib.pictures.answers import Option, Pick, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4, signed
from dmlib.problem import Problem
from dmlib.regression.linear_regression.absolute_deviations import (
    AbsoluteStep,
    LeastAbsoluteDeviations,
    Turn,
)
from dmlib.regression.linear_regression.fit_ledger import Fit
from dmlib.regression.regression_questions import row_sets, tie_of

MAX_ROWS = 60  # among which a row is picked
FAR = 10  # times the range of the target, by which a row is moved


class AbsoluteRule(Misconception):
    """Wrong rules of least absolute deviations."""

    COUNT = "The slopes to all rows count alike: the line takes their median."
    FARTHEST = "The line turns to the row that is farthest away."
    RUN = "The slope is the difference of the places divided by that of the heights."
    PAIR = "A line through two rows cannot be turned to a better one."
    PULL = "A row pulls at the line the more, the larger its residual is."


def absolute_questions(
    run: Run[Problem, LeastAbsoluteDeviations], wrong: Sequence[Wrong]
) -> Iterator[Question]:
    """Yield the questions that the turns of a line answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.regression.LeastAbsoluteDeviations`.
    wrong : sequence of Wrong
        The rows that wrong rules turn the line to.
    """
    fit, steps = Fit.of(run, 1), run.trace.steps
    if not fit.is_line or len(fit.data.y) > MAX_ROWS or steps[-1].phase != "done":
        return
    for number, step in enumerate(steps):
        if step.phase == "turn" and step.iteration == 2:
            yield _row(fit, number, step, wrong)
        elif step.phase == "turn":
            yield _slope(fit, number, step)
            yield _is_end(number, steps[number - 1], step)
        elif step.phase == "done" and number > 1:
            yield _is_end(number, steps[number - 1], step)
            yield from _far_row(fit, run, number, step)


def _row(fit: Fit, number: int, step: AbsoluteStep, wrong: Sequence[Wrong]) -> Question:
    turn = step.turn
    assert turn is not None
    pivot = step.rows[0]
    reached = np.flatnonzero(np.isclose(turn.steps, turn.length, rtol=1e-9, atol=1e-12))
    (name,), (entering,) = (row_sets(fit.problem, [place]) for place in (pivot, turn.entering))
    is_below = (turn.weights > 0) & (turn.steps < turn.length)
    before, half = (turn.weights[is_below].sum(), turn.weights.sum() / 2)
    with_row = turn.weights[is_below].sum() + turn.weights[reached].sum()
    return Question(
        number,
        "row",
        f"The line is turned around row {name[0]} until Σ|e| is lowest: which other row will it go"
        " through?",
        Pick("row", row_sets(fit.problem, reached.tolist())),
        f"Half of the weights |x − x of row {name[0]}| is {num4(half)}; in the order of the slopes,"
        f" they sum to {num4(before)} before row {entering[0]} and to {num4(with_row)} with it.",
        (*_turned_otherwise(fit, turn), *wrong),
        "The slopes to the other rows have a weighted median.",
        tie_of(reached.tolist(), "slope"),
    )


def _turned_otherwise(fit: Fit, turn: Turn) -> list[Wrong]:
    """Return the rows to which wrong rules turn the line."""
    moving = np.flatnonzero(turn.weights > 0)
    by_slope = moving[np.argsort(turn.steps[moving], kind="stable")]
    median, farthest = int(by_slope[(len(moving) - 1) // 2]), int(turn.weights.argmax())
    places = ((AbsoluteRule.COUNT, median), (AbsoluteRule.FARTHEST, farthest))
    return [Wrong(rule, row_sets(fit.problem, [place])[0]) for rule, place in places]


def _slope(fit: Fit, number: int, step: AbsoluteStep) -> Question:
    x, y = fit.data.Z[list(step.rows), 0], fit.data.y[list(step.rows)]
    first, second = (names[0] for names in row_sets(fit.problem, step.rows))
    slope = float(step.coef[0])
    places = [f"({num4(a)}, {num4(b)})" for a, b in zip(x, y, strict=True)]
    return Question(
        number,
        "turned slope",
        f"The line is turned until it goes through row {first} at {places[0]} and row {second} at"
        f" {places[1]}: what will its slope be?",
        Value(slope, 0.01 * (abs(slope) or 1.0)),
        f"({num4(y[1])} − {signed(y[0], 4)}) / ({num4(x[1])} − {signed(x[0], 4)}) = {num4(slope)}.",
        (Wrong(AbsoluteRule.RUN, float((x[1] - x[0]) / (y[1] - y[0]))),) if y[0] != y[1] else (),
        "By how much does the line rise where x grows by 1?",
    )


def _is_end(number: int, before: AbsoluteStep, step: AbsoluteStep) -> Question:
    is_end = step.phase == "done"
    proof = (
        "Each turn around one of its rows raises Σ|e|, or leaves it as it is."
        if is_end
        else f"Σ|e| falls from {num4(before.sae)} to {num4(step.sae)}."
    )
    return Question(
        number,
        "end",
        "Will Σ|e| fall if the line is turned around one of the two rows that it goes through?",
        Option(["Yes", "No"], [int(is_end)]),
        proof,
        () if is_end else (Wrong(AbsoluteRule.PAIR, 1),),
        "Look for the weighted median of the slopes to each of the two rows.",
    )


def _far_row(
    fit: Fit, run: Run[Problem, LeastAbsoluteDeviations], number: int, step: AbsoluteStep
) -> Iterator[Question]:
    """Ask whether the line follows its highest row upwards: it is fitted again."""
    place = int((fit.data.y - step.intercept - fit.data.Z @ step.coef).argmax())
    training = run.problem.training
    y = np.array(training.y, float)
    length = FAR * float(np.ptp(y))
    y[place] += length
    moved = clone(run.model).fit(training.data, y)
    stays = np.allclose([moved.coef_[0], moved.intercept_], [step.coef[0], step.intercept])
    (name,) = row_sets(fit.problem, [place])
    yield Question(
        number,
        "far row",
        f"Row {name[0]} is the highest above the line: if it were {num4(length)} higher, where"
        " would the line with the lowest Σ|e| be?",
        Option(["Where it is now", "Nearer to the row"], [int(not stays)]),
        f"Fitted again, the slope is {num4(moved.coef_[0])} and the intercept"
        f" {num4(moved.intercept_)}: "
        + (
            "a row above the line adds to Σ|e| alike, however high it is." if stays else "it moves."
        ),
        (Wrong(AbsoluteRule.PULL, 1),),
        "Only on which side of the line a row lies can matter to a median.",
        about=name,
    )
