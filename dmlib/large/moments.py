"""Means, squares and products of deviations of some rows, and of these and others together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dmlib.arrays import Floats
from dmlib.squares import centred, check_squares


@dataclass(frozen=True)
class Moments:
    """Numbers of values, means, and sums of squared deviations of columns.

    Notes
    -----
    Two summaries are merged by the deviations of their means, never by sums of squares of the
    values: a column far from zero keeps its digits.

    References
    ----------
    T. F. Chan, G. H. Golub and R. J. LeVeque (1979), Updating formulae and a pairwise algorithm for
    computing sample variances.

    Examples
    --------
    >>> both = Moments.of(np.array([[1e9], [1e9 + 2]])).merge(Moments.of(np.array([[1e9 + 4]])))
    >>> both.n.tolist(), both.mean.tolist(), both.squares.tolist()
    ([3.0], [1000000002.0], [8.0])
    """

    # (n_columns,) each
    n: Floats
    mean: Floats
    squares: Floats

    @classmethod
    def of(cls, X: Floats) -> Moments:
        """Return the moments of the columns of numbers; NaN is missing.

        Raises
        ------
        ValueError
            If squares of the values overflow or vanish.
        """
        check_squares(X, each=True)
        missing = np.isnan(X)
        if not missing.any():
            return cls._of_complete(X)
        n = (~missing).sum(axis=0).astype(float)
        origin = np.nan_to_num(X[np.argmin(missing, axis=0), np.arange(X.shape[1])])
        moved = np.where(missing, 0.0, X - origin)
        shift = moved.sum(axis=0) / np.maximum(n, 1)
        moved -= shift
        moved[missing] = 0.0
        return cls(n, origin + shift, np.einsum("ij,ij->j", moved, moved))

    @classmethod
    def _of_complete(cls, X: Floats) -> Moments:
        mean, moved = centred(X)
        return cls(np.full(X.shape[1], float(len(X))), mean, np.einsum("ij,ij->j", moved, moved))

    def merge(self, following: Moments) -> Moments:
        """Return the moments of both."""
        n = self.n + following.n
        share = following.n / np.maximum(n, 1)
        differences = following.mean - self.mean
        mean = np.where(self.n > 0, self.mean + differences * share, following.mean)
        return Moments(n, mean, self.squares + following.squares + differences**2 * self.n * share)

    def variance(self, ddof: int = 0) -> Floats:
        """Return the variances; NaN where too few values are known."""
        return np.where(self.n > ddof, self.squares / np.maximum(self.n - ddof, 1), np.nan)


@dataclass(frozen=True)
class Products:
    """Number of rows, means of columns, and sums of products of deviations.

    References
    ----------
    T. F. Chan, G. H. Golub and R. J. LeVeque (1979), as in :class:`Moments`, column by column.

    Examples
    --------
    >>> both = Products.of(np.array([[0.0, 1.0]])).merge(Products.of(np.array([[2.0, 5.0]])))
    >>> both.n, both.mean.tolist(), both.products.tolist()
    (2, [1.0, 3.0], [[2.0, 4.0], [4.0, 8.0]])
    """

    n: int
    mean: Floats  # (n_columns,)
    products: Floats  # (n_columns, n_columns)

    @classmethod
    def of(cls, X: Floats) -> Products:
        """Return those of rows without missing values.

        Raises
        ------
        ValueError
            If products of the values overflow or vanish.
        """
        if not len(X):
            return cls(0, np.zeros(X.shape[1]), np.zeros((X.shape[1], X.shape[1])))
        check_squares(X, each=True)
        mean, moved = centred(X)
        return cls(len(X), mean, moved.T @ moved)

    def merge(self, following: Products) -> Products:
        """Return those of both."""
        if not self.n or not following.n:
            return self if self.n else following
        n = self.n + following.n
        differences = following.mean - self.mean
        products = (
            self.products
            + following.products
            + np.outer(differences, differences) * (self.n * following.n / n)
        )
        return Products(n, self.mean + differences * (following.n / n), products)
