"""pandas gives the same statistics, on the page and in the exported code."""

import numpy as np
import pytest

from dmlib.datasets import load
from dmlib.preprocessing import ColumnSummary
from dmlib.preprocessing.data_overview.reference import overview_code, overview_reference
from dmlib.problem import prepare
from tests.runs import run_of


@pytest.mark.parametrize("name", ["penguins", "airquality", "weather_nominal", "iris"])
def test_reference_agrees(name):
    frame = load(name).frame
    problem = prepare(frame, list(frame.columns), holes="keep")
    model, reference = (
        ColumnSummary().fit(problem.data),
        overview_reference(run_of(ColumnSummary(), problem)),
    )
    for attribute in (
        "counts_",
        "mean_",
        "median_",
        "variance_",
        "range_",
        "percentiles_",
        "covariance_",
    ):
        np.testing.assert_allclose(
            getattr(reference, attribute), getattr(model, attribute), rtol=1e-9, atol=1e-9
        )


def test_code_agrees(capsys):
    frame = load("penguins").frame
    problem = prepare(frame, list(frame.columns), holes="keep")
    names = {"X": problem.data}
    exec(overview_code(run_of(ColumnSummary(), problem)), names)
    assert "Adelie" in capsys.readouterr().out
    model = ColumnSummary().fit(names["X"])
    for attribute in ("median_", "variance_", "range_"):
        np.testing.assert_allclose(
            getattr(names["reference"], attribute), getattr(model, attribute)
        )
