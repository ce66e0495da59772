"""Bins against NumPy's, and parts that hold equally many values."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dmlib.preprocessing import bin_edges, sturges
from dmlib.preprocessing.bin_counts import MAX_BINS, WIDTH_RULES, bin_count
from dmlib.preprocessing.data_overview.bins import RULES

COLUMNS = arrays(float, st.integers(1, 80), elements=st.floats(-1e6, 1e6, allow_subnormal=False))


@pytest.mark.parametrize(("n", "bins"), [(1, 1), (2, 2), (3, 3), (16, 5), (17, 6), (1000, 11)])
def test_sturges(n, bins):
    assert sturges(n) == bins


def test_rules_by_hand():
    # n = 8, quartiles 1.75 and 5.25, s² = 49.875 / 8 around the mean 3.625.
    x = np.array([0.0, 1, 2, 3, 4, 5, 6, 8])
    counts = {rule: bin_count(x, rule) for rule in WIDTH_RULES}
    # log2 8 + 1 = 4; 1 + 10/3 · 0.903 = 4.01; √8 = 2.83; 8 / (3.49 · 2.497 / 2) = 1.84;
    # 8 / (2 · 3.5 / 2) = 2.29
    assert counts == {"sturges": 4, "sturges_10": 5, "sqrt": 3, "scott": 2, "fd": 3}


def test_widths_by_the_spread_are_bounded():
    outlier = np.append(np.arange(100.0), 1e12)
    assert bin_count(outlier, "fd") == MAX_BINS
    # More than half of the values are equal: the quartiles do not differ, and there is one bin.
    assert bin_count(np.array([0.0, 1, 1, 1, 1, 1, 9]), "fd") == 1


def test_sturges_is_that_of_numpy():
    x = np.random.default_rng(0).normal(size=137)
    np.testing.assert_allclose(bin_edges(x), np.histogram_bin_edges(x, "sturges"))
    for rule in ("sqrt", "scott", "fd"):
        np.testing.assert_allclose(bin_edges(x, rule), np.histogram_bin_edges(x, rule))
    assert len(bin_edges(x, "sturges_10")) - 1 == int(np.ceil(1 + 10 / 3 * np.log10(137)))


@settings(deadline=None)
@given(COLUMNS, st.sampled_from(RULES), st.integers(1, 30))
def test_every_value_is_in_a_bin(x, rule, k):
    edges = bin_edges(x, rule, k)
    assert (np.diff(edges) > 0).all()
    assert np.histogram(x, edges)[0].sum() == len(x)
    if rule in ("natural", "equal_frequency"):
        assert len(edges) <= k + 1


@settings(deadline=None)
@given(st.integers(1, 60), st.integers(1, 20))
def test_different_values_are_shared_out_evenly(n, k):
    counts = np.histogram(np.arange(n) ** 2, bin_edges(np.arange(n) ** 2, "equal_frequency", k))[0]
    assert counts.max() - counts.min() <= 1


def test_equal_values_stay_together():
    x = [1, 1, 1, 1, 2, 3]
    assert np.histogram(x, bin_edges(x, "equal_frequency", 3))[0].tolist() == [4, 2]


@pytest.mark.parametrize(("x", "rule"), [([], "sturges"), ([np.nan], "natural"), ([1.0], "doane")])
def test_nonsense_is_refused(x, rule):
    with pytest.raises(ValueError, match=r"\.$"):
        bin_edges(x, rule)
