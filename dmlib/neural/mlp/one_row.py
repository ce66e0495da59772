"""The forward and the backward pass of one row with all numbers, and the numerical gradient."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.activations import ACTIVATIONS
from dmlib.neural.gradients import numerical_gradient
from dmlib.neural.layers import backward, forward
from dmlib.neural.losses import LOSSES
from dmlib.neural.mlp.network import MLPStep, Network
from dmlib.neural.mlp.targets import Targets


@dataclass(frozen=True)
class RowPass:
    """The forward and the backward pass of one row.

    Attributes
    ----------
    coefs, intercepts : list of ndarray
        The weights before the update; for numbers in the units in which they are learned.
    sums, activations : list of ndarray of shape (n_units,)
        The sums z of each layer; the input, then the activations of each layer.
    target : ndarray of shape (n_outputs,)
        The target of the outputs.
    loss : float
        The loss of the row, without weight decay.
    deltas : list of ndarray of shape (n_units,)
        The derivative of the loss by each sum.
    by_coefs, by_intercepts : list of ndarray
        The derivative of the loss by each weight.
    loss_name : str
        Which of :data:`dmlib.neural.losses.LOSSES` it is.
    """

    coefs: list[Floats]
    intercepts: list[Floats]
    sums: list[Floats]
    activations: list[Floats]
    target: Floats
    loss: float
    deltas: list[Floats]
    by_coefs: list[Floats]
    by_intercepts: list[Floats]
    loss_name: str

    def numerical(self, model: Network, edges: Sequence[tuple[int, int, int]]) -> Floats:
        """Return the derivatives by weights (layer, input, unit), by central differences."""
        hidden, loss = ACTIVATIONS[model.activation], LOSSES[self.loss_name]
        coefs = [W.copy() for W in self.coefs]

        def value() -> float:
            output = forward(self.activations[0][None], coefs, self.intercepts, hidden, loss).output
            return float(loss.loss(output, self.target[None])[0])

        entries = [coefs[layer][i : i + 1, j : j + 1] for layer, i, j in edges]
        return np.concatenate(numerical_gradient(value, entries)).ravel()


def row_pass(model: Network, step: MLPStep, targets: Targets, x: Floats, target: Floats) -> RowPass:
    """Return both passes of a row with the weights of a step.

    Examples
    --------
    >>> from dmlib.neural import MLPClassifier
    >>> model = MLPClassifier((2,), init=([[[1.0, 1.0]], [[1.0], [-1.0]]], [[0.0, 0.0], [0.0]]))
    >>> X, y = np.array([[1.0], [2.0]]), np.array([0, 1])
    >>> start = next(model.steps(X, y))
    >>> passes = row_pass(model, start, model.targets(y), X[0], np.array([0.0]))
    >>> passes.activations[-1].tolist(), passes.deltas[-1].tolist()
    ([0.5], [0.5])
    """
    coefs, intercepts = (list(part) for part in targets.learned((step.coefs, step.intercepts)))
    name = model.loss_name(coefs[-1].shape[1])
    hidden, loss = ACTIVATIONS[model.activation], LOSSES[name]
    forward_pass = forward(x[None], coefs, intercepts, hidden, loss)
    by_coefs, by_intercepts, deltas = backward(forward_pass, target[None], coefs, hidden, loss)
    return RowPass(
        coefs,
        intercepts,
        sums=[Z[0] for Z in forward_pass.sums],
        activations=[A[0] for A in forward_pass.activations],
        target=target,
        loss=float(loss.loss(forward_pass.output, target[None])[0]),
        deltas=[delta[0] for delta in deltas],
        by_coefs=by_coefs,
        by_intercepts=by_intercepts,
        loss_name=name,
    )
