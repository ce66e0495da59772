"""Standard errors, Wald tests, confidence limits and odds ratios of maximum likelihood."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import erfc

from dmlib.arrays import Floats
from dmlib.classification.logistic_regression.likelihood import solve

NORMAL_95 = 1.959963984540054
"""The 97.5 % quantile of the standard normal distribution."""


@dataclass(frozen=True)
class Inference:
    """Wald tests and limits of each coefficient; NaN where the data do not determine it.

    Attributes
    ----------
    covariance : ndarray of shape (n_terms, n_terms)
        The inverse of the information, the negative Hessian.
    standard_errors : ndarray of shape (n_terms,)
        The roots of its diagonal.
    z : ndarray of shape (n_terms,)
        Coefficient / standard error.
    p : ndarray of shape (n_terms,)
        The two-sided p-value of z in the standard normal distribution.
    limits : ndarray of shape (n_terms, 2)
        Coefficient ∓ 1.96 standard errors: 95 % limits.
    odds : ndarray of shape (n_terms,)
        exp(coefficient): the factor on the odds for one unit more of the column; for the intercept,
        the odds at zero.
    odds_limits : ndarray of shape (n_terms, 2)
        exp(limits).
    """

    covariance: Floats
    standard_errors: Floats
    z: Floats
    p: Floats
    limits: Floats
    odds: Floats
    odds_limits: Floats


def infer(coef: Floats, information: Floats, means: Floats | None = None) -> Inference:
    """Return the inference for coefficients of maximum likelihood, with the information there.

    With ``means``, the information is that for centred columns, the intercept first.

    Examples
    --------
    >>> infer(np.array([0.0, 2.0]), np.diag([4.0, 1.0])).p.round(4).tolist()
    [1.0, 0.0455]
    """
    undetermined = np.diag(information) <= 0
    covariance = solve(information, np.eye(len(coef)))
    if means is not None:
        covariance[0] -= means @ covariance
        covariance[:, 0] -= covariance @ means
    covariance[undetermined] = covariance[:, undetermined] = np.nan
    errors = np.sqrt(np.diag(covariance))
    z = coef / errors
    limits = coef[:, None] + errors[:, None] * [-NORMAL_95, NORMAL_95]
    with np.errstate(over="ignore"):
        return Inference(
            covariance,
            errors,
            z,
            erfc(np.abs(z) / np.sqrt(2)),
            limits,
            np.exp(coef),
            np.exp(limits),
        )
