"""The numbers of the lesson on meeting one's data, computed again."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from dmlib.preprocessing import bin_edges, correlation, covariance, summarise
from tests.contract.test_lessons import section, text_of

TIMES = np.array([0.8, 1.2, 1.2, 1.6, 2, 2.4, 2.8, 3.2, 10])


@pytest.fixture
def by_hand():
    return section(text_of("data_overview"), "By hand")


def test_middle_and_quantiles(by_hand):
    summary = summarise(TIMES)
    assert (summary.modes, summary.mode_count, summary.median) == ((1.2,), 2, 2)
    assert summary.mean == pytest.approx(2.8)
    assert summary.percentiles == pytest.approx((1.12, 1.2, 2, 2.8, 4.56))
    assert summary.fences == pytest.approx((-1.2, 5.2))
    assert summary.n_outliers == 1
    assert (summary.mean > TIMES).sum() == 6
    for number in (
        "**2**",
        "IQR = **1.6**",
        "**1.12**",
        "**-1.2**",
        "**5.2**",
        "25.2 / 9 = **2.8**",
        "larger than six of",
    ):
        assert number in by_hand


def test_spread(by_hand):
    squares = (TIMES - TIMES.mean()) ** 2
    assert " + ".join(f"{square:.4g}" for square in squares.round(9)) in by_hand
    assert squares.sum() == pytest.approx(63.36)
    summary = summarise(TIMES)
    assert f"63.36 / 8 = **{summary.variance:.4g}**; s = **{summary.deviation:.4g}**" in by_hand
    shorter = summarise(TIMES[:-1])
    variance = f"**{shorter.mean:.4g}** and the variance to **{shorter.variance:.4g}**"
    assert f"{variance}; the median only to **{shorter.median:.4g}**" in by_hand


def test_covariance(by_hand):
    pair = np.column_stack([TIMES, np.arange(1.0, 10)])
    cov, r = covariance(pair)[0, 1], correlation(pair)[0, 1]
    assert f"{cov * 8:.4g} / 8 = **{cov:.4g}** and r = **{r:.3f}**" in by_hand
    assert f"r (Spearman's) is **{spearmanr(*pair.T).statistic:.3f}**" in by_hand


def test_bins():
    text = section(text_of("data_overview"), "Histograms")
    assert np.histogram(TIMES, bin_edges(TIMES))[0].tolist() == [6, 2, 0, 0, 1]
    assert "with 6, 2, 0, 0 and 1 of them" in text
    assert bin_edges(TIMES, "equal_frequency", 3).tolist() == pytest.approx([0.8, 1.4, 2.6, 10])
    assert "meet at 1.4 and 2.6" in text


def test_answers():
    wages = np.array([900.0, 1000, 1500, 4000])
    summary, moved, double = summarise(wages), summarise(wages + 100), summarise(2 * wages)
    assert (moved.mean - summary.mean, moved.median - summary.median) == (100, 100)
    assert moved.variance == pytest.approx(summary.variance)
    assert double.variance == pytest.approx(4 * summary.variance)
    assert double.deviation / double.mean == pytest.approx(summary.deviation / summary.mean)
    assert summarise(np.arange(1000)).modes == ()
