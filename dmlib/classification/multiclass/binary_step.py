"""One binary problem of a machine for many classes, as a record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Ints

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class BinaryStep:
    """A binary problem that was trained, or the decoding at the end.

    Attributes
    ----------
    phase : {"train", "decode"}
        A binary classifier was trained; all were, and are asked together.
    number : int
        How many problems are trained.
    signs : ndarray of shape (n_classes, n_problems)
        The code matrix: 1 for a class on the positive side of a problem, -1 on the negative side, 0
        if it is left out.
    estimator : object or None
        The binary classifier, fitted; None at the end.
    rows : ndarray of shape (n_rows,)
        The training rows of the problem; none at the end.
    positive : ndarray of bool of shape (n_rows,)
        Which of them are on the positive side.
    said : ndarray of bool of shape (n_rows,)
        Which of them the classifier puts there.
    reason : str
        What the classifier warned of while it was trained; empty if nothing.
    """

    phase: str
    number: int
    signs: Ints
    estimator: Any
    rows: Ints
    positive: Mask
    said: Mask
    reason: str = ""


def agreeing(signs: Ints, positive: Mask) -> Ints:
    """Return how many answers agree with the code of each class: its votes.

    Parameters
    ----------
    signs : ndarray of shape (n_classes, n_problems)
        The code matrix; a class of sign 0 gets no vote.
    positive : ndarray of bool of shape (n_samples, n_problems)
        The answers.

    Returns
    -------
    ndarray of shape (n_samples, n_classes)
        The votes.

    Examples
    --------
    >>> agreeing(np.array([[1, -1], [-1, 1], [0, 1]]), np.array([[True, False], [False, False]])).tolist()
    [[2, 0, 0], [1, 1, 0]]
    """
    product = np.where(positive, 1, -1) @ signs.T
    votes: Ints = (product + np.abs(signs).sum(axis=1)) // 2
    return votes


def contradictory(votes: Ints) -> Mask:
    """Return where no single class has the most votes.

    Examples
    --------
    >>> contradictory(np.array([[2, 1, 0], [1, 1, 1]])).tolist()
    [False, True]
    """
    tied: Mask = (votes == votes.max(axis=1, keepdims=True)).sum(axis=1) > 1
    return tied
