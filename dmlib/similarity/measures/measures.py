"""How far apart, or how alike, two rows are; of several pairs of rows, shape (..., n_features), each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.arrays import Floats
from dmlib.squares import deviations


def minkowski(a: ArrayLike, b: ArrayLike, p: float = 2.0) -> Any:
    """Return the p-th root of the sum of the p-th powers of the differences; of infinite p the largest difference.

    Raises
    ------
    ValueError
        If ``p`` is not above 0.

    Examples
    --------
    >>> minkowski([0, 0], [3, 4]), minkowski([0, 0], [3, 4], 1), round(minkowski([0, 0], [3, 4], 3), 4)
    (5.0, 7.0, 4.4979)
    """
    if not p > 0:
        raise ValueError(
            f"p must be above 0, got {p}. Choose 1 (Manhattan), 2 (Euclidean) or another power."
        )
    one, other = _rows(a, b)
    away = np.abs(one - other)
    largest = away.max(axis=-1, initial=0.0)
    share = away / np.where(largest > 0, largest, 1.0)[..., None]
    return _plain(largest * (share**p).sum(axis=-1) ** (1 / p))


def manhattan(a: ArrayLike, b: ArrayLike) -> Any:
    """Return the sum of the differences.

    Examples
    --------
    >>> manhattan([0, 0], [3, 4])
    7.0
    """
    return minkowski(a, b, 1.0)


def euclidean(a: ArrayLike, b: ArrayLike) -> Any:
    """Return the length of the straight way.

    Examples
    --------
    >>> euclidean([0, 0], [3, 4])
    5.0
    """
    return minkowski(a, b, 2.0)


def chebyshev(a: ArrayLike, b: ArrayLike) -> Any:
    """Return the largest difference.

    Examples
    --------
    >>> chebyshev([0, 0], [3, 4])
    4.0
    """
    one, other = _rows(a, b)
    return _plain(np.abs(one - other).max(axis=-1, initial=0.0))


def canberra(a: ArrayLike, b: ArrayLike) -> Any:
    """Return the sum of the differences, each divided by the sum of both sizes.

    Examples
    --------
    >>> canberra([1, 0], [3, 0])
    0.5
    """
    one, other = _rows(a, b)
    size = np.abs(one) + np.abs(other)
    return _plain((np.abs(one - other) / np.where(size > 0, size, 1.0)).sum(axis=-1))


def hamming(a: ArrayLike, b: ArrayLike) -> Any:
    """Return the share of the columns that differ.

    Examples
    --------
    >>> hamming([1, 0, 1, 1], [1, 1, 1, 0])
    0.5
    """
    return 1 - smc(a, b)


def mahalanobis(a: ArrayLike, b: ArrayLike, covariance: ArrayLike) -> Any:
    r"""Return :math:`\sqrt{(a - b)^T S^{-1} (a - b)}`: the distance in the standard deviations of a cloud.

    Directions in which the cloud has no extent do not count.

    Examples
    --------
    >>> mahalanobis([0, 0], [2, 3], [[4, 0], [0, 9]]).__round__(4)
    1.4142
    """
    one, other = _rows(a, b)
    white = whitening(np.asarray(covariance, float))
    return minkowski(one @ white.T, other @ white.T)


def whitening(covariance: Floats) -> Floats:
    """Return the matrix that makes a cloud round: its inverse square root.

    Examples
    --------
    >>> whitening(np.array([[4.0, 0.0], [0.0, 1.0]])).tolist()
    [[0.5, 0.0], [0.0, 1.0]]
    """
    unit = np.sqrt(np.diag(covariance))
    unit = np.where(unit > 0, unit, 1.0)
    values, vectors = np.linalg.eigh(covariance / np.outer(unit, unit))
    there = values > 1e-12 * max(float(values.max(initial=0.0)), 1e-300)
    scale = np.where(there, 1 / np.sqrt(np.where(there, values, 1.0)), 0.0)
    return np.asarray((vectors * scale) @ vectors.T / unit) + 0.0


def cosine(a: ArrayLike, b: ArrayLike) -> Any:
    """Return the cosine of the angle between two rows: a similarity; 0 if one is all zeros.

    Examples
    --------
    >>> cosine([3, 4], [4, 3])
    0.96
    """
    one, other = map(_scaled, _rows(a, b))
    size = np.linalg.norm(one, axis=-1) * np.linalg.norm(other, axis=-1)
    return _plain((one * other).sum(axis=-1) / np.where(size > 0, size, 1.0))


def pearson(a: ArrayLike, b: ArrayLike) -> Any:
    """Return the correlation of the values of two rows: the cosine after each mean was taken away.

    Examples
    --------
    >>> pearson([1, 2, 3], [2, 4, 6]).__round__(6), pearson([1, 2, 3], [3, 2, 1]).__round__(6)
    (1.0, -1.0)
    """
    one, other = map(_scaled, _rows(a, b))
    return cosine(around_mean(one), around_mean(other))


def around_mean(rows: Floats) -> Floats:
    """Return rows less their own means, which are exactly 0 for a row of equal numbers.

    Examples
    --------
    >>> around_mean(np.array([[1.0, 3.0], [0.1, 0.1]])).tolist()
    [[-1.0, 1.0], [0.0, 0.0]]
    """
    return np.moveaxis(deviations(np.moveaxis(rows, -1, 0)), 0, -1)


def smc(a: ArrayLike, b: ArrayLike) -> Any:
    """Return the simple matching coefficient: the share of the columns that agree.

    Examples
    --------
    >>> smc([1, 0, 0, 0], [1, 0, 0, 1])
    0.75
    """
    one, other = (np.asarray(row) for row in (a, b))
    return _plain((one == other).mean(axis=-1))


def jaccard(a: ArrayLike, b: ArrayLike) -> Any:
    """Return the share of the ones that both have, of those that any has; 1 if none has any.

    Examples
    --------
    >>> jaccard([1, 0, 0, 0], [1, 0, 0, 1])
    0.5
    """
    both, one, other = _ones(a, b)
    return _share(both, one + other - both)


def dice(a: ArrayLike, b: ArrayLike) -> Any:
    """Return twice the ones that both have, divided by those of each; 1 if none has any.

    Examples
    --------
    >>> round(dice([1, 0, 0, 0], [1, 0, 0, 1]), 4)
    0.6667
    """
    both, one, other = _ones(a, b)
    return _share(2 * both, one + other)


def overlap(a: ArrayLike, b: ArrayLike) -> Any:
    """Return the ones that both have, divided by the ones of the smaller; 1 if one of them has none.

    Examples
    --------
    >>> overlap([1, 0, 0, 0], [1, 0, 0, 1])
    1.0
    """
    both, one, other = _ones(a, b)
    return _share(both, np.minimum(one, other))


def tanimoto(a: ArrayLike, b: ArrayLike) -> Any:
    r"""Return :math:`a b / (a a + b b - a b)`: the Jaccard coefficient of counts; 1 if both are all zeros.

    Examples
    --------
    >>> tanimoto([1, 0, 1], [1, 1, 0]).__round__(4), tanimoto([2, 0], [1, 0]).__round__(4)
    (0.3333, 0.6667)
    """
    one, other = _rows(a, b)
    largest = np.maximum(
        np.abs(one).max(axis=-1, initial=0.0), np.abs(other).max(axis=-1, initial=0.0)
    )
    one, other = (row / np.where(largest > 0, largest, 1.0)[..., None] for row in (one, other))
    both = (one * other).sum(axis=-1)
    return _share(both, (one**2).sum(axis=-1) + (other**2).sum(axis=-1) - both)


def nominal(a: object, b: object) -> float:
    """Return the similarity of two names: 1 if they are the same.

    Examples
    --------
    >>> nominal("red", "red"), nominal("red", "blue")
    (1.0, 0.0)
    """
    return float(a == b)


def ordinal(a: object, b: object, levels: Sequence[object]) -> float:
    """Return the similarity of two levels: 1 less the share of the levels between them.

    Examples
    --------
    >>> ordinal("low", "mid", ["low", "mid", "high"])
    0.5
    """
    places = list(levels)
    return 1 - abs(places.index(a) - places.index(b)) / max(len(places) - 1, 1)


def interval(a: float, b: float, low: float, high: float) -> float:
    """Return the similarity of two numbers: 1 less their difference divided by the range.

    Examples
    --------
    >>> interval(2.0, 4.0, 0.0, 10.0)
    0.8
    """
    return 1 - abs(a - b) / (high - low) if high > low else 1.0


def heterogeneous(
    X: ArrayLike,
    *,
    names: Sequence[int] = (),
    asymmetric: Sequence[int] = (),
    ranges: ArrayLike | None = None,
) -> Floats:
    """Return Gower's similarities of all rows, shape (n_samples, n_samples): the mean over the columns both know.

    Rows that know no column together are not alike: 0, as in :class:`MixedDistances`, which has
    them 1 apart.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Numbers, codes of names, ranks of levels; NaN where a value is missing.
    names : sequence of int
        Columns whose codes are equal or not.
    asymmetric : sequence of int
        Columns of 0 and 1 in which two zeros say nothing.
    ranges : array-like of shape (n_features,), optional
        What differences are divided by; by default the range of each column.

    References
    ----------
    J. C. Gower (1971), A general coefficient of similarity and some of its properties. Biometrics
    27, 857-871.

    Examples
    --------
    >>> heterogeneous([[0.0, 1.0], [5.0, 1.0], [10.0, 0.0]], names=[1]).round(2).tolist()
    [[1.0, 0.75, 0.0], [0.75, 1.0, 0.25], [0.0, 0.25, 1.0]]
    """
    rows = np.asarray(X, float)
    spans = _spans(rows) if ranges is None else np.asarray(ranges, float)
    total, weight = np.zeros((len(rows), len(rows))), np.zeros((len(rows), len(rows)))
    for j, x in enumerate(rows.T):
        away = np.abs(x[:, None] - x)
        known = np.isfinite(away)
        if j in names or j in asymmetric:
            alike = (away == 0).astype(float)
        else:
            alike = 1 - away / spans[j] if spans[j] > 0 else np.ones_like(away)
        if j in asymmetric:
            known = known & ((x[:, None] != 0) | (x != 0))
        total += np.where(known, alike, 0.0)
        weight += known
    return total / np.maximum(weight, 1)


def _spans(rows: Floats) -> Floats:
    """Return the ranges of columns; 0 where no value is known."""
    known = np.isfinite(rows)
    low, high = (
        rows.min(axis=0, where=known, initial=np.inf),
        rows.max(axis=0, where=known, initial=-np.inf),
    )
    return np.asarray(np.maximum(high - low, 0.0))


def single_link(D: ArrayLike) -> float:
    """Return the least distance between rows of two groups.

    Examples
    --------
    >>> single_link([[1.0, 4.0], [2.0, 9.0]])
    1.0
    """
    return float(np.min(D))


def complete_link(D: ArrayLike) -> float:
    """Return the largest distance between rows of two groups.

    Examples
    --------
    >>> complete_link([[1.0, 4.0], [2.0, 9.0]])
    9.0
    """
    return float(np.max(D))


def average_link(D: ArrayLike) -> float:
    """Return the mean distance between rows of two groups.

    Examples
    --------
    >>> average_link([[1.0, 4.0], [2.0, 9.0]])
    4.0
    """
    return float(np.asarray(D, float).mean())


def _rows(a: ArrayLike, b: ArrayLike) -> tuple[Floats, Floats]:
    return np.asarray(a, float), np.asarray(b, float)


def _scaled(rows: Floats) -> Floats:
    """Divide rows by powers of 2 near their largest values: squares neither overflow nor vanish, no digit is lost."""
    largest = np.abs(rows).max(axis=-1, keepdims=True, initial=0.0)
    return np.asarray(rows / np.ldexp(1.0, np.frexp(largest)[1] - 1))


def _ones(a: ArrayLike, b: ArrayLike) -> tuple[Any, Any, Any]:
    one, other = (np.asarray(row, bool) for row in (a, b))
    return (one & other).sum(axis=-1), one.sum(axis=-1), other.sum(axis=-1)


def _share(part: Any, whole: Any) -> Any:
    """Return shares; 1 where there is nothing to share."""
    return _plain(np.where(whole > 0, part / np.where(whole > 0, whole, 1), 1.0))


def _plain(values: Any) -> Any:
    """Return a number for one pair of rows, an array for several."""
    return values if np.ndim(values) else float(values)
