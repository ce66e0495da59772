"""pandas gives the same statistics, on the page and in the exported code."""

import numpy as np
import pytest

from dmlib.datasets import load
from dmlib.preprocessing import ColumnSummary
from dmlib.problem import prepare
from dmlib.reference.data_overview import overview_code, overview_reference


@pytest.mark.parametrize("name", ["penguins", "airquality", "weather_nominal", "iris"])
def test_reference_agrees(name):
    frame = load(name).frame
    data = prepare(frame, list(frame.columns), holes="keep").data
    model, reference = ColumnSummary().fit(data), overview_reference(data)
    for attribute in ("counts_", "mean_", "median_", "variance_", "range_", "percentiles_", "covariance_"):
        np.testing.assert_allclose(getattr(reference, attribute), getattr(model, attribute), rtol=1e-9, atol=1e-9)


def test_code_agrees(capsys):
    frame = load("penguins").frame
    names = {"X": prepare(frame, list(frame.columns), holes="keep").data}
    exec(overview_code(), names)
    assert "Adelie" in capsys.readouterr().out
    model = ColumnSummary().fit(names["X"])
    for attribute in ("median_", "variance_", "range_"):
        np.testing.assert_allclose(getattr(names["reference"], attribute), getattr(model, attribute))
