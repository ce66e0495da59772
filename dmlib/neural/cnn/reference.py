"""The same network with SciPy's correlation: no library that is installed trains convolutions."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.comparison import Answers
from dmlib.neural.weights_reference import weights_code
from dmlib.pictures.run import Run

NOTE = (
    "No library here trains convolutions: SciPy correlates the digits with the learned filters, and"
    " the loss and the accuracy follow from its maps."
)


def correlated(model: Any, X: Any, y: Any) -> dict[str, Any]:
    """Return loss and accuracy of a fitted network, computed image by image by ``scipy.signal.correlate2d``."""
    from scipy.signal import correlate2d
    from sklearn.metrics import accuracy_score, log_loss

    act: dict[str, Any] = {
        "relu": lambda z: np.maximum(z, 0),
        "tanh": np.tanh,
        "sigmoid": lambda z: 1 / (1 + np.exp(-z)),
    }
    size, p = model.kernel_size, model.pool_size
    outputs = []
    for image in np.asarray(X, float):
        maps = [image]
        for kernels, intercepts in zip(model.coefs_[:2], model.intercepts_[:2], strict=True):
            before = (size - 1) // 2
            padded = [np.pad(each, (before, size // 2)) for each in maps]
            sums = [
                sum(
                    correlate2d(each, kernels[:, :, c, f], "valid") for c, each in enumerate(padded)
                )
                + intercepts[f]
                for f in range(kernels.shape[3])
            ]
            maps = [act[model.activation](each) for each in sums]
            maps = [_pooled(each, p) for each in maps]
        z = np.stack(maps, axis=-1).ravel() @ model.coefs_[2] + model.intercepts_[2]
        outputs.append(np.exp(z - z.max()) / np.exp(z - z.max()).sum())
    shares = np.array(outputs)
    order = np.random.RandomState(model.random_state).permutation(len(shares))
    n_held = int(model.validation_fraction * len(shares))
    held, rows = order[:n_held], order[n_held:]
    scored = held if n_held else rows
    return {
        "loss_": log_loss(np.asarray(y)[rows], shares[rows], labels=model.classes_),
        "validation_score_": accuracy_score(
            np.asarray(y)[scored], model.classes_[shares[scored].argmax(axis=1)]
        ),
        "n_parameters_": sum(np.size(part) for part in (*model.coefs_, *model.intercepts_)),
    }


def _pooled(each: Any, p: int) -> Any:
    down, across = (range(0, side, p) for side in each.shape)
    return np.array([[each[i : i + p, j : j + p].max() for j in across] for i in down])


def cnn_reference(run: Run) -> Answers:
    """Return loss and accuracy of the fitted network with SciPy's correlation."""
    found = correlated(run.fitted, *run.problem.arguments)
    return Answers("scipy.signal.correlate2d", found, NOTE)


def cnn_code(run: Run) -> str:
    """Return code that makes ``reference`` from the weights of ``model``, which it writes as JSON."""
    return f"""{weights_code("coefs", "intercepts")}
# The learned filters, applied by SciPy
from types import SimpleNamespace

from dmlib.neural.cnn.reference import correlated

reference = SimpleNamespace(**correlated(model, X, y))
"""
