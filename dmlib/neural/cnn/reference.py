"""The same network with SciPy's correlation: no library that is installed trains convolutions."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.comparison import Answers
from dmlib.neural.cnn.algorithm import ConvNet
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import DigitsProblem


def max_pool(image: Any, size: int) -> Any:
    """Return the largest pixel of each window; at the edge windows may be smaller."""
    down, across = (range(0, side, size) for side in image.shape)
    return np.array([[image[i : i + size, j : j + size].max() for j in across] for i in down])


def probabilities(image: Any, model: Any) -> Any:
    """Return the probabilities of the classes for an image, by SciPy's correlation."""
    from scipy.signal import correlate2d
    from scipy.special import expit, softmax

    activation = {"relu": lambda z: np.maximum(z, 0), "tanh": np.tanh, "sigmoid": expit}
    border = (model.kernel_size - 1) // 2, model.kernel_size // 2
    maps = [image]
    for kernels, intercepts in zip(model.coefs_[:2], model.intercepts_[:2], strict=True):
        padded = [np.pad(channel, border) for channel in maps]
        maps = []
        for f, intercept in enumerate(intercepts):
            kernel = kernels[:, :, :, f]
            pairs = zip(padded, np.moveaxis(kernel, 2, 0), strict=True)
            sums = sum(correlate2d(channel, k, "valid") for channel, k in pairs) + intercept
            maps.append(max_pool(activation[model.activation](sums), model.pool_size))
    return softmax(np.stack(maps, axis=-1).ravel() @ model.coefs_[2] + model.intercepts_[2])


def correlate_images(X: Any, y: Any, model: Any) -> Answers:
    """Return the loss and the accuracy with the learned filters, image by image."""
    from sklearn.metrics import accuracy_score, log_loss

    from dmlib.comparison import Answers

    X, y = np.asarray(X, float), np.asarray(y)
    shares = np.array([probabilities(image, model) for image in X])
    order = np.random.RandomState(model.random_state).permutation(len(X))
    n_validation = int(model.validation_fraction * len(X))
    rows = order[n_validation:]
    scored = order[:n_validation] if n_validation else rows
    predicted = model.classes_[shares[scored].argmax(axis=1)]
    values = {
        "loss_": log_loss(y[rows], shares[rows], labels=model.classes_),
        "validation_score_": accuracy_score(y[scored], predicted),
        "n_parameters_": sum(np.size(part) for part in (*model.coefs_, *model.intercepts_)),
    }
    note = "No library here trains convolutions: the filters are ours, SciPy correlates the digits."
    return Answers("scipy.signal.correlate2d", values, note)


def cnn_reference(run: Run[DigitsProblem, ConvNet]) -> Reference:
    """Return loss and accuracy of the fitted network with SciPy's correlation."""
    return Reference(correlate_images, "X", "y", "model", helpers=(max_pool, probabilities))
