"""The classical algorithms: scikit-learn's own checks, and settings that are refused."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.utils.estimator_checks import parametrize_with_checks

from dmlib.classification import C45, CHAID, ID3, QUEST, DecisionTreeClassifier, OneR
from dmlib.datasets import load
from tests.classification.decision_tree.data import params_of


@parametrize_with_checks([CHAID(), QUEST(), DecisionTreeClassifier(missing="category")])
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize(
    "params",
    [params_of(ID3), params_of(C45), params_of(OneR), params_of(CHAID), params_of(QUEST)],
    ids=["ID3", "C4.5", "1R", "CHAID", "QUEST"],
)
@pytest.mark.parametrize("name", ["iris", "heart_disease", "penguins", "zoo"])
def test_the_steps_lead_to_the_fitted_tree(params, name):
    table = load(name)
    X, y = table.frame.drop(columns=table.target), table.frame[table.target].astype(str)
    last = list(DecisionTreeClassifier(**params).steps(X, y))[-1]
    tree = DecisionTreeClassifier(**params).fit(X, y).tree_
    assert_array_equal(last.tree.feature, tree.feature)
    assert_allclose(last.tree.value, tree.value)


def test_only_columns_are_prescribed_where_tests_find_the_split():
    X = load("iris").frame
    y = X.pop("species")
    for params in (params_of(CHAID), params_of(QUEST)):
        free = next(iter(DecisionTreeClassifier(**params).steps(X, y)))
        step = next(iter(DecisionTreeClassifier(**params, choices="r_0_5.0").steps(X, y)))
        assert step.chosen.split == next(
            candidate.split for candidate in free.candidates if candidate.split.column == 0
        )


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        (params_of(CHAID) | {"missing": "surrogate"}, "have no surrogates"),
        (params_of(CHAID) | {"alpha_split": 0.0}, "alpha_split"),
        (params_of(QUEST) | {"alpha_merge": 2.0}, "alpha_merge"),
        ({"missing": "ignore"}, "missing"),
    ],
    ids=["surrogates", "alpha_split", "alpha_merge", "missing"],
)
def test_refusals(params, sentence):
    with pytest.raises(ValueError, match=sentence):
        DecisionTreeClassifier(**params).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize("params", [params_of(CHAID), params_of(QUEST)], ids=["CHAID", "QUEST"])
def test_extremes(params):
    for X in (
        np.zeros((6, 2)),
        np.array([[np.nan, 1.0]] * 6),
        np.array([[-1e300], [1e300]] * 3),
        [[1e-300], [0]] * 3,
    ):
        model = DecisionTreeClassifier(**params).fit(X, [0, 1] * 3)
        assert np.isfinite(model.predict_proba(X)).all()
