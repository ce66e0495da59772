"""Pruning: connections of a trained network are removed one by one, and the others retrained."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self
from warnings import warn

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from dmlib.arrays import Floats
from dmlib.neural.activations import ACTIVATIONS
from dmlib.neural.layers import Pass, forward
from dmlib.neural.losses import LOSSES
from dmlib.neural.mlp.algorithm import MLPClassifier
from dmlib.neural.mlp.learner import Learner
from dmlib.neural.mlp.network import COMMON
from dmlib.neural.mlp.targets import Weights
from dmlib.params import Choice, Conditions, Integer, Param
from dmlib.trace import look

Phase = Literal["train", "prune", "retrain", "done"]


@dataclass(frozen=True)
class PruningStep:
    """One step of pruning.

    Attributes
    ----------
    phase : {"train", "prune", "retrain", "done"}
        The whole network is trained; a connection is removed; the others are retrained; the end.
    epoch : int
        The number of passes through the rows so far.
    n_removed : int
        The number of connections that are removed.
    coefs : tuple of ndarray of shape (n_inputs, n_units)
        The weights of each layer; 0 for connections that are removed.
    intercepts : tuple of ndarray of shape (n_units,)
        The intercepts of each layer.
    masks : tuple of ndarray of bool of shape (n_inputs, n_units)
        The connections that are left.
    scores : tuple of ndarray of shape (n_inputs, n_units)
        On "prune" the criterion of each connection before, infinite for those removed earlier.
    removed : tuple of int or None
        On "prune" the connection: its layer, the unit that it comes from, and that it leads to.
    loss : float
        The mean loss of all rows, without weight decay.
    converged : bool
        On "done": whether the weights stayed finite.
    """

    phase: Phase
    epoch: int
    n_removed: int
    coefs: Weights
    intercepts: Weights
    masks: tuple[NDArray[np.bool_], ...]
    loss: float
    scores: Weights = ()
    removed: tuple[int, int, int] | None = None
    converged: bool = False

    @property
    def n_connections(self) -> int:
        """The number of connections that are left."""
        return sum(int(mask.sum()) for mask in self.masks)


class PrunedMLPClassifier(MLPClassifier):
    r"""Train a network, then remove its connections one by one.

    The connection with the smallest weight is removed, or that with the smallest saliency
    :math:`s_k = h_k w_k^2 / 2`, by which the loss would rise to second order, where
    :math:`h_k` is the second derivative of the mean loss. Then the others are retrained.

    Parameters
    ----------
    hidden_layer_sizes : tuple of int, default=(6, 4)
        The number of units of each hidden layer.
    activation : {"sigmoid", "tanh", "relu", "softplus", "identity"}, default="tanh"
        The activation function of hidden units.
    criterion : {"saliency", "magnitude"}, default="saliency"
        What is smallest of the connection to remove: the saliency (optimal brain damage), or the
        absolute weight.
    n_removed : int, default=24
        The number of connections to remove; one is left at least.
    n_retrain : int, default=5
        The number of epochs after each of them.
    learning_rate : float, default=0.1
        The factor of each update, whose momentum is 0.9.
    alpha : float, default=0.0
        Weight decay.
    batch_size : int, default=32
        The number of rows whose mean a gradient is.
    max_iter : int, default=100
        The number of epochs before the first connection is removed.
    init : {"glorot", "he", "lecun", "normal", "small", "zero"} or tuple, default="glorot"
        The initial weights, as of :class:`dmlib.neural.MLPClassifier`.
    random_state : int, RandomState or None, default=None
        The seed of initial weights and of the order of the rows.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    coefs_, intercepts_ : list of ndarray
        The weights, 0 for connections that are removed, and the intercepts of each layer.
    masks_ : list of ndarray of bool
        The connections that are left.
    n_connections_ : int
        Their number.
    loss_ : float
        The mean loss of all rows.
    loss_curve_ : list of float
        The mean loss after training, and after each connection with its retraining.
    n_iter_ : int
        The number of epochs.
    converged_ : bool
        False where the weights grew without bound, which ``fit`` warns of.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If there is only one class, numbers are beyond 1e100, or a parameter is out of bounds.

    Notes
    -----
    Second derivatives are those of Le Cun, Denker and Solla: by a pass back through the layers that
    neglects what two units of a layer have in common, and the second derivative of the activation.
    They are exact in the output layer. Intercepts are not removed. Of equal connections the first
    one is removed.

    References
    ----------
    Y. Le Cun, J. S. Denker and S. A. Solla (1990), Optimal brain damage. B. Hassibi and
    D. G. Stork (1993), Second order derivatives for network pruning: optimal brain surgeon.

    Examples
    --------
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 1, 1]
    >>> model = PrunedMLPClassifier((2,), n_removed=4, n_retrain=20, random_state=0).fit(X, y)
    >>> model.n_connections_, model.predict(X).tolist()
    (2, [0, 0, 1, 1])
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "criterion": Choice(("saliency", "magnitude")),
        "n_removed": Integer(1, 1000, shown=(1, 60)),
        "n_retrain": Integer(0, 1000, shown=(0, 50)),
        **{
            name: COMMON[name]
            for name in ("activation", "learning_rate", "alpha", "batch_size", "max_iter", "init")
        },
    }
    APPLIES: ClassVar[Conditions] = {}
    loss: str = "log_loss"
    solver: str = "sgd"
    momentum: float = 0.9
    decay: float = 0.0
    dropout: float = 0.0
    shuffle: bool = True
    early_stopping: bool = False

    def __init__(
        self,
        hidden_layer_sizes: Any = (6, 4),
        activation: str = "tanh",
        *,
        criterion: str = "saliency",
        n_removed: int = 24,
        n_retrain: int = 5,
        learning_rate: float = 0.1,
        alpha: float = 0.0,
        batch_size: int = 32,
        max_iter: int = 100,
        init: Any = "glorot",
        random_state: Any = None,
    ) -> None:
        self.hidden_layer_sizes = hidden_layer_sizes
        self.activation = activation
        self.criterion = criterion
        self.n_removed = n_removed
        self.n_retrain = n_retrain
        self.learning_rate = learning_rate
        self.alpha = alpha
        self.batch_size = batch_size
        self.max_iter = max_iter
        self.init = init
        self.random_state = random_state

    def draft(self, X: Floats, y: Any = None) -> dict[str, Any]:
        """Return fewer epochs, for a picture while a control moves."""
        n_epochs = int(super().draft(X, y)["max_iter"])
        return {"max_iter": n_epochs, "n_retrain": min(self.n_retrain, n_epochs // self.n_removed)}

    def _learned(self, step: Any) -> dict[str, list[Floats]]:
        return {"coefs_": list(step.coefs), "intercepts_": list(step.intercepts)}

    def _set_fitted(self, steps: Iterable[Any], X: Floats, y: NDArray[Any]) -> Self:
        """Set the fitted attributes: those of the last step."""
        self.loss_curve_ = []
        for step in steps:
            last: PruningStep = step
            if step.phase in ("train", "retrain"):
                self.loss_curve_.append(step.loss)
        self.__dict__.update(self._learned(last))
        self.masks_ = [mask.copy() for mask in last.masks]
        self.n_connections_ = last.n_connections
        self.loss_ = last.loss
        self.n_iter_ = last.epoch
        self.converged_ = last.converged
        self._set_of_targets(X, y)
        if not last.converged:
            warn("Not converged: the weights grow without bound.", ConvergenceWarning, stacklevel=3)
        return self

    def steps(self, X: ArrayLike, y: ArrayLike | None = None) -> Iterator[Any]:
        """Yield every step; the last is the answer of ``fit``."""
        yield from super().steps(X, y)

    def _learn(self, X: Floats, y: NDArray[Any]) -> Iterator[Any]:
        (trained,) = deque(super()._learn(X, y), maxlen=1)
        Y, rng = self.targets(y).Y, check_random_state(self.random_state)
        learner = MaskedLearner(
            trained.coefs,
            trained.intercepts,
            ACTIVATIONS[self.activation],
            LOSSES[self.loss_name(Y.shape[1])],
            self.solver,
            self.learning_rate,
            momentum=self.momentum,
            alpha=self.alpha,
        )
        first = PruningStep(
            "train",
            trained.epoch,
            0,
            trained.coefs,
            trained.intercepts,
            learner.copied_masks(),
            learner.mean_loss(X, Y),
            converged=trained.converged,
        )
        yield first
        last = first
        for last in self._pruned(X, Y, learner, first, rng):
            yield last
        yield replace(last, phase="done", scores=(), removed=None)

    def _pruned(
        self,
        X: Floats,
        Y: Floats,
        learner: MaskedLearner,
        trained: PruningStep,
        rng: np.random.RandomState,
    ) -> Iterator[PruningStep]:
        """Remove one connection after the other, and retrain those that are left."""
        if not trained.converged:
            return
        epoch = trained.epoch
        for n_removed in range(1, min(self.n_removed, trained.n_connections - 1) + 1):
            look()
            scores = self.scores(X, learner.coefs, learner.intercepts, learner.masks)
            removed = smallest(scores)
            learner.remove(*removed)
            step = PruningStep(
                "prune",
                epoch,
                n_removed,
                *learner.copies(),
                learner.copied_masks(),
                learner.mean_loss(X, Y),
                scores,
                removed,
                converged=True,
            )
            yield step
            for _ in range(self.n_retrain):
                order = rng.permutation(len(X))
                learner.epoch(X[order], Y[order], self.batch_size, rng)
            if not learner.is_bounded:
                yield replace(step, converged=False)
                return
            epoch += self.n_retrain
            coefs, intercepts = learner.copies()
            yield replace(
                step,
                phase="retrain",
                epoch=epoch,
                coefs=coefs,
                intercepts=intercepts,
                loss=learner.mean_loss(X, Y),
                scores=(),
            )

    def scores(
        self,
        X: Floats,
        coefs: Sequence[Floats],
        intercepts: Sequence[Floats],
        masks: Sequence[NDArray[np.bool_]],
    ) -> Weights:
        """Return the criterion of each connection; infinity for those that are removed."""
        values = [np.abs(W) for W in coefs]
        if self.criterion == "saliency":
            second = self.second_derivatives(X, coefs, intercepts)
            values = [h * W**2 / 2 for h, W in zip(second, coefs, strict=True)]
        return tuple(np.where(mask, v, np.inf) for v, mask in zip(values, masks, strict=True))

    def second_derivatives(
        self, X: Floats, coefs: Sequence[Floats], intercepts: Sequence[Floats]
    ) -> list[Floats]:
        """Return the second derivative of the mean loss by each weight, as Le Cun has it."""
        hidden, loss = ACTIVATIONS[self.activation], LOSSES[self.loss_name(coefs[-1].shape[1])]
        return second_derivatives(forward(X, coefs, intercepts, hidden, loss), coefs, hidden)


class MaskedLearner(Learner):
    """Stochastic gradient descent of a network some of whose weights stay 0.

    Attributes
    ----------
    masks : list of ndarray of bool
        The connections of each layer that are left.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.masks = [np.ones(W.shape, bool) for W in self.coefs]

    def remove(self, layer: int, i: int, j: int) -> None:
        """Remove the connection from unit ``i`` to unit ``j`` of a layer."""
        self.masks[layer][i, j] = False
        self._apply()

    def copied_masks(self) -> tuple[NDArray[np.bool_], ...]:
        """Return copies of the masks."""
        return tuple(mask.copy() for mask in self.masks)

    def _update(self, X: Floats, Y: Floats, rng: np.random.RandomState) -> Floats:
        """Take a step down the gradient; connections that are removed stay 0."""
        output = super()._update(X, Y, rng)
        self._apply()
        return output

    def _apply(self) -> None:
        for W, mask in zip(self.coefs, self.masks, strict=True):
            W[~mask] = 0.0


def smallest(scores: Sequence[Floats]) -> tuple[int, int, int]:
    """Return the place of the smallest score: its layer, row and column.

    Examples
    --------
    >>> smallest([np.array([[2.0, 3.0]]), np.array([[4.0], [1.0]])])
    (1, 1, 0)
    """
    layer = int(np.argmin([values.min() for values in scores]))
    i, j = np.unravel_index(int(scores[layer].argmin()), scores[layer].shape)
    return layer, int(i), int(j)


def second_derivatives(forward_pass: Pass, coefs: Sequence[Floats], hidden: Any) -> list[Floats]:
    r"""Return the second derivatives of the mean cross-entropy by the weights, layer by layer.

    By the sums of the outputs p they are p (1 - p), of softmax and of sigmoid units; one layer back
    :math:`f'(z_i)^2 \sum_j w_{ij}^2` times those of the layer above; by a weight, those of the
    unit that it leads to times the squared activation that it carries.
    """
    P = forward_pass.output
    by_sums = P * (1 - P)
    derivatives: list[Floats] = []
    for layer in reversed(range(len(coefs))):
        A = forward_pass.activations[layer]
        derivatives.insert(0, (A**2).T @ by_sums / len(A))
        if layer:
            slope = hidden.derivative(forward_pass.sums[layer - 1], A)
            by_sums = (by_sums @ (coefs[layer] ** 2).T) * slope**2
    return derivatives
