"""The terms of a linear score around their means, so that columns far from 0 keep their digits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.logistic_regression.ascent import Climb, LogisticRegressionStep
from dmlib.classification.logistic_regression.inference import Inference, infer
from dmlib.classification.logistic_regression.likelihood import Likelihood


@dataclass(frozen=True)
class Centring:
    r"""The change of variables :math:`\beta_0' = \beta_0 + m^T w` that centres the columns.

    Newton's method takes the same steps in both, because it is affine invariant and the intercept
    has no penalty; but around the means no digits are lost where the means are many times the
    spread.

    Examples
    --------
    >>> Z = np.array([[1.0, 1e9], [1.0, 1e9 + 2]])
    >>> far = Likelihood(Z, np.array([0, 1]), 2, np.ones(2), np.zeros(2))
    >>> centred, centring = Centring.of(far, fit_intercept=True)
    >>> centred.Z[:, 1].tolist()
    [-1.0, 1.0]
    >>> centring.centred(centring.original(np.array([[0.5, 0.25]]))).tolist()
    [[0.5, 0.25]]
    """

    # (n_terms,): the weighted means of the columns; 0 for the intercept, and all 0 without one
    means: Floats

    @classmethod
    def of(cls, likelihood: Likelihood, *, fit_intercept: bool) -> tuple[Likelihood, Centring]:
        """Return the likelihood with centred columns, and the change of variables."""
        n_terms = likelihood.Z.shape[1]
        if not fit_intercept:
            return likelihood, cls(np.zeros(n_terms))
        shift = likelihood.Z[0]  # the differences have digits to spare for the mean
        means: Floats = shift + likelihood.weights @ (likelihood.Z - shift) / likelihood.total
        means[0] = 0
        return likelihood.with_terms(likelihood.Z - means), cls(means)

    def centred(self, coef: Floats) -> Floats:
        """Return the coefficients (or a direction) for the centred columns."""
        changed = coef.copy()
        changed[:, 0] += coef @ self.means
        return changed

    def original(self, coef: Floats) -> Floats:
        """Return the coefficients (or a direction) for the original columns."""
        changed = coef.copy()
        changed[:, 0] -= coef @ self.means
        return changed

    def gradient(self, gradient: Floats) -> Floats:
        """Return the gradient for the original columns."""
        changed: Floats = gradient + gradient[:, :1] * self.means
        return changed

    def hessian(self, hessian: Floats) -> Floats:
        """Return the second derivatives for the original columns."""
        n_terms = len(self.means)
        blocks = hessian.reshape(-1, n_terms, len(hessian) // n_terms, n_terms)
        blocks = blocks + self.means[:, None, None] * blocks[:, :1]
        changed: Floats = (blocks + blocks[..., :1] * self.means).reshape(hessian.shape)
        return changed

    def climb(self, climb: Climb) -> Climb:
        """Yield the steps of a climb for the original columns; what it returns is not changed."""
        while True:
            try:
                step = next(climb)
            except StopIteration as end:
                return cast(tuple[LogisticRegressionStep | None, bool, str], end.value)
            yield self.step(step)

    def step(self, step: LogisticRegressionStep) -> LogisticRegressionStep:
        """Return the same step for the original columns."""
        if not self.means.any():
            return step
        step = replace(step, coef=self.original(step.coef), gradient=self.gradient(step.gradient))
        if step.direction is not None:
            step = replace(step, direction=self.original(step.direction))
        if step.hessian is not None:
            step = replace(step, hessian=self.hessian(step.hessian))
        if step.separation is not None:
            coef = self.original(step.separation.coef)
            step = replace(step, separation=replace(step.separation, coef=coef))
        return step

    def infer(self, coef: Floats, information: Floats) -> Inference:
        """Return the inference for the original columns from a maximum for the centred ones."""
        return infer(self.original(coef[None])[0], information, self.means)
