"""The same unit by scikit-learn's stochastic gradient descent."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.comparison import Incomparable
from dmlib.neural.perceptron.algorithm import Adaline
from dmlib.neural.perceptron.kernel import KernelPerceptron
from dmlib.neural.perceptron.neuron import LinearUnit
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem

MAX_KERNEL_ROWS = 400  # whose kernel matrix is decomposed
MAX_ROWS = 200_000  # of all epochs, one after the other


def row_order(n: int, n_epochs: int, shuffle: bool, rng: np.random.RandomState) -> Any:
    """Return the rows of all epochs, one after the other."""
    return np.concatenate([rng.permutation(n) if shuffle else range(n) for _ in range(n_epochs)])


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
    order = row_order(len(X), n_epochs, shuffle, rng)
    intercept, coef = np.zeros(1), weights
    if params["fit_intercept"]:
        intercept, coef = weights[:1], weights[1:]
    params |= {"learning_rate": "constant", "penalty": None, "shuffle": False}
    reference = SGDClassifier(max_iter=1, tol=None, **params)
    return reference.fit(X[order], y[order], coef[None], intercept)


def fit_votes(X: Floats, y: Any, model: Any, random_state: int) -> Any:
    """Fit scikit-learn's perceptron row by row: its weights after each row have a vote."""
    from sklearn.linear_model import SGDClassifier

    X, y, weights = np.asarray(X, float), np.asarray(y), []
    params = {"loss": "perceptron", "learning_rate": "constant", "eta0": 1.0, "penalty": None}
    unit = SGDClassifier(fit_intercept=model.fit_intercept, **params)
    rng = np.random.RandomState(random_state)
    for i in row_order(len(X), model.n_iter_, model.shuffle, rng):
        unit.partial_fit(X[[i]], y[[i]], classes=model.classes_)
        weights.append(np.append(unit.coef_, unit.intercept_))
    W = np.array(weights).T
    unit.decision_function = lambda A: np.where(A @ W[:-1] + W[-1] > 0, 1.0, -1.0).mean(axis=1)
    return unit


def fit_features(X: Floats, y: Any, model: Any, random_state: int) -> Any:
    """Fit scikit-learn's perceptron to features whose inner products are those of the kernel."""
    from sklearn.kernel_approximation import Nystroem
    from sklearn.linear_model import SGDClassifier
    from sklearn.pipeline import make_pipeline

    X, y = np.asarray(X, float), np.asarray(y)
    product = model.inner_product(X)
    rng = np.random.RandomState(random_state)
    order = row_order(len(X), model.n_iter_, model.shuffle, rng)
    features = Nystroem(lambda a, b: product(a[None], b[None])[0, 0], n_components=len(X)).fit(X)
    params = {"loss": "perceptron", "learning_rate": "constant", "eta0": 1.0, "penalty": None}
    params |= {"fit_intercept": False, "shuffle": False, "average": model.keep == "average"}
    unit = SGDClassifier(max_iter=1, tol=None, **params)
    unit.fit(features.transform(X)[order], y[order])
    return make_pipeline(features, unit)


def _kernel_reference(run: Run[Problem, Any]) -> Reference:
    n = len(run.problem.training.X)
    if n > MAX_KERNEL_ROWS or run.fitted.n_iter_ * n > MAX_ROWS:
        raise Incomparable("so many rows take too long to be written in the kernel's features.")
    return Reference(fit_features, "X", "y", "model", helpers=(row_order,), random_state=run.seed)


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
    if isinstance(model, KernelPerceptron):
        return _kernel_reference(run)
    if model.keep == "best":
        raise Incomparable("scikit-learn has no pocket.")
    if isinstance(model, Adaline) and not run.fitted.converged_:
        raise Incomparable("the weights diverged.")
    if run.fitted.n_iter_ * len(run.problem.training.X) > MAX_ROWS // (
        10 if model.keep == "vote" else 1
    ):
        raise Incomparable("so many epochs take too long to be repeated.")
    helpers = (row_order,)
    if model.keep == "vote":
        return Reference(fit_votes, "X", "y", "model", helpers=helpers, random_state=run.seed)
    return Reference(
        fit_sgd,
        "X",
        "y",
        "model.n_iter_",
        helpers=helpers,
        weights=run.trace.steps[0].weights,
        has_random_weights=isinstance(model.init, str) and model.init == "random",
        shuffle=model.shuffle,
        random_state=run.seed,
        loss="squared_error" if isinstance(model, Adaline) else "perceptron",
        average=model.keep == "average",
        eta0=model.learning_rate,
        fit_intercept=model.fit_intercept,
    )
