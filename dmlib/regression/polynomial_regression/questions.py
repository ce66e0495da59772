"""Questions about curves: errors and ends of polynomials, knots of splines, neighbourhoods."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.base import clone

from dmlib.pictures.answers import Pick, Place, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4, signed
from dmlib.problem import Problem
from dmlib.regression.polynomial_regression.algorithm import PolynomialStep
from dmlib.regression.polynomial_regression.canvas_scene import Canvas
from dmlib.regression.polynomial_regression.curve import Curve, unit_scale
from dmlib.regression.polynomial_regression.local_regression import LocalRegression, LocalStep
from dmlib.regression.polynomial_regression.natural_spline import NaturalSpline, SplineStep
from dmlib.regression.regression_questions import extremes, row_sets, tie_of

MAX_ROWS = 60  # among which one is picked
MAX_DEGREE = 4  # of a sum that is worked out
MAX_QUESTIONS = 40
REACH = 0.03  # of the height of the panel


class Rule(Misconception):
    """Wrong rules of polynomial regression."""

    FALL = "The SSE falls by the coefficient of the added polynomial."
    FARTHEST = "The row farthest from the curve stays the farthest."
    COUNT = "A polynomial of degree k has k coefficients."
    UNIT = "The scaled column z goes from 0 to 1."
    SIGNS = "At either end, the height of the curve is the sum of the coefficients."
    FREEDOM = "The RMSE divides the SSE by the residual degrees of freedom."


def questions(run: Run[Problem, Curve]) -> Iterator[Question]:
    """Yield the questions that the steps of a curve answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.regression.PolynomialRegression`, ``NaturalSpline`` or
        ``LocalRegression``.

    Yields
    ------
    Question
        Before each degree, each knot, and some places of a local regression.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> from dmlib.regression import PolynomialRegression
    >>> frame = pd.DataFrame({"x": [0.0, 1.0, 2.0, 4.0], "y": [0.0, 1.0, 4.0, 10.0]})
    >>> problem = prepare(frame, ["x"], target="y", numeric_target=True)
    >>> [question.topic for question in questions(Run.of(problem, PolynomialRegression(1)))]
    ['scale', 'SSE', 'RMSE', 'left end', 'residual', 'coefficients']
    """
    steps = run.trace.steps
    if not steps or not run.trace.complete:
        return
    model = clone(run.model).fit_from(steps, *run.problem.training.arguments)
    canvas = Canvas.of(run.problem, model)
    degrees = sum(step.phase == "degree" for step in steps)
    for number in range(1, min(len(steps), MAX_QUESTIONS)):
        step, before = steps[number], steps[number - 1]
        if step.phase == "degree":
            if number == 1:
                yield from _scale(canvas, number)
            yield from _degree(canvas, number, step, before)
            yield from _residual(canvas, number, step, before)
            if number == degrees:
                yield _coefficients(number, step)
        elif step.phase == "knot":
            yield from _knot(canvas, number, step)
            yield from _residual(canvas, number, step, before)
        elif step.phase == "place" and number % 5 == 0:
            yield from _neighbourhood(canvas, number, step)


def _degree(
    canvas: Canvas, number: int, step: PolynomialStep, before: PolynomialStep
) -> Iterator[Question]:
    yield from _sse(number, step, before)
    yield from _rmse(canvas, number, step)
    if step.degree <= MAX_DEGREE:
        yield from _left_end(canvas, number, step)


def _scale(canvas: Canvas, number: int) -> Iterator[Question]:
    x = canvas.model.places_
    middle, half = unit_scale(x)
    distances = np.abs(x - middle)
    inner = np.flatnonzero((distances > 0.1 * half) & (distances < 0.9 * half))
    if not len(inner):
        return
    place = int(inner[0])
    low, high, value = float(x.min()), float(x.max()), float(x[place])
    z = (value - middle) / half
    row = int(canvas.problem.rows[canvas.problem.trained[place]]) + 1
    name = canvas.problem.features[canvas.model.column - 1]
    yield Question(
        number,
        "scale",
        f"{name} goes from {num4(low)} to {num4(high)}, and is {num4(value)} in row {row}: what is "
        "its scaled value z, from which powers are taken?",
        Value(z, 0.01),
        f"z = (x − {num4(middle)}) / {num4(half)} = {num4(z)}: it goes from −1 to 1.",
        (Wrong(Rule.UNIT, (value - low) / (high - low)),),
        "The middle of the range is 0.",
        about=[row],
    )


def _sse(number: int, step: PolynomialStep, before: PolynomialStep) -> Iterator[Question]:
    if step.sse <= 1e-6 * before.sse:
        return
    c = step.added
    yield Question(
        number,
        "SSE",
        f"The SSE is {num4(before.sse)}, and the orthogonal polynomial of degree {step.degree} has "
        f"the coefficient c = {num4(c)} (Σ q² = 1): what will the SSE be?",
        Value(step.sse, 0.01 * before.sse),
        f"The SSE falls by c²: {num4(before.sse)} − {signed(c, 4)}² = {num4(step.sse)}.",
        (Wrong(Rule.FALL, before.sse - abs(c)),),
        "By Pythagoras: what is added is orthogonal to what was there.",
    )


def _rmse(canvas: Canvas, number: int, step: PolynomialStep) -> Iterator[Question]:
    n = len(canvas.model.places_)
    if step.sse <= 1e-9 * float(np.ptp(canvas.model.heights_)) ** 2 or n <= step.degree + 1:
        return
    right = (step.sse / n) ** 0.5
    yield Question(
        number,
        "RMSE",
        f"With degree {step.degree} the SSE of {n} rows will be {num4(step.sse)}: what will the "
        "training RMSE be?",
        Value(right, 0.01 * right),
        f"√(SSE / n) = √({num4(step.sse)} / {n}) = {num4(right)}.",
        (Wrong(Rule.FREEDOM, (step.sse / (n - step.degree - 1)) ** 0.5),),
        "It is the root of the mean of the squared residuals.",
    )


def _left_end(canvas: Canvas, number: int, step: PolynomialStep) -> Iterator[Question]:
    panel = canvas.panel
    right, total = (float(np.polynomial.polynomial.polyval(z, step.powers)) for z in (-1, 1))
    if not panel.y.low <= right <= panel.y.high:
        return
    low = float(canvas.model.places_.min())
    terms = " ".join(
        f"{'−' if (b < 0) != k % 2 else '+'} {num4(abs(b))}" for k, b in enumerate(step.powers)
    )
    listing = ", ".join(num4(b) for b in step.powers)
    names = ", ".join(("1", "z", "z²", "z³", "z⁴")[: len(step.powers)])
    yield Question(
        number,
        "left end",
        f"The coefficients of {names} will be {listing}: how high will the curve be at the "
        "leftmost row, where z = −1?",
        Place(panel, [(low, right)], form="y", reach=(1.0, REACH * float(panel.size[1]))),
        f"{terms.removeprefix('+ ')} = {num4(right)}: odd powers of −1 are −1.",
        (Wrong(Rule.SIGNS, (low, total), "That is the height at the right end, z = 1."),),
        "Put z = −1 into each power.",
    )


def _coefficients(number: int, step: PolynomialStep) -> Question:
    return Question(
        number,
        "coefficients",
        f"How many coefficients are fitted for degree {step.degree}?",
        Value(step.degree + 1),
        f"{step.degree} for the powers of z, and one for the constant: {step.degree + 1}.",
        (Wrong(Rule.COUNT, step.degree),),
        "Count all powers from the lowest.",
    )


def _residual(canvas: Canvas, number: int, step: Any, before: Any) -> Iterator[Question]:
    model = canvas.model
    if not 3 <= len(model.places_) <= MAX_ROWS:
        return
    new, old = (
        np.abs(model.heights_ - model.curve(each, model.places_)) for each in (step, before)
    )
    best = extremes(new)
    others = np.delete(new, best)
    if not len(others) or new[best[0]] - others.max() < 0.05 * new[best[0]] or not new.any():
        return
    what = f"degree {step.degree}" if hasattr(step, "degree") else f"{len(step.knots)} knots"
    fitted = float(model.curve(step, model.places_[best[:1]])[0])
    yield Question(
        number,
        "residual",
        f"Which row will be farthest above or below the curve with {what}?",
        Pick("row", row_sets(canvas.problem, best)),
        f"Its residual is {num4(model.heights_[best[0]])} − {signed(fitted, 4)} = "
        f"{num4(model.heights_[best[0]] - fitted)}.",
        (Wrong(Rule.FARTHEST, row_sets(canvas.problem, extremes(old))[0]),),
        "Think of the curve that bends once more: where does it still not come near?",
        tie_of(best, "residual"),
    )


def _knot(canvas: Canvas, number: int, step: SplineStep) -> Iterator[Question]:
    assert isinstance(canvas.model, NaturalSpline)
    if len(step.knots) != 3:
        return
    middle = float(step.knots[1])
    yield Question(
        number,
        "knot",
        "Knots stand at evenly spaced quantiles of the places: where will the inner one be?",
        Place(canvas.panel, [(middle, float(canvas.panel.y.low))], form="x"),
        f"Half of the distinct places lie left of {num4(middle)}, their median.",
        hint="As many rows to the left as to the right.",
    )


def _neighbourhood(canvas: Canvas, number: int, step: LocalStep) -> Iterator[Question]:
    model = canvas.model
    assert isinstance(model, LocalRegression)
    x = model.places_
    size = model.n_near(len(x))
    if not 3 <= len(x) <= MAX_ROWS or not step.radius:
        return
    edge = np.flatnonzero(np.isclose(np.abs(x - step.place), step.radius)).tolist()
    if not edge:
        return
    yield Question(
        number,
        "neighbourhood",
        f"The next place is {num4(step.place)}, with {size} rows in its neighbourhood: which of "
        "them is farthest, and has the weight 0?",
        Pick("row", row_sets(canvas.problem, edge)),
        f"Its distance {num4(step.radius)} is the radius: {size} rows are at most as far.",
        hint="Count the rows by their distance from the place.",
        tie=tie_of(edge, "distance"),
    )
