"""Costs of errors: the answers that cost least, and splits by altered priors."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_breast_cancer, load_iris

from dmlib.classification import CART, CHAID, QUEST, DecisionTreeClassifier
from dmlib.trees.rows import altered_priors, read_costs
from tests.classification.decision_tree.data import params_of


def test_two_classes_are_weighted_as_their_errors_cost():
    """As rpart does with parms = list(loss = ...)."""
    X, y = load_breast_cancer(return_X_y=True)
    model = DecisionTreeClassifier(costs=[[0, 4], [1, 0]], max_depth=3).fit(X, y)
    weighted = DecisionTreeClassifier(class_weight={0: 4, 1: 1}, max_depth=3).fit(X, y)
    assert_array_equal(model.tree_.feature, weighted.tree_.feature)
    assert_allclose(model.tree_.threshold, weighted.tree_.threshold)
    assert_array_equal(model.predict(X), weighted.predict(X))


def test_probabilities_are_shares_of_rows():
    X, y = np.zeros((10, 1)), np.repeat(["a", "b", "c"], [5, 3, 2])
    model = DecisionTreeClassifier(costs={("c", "a"): 9, ("b", "a"): 2}).fit(X, y)
    assert_allclose(model.predict_proba(X[:1]), [[0.5, 0.3, 0.2]])


@pytest.mark.parametrize("seed", range(8))
def test_the_answer_costs_least(seed):
    rng = np.random.default_rng(seed)
    costs = rng.integers(1, 9, (3, 3)) * (1 - np.eye(3))
    X, y = rng.integers(0, 4, (200, 1)), rng.integers(0, 3, 200)
    model = DecisionTreeClassifier(costs=costs, splitter="multiway").fit(X, y)
    for value in range(4):
        counts = np.bincount(y[X[:, 0] == value], minlength=3)
        expected = counts @ costs
        assert expected[model.predict([[value]])[0]] == pytest.approx(expected.min())


def test_equal_costs_change_nothing():
    X, y = load_iris(return_X_y=True)
    with_costs, without = (
        DecisionTreeClassifier(costs=1 - np.eye(3)).fit(X, y),
        DecisionTreeClassifier().fit(X, y),
    )
    assert_array_equal(with_costs.tree_.feature, without.tree_.feature)
    assert_allclose(with_costs.predict_proba(X), without.predict_proba(X))
    assert with_costs.export_rules() == without.export_rules()


def test_pruning_counts_costs():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(200, 2))
    y = (X[:, 0] + rng.normal(size=200) > 1).astype(int)
    costs = np.array([[0, 1], [6, 0]])
    model = CART(costs=costs)
    path = model.cost_complexity_pruning_path(X, y)
    prior = np.bincount(y)
    per_error = (
        6 * prior[1] + prior[0]
    )  # the weight of all rows, where an error weighs what it costs
    assert_allclose(path.impurities[-1] * per_error, min(6 * prior[1], prior[0]), rtol=1e-9)
    pruned = CART(costs=costs, ccp_alpha=0.02).fit(X, y)
    cost = costs[y, pruned.predict(X)].sum()
    alpha = np.flatnonzero(path.ccp_alphas <= 0.02)[-1]
    assert cost / per_error == pytest.approx(path.impurities[alpha])
    assert pruned.pruning_path(X, y, cv=3, random_state=0).cv_errors.shape


@pytest.mark.parametrize(
    "params", [params_of(CHAID), params_of(QUEST), {}], ids=["CHAID", "QUEST", "CART"]
)
def test_dear_errors_become_rare(params):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(400, 2))
    y = np.where(X[:, 0] + rng.normal(size=400) > 0.5, "ill", "well")
    depth = {"max_depth": 3}
    plain = DecisionTreeClassifier(**params | depth).fit(X, y).predict(X)
    careful = (
        DecisionTreeClassifier(**params | depth, costs={("ill", "well"): 8}).fit(X, y).predict(X)
    )
    assert (careful[y == "ill"] == "well").mean() < (plain[y == "ill"] == "well").mean() / 2


def test_texts_say_what_costs_least():
    X, y = np.zeros((10, 1)), np.repeat(["healthy", "ill"], [8, 2])
    model = DecisionTreeClassifier(costs={("ill", "healthy"): 5}).fit(X, y)
    assert model.export_text() == "|--- class: ill\n"
    assert model.export_rules()[0].startswith("if anything then ill")


def test_weights_keep_their_sum():
    factors = altered_priors(np.array([[0.0, 3, 1], [1, 0, 1], [2, 2, 0]]), np.array([4.0, 3, 5]))
    assert factors @ [4, 3, 5] == pytest.approx(12)
    assert_allclose(factors / factors[1], [2, 1, 2])


@pytest.mark.parametrize(
    ("costs", "sentence"),
    [
        ([[0, 1]], "a row and a column for each of the 2 classes"),
        ([[0, -1], [1, 0]], "numbers from 0"),
        ([[1, 1], [1, 0]], "0 for correct predictions"),
        ([[0, 0], [1, 0]], "Each class needs a misclassification cost"),
        ([[0, np.nan], [1, 0]], "numbers from 0"),
        ("dear", "a matrix of numbers"),
        ({"ill": 5}, "pairs"),
    ],
    ids=["shape", "negative", "right answers", "free", "nan", "text", "no pairs"],
)
def test_what_is_no_cost(costs, sentence):
    with pytest.raises(ValueError, match=sentence):
        DecisionTreeClassifier(costs=costs).fit([[0.0], [1.0]], ["ill", "well"])


def test_a_single_class_costs_nothing():
    assert read_costs([[0.0]], np.array(["a"])) is None
    assert DecisionTreeClassifier(costs={("a", "b"): 3}).fit([[0.0]], ["a"]).predict([[1.0]]) == "a"
