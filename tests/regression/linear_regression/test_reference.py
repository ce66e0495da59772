"""statsmodels fits the same, or it is said why not."""

import pandas as pd
import pytest

from dmlib.comparison import Incomparable, compare
from dmlib.datasets import load
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from dmlib.regression import LinearRegression
from dmlib.regression.linear_regression.reference import linear_regression_reference
from tests.visit import technique

COMPARED = technique("linear_regression").check.compare


def run_of(frame, features, target, **params):
    return Run.of(
        prepare(frame, features, target=target, numeric_target=True, test_size=0.2),
        LinearRegression(**params),
    )


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("solver", ["normal", "svd"])
def test_agrees(solver, intercept):
    run = run_of(
        load("wages").frame, ["education", "gender"], "wage", solver=solver, fit_intercept=intercept
    )
    reference = linear_regression_reference(run).answer(run)
    rows = compare(run.fitted, reference, COMPARED, run.problem.data)
    assert all(row.difference < 1e-8 * max(1, abs(row.theirs).max()) for row in rows), rows


@pytest.mark.parametrize(
    ("frame", "params", "reason"),
    [
        ({"x": range(20), "z": range(20), "y": [1, 2] * 10}, {}, "the 2 terms have rank 1"),
        (
            {"x": range(20), "z": [3, 1] * 10, "y": [1, 2] * 10},
            {"solver": "gd", "max_iter": 2},
            "not converged to",
        ),
        ({"x": [1, 2, 4, 8], "z": [1, 3, 2, 7], "y": [1, 2, 5, 3]}, {}, "no degree of freedom"),
    ],
)
def test_says_why_not(frame, params, reason):
    with pytest.raises(Incomparable, match=reason):
        linear_regression_reference(
            run_of(pd.DataFrame(frame, dtype=float), ["x", "z"], "y", **params)
        )
