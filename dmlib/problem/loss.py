"""The loss of a model with two coefficients: a surface that is a mean over rows."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.problem.columns import LARGEST
from dmlib.problem.surface import SurfaceProblem

FORMULAS = {
    "squared": "mean of ½(b + w·x − y)²",
    "logistic": "mean of log(1 + exp(b + w·x)) − y(b + w·x)",
}
HEIGHTS: dict[str, Callable[[Floats, Floats], Floats]] = {
    "squared": lambda t, y: 0.5 * (t - y) ** 2,
    "logistic": lambda t, y: np.logaddexp(0.0, t) - y * t,
}
"""What a row with target y adds where the model says t = b + w x,"""
SLOPES: dict[str, Callable[[Floats, Floats], Floats]] = {
    "squared": lambda t, y: t - y,
    "logistic": lambda t, y: expit(t) - y,
}
"""its derivative by t,"""
CURVATURES: dict[str, Callable[[Floats], Floats]] = {
    "squared": np.ones_like,
    "logistic": lambda t: expit(t) * expit(-t),
}
"""and its second derivative."""


@dataclass(frozen=True, eq=False, repr=False)
class LossProblem(SurfaceProblem):
    """The loss of a model with an intercept b and a slope w, as a function of these two.

    Attributes
    ----------
    loss : {"squared", "logistic"}
        Half the squared error of b + w x, or the log loss of the probability 1 / (1 + exp(-b - w
        x)).
    x, y : ndarray of shape (n_samples,)
        The input and the target of each row.
    """

    loss: str = "squared"
    x: Floats = field(default_factory=lambda: np.empty(0))
    y: Floats = field(default_factory=lambda: np.empty(0))

    @cached_property
    def digest(self) -> str:
        """SHA-256, in hexadecimal, of the numbers of all rows."""
        return hashlib.sha256(np.concatenate([self.x, self.y]).tobytes()).hexdigest()

    def __repr__(
        self,
    ) -> str:  # numpy leaves out the middle of a long array, and a run is known by this
        return f"LossProblem({self.loss!r}, {self.domain}, {self.digest})"

    @property
    def n_rows(self) -> int:
        """The number of rows over which the height is a mean."""
        return len(self.x)

    def value(self, points: ArrayLike) -> Any:
        """Return the mean loss at points (b, w) of shape (..., 2); NaN where it overflows."""
        t = self._terms(points, slice(None))
        with np.errstate(over="ignore", invalid="ignore"):
            heights = HEIGHTS[self.loss](t, self.y).mean(axis=-1)
        return np.where(np.isfinite(heights), heights, np.nan)[()]

    def gradient(self, points: ArrayLike, rows: NDArray[np.intp] | None = None) -> Floats:
        """Return the gradient by b and w, shape (..., 2), over a batch of rows or all of them."""
        batch: Any = slice(None) if rows is None else rows
        slopes = SLOPES[self.loss](self._terms(points, batch), self.y[batch])
        return np.stack([slopes.mean(axis=-1), (slopes * self.x[batch]).mean(axis=-1)], axis=-1)

    def hessian(self, points: ArrayLike) -> Floats:
        """Return its second derivatives, shape (..., 2, 2)."""
        weights, z = (
            CURVATURES[self.loss](self._terms(points, slice(None))),
            np.vstack([np.ones_like(self.x), self.x]),
        )
        H: Floats = np.einsum("...n,in,jn->...ij", weights, z, z) / self.n_rows
        return H

    def _terms(self, points: ArrayLike, batch: Any) -> Floats:
        """Return b + w x of some rows at each point, shape (..., n_rows)."""
        P = np.asarray(points, float)
        with np.errstate(over="ignore", invalid="ignore"):
            terms: Floats = P[..., :1] + P[..., 1:] * self.x[batch]
        return terms


def prepare_loss(
    rows: ArrayLike, loss: str, domain: tuple[float, float, float, float], *, name: str = "loss"
) -> LossProblem:
    """Make a surface of the loss of a model with an intercept and a slope.

    Parameters
    ----------
    rows : array-like of shape (n_samples, 2)
        The input and the target of each row; of a logistic loss the target is 0 or 1.
    loss : {"squared", "logistic"}
        Half the mean squared error, or the mean log loss.
    domain : tuple of (float, float, float, float)
        The range of the intercept, and that of the slope, that are shown.
    name : str
        What it is called.

    Returns
    -------
    LossProblem
        What the algorithm gets.

    Raises
    ------
    ValueError
        If there are no rows, a number is missing or too large, or the target of a logistic loss is
        not 0 or 1.

    Examples
    --------
    >>> line = prepare_loss([[0.0, 1.0], [1.0, 3.0]], "squared", (-4, 4, -4, 4))
    >>> origin = [0.0, 0.0]
    >>> float(line.value([1.0, 2.0])), line.gradient(origin).tolist(), line.hessian(origin).tolist()
    (0.0, [-2.0, -1.5], [[1.0, 0.5], [0.5, 0.5]])
    """
    if loss not in FORMULAS:
        raise ValueError(f"loss must be one of {', '.join(FORMULAS)}; it was {loss!r}.")
    table = np.asarray(rows, float).reshape(-1, 2)
    if not len(table) or not (np.abs(table) <= LARGEST).all():
        raise ValueError(
            f"The loss needs rows of two numbers within {LARGEST:g}. Correct or leave out the"
            " others."
        )
    x, y = table.T
    if loss == "logistic" and not np.isin(y, (0, 1)).all():
        raise ValueError(
            "The target of a logistic loss must be 0 or 1. Choose a column with two values."
        )
    x0, x1, y0, y1 = map(float, domain)
    return LossProblem(
        FORMULAS[loss],
        (x0, x1, y0, y1),
        name,
        axes=("intercept b", "slope w"),
        loss=loss,
        x=x.copy(),
        y=y.copy(),
    )
