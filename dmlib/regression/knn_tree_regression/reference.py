"""The same regressions by scikit-learn, and the code that fits them."""

from __future__ import annotations

from typing import Any

from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.run import Run
from dmlib.regression.knn_tree_regression.model_tree import ModelTree
from dmlib.regression.knn_tree_regression.neighbors import KNeighborsRegressor


def knn_tree_reference(run: Run) -> Any:
    """Return scikit-learn's answers on the training rows.

    Raises
    ------
    Incomparable
        If it has no such method, or if ties may be broken otherwise.
    """
    import numpy as np

    model, learned = run.model, run.problem.training
    X, y = np.asarray(learned.X, float), np.asarray(learned.y, float)
    if isinstance(model, ModelTree):
        return Answers(
            "sklearn.linear_model.LinearRegression in each node of our tree",
            {"fitted_": _lines(run, X, y)},
        )
    if isinstance(model, KNeighborsRegressor):
        from sklearn.neighbors import KNeighborsRegressor as Neighbors

        theirs = Neighbors(model.n_neighbors, weights=model.weights).fit(X, y)
        if model.n_neighbors < len(X):
            distances = theirs.kneighbors(X, model.n_neighbors + 1)[0]
            if np.isclose(distances[:, -1], distances[:, -2], rtol=1e-9).any():
                raise Incomparable("of equally near rows scikit-learn may take others.")
        return Answers("sklearn.neighbors.KNeighborsRegressor", {"fitted_": theirs.predict(X)})
    from sklearn.tree import DecisionTreeRegressor

    found = [
        DecisionTreeRegressor(**model.get_params(), random_state=seed).fit(X, y).predict(X)
        for seed in range(2)
    ]
    if not np.allclose(*found):
        raise Incomparable(
            "several splits are equally good, and scikit-learn takes one of them at random."
        )
    if not np.allclose(found[0], run.fitted.fitted_) and np.isclose(
        np.abs(found[0] - y).sum(), np.abs(run.fitted.fitted_ - y).sum()
    ):
        raise Incomparable("several splits are equally good, and scikit-learn takes another one.")
    return Answers("sklearn.tree.DecisionTreeRegressor", {"fitted_": found[0]})


def _lines(run: Run, X: Any, y: Any) -> Any:
    """Return what scikit-learn's lines in the nodes of a model tree predict, mixed on the way up from the leaf."""
    import numpy as np
    from sklearn.base import clone
    from sklearn.linear_model import LinearRegression

    model, grown = run.model, run.fitted.grown
    plain = clone(model).set_params(smoothing=0.0).fit(X, y).grown.models
    predicted = y.copy()
    for leaf in grown.leaves():
        rows = grown.nodes[leaf].rows
        at, mixed, n = leaf, None, 0
        while at >= 0:
            node, columns = grown.nodes[at], np.flatnonzero(plain[at][1:])
            own = (
                LinearRegression().fit(X[node.rows][:, columns], y[node.rows])
                if len(columns)
                else None
            )
            here = own.predict(X[rows][:, columns]) if own is not None else y[node.rows].mean()
            mixed = (
                here
                if mixed is None
                else (n * mixed + model.smoothing * here) / (n + model.smoothing)
            )
            at, n = node.parent, len(node.rows)
        predicted[rows] = mixed
    return predicted


def knn_tree_code(run: Run) -> str:
    """Return code that fits scikit-learn's equivalent as ``reference`` to ``X`` and ``y``."""
    model = run.model
    if isinstance(model, KNeighborsRegressor):
        made = f"neighbors.KNeighborsRegressor({model.n_neighbors}, weights={model.weights!r})"
    elif isinstance(model, ModelTree):
        made = (
            f"tree.DecisionTreeRegressor(min_samples_leaf={model.min_samples_leaf}, random_state=0)"
        )
    else:
        params = ", ".join(f"{name}={value!r}" for name, value in model.get_params().items())
        made = f"tree.DecisionTreeRegressor({params}, random_state=0)"
    nearest = (
        "\n# scikit-learn has no model trees: this is a tree with a mean in each leaf."
        * isinstance(model, ModelTree)
    )
    return f"""
# The same with scikit-learn{nearest}
from sklearn import neighbors, tree

reference = {made}
reference.fit(X, y)
reference.fitted_ = reference.predict(X)
"""
