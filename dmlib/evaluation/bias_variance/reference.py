"""The same training sets, fitted by scikit-learn at the chosen complexity, and the code that does so."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from dmlib.comparison import Answers, Incomparable
from dmlib.evaluation.bias_variance.algorithm import SQUARED
from dmlib.evaluation.bias_variance.families import BASIS
from dmlib.evaluation.bias_variance.truths import truth_of
from dmlib.pictures.run import Run


def bias_variance_reference(run: Run) -> Any:
    """Return the mean curve of scikit-learn's models on the same training sets, with bias and variance."""
    return bias_variance_answers(run.fitted, *run.problem.training.arguments)


def bias_variance_answers(model: Any, X: Any, y: Any) -> Answers:
    """Return the mean curve, bias and variance of scikit-learn's models on the training sets of a fitted simulation."""
    from sklearn.linear_model import LinearRegression, Ridge
    from sklearn.neighbors import KNeighborsRegressor
    from sklearn.tree import DecisionTreeRegressor

    if model.loss != SQUARED:
        raise Incomparable(
            "No library decomposes the 0/1 loss as Domingos does; the parts are checked by hand."
        )
    x, y = np.asarray(X, float)[:, model.column - 1], np.asarray(y, float)
    truth, rng = truth_of(model.truth, x, y), check_random_state(model.random_state)
    degree = model.degree if model.model == "polynomial" else BASIS
    places, curves = truth.scaled(model.places_), []
    for _ in range(model.n_sets):
        own, heights = model.training_set(truth, rng)
        A, B = (
            np.polynomial.legendre.legvander(at, degree)[:, 1:]
            for at in (truth.scaled(own), places)
        )
        if model.model == "knn":
            A, B, fitted = (
                truth.scaled(own)[:, None],
                places[:, None],
                KNeighborsRegressor(model.n_neighbors),
            )
        elif model.model == "tree":
            A, B = truth.scaled(own)[:, None], places[:, None]
            fitted = (
                DecisionTreeRegressor(max_depth=model.max_depth, random_state=0)
                if model.max_depth
                else None
            )
        else:
            fitted = (
                LinearRegression()
                if model.model == "polynomial"
                else Ridge(10.0**model.log_penalty)
            )
        flat = fitted is None or not A.shape[1]
        curves.append(
            np.full(len(places), heights.mean()) if flat else fitted.fit(A, heights).predict(B)
        )
    found = np.array(curves)
    bias = float(((found.mean(axis=0) - model.truth_) ** 2).mean())
    values = {
        "mean_curve_": found.mean(axis=0),
        "bias_": bias,
        "variance_": float(found.var(axis=0).mean()),
    }
    return Answers("scikit-learn's model fitted to each of the same training sets", values)


def bias_variance_code(run: Run) -> str:
    """Return code that fits scikit-learn's models as ``reference``, after ``model``."""
    return """
# The same training sets with scikit-learn's models
from dmlib.evaluation.bias_variance.reference import bias_variance_answers

reference = bias_variance_answers(model, X, y)
"""
