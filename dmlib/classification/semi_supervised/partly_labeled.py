"""Rows of which few have a label: which these are, and how many of the others are misclassified."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_random_state, column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from dmlib.arrays import Floats, Ints

Mask = NDArray[np.bool_]
UNLABELED = -1


@dataclass(frozen=True)
class PartlyLabeled:
    """The labels of rows, of which an algorithm is shown some.

    Attributes
    ----------
    classes : ndarray of shape (n_classes,)
        The classes, sorted.
    codes : ndarray of shape (n_samples,)
        The class of each row, by its number; -1 where nobody knows it.
    is_labeled : ndarray of bool, shape (n_samples,)
        Which rows have a label from the start.
    """

    classes: NDArray[Any]
    codes: Ints
    is_labeled: Mask

    @property
    def labels(self) -> Ints:
        """The labels at the start, -1 for rows without one."""
        return np.where(self.is_labeled, self.codes, UNLABELED)

    @property
    def hidden(self) -> Mask:
        """Which rows have a class that is hidden: they measure the error."""
        return ~self.is_labeled & (self.codes >= 0)

    def error(self, answers: Ints) -> Ints:
        """Return how many hidden rows have another class than the answer, and how many there are.

        Without hidden rows it is empty.
        """
        hidden = self.hidden
        wrong = int((answers[hidden] != self.codes[hidden]).sum())
        return np.array([wrong, hidden.sum()] if hidden.any() else [], np.intp)


def partly_labeled(
    y: ArrayLike, n_labeled: int | None, queries: Sequence[int], random_state: Any
) -> PartlyLabeled:
    """Hide all labels but a few of each class.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        The classes; -1, None or NaN where nobody knows them.
    n_labeled : int or None
        How many rows of each class keep their label; None for all.
    queries : sequence of int
        Rows that also keep it.
    random_state : int, RandomState or None
        The seed of the choice; a larger number keeps the rows of a smaller one.

    Raises
    ------
    ValueError
        If no row has a label, or a query is none of the rows.

    Examples
    --------
    >>> start = partly_labeled(["a", "b", "a", "b", None], 1, [], 0)
    >>> start.labels.tolist(), start.hidden.tolist()
    ([-1, 1, 0, -1, -1], [True, False, False, True, False])
    """
    labels = column_or_1d(y, dtype=None, warn=True)
    unlabeled = pd.isna(labels)
    if labels.dtype.kind in "iufO":
        unlabeled |= labels == UNLABELED
    check_classification_targets(labels[~unlabeled])
    classes, inverse = np.unique(labels[~unlabeled], return_inverse=True)
    codes = np.full(len(labels), UNLABELED)
    codes[~unlabeled] = inverse
    check_queries(queries, len(codes))
    is_labeled = ~unlabeled
    if n_labeled is not None:
        order = check_random_state(random_state).permutation(len(codes))
        is_labeled = np.zeros(len(codes), bool)
        for code in range(len(classes)):
            is_labeled[order[codes[order] == code][:n_labeled]] = True
    is_labeled[list(queries)] = codes[list(queries)] >= 0
    if not is_labeled.any():
        raise ValueError(
            "No row has a label. Raise n_labeled, the number of labelled rows per class, "
            "or ask for the label of a row."
        )
    return PartlyLabeled(classes, codes, is_labeled)


def check_queries(queries: Sequence[int], n_rows: int) -> None:
    """Refuse queries that are no rows.

    Raises
    ------
    ValueError
        If one is out of bounds.
    """
    if any(not 0 <= row < n_rows for row in queries):
        raise ValueError(f"queries must be rows from 0 to {n_rows - 1}; they were {queries}.")


def answers_of(labels: Ints, proba: Floats) -> Ints:
    """Return the label of each row or, where it has none, the most probable class.

    Examples
    --------
    >>> answers_of(np.array([1, -1]), np.array([[0.9, 0.1], [0.7, 0.3]])).tolist()
    [1, 0]
    """
    return np.where(labels >= 0, labels, proba.argmax(axis=1))
