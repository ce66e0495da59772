"""Distances of series beside dynamic time warping: Euclid, LCSS, ERP, and a lower bound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.ndimage import maximum_filter1d, minimum_filter1d

from dmlib.arrays import Floats
from dmlib.similarity.recurrence import Move, last_value
from dmlib.similarity.time_series.patterns import Distances
from dmlib.similarity.time_series.warping import dtw_distance, transformed
from dmlib.trace import look


def euclidean_distance(x: ArrayLike, y: ArrayLike) -> float:
    """Return the Euclidean distance of two series of equal length: value i meets value i.

    Parameters
    ----------
    x, y : array-like of shape (n_values,)
        The series.

    Returns
    -------
    float
        The distance.

    Raises
    ------
    ValueError
        If the lengths differ.

    Examples
    --------
    >>> euclidean_distance([0, 3], [0, 0])
    3.0
    """
    first, second = transformed(x), transformed(y)
    if len(first) != len(second):
        raise ValueError(
            f"Series of {len(first)} and {len(second)} values have no Euclidean distance."
            " Use dtw_distance."
        )
    return float(np.linalg.norm(first - second))


def lcss(x: ArrayLike, y: ArrayLike, epsilon: float, window: int | None = None) -> int:
    """Return the length of the longest common subsequence of two series.

    Two values match if they differ by at most ``epsilon``. Values without a match are skipped, so
    outliers cost nothing.

    Parameters
    ----------
    x, y : array-like of shape (n_values,)
        The series.
    epsilon : float
        The largest difference of two values that match.
    window : int, optional
        The largest difference of the numbers of two values that match.

    Returns
    -------
    int
        The number of matching pairs in the best alignment.

    Raises
    ------
    ValueError
        If a series is empty or not finite.

    Notes
    -----
    O(n m) time.

    References
    ----------
    M. Vlachos, G. Kollios and D. Gunopulos (2002), Discovering similar multidimensional
    trajectories, ICDE.

    Examples
    --------
    >>> lcss([1, 2, 99, 3], [1, 2, 3, 4], epsilon=0.1)
    3
    """
    series = transformed(x), transformed(y)
    distances = Distances(*series, "absolute")
    radius = np.inf if window is None else window

    def match(diagonal: int, first: int, end: int) -> Floats:
        rows = np.arange(first, end)
        is_inside = (rows > 0) & (rows < diagonal) & (np.abs(2 * rows - diagonal) <= radius)
        is_close = distances(diagonal - 2, first - 1, end - 1) <= epsilon
        matched: Floats = (is_inside & is_close).astype(float)
        return matched

    moves = (
        Move("match", 1, 1, match),
        Move("down", 1, 0, _no_cost),
        Move("right", 0, 1, _no_cost),
    )
    return int(last_value((len(series[0]) + 1, len(series[1]) + 1), moves, best="max"))


def erp(x: ArrayLike, y: ArrayLike, gap: float = 0.0) -> float:
    """Return the edit distance with real penalty.

    A value that is aligned with no other is compared with a constant.

    Parameters
    ----------
    x, y : array-like of shape (n_values,)
        The series.
    gap : float
        The constant g.

    Returns
    -------
    float
        The distance, a metric.

    Raises
    ------
    ValueError
        If a series is empty or not finite.

    Notes
    -----
    O(n m) time.

    References
    ----------
    L. Chen and R. Ng (2004), On the marriage of Lp-norms and edit distance, VLDB.

    Examples
    --------
    >>> erp([1, 2, 3], [1, 3]), erp([1, 2], [1, 5])
    (2.0, 3.0)
    """
    first, second = transformed(x), transformed(y)
    distances = Distances(first, second, "absolute")
    deleted = np.append(0.0, np.abs(first - gap))
    inserted = np.append(0.0, np.abs(second - gap))
    moves = (
        Move("match", 1, 1, lambda d, a, b: distances(d - 2, a - 1, b - 1)),
        Move("delete", 1, 0, lambda d, a, b: deleted[a:b]),
        Move("insert", 0, 1, lambda d, a, b: inserted[d - np.arange(a, b)]),
    )
    return last_value((len(deleted), len(inserted)), moves)


class Envelope(NamedTuple):
    """The range of a series within a window around each place.

    Attributes
    ----------
    lower, upper : ndarray of shape (n_values,)
        The smallest and the largest value.

    Examples
    --------
    >>> Envelope(np.zeros(2), np.ones(2)).upper.tolist()
    [1.0, 1.0]
    """

    lower: Floats
    upper: Floats


def envelope(y: ArrayLike, radius: int) -> Envelope:
    """Return the smallest and the largest of the values at most ``radius`` places away.

    Parameters
    ----------
    y : array-like of shape (n_values,)
        The series.
    radius : int
        The radius of the Sakoe-Chiba band.

    Returns
    -------
    Envelope
        Both bounds.

    Notes
    -----
    O(n) time.

    Examples
    --------
    >>> envelope([1.0, 5.0, 2.0], 1).upper.tolist()
    [5.0, 5.0, 5.0]
    """
    values, size = transformed(y), 2 * radius + 1
    return Envelope(
        minimum_filter1d(values, size, mode="nearest"),
        maximum_filter1d(values, size, mode="nearest"),
    )


def lb_keogh(x: ArrayLike, y: ArrayLike, radius: int, metric: str = "absolute") -> float:
    """Return a lower bound of the distance by dynamic time warping within a Sakoe-Chiba band.

    Each value of x is aligned with a value of y at most ``radius`` places away, so it costs at
    least its distance to the range of these.

    Parameters
    ----------
    x, y : array-like of shape (n_values,)
        Series of equal length.
    radius : int
        The radius of the band.
    metric : {"absolute", "squared"}
        The distance of two values.

    Returns
    -------
    float
        At most ``dtw_distance(x, y, radius, metric)``.

    Raises
    ------
    ValueError
        If the lengths differ.

    Notes
    -----
    O(n) time; the distance takes O(n · radius).

    References
    ----------
    E. Keogh and C. A. Ratanamahatana (2005), Exact indexing of dynamic time warping, Knowledge and
    Information Systems.

    Examples
    --------
    >>> lb_keogh([0, 0, 5], [0, 1, 2], 1), dtw_distance([0, 0, 5], [0, 1, 2], 1)
    (3.0, 4.0)
    """
    first, second = transformed(x), transformed(y)
    if len(first) != len(second):
        raise ValueError(
            "LB_Keogh needs series of equal length."
            " Interpolate one of them to the length of the other."
        )
    lower, upper = envelope(second, radius)
    gaps = np.maximum(first - upper, 0) + np.maximum(lower - first, 0)
    return float(gaps.sum()) if metric == "absolute" else float(np.sqrt((gaps**2).sum()))


def dtw_distances(
    series: Sequence[ArrayLike], window: int | None = None, metric: str = "absolute"
) -> Floats:
    """Return the distances of all pairs of series by dynamic time warping.

    Parameters
    ----------
    series : sequence of array-like of shape (n_values,)
        The series; they may differ in length.
    window, metric
        As in :func:`dtw_distance`.

    Returns
    -------
    ndarray of shape (n_series, n_series)
        The symmetric matrix.

    Examples
    --------
    >>> dtw_distances([[0, 1], [0, 0, 1], [3]]).tolist()
    [[0.0, 0.0, 5.0], [0.0, 0.0, 8.0], [5.0, 8.0, 0.0]]
    """
    distances = np.zeros((len(series), len(series)))
    for i in range(len(series)):
        for j in range(i):
            look()
            distances[i, j] = distances[j, i] = dtw_distance(series[i], series[j], window, metric)
    return distances


@dataclass(frozen=True)
class Neighbor:
    """The nearest of several series, and the work to find it.

    Attributes
    ----------
    index : int
        Its number.
    distance : float
        Its distance.
    n_warped : int
        The number of series for which the table was filled; the lower bound excluded the others.
    """

    index: int
    distance: float
    n_warped: int


def nearest_series(
    query: ArrayLike, series: Sequence[ArrayLike], radius: int, metric: str = "absolute"
) -> Neighbor:
    """Return the series with the smallest distance to a query.

    A table is filled only for series that a lower bound does not exclude.

    Parameters
    ----------
    query : array-like of shape (n_values,)
        A series.
    series : sequence of array-like of shape (n_values,)
        Those that are searched, all of the same length as the query.
    radius : int
        The radius of the Sakoe-Chiba band.
    metric : {"absolute", "squared"}
        The distance of two values.

    Returns
    -------
    Neighbor
        The nearest one; of several at the same distance any.

    Notes
    -----
    They are visited in the order of :func:`lb_keogh`; the search ends at the first bound that
    reaches the smallest distance so far.

    Examples
    --------
    >>> nearest_series([0, 1, 0], [[5, 5, 5], [0, 0, 1], [9, 9, 9]], radius=1)
    Neighbor(index=1, distance=1.0, n_warped=1)
    """
    bounds = np.array([lb_keogh(query, values, radius, metric) for values in series])
    best = Neighbor(-1, np.inf, 0)
    for n_warped, i in enumerate(np.argsort(bounds, kind="stable").tolist()):
        if bounds[i] >= best.distance:
            return replace(best, n_warped=n_warped)
        distance = dtw_distance(query, series[i], radius, metric)
        if distance < best.distance:
            best = Neighbor(i, distance, n_warped + 1)
    return replace(best, n_warped=len(bounds))


def _no_cost(diagonal: int, first: int, end: int) -> float:
    return 0.0
