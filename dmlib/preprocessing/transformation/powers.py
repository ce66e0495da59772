"""Power transformations and how likely they make the numbers of a column."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize_scalar

from dmlib.arrays import Floats

FAMILIES = ("box_cox", "yeo_johnson")
START = (-2.0, 2.0)  # where the search for the power begins


def power(x: Floats, lam: float, family: str) -> Floats:
    """Raise numbers to a power, so that it goes over into the logarithm at 0.

    Examples
    --------
    >>> power(np.array([1.0, 4.0]), 0.5, "box_cox").tolist()  # (√x − 1) / 0.5
    [0.0, 2.0]
    >>> power(np.array([-3.0, 3.0]), 1.0, "yeo_johnson").tolist()
    [-3.0, 3.0]
    """
    if family == "box_cox":
        return _box_cox(x, lam)
    up, down = _box_cox(np.maximum(x, 0.0) + 1, lam), _box_cox(1 - np.minimum(x, 0.0), 2 - lam)
    return np.where(x >= 0, up, -down)


def _box_cox(x: Floats, lam: float) -> Floats:
    with np.errstate(over="ignore"):
        return np.log(x) if abs(lam) < 1e-12 else np.expm1(lam * np.log(x)) / lam


def root(z: Floats, lam: float, family: str) -> Floats:
    """Undo :func:`power`; NaN where no number has that power.

    Examples
    --------
    >>> root(power(np.array([-2.0, 0.0, 5.0]), 0.3, "yeo_johnson"), 0.3, "yeo_johnson").round(9).tolist()
    [-2.0, 0.0, 5.0]
    """
    if family == "box_cox":
        return _undo(z, lam)
    return np.where(z >= 0, _undo(np.maximum(z, 0.0), lam) - 1, 1 - _undo(-np.minimum(z, 0.0), 2 - lam))


def _undo(z: Floats, lam: float) -> Floats:
    if abs(lam) < 1e-12:
        return np.exp(z)
    inside = lam * z + 1
    return np.where(inside > 0, np.abs(inside) ** (1 / lam), np.nan)


def log_likelihood(x: Floats, lam: float, family: str) -> float:
    r"""Return the log-likelihood of a normal distribution after the transformation, without its constant.

    :math:`-\\frac n 2 \\ln s^2(\\lambda) + (\\lambda - 1) \\sum \\ln x`; of Yeo and Johnson, the sum is of
    :math:`sign(x) \\ln(|x| + 1)`.

    Examples
    --------
    >>> x = np.array([1.0, 10.0, 100.0])
    >>> log_likelihood(x, 0.0, "box_cox") > log_likelihood(x, 1.0, "box_cox")  # these are even on a log scale
    True
    """
    spread = float(np.var(power(x, lam, family)))
    if not 0 < spread < np.inf:
        return -np.inf
    logs = np.log(x) if family == "box_cox" else np.sign(x) * np.log1p(np.abs(x))
    return float(-len(x) / 2 * np.log(spread) + (lam - 1) * logs.sum())


def best_power(x: Floats, family: str) -> float:
    """Return the power of the greatest likelihood; 1 for a constant column.

    Examples
    --------
    >>> abs(best_power(np.array([1.0, 10.0, 100.0]), "box_cox")) < 1e-6
    True
    """
    if np.ptp(x) == 0:
        return 1.0
    found = minimize_scalar(lambda lam: -log_likelihood(x, lam, family), bracket=START, method="brent")
    return float(found.x)
