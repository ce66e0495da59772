"""The same deep network by scikit-learn, and the code that trains it."""

from __future__ import annotations

import warnings
from typing import Any

from sklearn.exceptions import ConvergenceWarning

from dmlib.comparison import Incomparable
from dmlib.neural.weights_reference import weights_code
from dmlib.pictures.run import Run

MOST_WORK = 1_000_000  # rows of all epochs


def vanishing_gradients_reference(run: Run) -> Any:
    """Return scikit-learn's MLPClassifier, fitted with the same seed.

    Raises
    ------
    Incomparable
        If it has no such network.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from dmlib.neural import DeepMLPClassifier
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"x": [0.0, 1.0], "c": ["no", "yes"]})
    >>> problem = prepare(frame, ["x"], target="c", labelled=True)
    >>> run = Run.of(problem, DeepMLPClassifier(2, 3, max_iter=2, random_state=0))
    >>> bool(np.allclose(vanishing_gradients_reference(run).coefs_[0], run.fitted.coefs_[0]))
    True
    """
    if reason := _obstacle(run):
        raise Incomparable(f"{reason}.")
    from sklearn.neural_network import MLPClassifier

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # that all epochs were made
        return MLPClassifier(**_arguments(run)).fit(*run.problem.training.arguments)


def _obstacle(run: Run) -> str:
    model = run.model
    reasons = {
        "scikit-learn has no batch normalisation": model.batch_norm,
        f"scikit-learn draws other initial weights than {model.init}": not isinstance(
            model.init, str
        )
        or model.init != "glorot",
        "the weights grew without bound": not run.fitted.converged_,
        "so many epochs take too long to be repeated": model.max_iter * len(run.problem.training.X)
        > MOST_WORK,
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def _arguments(run: Run) -> dict[str, Any]:
    model = run.model
    return {
        "hidden_layer_sizes": (model.n_units,) * model.n_hidden_layers,
        "activation": {"sigmoid": "logistic"}.get(model.activation, model.activation),
        "solver": "sgd",
        "alpha": 0.0,
        "batch_size": min(model.batch_size, len(run.problem.training.X)),
        "learning_rate_init": model.learning_rate,
        "max_iter": model.max_iter,
        "momentum": model.momentum,
        "nesterovs_momentum": False,
        "n_iter_no_change": model.max_iter,
        "tol": 0.0,
        "random_state": run.seed,
    }


def vanishing_gradients_code(run: Run) -> str:
    """Return code that fits scikit-learn's MLPClassifier as ``reference`` to ``X, y``, after its weights as JSON."""
    arguments = ",\n    ".join(f"{name}={value!r}" for name, value in _arguments(run).items())
    obstacle = _obstacle(run)
    note = f": not the same, since {obstacle}" if obstacle else ""
    return f"""{weights_code("coefs", "intercepts", "scales", "shifts")}
# A deep network of scikit-learn{note}
import warnings

from sklearn.neural_network import MLPClassifier

warnings.filterwarnings("ignore", "Stochastic Optimizer")  # that all epochs were made
reference = MLPClassifier(
    {arguments},
)
reference.fit(X, y)
"""
