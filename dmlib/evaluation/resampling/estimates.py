"""Bootstrap estimates of an error: out-of-bag, .632 and .632+."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

WEIGHT = 0.632


@dataclass(frozen=True)
class WeightedError:
    """A weighted mean of training error and out-of-bag error.

    Attributes
    ----------
    estimate : float
        The estimated error.
    weight : float
        The weight of the out-of-bag error.
    overfitting : float
        The relative overfitting rate R of .632+, from 0 to 1; 0 of .632.
    """

    estimate: float
    weight: float
    overfitting: float = 0.0


def fraction_in_sample(n: int) -> float:
    """Return the expected fraction of distinct rows in a bootstrap sample: 1 − (1 − 1/n)ⁿ.

    Examples
    --------
    >>> round(fraction_in_sample(10), 4), round(fraction_in_sample(100_000), 4)
    (0.6513, 0.6321)
    """
    return float(1 - (1 - 1 / n) ** n)


def no_information(truth: ArrayLike, predicted: ArrayLike, numbers: bool) -> float:
    r"""Return the no-information error: the mean loss of all pairs of truth and prediction.

    Examples
    --------
    >>> no_information([0, 0, 1, 1], [0, 1, 1, 1], numbers=False)
    0.5
    """
    y = np.asarray(truth)
    z = np.asarray(predicted)
    if numbers:
        return float(np.var(y) + np.var(z) + (np.mean(y) - np.mean(z)) ** 2)
    return float(sum((y == code).mean() * (z != code).mean() for code in np.unique(y)))


def bootstrap_632(training: float, out_of_bag: float) -> WeightedError:
    """Weight the training error by .368 and the out-of-bag error by .632.

    Examples
    --------
    >>> bootstrap_632(0.0, 0.5).estimate
    0.316
    """
    return WeightedError((1 - WEIGHT) * training + WEIGHT * out_of_bag, WEIGHT)


def bootstrap_632_plus(training: float, out_of_bag: float, gamma: float) -> WeightedError:
    """Weight the out-of-bag error the more, the more the model overfits.

    A model that memorises random classes has the training error 0 and the out-of-bag error of
    guessing, 0.5: .632 estimates 0.316, .632+ 0.5.

    Parameters
    ----------
    training, out_of_bag : float
        The errors of the training rows and of the rows that were not drawn.
    gamma : float
        The error without information (:func:`no_information`).

    Examples
    --------
    >>> bootstrap_632_plus(0.0, 0.5, 0.5).estimate
    0.5
    >>> bootstrap_632_plus(0.2, 0.2, 0.5).estimate == bootstrap_632(0.2, 0.2).estimate
    True
    """
    bounded = min(out_of_bag, gamma)
    overfitting = 0.0
    if training < min(bounded, gamma):
        overfitting = (bounded - training) / (gamma - training)
    weight = WEIGHT / (1 - (1 - WEIGHT) * overfitting)
    return WeightedError(
        (1 - weight) * training + weight * bounded, float(weight), float(overfitting)
    )


def weighted_error(method: Any, training: float, out_of_bag: float, gamma: float) -> WeightedError:
    """Return the estimate of one of the bootstraps."""
    if method == "bootstrap_632":
        return bootstrap_632(training, out_of_bag)
    if method == "bootstrap_632_plus":
        return bootstrap_632_plus(training, out_of_bag, gamma)
    return WeightedError(out_of_bag, 1.0)
