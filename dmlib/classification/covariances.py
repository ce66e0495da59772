"""The mean, the prior and the covariance matrix of each class, which discriminants are made of."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.covariance import ledoit_wolf, shrunk_covariance
from sklearn.preprocessing import StandardScaler
from sklearn.utils.multiclass import check_classification_targets

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.squares import centred
from dmlib.trace import look

Shrinkage = float | str | None


@dataclass(frozen=True)
class Classes:
    """The rows of each class, with its mean and prior probability.

    Examples
    --------
    >>> part = Classes.read(np.array([[0.0], [2.0], [7.0]]), np.array(["a", "a", "b"]))
    >>> part.means.tolist(), part.priors.round(3).tolist(), part.covariances()[0].tolist()
    ([[1.0], [7.0]], [0.667, 0.333], [[1.0]])
    """

    X: Floats  # (n_samples, n_features)
    classes: NDArray[Any]  # (n_classes,), sorted
    codes: NDArray[np.intp]  # (n_samples,): the class of each row, by number
    priors: Floats  # (n_classes,)

    @classmethod
    def read(cls, X: Floats, y: Any, priors: Any = None) -> Self:
        """Return the classes of rows; the priors are by default their shares.

        Raises
        ------
        ValueError
            If there is one class, or no class with two rows, or the priors do not fit.
        """
        check_classification_targets(y)
        classes, codes = np.unique(y, return_inverse=True)
        if len(classes) < 2:
            raise ValueError(
                f"y has only one class, {classes[0]!s}; a discriminant needs at least two."
            )
        if len(X) <= len(classes):
            raise ValueError(
                "The number of samples must be more than the number of classes, "
                f"{len(classes)}: with one row in each, nothing varies within the classes."
            )
        if priors is None:
            priors = np.bincount(codes) / len(codes)
        else:
            priors = _checked_priors(priors, len(classes))
        return cls(X, classes, codes, priors.astype(X.dtype))

    @cached_property
    def counts(self) -> NDArray[np.intp]:
        """How many rows each class has, shape (n_classes,)."""
        counts: NDArray[np.intp] = np.bincount(self.codes)
        return counts

    @cached_property
    def means(self) -> Floats:
        """The means of the classes, shape (n_classes, n_features)."""
        means: Floats = np.array(
            [self._around(k)[0] for k in range(len(self.classes))], self.X.dtype
        )
        return means

    @cached_property
    def centred(self) -> Floats:
        """The rows without the mean of their class, shape (n_samples, n_features)."""
        rows = np.empty_like(self.X)
        for k in range(len(self.classes)):
            rows[self.codes == k] = self._around(k)[1]
        return rows

    def rows(self, k: int) -> Floats:
        """Return the rows of a class."""
        rows: Floats = self.X[self.codes == k]
        return rows

    def _around(self, k: int) -> tuple[Floats, Floats]:
        """Return the mean of a class and its rows without it."""
        return centred(self.rows(k))

    def covariance(self, k: int, shrinkage: Shrinkage = None, estimator: Any = None) -> Floats:
        """Return the covariance matrix of a class (divided by n), shrunk or by an estimator."""
        look()
        if estimator is not None:
            return _estimated(self.rows(k), estimator)
        _, rows = self._around(k)
        plain: Floats = rows.T @ rows / len(rows)
        if isinstance(shrinkage, str):
            return _ledoit_wolf(rows) if len(rows) > 1 else plain
        return plain if shrinkage is None else np.asarray(shrunk_covariance(plain, shrinkage))

    def covariances(self, shrinkage: Shrinkage = None, estimator: Any = None) -> list[Floats]:
        """Return the covariance matrix of every class."""
        return [self.covariance(k, shrinkage, estimator) for k in range(len(self.classes))]


def _checked_priors(priors: ArrayLike, n_classes: int) -> Floats:
    values = np.array(priors, float)
    if values.shape != (n_classes,):
        raise ValueError(
            f"There are {n_classes} classes and {values.size} priors; "
            "give one prior for each class."
        )
    if (values < 0).any():
        raise ValueError("priors must be non-negative; give the probability of each class.")
    if abs(values.sum() - 1) > 1e-5:
        warnings.warn(
            "The priors do not sum to 1. They are divided by their sum.", UserWarning, stacklevel=6
        )
        values /= values.sum()
    return values


def _ledoit_wolf(rows: Floats) -> Floats:
    """Return the matrix of Ledoit and Wolf (2004) in the units of the columns.

    It is estimated from standardised columns.
    """
    scaler = StandardScaler()
    matrix = ledoit_wolf(scaler.fit_transform(rows))[0]
    return np.asarray(matrix * np.outer(scaler.scale_, scaler.scale_))


def _estimated(rows: Floats, estimator: Any) -> Floats:
    estimator.fit(rows)
    if not hasattr(estimator, "covariance_"):
        raise ValueError(
            f"{type(estimator).__name__} does not have a "
            "covariance_ attribute; choose another estimator."
        )
    return np.asarray(estimator.covariance_)


def rank(covariance: Floats, tol: float) -> int:
    """Return the rank of a covariance matrix, whatever the units of the columns.

    A direction counts in which the columns, divided by their standard deviations, vary by more than
    ``tol``.

    Examples
    --------
    >>> rank(np.array([[1.0, 0.0], [0.0, 1e-12]]), 1e-4)
    2
    >>> rank(np.array([[1.0, 2.0], [2.0, 4.0]]), 1e-4)
    1
    """
    deviations = np.sqrt(np.diag(covariance).astype(float))
    vary = deviations > 0
    unit = np.where(vary, deviations, 1.0)
    return int((np.linalg.eigvalsh(covariance / np.outer(unit, unit)) > tol**2).sum())
