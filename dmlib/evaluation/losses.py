"""Losses of predicted probabilities: quadratic and informational."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_array

from dmlib.arrays import Floats
from dmlib.evaluation.classes import class_list

SUM_TOLERANCE = 1e-5  # of a row's sum of probabilities, which may be of single precision


def quadratic_losses(
    y_true: ArrayLike, proba: ArrayLike, *, labels: ArrayLike | None = None
) -> Floats:
    r"""Return the quadratic loss of each row, :math:`\sum_i (p_i - a_i)^2`, from 0 to 2.

    :math:`a_i` is 1 for the true class and 0 otherwise.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        The true classes.
    proba : array-like of shape (n_samples, n_classes) or (n_samples,)
        The predicted probabilities, in the order of the classes; one column alone is that of the
        second of two.
    labels : array-like of shape (n_classes,), optional
        The classes, by default those of ``y_true``, sorted.

    Returns
    -------
    ndarray of shape (n_samples,)
        The losses; their mean is the loss of the classifier.

    Raises
    ------
    ValueError
        If these are not probabilities, or not one for each class.

    Notes
    -----
    With two classes this is twice what scikit-learn calls the Brier score, :math:`(p - a)^2` of the
    positive class.

    References
    ----------
    G. W. Brier (1950), Verification of forecasts expressed in terms of probability, equation 2.

    Examples
    --------
    >>> quadratic_losses([1, 0], [0.75, 0.5]).tolist()
    [0.125, 0.5]
    """
    codes, probabilities = _checked(y_true, proba, labels)
    actual = np.eye(probabilities.shape[1])[codes]
    losses: Floats = ((probabilities - actual) ** 2).sum(axis=1)
    return losses


def informational_losses(
    y_true: ArrayLike, proba: ArrayLike, *, labels: ArrayLike | None = None
) -> Floats:
    r"""Return the informational loss of each row, :math:`\log_2 (1 / p_h)` bits for true class h.

    The parameters are those of :func:`quadratic_losses`. A loss is infinite where the true class
    has the probability 0.

    Notes
    -----
    Times ln 2 this is the log loss in nats (scikit-learn's ``log_loss``, which clips probabilities
    of 0).

    References
    ----------
    I. J. Good (1952), Rational decisions, section 5.

    Examples
    --------
    >>> informational_losses([1, 0, 0], [0.5, 0.75, 1.0]).tolist()
    [1.0, 2.0, inf]
    """
    codes, probabilities = _checked(y_true, proba, labels)
    with np.errstate(divide="ignore"):
        losses: Floats = 0.0 - np.log2(probabilities[np.arange(len(codes)), codes])
    return losses


def quadratic_loss(
    y_true: ArrayLike, proba: ArrayLike, *, labels: ArrayLike | None = None
) -> float:
    """Return the mean quadratic loss; see :func:`quadratic_losses`.

    Examples
    --------
    >>> quadratic_loss([1, 0], [0.75, 0.5])
    0.3125
    """
    return float(quadratic_losses(y_true, proba, labels=labels).mean())


def informational_loss(
    y_true: ArrayLike, proba: ArrayLike, *, labels: ArrayLike | None = None
) -> float:
    """Return the mean informational loss in bits; see :func:`informational_losses`.

    Examples
    --------
    >>> informational_loss([1, 0], [0.5, 0.75])
    1.5
    """
    return float(informational_losses(y_true, proba, labels=labels).mean())


def _checked(
    y_true: ArrayLike, proba: ArrayLike, labels: ArrayLike | None
) -> tuple[NDArray[np.intp], Floats]:
    """Return the codes of the true classes, and their probabilities in columns."""
    truth = class_list(y_true, "y_true")
    classes: NDArray[Any] = np.unique(truth) if labels is None else np.asarray(labels)
    probabilities: Floats = check_array(
        proba, dtype=np.float64, ensure_2d=False, input_name="proba"
    )
    if probabilities.ndim == 1:
        probabilities = np.column_stack([1 - probabilities, probabilities])
        is_binary = truth.dtype.kind in "biu" and classes.tolist() in ([0], [1])
        if labels is None and is_binary:
            classes = np.array([0, 1])
    if probabilities.shape != (len(truth), len(classes)):
        raise ValueError(
            f"proba has shape {probabilities.shape}, but {len(truth)} rows of {len(classes)}"
            f" classes need {(len(truth), len(classes))}. Name all classes with labels."
        )
    _check_probabilities(probabilities)
    place = {label: i for i, label in enumerate(classes.tolist())}
    true_classes, codes = np.unique(truth, return_inverse=True)
    if missing := [label for label in true_classes.tolist() if label not in place]:
        raise ValueError(
            f"The true class {missing[0]} has no column of probabilities. Name all classes with"
            " labels."
        )
    places = np.array([place[label] for label in true_classes.tolist()], np.intp)
    return places[codes], probabilities


def _check_probabilities(probabilities: Floats) -> None:
    if (probabilities < 0).any() or (probabilities > 1).any():
        raise ValueError("A probability must lie between 0 and 1. Give probabilities, not scores.")
    if np.abs(probabilities.sum(axis=1) - 1).max() > SUM_TOLERANCE:
        raise ValueError("The probabilities of each row must sum to 1. Divide each row by its sum.")
