"""The base of all optimisers: a step from the gradient and a memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dmlib.arrays import Floats

Memory = Mapping[str, Floats]
Slopes = Callable[[Floats], Floats]
"""Places, shape (n, 2) -> the gradients there."""


@dataclass(frozen=True)
class Move:
    """One step of an optimiser, for n walkers at once.

    Attributes
    ----------
    at : ndarray of shape (n, 2)
        The places of the gradients.
    gradient : ndarray of shape (n, 2)
        The gradients.
    step : ndarray of shape (n, 2)
        The steps; NaN where there is none.
    memory : mapping of str to ndarray of shape (n, 2)
        The memory of the optimiser after the step.
    """

    at: Floats
    gradient: Floats
    step: Floats
    memory: Memory


class Optimizer:
    """A rule that computes a step from a gradient.

    Parameters
    ----------
    rate : float
        The step size η.
    """

    title: ClassVar[str]
    memory_names: ClassVar[tuple[str, ...]] = ()
    """The parts of its memory, one number for each variable."""

    def __init__(self, rate: float) -> None:
        self.rate = rate

    def start(self, n: int) -> Memory:
        """Return the memory of n walkers that have not moved yet: zeros."""
        return {name: np.zeros((n, 2)) for name in self.memory_names}

    def move(self, slopes: Slopes, places: Floats, memory: Memory, t: int, factor: float) -> Move:
        """Return step number t (from 1) at places of walkers; ``factor`` shrinks the rate."""
        raise NotImplementedError

    def limit(self, curvature: float) -> float:
        """Return the largest stable rate on a quadratic function with this largest curvature.

        It is infinite where there is no limit.

        Examples
        --------
        >>> from dmlib.neural.gradient_descent.optimizers import OPTIMIZERS
        >>> OPTIMIZERS["gradient"](0.1).limit(20.0)
        0.1
        """
        return np.inf
