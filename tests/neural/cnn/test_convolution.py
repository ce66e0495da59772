"""Convolution and pooling against SciPy, loops, and their own transposes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.ndimage import maximum_filter
from scipy.signal import convolve2d as scipy_convolve
from scipy.signal import correlate2d

from dmlib.neural import average_pool2d, convolve2d, max_pool2d
from dmlib.neural.cnn.convolution import columns, from_columns, output_size, pool, unpool
from dmlib.neural.cnn.filters import FILTERS

sides, steps = st.integers(1, 9), st.integers(1, 3)


def by_loops(x, k, stride, padding, dilation):
    """The definition."""
    x = np.pad(x, padding)
    down, across = (
        (n - dilation * (m - 1) - 1) // stride + 1 for n, m in zip(x.shape, k.shape, strict=True)
    )
    out = np.zeros((down, across))
    for r in range(down):
        for c in range(across):
            for i in range(k.shape[0]):
                for j in range(k.shape[1]):
                    out[r, c] += k[i, j] * x[stride * r + dilation * i, stride * c + dilation * j]
    return out


@settings(max_examples=80, deadline=None)
@given(sides, sides, st.integers(1, 4), st.integers(1, 4), steps, st.integers(0, 3), steps)
def test_convolution_is_its_definition(height, width, rows, cols, stride, padding, dilation):
    rng = np.random.default_rng(height * 100 + width)
    x, k = rng.normal(size=(height, width)), rng.normal(size=(rows, cols))
    how = {"stride": stride, "padding": padding, "dilation": dilation}
    size = tuple(output_size(n, m, **how) for n, m in zip(x.shape, k.shape, strict=True))
    if not all(size):
        with pytest.raises(ValueError, match="does not fit"):
            convolve2d(x, k, **how)
        return
    ours = convolve2d(x, k, **how)
    assert ours.shape == size
    assert_allclose(ours, by_loops(x, k, stride, padding, dilation), atol=1e-12)


@pytest.mark.parametrize("name", FILTERS)
def test_networks_convolve_as_scipy_correlates(name):
    x = np.random.default_rng(0).random((12, 9))
    k = FILTERS[name]
    assert_allclose(convolve2d(x, k), correlate2d(x, k, "valid"), atol=1e-12)
    assert_allclose(convolve2d(x, k, padding=1), correlate2d(x, k, "same"), atol=1e-12)
    assert_allclose(convolve2d(x, k, flip=True), scipy_convolve(x, k, "valid"), atol=1e-12)


def test_filters_do_what_they_are_called():
    x = np.random.default_rng(1).random((6, 6))
    assert_array_equal(convolve2d(x, FILTERS["identity"], padding=1), x)
    flat = np.full((5, 5), 0.7)
    for name in ("box blur", "Gaussian blur", "sharpen", "emboss"):
        assert_allclose(convolve2d(flat, FILTERS[name]), 0.7)
    for name in ("Sobel, vertical edges", "Sobel, horizontal edges", "Laplace"):
        assert_allclose(convolve2d(flat, FILTERS[name]), 0, atol=1e-12)
    upright = np.tile([0.0, 0, 1, 1], (4, 1))
    assert (convolve2d(upright, FILTERS["Sobel, vertical edges"]) == 4).all()
    assert (convolve2d(upright, FILTERS["Sobel, horizontal edges"]) == 0).all()


@settings(max_examples=40, deadline=None)
@given(sides, sides, st.integers(1, 4), st.none() | steps)
def test_pooling_is_its_definition(height, width, size, stride):
    x = np.random.default_rng(height * 10 + width).normal(size=(height, width))
    if min(height, width) < size:
        with pytest.raises(ValueError, match="does not fit"):
            max_pool2d(x, size, stride=stride)
        return
    step = stride or size
    places = [range(0, n - size + 1, step) for n in x.shape]
    windows = [[x[r : r + size, c : c + size] for c in places[1]] for r in places[0]]
    largest = [[window.max() for window in row] for row in windows]
    means = [[window.mean() for window in row] for row in windows]
    assert_array_equal(max_pool2d(x, size, stride=stride), largest)
    assert_allclose(average_pool2d(x, size, stride=stride), means)


def test_dense_pooling_is_scipys_filter():
    x = np.random.default_rng(0).normal(size=(9, 9))
    assert_array_equal(max_pool2d(x, 3, stride=1), maximum_filter(x, 3)[1:-1, 1:-1])


def test_impossible_windows_are_refused():
    with pytest.raises(ValueError, match="two dimensions"):
        convolve2d([1, 2], [[1]])
    with pytest.raises(ValueError, match="at least 1"):
        convolve2d(np.eye(3), np.eye(2), stride=0)
    with pytest.raises(ValueError, match="at least 1"):
        max_pool2d(np.eye(3), 0)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 6), st.integers(1, 6), st.integers(1, 4), st.integers(1, 3))
def test_the_ways_back_are_transposes(height, width, size, channels):
    rng = np.random.default_rng(size * 10 + channels)
    A = rng.normal(size=(2, height, width, channels))
    rows = columns(A, size)
    G = rng.normal(size=rows.shape)
    assert (rows * G).sum() == pytest.approx((A * from_columns(G, A.shape, size)).sum())
    pooled, index = pool(A, size)
    H = rng.normal(size=pooled.shape)
    assert (pooled * H).sum() == pytest.approx((A * unpool(H, index, A.shape, size)).sum())
    if size == 1:
        assert_array_equal(pooled, A)


def test_a_window_at_the_edge_is_smaller():
    pooled, _ = pool(np.arange(9.0).reshape(1, 3, 3, 1), 2)
    assert pooled[0, :, :, 0].tolist() == [[4, 5], [7, 8]]
