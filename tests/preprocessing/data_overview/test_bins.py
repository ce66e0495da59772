"""Bins against NumPy's, and parts that hold equally many values."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dmlib.preprocessing import bin_edges, sturges

COLUMNS = arrays(float, st.integers(1, 80), elements=st.floats(-1e6, 1e6, allow_subnormal=False))


@pytest.mark.parametrize(("n", "bins"), [(1, 1), (2, 2), (3, 3), (16, 5), (17, 6), (1000, 11)])
def test_sturges(n, bins):
    assert sturges(n) == bins


def test_sturges_is_that_of_numpy():
    x = np.random.default_rng(0).normal(size=137)
    np.testing.assert_allclose(bin_edges(x), np.histogram_bin_edges(x, "sturges"))


@settings(deadline=None)
@given(COLUMNS, st.sampled_from(["sturges", "natural", "equal_frequency"]), st.integers(1, 30))
def test_every_value_is_in_a_bin(x, rule, k):
    edges = bin_edges(x, rule, k)
    assert (np.diff(edges) > 0).all()
    assert np.histogram(x, edges)[0].sum() == len(x)
    if rule != "sturges":
        assert len(edges) <= k + 1


@settings(deadline=None)
@given(st.integers(1, 60), st.integers(1, 20))
def test_different_values_are_shared_out_evenly(n, k):
    counts = np.histogram(np.arange(n) ** 2, bin_edges(np.arange(n) ** 2, "equal_frequency", k))[0]
    assert counts.max() - counts.min() <= 1


def test_equal_values_stay_together():
    x = [1, 1, 1, 1, 2, 3]
    assert np.histogram(x, bin_edges(x, "equal_frequency", 3))[0].tolist() == [4, 2]


@pytest.mark.parametrize(("x", "rule"), [([], "sturges"), ([np.nan], "natural"), ([1.0], "scott")])
def test_nonsense_is_refused(x, rule):
    with pytest.raises(ValueError, match=r"\.$"):
        bin_edges(x, rule)
