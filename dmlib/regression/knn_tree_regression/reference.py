"""Neighbours and trees by scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem
from dmlib.regression.knn_tree_regression.chaid_tree import CHAIDRegressor
from dmlib.regression.knn_tree_regression.forest import AveragedRegressor
from dmlib.regression.knn_tree_regression.model_tree import ModelTree
from dmlib.regression.knn_tree_regression.neighbors import KNeighborsRegressor

SHARED = ("n_estimators", "bootstrap", "random_state")


def fit_neighbors(X: Floats, y: Floats, n_neighbors: int, weights: str) -> Any:
    """Fit scikit-learn's k-NN regression."""
    from sklearn.neighbors import KNeighborsRegressor

    reference = KNeighborsRegressor(n_neighbors, weights=weights).fit(X, y)
    reference.fitted_ = reference.predict(X)
    return reference


def fit_tree(X: Floats, y: Floats, **params: Any) -> Any:
    """Fit scikit-learn's regression tree."""
    from sklearn.tree import DecisionTreeRegressor

    reference = DecisionTreeRegressor(**params).fit(X, y)
    reference.fitted_ = reference.predict(X)
    return reference


def fit_lines(model: Any, X: Floats, y: Floats) -> Answers:
    """Fit scikit-learn's lines in the nodes of our model tree, and smooth them towards the root."""
    from sklearn.base import clone
    from sklearn.linear_model import LinearRegression

    from dmlib.comparison import Answers

    lines = clone(model).set_params(smoothing=0.0).fit(X, y).grown.models

    def predictions(node: Any, rows: Any) -> Any:
        columns = np.flatnonzero(lines[node.number][1:])
        if not len(columns):
            return np.full(len(rows), y[node.rows].mean())
        regression = LinearRegression().fit(X[node.rows][:, columns], y[node.rows])
        return regression.predict(X[rows][:, columns])

    fitted = np.empty(len(y))
    k = model.smoothing
    for leaf in model.grown.leaves():
        node = model.grown.nodes[leaf]
        rows = node.rows
        fitted[rows] = predictions(node, rows)
        while node.parent >= 0:
            n = len(node.rows)
            node = model.grown.nodes[node.parent]
            fitted[rows] = (n * fitted[rows] + k * predictions(node, rows)) / (n + k)
    functions = "sklearn.linear_model.LinearRegression in each node of our tree"
    return Answers(functions, {"fitted_": fitted})


def fit_groups(model: Any, y: Floats) -> Answers:
    """Test the groups of our tree of CHAID by SciPy, and average those that it divides."""
    import warnings

    from scipy.stats import f_oneway

    from dmlib.comparison import Answers

    grown, fitted, waiting = model.grown, np.empty(len(y)), [0]
    while waiting:
        node = waiting.pop()
        children, p = grown.children.get(node, ()), np.inf
        if children:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # groups without variance
                p = f_oneway(*(y[grown.nodes[child].rows] for child in children)).pvalue
            p = p * grown.splits[node].merged.n_ways
        if p <= model.alpha_split:
            waiting += children
        else:
            rows = grown.nodes[node].rows
            fitted[rows] = y[rows].mean()
    functions = "scipy.stats.f_oneway at each split of our tree"
    return Answers(functions, {"fitted_": fitted})


def fit_bagging(model: Any, X: Floats, y: Floats, **params: Any) -> Any:
    """Fit scikit-learn's bagging of dmlib's trees, as its own trees draw among equal splits."""
    from sklearn.ensemble import BaggingRegressor

    reference = BaggingRegressor(model.base(), **params).fit(X, y)
    reference.fitted_ = reference.predict(X)
    return reference


def knn_tree_reference(run: Run[Problem, Any]) -> Reference:
    """Return the same regression by scikit-learn, or the tests of CHAID by SciPy.

    Raises
    ------
    Incomparable
        If ties may be broken otherwise.
    """
    if isinstance(run.model, CHAIDRegressor):
        return Reference(fit_groups, "model", "y")
    if run.problem.categories:
        raise Incomparable("scikit-learn's trees take no nominal columns.")
    if isinstance(run.model, ModelTree):
        return Reference(fit_lines, "model", "X", "y")
    if isinstance(run.model, KNeighborsRegressor):
        return _neighbors_reference(run)
    if isinstance(run.model, AveragedRegressor):
        params = {name: getattr(run.model, name) for name in SHARED}
        size = len(run.trace.steps[1].bag)
        return Reference(fit_bagging, "model", "X", "y", max_samples=size, **params)
    return _tree_reference(run)


def _neighbors_reference(run: Run[Problem, Any]) -> Reference:
    model = run.fitted
    if model.n_neighbors < len(model.stored_):
        distances, _ = model.kneighbors(model.stored_, model.n_neighbors + 1)
        if np.isclose(distances[:, -1], distances[:, -2], rtol=1e-9).any():
            raise Incomparable("of equally near rows scikit-learn may take others.")
    return Reference(fit_neighbors, "X", "y", n_neighbors=model.n_neighbors, weights=model.weights)


def _tree_reference(run: Run[Problem, Any]) -> Reference:
    params = run.model.get_params()
    if np.isnan(run.problem.training.X).any():
        raise Incomparable(
            "scikit-learn sends rows without a value down one branch, not down both."
        )
    if params["max_features"] is not None:
        raise Incomparable("scikit-learn draws other columns at its nodes.")
    reference, second = (
        Reference(fit_tree, "X", "y", **params | {"random_state": seed}) for seed in (0, 1)
    )
    y = np.asarray(run.problem.training.y, float)
    ours, theirs = run.fitted.fitted_, reference.answer(run).fitted_
    if not np.allclose(theirs, second.answer(run).fitted_):
        raise Incomparable(
            "several splits are equally good, and scikit-learn takes one of them at random."
        )
    is_as_good = np.isclose(np.abs(theirs - y).sum(), np.abs(ours - y).sum())
    if is_as_good and not np.allclose(theirs, ours):
        raise Incomparable("several splits are equally good, and scikit-learn takes another one.")
    return reference
