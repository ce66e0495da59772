"""Questions about ridge and lasso: one coefficient at a time, the objective, and the units."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dmlib.pictures.answers import Option, Place, Value
from dmlib.pictures.options import chosen
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Panel
from dmlib.pictures.words import num4, signed
from dmlib.problem import Problem
from dmlib.regression.ridge_lasso.coefficients_scene import plane_plot, spanning_terms
from dmlib.regression.ridge_lasso.ledger import Fit, objective
from dmlib.regression.ridge_lasso.penalty import PenaltyStep, soft
from dmlib.regression.ridge_lasso.scene import MAX_PATHS, OPTIONS, frame_numbers

MAX_STEPS = 14  # that are asked about
MAX_TERMS = 4  # of an objective that is worked out
SIGNS = ("negative", "0", "positive")


class Rule(Misconception):
    """Wrong rules of ridge and lasso."""

    UNPENALISED = "A step sets the coefficient to its least squares value."
    WHOLE = "The soft threshold is λ."
    PROPORTIONAL = "The lasso shrinks each coefficient by a factor, as ridge does."
    JOINT = "A step of coordinate descent sets all coefficients at once."
    SQUARES = "The lasso adds λ times the squared coefficients to the SSE."
    TIMES = "In its own units, a coefficient is multiplied by the standard deviation."


def questions(run: Run[Problem, Any]) -> Iterator[Question]:
    """Yield the questions that the steps of ridge, lasso or elastic net answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.regression.Ridge`, ``Lasso`` or ``ElasticNet``.

    Yields
    ------
    Question
        Before each of the first coefficients is set, and before the end.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> from dmlib.regression import Lasso
    >>> frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": [1.0, 3.0, 2.0, 5.0]})
    >>> problem = prepare(frame, ["x"], target="y", numeric_target=True)
    >>> [question.topic for question in questions(Run.of(problem, Lasso(alpha=1.0)))]
    ['sign', 'coefficient', 'sign', 'objective', 'units']
    """
    steps = run.trace.steps
    if not steps:
        return
    fit = Fit.of(run)
    axes, panel = _plane(run, fit)
    for number in range(1, len(steps)):
        step, before = steps[number], steps[number - 1]
        if step.phase in ("shrink", "zero") and number <= MAX_STEPS:
            yield from _sign(fit, number, step)
            yield from _coefficient(fit, number, step, before)
            if panel is not None and step.column in axes:
                yield from _move(fit, number, step, before, (axes, panel, steps[-1]))
        elif step.phase == "solve":
            yield from _objective(fit, number, step)
        elif step.phase == "done":
            yield from _units(fit, number, step)


def _plane(run: Run[Problem, Any], fit: Fit) -> tuple[list[int], Panel | None]:
    """Return the two terms of the plane of coefficients, and its panel if it has two axes."""
    problem, options = fit.penalised, chosen(run, OPTIONS)
    solution = np.linalg.lstsq(problem.gram, problem.moments, rcond=1e-10)[0]
    least_squares = np.asarray(solution, float)
    axes = spanning_terms(fit, least_squares, options["across"], options["up"])
    if len(axes) < 2:
        return axes, None
    steps = [run.trace.steps[i] for i in frame_numbers(len(run.trace.steps))]
    return axes, plane_plot(fit, steps, least_squares, axes).panel


def _about(fit: Fit, term: int | None) -> list[int]:
    return [] if term is None or len(fit.terms) > MAX_PATHS else [term + 1]


def _partial_fit(fit: Fit, step: PenaltyStep) -> str:
    """Return what the new coefficient is computed from."""
    j = step.column or 0
    ratio = f", ρ = {num4(fit.model.share)}" if 0 < fit.model.share < 1 else ""
    size = num4(fit.penalised.gram[j, j])
    return (
        f"{fit.terms[j]} has z'z = {size} and, with the partial residuals,"
        f" c = {num4(step.product)}; λ = {num4(fit.model.alpha)}{ratio}"
    )


def _proof(fit: Fit, step: PenaltyStep) -> str:
    j = step.column or 0
    l1, l2, c = fit.penalised.l1, fit.penalised.l2, step.product
    half = "λ/2" if fit.model.share == 1 else "λρ/2"
    if l1 and abs(c) <= l1:
        return f"|c| = {num4(abs(c))} ≤ {half} = {num4(l1)}, so b = 0."
    divisor = num4(fit.penalised.gram[j, j])
    divisor = f"({divisor} + {num4(l2)})" if l2 else divisor
    threshold = f" {'−' if c > 0 else '+'} {num4(l1)}" if l1 else ""
    value = num4(step.standardized_coef[j])
    note = f", with {half} = {num4(l1)}" if l1 else ""
    return f"b = ({num4(c)}{threshold}) / {divisor} = {value}{note}."


def _sign(fit: Fit, number: int, step: PenaltyStep) -> Iterator[Question]:
    j, c = step.column or 0, step.product
    if np.isclose(abs(c), fit.penalised.l1, rtol=1e-6) or not c:
        return
    new = float(step.standardized_coef[j])
    yield Question(
        number,
        "sign",
        f"{_partial_fit(fit, step)}: what will its coefficient be?",
        Option(SIGNS, [int(np.sign(new)) + 1]),
        _proof(fit, step),
        (Wrong(Rule.UNPENALISED, int(np.sign(c)) + 1),),
        _hint(fit),
        about=_about(fit, j),
        of="term",
    )


def _hint(fit: Fit) -> str:
    if not fit.penalised.l1:
        return "The penalty λ b² adds λ to the divisor z'z."
    return "The derivative of SSE is twice that of half the squares: compare |c| with half of λρ."


def _coefficient(
    fit: Fit, number: int, step: PenaltyStep, before: PenaltyStep
) -> Iterator[Question]:
    j, c = step.column or 0, step.product
    l1, l2, size = fit.penalised.l1, fit.penalised.l2, float(fit.penalised.gram[j, j])
    new = float(step.standardized_coef[j])
    if new and abs(new - before.standardized_coef[j]) < 0.02 * abs(new):
        return
    wrong = [Wrong(Rule.UNPENALISED, c / size)]
    if l1:
        wrong.append(Wrong(Rule.WHOLE, soft(c, 2 * l1) / (size + l2)))
        wrong.append(Wrong(Rule.PROPORTIONAL, c / (size + fit.model.alpha)))
    yield Question(
        number,
        "coefficient",
        f"{_partial_fit(fit, step)}: to which value is its coefficient b set?",
        Value(new, 0.01 * abs(c / size)),
        _proof(fit, step),
        wrong,
        _hint(fit),
        about=_about(fit, j),
        of="term",
    )


def _move(
    fit: Fit,
    number: int,
    step: PenaltyStep,
    before: PenaltyStep,
    plane: tuple[list[int], Panel, PenaltyStep],
) -> Iterator[Question]:
    axes, panel, last = plane
    old, new = before.standardized_coef[axes], step.standardized_coef[axes]
    if (np.abs(new - old) < 0.06 * panel.size).all():
        return
    j = step.column or 0
    free = new.copy()
    free[axes.index(j)] = step.product / fit.penalised.gram[j, j]
    joint = last.standardized_coef[axes]
    yield Question(
        number,
        "move",
        f"{_partial_fit(fit, step)}: where does the point of coefficients move?",
        Place(panel, [(float(new[0]), float(new[1]))]),
        f"Only the coefficient of {fit.terms[j]} changes. {_proof(fit, step)}",
        (
            Wrong(Rule.JOINT, (float(joint[0]), float(joint[1]))),
            Wrong(Rule.UNPENALISED, (float(free[0]), float(free[1]))),
        ),
        "Coordinate descent moves along one axis.",
    )


def _objective(fit: Fit, number: int, step: PenaltyStep) -> Iterator[Question]:
    b, alpha, share = step.standardized_coef, fit.model.alpha, fit.model.share
    active = b[b != 0]
    if not 1 <= len(active) <= MAX_TERMS or not alpha or 0 < share < 1:
        return
    listing = ", ".join(num4(value) for value in active)
    verb = "coefficients are" if len(active) > 1 else "coefficient is"
    if share:
        terms = " + ".join(num4(abs(value)) for value in active)
    else:
        terms = " + ".join(f"{signed(value, 4)}²" for value in active)
    yield Question(
        number,
        "objective",
        f"At the minimum the {verb} {listing}, SSE = {num4(step.sse)} and λ = {num4(alpha)}: what "
        "is the objective?",
        Value(step.objective, 0.01 * step.objective),
        f"{objective(fit.model)} = {num4(step.sse)} + {num4(alpha)} · ({terms}) = "
        f"{num4(step.objective)}.",
        (Wrong(Rule.SQUARES, step.sse + alpha * float(active @ active)),),
        "Add the penalty to the SSE.",
    )


def _units(fit: Fit, number: int, step: PenaltyStep) -> Iterator[Question]:
    if not fit.model.standardize or not fit.model.fit_intercept:
        return
    j = int(np.abs(step.standardized_coef).argmax())
    b, scale = float(step.standardized_coef[j]), float(fit.penalised.scale[j])
    if not b:
        return
    yield Question(
        number,
        "units",
        f"b of the standardised column {fit.terms[j]} is {num4(b)}, its standard deviation "
        f"{num4(scale)}: what is its coefficient in its own units?",
        Value(b / scale, 0.01 * abs(b / scale)),
        f"{num4(b)} / {num4(scale)} = {num4(b / scale)}, as z = (x − x̄) / {num4(scale)}.",
        (Wrong(Rule.TIMES, b * scale),),
        "One unit of z is one standard deviation of x.",
        about=_about(fit, j),
        of="term",
    )
