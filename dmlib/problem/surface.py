"""A function of two variables, made ready for an algorithm that walks on it."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.cached import cached_property
from dmlib.problem.formula import evaluate, read_formula
from dmlib.problem.undivided import Undivided

Grid = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]

FARTHEST = 1e6
"""The largest size of a bound of the domain."""

STEP = 1e-5  # of central differences, as a share of the place where that is beyond 1
PROBES = 21  # places along each side of the domain at which a formula is tried


@dataclass(frozen=True, eq=False)
class SurfaceProblem(Undivided):
    """A function of two variables.

    Attributes
    ----------
    formula : str
        What is computed of x and y.
    domain : tuple of (float, float, float, float)
        x0, x1, y0, y1 of the part of the plane that is shown.
    name : str
        What the function is called.
    notes : tuple of str
        What is to be known of it, one sentence each.
    axes : tuple of (str, str)
        What the two variables are called.
    """

    formula: str
    domain: tuple[float, float, float, float]
    name: str = "surface"
    notes: tuple[str, ...] = ()
    axes: tuple[str, str] = ("x", "y")

    @cached_property
    def _tree(self) -> ast.expr:
        return read_formula(self.formula)

    @property
    def arguments(self) -> tuple[Self]:
        """Arguments of ``fit`` and ``steps``: the surface, with ``value`` and ``gradient``."""
        return (self,)

    @property
    def data(self) -> Self:
        """The surface, as an algorithm gets it."""
        return self

    @property
    def n_rows(self) -> int:
        """The number of rows over which the height is a mean: 0, for a formula has none."""
        return 0

    @property
    def labels(self) -> list[str]:
        """Tooltips of samples: there are none."""
        return []

    @property
    def rows(self) -> NDArray[np.intp]:
        """Numbers of samples: there are none."""
        return np.arange(0)

    def value(self, points: ArrayLike) -> Any:
        """Return the heights at points of shape (..., 2); NaN where the formula is not defined."""
        P = np.asarray(points, float)
        heights = evaluate(self._tree, P[..., 0], P[..., 1]).value
        return np.where(np.isfinite(heights), heights, np.nan)[()]

    def gradient(
        self, points: ArrayLike, rows: NDArray[np.intp] | None = None
    ) -> NDArray[np.float64]:
        """Return the gradient at points of shape (..., 2); NaN where there is none.

        ``rows`` are those of a loss over which the mean is taken, all by default; a formula has
        none.
        """
        P = np.asarray(points, float)
        dual = evaluate(self._tree, P[..., 0], P[..., 1])
        slopes = np.stack([dual.dx, dual.dy], axis=-1)
        return np.where(np.isfinite(slopes), slopes, np.nan)

    def hessian(self, points: ArrayLike) -> NDArray[np.float64]:
        """Return the Hessian at points of shape (..., 2), by central differences."""
        P = np.asarray(points, float)
        steps = STEP * np.maximum(1.0, np.abs(P))
        columns = []
        for j in range(2):
            h = np.where(np.arange(2) == j, steps, 0.0)
            columns.append(
                (self.gradient(P + h) - self.gradient(P - h)) / (2 * steps[..., j, None])
            )
        half = np.stack(columns, axis=-1) / 2
        H: NDArray[np.float64] = half + np.swapaxes(half, -1, -2)
        return H

    def grid(self, size: int) -> Grid:
        """Return ``size`` values of x and y over the domain, and the heights with rows along y."""
        if size not in self._grids:
            x, y = np.linspace(*self.domain[:2], size), np.linspace(*self.domain[2:], size)
            self._grids[size] = x, y, self.value(np.stack(np.meshgrid(x, y), axis=-1))
        return self._grids[size]

    @cached_property
    def _grids(self) -> dict[int, Grid]:
        """Each picture of every run on this surface needs the same few."""
        return {}

    @cached_property
    def cache(self) -> dict[str, Any]:
        """Results that depend on this surface alone, by name."""
        return {}


def prepare_surface(
    formula: str,
    domain: tuple[float, float, float, float] = (-5.0, 5.0, -5.0, 5.0),
    *,
    name: str = "surface",
) -> SurfaceProblem:
    """Read a formula, and see whether it is defined over the domain.

    Parameters
    ----------
    formula : str
        As ``x^2 + 10*y^2``; see `read_formula`.
    domain : tuple of (float, float, float, float)
        x0, x1, y0, y1 of the part of the plane that is shown.
    name : str
        What the function is called.

    Returns
    -------
    SurfaceProblem
        What the algorithm gets.

    Raises
    ------
    ValueError
        If the formula cannot be read, the domain is none, or the formula is defined nowhere in it.

    Examples
    --------
    >>> bowl = prepare_surface("x^2 + y^2", name="bowl")
    >>> float(bowl.value([1.0, 2.0])), bowl.gradient([1.0, 2.0]).tolist()
    (5.0, [2.0, 4.0])
    """
    x0, x1, y0, y1 = (float(bound) for bound in domain)
    if not (-FARTHEST <= x0 < x1 <= FARTHEST and -FARTHEST <= y0 < y1 <= FARTHEST):
        raise ValueError(
            f"Each axis must go from a lower to a higher number within {FARTHEST:g}. Correct the"
            " bounds."
        )
    problem = SurfaceProblem(formula, (x0, x1, y0, y1), name)
    defined = float(np.isfinite(problem.grid(PROBES)[2]).mean())
    if not defined:
        raise ValueError(
            "The formula has no value anywhere in the shown part of the plane. Change it or the"
            " bounds."
        )
    notes = (
        ()
        if defined == 1
        else (f"The formula has no value in about {100 * (1 - defined):.0f} % of the plane.",)
    )
    return SurfaceProblem(formula, problem.domain, name, notes)
