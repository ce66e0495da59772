"""The gradient by SciPy's differences, and the errors by scikit-learn's metrics."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.comparison import Answers, Incomparable
from dmlib.neural.rnn.network import RecurrentNetwork
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem.sequences import SequencesProblem

MAX_WEIGHTS = 1000  # each of which costs a walk through all sequences


def numerical_gradient(model: Any) -> Any:
    """Return the derivatives of the training loss by all weights, by central differences."""
    from scipy.optimize import approx_fprime

    shapes = {name: weight.shape for name, weight in model.weights_.items()}
    ends = np.cumsum([np.prod(shape) for shape in shapes.values()])[:-1]

    def loss(flat: Any) -> Any:
        parts = zip(shapes.items(), np.split(flat, ends), strict=True)
        return model.loss({name: part.reshape(shape) for (name, shape), part in parts}, model.task_)

    flat = np.concatenate([weight.ravel() for weight in model.weights_.values()])
    forward, backward = approx_fprime(flat, loss, 1e-5), approx_fprime(flat, loss, -1e-5)
    return (forward + backward) / 2


def predictions(model: Any, X: Any, Y: Any, mask: Any) -> Any:
    """Return the outputs of the steps with a target, and the targets."""
    return model.answers(model.weights_, X)[0][mask > 0], Y[mask > 0]


def check_numbers(model: Any) -> Answers:
    """Return the numerical gradient, and the errors of numbers by scikit-learn."""
    from sklearn.metrics import mean_squared_error, root_mean_squared_error

    from dmlib.comparison import Answers

    task = model.task_
    outputs, targets = predictions(model, task.X, task.Y, task.mask)
    if task.is_series:
        test_outputs, test_targets = model.forecast_, task.held_out[0]
        naive = task.shift + task.unit * task.Y[0, -1, 0]
    else:
        test_outputs, test_targets = predictions(model, *task.held_out)
        naive = targets.mean()
    values = {
        "gradient_": numerical_gradient(model),
        "loss_": mean_squared_error(targets, outputs) / 2,
        "test_error_": root_mean_squared_error(test_targets, test_outputs),
        "naive_error_": root_mean_squared_error(test_targets, np.full(test_targets.shape, naive)),
    }
    note = "No library here has these networks: the gradient is compared with differences."
    return Answers("scipy.optimize.approx_fprime and sklearn.metrics", values, note)


def check_symbols(model: Any) -> Answers:
    """Return the numerical gradient, and the loss and perplexities of symbols by scikit-learn."""
    from scipy.special import softmax
    from sklearn.metrics import log_loss

    from dmlib.comparison import Answers

    task = model.task_
    sums, targets = predictions(model, task.X, task.Y, task.mask)
    test_sums, test_targets = predictions(model, *task.held_out)
    y, y_test, labels = targets.argmax(axis=1), test_targets.argmax(axis=1), range(targets.shape[1])
    shares = np.maximum(targets.mean(axis=0), 0.5 / len(targets))
    naive = np.tile(shares / shares.sum(), (len(y_test), 1))
    values = {
        "gradient_": numerical_gradient(model),
        "loss_": log_loss(y, softmax(sums, axis=1), labels=labels),
        "test_error_": np.exp(log_loss(y_test, softmax(test_sums, axis=1), labels=labels)),
        "naive_error_": np.exp(log_loss(y_test, naive, labels=labels)),
    }
    note = "No library here has these networks: the gradient is compared with differences."
    return Answers("scipy.optimize.approx_fprime and sklearn.metrics", values, note)


def rnn_reference(run: Run[SequencesProblem, RecurrentNetwork]) -> Reference:
    """Return SciPy's numerical gradient at the last weights, and scikit-learn's errors.

    Raises
    ------
    Incomparable
        If there are too many weights.

    Examples
    --------
    >>> from dmlib.neural import NARX
    >>> from dmlib.problem import prepare_series
    >>> problem = prepare_series([[0.0, 1.0, 0.0, -1.0] * 8], ["wave"])
    >>> run = Run.of(problem, NARX(2, delays=2, horizon=4, max_iter=2, random_state=0))
    >>> reference = rnn_reference(run).answer(run)
    >>> bool(np.allclose(reference.gradient_, run.fitted.gradient_, atol=1e-6))
    True
    """
    n_weights = len(run.fitted.gradient_)
    if n_weights > MAX_WEIGHTS:
        raise Incomparable(f"a numerical gradient of {n_weights} weights takes too long.")
    check = check_symbols if run.fitted.task_.loss == "log_loss" else check_numbers
    return Reference(check, "model", helpers=(numerical_gradient, predictions))
