"""Box's test of equal covariance matrices, which linear discriminants assume."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc

from dmlib.arrays import Floats
from dmlib.classification.covariances import rank


@dataclass(frozen=True)
class BoxM:
    """Box's test of equal covariance matrices.

    Attributes
    ----------
    log_dets : ndarray of shape (n_classes,)
        ln of the determinant of each class's matrix, divided by n - 1.
    pooled_log_det : float
        That of the pooled matrix, divided by n - n_classes.
    statistic : float
        Box's M.
    chi2 : float
        M times Box's correction, about chi-squared distributed if the matrices are equal.
    degrees : int
        Its degrees of freedom.
    p : float
        The probability of so large a value if the matrices are equal and the classes normal.
    """

    log_dets: Floats
    pooled_log_det: float
    statistic: float
    chi2: float
    degrees: int
    p: float

    @property
    def sentence(self) -> str:
        """The result of the test, with its numbers."""
        result = "differ" if self.p < 0.05 else "may be equal"
        p = f"p = {self.p:.3g}" if self.p >= 1e-300 else "p < 1e-300"
        return (
            f"Box's M = {self.statistic:.5g}: χ² = {self.chi2:.5g} "
            f"with {self.degrees} degrees, {p}: the covariance matrices {result}"
        )


def box_m(singles: Sequence[Floats], counts: NDArray[np.intp]) -> BoxM | None:
    """Return Box's test of covariance matrices (divided by n); None where one is singular.

    References
    ----------
    G. E. P. Box (1949), A general distribution theory for a class of likelihood criteria.

    Examples
    --------
    >>> test = box_m([np.eye(1), np.eye(1)], np.array([10, 10]))
    >>> test.statistic, test.degrees, round(test.p, 6)
    (0.0, 1, 1.0)
    """
    d = len(singles[0])
    k = len(singles)
    if counts.min() <= d or any(rank(matrix, 1e-6) < d for matrix in singles):
        return None
    freedom = counts - 1
    own = [matrix * n / (n - 1) for matrix, n in zip(singles, counts, strict=True)]
    pooled = np.tensordot(freedom, np.array(own), axes=1) / freedom.sum()
    log_dets = np.array([np.linalg.slogdet(matrix)[1] for matrix in own])
    log_det = float(np.linalg.slogdet(pooled)[1])
    statistic = float(freedom.sum() * log_det - freedom @ log_dets)
    correction = (
        ((1 / freedom).sum() - 1 / freedom.sum())
        * (2 * d * d + 3 * d - 1)
        / (6 * (d + 1) * (k - 1))
    )
    chi2 = max(statistic * (1 - float(correction)), 0.0)
    degrees = d * (d + 1) * (k - 1) // 2
    return BoxM(log_dets, log_det, statistic, chi2, degrees, float(chdtrc(degrees, chi2)))
