"""Distances and similarities of two rows, or of each pair of rows, shape (..., n_features)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.arrays import Floats
from dmlib.squares import deviations


def minkowski(a: ArrayLike, b: ArrayLike, p: float = 2.0) -> Any:
    """Return the p-th root of the sum of the p-th powers of the differences.

    For infinite p it is the largest difference.

    Raises
    ------
    ValueError
        If ``p`` is not above 0.

    Examples
    --------
    >>> [round(minkowski([0, 0], [3, 4], p), 4) for p in (1, 2, 3)]
    [7.0, 5.0, 4.4979]
    """
    if not p > 0:
        raise ValueError(
            f"p must be above 0, got {p}. Choose 1 (Manhattan), 2 (Euclidean) or another power."
        )
    first, second = _rows(a, b)
    gaps = np.abs(first - second)
    largest = gaps.max(axis=-1, initial=0.0)
    share = gaps / np.where(largest > 0, largest, 1.0)[..., None]
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
    """Return the root of the sum of the squared differences.

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
    first, second = _rows(a, b)
    return _plain(np.abs(first - second).max(axis=-1, initial=0.0))


def canberra(a: ArrayLike, b: ArrayLike) -> Any:
    """Return the sum of the differences, each divided by the sum of both absolute values.

    Examples
    --------
    >>> canberra([1, 0], [3, 0])
    0.5
    """
    first, second = _rows(a, b)
    size = np.abs(first) + np.abs(second)
    return _plain((np.abs(first - second) / np.where(size > 0, size, 1.0)).sum(axis=-1))


def hamming(a: ArrayLike, b: ArrayLike) -> Any:
    """Return the fraction of the columns that differ.

    Examples
    --------
    >>> hamming([1, 0, 1, 1], [1, 1, 1, 0])
    0.5
    """
    return 1 - smc(a, b)


def mahalanobis(a: ArrayLike, b: ArrayLike, covariance: ArrayLike) -> Any:
    r"""Return :math:`\sqrt{(a - b)^T S^{-1} (a - b)}`, the distance in standard deviations.

    Directions without variance do not count.

    Examples
    --------
    >>> mahalanobis([0, 0], [2, 3], [[4, 0], [0, 9]]).__round__(4)
    1.4142
    """
    first, second = _rows(a, b)
    white = whitening(np.asarray(covariance, float))
    return minkowski(first @ white.T, second @ white.T)


def whitening(covariance: Floats) -> Floats:
    """Return the whitening matrix of a covariance matrix: its inverse square root.

    Examples
    --------
    >>> whitening(np.array([[4.0, 0.0], [0.0, 1.0]])).tolist()
    [[0.5, 0.0], [0.0, 1.0]]
    """
    unit = np.sqrt(np.diag(covariance))
    unit = np.where(unit > 0, unit, 1.0)
    values, vectors = np.linalg.eigh(covariance / np.outer(unit, unit))
    positive = values > 1e-12 * max(float(values.max(initial=0.0)), 1e-300)
    scale = np.where(positive, 1 / np.sqrt(np.where(positive, values, 1.0)), 0.0)
    return np.asarray((vectors * scale) @ vectors.T / unit) + 0.0


def cosine(a: ArrayLike, b: ArrayLike) -> Any:
    """Return the cosine of the angle between two rows: a similarity; 0 if one is all zeros.

    Examples
    --------
    >>> cosine([3, 4], [4, 3])
    0.96
    """
    first, second = map(_scaled, _rows(a, b))
    size = np.linalg.norm(first, axis=-1) * np.linalg.norm(second, axis=-1)
    return _plain((first * second).sum(axis=-1) / np.where(size > 0, size, 1.0))


def squared_cosine(a: ArrayLike, b: ArrayLike) -> Any:
    """Return the square of the cosine of two rows: opposite directions are alike too.

    Examples
    --------
    >>> squared_cosine([3, 4], [-3, -4]), squared_cosine([1, 0], [0, 1])
    (1.0, 0.0)
    """
    return cosine(a, b) ** 2


def pearson(a: ArrayLike, b: ArrayLike) -> Any:
    """Return the correlation of the values of two rows: the cosine of the centred rows.

    Examples
    --------
    >>> pearson([1, 2, 3], [2, 4, 6]).__round__(6), pearson([1, 2, 3], [3, 2, 1]).__round__(6)
    (1.0, -1.0)
    """
    first, second = map(_scaled, _rows(a, b))
    return cosine(around_mean(first), around_mean(second))


def around_mean(rows: Floats) -> Floats:
    """Return rows minus their means, exactly 0 for a row of equal numbers.

    Examples
    --------
    >>> around_mean(np.array([[1.0, 3.0], [0.1, 0.1]])).tolist()
    [[-1.0, 1.0], [0.0, 0.0]]
    """
    return np.moveaxis(deviations(np.moveaxis(rows, -1, 0)), 0, -1)


def smc(a: ArrayLike, b: ArrayLike) -> Any:
    """Return the simple matching coefficient: the fraction of the columns that agree.

    Examples
    --------
    >>> smc([1, 0, 0, 0], [1, 0, 0, 1])
    0.75
    """
    return _plain((np.asarray(a) == np.asarray(b)).mean(axis=-1))


def jaccard(a: ArrayLike, b: ArrayLike) -> Any:
    """Return the number of common ones by those of the union; 1 if there are none.

    Examples
    --------
    >>> jaccard([1, 0, 0, 0], [1, 0, 0, 1])
    0.5
    """
    shared, n_first, n_second = _ones(a, b)
    return _share(shared, n_first + n_second - shared)


def dice(a: ArrayLike, b: ArrayLike) -> Any:
    """Return twice the number of common ones by that of all ones; 1 if there are none.

    Examples
    --------
    >>> round(dice([1, 0, 0, 0], [1, 0, 0, 1]), 4)
    0.6667
    """
    shared, n_first, n_second = _ones(a, b)
    return _share(2 * shared, n_first + n_second)


def overlap(a: ArrayLike, b: ArrayLike) -> Any:
    """Return the number of common ones by that of the smaller row; 1 if a row has none.

    Examples
    --------
    >>> overlap([1, 0, 0, 0], [1, 0, 0, 1])
    1.0
    """
    shared, n_first, n_second = _ones(a, b)
    return _share(shared, np.minimum(n_first, n_second))


def tanimoto(a: ArrayLike, b: ArrayLike) -> Any:
    r"""Return :math:`a b / (a a + b b - a b)`, the Jaccard coefficient of counts; 1 for zeros.

    Examples
    --------
    >>> tanimoto([1, 0, 1], [1, 1, 0]).__round__(4), tanimoto([2, 0], [1, 0]).__round__(4)
    (0.3333, 0.6667)
    """
    first, second = _rows(a, b)
    largest = np.maximum(np.abs(first), np.abs(second)).max(axis=-1, initial=0.0)
    unit = np.where(largest > 0, largest, 1.0)[..., None]
    first, second = first / unit, second / unit
    shared = (first * second).sum(axis=-1)
    return _share(shared, (first**2).sum(axis=-1) + (second**2).sum(axis=-1) - shared)


def nominal(a: object, b: object) -> float:
    """Return the similarity of two names: 1 if they are equal.

    Examples
    --------
    >>> nominal("red", "red"), nominal("red", "blue")
    (1.0, 0.0)
    """
    return float(a == b)


def ordinal(a: object, b: object, levels: Sequence[object]) -> float:
    """Return the similarity of two levels: 1 minus their difference in rank by the largest one.

    Examples
    --------
    >>> ordinal("low", "mid", ["low", "mid", "high"])
    0.5
    """
    places = list(levels)
    return 1 - abs(places.index(a) - places.index(b)) / max(len(places) - 1, 1)


def interval(a: float, b: float, low: float, high: float) -> float:
    """Return the similarity of two numbers: 1 minus their difference divided by the range.

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
    """Return Gower's similarities of all rows, shape (n_samples, n_samples).

    They are means over the columns with values in both rows. The similarity of rows without such a
    column is 0; their distance in :class:`MixedDistances` is 1.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Numbers, codes of names, ranks of levels; NaN where a value is missing.
    names : sequence of int
        Nominal columns.
    asymmetric : sequence of int
        Columns of 0 and 1 in which two zeros are not counted.
    ranges : array-like of shape (n_features,), optional
        The divisors of differences; by default the range of each column.

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
        gaps = np.abs(x[:, None] - x)
        is_counted = np.isfinite(gaps)
        if j in names or j in asymmetric:
            similarities = (gaps == 0).astype(float)
        else:
            similarities = 1 - gaps / (spans[j] if spans[j] > 0 else np.inf)
        if j in asymmetric:
            is_counted &= (x[:, None] != 0) | (x != 0)
        total += np.where(is_counted, similarities, 0.0)
        weight += is_counted
    return total / np.maximum(weight, 1)


def _spans(rows: Floats) -> Floats:
    """Return the ranges of columns; 0 where all values are missing."""
    has_value = np.isfinite(rows)
    low = rows.min(axis=0, where=has_value, initial=np.inf)
    high = rows.max(axis=0, where=has_value, initial=-np.inf)
    return np.asarray(np.maximum(high - low, 0.0))


def single_link(D: ArrayLike) -> float:
    """Return the smallest distance between rows of two groups.

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
    """Divide rows by powers of 2, so that their squares neither overflow nor underflow."""
    largest = np.abs(rows).max(axis=-1, keepdims=True, initial=0.0)
    return np.asarray(rows / np.ldexp(1.0, np.frexp(largest)[1] - 1))


def _ones(a: ArrayLike, b: ArrayLike) -> tuple[Any, Any, Any]:
    """Return the numbers of common ones, and of the ones of each row."""
    first, second = np.asarray(a, bool), np.asarray(b, bool)
    return (first & second).sum(axis=-1), first.sum(axis=-1), second.sum(axis=-1)


def _share(part: Any, total: Any) -> Any:
    """Return shares of totals; 1 where the total is 0."""
    return _plain(np.where(total > 0, part / np.where(total > 0, total, 1), 1.0))


def _plain(values: Any) -> Any:
    """Return a number for one pair of rows, an array for several."""
    return values if np.ndim(values) else float(values)
