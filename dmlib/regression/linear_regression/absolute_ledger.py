"""The captions and the arithmetic of least absolute deviations."""

from __future__ import annotations

import numpy as np

from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, numbered_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import NO_R2, changes, count, num, num4, short, signed
from dmlib.problem import Query
from dmlib.regression.linear_regression.absolute_deviations import AbsoluteStep
from dmlib.regression.linear_regression.fit_ledger import Fit, term_table
from dmlib.regression.linear_regression.ledger import equation
from dmlib.regression.linear_regression.result_ledger import query_blocks

MAX_ROWS = 9  # lines of the table of a weighted median
MAX_NAMES = 4  # rows that a caption names


def caption_and_ledger(fit: Fit, moment: Moment, query: Query | None) -> tuple[str, Blocks]:
    """Return the caption and the ledger of a moment, and the prediction of a query."""
    step: AbsoluteStep = moment.step
    if step.phase == "done":
        caption, ledger = _done(fit, step)
    else:
        caption = _median(fit, step) if step.phase == "median" else _turn(fit, step, moment.before)
        ledger = [*_weighted_median(fit, step, moment.before), Formula(equation(fit, step))]
    ledger = [*ledger, _sums(fit, step)]
    return caption, ledger if query is None else [*query_blocks(fit, step, query), *ledger]


def _number(fit: Fit, place: int) -> int:
    """Return the number of a training row in the table, from 1."""
    return int(fit.problem.rows[fit.problem.trained[place]]) + 1


def _names(fit: Fit, step: AbsoluteStep) -> str:
    numbers = [str(number) for number in sorted(_number(fit, place) for place in step.rows)]
    if len(numbers) > MAX_NAMES:
        return f"{len(numbers)} rows"
    if len(numbers) == 1:
        return f"row {numbers[0]}"
    return f"rows {', '.join(numbers[:-1])} and {numbers[-1]}"


def _median(fit: Fit, step: AbsoluteStep) -> str:
    name = "weighted median" if fit.data.weights is not None else "median"
    return (
        f"The {name} of {fit.problem.target} is that of row {_number(fit, step.rows[0])},"
        f" {num4(step.intercept)}: predicting it everywhere gives Σ|e| = {num4(step.sae)}."
    )


def _turn(fit: Fit, step: AbsoluteStep, before: AbsoluteStep) -> str:
    turn = step.turn
    assert turn is not None
    entering = f"row {_number(fit, turn.entering)}"
    fall = changes("Σ|e|", short(before.sae), short(step.sae))
    if fit.is_line:
        return (
            f"Turned around row {_number(fit, _pivot(step))} up to {entering}, the line has slope"
            f" {num4(step.coef[0])}, and {fall}."
        )
    if before is step:
        return f"The line through 0 and {entering} has Σ|e| = {num4(step.sae)}."
    if turn.leaving is None:
        terms = count(len(step.rows) - int(fit.data.fit_intercept), "term", "terms")
        return f"With {terms}, the residual of {entering} becomes 0, and {fall}."
    leaving = _number(fit, turn.leaving)
    return f"Row {leaving} leaves until the residual of {entering} becomes 0; {fall}."


def _weighted_median(fit: Fit, step: AbsoluteStep, before: AbsoluteStep) -> Blocks:
    """Write out the weighted median that the move goes to, with the rows next to it."""
    turn = step.turn
    assert turn is not None
    if step.phase == "median":
        name, origin = fit.problem.target, fit.data.y_mean
    elif fit.is_line:
        name, origin = "slope", float(before.coef[0])
    else:
        name, origin = "move", 0.0
    order = np.argsort(turn.steps, kind="stable")
    order = order[turn.weights[order] > 0]
    below = np.cumsum(turn.weights[order])
    place = int(np.flatnonzero(order == turn.entering)[0])
    first = max(0, min(place - MAX_ROWS // 2, len(order) - MAX_ROWS))
    visible = slice(first, first + MAX_ROWS)
    rows = [
        (_number(fit, row), origin + float(turn.steps[row]), float(turn.weights[row]), float(sum_))
        for row, sum_ in zip(order[visible], below[visible], strict=True)
    ]
    cut = f" ({len(rows)} of {len(order)} rows)" if len(rows) < len(order) else ""
    title = _title(fit, step)
    half = f"{num(below[-1])} / 2 = {num(below[-1] / 2)}"
    return [
        *_slopes(fit, step),
        numbered_table(
            ("row", name, "weight", "Σ weight"), rows, title + cut, emphasis=(place - first,)
        ),
        Formula(
            f"half of the weights, {half}, is reached at row {_number(fit, turn.entering)}:"
            f" {name} = {num(origin + turn.length)}"
        ),
    ]


def _pivot(step: AbsoluteStep) -> int:
    """Return the row that a line is turned around."""
    return next(place for place in step.rows if step.turn and place != step.turn.entering)


def _title(fit: Fit, step: AbsoluteStep) -> str:
    if step.phase == "median":
        return f"Median of {fit.problem.target}"
    if not fit.is_line:
        return "Weighted median of the moves to residual 0"
    return f"Weighted median of the slopes to row {_number(fit, _pivot(step))}"


def _slopes(fit: Fit, step: AbsoluteStep) -> Blocks:
    """Return the formula of the slopes to the row that the line is turned around."""
    if step.phase == "median" or not fit.is_line:
        return []
    pivot = _pivot(step)
    x, y = signed(fit.data.Z[pivot, 0]), signed(fit.data.y[pivot])
    return [Formula(f"slope = (y − {y}) / (x − {x}), weight = |x − {x}|")]


def _sums(fit: Fit, step: AbsoluteStep) -> LedgerTable:
    """Return both sums of this solution and of least squares."""
    model, data = fit.model, fit.data
    residuals = data.residuals(model.coef_, model.intercept_)
    rows = [
        ("this line" if fit.is_line else "this solution", step.sae, step.sse),
        ("least squares", float(data.roots @ np.abs(residuals)), model.sse_),
    ]
    of = "w" if data.weights is not None else ""
    return LedgerTable(("", f"Σ{of}|e|", f"Σ{of}e²"), rows, "Both sums")


def _done(fit: Fit, step: AbsoluteStep) -> tuple[str, Blocks]:
    data, model = fit.data, fit.model
    residuals = np.abs(data.residuals(model.coef_, model.intercept_))
    caption = (
        f"Least absolute deviations, through {_names(fit, step)}: Σ|e| = {num4(step.sae)}, that of"
        f" least squares is {num4(data.roots @ residuals)}"
    )
    if np.isnan(step.r2):
        caption += f"; {NO_R2}"
    caption += "." if step.is_unique else "; other coefficients have the same sum."
    coefficients = term_table(fit, "Coefficients", b=step.coef, least_squares=model.coef_)
    mean = f"{num(step.sae)} / {num(data.total_weight)} = {num(step.sae / data.total_weight)}"
    error = Formula(f"MAE = {mean}")
    return caption, [Formula(equation(fit, step)), coefficients, error, *_test_error(fit, step)]


def _test_error(fit: Fit, step: AbsoluteStep) -> Blocks:
    testing = fit.problem.testing
    if testing is None:
        return []
    predicted = fit.model.design(testing.data) @ step.coef + step.intercept
    errors = np.abs(np.asarray(testing.y, float) - predicted)
    rows = count(len(errors), "row", "rows")
    return [Formula(f"test set: MAE = {num(errors.mean())} in {rows}")]
