"""What all optimisers have in common: from slopes and a memory, a step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dmlib.arrays import Floats

Memory = Mapping[str, Floats]
Slopes = Callable[[Floats], Floats]
"""Places, shape (n, 2), to the gradients there."""


@dataclass(frozen=True)
class Move:
    """One step of an optimiser, for n walkers at once.

    Attributes
    ----------
    at : ndarray of shape (n, 2)
        Where the gradients were taken.
    gradient : ndarray of shape (n, 2)
        What they were.
    step : ndarray of shape (n, 2)
        What is added to the places; NaN where there is no step.
    memory : mapping of str to ndarray of shape (n, 2)
        What the optimiser remembers afterwards.
    """

    at: Floats
    gradient: Floats
    step: Floats
    memory: Memory


class Optimizer:
    """A rule that makes a step of a gradient.

    Parameters
    ----------
    rate : float
        The step size η.
    """

    title: ClassVar[str]
    """What it is called, for people."""
    keeps: ClassVar[tuple[str, ...]] = ()
    """What it remembers, one number for each variable."""

    def __init__(self, rate: float) -> None:
        self.rate = rate

    def start(self, n: int) -> Memory:
        """Return the memory of n walkers that have not moved yet: zeros."""
        return {name: np.zeros((n, 2)) for name in self.keeps}

    def move(self, slopes: Slopes, places: Floats, memory: Memory, t: int, factor: float) -> Move:
        """Return the step number t (from 1) at some places; ``factor`` shrinks the rate."""
        raise NotImplementedError

    def limit(self, curvature: float) -> float:
        """Return the largest stable rate on a quadratic function whose largest curvature is given; infinite for none.

        Examples
        --------
        >>> from dmlib.neural.gradient_descent.optimizers import OPTIMIZERS
        >>> OPTIMIZERS["gradient"](0.1).limit(20.0)
        0.1
        """
        return np.inf
