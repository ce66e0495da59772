"""pandas gives the same statistics, on the page and in the exported code."""

import numpy as np
import pytest

from dmlib.datasets import load
from dmlib.preprocessing import ColumnSummary
from dmlib.preprocessing.data_overview.reference import overview_reference
from dmlib.problem import prepare
from tests.runs import run_of

ATTRIBUTES = ("counts_", "mean_", "median_", "variance_", "range_", "percentiles_", "covariance_")


@pytest.mark.parametrize("name", ["penguins", "airquality", "weather_nominal", "iris"])
def test_reference_agrees(name):
    frame = load(name).frame
    problem = prepare(frame, list(frame.columns), holes="keep")
    run = run_of(ColumnSummary(), problem)
    model = ColumnSummary().fit(problem.data)
    names = {"X": problem.data}
    exec(overview_reference(run).code, names)
    for reference in (overview_reference(run).answer(run), names["reference"]):
        for attribute in ATTRIBUTES:
            expected, value = getattr(model, attribute), getattr(reference, attribute)
            np.testing.assert_allclose(value, expected, rtol=1e-9, atol=1e-9)
