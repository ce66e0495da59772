"""Questions about linear regression: sums around the means, the line, and how well it fits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.answers import Pick, Place, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4, signed
from dmlib.problem import Problem
from dmlib.regression.linear_regression.absolute_deviations import LeastAbsoluteDeviations
from dmlib.regression.linear_regression.absolute_questions import AbsoluteRule, absolute_questions
from dmlib.regression.linear_regression.fit_ledger import Fit
from dmlib.regression.linear_regression.least_mean_squares import LeastMeanSquares
from dmlib.regression.linear_regression.mean_squares_questions import (
    MeanSquaresRule,
    mean_squares_questions,
)
from dmlib.regression.linear_regression.solvers import LinearRegressionStep
from dmlib.regression.linear_regression.views_scene import view_of
from dmlib.regression.regression_questions import extremes, row_sets, tie_of

MAX_ROWS = 60  # among which a row is picked
MAX_DESCENTS = 20  # iterations that are asked about


class Rule(Misconception):
    """Wrong rules of linear regression."""

    MEDIANS = "The line goes through the medians of the two columns."
    ENDS = "The line joins the leftmost and the rightmost row."
    INVERSE = "The slope divides by the sum of squares of the target."
    HEIGHT = "The row whose target is farthest from the mean counts most."
    UNEXPLAINED = "R² is the fraction SSE / SST."
    ROWS = "The residual standard error divides SSE by the number of rows."


RULES = (*Rule, *AbsoluteRule, *MeanSquaresRule)
"""Those of all methods."""


def questions(run: Run[Problem, Any]) -> Iterator[Question]:
    """Yield the questions that the steps of a regression answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.regression.LinearRegression`,
        :class:`dmlib.regression.LeastAbsoluteDeviations` or
        :class:`dmlib.regression.LeastMeanSquares`.

    Yields
    ------
    Question
        Before the matrix, the solution and the end; of gradient descent, before its iterations.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> from dmlib.regression import LinearRegression
    >>> frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": [1.0, 3.0, 2.0, 5.0]})
    >>> problem = prepare(frame, ["x"], target="y", numeric_target=True)
    >>> [question.topic for question in questions(Run.of(problem, LinearRegression()))]
    ['product', 'centre', 'slope', 'residual', 'R²', 'standard error', 'leverage']
    """
    steps = run.trace.steps
    if not steps:
        return
    fit = Fit.of(run, 1 if run.problem.upright else 0)
    if isinstance(run.model, LeastAbsoluteDeviations):
        yield from absolute_questions(run, _by_height(fit))
        return
    if isinstance(run.model, LeastMeanSquares):
        yield from mean_squares_questions(run, fit)
        return
    for number in range(1, len(steps)):
        step = steps[number]
        if step.phase in ("matrix", "solve") and _is_line(fit):
            yield from _line(fit, number, step)
        elif step.phase == "gradient" and step.iteration <= MAX_DESCENTS:
            yield from _descent(fit, number, steps[number - 1], step)
        elif step.phase == "done" and step.converged:
            yield from _r2(fit, number, step)
            yield from _standard_error(fit, number, step)
            if _is_line(fit):
                yield from _leverage(fit, number)


def _is_line(fit: Fit) -> bool:
    """Return whether a line with an intercept is fitted to a few rows over one column."""
    has_one_term = fit.problem.upright and len(fit.terms) == 1 and fit.data.fit_intercept
    return has_one_term and len(fit.data.y) <= MAX_ROWS and float(np.ptp(fit.data.C)) > 0


def _line(fit: Fit, number: int, step: LinearRegressionStep) -> Iterator[Question]:
    if step.phase == "matrix":
        yield from _product(fit, number)
        return
    yield _centre(fit, number, step)
    yield from _slope(fit, number, step)
    yield from _residual(fit, number, step)


def _product(fit: Fit, number: int) -> Iterator[Question]:
    x, y = fit.data.C[:, 0], fit.data.t
    products = x * y
    best = extremes(products)
    place = best[0]
    if products[place] <= 0:
        return
    factors = f"{signed(x[place], 4)} · {signed(y[place], 4)}"
    yield Question(
        number,
        "product",
        "Which row adds most to the sum of products Σ(x − x̄)(y − ȳ)?",
        Pick("row", row_sets(fit.problem, best)),
        f"Its product is {factors} = {num4(products[place])}, the largest.",
        _by_height(fit),
        "Multiply how far a row is from the mean of x by how far it is from the mean of y.",
        tie_of(best, "product"),
    )


def _centre(fit: Fit, number: int, step: LinearRegressionStep) -> Question:
    data = fit.data
    x, y = float(data.means[0]), data.y_mean
    panel = view_of(fit, step, bands=False).panel
    width, height = panel.size.tolist()
    return Question(
        number,
        "centre",
        "Through which point does the line of least squares go, whatever its slope is?",
        Place(panel, [(x, y)], reach=(0.035 * width, 0.035 * height)),
        f"The line goes through the means ({num4(x)}, {num4(y)}): b₀ = ȳ − b x̄.",
        (Wrong(Rule.MEDIANS, (float(np.median(data.Z[:, 0])), float(np.median(data.y)))),),
        "The residuals of least squares sum to 0.",
    )


def _slope(fit: Fit, number: int, step: LinearRegressionStep) -> Iterator[Question]:
    data, slope = fit.data, float(step.coef[0])
    x = data.C[:, 0]
    squares, products = float(x @ x), float(x @ data.t)
    if not slope or data.total <= 0:
        return
    yield Question(
        number,
        "slope",
        f"Σ(x − x̄)² = {num4(squares)}, Σ(x − x̄)(y − ȳ) = {num4(products)} and "
        f"Σ(y − ȳ)² = {num4(data.total)}: what will the slope be?",
        Value(slope, 0.01 * abs(slope)),
        f"b = Σ(x − x̄)(y − ȳ) / Σ(x − x̄)² = {num4(products)} / {num4(squares)} = {num4(slope)}.",
        (
            Wrong(Rule.INVERSE, products / data.total, "That is the slope of x on y."),
            Wrong(Rule.ENDS, _slope_of_ends(data.Z[:, 0], data.y), "All rows count."),
        ),
        "The slope is in units of y for each unit of x.",
    )


def _slope_of_ends(x: Floats, y: Floats) -> float:
    first, last = int(np.argmin(x)), int(np.argmax(x))
    return float((y[last] - y[first]) / (x[last] - x[first]))


def _residual(fit: Fit, number: int, step: LinearRegressionStep) -> Iterator[Question]:
    data = fit.data
    residuals = data.residuals(step.coef)
    best = extremes(np.abs(residuals))
    place = best[0]
    if len(best) > len(residuals) / 2 or np.abs(residuals[place]) <= 1e-9 * np.ptp(data.y):
        return
    fitted = f"{num4(step.intercept)} + {signed(step.coef[0], 4)} · {signed(data.Z[place, 0], 4)}"
    ends = np.abs(data.t - _slope_of_ends(data.Z[:, 0], data.y) * data.C[:, 0])
    joined = extremes(ends - ends[int(np.argmin(data.Z[:, 0]))])
    yield Question(
        number,
        "residual",
        "Which row will have the largest residual?",
        Pick("row", row_sets(fit.problem, best)),
        f"Its residual is {num4(data.y[place])} − ({fitted}) = {num4(residuals[place])}, the "
        "largest in size.",
        (*_by_height(fit), Wrong(Rule.ENDS, row_sets(fit.problem, joined)[0])),
        "Imagine the sloping line first; a residual is a vertical distance from it.",
        tie_of(best, "residual"),
    )


def _by_height(fit: Fit) -> tuple[Wrong, ...]:
    highest = extremes(np.abs(fit.data.t))
    return (Wrong(Rule.HEIGHT, row_sets(fit.problem, highest)[0]),)


def _r2(fit: Fit, number: int, step: LinearRegressionStep) -> Iterator[Question]:
    total = fit.data.total
    if np.isnan(step.r2) or not 1e-9 < step.sse / total < 1 - 1e-9:
        return
    yield Question(
        number,
        "R²",
        f"SST = {num4(total)} and SSE = {num4(step.sse)}: what is R²?",
        Value(step.r2, 0.01),
        f"R² = 1 − SSE / SST = 1 − {num4(step.sse)} / {num4(total)} = {num4(step.r2)}.",
        (Wrong(Rule.UNEXPLAINED, step.sse / total, "That fraction is left unexplained."),),
        "It is 1 where all residuals are 0.",
    )


def _standard_error(fit: Fit, number: int, step: LinearRegressionStep) -> Iterator[Question]:
    inference = step.inference
    if inference is None or step.sse <= 1e-9 * fit.data.total:
        return
    n, sigma = len(fit.data.y), float(inference.sigma)
    yield Question(
        number,
        "standard error",
        f"SSE = {num4(step.sse)}, and {n - inference.df_resid} coefficients are fitted to {n} rows:"
        " what is the residual standard error?",
        Value(sigma, 0.01 * sigma),
        f"s = √(SSE / {inference.df_resid}) = {num4(sigma)}: of {n} rows, "
        f"{inference.df_resid} degrees of freedom are left.",
        (Wrong(Rule.ROWS, (step.sse / n) ** 0.5),),
        "Each coefficient takes one degree of freedom.",
    )


def _leverage(fit: Fit, number: int) -> Iterator[Question]:
    x = fit.data.C[:, 0]
    best = extremes(np.abs(x))
    place, squares = best[0], float(x @ x)
    if len(best) == len(x):
        return
    leverage = 1 / len(x) + float(x[place]) ** 2 / squares
    yield Question(
        number,
        "leverage",
        "Which row has the highest leverage?",
        Pick("row", row_sets(fit.problem, best)),
        f"h = 1/n + (x − x̄)² / Σ(x − x̄)² = 1/{len(x)} + {num4(x[place] ** 2)} / {num4(squares)} = "
        f"{num4(leverage)}, the largest.",
        _by_height(fit),
        "Leverage depends on the columns alone, not on the target.",
        tie_of(best, "leverage"),
    )


def _descent(
    fit: Fit, number: int, before: LinearRegressionStep, step: LinearRegressionStep
) -> Iterator[Question]:
    gradient = float(np.asarray(before.gradient)[int(fit.data.fit_intercept)])
    old, new, rate = float(before.coef[0]), float(step.coef[0]), fit.model.learning_rate
    if not np.isfinite(new) or abs(new - old) <= 0.05 * abs(new):
        return
    yield Question(
        number,
        "descent",
        f"The coefficient of {fit.terms[0]} is {num4(old)}, its gradient {num4(gradient)} and the "
        f"learning rate {num4(rate)}: what will the coefficient be?",
        Value(new, 0.01 * max(abs(new), abs(new - old))),
        f"{num4(old)} − {num4(rate)} · {signed(gradient, 4)} = {num4(new)}.",
        hint="The step goes against the gradient.",
    )
