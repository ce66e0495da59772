"""The terms of a score, and the score as a function of a place in the plane."""

from __future__ import annotations

from dataclasses import dataclass

from dmlib.arrays import Floats
from dmlib.problem import Problem

Fit = tuple[float, Floats]
"""The score at (0, 0) of the plane, and its slopes along the two axes."""


@dataclass(frozen=True)
class Terms:
    """The terms of the score of one class: the intercept, if there is one, and the columns.

    Attributes
    ----------
    problem : Problem
        The data.
    features : tuple of str
        The columns that have a coefficient.
    has_intercept : bool
        Whether term 0 is the intercept.
    """

    problem: Problem
    features: tuple[str, ...]
    has_intercept: bool

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the terms, the intercept first."""
        return ("intercept", *self.features) if self.has_intercept else self.features

    @property
    def first_slope(self) -> int:
        """The number of the first term that is not the intercept."""
        return int(self.has_intercept)

    @property
    def is_curve(self) -> bool:
        """Whether the probability can be drawn over the one column that has a coefficient."""
        return len(self.features) == 1 and bool(self.problem.plane.basis[0, 0])

    def in_plane(self, coef: Floats) -> Fit:
        """Return the score with these coefficients in the plane."""
        n = len(self.features)
        plane = self.problem.plane
        slopes = coef[self.first_slope :]
        intercept = float(coef[0]) if self.has_intercept else 0.0
        return intercept + float(slopes @ plane.base[:n]), plane.basis[:, :n] @ slopes
