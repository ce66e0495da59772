"""The weights of the rows from round to round, and the bound of the training error."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats

MIN_WEIGHT = float(np.finfo(float).eps)
"""The smallest weight: a row whose weight underflowed to 0 would never count."""


def odds(error: float) -> float:
    """Return the factor of the weights of misclassified rows, (1 - error) / error.

    Examples
    --------
    >>> odds(0.2), odds(0.0)
    (4.0, inf)
    """
    return (1 - error) / error if error > 0 else float("inf")


def reweighted(weights: Floats, is_wrong: NDArray[np.bool_], vote: float) -> Floats:
    """Multiply the weights of misclassified rows by exp(vote), and divide all by their sum.

    No weight falls below :data:`MIN_WEIGHT`, but one that is 0 stays 0, as in scikit-learn.

    Examples
    --------
    >>> is_wrong = np.array([True, False, False, False])
    >>> reweighted(np.full(4, 0.25), is_wrong, np.log(3)).round(3).tolist()
    [0.5, 0.167, 0.167, 0.167]
    """
    with np.errstate(divide="ignore"):
        logs = np.log(weights) + vote * is_wrong
    scaled = np.exp(logs - logs.max())  # so that no factor overflows
    new: Floats = np.where(weights > 0, np.maximum(scaled / scaled.sum(), MIN_WEIGHT), 0.0)
    return np.asarray(new / new.sum())


def log_bound_factor(error: float, vote: float) -> float:
    """Return the logarithm of a round's factor of the bound.

    With a learning rate of 1 and two classes the factor is 2 sqrt(error (1 - error)).

    Examples
    --------
    >>> round(float(np.exp(log_bound_factor(0.1, float(np.log(9))))), 6)
    0.6
    """
    with np.errstate(divide="ignore"):
        return float(np.logaddexp(np.log1p(-error) - vote / 2, np.log(error) + vote / 2))
