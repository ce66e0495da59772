"""LCSS, ERP, the lower bound and nearest series against short definitions."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlib.similarity import (
    dtw_distance,
    dtw_distances,
    envelope,
    erp,
    euclidean_distance,
    lb_keogh,
    lcss,
    nearest_series,
)

SERIES = st.lists(st.integers(-5, 5), min_size=1, max_size=8)


def lcss_by_definition(x, y, epsilon, window):
    @cache
    def L(i, j):
        if not (i and j):
            return 0
        matches = abs(x[i - 1] - y[j - 1]) <= epsilon and (window is None or abs(i - j) <= window)
        return max(L(i - 1, j), L(i, j - 1), L(i - 1, j - 1) + matches)

    return L(len(x), len(y))


def erp_by_definition(x, y, gap):
    @cache
    def E(i, j):
        if not i or not j:
            return sum(abs(v - gap) for v in [*x[:i], *y[:j]])
        return min(
            E(i - 1, j - 1) + abs(x[i - 1] - y[j - 1]),
            E(i - 1, j) + abs(x[i - 1] - gap),
            E(i, j - 1) + abs(y[j - 1] - gap),
        )

    return E(len(x), len(y))


@given(SERIES, SERIES, st.integers(0, 3), st.sampled_from([None, 0, 1, 4]))
def test_lcss(x, y, epsilon, window):
    assert lcss(x, y, epsilon, window) == lcss_by_definition(x, y, epsilon, window)


@given(SERIES, SERIES, st.integers(-3, 3))
def test_erp(x, y, gap):
    assert erp(x, y, gap) == erp_by_definition(x, y, gap)


@given(SERIES, SERIES, SERIES)
def test_erp_obeys_the_triangle_inequality(x, y, z):
    assert erp(x, z) <= erp(x, y) + erp(y, z)


def test_warping_does_not():
    x, y, z = [0], [1, 2], [2, 3, 3]
    assert dtw_distance(x, z) > dtw_distance(x, y) + dtw_distance(y, z)


@given(
    st.integers(1, 9).flatmap(
        lambda n: st.tuples(*[st.lists(st.integers(-9, 9), min_size=n, max_size=n)] * 2)
    )
)
def test_the_bound_is_below(pair):
    x, y = pair
    for radius in (0, 1, 3):
        around = envelope(y, radius)
        for i in range(len(y)):
            window = y[max(i - radius, 0) : i + radius + 1]
            assert (around.lower[i], around.upper[i]) == (min(window), max(window))
        for metric in ("absolute", "squared"):
            assert lb_keogh(x, y, radius, metric) <= dtw_distance(x, y, radius, metric) + 1e-12
    assert lb_keogh(x, y, 0) == dtw_distance(x, y, 0) == np.abs(np.subtract(x, y)).sum()
    assert lb_keogh(x, y, 0, "squared") == pytest.approx(euclidean_distance(x, y))


def test_the_nearest_series_is_the_nearest():
    rng = np.random.default_rng(0)
    series = list(rng.normal(size=(12, 15)).cumsum(axis=1))
    for i in range(12):
        candidates = [*series[:i], *series[i + 1 :]]
        nearest = nearest_series(series[i], candidates, 3)
        distances = [dtw_distance(series[i], candidate, 3) for candidate in candidates]
        assert (nearest.index, nearest.distance) == (int(np.argmin(distances)), min(distances))
        bounds = np.array([lb_keogh(series[i], candidate, 3) for candidate in candidates])
        assert (bounds <= min(distances)).sum() <= nearest.n_warped <= 11


def test_all_pairs():
    series = [[0, 1, 2], [2, 1], [5]]
    D = dtw_distances(series, metric="squared")
    for i in range(3):
        for j in range(3):
            assert D[i, j] == pytest.approx(dtw_distance(series[i], series[j], metric="squared"))


def test_what_needs_equal_lengths_says_so():
    with pytest.raises(ValueError, match="3 and 2 values have no Euclidean distance"):
        euclidean_distance([1, 2, 3], [1, 2])
    with pytest.raises(ValueError, match="equal length"):
        lb_keogh([1, 2, 3], [1, 2], 1)
