"""Naive Bayes in one pass over a table: counts, means and variances in each class."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import logsumexp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from dmlib.arrays import Floats
from dmlib.classification.conditionals import log_densities
from dmlib.large.blocks import comparable, numbers, summarised
from dmlib.large.moments import Moments
from dmlib.large.source import open_table
from dmlib.params import Number, Param, check_params

MAX_CLASSES = 1000
MAX_VALUES = 10_000


class NaiveBayes(ClassifierMixin, BaseEstimator):
    r"""Predict a class by its prior times one factor for each column, learned in one pass.

    A column of numbers has a normal distribution within each class; of names, their shares. What is
    kept of the table are counts, means and sums of squared deviations.

    Parameters
    ----------
    alpha : float, default=1.0
        What is added to each count of a name (Laplace).
    var_smoothing : float, default=1e-9
        The share of the largest variance of a column that is added to each variance.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes in ascending order.
    class_count_, class_prior_ : ndarray of shape (n_classes,)
        Their rows, and their shares.
    numeric_, nominal_ : tuple of str
        The columns of numbers and of names.
    theta_, var_ : ndarray of shape (n_classes, n_numeric)
        Means and variances.
    categories_ : list of ndarray
        The values of each nominal column.
    category_count_ : list of ndarray of shape (n_classes, n_values)
        How often they occur.
    n_incomplete_ : int
        How many rows were left out because their class is missing.

    Raises
    ------
    ValueError
        If there is no row with a class, or a column has too many classes or names.

    Notes
    -----
    O(n p). A missing value says nothing: its factor is left out, in fitting and in predicting, and
    so is that of a name that was not seen. A class in which no number of a column is known takes
    the distribution of all rows.

    References
    ----------
    T. F. Chan, G. H. Golub and R. J. LeVeque (1979), Updating formulae and a pairwise algorithm for
    computing sample variances. T. M. Mitchell (1997), Machine Learning, section 6.9.

    Examples
    --------
    >>> frame = pd.DataFrame({"x": [1.0, 2.0, 8.0, 9.0], "play": list("yynn")})
    >>> frame["sky"] = ["sun", "sun", "rain", "sun"]
    >>> model = NaiveBayes().fit(frame, "play")
    >>> model.classes_.tolist(), model.theta_.ravel().tolist(), model.category_count_[0].tolist()
    (['n', 'y'], [8.5, 1.5], [[1.0, 1.0], [0.0, 2.0]])
    >>> model.predict(frame).tolist()
    ['y', 'y', 'n', 'n']
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "alpha": Number(0.0, 1e6),
        "var_smoothing": Number(0.0, 1.0),
    }

    def __init__(self, *, alpha: float = 1.0, var_smoothing: float = 1e-9) -> None:
        self.alpha = alpha
        self.var_smoothing = var_smoothing

    def fit(self, X: Any, y: str, *, columns: Any = None) -> Self:
        """Learn the distributions in each class of column ``y`` of a table (:func:`open_table`).

        ``columns`` are those that predict it, by default all others.
        """
        check_params(self.PARAMS, self.get_params())
        source = open_table(X)
        used = tuple(name for name in source.select(columns) if name != y)
        source.select([y])
        self.numeric_ = tuple(name for name in used if name in source.numeric)
        self.nominal_ = tuple(name for name in used if name not in source.numeric)
        make = partial(_classes, target=y, numeric=self.numeric_, nominal=self.nominal_)
        summary = summarised(source, (*used, y), make)
        if not summary.classes:
            raise ValueError(f"The class {y!r} is missing in every row. Choose another column.")
        self.n_incomplete_ = summary.n_incomplete
        names = sorted(summary.classes)
        self.classes_ = np.array(names)
        self.class_count_ = np.array([summary.classes[name].n for name in names], float)
        self.class_prior_ = self.class_count_ / self.class_count_.sum()
        self._estimate([summary.classes[name] for name in names])
        return self

    def _estimate(self, classes: list[_Class]) -> None:
        """Set means, variances and counts."""
        overall = classes[0].moments
        for statistics in classes[1:]:
            overall = overall.merge(statistics.moments)
        spread = np.nan_to_num(overall.variance())
        self.epsilon_ = self.var_smoothing * float(spread.max(initial=0.0))
        has_numbers = np.array([statistics.moments.n > 0 for statistics in classes])
        self.theta_ = np.where(
            has_numbers, [statistics.moments.mean for statistics in classes], overall.mean
        )
        variance = (
            np.where(has_numbers, [statistics.moments.variance() for statistics in classes], spread)
            + self.epsilon_
        )
        self.var_ = np.where(variance > 0, variance, 1.0)
        self.categories_, self.category_count_ = [], []
        for j in range(len(self.nominal_)):
            values = sorted({value for statistics in classes for value in statistics.values[j]})
            self.categories_.append(np.array(values, dtype=object))
            counts = [
                [statistics.values[j].get(value, 0) for value in values] for statistics in classes
            ]
            self.category_count_.append(np.array(counts, float).reshape(len(classes), len(values)))

    def predict(self, X: pd.DataFrame) -> NDArray[Any]:
        """Return the most probable class of each row of a data frame that fits into memory."""
        best = self.predict_joint_log_proba(X).argmax(axis=1)
        labels: NDArray[Any] = self.classes_[best]
        return labels

    def predict_proba(self, X: pd.DataFrame) -> Floats:
        """Return the posterior probabilities, with a column for each of ``classes_``."""
        joint = self.predict_joint_log_proba(X)
        posterior: Floats = np.exp(joint - logsumexp(joint, axis=1, keepdims=True))
        return posterior

    def predict_joint_log_proba(self, X: pd.DataFrame) -> Floats:
        """Return the logarithms of the products, log P(x, class), shape (n_samples, n_classes)."""
        check_is_fitted(self)
        joint: Floats = np.log(self.class_prior_) + np.zeros((len(X), 1))
        if self.numeric_:
            joint += log_densities(numbers(X[list(self.numeric_)]), self.theta_, self.var_)
        for name, values, counts in zip(
            self.nominal_, self.categories_, self.category_count_, strict=True
        ):
            smoothed = counts + self.alpha
            with np.errstate(divide="ignore"):
                logs = np.log(
                    smoothed / np.maximum(smoothed.sum(axis=1, keepdims=True), np.finfo(float).tiny)
                )
            places = pd.Index(values).get_indexer(_names(X[name]))
            joint += np.hstack([logs, np.zeros((len(logs), 1))]).T[places]
        return np.asarray(np.maximum(joint, np.finfo(float).min))


@dataclass(frozen=True)
class _Class:
    """Statistics of the rows of a class."""

    n: int
    moments: Moments
    values: tuple[dict[Any, int], ...]

    def merge(self, following: _Class) -> _Class:
        values = tuple(
            {
                name: counts.get(name, 0) + following_counts.get(name, 0)
                for name in counts | following_counts
            }
            for counts, following_counts in zip(self.values, following.values, strict=True)
        )
        return _Class(self.n + following.n, self.moments.merge(following.moments), values)


@dataclass(frozen=True)
class _Classes:
    """Statistics of rows, class by class."""

    classes: dict[Any, _Class]
    n_incomplete: int

    def merge(self, following: _Classes) -> _Classes:
        merged = dict(self.classes)
        for name, statistics in following.classes.items():
            merged[name] = merged[name].merge(statistics) if name in merged else statistics
        _check(len(merged), MAX_CLASSES, "classes")
        for statistics in merged.values():
            _check(max(map(len, statistics.values), default=0), MAX_VALUES, "names in a column")
        return _Classes(merged, self.n_incomplete + following.n_incomplete)


def _check(n: int, maximum: int, what: str) -> None:
    if n > maximum:
        raise ValueError(
            f"There are more than {maximum:,} {what}. Choose columns with fewer different values."
        )


def _names(column: pd.Series[Any]) -> NDArray[Any]:
    """Return the values of a nominal column as texts, None where missing."""
    codes, values = pd.factorize(comparable(column))
    texts = np.array([*map(str, values), None], dtype=object)
    names: NDArray[Any] = texts[codes]
    return names


def _classes(
    block: pd.DataFrame,
    _start: int,
    *,
    target: str,
    numeric: tuple[str, ...],
    nominal: tuple[str, ...],
) -> _Classes:
    """Return what is kept of a block."""
    codes, names = pd.factorize(comparable(block[target]))
    _check(len(names), MAX_CLASSES, "classes")
    X = numbers(block[list(numeric)]) if numeric else np.empty((len(block), 0))
    texts = [_names(block[name]) for name in nominal]
    classes = {}
    for code, name in enumerate(names.tolist()):
        rows = codes == code
        values = tuple(pd.Series(text[rows]).value_counts().to_dict() for text in texts)
        classes[name] = _Class(int(rows.sum()), Moments.of(X[rows]), values)
    return _Classes(classes, int((codes < 0).sum()))
