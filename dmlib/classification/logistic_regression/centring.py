"""The terms of a linear score around their means: far columns keep their digits, and the intercept makes up for it."""

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
    r"""The change of variables :math:`\beta_0' = \beta_0 + m^T w`, in which the columns have the means 0.

    Newton's method takes the same steps in both, because it is affine invariant and the intercept
    has no penalty; but around the means no digits are lost where the means are many times the
    spread.

    Examples
    --------
    >>> far = Likelihood(np.array([[1.0, 1e9], [1.0, 1e9 + 2]]), np.array([0, 1]), 2, np.ones(2), np.zeros(2))
    >>> near, centring = Centring.of(far, fit_intercept=True)
    >>> near.Z[:, 1].tolist(), centring.there(centring.back(np.array([[0.5, 0.25]]))).tolist()
    ([-1.0, 1.0], [[0.5, 0.25]])
    """

    # (n_terms,): the weighted means of the columns; 0 for the intercept, and everywhere without an
    # intercept
    means: Floats

    @classmethod
    def of(cls, likelihood: Likelihood, *, fit_intercept: bool) -> tuple[Likelihood, Centring]:
        """Return the likelihood with centred columns, and how to go there and back."""
        n_terms = likelihood.Z.shape[1]
        if not fit_intercept:
            return likelihood, cls(np.zeros(n_terms))
        shift = likelihood.Z[0]  # what is left has digits to spare for the mean
        means: Floats = shift + likelihood.weights @ (likelihood.Z - shift) / likelihood.total
        means[0] = 0
        return likelihood.with_terms(likelihood.Z - means), cls(means)

    def there(self, coef: Floats) -> Floats:
        """Return the coefficients (or a direction) of the centred columns."""
        moved = coef.copy()
        moved[:, 0] += coef @ self.means
        return moved

    def back(self, coef: Floats) -> Floats:
        """Return the coefficients of the columns as they are."""
        moved = coef.copy()
        moved[:, 0] -= coef @ self.means
        return moved

    def gradient(self, gradient: Floats) -> Floats:
        """Return the gradient over the coefficients of the columns as they are."""
        moved: Floats = gradient + gradient[:, :1] * self.means
        return moved

    def hessian(self, hessian: Floats) -> Floats:
        """Return the second derivatives over them."""
        n_terms = len(self.means)
        blocks = hessian.reshape(-1, n_terms, len(hessian) // n_terms, n_terms)
        blocks = blocks + self.means[:, None, None] * blocks[:, :1]
        moved: Floats = (blocks + blocks[..., :1] * self.means).reshape(hessian.shape)
        return moved

    def climb(self, climb: Climb) -> Climb:
        """Yield the steps of a climb over the columns as they are; what it returns stays as it is."""
        while True:
            try:
                step = next(climb)
            except StopIteration as end:
                return cast(tuple[LogisticRegressionStep | None, bool, str], end.value)
            yield self.step(step)

    def step(self, step: LogisticRegressionStep) -> LogisticRegressionStep:
        """Return the same step over the coefficients of the columns as they are."""
        if not self.means.any():
            return step
        found = step.separation
        return replace(
            step,
            coef=self.back(step.coef),
            gradient=self.gradient(step.gradient),
            direction=None if step.direction is None else self.back(step.direction),
            hessian=None if step.hessian is None else self.hessian(step.hessian),
            separation=None if found is None else replace(found, coef=self.back(found.coef)),
        )

    def infer(self, coef: Floats, information: Floats) -> Inference:
        """Return what follows for the columns as they are from coefficients and information of the centred ones."""
        return infer(self.back(coef[None])[0], information, self.means)
