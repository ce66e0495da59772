"""Clouds of given correlations: exact by NumPy, whatever the seed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlib.preprocessing.data_overview.figures.correlation_strengths import (
    STRENGTHS,
    clouds,
    correlated_columns,
    correlation_strengths,
)


@given(st.floats(-1, 1), st.integers(3, 200), st.integers(0, 1000))
def test_the_correlation_is_exact(r, n, seed):
    points = correlated_columns(r, n, seed)
    assert np.corrcoef(points.T)[0, 1] == pytest.approx(r, abs=1e-9)
    np.testing.assert_allclose(points.mean(axis=0), 0, atol=1e-9)
    np.testing.assert_allclose(points.std(axis=0, ddof=1), 1, atol=1e-9)


def test_each_panel_has_the_correlation_of_its_title():
    figure = correlation_strengths(None)
    titles = [annotation.text for annotation in figure.layout.annotations]
    assert len(titles) == len(figure.data) == len(STRENGTHS) + 1
    for title, trace in zip(titles, figure.data, strict=True):
        r = np.corrcoef(trace.x, trace.y)[0, 1]
        assert float(title.removeprefix("r = ").replace("−", "-")) == pytest.approx(r, abs=1e-6)
        assert max(np.abs(trace.x).max(), np.abs(trace.y).max()) <= figure.layout.xaxis.range[1]


def test_the_curve_depends_on_x_without_a_correlation():
    (curve,) = [cloud for cloud in clouds() if cloud.is_curve]
    x, y = curve.points.T
    assert abs(np.corrcoef(x, y)[0, 1]) < 1e-12
    assert np.corrcoef(x**2, y)[0, 1] > 0.9
