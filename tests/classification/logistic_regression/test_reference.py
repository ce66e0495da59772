import numpy as np
import pytest
from numpy.testing import assert_allclose

from dmlib.classification import LogisticRegression
from dmlib.classification.logistic_regression.reference import logistic_regression_reference
from dmlib.comparison import Incomparable
from tests.runs import run_of

RNG = np.random.default_rng(0)
X = np.column_stack([RNG.normal(size=(70, 2)), RNG.integers(0, 5, 70)])
Y = (X[:, 0] + RNG.logistic(size=70) > 0).astype(int)


@pytest.mark.parametrize("C", [0.2, 1.0, np.inf])
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("grouped", [True, False])
def test_the_code_gives_what_the_reference_gives_and_both_agree(C, fit_intercept, grouped):
    model = LogisticRegression(C=C, fit_intercept=fit_intercept, grouped=grouped)
    run = run_of(model, X, Y)
    reference = logistic_regression_reference(run).answer(run)
    scope = {"model": model.fit(X, Y), "X": X, "y": Y}
    exec(logistic_regression_reference(run).code, scope)
    for name in "coef_", "intercept_":
        assert_allclose(getattr(scope["reference"], name), getattr(reference, name))
        assert_allclose(getattr(model, name), getattr(reference, name), atol=1e-6)


@pytest.mark.parametrize(
    "params",
    [{"solver": "gd"}, {"max_iter": 1}, {"C": np.inf, "fit_intercept": False}],
    ids=["gd", "short", "separated"],
)
def test_there_is_nothing_to_compare_away_from_the_top(params):
    y = (X[:, 0] > 0).astype(int) if "C" in params else Y
    with pytest.raises(Incomparable):
        logistic_regression_reference(run_of(LogisticRegression(**params), X, y))
