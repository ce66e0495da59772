"""The Mahalanobis distance: how far a row is from the mean, measured by the covariance."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from scipy.stats import chi2

from dmlib.anomaly_detection.detector import (
    THRESHOLD,
    Detector,
    DetectorStep,
    no_scores,
    score_by_row,
)
from dmlib.arrays import Floats
from dmlib.params import Conditions, Decided, Number, Param
from dmlib.squares import centred


@dataclass(frozen=True, kw_only=True)
class MahalanobisStep(DetectorStep):
    """One step of Mahalanobis distances.

    Attributes
    ----------
    phase : {"mean", "covariance", "score", "mark"}
        The mean was taken; the covariance matrix; rows were scored; rows were marked.
    location : ndarray of shape (n_features,)
        The mean.
    covariance : ndarray of shape (n_features, n_features)
        The covariance matrix; NaN before it is taken.
    """

    location: Floats
    covariance: Floats


class MahalanobisDistance(Detector[MahalanobisStep]):
    r"""Mark rows that are far from the mean, in units of the spread in their direction.

    With the mean :math:`m` and the covariance matrix :math:`S` of all rows, the distance of a row
    :math:`x` is :math:`\sqrt{(x - m)^\top S^{-1} (x - m)}`.

    Parameters
    ----------
    contamination : float or "auto", default="auto"
        The share of the rows that are marked, those with the highest scores. "auto": those beyond
        the quantile of the chi-squared distribution.
    quantile : float, default=0.975
        The share of normally distributed rows that lie within the limit of "auto": the limit is
        the root of this quantile of the chi-squared distribution, with a degree of freedom for
        each column.
    threshold : float or None, default=None
        The score above which rows are marked; it overrides share and quantile.
    anomaly_class : int, default=0
        The number of the class of known anomalies, from 1: the code plus 1. The scores do not
        depend on it; 0 for none.

    Attributes
    ----------
    scores_ : ndarray of shape (n_samples,)
        The distance of each row.
    threshold_ : float
        The score above which rows are marked.
    anomalies_ : ndarray of bool, shape (n_samples,)
        Which rows are marked.
    n_anomalies_ : int
        How many these are.
    precision_, recall_, auc_ : float or None
        Of the marked rows, the share of known anomalies; of these, the share that is marked; and
        the area under the ROC curve of the scores. None where nothing is known.
    location_ : ndarray of shape (n_features,)
        The mean.
    covariance_ : ndarray of shape (n_features, n_features)
        The covariance matrix, dividing by n - 1.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If a parameter is out of bounds.

    Notes
    -----
    O(n d² + d³). Where the covariance matrix is singular its pseudoinverse is used: directions in
    which no row deviates count nothing. Mean and covariance are of all rows, anomalies included,
    which can hide them ("masking") or make others look unusual ("swamping").

    References
    ----------
    P. C. Mahalanobis (1936), On the generalised distance in statistics. P. J. Rousseeuw and B. C.
    van Zomeren (1990), Unmasking multivariate outliers and leverage points, section 1.

    Examples
    --------
    >>> X = [[0, 0], [2, 0], [0, 2], [2, 2], [1, 1], [1, 5]]
    >>> model = MahalanobisDistance(threshold=1.5).fit(X)
    >>> model.scores_.round(2).tolist(), model.n_anomalies_
    ([1.43, 1.43, 1.13, 1.13, 0.36, 1.79], 1)
    """

    KEPT: ClassVar[tuple[str, ...]] = ("location", "covariance")
    APPLIES: ClassVar[Conditions] = {"quantile": ("contamination", ("auto",))}
    DECIDED: ClassVar[Decided] = {**Detector.DECIDED, "quantile": Detector.DECIDED["contamination"]}
    PARAMS: ClassVar[dict[str, Param]] = THRESHOLD | {
        "quantile": Number(0.5, 0.9999, shown=(0.8, 0.999), step=0.001)
    }

    location_: Floats
    covariance_: Floats

    def __init__(
        self,
        *,
        contamination: float | str = "auto",
        quantile: float = 0.975,
        threshold: float | None = None,
        anomaly_class: int = 0,
    ) -> None:
        self.contamination = contamination
        self.quantile = quantile
        self.threshold = threshold
        self.anomaly_class = anomaly_class

    def _learn(self, X: Floats) -> Generator[MahalanobisStep, None, MahalanobisStep]:
        mean, moved = centred(X)
        nothing = np.full((X.shape[1], X.shape[1]), np.nan)
        step = MahalanobisStep(phase="mean", location=mean, covariance=nothing, **no_scores(X))
        yield step
        covariance = moved.T @ moved / max(len(X) - 1, 1)
        step = replace(step, phase="covariance", covariance=covariance)
        yield step
        return (yield from score_by_row(step, mahalanobis(X, mean, covariance)))

    def _scores(self, X: Floats) -> Floats:
        return mahalanobis(X, self.location_, self.covariance_)

    def _limit(self, step: MahalanobisStep) -> float:
        return float(np.sqrt(chi2.ppf(self.quantile, len(step.location))))


def mahalanobis(X: Floats, mean: Floats, covariance: Floats) -> Floats:
    """Return the Mahalanobis distance of each row from a mean.

    Examples
    --------
    >>> mahalanobis(np.array([[4.0, 0.0], [0.0, 3.0]]), np.zeros(2), np.diag([4.0, 1.0])).tolist()
    [2.0, 3.0]
    """
    spread = np.sqrt(np.diag(covariance))
    unit = np.where(spread > 0, spread, 1.0)  # so that columns of small numbers count too
    moved = (X - mean) / unit
    inverse = np.linalg.pinv(covariance / np.outer(unit, unit), hermitian=True)
    squares = np.einsum("ij,jk,ik->i", moved, inverse, moved)
    return np.asarray(np.sqrt(np.maximum(squares, 0.0)))
