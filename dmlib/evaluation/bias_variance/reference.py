"""The simulation of bias and variance with scikit-learn's models."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.comparison import Answers, Incomparable
from dmlib.evaluation.bias_variance.algorithm import SQUARED, BiasVariance
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem


def fit_training_sets(model: Any, X: Any, y: Any) -> Answers:
    """Fit scikit-learn's model of the chosen complexity to the same training sets."""
    from sklearn.dummy import DummyRegressor
    from sklearn.linear_model import LinearRegression, Ridge
    from sklearn.neighbors import KNeighborsRegressor
    from sklearn.tree import DecisionTreeRegressor
    from sklearn.utils import check_random_state

    from dmlib.comparison import Answers
    from dmlib.evaluation.bias_variance.families import BASIS
    from dmlib.evaluation.bias_variance.truths import truth_of

    regression = {
        "polynomial": LinearRegression() if model.degree else DummyRegressor(),
        "ridge": Ridge(10.0**model.log_penalty),
        "knn": KNeighborsRegressor(model.n_neighbors),
        "tree": DecisionTreeRegressor(max_depth=model.max_depth or 1, random_state=0),
    }[model.model]
    if model.model == "tree" and not model.max_depth:
        regression = DummyRegressor()
    degree = {"polynomial": model.degree, "ridge": BASIS}.get(model.model, 1)
    truth = truth_of(model.truth, np.asarray(X, float)[:, model.column - 1], np.asarray(y, float))
    rng = check_random_state(model.random_state)

    def terms(x: Any) -> Any:
        return np.polynomial.legendre.legvander(truth.scaled(x), degree)[:, 1:]

    curves = []
    for _ in range(model.n_sets):
        x, heights = model.training_set(truth, rng)
        curves.append(regression.fit(terms(x), heights).predict(terms(model.places_)))
    mean = np.mean(curves, axis=0)
    values = {
        "mean_curve_": mean,
        "bias_": np.mean((mean - model.truth_) ** 2),
        "variance_": np.var(curves, axis=0).mean(),
    }
    return Answers("scikit-learn's model fitted to each of the same training sets", values)


def bias_variance_reference(run: Run[Problem, BiasVariance]) -> Reference:
    """Return the same simulation with scikit-learn's models.

    Raises
    ------
    Incomparable
        If the loss is 0/1.
    """
    if run.model.loss != SQUARED:
        raise Incomparable(
            "No library decomposes the 0/1 loss as Domingos does; the parts are checked by hand."
        )
    return Reference(fit_training_sets, "model", "X", "y")
