"""A small convolutional network, forwards and backwards: convolution, pooling, convolution, pooling, dense."""

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
    """What a convolution with its pooling leaves behind, for the way back and for pictures.

    Attributes
    ----------
    patches : ndarray of shape (n * height * width, size * size * channels)
        What the filters look at.
    sums : ndarray of shape (n, height, width, n_filters)
        The weighted sums.
    maps : ndarray of shape (n, height, width, n_filters)
        The feature maps: what the activation makes of the sums.
    where : ndarray of shape (n, rows, columns, n_filters)
        The place of the largest value in each window.
    pooled : ndarray of shape (n, rows, columns, n_filters)
        These values.
    """

    patches: Floats
    sums: Floats
    maps: Floats
    where: NDArray[np.intp]
    pooled: Floats


@dataclass(frozen=True)
class Signals:
    """All that a forward pass computes.

    Attributes
    ----------
    images : ndarray of shape (n, height, width, 1)
        The input.
    first, second : Block
        The two convolutions with their poolings.
    flat : ndarray of shape (n, n_inputs)
        What the dense layer gets.
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
    """The weights, and the sizes that they do not tell.

    Attributes
    ----------
    arrays : tuple of ndarray
        Filters and intercepts of both convolutions, then weights and intercepts of the dense layer.
        Filters have the shape (size * size * channels, n_filters).
    size, pool_size : int
        The side of a filter and of a pooling window.
    activation : Activation
        What a unit of a feature map makes of its sum.
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
        pooled, where = pool(maps, self.pool_size)
        return Block(patches, sums, maps, where, pooled)

    def backward(self, seen: Signals, Y: Floats) -> list[Floats]:
        """Return the gradient of the mean loss by each array, for targets of shape (n, n_classes)."""
        _, _, L, _, W, _ = self.arrays
        by_w, by_c, slopes = dense_backward(LOSS.slope(seen.output, Y) / len(Y), seen.flat, W)
        by_l, by_b, delta = self._back(slopes.reshape(seen.second.pooled.shape), seen.second)
        inner = from_columns(delta @ L.T, seen.first.pooled.shape, self.size)
        by_k, by_a, _ = self._back(inner, seen.first)
        return [by_k, by_a, by_l, by_b, by_w, by_c]

    def _back(self, slopes: Floats, block: Block) -> tuple[Floats, Floats, Floats]:
        """Return the derivatives by filters, intercepts and sums of a convolution, from those by its pooled maps."""
        inside = unpool(slopes, block.where, block.maps.shape, self.pool_size)
        delta = inside * self.activation.derivative(block.sums, block.maps)
        flat = delta.reshape(-1, delta.shape[3])
        return block.patches.T @ flat, flat.sum(axis=0), flat

    @property
    def n_parameters(self) -> int:
        """How many weights and intercepts there are."""
        return sum(array.size for array in self.arrays)


def mean_loss(output: Floats, Y: Floats) -> float:
    """Return the mean cross-entropy of probabilities."""
    return float(LOSS.loss(output, Y).mean())
