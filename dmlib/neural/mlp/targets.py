"""Targets of the output units, and the units in which they are learned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from dmlib.arrays import Floats

Weights = tuple[Floats, ...]


@dataclass(frozen=True)
class Targets:
    """The targets of the output units for each row.

    Attributes
    ----------
    Y : ndarray of shape (n_samples, n_outputs)
        The targets as they are learned.
    strata : ndarray of shape (n_samples,) or None
        The classes by which a validation set is stratified.
    shift, unit : float or ndarray of shape (n_outputs,)
        The mean and the standard deviation by which numeric targets were scaled.
    """

    Y: Floats
    strata: NDArray[Any] | None = None
    shift: Any = 0.0
    unit: Any = 1.0

    def restored(self, weights: tuple[Weights, Weights]) -> tuple[Weights, Weights]:
        """Return learned weights in the units of the target."""
        (*coefs, W), (*intercepts, b) = weights
        return (*coefs, W * self.unit), (*intercepts, b * self.unit + self.shift)

    def learned(self, weights: tuple[Weights, Weights]) -> tuple[Weights, Weights]:
        """Return weights in the units of the target as they are learned."""
        (*coefs, W), (*intercepts, b) = weights
        return (*coefs, W / self.unit), (*intercepts, (b - self.shift) / self.unit)
