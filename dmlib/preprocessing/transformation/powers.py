"""Power transformations, and their likelihood for the numbers of a column."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize_scalar

from dmlib.arrays import Floats
from dmlib.squares import deviations

FAMILIES = ("box_cox", "yeo_johnson")
ORIGINS = {"box_cox": 1.0, "yeo_johnson": 0.0}
"""The number that becomes 0, unless the column is far from it for its spread."""
START = (-2.0, 2.0)  # of the search for the power, for a column whose logarithms have range 1
DIGITS = 1e-6  # the smallest spread, as a share of the numbers, that leaves them enough digits


def power(x: Floats, lam: float, family: str, origin: float | None = None) -> Floats:
    """Raise numbers to a power that becomes the logarithm at 0.

    ``origin`` is the number that becomes 0. Another one than that of the family shifts and
    stretches the result.

    Examples
    --------
    >>> power(np.array([1.0, 4.0]), 0.5, "box_cox").tolist()  # (√x − 1) / 0.5
    [0.0, 2.0]
    >>> power(np.array([1.0, 4.0]), 0.5, "box_cox", origin=4.0).tolist()  # (√(x / 4) − 1) / 0.5
    [-1.0, 0.0]
    >>> power(np.array([-3.0, 3.0]), 1.0, "yeo_johnson").tolist()
    [-3.0, 3.0]
    """
    start = ORIGINS[family] if origin is None else origin
    if family == "box_cox":
        return _raised(_logs(x, start, 0.0), lam)
    if start < 0:
        return -power(-x, 2 - lam, family, -start)
    up = _raised(_logs(np.maximum(x, 0.0), start, 1.0), lam)
    down = _raised(np.log1p(np.maximum(-x, 0.0)), 2 - lam)
    with np.errstate(over="ignore", invalid="ignore"):
        return np.where(x < 0, up - np.exp(-lam * np.log1p(start)) * down, up)


def _logs(x: Floats, origin: float, offset: float) -> Floats:
    """Return ln((x + offset) / (origin + offset)), with all digits close to the origin."""
    relative = (x - origin) / (origin + offset)
    with np.errstate(divide="ignore"):
        far = np.log(x + offset) - np.log(origin + offset)
    return np.where(relative > -0.5, np.log1p(np.maximum(relative, -0.5)), far)


def _raised(logs: Floats, lam: float) -> Floats:
    with np.errstate(over="ignore"):
        return logs if abs(lam) < 1e-12 else np.expm1(lam * logs) / lam


def root(z: Floats, lam: float, family: str, origin: float | None = None) -> Floats:
    """Undo :func:`power`; NaN where no number has that power.

    Examples
    --------
    >>> z = power(np.array([-2.0, 0.0, 5.0]), 0.3, "yeo_johnson")
    >>> root(z, 0.3, "yeo_johnson").round(9).tolist()
    [-2.0, 0.0, 5.0]
    """
    start = ORIGINS[family] if origin is None else origin
    if family == "box_cox":
        return start * np.exp(_undo(z, lam))
    if start < 0:
        return -root(-z, 2 - lam, family, -start)
    zero = power(np.zeros(1), lam, family, start)
    down = (zero - z) / np.exp(-lam * np.log1p(start))
    with np.errstate(over="ignore"):
        above = np.expm1(_undo(np.maximum(z, zero), lam) + np.log1p(start))
        return np.where(z >= zero, above, -np.expm1(_undo(np.maximum(down, 0.0), 2 - lam)))


def _undo(z: Floats, lam: float) -> Floats:
    if abs(lam) < 1e-12:
        return z
    inside = lam * z
    return np.where(inside > -1, np.log1p(np.maximum(inside, -1 + 1e-16)) / lam, np.nan)


def best_origin(x: Floats, lam: float, family: str) -> float:
    """Return the number that becomes 0: that of the family, or the median far from it.

    The median is taken where powers around the number of the family lose the digits of the spread.

    Examples
    --------
    >>> best_origin(np.array([1.0, 2.0]), 3.0, "box_cox")
    1.0
    >>> best_origin(np.array([1e9, 1e9 + 2]), 3.0, "box_cox")
    1000000001.0
    """
    shaped = power(x, lam, family)
    with np.errstate(invalid="ignore", over="ignore"):
        has_digits = np.ptp(shaped) > DIGITS * np.abs(shaped).max()
    if has_digits and np.isfinite(shaped).all():
        return ORIGINS[family]
    return float(np.median(x))


def log_likelihood(x: Floats, lam: float, family: str) -> float:
    r"""Return the log-likelihood of a power under a normal distribution, without its constant.

    It is :math:`-\frac n 2 \ln s^2(\lambda) + (\lambda - 1) \sum \ln x`; of Yeo and Johnson, the
    sum is of :math:`sign(x) \ln(|x| + 1)`. Where all numbers have one sign, they are divided by one
    of them first: in columns far from 0 for their spread, powers differ by less than their rounding
    errors.

    Examples
    --------
    Numbers that are evenly spaced on a log scale:

    >>> x = np.array([1.0, 10.0, 100.0])
    >>> log_likelihood(x, 0.0, "box_cox") > log_likelihood(x, 1.0, "box_cox")
    True
    """
    if _is_mixed(x):
        logs = np.sign(x) * np.log1p(np.abs(x))
        return _normal(power(x, lam, family)) + (lam - 1) * float(logs.sum())
    if x.max() < 0:
        return log_likelihood(-x, 2 - lam, family)
    offset = 1 - ORIGINS[family]
    origin = float(x.max() if lam > 0 else x.min())  # no power of a share is beyond 1
    logs = _logs(x, origin, offset)
    return _normal(_raised(logs, lam)) + lam * float(logs.sum()) - float(np.log(x + offset).sum())


def _is_mixed(x: Floats) -> bool:
    return bool(x.min() < 0 <= x.max())


def _normal(z: Floats) -> float:
    """Return the log-likelihood of numbers under a normal distribution, without its constant."""
    size = float(np.abs(z).max())
    if not 0 < size < np.inf:
        return -np.inf
    spread = float((deviations(z / size) ** 2).mean())
    return float(-len(z) / 2 * (np.log(spread) + 2 * np.log(size))) if spread > 0 else -np.inf


def best_power(x: Floats, family: str) -> float:
    """Return the power of the greatest likelihood; 1 for a constant column.

    The search goes in steps of the range of the logarithms, since the power of a column far from 0
    for its spread is large.

    Examples
    --------
    >>> abs(best_power(np.array([1.0, 10.0, 100.0]), "box_cox")) < 1e-6
    True
    """
    if np.ptp(x) == 0:
        return 1.0
    unit = 1.0
    if not _is_mixed(x):
        if x.max() < 0:
            return 2 - best_power(-x, family)
        unit = min(1.0, float(_logs(x, float(x.min()), 1 - ORIGINS[family]).max()))
    result = minimize_scalar(
        lambda t: -log_likelihood(x, t / unit, family), bracket=START, method="brent"
    )
    return float(result.x) / unit
