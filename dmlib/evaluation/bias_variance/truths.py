"""True curves of the simulation."""

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
MIN_PLACES = 6  # distinct places that a smooth curve needs
MAX_PLACES = 200  # of more, SciPy chooses the smoothness


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
        """Return the heights at places."""
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
TRUTH_LABELS = {
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
    middle = (bottom + top) / 2
    half = (top - bottom) / 2

    def shape(places: Floats) -> Floats:
        return np.asarray(middle + half * SHAPES[name]((places - low) / (high - low)))

    return Truth(_smooth(x, y) if name == DATA else shape, low, high, middle, half)


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
    center = centred(y)[0]
    unit = float(standard_deviations(y)) or 1.0
    places, place_of_row = np.unique(((x - low) / (high - low)).round(6), return_inverse=True)
    n = np.bincount(place_of_row)
    means = np.bincount(place_of_row, (y - center) / unit) / n
    if len(places) < MIN_PLACES:
        line = np.array([0.0, means[0]])
        if len(places) > 1:
            line = np.polyfit(places, means, 1, w=np.sqrt(n))
        return lambda at: np.asarray(center + unit * np.polyval(line, (at - low) / (high - low)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of badly spread places the least smoothing is taken
        smoothing = _smoothing(places, means, n) if len(places) <= MAX_PLACES else None
        spline = make_smoothing_spline(places, means, w=n.astype(float), lam=smoothing)
    return lambda at: np.asarray(center + unit * spline((at - low) / (high - low)))


def _smoothing(x: Floats, y: Floats, n: NDArray[np.intp]) -> float:
    """Return the penalty on curvature that SciPy would take, by generalised cross-validation.

    SciPy solves the spline's equations anew for each penalty. With the eigenvalues of the penalty
    matrix each is a sum, which is fast enough while a slider moves.
    """
    h = np.diff(x)
    Q = np.zeros((len(x), len(x) - 2))
    inner = np.arange(len(x) - 2)
    Q[inner, inner] = 1 / h[:-1]
    Q[inner + 1, inner] = -1 / h[:-1] - 1 / h[1:]
    Q[inner + 2, inner] = 1 / h[1:]
    R = np.diag((h[:-1] + h[1:]) / 3) + np.diag(h[1:-1] / 6, 1) + np.diag(h[1:-1] / 6, -1)
    root = np.sqrt(n)
    S = Q / root[:, None]
    values, vectors = np.linalg.eigh(S @ np.linalg.solve(R, S.T))
    values = np.maximum(values, 0.0)
    parts = vectors.T @ (root * y)

    def criterion(penalty: float) -> float:
        shrinkage = penalty * values / (1 + penalty * values)
        residuals = vectors @ (shrinkage * parts) / root
        return float((residuals @ residuals) / len(x) / (shrinkage.sum() / len(x)) ** 2)

    return float(minimize_scalar(criterion, bounds=(0, len(x)), method="bounded").x)
