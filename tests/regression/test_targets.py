"""A regression that is given names says so in its own words; texts of numbers are numbers."""

import numpy as np
import pandas as pd
import pytest

from dmlib import regression
from dmlib.evaluation import RegressorResampling
from dmlib.feature_selection import ProbeSelector, RegressorSearch, SubsetSearch

MODELS = [
    getattr(regression, name)()
    for name in (
        "LinearRegression",
        "Ridge",
        "Lasso",
        "ElasticNet",
        "PolynomialRegression",
        "NaturalSpline",
        "LocalRegression",
        "KNeighborsRegressor",
        "DecisionTreeRegressor",
        "CHAIDRegressor",
        "ModelTree",
        "PrincipalComponentRegression",
        "PLSRegression",
    )
]
SELECTORS = [
    SubsetSearch(),
    RegressorSearch(),
    ProbeSelector(random_state=0),
    RegressorResampling(random_state=0),
]
X = np.random.default_rng(0).normal(size=(24, 3))
NAMES = ["low", "middle", "high"] * 8


@pytest.mark.parametrize(
    "names", [NAMES, np.array(NAMES), np.array(NAMES, object), pd.Series(NAMES)]
)
@pytest.mark.parametrize("model", MODELS + SELECTORS)
def test_names_are_refused_in_a_sentence(model, names):
    with pytest.raises(
        ValueError, match=r"names such as 'low', but a regression predicts numbers\. Choose another"
    ):
        model.fit(X, names)


@pytest.mark.parametrize("model", MODELS)
def test_texts_of_numbers_are_numbers(model):
    y = (X @ [1.0, 2.0, 3.0]).round(2)
    np.testing.assert_allclose(
        model.fit(X, [str(v) for v in y]).predict(X), model.fit(X, y).predict(X)
    )


@pytest.mark.parametrize("model", SELECTORS[:3])
def test_a_target_whose_squares_vanish_is_refused(model):
    with pytest.raises(ValueError, match="too small for a computer number"):
        model.fit(X, X[:, 0] * 1e-200)
