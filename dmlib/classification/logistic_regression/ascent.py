"""The steps of logistic regression: Newton's method, gradient ascent over all rows or batches."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.classification.logistic_regression.inference import Inference
from dmlib.classification.logistic_regression.likelihood import Likelihood
from dmlib.classification.logistic_regression.separation import Separation
from dmlib.trace import look

LARGEST = 1e100  # numbers up to which squares and their sums are finite
MAX_HALVINGS = 60
Phase = Literal["start", "newton", "gradient", "batch", "done"]


@dataclass(frozen=True)
class LogisticRegressionStep:
    """One step of logistic regression.

    Attributes
    ----------
    phase : {"start", "newton", "gradient", "batch", "done"}
        The start; a step of Newton's method; a step along the gradient; a step along the gradient
        of a batch of rows; the end.
    iteration : int
        The iteration, from 1, for batches the epoch; 0 at the start. On "done", their number, as
        ``n_iter_``.
    coef : ndarray of shape (n_logits, n_terms)
        The coefficients after the step, the intercept (if there is one) first. Two classes share
        one line.
    log_likelihood : float
        The log-likelihood of these coefficients.
    objective : float
        The log-likelihood minus the penalty, sum of squares / 2C, which the steps increase.
    gradient : ndarray of shape (n_logits, n_terms)
        The gradient of the objective where the step began; of a "batch", its estimate from the
        rows; on "start" and "done", at ``coef``.
    hessian : ndarray of shape (n_logits * n_terms, n_logits * n_terms) or None
        The second derivatives of the objective where a "newton" step began, or at ``coef`` on
        "done".
    direction : ndarray of shape (n_logits, n_terms) or None
        The direction of the step: ``coef`` increased by ``length * direction``.
    length : float
        The step length.
    halvings : int
        The number of times that the length was halved, because the objective would have fallen.
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

    phase: Phase
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
"""Steps; it returns the last of them, whether it converged, and why there are no more."""


def heights(likelihood: Likelihood, scores: Floats, coef: Floats) -> tuple[float, float]:
    """Return the log-likelihood and the objective."""
    height = likelihood.log_likelihood(scores)
    return height, height - likelihood.cost(coef)


def record(
    likelihood: Likelihood, phase: Phase, iteration: int, coef: Floats
) -> LogisticRegressionStep:
    """Return a step without a direction: the objective and its gradient at coefficients."""
    scores = likelihood.scores(coef)
    gradient = likelihood.gradient(likelihood.probabilities(scores), coef)
    return LogisticRegressionStep(
        phase, iteration, coef, *heights(likelihood, scores, coef), gradient
    )


def ascend(
    likelihood: Likelihood, coef: Floats, newton: bool, rate: float, max_iter: int, tol: float
) -> Climb:
    """Take steps of Newton's method, or along the gradient, that do not decrease the objective."""
    phase: Phase = "newton" if newton else "gradient"
    step = None
    scores = likelihood.scores(coef)
    _, value = heights(likelihood, scores, coef)
    for iteration in range(1, max_iter + 1):
        look()
        chances = likelihood.probabilities(scores)
        gradient = likelihood.gradient(chances, coef)
        direction = gradient / likelihood.total
        hessian = None
        if newton:
            hessian = -likelihood.information(chances)
            direction = likelihood.newton(-hessian, gradient)
        slope = float((gradient * direction).sum())
        score_direction = likelihood.scores(direction)
        length = 1.0 if newton else rate
        for halvings in range(MAX_HALVINGS):  # noqa: B007 -- it is read after the break
            new_coef = coef + length * direction
            new_scores = scores + length * score_direction
            height, new_value = heights(likelihood, new_scores, new_coef)
            # Armijo's rule, up to rounding
            if new_value >= value + 1e-4 * length * slope - 1e-12 * abs(value):
                break
            length /= 2
        else:
            # Along a steep gradient, the steps drown in rounding.
            converged = newton or bool(np.abs(direction).max() <= tol)
            return step, converged, "No step raises the objective any more."
        coef = new_coef
        scores = new_scores
        value = new_value
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
    with_heights: bool,
) -> Climb:
    """Take steps along the gradient of batches of rows, shuffled in each epoch.

    The log-likelihood of the steps is computed only ``with_heights``, and NaN otherwise.
    """
    n_samples = len(likelihood.Z)
    step = None
    for epoch in range(1, max_iter + 1):
        order = rng.permutation(n_samples)
        for first in range(0, n_samples, size):
            look()
            rows = order[first : first + size]
            part = likelihood.batch(rows)
            gradient = part.gradient(part.probabilities(part.scores(coef)), coef)
            direction = gradient / likelihood.total
            length = rate / np.sqrt(epoch)
            new_coef = coef + length * direction
            if not np.abs(new_coef).max() < LARGEST:
                return step, False, "The coefficients diverged; choose a smaller learning rate."
            coef = new_coef
            values = (np.nan, np.nan)
            if with_heights:
                values = heights(likelihood, likelihood.scores(coef), coef)
            step = LogisticRegressionStep(
                "batch",
                epoch,
                coef,
                *values,
                gradient,
                direction=direction,
                length=length,
                rows=rows,
            )
            yield step
        chances = likelihood.probabilities(likelihood.scores(coef))
        mean = likelihood.gradient(chances, coef) / likelihood.total
        if np.abs(mean).max() <= tol:
            return step, True, f"No component of the mean gradient is larger than {tol:g}."
    return step, False, f"The limit of {max_iter} epochs was reached."
