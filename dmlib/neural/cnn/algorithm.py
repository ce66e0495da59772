"""A small convolutional network for images, trained by mini-batches with Adam."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import check_array, check_random_state, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    assert_all_finite,
    check_consistent_length,
    check_is_fitted,
    validate_data,
)

from dmlib.arrays import Floats
from dmlib.draft import epochs_of_draft
from dmlib.estimator import Staged
from dmlib.neural.activations import ACTIVATIONS
from dmlib.neural.cnn.network import Network, Signals, mean_loss
from dmlib.neural.initialisers import INITIALISERS
from dmlib.neural.optimizers import Adam
from dmlib.neural.weights import given_weights
from dmlib.params import Choice, Integer, Number, Param, check_params
from dmlib.squares import check_squares, finite_values
from dmlib.trace import look

Phase = Literal["init", "epoch", "done"]

BLOCK = 100  # images that go through the network together


@dataclass(frozen=True)
class ConvNetStep:
    """The network after an epoch.

    Attributes
    ----------
    phase : {"init", "epoch", "done"}
        The initial weights are drawn; a pass over the training images ends; the end.
    epoch : int
        The number of passes so far.
    network : Network
        The weights, copies.
    loss : float
        The mean cross-entropy of the training images.
    score, validation_score : float
        The accuracy on the training images, and on the validation images; without these, the same.
    reason : str
        On "done": why the run ended, as a sentence.
    """

    phase: Phase
    epoch: int
    network: Network
    loss: float
    score: float
    validation_score: float
    reason: str = ""

    @property
    def n_parameters(self) -> int:
        """The number of weights and intercepts of the network."""
        return self.network.n_parameters


class ConvNet(ClassifierMixin, Staged, BaseEstimator):
    r"""Classify images by learned filters: convolution and pooling, twice, and a dense layer.

    A feature map is :math:`f(k * x + b)` for a filter k that slides over the image; pooling takes
    the largest value of each window; the dense layer computes probabilities from the last maps by
    softmax. The mean cross-entropy is minimised by Adam on mini-batches.

    Parameters
    ----------
    n_filters : int, default=6
        The filters of the first convolution; the second has twice as many.
    kernel_size : int, default=3
        The side of a filter in pixels.
    pool_size : int, default=2
        The side of a pooling window, and its stride; 1 pools nothing.
    activation : {"relu", "tanh", "sigmoid"}, default="relu"
        The activation function of the feature maps.
    learning_rate : float, default=0.01
        The step of Adam.
    batch_size : int, default=32
        The images of a mini-batch.
    max_iter : int, default=12
        The number of epochs, each a pass over all training images.
    alpha : float, default=0.0
        Weight decay: each gradient has alpha times the weight added.
    init : {"auto", "glorot", "he", "lecun", "normal", "small", "zero"} or tuple, default="auto"
        The initial weights: He's for ReLUs and else Glorot's, drawn with a spread that fits the
        layer, with a standard deviation of 1 or 0.01, zeros, or the weights themselves: the pair
        (coefs, intercepts), lists of arrays like the fitted attributes, or a mapping with these
        names.
    validation_fraction : float, default=0.2
        The fraction of images that are held out to measure the accuracy.
    random_state : int, RandomState or None, default=None
        The seed of initial weights, split and mini-batches.

    Attributes
    ----------
    coefs_ : list of ndarray
        The filters of both convolutions, shapes (size, size, channels, n_filters), and the weights
        of the dense layer, shape (n_inputs, n_classes).
    intercepts_ : list of ndarray
        Their intercepts.
    classes_ : ndarray of shape (n_classes,)
        The classes.
    loss_ : float
        The mean cross-entropy of the training images.
    loss_curve_ : list of float
        The same after each epoch.
    validation_score_ : float
        The accuracy on the images held out; on all, where none are.
    n_parameters_ : int
        The number of weights and intercepts.
    n_iter_ : int
        The number of epochs.
    n_features_in_ : int
        The number of pixels.

    Raises
    ------
    ValueError
        If the weights diverge: the message names the epoch.

    Notes
    -----
    ``X`` has the shape (n_images, height, width), or (n_images, n_pixels): squares where that is a
    square number, else images of one row. Convolutions pad with zeros, so that maps are as large as
    the image; a pooling window at the edge may be smaller. An epoch costs O(n pixels filters
    size^2).

    References
    ----------
    Y. LeCun, L. Bottou, Y. Bengio and P. Haffner (1998), Gradient-based learning applied to
    document recognition. D. P. Kingma and J. Ba (2015), Adam: a method for stochastic optimization.
    K. He, X. Zhang, S. Ren and J. Sun (2015), Delving deep into rectifiers.

    Examples
    --------
    >>> X = np.zeros((40, 4, 4))
    >>> X[:20, :, 1] = X[20:, 1, :] = 1.0
    >>> y = np.repeat(["upright", "flat"], 20)
    >>> ConvNet(2, random_state=0).fit(X, y).predict(X[[0, -1]]).tolist()
    ['upright', 'flat']
    """

    network_: Network

    PARAMS: ClassVar[dict[str, Param]] = {
        "n_filters": Integer(1, 16, shown=(1, 12)),
        "kernel_size": Integer(1, 5, shown=(1, 5)),
        "pool_size": Integer(1, 4, shown=(1, 4)),
        "activation": Choice(("relu", "tanh", "sigmoid")),
        "learning_rate": Number(0.0, 10.0, shown=(1e-4, 0.1), log=True),
        "batch_size": Integer(1, 500, shown=(8, 256)),
        "max_iter": Integer(1, 100, shown=(1, 30)),
        "alpha": Number(0.0, 10.0, shown=(0.0, 0.1), log=True),
        "init": Choice(("auto", *INITIALISERS), arrays=True),
        "validation_fraction": Number(0.0, 0.9, shown=(0.0, 0.5), step=0.05),
    }

    def __init__(
        self,
        n_filters: int = 6,
        *,
        kernel_size: int = 3,
        pool_size: int = 2,
        activation: str = "relu",
        learning_rate: float = 0.01,
        batch_size: int = 32,
        max_iter: int = 12,
        alpha: float = 0.0,
        init: Any = "auto",
        validation_fraction: float = 0.2,
        random_state: Any = None,
    ) -> None:
        self.n_filters = n_filters
        self.kernel_size = kernel_size
        self.pool_size = pool_size
        self.activation = activation
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.max_iter = max_iter
        self.alpha = alpha
        self.init = init
        self.validation_fraction = validation_fraction
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Train the network on images with classes."""
        images, classes, codes = self._checked(self, X, y)
        return self._set_fitted(self._steps(images, codes, len(classes)), images, classes)

    def fit_from(self, steps: Iterable[ConvNetStep], X: ArrayLike, y: ArrayLike) -> Self:
        """Become fitted as ``fit`` would, from all the steps on the same images."""
        images, classes, _ = self._checked(self, X, y)
        return self._set_fitted(steps, images, classes)

    def _set_fitted(
        self, steps: Iterable[ConvNetStep], images: Floats, classes: NDArray[Any]
    ) -> Self:
        """Set the fitted attributes: those of the last step, and the curve of the losses."""
        self.loss_curve_: list[float] = []
        for last in steps:
            if last.phase == "epoch":
                self.loss_curve_.append(last.loss)
        K, a, L, b, W, c = last.network.arrays
        shapes = self._shapes(images.shape, len(classes))
        self.__dict__.update(self._learned(last))
        self.classes_ = classes
        self.coefs_ = [part.reshape(shape) for part, shape in zip((K, L, W), shapes, strict=True)]
        self.intercepts_ = [a, b, c]
        self.loss_ = last.loss
        self.n_iter_ = last.epoch
        self.validation_score_ = last.validation_score
        self.n_parameters_ = last.n_parameters
        return self

    def _learned(self, step: ConvNetStep) -> dict[str, Any]:
        return {"network_": step.network}

    def steps(self, X: ArrayLike, y: ArrayLike | None = None) -> Iterator[ConvNetStep]:
        """Yield the network at the start, after each epoch, and at the end."""
        images, classes, codes = self._checked(clone(self), X, y)
        yield from self._steps(images, codes, len(classes))

    def draft(self, X: Any, y: Any = None) -> dict[str, Any]:
        """Return fewer epochs, for a picture while a control moves."""
        n_batches, n_layers = -(-len(X) // self.batch_size), 6
        n_maps = self.n_filters * (1 + 2 * self.n_filters / self.pool_size**2)
        n_products = 4 * np.size(X) * self.kernel_size**2 * n_maps
        return {"max_iter": epochs_of_draft(self.max_iter, n_batches * n_layers, n_products)}

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Return the probability of each class, shape (n_images, n_classes)."""
        check_is_fitted(self)
        images = images_of(self, X, reset=False)
        return finite_values(lambda: _outputs(self.network_, images))

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the most probable class of each image."""
        shares = self.predict_proba(X)
        predicted: NDArray[Any] = self.classes_[shares.argmax(axis=1)]
        return predicted

    def signals(self, X: ArrayLike) -> Signals:
        """Return a forward pass of images: sums, feature maps, pooled maps, probabilities."""
        check_is_fitted(self)
        return self.network_.forward(images_of(self, X, reset=False))

    def _checked(
        self, estimator: ConvNet, X: Any, y: Any
    ) -> tuple[Floats, NDArray[Any], NDArray[np.intp]]:
        """Return images, classes and codes after checks; set the estimator's number of pixels."""
        check_params(self.PARAMS, self.get_params())
        images = images_of(estimator, X, reset=True)
        if y is None:
            raise ValueError(
                "ConvNet requires y to be passed, but the target y is None: images need classes."
            )
        targets = column_or_1d(y, warn=True)
        assert_all_finite(targets, input_name="y")
        check_consistent_length(images, targets)
        check_classification_targets(targets)
        classes, codes = np.unique(targets, return_inverse=True)
        return images, classes, codes

    def _steps(
        self, images: Floats, codes: NDArray[np.intp], n_classes: int
    ) -> Iterator[ConvNetStep]:
        rng = check_random_state(self.random_state)
        order = rng.permutation(len(images))
        n_validation = int(self.validation_fraction * len(images)) if len(images) > n_classes else 0
        validation, rows = order[:n_validation], order[n_validation:]
        Y = np.eye(n_classes)[codes]
        network = self._initial_network(rng, images.shape, n_classes)
        optimizer = Adam(network.arrays, self.learning_rate)
        data = (images, Y, rows, validation)
        yield _step("init", 0, network, *data)
        for epoch in range(1, self.max_iter + 1):
            network = self._epoch(network, optimizer, images, Y, rng.permutation(rows))
            if not all(np.isfinite(array).all() for array in network.arrays):
                raise ValueError(
                    f"The weights diverge in epoch {epoch}. Lower the learning rate, or scale the"
                    " pixels."
                )
            step = _step("epoch", epoch, network, *data)
            yield step
        yield replace(step, phase="done", reason=f"All {epoch} epochs are over.")

    def _epoch(
        self, network: Network, optimizer: Adam, images: Floats, Y: Floats, rows: NDArray[np.intp]
    ) -> Network:
        """Go through the training images in mini-batches."""
        with np.errstate(over="ignore", invalid="ignore"):  # divergence is reported by the caller
            for start in range(0, len(rows), self.batch_size):
                look()
                batch = rows[start : start + self.batch_size]
                gradients = network.backward(network.forward(images[batch]), Y[batch])
                if self.alpha:
                    for gradient, weights in zip(gradients, network.arrays, strict=True):
                        if weights.ndim > 1:  # intercepts do not decay
                            np.add(gradient, self.alpha * weights, out=gradient)
                updates = optimizer.updates(gradients)
                arrays = zip(network.arrays, updates, strict=True)
                network = replace(network, arrays=tuple(w + update for w, update in arrays))
        return network

    def _shapes(self, shape: tuple[int, ...], n_classes: int) -> list[tuple[int, ...]]:
        """Return the shapes of both convolutions' filters, and of the dense layer's weights."""
        sides = np.array(shape[1:3])
        for _ in range(2):
            sides = -(-sides // self.pool_size)
        side, f = self.kernel_size, self.n_filters
        return [(side, side, 1, f), (side, side, f, 2 * f), (int(sides.prod()) * 2 * f, n_classes)]

    def _initial_network(
        self, rng: np.random.RandomState, shape: tuple[int, ...], n_classes: int
    ) -> Network:
        """Return the network with initial weights."""
        shapes = self._shapes(shape, n_classes)
        flat = [(int(np.prod(shape[:-1])), shape[-1]) for shape in shapes]
        if isinstance(self.init, str):
            names = zip(self._initialisers(), flat, strict=True)
            coefs = [INITIALISERS[name](rng, *sizes) for name, sizes in names]
            intercepts = [np.zeros(n_units) for _, n_units in flat]
        else:
            biases = [(n_units,) for _, n_units in flat]
            parts: dict[str, list[Any]] = {"coefs": shapes, "intercepts": biases}
            weights = given_weights(self.init, parts)
            coefs = [W.reshape(sizes) for W, sizes in zip(weights["coefs"], flat, strict=True)]
            intercepts = weights["intercepts"]
        arrays = tuple(chain.from_iterable(zip(coefs, intercepts, strict=True)))
        return Network(arrays, self.kernel_size, self.pool_size, ACTIVATIONS[self.activation])

    def _initialisers(self) -> tuple[str, str, str]:
        """Return the names of the initialisers of the three layers."""
        if self.init != "auto":
            return self.init, self.init, self.init
        convolution = "he" if self.activation == "relu" else "glorot"
        return convolution, convolution, "glorot"


def images_of(estimator: Any, X: Any, *, reset: bool) -> Floats:
    """Return images as a batch of shape (n, height, width, 1): see the notes of ``ConvNet``."""
    if (X if hasattr(X, "ndim") else np.asarray(X)).ndim == 3:
        images: Floats = check_array(X, dtype=np.float64, allow_nd=True)
        if reset:
            estimator.n_features_in_ = images[0].size
        elif images[0].size != estimator.n_features_in_:
            raise ValueError(
                f"The network takes {estimator.n_features_in_} pixels; these images have"
                f" {images[0].size}."
            )
        check_squares(images.reshape(len(images), -1))
        return images[..., None]
    rows: Floats = validate_data(estimator, X, dtype=np.float64, reset=reset)
    check_squares(rows)
    side = round(rows.shape[1] ** 0.5)
    height, width = (side, side) if side * side == rows.shape[1] else (1, rows.shape[1])
    return rows.reshape(len(rows), height, width, 1)


def _outputs(network: Network, images: Floats) -> Floats:
    """Return the probabilities of all images, a block of them at a time."""
    starts = range(0, len(images), BLOCK)
    return np.vstack([network.forward(images[i : i + BLOCK]).output for i in starts])


def _step(
    phase: Phase,
    epoch: int,
    network: Network,
    images: Floats,
    Y: Floats,
    rows: NDArray[np.intp],
    validation: NDArray[np.intp],
) -> ConvNetStep:
    """Return a step with the loss and the accuracies of a network."""
    with np.errstate(over="ignore", invalid="ignore"):
        shares = _outputs(network, images)
    is_correct = shares.argmax(axis=1) == Y.argmax(axis=1)
    loss = mean_loss(shares[rows], Y[rows])
    score = validation_score = float(is_correct[rows].mean())
    if len(validation):
        validation_score = float(is_correct[validation].mean())
    return ConvNetStep(phase, epoch, network, loss, score, validation_score)
