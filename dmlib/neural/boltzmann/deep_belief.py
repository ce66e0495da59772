"""A deep belief network: restricted machines learned layer by layer, and classes on top."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self
from warnings import warn

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state, check_X_y
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from dmlib.arrays import Floats
from dmlib.draft import epochs_of_draft
from dmlib.estimator import Staged
from dmlib.neural.boltzmann.parameters import Parameters
from dmlib.neural.boltzmann.restricted import RestrictedBoltzmannMachine
from dmlib.neural.boltzmann.tuning import Tuning, hidden, outputs
from dmlib.neural.initialisers import initial_layers
from dmlib.neural.mlp.targets import Weights
from dmlib.params import Flag, Integer, Number, Param, check_params
from dmlib.squares import finite_values

Phase = Literal["start", "pretrain", "stack", "tune", "done"]

N_MACHINES = 2


@dataclass(frozen=True)
class DeepBeliefStep:
    """One step of learning.

    Attributes
    ----------
    phase : {"start", "pretrain", "stack", "tune", "done"}
        A machine has its random weights; an epoch of its contrastive divergence ends; a softmax
        layer is put on both machines; an epoch of back-propagation ends; the end.
    epoch : int
        The epoch of the machine, or of back-propagation; 0 before the first.
    layer : int
        The number of machines so far, 1 or 2.
    coefs : tuple of ndarray of shape (n_inputs, n_units)
        The weights of each layer so far: those of the machines, then of the softmax layer.
    intercepts : tuple of ndarray of shape (n_units,)
        The intercepts of these layers.
    machines : tuple of Parameters
        The machines so far, as contrastive divergence has left them.
    random_coefs, random_intercepts : tuple of ndarray
        From "stack" on those of a network of the same size whose hidden layers began with random
        weights; empty before.
    reconstruction_error : float
        The mean squared error with which the last machine reconstructs its data.
    loss, random_loss : float
        The mean loss of the last epoch of both networks; NaN before the first.
    converged : bool
        On "done": whether the weights stayed finite.
    """

    phase: Phase
    epoch: int
    layer: int
    coefs: Weights
    intercepts: Weights
    machines: tuple[Parameters, ...]
    random_coefs: Weights = ()
    random_intercepts: Weights = ()
    reconstruction_error: float = float("nan")
    loss: float = float("nan")
    random_loss: float = float("nan")
    converged: bool = False


class DeepBeliefNetwork(ClassifierMixin, Staged, BaseEstimator):
    r"""Pre-train two layers as restricted Boltzmann machines, then learn classes on top.

    The first machine learns the rows, the second one the probabilities of the first one's hidden
    units. Their weights are the start of a network with sigmoid units and a softmax layer, whose
    loss is minimised by back-propagation. A network of the same size with random initial weights
    learns beside it from the same batches.

    Parameters
    ----------
    n_components : int, default=32
        The number of hidden units of the first machine.
    n_second : int, default=16
        The number of hidden units of the second machine.
    learning_rate : float, default=0.1
        The factor of each update of a machine.
    k : int, default=1
        The number of steps of Gibbs sampling before each update of a machine.
    batch_size : int, default=10
        The number of rows of an update, of the machines and of back-propagation.
    n_iter : int, default=20
        The number of epochs of each machine.
    max_iter : int, default=20
        The number of epochs of back-propagation.
    tuning_rate : float, default=0.1
        The factor of each update of back-propagation, whose momentum is 0.9.
    fine_tuning : bool, default=True
        Whether back-propagation changes all layers; otherwise only the softmax layer.
    random_state : int, RandomState or None, default=None
        The seed of initial weights, of all sampling, and of the order of the rows.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    coefs_, intercepts_ : list of ndarray
        The weights of each layer, shape (n_inputs, n_units), and its intercepts.
    machines_ : tuple of Parameters
        Both machines before back-propagation.
    random_coefs_, random_intercepts_ : list of ndarray
        Those of the network that began with random weights.
    loss_, random_loss_ : float
        The mean loss of the last epoch of both networks.
    n_iter_ : int
        The number of epochs of back-propagation.
    converged_ : bool
        False where the weights grew without bound, which ``fit`` warns of.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If there is only one class, or a parameter is out of bounds.

    Notes
    -----
    An epoch costs O(n w) for n rows and w weights. Both networks begin with the same weights of the
    softmax layer. Values between 0 and 1 count as probabilities.

    References
    ----------
    G. E. Hinton, S. Osindero and Y.-W. Teh (2006), A fast learning algorithm for deep belief nets.
    G. E. Hinton and R. R. Salakhutdinov (2006), Reducing the dimensionality of data with neural
    networks. Y. Bengio, P. Lamblin, D. Popovici and H. Larochelle (2007), Greedy layer-wise
    training of deep networks.

    Examples
    --------
    >>> X, y = [[1, 1, 0, 0], [0, 0, 1, 1]] * 30, ["left", "right"] * 30
    >>> model = DeepBeliefNetwork(6, 4, n_iter=50, random_state=0).fit(X, y)
    >>> model.predict(X[:2]).tolist(), model.code(X[:2]).shape
    (['left', 'right'], (2, 4))
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "n_components": Integer(1, 256, shown=(1, 64)),
        "n_second": Integer(1, 256, shown=(1, 64)),
        "k": Integer(1, 100, shown=(1, 20)),
        "learning_rate": Number(1e-6, 10.0, shown=(0.001, 1.0), log=True),
        "tuning_rate": Number(1e-6, 10.0, shown=(0.001, 1.0), log=True),
        "fine_tuning": Flag(),
        "batch_size": Integer(1, 1000, shown=(1, 100)),
        "n_iter": Integer(1, 1000, shown=(1, 60)),
        "max_iter": Integer(1, 1000, shown=(1, 60)),
    }
    classes_: NDArray[Any]
    coefs_: list[Floats]
    intercepts_: list[Floats]

    def __init__(
        self,
        n_components: int = 32,
        n_second: int = 16,
        *,
        learning_rate: float = 0.1,
        k: int = 1,
        batch_size: int = 10,
        n_iter: int = 20,
        max_iter: int = 20,
        tuning_rate: float = 0.1,
        fine_tuning: bool = True,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.n_second = n_second
        self.learning_rate = learning_rate
        self.k = k
        self.batch_size = batch_size
        self.n_iter = n_iter
        self.max_iter = max_iter
        self.tuning_rate = tuning_rate
        self.fine_tuning = fine_tuning
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Learn both machines from the rows of ``X``, and the classes on top of them."""
        rows, targets = validate_data(self, X, y, dtype=np.float64)
        (last,) = deque(self._learn(rows, targets), maxlen=1)
        return self._set_fitted(last, targets)

    def fit_from(self, steps: Sequence[DeepBeliefStep], X: ArrayLike, y: ArrayLike) -> Self:
        """Become fitted as ``fit`` would, from the steps of this estimator on the same rows."""
        _, targets = validate_data(self, X, y, dtype=np.float64)
        return self._set_fitted(steps[-1], targets)

    def _set_fitted(self, last: DeepBeliefStep, y: NDArray[Any]) -> Self:
        """Set the fitted attributes: those of the last step."""
        self.classes_ = np.unique(y)
        self.__dict__.update(self._learned(last))
        self.machines_ = last.machines
        self.random_coefs_ = list(last.random_coefs)
        self.random_intercepts_ = list(last.random_intercepts)
        self.loss_ = last.loss
        self.random_loss_ = last.random_loss
        self.n_iter_ = last.epoch
        self.converged_ = last.converged
        if not last.converged:
            warn("Not converged: the weights grow without bound.", ConvergenceWarning, stacklevel=3)
        return self

    def _learned(self, step: DeepBeliefStep) -> dict[str, list[Floats]]:
        return {"coefs_": list(step.coefs), "intercepts_": list(step.intercepts)}

    def predict_at(self, steps: Sequence[DeepBeliefStep], X: Any) -> Iterator[Any]:
        """Yield the predictions of rows at each of these steps; None without a softmax layer."""
        for step in steps:
            has_classes = len(step.coefs) > N_MACHINES
            yield next(super().predict_at([step], X)) if has_classes else None

    def steps(self, X: ArrayLike, y: ArrayLike | None = None) -> Iterator[DeepBeliefStep]:
        """Yield every step; the last is the answer of ``fit``."""
        yield from self._learn(*check_X_y(X, y, dtype=np.float64))

    def draft(self, X: Floats, y: Any = None) -> dict[str, Any]:
        """Return fewer epochs, for a picture while a control moves."""
        n_batches, sizes = -(-len(X) // self.batch_size), (self.n_components, self.n_second)
        n_weights = np.shape(X)[1] * sizes[0] + sizes[0] * sizes[1]
        n_calls, n_products = 4 * n_batches * (1 + self.k), len(X) * 4 * n_weights * (1 + self.k)
        epochs = (self.n_iter, self.max_iter)
        n_iter, max_iter = (epochs_of_draft(n, n_calls, n_products) for n in epochs)
        return {"n_iter": n_iter, "max_iter": max_iter}

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Return the class probabilities, shape (n_samples, n_classes)."""
        rows = self._checked(X)
        return finite_values(lambda: outputs(rows, self.coefs_, self.intercepts_)[-1])

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the most probable class of each row."""
        shares = self.predict_proba(X)
        labels: NDArray[Any] = self.classes_[shares.argmax(axis=1)]
        return labels

    def code(self, X: ArrayLike) -> Floats:
        """Return the activations of the second layer, shape (n_samples, n_second)."""
        rows = self._checked(X)
        return hidden(rows, self.coefs_[:N_MACHINES], self.intercepts_[:N_MACHINES])[-1]

    def _checked(self, X: ArrayLike) -> Floats:
        check_is_fitted(self)
        rows: Floats = validate_data(self, X, dtype=np.float64, reset=False)
        return rows

    def _learn(self, X: Floats, y: NDArray[Any]) -> Iterator[DeepBeliefStep]:
        check_params(self.PARAMS, self.get_params())
        check_classification_targets(y)
        classes, codes = np.unique(y, return_inverse=True)
        if len(classes) < 2:
            raise ValueError(
                f"y has only one class, {classes[0]!s}; a classifier needs two or more."
            )
        rng = check_random_state(self.random_state)
        for step in self._pretrained(X, rng):
            yield step
        sizes = (X.shape[1], self.n_components, self.n_second, len(classes))
        yield from self._tuned(X, np.eye(len(classes))[codes], step, sizes, rng)

    def _pretrained(self, X: Floats, rng: np.random.RandomState) -> Iterator[DeepBeliefStep]:
        """Learn one machine after the other; the data of the second are what the first makes."""
        machines: tuple[Parameters, ...] = ()
        rows = X
        for layer, size in enumerate((self.n_components, self.n_second), start=1):
            machine = RestrictedBoltzmannMachine(
                size,
                learning_rate=self.learning_rate,
                k=self.k,
                batch_size=self.batch_size,
                n_iter=self.n_iter,
                random_state=rng,
            )
            for step in machine.steps(rows):
                if step.phase not in ("start", "epoch"):
                    continue
                learned = (*machines, step.parameters)
                yield DeepBeliefStep(
                    "start" if step.phase == "start" else "pretrain",
                    step.epoch,
                    layer,
                    tuple(parameters.components.T for parameters in learned),
                    tuple(parameters.hidden for parameters in learned),
                    learned,
                    reconstruction_error=step.reconstruction_error,
                )
            machines = learned
            rows = machines[-1].means_hidden(rows)

    def _tuned(
        self,
        X: Floats,
        Y: Floats,
        last: DeepBeliefStep,
        sizes: Sequence[int],
        rng: np.random.RandomState,
    ) -> Iterator[DeepBeliefStep]:
        """Learn the classes by back-propagation, from the machines and from random weights."""
        coefs, intercepts = initial_layers("glorot", sizes, "sigmoid", rng)
        n_fixed = 0 if self.fine_tuning else N_MACHINES
        options = (n_fixed, self.tuning_rate, self.batch_size)
        networks = [
            Tuning(X, (*last.coefs, coefs[-1]), (*last.intercepts, intercepts[-1]), *options),
            Tuning(X, coefs, intercepts, *options),
        ]
        losses, converged = [float("nan")] * len(networks), True
        step = _stacked("stack", 0, last, networks, losses)
        yield step
        for epoch in range(1, self.max_iter + 1):
            order = rng.permutation(len(X))
            losses = [network.epoch(Y, order, rng) for network in networks]
            converged = all(network.learner.is_bounded for network in networks)
            if not converged:
                break
            step = _stacked("tune", epoch, last, networks, losses)
            yield step
        yield replace(step, phase="done", converged=converged)


def _stacked(
    phase: Phase,
    epoch: int,
    last: DeepBeliefStep,
    networks: Sequence[Tuning],
    losses: Sequence[float],
) -> DeepBeliefStep:
    """Return the step of both networks as they are."""
    (coefs, intercepts), random_weights = (network.weights() for network in networks)
    loss, random_loss = losses
    return DeepBeliefStep(
        phase,
        epoch,
        N_MACHINES,
        coefs,
        intercepts,
        last.machines,
        *random_weights,
        reconstruction_error=last.reconstruction_error,
        loss=loss,
        random_loss=random_loss,
    )
