"""The steps of a reduction to binary problems, and their votes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Ints

Mask = NDArray[np.bool_]
Phase = Literal["train", "decode"]


@dataclass(frozen=True)
class BinaryStep:
    """A binary problem that was trained, or the decoding at the end.

    Attributes
    ----------
    phase : {"train", "decode"}
        A binary classifier was trained; the predictions of all are decoded.
    number : int
        The number of trained problems.
    signs : ndarray of shape (n_classes, n_problems)
        The code matrix: 1 for a class on the positive side of a problem, -1 on the negative side, 0
        if it is left out.
    estimator : object or None
        The binary classifier, fitted; None at the end.
    rows : ndarray of shape (n_rows,)
        The training rows of the problem; none at the end.
    positive : ndarray of bool of shape (n_rows,)
        Which of them are on the positive side.
    predicted : ndarray of bool of shape (n_rows,)
        Which of them the classifier predicts there.
    reason : str
        The warnings of the classifier while it was trained; empty if there are none.
    """

    phase: Phase
    number: int
    signs: Ints
    estimator: Any
    rows: Ints
    positive: Mask
    predicted: Mask
    reason: str = ""


def agreeing(signs: Ints, positive: Mask) -> Ints:
    """Return the votes for each class: the predictions that agree with its code.

    Parameters
    ----------
    signs : ndarray of shape (n_classes, n_problems)
        The code matrix; a class of sign 0 gets no vote.
    positive : ndarray of bool of shape (n_samples, n_problems)
        The predictions.

    Returns
    -------
    ndarray of shape (n_samples, n_classes)
        The votes.

    Examples
    --------
    >>> signs = np.array([[1, -1], [-1, 1], [0, 1]])
    >>> agreeing(signs, np.array([[True, False], [False, False]])).tolist()
    [[2, 0, 0], [1, 1, 0]]
    """
    product = np.where(positive, 1, -1) @ signs.T
    votes: Ints = (product + np.abs(signs).sum(axis=1)) // 2
    return votes


def contradictory(votes: Ints) -> Mask:
    """Return the rows where no single class has the most votes.

    Examples
    --------
    >>> contradictory(np.array([[2, 1, 0], [1, 1, 1]])).tolist()
    [False, True]
    """
    tied: Mask = (votes == votes.max(axis=1, keepdims=True)).sum(axis=1) > 1
    return tied
