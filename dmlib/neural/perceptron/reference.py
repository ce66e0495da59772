"""The same unit by scikit-learn's stochastic gradient descent."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.comparison import Incomparable
from dmlib.neural.perceptron.algorithm import Adaline
from dmlib.neural.perceptron.neuron import LinearUnit
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem

MAX_ROWS = 200_000  # of all epochs, one after the other


def fit_sgd(
    X: Floats,
    y: Any,
    n_epochs: int,
    weights: Floats,
    has_random_weights: bool,
    shuffle: bool,
    random_state: int,
    **params: Any,
) -> Any:
    """Fit scikit-learn's SGDClassifier to the rows of all epochs, one after the other."""
    from sklearn.linear_model import SGDClassifier

    X, y = np.asarray(X, float), np.asarray(y)
    rng = np.random.RandomState(random_state)
    if has_random_weights:
        rng.normal(size=len(weights))  # ours were drawn before the order of the rows
    rows = np.arange(len(X))
    epochs = [rng.permutation(len(X)) if shuffle else rows for _ in range(n_epochs)]
    order = np.concatenate(epochs)
    intercept, coef = np.zeros(1), weights
    if params["fit_intercept"]:
        intercept, coef = weights[:1], weights[1:]
    params |= {"learning_rate": "constant", "penalty": None, "shuffle": False}
    reference = SGDClassifier(max_iter=1, tol=None, **params)
    return reference.fit(X[order], y[order], coef[None], intercept)


def perceptron_reference(run: Run[Problem, LinearUnit]) -> Reference:
    """Return the same run by scikit-learn, of the same rows in the same order.

    Raises
    ------
    Incomparable
        If it has no such unit, or the run is too long.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.neural import Perceptron
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"x": [0.0, 1.0], "c": ["no", "yes"]})
    >>> run = Run.of(prepare(frame, ["x"], target="c", labelled=True), Perceptron())
    >>> perceptron_reference(run).answer(run).coef_.tolist()
    [[2.0]]
    """
    model = run.model
    keep = model.keep
    if keep == "best":
        raise Incomparable("scikit-learn has no pocket.")
    if isinstance(model, Adaline) and not run.fitted.converged_:
        raise Incomparable("the weights diverged.")
    if run.fitted.n_iter_ * len(run.problem.training.X) > MAX_ROWS:
        raise Incomparable("so many epochs take too long to be repeated.")
    return Reference(
        fit_sgd,
        "X",
        "y",
        "model.n_iter_",
        weights=run.trace.steps[0].weights,
        has_random_weights=isinstance(model.init, str) and model.init == "random",
        shuffle=model.shuffle,
        random_state=run.seed,
        loss="squared_error" if isinstance(model, Adaline) else "perceptron",
        average=keep == "average",
        eta0=model.learning_rate,
        fit_intercept=model.fit_intercept,
    )
