"""Questions about least absolute deviations: the row that a line turns to, its slope, its end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from dmlib.pictures.answers import Option, Pick, Value
from dmlib.pictures.question import Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4, signed
from dmlib.problem import Problem
from dmlib.regression.linear_regression.absolute_deviations import (
    AbsoluteStep,
    LeastAbsoluteDeviations,
)
from dmlib.regression.linear_regression.fit_ledger import Fit
from dmlib.regression.regression_questions import row_sets, tie_of

MAX_ROWS = 60  # among which a row is picked


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
        wrong,
        "The slopes to the other rows have a weighted median.",
        tie_of(reached.tolist(), "slope"),
    )


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
        hint="Divide the difference of the heights by that of the places.",
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
        hint="Look for the weighted median of the slopes to each of the two rows.",
    )
