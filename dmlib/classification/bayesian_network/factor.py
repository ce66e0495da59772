"""Factors: tables over some variables, which are multiplied, and summed over a variable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from dmlib.arrays import Floats


@dataclass(frozen=True)
class Factor:
    """A number for each state of some variables.

    Attributes
    ----------
    variables : tuple of str
        The variables.
    table : ndarray with an axis for each variable
        The numbers.
    name : str
        What it is called: "P(rain | cloudy)", or a number of those that inference has made.

    Examples
    --------
    >>> first = Factor(("a",), np.array([0.25, 0.75]))
    >>> second = Factor(("a", "b"), np.array([[0.5, 0.5], [0.0, 1.0]]))
    >>> first.times(second).without("a").table.tolist()
    [0.125, 0.875]
    """

    variables: tuple[str, ...]
    table: Floats
    name: str = ""

    def aligned(self, variables: Sequence[str]) -> Floats:
        """Return the table with an axis for each of more variables, of length 1 for new ones."""
        own = [name for name in variables if name in self.variables]
        table = self.table.transpose([self.variables.index(name) for name in own])
        place = iter(table.shape)
        shape = [next(place) if name in self.variables else 1 for name in variables]
        return table.reshape(shape)

    def times(self, factor: Factor) -> Factor:
        """Return the product: a number for each state of the variables of both."""
        variables = tuple(dict.fromkeys(self.variables + factor.variables))
        return Factor(variables, self.aligned(variables) * factor.aligned(variables))

    def without(self, variable: str) -> Factor:
        """Return the sum over the values of a variable."""
        axis = self.variables.index(variable)
        remaining = self.variables[:axis] + self.variables[axis + 1 :]
        return Factor(remaining, self.table.sum(axis=axis))

    def restricted(self, evidence: Mapping[str, int]) -> Factor:
        """Return the part of the table in which variables have these codes."""
        index = tuple(evidence.get(name, slice(None)) for name in self.variables)
        remaining = tuple(name for name in self.variables if name not in evidence)
        return Factor(remaining, np.asarray(self.table[index]), self.name)


def product(factors: Sequence[Factor]) -> Factor:
    """Return the product of factors; of none, the number 1.

    Examples
    --------
    >>> product([]).table.tolist()
    1.0
    """
    return reduce(Factor.times, factors, Factor((), np.array(1.0)))
