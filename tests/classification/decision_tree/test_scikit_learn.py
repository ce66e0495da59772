"""Decision trees against scikit-learn's."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_breast_cancer
from sklearn.tree import DecisionTreeClassifier as Reference
from sklearn.tree import export_text

from dmlib.classification import DecisionTreeClassifier
from tests.classification.decision_tree.data import NODE, table

SETTINGS = [
    {},
    {"criterion": "entropy"},
    {"criterion": "log_loss"},
    {"min_samples_leaf": 9},
    {"min_samples_split": 0.2},
    {"min_impurity_decrease": 0.01},
    {"min_weight_fraction_leaf": 0.1},
    {"class_weight": "balanced"},
    {"class_weight": {0: 3.0}},
    {"ccp_alpha": 0.01},
]


@pytest.mark.parametrize("params", SETTINGS, ids=str)
@pytest.mark.parametrize("weighted", [False, True])
def test_the_tree_is_scikit_learn_s(params, weighted):
    X, y = table(
        2000
    )  # so many that no node has two equal splits, among which scikit-learn would draw lots
    weights = np.random.default_rng(1).uniform(0.5, 2, len(y)) if weighted else None
    ours = DecisionTreeClassifier(**{"max_depth": 4, **params}).fit(X, y, weights)
    theirs = Reference(**{"max_depth": 4, **params}, random_state=0).fit(X, y, weights)
    for name in NODE:
        assert_allclose(
            getattr(ours.tree_, name),
            getattr(theirs.tree_, name),
            rtol=1e-9,
            atol=1e-12,
            err_msg=name,
        )
    assert_array_equal(ours.tree_.children_left, theirs.tree_.children_left)
    assert_array_equal(ours.tree_.children_right, theirs.tree_.children_right)
    assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-12)
    assert_array_equal(ours.apply(X), theirs.apply(X))
    assert_array_equal(ours.decision_path(X).toarray(), theirs.decision_path(X).toarray())
    assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-12)
    assert (ours.get_depth(), ours.get_n_leaves()) == (theirs.get_depth(), theirs.get_n_leaves())
    assert ours.export_text() == export_text(theirs)
    assert ours.export_text(decimals=4, show_weights=True) == export_text(
        theirs, decimals=4, show_weights=True
    )


def test_the_best_nodes_are_split_first_as_in_scikit_learn():
    """It numbers these nodes in the order in which they are split."""
    X, y = table(2000)
    ours = DecisionTreeClassifier(max_leaf_nodes=9).fit(X, y)
    theirs = Reference(max_leaf_nodes=9, random_state=0).fit(X, y)
    assert_allclose(np.sort(ours.tree_.threshold), np.sort(theirs.tree_.threshold))
    assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-12)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_the_pruning_path_is_scikit_learn_s(criterion):
    X, y = load_breast_cancer(return_X_y=True)
    X = X.astype(np.float32).astype(float)[:, :4]
    ours = DecisionTreeClassifier(criterion=criterion, max_depth=4).cost_complexity_pruning_path(
        X, y
    )
    theirs = Reference(
        criterion=criterion, max_depth=4, random_state=0
    ).cost_complexity_pruning_path(X, y)
    assert_allclose(ours.ccp_alphas, theirs.ccp_alphas, atol=1e-12)
    assert_allclose(ours.impurities, theirs.impurities, atol=1e-12)
    for alpha in theirs.ccp_alphas[::3]:
        pruned = DecisionTreeClassifier(
            criterion=criterion, max_depth=4, ccp_alpha=alpha + 1e-9
        ).fit(X, y)
        reference = Reference(
            criterion=criterion, max_depth=4, ccp_alpha=alpha + 1e-9, random_state=0
        ).fit(X, y)
        assert pruned.get_n_leaves() == reference.get_n_leaves()


def test_the_whole_tree_fits_rows_that_differ():
    X, y = table()
    assert DecisionTreeClassifier().fit(X, y).score(X, y) == 1


def test_exclusive_or_is_learned_although_no_first_split_gains():
    X = np.array(list(product([0.0, 1.0], repeat=2)))
    y = [0, 1, 1, 0]
    assert DecisionTreeClassifier().fit(X, y).score(X, y) == 1
    assert DecisionTreeClassifier(min_gain=1e-6).fit(X, y).get_depth() == 0


def test_max_features_draws_columns_by_the_seed():
    X, y = table()
    first, same, of_other_seed = (
        DecisionTreeClassifier(max_features=2, random_state=s).fit(X, y).tree_.feature
        for s in (0, 0, 1)
    )
    assert_array_equal(first, same)
    assert not np.array_equal(first[:5], of_other_seed[:5])
    assert DecisionTreeClassifier(max_features="sqrt").fit(X, y).max_features_ == 2
