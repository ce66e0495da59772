"""A convolutional network, forwards and backwards: twice convolution and pooling, then dense."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.neural.activations import Activation
from dmlib.neural.cnn.convolution import columns, from_columns, pool, unpool
from dmlib.neural.layers import dense, dense_backward
from dmlib.neural.losses import LOSSES, Loss

LOSS: Loss = LOSSES["log_loss"]


@dataclass(frozen=True)
class Block:
    """A forward pass through a convolution with its pooling.

    Attributes
    ----------
    patches : ndarray of shape (n * height * width, size * size * channels)
        The patch under the filters at each pixel.
    sums : ndarray of shape (n, height, width, n_filters)
        The weighted sums.
    maps : ndarray of shape (n, height, width, n_filters)
        The feature maps: the activations.
    index : ndarray of shape (n, rows, columns, n_filters)
        The place of the largest value in each window.
    pooled : ndarray of shape (n, rows, columns, n_filters)
        These values.
    """

    patches: Floats
    sums: Floats
    maps: Floats
    index: NDArray[np.intp]
    pooled: Floats


@dataclass(frozen=True)
class Signals:
    """A forward pass through the network.

    Attributes
    ----------
    images : ndarray of shape (n, height, width, 1)
        The input.
    first, second : Block
        The two convolutions with their poolings.
    flat : ndarray of shape (n, n_inputs)
        The input of the dense layer.
    output : ndarray of shape (n, n_classes)
        The probability of each class.
    """

    images: Floats
    first: Block
    second: Block
    flat: Floats
    output: Floats


@dataclass(frozen=True)
class Network:
    """The weights of a network, with the sizes that do not follow from them.

    Attributes
    ----------
    arrays : tuple of ndarray
        Filters and intercepts of both convolutions, then weights and intercepts of the dense layer.
        Filters have the shape (size * size * channels, n_filters).
    size, pool_size : int
        The side of a filter and of a pooling window.
    activation : Activation
        The activation function of the feature maps.
    """

    arrays: tuple[Floats, ...]
    size: int
    pool_size: int
    activation: Activation

    def forward(self, images: Floats) -> Signals:
        """Run images, shape (n, height, width, 1), through the network."""
        K, a, L, b, W, c = self.arrays
        first = self._block(images, K, a)
        second = self._block(first.pooled, L, b)
        flat = second.pooled.reshape(len(images), -1)
        return Signals(images, first, second, flat, LOSS.output(dense(flat, W, c)))

    def _block(self, images: Floats, K: Floats, b: Floats) -> Block:
        patches = columns(images, self.size)
        sums = dense(patches, K, b).reshape(*images.shape[:3], K.shape[1])
        maps = self.activation.function(sums)
        pooled, index = pool(maps, self.pool_size)
        return Block(patches, sums, maps, index, pooled)

    def backward(self, signals: Signals, Y: Floats) -> list[Floats]:
        """Return the gradient of the mean loss by each array, for targets (n, n_classes)."""
        _, _, L, _, W, _ = self.arrays
        first, second = signals.first, signals.second
        delta = LOSS.slope(signals.output, Y) / len(Y)
        by_W, by_c, by_flat = dense_backward(delta, signals.flat, W)
        by_L, by_b, by_sums = self._block_backward(by_flat.reshape(second.pooled.shape), second)
        by_pooled = from_columns(by_sums @ L.T, first.pooled.shape, self.size)
        by_K, by_a, _ = self._block_backward(by_pooled, first)
        return [by_K, by_a, by_L, by_b, by_W, by_c]

    def _block_backward(self, by_pooled: Floats, block: Block) -> tuple[Floats, Floats, Floats]:
        """Return the derivatives by filters, intercepts and sums, from those by the pooled maps."""
        by_maps = unpool(by_pooled, block.index, block.maps.shape, self.pool_size)
        by_sums = by_maps * self.activation.derivative(block.sums, block.maps)
        delta = by_sums.reshape(-1, by_sums.shape[3])
        return block.patches.T @ delta, delta.sum(axis=0), delta

    @property
    def n_parameters(self) -> int:
        """The number of weights and intercepts."""
        return sum(array.size for array in self.arrays)


def mean_loss(output: Floats, Y: Floats) -> float:
    """Return the mean cross-entropy of probabilities."""
    return float(LOSS.loss(output, Y).mean())
