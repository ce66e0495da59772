"""PEBLS: the nearest exemplar, where values of a nominal column are alike if they go with the same classes."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from dmlib.classification.columns import Columns, new_rows, read_classes
from dmlib.params import Flag, Param, check_params

Floats = NDArray[np.float64]

BLOCK = 2**22  # distances in memory at once


class PEBLS(ClassifierMixin, BaseEstimator):
    r"""Give a row the class of its nearest exemplar, by the modified value difference metric.

    Two values of a nominal column are as far apart as the classes that they go with:
    :math:`d(v, w) = \sum_c |P(c \mid v) - P(c \mid w)|`. The distance of two rows is the sum over
    the columns, times the weight of the stored row.

    Parameters
    ----------
    weighted : bool, default=True
        Whether stored rows that were wrong about others are moved away: a row's weight is (uses + 1) / (correct
        uses + 1), where each stored row in turn uses the nearest of the others. Without it all weights are 1.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    value_distances_ : list of (ndarray of shape (n_values, n_values) or None)
        The distances of the values of each nominal column, in the order of ``categories_``; None for numeric columns.
    categories_ : list of (list or None)
        The values of each nominal column.
    exemplar_weights_ : ndarray of shape (n_samples,)
        The weights of the stored rows.
    n_features_in_ : int
        The number of columns.

    Raises
    ------
    ValueError
        If a value is missing.

    Notes
    -----
    Learning costs O(n^2 d), classifying a row O(n d). A numeric column counts the difference divided by its range. A
    value that no stored row has goes with all classes as often as they occur. Ties go to the row that is stored first.

    References
    ----------
    S. Cost and S. Salzberg (1993), A weighted nearest neighbor algorithm for learning with symbolic features.
    C. Stanfill and D. Waltz (1986), Toward memory-based reasoning.

    Examples
    --------
    >>> rows = [["red", "s"], ["red", "m"], ["blue", "s"], ["green", "m"]]
    >>> model = PEBLS().fit(rows, ["a", "a", "b", "b"])
    >>> model.categories_[0], model.value_distances_[0].tolist()
    (['blue', 'green', 'red'], [[0.0, 0.0, 2.0], [0.0, 0.0, 2.0], [2.0, 2.0, 0.0]])
    >>> model.predict([["green", "s"]]).tolist()
    ['b']
    """

    PARAMS: ClassVar[dict[str, Param]] = {"weighted": Flag()}

    def __init__(self, *, weighted: bool = True) -> None:
        self.weighted = weighted

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Store the rows of ``X``, measure how alike their values are, and weigh them."""
        check_params(self.PARAMS, self.get_params())
        validate_data(self, X, y, skip_check_array=True)
        self._columns, matrix = Columns.read(X)
        self.classes_, self._codes = read_classes(y, matrix)
        self._shares = [
            None if values is None else self._class_shares(column, len(values))
            for column, values in zip(matrix.T, self._columns.categories, strict=True)
        ]
        self.categories_ = [None if values is None else list(values) for values in self._columns.categories]
        self.value_distances_ = [None if s is None else cdist(s[:-1], s[:-1], "cityblock") for s in self._shares]
        with np.errstate(invalid="ignore"):
            self._range = np.ptp(matrix, axis=0)
        self._stored = self._coordinates(matrix)
        self.exemplar_weights_ = np.ones(len(matrix))
        if self.weighted and len(matrix) > 1:
            used = self._nearest(self._stored, skip_own=True)
            uses = np.bincount(used, minlength=len(matrix))
            correct = np.bincount(used, self._codes[used] == self._codes, minlength=len(matrix))
            self.exemplar_weights_ = (uses + 1) / (correct + 1)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of the nearest exemplar of each row."""
        check_is_fitted(self)
        nearest = self._nearest(self._coordinates(new_rows(self, self._columns, X)))
        labels: NDArray[Any] = self.classes_[self._codes[nearest]]
        return labels

    def _class_shares(self, column: Floats, n_values: int) -> Floats:
        """Return P(class | value), shape (n_values + 1, n_classes); the last row is for other values."""
        counts = np.zeros((n_values + 1, len(self.classes_)))
        np.add.at(counts, (np.nan_to_num(column).astype(np.intp), self._codes), 1)
        prior = counts.sum(axis=0)
        total = counts.sum(axis=1, keepdims=True)
        shares: Floats = np.where(total > 0, counts / np.where(total > 0, total, 1), prior / prior.sum())
        return shares

    def _coordinates(self, matrix: Floats) -> Floats:
        """Return places whose manhattan distances are those of the rows."""
        if np.isnan(matrix).any():
            raise ValueError("Input X contains NaN: a distance needs all values. Leave out rows with missing ones.")
        scaled = matrix / np.where(self._range > 0, self._range, 1)
        parts = [
            scaled[:, [j]] if shares is None else shares[matrix[:, j].astype(np.intp)]
            for j, shares in enumerate(self._shares)
        ]
        return np.hstack(parts)

    def _nearest(self, Z: Floats, *, skip_own: bool = False) -> NDArray[np.intp]:
        rows = max(1, BLOCK // len(self._stored))
        found = []
        for start in range(0, len(Z), rows):
            distances = cdist(Z[start : start + rows], self._stored, "cityblock") * self.exemplar_weights_
            if skip_own:
                own = np.arange(len(distances))
                distances[own, start + own] = np.inf
            found.append(distances.argmin(axis=1))
        return np.concatenate(found)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        return tags
