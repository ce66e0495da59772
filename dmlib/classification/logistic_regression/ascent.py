"""How logistic regression climbs its likelihood: by Newton's method, along the gradient, or by a few rows at a time."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.classification.logistic_regression.inference import Inference
from dmlib.classification.logistic_regression.likelihood import Likelihood
from dmlib.classification.logistic_regression.separation import Separation
from dmlib.trace import look

LARGEST = 1e100  # numbers up to which squares and their sums are finite
MOST_HALVINGS = 60


@dataclass(frozen=True)
class LogisticRegressionStep:
    """One step of logistic regression.

    Attributes
    ----------
    phase : {"start", "newton", "gradient", "batch", "done"}
        What was done: nothing yet; a step of Newton's method; a step along the gradient; a step
        along the gradient of a few rows; the end.
    iteration : int
        The iteration, from 1, for batches the epoch; 0 at the start. On "done", their number, as
        ``n_iter_``.
    coef : ndarray of shape (n_logits, n_terms)
        The coefficients after the step, the intercept (if there is one) first. Two classes share
        one line.
    log_likelihood : float
        The log-likelihood of these coefficients.
    objective : float
        The log-likelihood less the penalty, sum of squares / 2C; it is what the steps raise.
    gradient : ndarray of shape (n_logits, n_terms)
        The gradient of the objective where the step began; of a "batch", its estimate from the
        rows; on "start" and "done", at ``coef``.
    hessian : ndarray of shape (n_logits * n_terms, n_logits * n_terms) or None
        The second derivatives of the objective where a "newton" step began, or at ``coef`` on
        "done".
    direction : ndarray of shape (n_logits, n_terms) or None
        Where the step went: ``coef`` rose by ``length * direction``.
    length : float
        The step length.
    halvings : int
        How often the length was halved, because the objective would have fallen.
    rows : ndarray of shape (batch_size,) or None
        The rows of a "batch".
    aliased : tuple of int
        Without a penalty, the columns that depend linearly on the columns before them and the
        intercept; their coefficients are held at 0.
    separation : Separation or None
        On "done": whether a linear boundary separates the classes.
    inference : Inference or None
        On "done", without a penalty and for two classes: standard errors and what follows from
        them.
    converged : bool
        On "done": whether the tolerance was reached, and there is a maximum to converge to.
    reason : str
        On "done": why the run ended, as a sentence.
    warnings : tuple of str
        On "done": what is wrong with the answer, as sentences.
    """

    phase: str
    iteration: int
    coef: Floats
    log_likelihood: float
    objective: float
    gradient: Floats
    hessian: Floats | None = None
    direction: Floats | None = None
    length: float = 0.0
    halvings: int = 0
    rows: NDArray[np.intp] | None = None
    aliased: tuple[int, ...] = ()
    separation: Separation | None = None
    inference: Inference | None = None
    converged: bool = False
    reason: str = ""
    warnings: tuple[str, ...] = ()


Climb = Generator[LogisticRegressionStep, None, tuple[LogisticRegressionStep | None, bool, str]]
"""Steps, and in the end the last of them, whether it is near enough to the top, and why there are
no more."""


def heights(likelihood: Likelihood, scores: Floats, coef: Floats) -> tuple[float, float]:
    """Return the log-likelihood and the objective."""
    height = likelihood.log_likelihood(scores)
    return height, height - likelihood.cost(coef)


def record(
    likelihood: Likelihood, phase: str, iteration: int, coef: Floats
) -> LogisticRegressionStep:
    """Return the record of a place where nothing is done."""
    scores = likelihood.scores(coef)
    gradient = likelihood.gradient(likelihood.probabilities(scores), coef)
    return LogisticRegressionStep(
        phase, iteration, coef, *heights(likelihood, scores, coef), gradient
    )


def ascend(
    likelihood: Likelihood, coef: Floats, newton: bool, rate: float, max_iter: int, tol: float
) -> Climb:
    """Take steps of Newton's method, or along the gradient, that do not lower the objective."""
    step = None
    scores = likelihood.scores(coef)
    _, value = heights(likelihood, scores, coef)
    for iteration in range(1, max_iter + 1):
        look()
        chances = likelihood.probabilities(scores)
        gradient = likelihood.gradient(chances, coef)
        information = likelihood.information(chances) if newton else None
        direction = (
            gradient / likelihood.total
            if information is None
            else likelihood.newton(information, gradient)
        )
        slope = float((gradient * direction).sum())
        moved = likelihood.scores(direction)
        length = 1.0 if newton else rate
        for halvings in range(MOST_HALVINGS):  # noqa: B007 -- it is read after the break
            there, reached = coef + length * direction, scores + length * moved
            height, new = heights(likelihood, reached, there)
            if new >= value + 1e-4 * length * slope - 1e-12 * abs(
                value
            ):  # Armijo's rule, up to rounding
                break
            length /= 2
        else:
            near = newton or bool(
                np.abs(direction).max() <= tol
            )  # else the slope is steep, but the steps drown
            return step, near, "No step raises the objective any more."
        coef, scores, value = there, reached, new
        hessian = None if information is None else -information
        phase = "newton" if newton else "gradient"
        step = LogisticRegressionStep(
            phase, iteration, coef, height, value, gradient, hessian, direction, length, halvings
        )
        yield step
        if newton and slope <= tol**2:
            return step, True, f"The last step was at most {tol:g} standard errors long."
        if not newton and np.abs(direction).max() <= tol:
            return step, True, f"No component of the mean gradient was larger than {tol:g}."
    return step, False, f"The limit of {max_iter} iterations was reached."


def batches(
    likelihood: Likelihood,
    coef: Floats,
    rng: Any,
    rate: float,
    size: int,
    max_iter: int,
    tol: float,
    *,
    told: bool,
) -> Climb:
    """Take steps along the gradient over a few rows, in an order that is drawn anew in every epoch."""
    n_samples, step = len(likelihood.Z), None
    for epoch in range(1, max_iter + 1):
        order = rng.permutation(n_samples)
        for first in range(0, n_samples, size):
            look()
            rows = order[first : first + size]
            part = likelihood.batch(rows)
            gradient = part.gradient(part.probabilities(part.scores(coef)), coef)
            direction, length = gradient / likelihood.total, rate / np.sqrt(epoch)
            if not np.abs(coef + length * direction).max() < LARGEST:
                return step, False, "The coefficients diverged; choose a smaller learning rate."
            coef = coef + length * direction
            at = heights(likelihood, likelihood.scores(coef), coef) if told else (np.nan, np.nan)
            step = LogisticRegressionStep(
                "batch", epoch, coef, *at, gradient, direction=direction, length=length, rows=rows
            )
            yield step
        chances = likelihood.probabilities(likelihood.scores(coef))
        mean = likelihood.gradient(chances, coef) / likelihood.total
        if np.abs(mean).max() <= tol:
            return step, True, f"No component of the mean gradient is larger than {tol:g}."
    return step, False, f"The limit of {max_iter} epochs was reached."
