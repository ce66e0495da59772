"""The parameters of models, counted by hand."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from dmlib.classification import (
    SVC,
    BayesianNetworkClassifier,
    DecisionTreeClassifier,
    DiagonalDiscriminantAnalysis,
    GradientBoostingClassifier,
    LogisticRegression,
    NaiveBayes,
    OneVsOneClassifier,
    QuadraticDiscriminantAnalysis,
    RandomForestClassifier,
)
from dmlib.clustering import DBSCAN, AgglomerativeClustering, GaussianMixture, KMeans
from dmlib.evaluation.model_size import model_size
from dmlib.neural import MLPClassifier
from dmlib.regression import Lasso, ModelTree

X, Y = make_blobs(60, centers=3, random_state=0)
TWO = np.minimum(Y, 1)


@pytest.mark.parametrize(
    ("model", "y", "n_parameters", "unit"),
    [
        (LogisticRegression(), TWO, 2 + 1, "coefficients"),
        (QuadraticDiscriminantAnalysis(), Y, 2 + 3 * 2 + 3 * 3, "means, covariances, shares"),
        (DiagonalDiscriminantAnalysis(), Y, 2 + 3 * 2 + 3 * 2, "means, covariances, shares"),
        (NaiveBayes(), Y, 3 + 3 * 2 + 3 * 2, "probabilities, means, variances"),
        (BayesianNetworkClassifier(), Y, 3 + 3 * 3 + 3 * 3 * 3, "probabilities"),
        (MLPClassifier((4,), max_iter=1), TWO, 2 * 4 + 4 + 4 + 1, "weights"),
        (OneVsOneClassifier(), Y, 3 * (2 + 1), "coefficients"),
        (KMeans(4, random_state=0), None, 4 * 2, "coordinates of centres"),
        (AgglomerativeClustering(), None, 60, "rows stored"),
        (GaussianMixture(3, random_state=0), None, 2 + 3 * 2 + 3 * 3, "means, covariances, shares"),
    ],
    ids=lambda value: type(value).__name__ if hasattr(value, "fit") else "",
)
def test_counts_by_hand(model, y, n_parameters, unit):
    fitted = model.fit(X) if y is None else model.fit(X, y)
    assert model_size(fitted, len(X)) == (n_parameters, unit)


@pytest.mark.parametrize(
    ("kind", "n_covariances"), [("full", 9), ("tied", 3), ("diag", 6), ("spherical", 3)]
)
def test_a_mixture_has_as_many_covariances_as_its_kind(kind, n_covariances):
    mixture = GaussianMixture(3, covariance_type=kind, random_state=0).fit(X)
    assert model_size(mixture, 60).n_parameters == 2 + 6 + n_covariances


def test_ensembles_have_the_nodes_of_their_trees():
    forest = RandomForestClassifier(5, random_state=0).fit(X, Y)
    n_nodes = sum(tree.tree_.node_count for tree in forest.estimators_)
    assert model_size(forest, 60) == (n_nodes, "tree nodes")
    boosting = GradientBoostingClassifier(n_estimators=2).fit(X, Y)
    n_nodes = sum(tree.tree.node_count for tree in boosting.estimators_.ravel())
    assert model_size(boosting, 60) == (n_nodes, "tree nodes")


def test_what_is_stored_counts():
    svc = SVC().fit(X, Y)
    assert model_size(svc, 60) == (len(svc.support_), "support vectors")
    dbscan = DBSCAN(eps=0.8).fit(X)
    assert model_size(dbscan, 60) == (len(dbscan.components_), "core rows stored")
    tree = DecisionTreeClassifier(max_depth=1).fit(X, Y)
    assert model_size(tree, 60) == (3, "tree nodes")


def test_a_coefficient_of_zero_does_not_count():
    lasso = Lasso(alpha=1e6).fit(X, X[:, 0])
    assert model_size(lasso, 60) == (1, "coefficients")  # the intercept


def test_the_lines_in_the_leaves_of_a_model_tree_count():
    tree = ModelTree().fit(X, 2 * X[:, 0] + 1)
    assert tree.tree_.node_count == 1
    assert model_size(tree, 60) == (1 + 2, "tree nodes, coefficients")
