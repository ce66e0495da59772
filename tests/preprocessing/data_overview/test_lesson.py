"""The numbers of the lesson on meeting one's data, computed again."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from dmlib.preprocessing import bin_edges, correlation, covariance, summarise
from tests.contract.test_lessons import section, text_of

TIMES = np.array([2, 3, 3, 4, 5, 6, 7, 8, 25], float)


@pytest.fixture
def by_hand():
    return section(text_of("data_overview"), "By hand")


def test_middle_and_quantiles(by_hand):
    summary = summarise(TIMES)
    assert (summary.modes, summary.mode_count, summary.median, summary.mean) == ((3.0,), 2, 5, 7)
    assert summary.percentiles == pytest.approx((2.8, 3, 5, 7, 11.4))
    assert summary.fences == (-3, 13)
    assert summary.n_outliers == 1
    assert (summary.mean > TIMES).sum() == 6
    for number in (
        "**5**",
        "IQR = **4**",
        "**2.8**",
        "**-3**",
        "**13**",
        "63 / 9 = **7**",
        "larger than six of",
    ):
        assert number in by_hand


def test_spread(by_hand):
    squares = (TIMES - TIMES.mean()) ** 2
    assert " + ".join(f"{square:.0f}" for square in squares) in by_hand
    assert squares.sum() == 396
    summary = summarise(TIMES)
    assert f"396 / 8 = **{summary.variance}**; s = **{summary.deviation:.2f}**" in by_hand
    shorter = summarise(TIMES[:-1])
    variance = f"**{shorter.mean}** and the variance to **{shorter.variance}**"
    assert f"{variance}; the median only to **{shorter.median}**" in by_hand


def test_covariance(by_hand):
    pair = np.column_stack([TIMES, np.arange(1.0, 10)])
    cov, r = covariance(pair)[0, 1], correlation(pair)[0, 1]
    assert f"{cov * 8:.0f} / 8 = **{cov}** and r = **{r:.3f}**" in by_hand
    assert f"r (Spearman's) is **{spearmanr(*pair.T).statistic:.3f}**" in by_hand


def test_bins():
    text = section(text_of("data_overview"), "Histograms")
    assert np.histogram(TIMES, bin_edges(TIMES))[0].tolist() == [6, 2, 0, 0, 1]
    assert "with 6, 2, 0, 0 and 1 of them" in text
    assert bin_edges(TIMES, "equal_frequency", 3).tolist() == [2, 3.5, 6.5, 25]
    assert "meet at 3.5 and 6.5" in text


def test_answers():
    wages = np.array([900.0, 1000, 1500, 4000])
    summary, moved, double = summarise(wages), summarise(wages + 100), summarise(2 * wages)
    assert (moved.mean - summary.mean, moved.median - summary.median) == (100, 100)
    assert moved.variance == pytest.approx(summary.variance)
    assert double.variance == pytest.approx(4 * summary.variance)
    assert double.deviation / double.mean == pytest.approx(summary.deviation / summary.mean)
    assert summarise(np.arange(1000)).modes == ()
