"""The walkers of a run of gradient descent: optimisers, titles and colours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.neural.gradient_descent.algorithm import GradientDescent
from dmlib.neural.gradient_descent.colors import CODES
from dmlib.neural.gradient_descent.optimizers.optimizer import Optimizer
from dmlib.neural.gradient_descent.race import Surface


@dataclass(frozen=True)
class Walkers:
    """The walkers on a surface, numbered optimiser by optimiser.

    Attributes
    ----------
    optimizers : dict
        The optimisers with their rates, by name.
    titles : list of str
        The title of each walker.
    n_starts : int
        The number of walkers of each optimiser.
    """

    optimizers: dict[str, Optimizer]
    titles: list[str]
    n_starts: int

    @classmethod
    def of(cls, model: GradientDescent, surface: Surface, places: Floats) -> Walkers:
        """Return the walkers of a model that start at places of a surface."""
        titles = [model.title(i) for i in range(len(places))]
        return cls(model.optimizers(surface, places[0]), titles, model.n_starts)

    @property
    def first_of_each(self) -> range:
        """The first walker of each optimiser."""
        return range(0, len(self.titles), self.n_starts)

    @property
    def colors(self) -> NDArray[np.uint8]:
        """The colour of each walker: that of its optimiser."""
        codes = np.array([CODES[name] for name in self.optimizers], np.uint8)
        return np.repeat(codes, self.n_starts)
