"""The same network by scikit-learn, and the code that trains it."""

from __future__ import annotations

import warnings
from typing import Any

from sklearn.exceptions import ConvergenceWarning

from dmlib.comparison import Incomparable
from dmlib.neural.mlp.regressor import MLPRegressor
from dmlib.neural.weights_reference import weights_code
from dmlib.pictures.run import Run

MOST_WORK = 3_000_000  # rows of all epochs
ACTIVATIONS = {"sigmoid": "logistic", "tanh": "tanh", "relu": "relu", "identity": "identity"}


def _obstacle(run: Run) -> str:
    """Return why scikit-learn cannot repeat a run, or nothing."""
    model = run.model
    fitted = run.fitted
    reasons = {
        "scikit-learn has no softplus units": model.activation not in ACTIVATIONS,
        f"scikit-learn's classifier has no {getattr(model, 'loss', '')} loss": (
            getattr(model, "loss", "log_loss") != "log_loss"
        ),
        f"scikit-learn's networks do not learn with {model.solver}": (
            model.solver not in ("sgd", "adam")
        ),
        "scikit-learn's networks have no dropout": model.dropout > 0,
        "scikit-learn lets the learning rate decay in another way": model.decay > 0,
        "scikit-learn stops by the accuracy of validation rows, not by their loss": (
            model.early_stopping
        ),
        f"scikit-learn draws other initial weights than {model.init}": (
            not isinstance(model.init, str) or model.init != "glorot"
        ),
        "the weights grew without bound": not fitted.converged_,
        "so many epochs take too long to be repeated": (
            fitted.n_iter_ * len(run.problem.training.X) > MOST_WORK
        ),
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def mlp_reference(run: Run) -> Any:
    """Return scikit-learn's network, fitted with the same seed.

    Raises
    ------
    Incomparable
        If it has no such network.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from dmlib.neural import MLPClassifier
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"x": [0.0, 1.0], "c": ["no", "yes"]})
    >>> problem = prepare(frame, ["x"], target="c", labelled=True)
    >>> run = Run.of(problem, MLPClassifier((2,), max_iter=2, random_state=0))
    >>> bool(np.allclose(mlp_reference(run).coefs_[0], run.fitted.coefs_[0]))
    True
    """
    if reason := _obstacle(run):
        raise Incomparable(f"{reason}.")
    from sklearn.neural_network import MLPClassifier
    from sklearn.neural_network import MLPRegressor as Regressor

    model, (X, y) = run.model, run.problem.training.arguments
    arguments = _arguments(run)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # that all epochs were made
        if not isinstance(model, MLPRegressor):
            return MLPClassifier(**arguments).fit(X, y)
        targets = model.targets(y)
        reference = Regressor(**arguments).fit(X, targets.Y[:, 0])
    reference.coefs_[-1] *= targets.unit
    reference.intercepts_[-1] = reference.intercepts_[-1] * targets.unit + targets.shift
    return reference


def _arguments(run: Run) -> dict[str, Any]:
    model = run.model
    more = (
        {"momentum": model.momentum, "nesterovs_momentum": False} if model.solver == "sgd" else {}
    )
    return {
        "hidden_layer_sizes": model.layer_sizes,
        "activation": ACTIVATIONS.get(model.activation, model.activation),
        "solver": model.solver,
        "alpha": model.alpha,
        "batch_size": min(model.batch_size, len(run.problem.training.X)),
        "learning_rate_init": model.learning_rate,
        "max_iter": model.max_iter,
        "n_iter_no_change": model.max_iter,
        "tol": 0.0,
        "shuffle": model.shuffle,
        "random_state": run.seed,
        **more,
    }


def mlp_code(run: Run) -> str:
    """Return code that fits scikit-learn's network as ``reference`` to ``X, y``, after its weights as JSON."""
    arguments = ",\n    ".join(f"{name}={value!r}" for name, value in _arguments(run).items())
    regression = isinstance(run.model, MLPRegressor)
    name = "MLPRegressor" if regression else "MLPClassifier"
    target = "targets.Y[:, 0]" if regression else "y"
    scale = "targets = model.targets(y)\n" if regression else ""
    back = (
        "reference.coefs_[-1] *= targets.unit  # in the units of y again\n"
        "reference.intercepts_[-1] = reference.intercepts_[-1] * targets.unit + targets.shift\n"
        * regression
    )
    obstacle = _obstacle(run)
    note = f": not the same, since {obstacle}" if obstacle else ""
    return f"""{weights_code("coefs", "intercepts")}
# A network of scikit-learn{note}
import warnings

warnings.filterwarnings("ignore", "Stochastic Optimizer")  # that all epochs were made
from sklearn.neural_network import {name}

{scale}reference = {name}(
    {arguments},
)
reference.fit(X, {target})
{back}"""
