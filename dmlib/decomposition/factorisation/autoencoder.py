"""An autoencoder: a network that reconstructs its input through a hidden layer of few units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit
from sklearn.utils import check_random_state

from dmlib.arrays import Floats
from dmlib.decomposition.factorisation.algorithm import (
    PARTS,
    Factorisation,
    FactorStep,
    Phase,
    factor_step,
)
from dmlib.draft import shortened
from dmlib.neural.optimizers import Adam
from dmlib.params import Choice, Integer, Number, Param
from dmlib.squares import centred
from dmlib.trace import look


class Autoencoder(Factorisation):
    r"""Learn codes from which a linear layer reconstructs the rows.

    Code :math:`h = f(E^T x + e)`, output :math:`\hat x = D^T h + d`; the mean squared error over
    all rows is minimised by gradient descent, one epoch a step. Internally, the columns are centred
    and divided by one number for all.

    Parameters
    ----------
    n_components : int, default=6
        Units of the hidden layer.
    activation : {"linear", "sigmoid"}, default="sigmoid"
        The function f. With a linear one it finds the plane of the first principal components.
    learning_rate : float, default=0.03
        The learning rate of Adam.
    max_iter : int, default=150
        Epochs.
    random_state : int, RandomState or None, default=None
        The seed of the first weights.

    Attributes
    ----------
    components_ : ndarray of shape (n_components_, n_features)
        The decoder: the weights of each unit in the output.
    codes_ : ndarray of shape (n_samples, n_components_)
        The activations of the units for the rows.
    offset_ : ndarray of shape (n_features,)
        The biases of the output.
    energy_ : float
        The share of the sum of squares of the table that is kept.
    objective_ : float
        The mean squared error of the scaled columns.
    rmse_ : float
        The root of the mean squared error.
    n_iter_ : int
        Number of epochs.
    n_components_ : int
        Number of units.
    step_ : FactorStep
        The last step.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If a value is missing or too large to be squared.

    Notes
    -----
    O(n p k) for each epoch.

    References
    ----------
    P. Baldi and K. Hornik (1989), Neural networks and principal component analysis. Neural Networks
    2, 53-58. G. E. Hinton and R. R. Salakhutdinov (2006), Reducing the dimensionality of data with
    neural networks. Science 313.

    Examples
    --------
    >>> X = [[0.0, 0.0], [1.0, 2.0], [2.0, 4.0], [3.0, 6.0]]
    >>> Autoencoder(1, activation="linear", max_iter=300, random_state=0).fit(X).energy_ > 0.999
    True
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "n_components": PARTS,
        "activation": Choice(("linear", "sigmoid")),
        "learning_rate": Number(1e-5, 1.0, shown=(1e-3, 0.3), log=True),
        "max_iter": Integer(1, 1000, shown=(1, 300)),
    }
    LENGTH: ClassVar[str] = "max_iter"

    def __init__(
        self,
        n_components: int = 6,
        *,
        activation: str = "sigmoid",
        learning_rate: float = 0.03,
        max_iter: int = 150,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.activation = activation
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.random_state = random_state

    def shortened(
        self, steps: Sequence[FactorStep], X: ArrayLike, y: Any = None
    ) -> tuple[FactorStep, ...] | None:
        """Return the own steps among those of a run of more epochs; None if there are too few."""
        return shortened(steps, self.max_iter + 1, lambda last: replace(last, phase="done"))

    def _steps(self, X: Floats) -> Iterator[FactorStep]:
        rng = check_random_state(self.random_state)
        mean, moved = centred(X)
        unit = float(moved.std()) or 1.0
        Z = moved / unit
        p, k = X.shape[1], min(self.n_components, *X.shape)
        size = np.sqrt(6 / (p + k))
        weights = [
            rng.uniform(-size, size, (p, k)),
            np.zeros(k),
            rng.uniform(-size, size, (k, p)),
            np.zeros(p),
        ]
        rule = Adam(weights, self.learning_rate)
        step = self._step("start", 0, X, Z, weights, mean, unit)
        yield step
        for n in range(1, self.max_iter + 1):
            look()
            moves = rule.updates(gradients(Z, weights, self.activation)[1])
            weights = [weight + move for weight, move in zip(weights, moves, strict=True)]
            step = self._step("epoch", n, X, Z, weights, mean, unit)
            if not np.isfinite(step.objective):
                raise ValueError(
                    "The error diverges beyond double precision. Choose a smaller learning rate."
                )
            yield step
        yield replace(step, phase="done")

    def _step(
        self,
        phase: Phase,
        n: int,
        X: Floats,
        Z: Floats,
        weights: list[Floats],
        mean: Floats,
        unit: float,
    ) -> FactorStep:
        """Return a step in units of the columns."""
        E, e, D, d = weights
        codes = activate(Z @ E + e, self.activation)
        error = float(((codes @ D + d - Z) ** 2).mean())
        encoder = np.vstack([E / unit, e - mean @ E / unit])
        return factor_step(phase, n, X, codes, D * unit, d * unit + mean, error, encoder)

    def _encode(self, X: Floats, step: FactorStep) -> Floats:
        return activate(X @ step.encoder[:-1] + step.encoder[-1], self.activation)


def activate(values: Floats, activation: str) -> Floats:
    """Return the activations of units.

    Examples
    --------
    >>> activate(np.array([0.0]), "sigmoid").tolist(), activate(np.array([2.0]), "linear").tolist()
    ([0.5], [2.0])
    """
    return np.asarray(expit(values)) if activation == "sigmoid" else values


def gradients(Z: Floats, weights: list[Floats], activation: str) -> tuple[float, list[Floats]]:
    """Return the mean squared error of an autoencoder and its gradients, by backpropagation.

    Examples
    --------
    >>> weights = [np.array([[1.0]]), np.zeros(1), np.array([[0.5]]), np.zeros(1)]
    >>> error, steps = gradients(np.array([[2.0]]), weights, "linear")  # the output is 1
    >>> error, [step.ravel().tolist() for step in steps]
    (1.0, [[-2.0], [-1.0], [-4.0], [-2.0]])
    """
    E, e, D, d = weights
    codes = activate(Z @ E + e, activation)
    residuals = codes @ D + d - Z
    slope = 2 * residuals / residuals.size
    back = slope @ D.T
    if activation == "sigmoid":
        back = back * codes * (1 - codes)
    error = float((residuals**2).mean())
    return error, [Z.T @ back, back.sum(axis=0), codes.T @ slope, slope.sum(axis=0)]
