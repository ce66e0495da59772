"""The same unit by scikit-learn's stochastic gradient descent, and the code that trains it."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from dmlib.comparison import Incomparable
from dmlib.neural.perceptron.algorithm import Adaline
from dmlib.pictures.run import Run

MOST_ROWS = 200_000  # of all epochs, one after the other


def perceptron_reference(run: Run) -> Any:
    """Return scikit-learn's SGDClassifier, given the same rows in the same order.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.neural import Perceptron
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"x": [0.0, 1.0], "c": ["no", "yes"]}), ["x"], target="c", labelled=True)
    >>> perceptron_reference(Run.of(problem, Perceptron())).coef_.tolist()
    [[2.0]]
    """
    model, (X, y) = run.model, run.problem.training.arguments
    from sklearn.linear_model import SGDClassifier

    if getattr(model, "keep", "") == "best":
        raise Incomparable("scikit-learn has no pocket.")
    if isinstance(model, Adaline) and not run.fitted.converged_:
        raise Incomparable("the weights diverged.")
    if run.fitted.n_iter_ * len(X) > MOST_ROWS:
        raise Incomparable("so many epochs take too long to be repeated.")
    X, y = np.asarray(X, float), np.asarray(y)
    rng = check_random_state(model.random_state)
    start = run.trace.steps[0].weights
    if model.init == "random":
        rng.normal(size=len(start))  # the start has drawn as many
    constant = int(model.fit_intercept)
    epochs = [
        rng.permutation(len(X)) if model.shuffle else np.arange(len(X))
        for _ in range(run.fitted.n_iter_)
    ]
    order = np.concatenate(epochs)
    reference = SGDClassifier(**_arguments(model), max_iter=1, tol=None)
    return reference.fit(
        X[order], y[order], start[None, constant:], start[:1] if constant else np.zeros(1)
    )


def _arguments(model: Any) -> dict[str, Any]:
    more = {"average": True} if getattr(model, "keep", "") == "average" else {}
    return {
        "loss": "squared_error" if isinstance(model, Adaline) else "perceptron",
        "penalty": None,
        "learning_rate": "constant",
        "eta0": model.learning_rate,
        "shuffle": False,
        "fit_intercept": model.fit_intercept,
        **more,
    }


def perceptron_code(run: Run) -> str:
    """Return code that fits scikit-learn's SGDClassifier as ``reference`` to ``X, y``."""
    model = run.model
    arguments = ", ".join(f"{name}={value!r}" for name, value in _arguments(model).items())
    draw = (
        "rng.normal(0, 0.5, X.shape[1] + constant)"
        if model.init == "random"
        else "np.zeros(X.shape[1] + constant)"
    )
    order = "rng.permutation(len(X))" if model.shuffle else "np.arange(len(X))"
    pocket = (
        "; it has no pocket, and gives the last weights"
        if getattr(model, "keep", "") == "best"
        else ""
    )
    return f"""
# The weights as JSON, the intercept (if there is one) first, from which a run can start:
# init=json.loads(weights)
import json

weights = json.dumps([{"*model.intercept_, " * model.fit_intercept}*model.coef_[0]])

# The same with scikit-learn, given the rows of all epochs one after the other{pocket}
import numpy as np
from sklearn.linear_model import SGDClassifier

X, y = np.asarray(X, float), np.asarray(y)
rng, constant = np.random.RandomState({run.seed}), {int(model.fit_intercept)}
start = {draw}
order = np.concatenate([{order} for epoch in range(model.n_iter_)])
reference = SGDClassifier({arguments}, max_iter=1, tol=None)
reference.fit(X[order], y[order], start[None, constant:], start[:1] if constant else np.zeros(1))
"""
