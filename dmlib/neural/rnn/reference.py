"""The gradient by SciPy's differences and the errors by scikit-learn's metrics, and the code that asks for them."""

from __future__ import annotations

from inspect import getsource
from typing import Any

import numpy as np

from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.run import Run

STEP = 1e-5  # of the differences
MOST_WEIGHTS = 1000  # each of which costs a walk through all sequences


def scipy_gradient(model: Any) -> Any:
    """Return the derivatives of the training loss by all weights of a fitted network, by differences."""
    from scipy.optimize import approx_fprime

    shapes = {name: weight.shape for name, weight in model.weights_.items()}
    ends = np.cumsum([np.prod(shape) for shape in shapes.values()])[:-1]

    def loss(flat: Any) -> Any:
        parts = zip(shapes.items(), np.split(flat, ends), strict=True)
        return model.loss({name: part.reshape(shape) for (name, shape), part in parts}, model.task_)

    flat = np.concatenate([weight.ravel() for weight in model.weights_.values()])
    return (
        approx_fprime(flat, loss, STEP) + approx_fprime(flat, loss, -STEP)
    ) / 2  # central differences


def sklearn_errors(model: Any) -> Any:
    """Return the losses and errors of a fitted network, and those of the naive answer."""
    from scipy.special import softmax
    from sklearn.metrics import log_loss, mean_squared_error

    def pairs(X: Any, Y: Any, mask: Any) -> Any:
        return model.answers(model.weights_, X)[0][mask > 0], Y[mask > 0]

    task = model.task_
    said, due = pairs(task.X, task.Y, task.mask)
    answers, truth = (model.forecast_, task.held[0]) if task.forecast else pairs(*task.held)
    if task.loss == "log_loss":
        k, shares = due.shape[1], np.maximum(due.mean(axis=0), 0.5 / len(due))
        probabilities = (
            softmax(said, axis=1),
            softmax(answers, axis=1),
            [shares / shares.sum()] * len(truth),
        )
        due, truth = due.argmax(axis=1), truth.argmax(axis=1)
        told = zip((due, truth, truth), probabilities, strict=True)
        losses = [log_loss(y, p, labels=range(k)) for y, p in told]
        return {
            "loss_": losses[0],
            "test_error_": np.exp(losses[1]),
            "naive_error_": np.exp(losses[2]),
        }
    naive = task.shift + task.unit * task.Y[0, -1, 0] if task.forecast else due.mean()
    return {
        "loss_": mean_squared_error(due, said) / 2,
        "test_error_": mean_squared_error(truth, answers) ** 0.5,
        "naive_error_": mean_squared_error(truth, np.full(truth.shape, naive)) ** 0.5,
    }


def rnn_reference(run: Run) -> Answers:
    """Return SciPy's numerical gradient at the last weights, and scikit-learn's errors.

    Examples
    --------
    >>> from dmlib.neural import NARX
    >>> from dmlib.problem import prepare_series
    >>> problem = prepare_series([[0.0, 1.0, 0.0, -1.0] * 8], ["wave"])
    >>> run = Run.of(problem, NARX(2, delays=2, horizon=4, max_iter=2, random_state=0))
    >>> bool(np.allclose(rnn_reference(run).gradient_, run.fitted.gradient_, atol=1e-6))
    True
    """
    model = run.fitted
    if len(model.gradient_) > MOST_WEIGHTS:
        raise Incomparable(
            f"a numerical gradient of {len(model.gradient_)} weights takes too long."
        )
    note = (
        "No library here has these networks: the gradient is compared with differences of the loss."
    )
    found = {"gradient_": scipy_gradient(model), **sklearn_errors(model)}
    return Answers("scipy.optimize.approx_fprime and sklearn.metrics", found, note)


def _plain(source: str) -> str:
    return source.replace(": Any", "").replace(" -> Any", "")


def rnn_code(run: Run) -> str:
    """Return code that computes scikit-learn's errors of ``model`` as ``reference``."""
    return f"""
# The weights as JSON, from which a run can start: init=json.loads(weights)
import json

import numpy as np

weights = json.dumps(model.weights_, default=np.ndarray.tolist)

# Its errors by scikit-learn
from dmlib.comparison import Answers

{_plain(getsource(sklearn_errors))}
reference = Answers("sklearn.metrics", sklearn_errors(model))
"""
