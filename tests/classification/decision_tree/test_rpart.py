"""Decision trees against R's rpart."""

import numpy as np
from numpy.testing import assert_allclose

from dmlib.classification import CART, DecisionTreeClassifier
from tests.classification.decision_tree.data import GOLDEN, iris, steps


def test_cart_is_rpart():
    X, y = iris()
    expected = GOLDEN["rpart_iris"]
    model = CART(min_samples_split=20, min_samples_leaf=7)
    path = model.cost_complexity_pruning_path(X, y)
    sequence = expected["exact_weakest_link_sequence"]
    used = np.unique(path.ccp_alphas.round(12))
    assert_allclose(used * 150, sequence["alpha_total_error_units"], atol=1e-9)
    model.set_params(ccp_alpha=0.01 * 100 / 150).fit(X, y)
    assert model.get_n_leaves() == 3
    assert_allclose(model.tree_.threshold[[0, 2]], [2.45, 1.75])
    assert_allclose(model.tree_.counts, expected["class_counts_by_node"])
    names = list(X.columns)
    surrogates = expected["root"]["surrogates"]
    for got, competitor in zip(model.tree_.surrogates[0], surrogates, strict=True):
        assert names[got.split.column] == competitor["variable"]
        assert_allclose(
            [*got.split.thresholds, got.agreement, got.adjusted],
            [
                competitor["cut"],
                competitor["improve_or_agreement"],
                competitor["adjusted_agreement"],
            ],
            rtol=1e-8,
        )
        assert got.swapped == competitor["direction"].startswith("x >= ")
    root = steps(model, X, y)[0]
    best = {candidate.split.column: candidate for candidate in reversed([*root.candidates])}
    for competitor in expected["root"]["competitors"]:
        candidate = best[names.index(competitor["variable"])]
        assert_allclose(150 * candidate.score, competitor["improve_or_agreement"], rtol=1e-8)
        assert_allclose(candidate.split.thresholds, [competitor["cut"]])


def test_rows_without_a_value_follow_the_surrogate():
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    X = np.column_stack([x, x + 0.01 * rng.normal(size=200), rng.normal(size=200)])
    y = (x > 0).astype(int)
    X[::7, 0] = np.nan
    model = DecisionTreeClassifier(missing="surrogate", max_depth=1).fit(X, y)
    without = DecisionTreeClassifier(missing="surrogate", max_depth=1).fit(X[:, [0, 2]], y)
    assert model.score(X, y) > 0.97 > without.score(X[:, [0, 2]], y)
    all_missing = np.full((1, 3), np.nan)
    larger = model.tree_.n_node_samples[model.tree_.children[0]].argmax()
    assert (
        model.predict_proba(all_missing).argmax()
        == model.tree_.value[model.tree_.children[0, larger], 0].argmax()
    )
