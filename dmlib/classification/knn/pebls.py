"""PEBLS: the nearest exemplar by the modified value difference metric."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from dmlib.arrays import Floats
from dmlib.classification.columns import Columns, check_columns, new_rows, read_classes
from dmlib.classification.nearest import EQUAL
from dmlib.params import Flag, Param, check_params

BLOCK = 2**22  # distances in memory at once
Phase = Literal["compare", "weigh", "measure", "multiply", "choose"]


@dataclass(frozen=True)
class ExemplarStep:
    """One step of comparing the values of columns, and of classifying one row.

    Attributes
    ----------
    phase : {"compare", "weigh", "measure", "multiply", "choose"}
        The values of one column were compared; the stored rows got their weights; the distances of
        the query to them were measured; the distances were multiplied by the weights; the nearest
        stored row was chosen.
    column : int or None
        The column that was compared.
    weights : ndarray of shape (n_samples,)
        The weights of the stored rows; 1 before "weigh".
    distances : ndarray of shape (n_samples,)
        How far each stored row is: NaN before "measure", with the weights from "multiply" on.
    nearest : int or None
        The stored row whose class is the answer, in "choose".
    """

    phase: Phase
    column: int | None
    weights: Floats
    distances: Floats
    nearest: int | None


class PEBLS(ClassifierMixin, BaseEstimator):
    r"""Predict the class of the nearest exemplar, by the modified value difference metric.

    The distance of two values of a nominal column is that of their class frequencies:
    :math:`d(v, w) = \sum_c |P(c \mid v) - P(c \mid w)|`. The distance of two rows is the sum over
    the columns, times the weight of the stored row.

    Parameters
    ----------
    weighted : bool, default=True
        Whether unreliable stored rows are moved away: a row's weight is (uses + 1) / (correct uses
        + 1), where each stored row in turn uses the nearest of the others. Without it all weights
        are 1.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    value_distances_ : list of (ndarray of shape (n_values, n_values) or None)
        The distances of the values of each nominal column, in the order of ``categories_``; None
        for numeric columns.
    categories_ : list of (list or None)
        The values of each nominal column.
    exemplar_weights_ : ndarray of shape (n_samples,)
        The weights of the stored rows.
    uses_, correct_uses_ : ndarray of shape (n_samples,)
        The number of other rows whose nearest neighbour each is, and the number of those that have
        its class; 0 without weights.
    value_counts_ : list of (ndarray of shape (n_values, n_classes) or None)
        How often each value of a nominal column goes with each class.
    ranges_ : ndarray of shape (n_features,)
        The largest minus the smallest number of each column; of codes in nominal ones.
    n_samples_fit_ : int
        The number of stored rows.
    n_features_in_ : int
        The number of columns.

    Raises
    ------
    ValueError
        If a value is missing.

    Notes
    -----
    Fitting costs O(n^2 d), classifying a row O(n d). A numeric column counts the difference divided
    by its range. A value that no stored row has gets the class frequencies of all rows. Of
    equidistant rows (up to rounding) the one that is stored first is taken.

    References
    ----------
    S. Cost and S. Salzberg (1993), A weighted nearest neighbor algorithm for learning with symbolic
    features. C. Stanfill and D. Waltz (1986), Toward memory-based reasoning.

    Examples
    --------
    >>> rows = [["red", "s"], ["red", "m"], ["blue", "s"], ["green", "m"]]
    >>> model = PEBLS().fit(rows, ["a", "a", "b", "b"])
    >>> model.categories_[0], model.value_distances_[0].tolist()
    (['blue', 'green', 'red'], [[0.0, 0.0, 2.0], [0.0, 0.0, 2.0], [2.0, 2.0, 0.0]])
    >>> model.predict([["green", "s"]]).tolist()
    ['b']
    >>> [step.phase for step in model.explain_steps(["green", "s"])]
    ['compare', 'compare', 'weigh', 'measure', 'multiply', 'choose']
    """

    PARAMS: ClassVar[dict[str, Param]] = {"weighted": Flag()}

    def __init__(self, *, weighted: bool = True) -> None:
        self.weighted = weighted

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Store the rows of ``X``, compare the values of their columns, and weigh the rows."""
        check_params(self.PARAMS, self.get_params())
        check_columns(self, X, y)
        self._columns, matrix = Columns.read(X)
        self.classes_, self._codes = read_classes(y, matrix)
        self.value_counts_ = [
            None if values is None else self._counts(column, len(values))
            for column, values in zip(matrix.T, self._columns.categories, strict=True)
        ]
        self._shares = [
            None if counts is None else _shares(counts) for counts in self.value_counts_
        ]
        self.categories_ = [
            None if values is None else list(values) for values in self._columns.categories
        ]
        self.value_distances_ = [
            None if s is None else cdist(s[:-1], s[:-1], "cityblock") for s in self._shares
        ]
        with np.errstate(invalid="ignore"):
            self.ranges_ = np.ptp(matrix, axis=0)
        self._typical = self._columns.typical(matrix)
        self._stored = self._coordinates(matrix)
        self.n_samples_fit_ = n = len(matrix)
        self.exemplar_weights_ = np.ones(n)
        self.uses_ = np.zeros(n, np.intp)
        self.correct_uses_ = np.zeros(n, np.intp)
        if self.weighted and n > 1:
            nearest = self._nearest(self._stored, skip_own=True)
            is_correct = self._codes[nearest] == self._codes
            self.uses_ = np.bincount(nearest, minlength=n)
            self.correct_uses_ = np.bincount(nearest[is_correct], minlength=n)
            self.exemplar_weights_ = (self.uses_ + 1) / (self.correct_uses_ + 1)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of the nearest exemplar of each row."""
        nearest = self.exemplars(X)
        labels: NDArray[Any] = self.classes_[self._codes[nearest]]
        return labels

    def predict_proba(self, X: Any) -> Floats:
        """Return 1 for the class of each row and 0 for the others (columns, as in ``classes_``)."""
        nearest = self.exemplars(X)
        shares: Floats = np.eye(len(self.classes_))[self._codes[nearest]]
        return shares

    def exemplars(self, X: Any) -> NDArray[np.intp]:
        """Return the nearest stored row of each row."""
        check_is_fitted(self)
        return self._nearest(self._coordinates(new_rows(self, self._columns, X)))

    def steps(self, X: Any, y: Any = None) -> Iterator[ExemplarStep]:
        """Yield how values are compared and rows weighed, then how the typical row is classified.

        Its numeric columns have the mean, its nominal ones the most frequent value. For any other
        row, fit and call :meth:`explain_steps`.
        """
        model = clone(self).fit(X, y)
        yield from model._explain(model._typical)

    def explain_steps(self, x: Any) -> Iterator[ExemplarStep]:
        """Yield how values are compared and rows weighed, then how one row is classified.

        Parameters
        ----------
        x : sequence of n_features values, array of shape (1, n_features), or DataFrame of one row
            The row.

        Raises
        ------
        ValueError
            If ``x`` has another number of values, or a missing one.
        """
        check_is_fitted(self)
        yield from self._explain(self._columns.encode(self._columns.frame(x))[0])

    def terms(self, x: Any) -> Floats:
        """Return the terms of the distance from one row to each stored row.

        Their shape is (n_samples, n_features), without weights. The row has a form that
        :meth:`explain_steps` takes.
        """
        check_is_fitted(self)
        return self._terms(self._columns.encode(self._columns.frame(x))[0])

    def _explain(self, row: Floats) -> Iterator[ExemplarStep]:
        ones = np.ones(self.n_samples_fit_)
        unmeasured = np.full(self.n_samples_fit_, np.nan)
        weights = self.exemplar_weights_.copy()
        for j in range(self.n_features_in_):
            yield ExemplarStep("compare", j, ones, unmeasured, None)
        if self.weighted:
            yield ExemplarStep("weigh", None, weights, unmeasured, None)
        distances = self._terms(row).sum(axis=1)
        yield ExemplarStep("measure", None, weights, distances, None)
        if self.weighted:
            distances = distances * weights
            yield ExemplarStep("multiply", None, weights, distances, None)
        nearest = int(self._nearest(self._coordinates(row[None]))[0])
        yield ExemplarStep("choose", None, weights, distances, nearest)

    def _terms(self, row: Floats) -> Floats:
        differences = np.abs(self._stored - self._coordinates(row[None]))
        widths = [1 if shares is None else len(self.classes_) for shares in self._shares]
        terms: Floats = np.add.reduceat(differences, np.cumsum([0, *widths[:-1]]), axis=1)
        return terms

    def _counts(self, column: Floats, n_values: int) -> Floats:
        """Return how often each value goes with each class, shape (n_values, n_classes)."""
        counts = np.zeros((n_values, len(self.classes_)))
        has_value = ~np.isnan(column)
        np.add.at(counts, (column[has_value].astype(np.intp), self._codes[has_value]), 1)
        return counts

    def _coordinates(self, matrix: Floats) -> Floats:
        """Return coordinates whose Manhattan distances are those of the rows."""
        if np.isnan(matrix).any():
            raise ValueError(
                "Input X contains NaN: a distance needs all "
                "values. Leave out rows with missing ones."
            )
        scaled = matrix / np.where(self.ranges_ > 0, self.ranges_, 1)
        parts = [
            scaled[:, [j]] if shares is None else shares[matrix[:, j].astype(np.intp)]
            for j, shares in enumerate(self._shares)
        ]
        return np.hstack(parts)

    def _nearest(self, Z: Floats, *, skip_own: bool = False) -> NDArray[np.intp]:
        """Return the nearest stored row of each row, the first of equidistant ones."""
        n_rows = max(1, BLOCK // len(self._stored))
        exemplars = []
        for start in range(0, len(Z), n_rows):
            distances = cdist(Z[start : start + n_rows], self._stored, "cityblock")
            distances *= self.exemplar_weights_
            if skip_own:
                own = np.arange(len(distances))
                distances[own, start + own] = np.inf
            nearest = distances.min(axis=1, keepdims=True)
            exemplars.append((distances <= nearest * (1 + EQUAL)).argmax(axis=1))
        return np.concatenate(exemplars)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        return tags


def _shares(counts: Floats) -> Floats:
    """Return P(class | value), shape (n_values + 1, n_classes); the last row is the prior."""
    total = counts.sum(axis=1, keepdims=True)
    prior = counts.sum(axis=0) / max(counts.sum(), 1)
    return np.vstack([np.where(total > 0, counts / np.maximum(total, 1), prior), prior])
