"""Each algorithm of the textbook is DecisionTreeClassifier with the parameters that define it."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier as Reference

from dmlib.classification import C45, CART, CHAID, ID3, QUEST, DecisionTreeClassifier, OneR
from dmlib.datasets import load
from tests.classification.decision_tree.data import NODE, table

SETTINGS = {
    ID3: {"criterion": "entropy", "splitter": "multiway", "min_gain": 1e-6},
    C45: {
        "criterion": "gain_ratio",
        "splitter": "multiway",
        "numeric": "c45",
        "min_samples_leaf": 2,
        "min_gain": 1e-6,
        "pruning": "error_based",
    },
    CART: {"missing": "surrogate", "pruning": "error_complexity"},
    CHAID: {"criterion": "chaid", "missing": "category"},
    QUEST: {"criterion": "quest", "missing": "surrogate", "pruning": "error_complexity"},
    OneR: {"criterion": "error", "splitter": "multiway", "numeric": "buckets", "max_depth": 1},
}
"""What the constants of these names were, as which old code and the presets of the page have it."""
PARAMETERS = {
    ID3: {"max_depth": 2, "min_samples_split": 20},
    C45: {"confidence": 0.05, "min_samples_leaf": 8, "max_depth": 3},
    CART: {
        "criterion": "twoing",
        "ccp_alpha": 0.01,
        "min_samples_split": 9,
        "costs": {("no", "yes"): 4},
    },
    CHAID: {"alpha_merge": 0.2, "alpha_split": 0.01, "min_samples_leaf": 9, "max_depth": 2},
    QUEST: {"alpha_split": 0.2, "ccp_alpha": 0.01, "min_samples_leaf": 9, "max_depth": 3},
    OneR: {"min_bucket": 1},
}
each_algorithm = pytest.mark.parametrize("algorithm", SETTINGS, ids=lambda cls: cls.__name__)


@pytest.fixture(scope="module")
def heart():
    frame = load("heart_disease").frame
    return frame.drop(columns="narrowing"), frame["narrowing"]


def assert_same_tree(first, second):
    for name in NODE:
        assert_array_equal(getattr(first.tree_, name), getattr(second.tree_, name))
    assert first.export_rules() == second.export_rules()


@each_algorithm
def test_the_tree_is_that_of_its_settings(algorithm, heart):
    assert_same_tree(
        algorithm().fit(*heart), DecisionTreeClassifier(**SETTINGS[algorithm]).fit(*heart)
    )


@each_algorithm
def test_its_parameters_are_those_of_the_same_name(algorithm, heart):
    params = PARAMETERS[algorithm]
    model = algorithm(**params).fit(*heart)
    expected = DecisionTreeClassifier(**SETTINGS[algorithm] | params).fit(*heart)
    assert_same_tree(model, expected)
    assert model.get_n_leaves() != algorithm().fit(*heart).get_n_leaves()
    assert model.all_params == expected.get_params()


@each_algorithm
def test_its_steps_are_those_of_its_settings(algorithm, heart):
    X, y = heart
    model, expected = algorithm(), DecisionTreeClassifier(**SETTINGS[algorithm])
    steps = list(model.steps(X, y))
    assert [step.phase for step in steps] == [step.phase for step in expected.steps(X, y)]
    assert_same_tree(model.fit_from(steps, X, y), expected.fit(X, y))


@each_algorithm
def test_it_has_its_own_parameters_only(algorithm):
    names = set(algorithm().get_params())
    assert set(algorithm.PARAMS) <= names < set(DecisionTreeClassifier().get_params())
    assert clone(algorithm(**PARAMETERS[algorithm])).get_params() == (
        algorithm().get_params() | PARAMETERS[algorithm]
    )
    with pytest.raises(TypeError, match="splitter"):
        algorithm(splitter="binary")
    with pytest.raises(ValueError, match="Invalid parameter 'splitter'"):
        algorithm().set_params(splitter="binary")


@each_algorithm
def test_its_ranges_are_those_of_its_settings(algorithm, heart):
    ranges = algorithm.RANGES(algorithm(), *heart)
    expected = DecisionTreeClassifier.RANGES(DecisionTreeClassifier(**SETTINGS[algorithm]), *heart)
    assert ranges == {name: expected[name] for name in algorithm.PARAMS if name in expected}


@pytest.mark.parametrize(
    "params", [{"max_depth": 3}, {"min_samples_leaf": 20}, {"min_samples_split": 60}], ids=str
)
def test_cart_is_scikit_learns(params):
    X, y = table()
    model, reference = CART(**params).fit(X, y), Reference(**params, random_state=0).fit(X, y)
    for name in ("feature", "n_node_samples", "impurity"):
        assert_allclose(getattr(model.tree_, name), getattr(reference.tree_, name), atol=1e-12)
    assert_allclose(model.predict_proba(X), reference.predict_proba(X))


def test_cart_by_twoing_makes_other_splits():
    X, y = table()
    gini, twoing = CART(max_depth=3).fit(X, y), CART(criterion="twoing", max_depth=3).fit(X, y)
    assert not np.array_equal(gini.tree_.threshold, twoing.tree_.threshold)
    with pytest.raises(ValueError, match="criterion must be one of gini, twoing"):
        CART(criterion="chaid").fit(X, y)
