"""Thresholds of the units of a Hopfield network: all the same, or one for each from its sums."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from dmlib.arrays import Floats


def class_sums(X: Floats, W: Floats) -> tuple[Floats, Floats]:
    """Return the mean sum of each unit in the patterns in which it is on, and in the others.

    Examples
    --------
    >>> X = np.array([[1.0, 1.0, -1.0], [1.0, -1.0, -1.0]])
    >>> on, off = class_sums(X, np.ones((3, 3)) - np.eye(3))
    >>> on.tolist(), off.tolist()
    ([-1.0, 0.0, nan], [nan, 0.0, 1.0])
    """
    sums, is_on = X @ W, X > 0
    means = []
    for chosen in (is_on, ~is_on):
        n = chosen.sum(axis=0)
        totals = np.where(chosen, sums, 0.0).sum(axis=0)
        means.append(np.divide(totals, n, out=np.full(len(n), np.nan), where=n > 0))
    return means[0], means[1]


def same(X: Floats, W: Floats) -> Floats:
    """Return no threshold of its own for any unit."""
    return np.zeros(len(W))


def midpoint(X: Floats, W: Floats) -> Floats:
    """Return the middle between the two mean sums of each unit; 0 if it has only one.

    Examples
    --------
    >>> X = np.array([[1.0, 1.0, -1.0], [-1.0, 1.0, 1.0]])
    >>> midpoint(X, np.ones((3, 3)) - np.eye(3)).tolist()
    [1.0, 0.0, 1.0]
    """
    on, off = class_sums(X, W)
    middles: Floats = np.nan_to_num((on + off) / 2)
    return middles


def binary(X: Floats, W: Floats) -> Floats:
    """Return the thresholds with which units -1 and 1 do what units 0 and 1 do without any.

    Examples
    --------
    >>> binary(np.empty((0, 2)), np.array([[0.0, 0.5], [0.5, 0.0]])).tolist()
    [-0.5, -0.5]
    """
    thresholds: Floats = -W.sum(axis=1)
    return thresholds


THRESHOLDS: Mapping[str, Callable[[Floats, Floats], Floats]] = {
    "same": same,
    "midpoint": midpoint,
    "binary": binary,
}
