"""The curve that the simulation knows and the models do not."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import make_smoothing_spline
from scipy.optimize import minimize_scalar

from dmlib.arrays import Floats
from dmlib.squares import centred, standard_deviations

DATA = "data"
FEWEST = 6  # distinct places that a smooth curve needs
MANY = 200  # of more places SciPy finds the smoothness


@dataclass(frozen=True, eq=False)
class Truth:
    """A curve over a range.

    Attributes
    ----------
    curve : callable
        Takes places, returns heights.
    low, high : float
        The range of the places.
    middle, half : float
        The middle of the heights of the data, and half of their range.
    """

    curve: Callable[[Floats], Floats]
    low: float
    high: float
    middle: float
    half: float

    def __call__(self, x: Floats) -> Floats:
        """Return its heights."""
        return self.curve(x)

    def scaled(self, x: Floats) -> Floats:
        """Return places from -1 to 1."""
        return np.asarray((2 * x - self.low - self.high) / (self.high - self.low))


SHAPES: Mapping[str, Callable[[Floats], Floats]] = {
    "sine": lambda t: np.sin(2 * np.pi * t),
    "line": lambda t: 2 * t - 1,
    "step": lambda t: np.where(t < 0.5, -1.0, 1.0),
    "bump": lambda t: 2 * np.exp(-(((t - 0.35) / 0.09) ** 2)) - 1,
}
"""Curves from -1 to 1 over the range from 0 to 1."""
TRUTHS = (DATA, *SHAPES)
SPOKEN = {
    DATA: "smooth curve of the data",
    "sine": "sine",
    "line": "line",
    "step": "step",
    "bump": "bump",
}


def truth_of(name: str, x: Floats, y: Floats) -> Truth:
    """Return a curve over the range of the places, with about the range of the heights.

    Examples
    --------
    >>> truth_of("line", np.array([0.0, 10.0]), np.array([0.0, 4.0]))(np.array([0.0, 5.0])).tolist()
    [0.0, 2.0]
    """
    low, high = _ends(x)
    bottom, top = _ends(y)
    middle, half = (bottom + top) / 2, (top - bottom) / 2

    def shaped(places: Floats) -> Floats:
        return np.asarray(middle + half * SHAPES[name]((places - low) / (high - low)))

    return Truth(_smooth(x, y) if name == DATA else shaped, low, high, middle, half)


def _ends(values: Floats) -> tuple[float, float]:
    """Return the range of values; of equal ones a range around them."""
    low, high = float(values.min()), float(values.max())
    if high - low > 1e-9 * max(abs(low), abs(high)):
        return low, high
    reach = 0.5 * max(abs(low), 1.0) if abs(low) < 1e-9 or abs(low) > 1 else 0.5 * abs(low)
    return low - reach, high + reach


def _smooth(x: Floats, y: Floats) -> Callable[[Floats], Floats]:
    """Return a smoothing spline through the means at each place; of few places, a line."""
    low, high = _ends(x)
    center, unit = centred(y)[0], float(standard_deviations(y)) or 1.0
    places, of = np.unique((x - low) / (high - low), return_inverse=True)
    places = np.round(places, 6)
    places, again = np.unique(places, return_inverse=True)
    of = again[of]
    n = np.bincount(of)
    means = np.bincount(of, (y - center) / unit) / n
    if len(places) < FEWEST:
        slope = (
            np.polyfit(places, means, 1, w=np.sqrt(n))
            if len(places) > 1
            else np.array([0.0, means[0]])
        )
        return lambda at: np.asarray(center + unit * np.polyval(slope, (at - low) / (high - low)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of badly spread places the least smoothing is taken
        price = _price(places, means, n) if len(places) <= MANY else None
        spline = make_smoothing_spline(places, means, w=n.astype(float), lam=price)
    return lambda at: np.asarray(center + unit * spline((at - low) / (high - low)))


def _price(x: Floats, y: Floats, n: NDArray[np.intp]) -> float:
    """Return the price of curvature that SciPy would take, by generalised cross-validation.

    SciPy solves the spline's equations anew for every price. With the eigenvalues of the penalty
    each is a sum, and a slider that moves does not wait.
    """
    h = np.diff(x)
    Q = np.zeros((len(x), len(x) - 2))
    inner = np.arange(len(x) - 2)
    Q[inner, inner], Q[inner + 2, inner] = 1 / h[:-1], 1 / h[1:]
    Q[inner + 1, inner] = -1 / h[:-1] - 1 / h[1:]
    R = np.diag((h[:-1] + h[1:]) / 3) + np.diag(h[1:-1] / 6, 1) + np.diag(h[1:-1] / 6, -1)
    root = np.sqrt(n)
    S = Q / root[:, None]
    values, vectors = np.linalg.eigh(S @ np.linalg.solve(R, S.T))
    values = np.maximum(values, 0.0)
    parts = vectors.T @ (root * y)

    def criterion(price: float) -> float:
        shrunk = price * values / (1 + price * values)
        rest = vectors @ (shrunk * parts) / root
        return float((rest @ rest) / len(x) / (shrunk.sum() / len(x)) ** 2)

    return float(minimize_scalar(criterion, bounds=(0, len(x)), method="bounded").x)
