"""Bins of a histogram: how many, and where they end."""

from __future__ import annotations

from math import ceil, log2

import numpy as np
from numpy.typing import ArrayLike, NDArray

RULE_NAMES = {
    "sturges": "Sturges' rule",
    "natural": "natural: equal width",
    "equal_frequency": "equal frequency",
}
RULES = tuple(RULE_NAMES)


def sturges(n: int) -> int:
    """Return Sturges' number of bins for ``n`` values: ceil(log2 n + 1).

    Parameters
    ----------
    n : int
        The number of values, at least 1.

    References
    ----------
    H. A. Sturges (1926), The choice of a class interval. J. American Statistical Association 21,
    65-66.

    Examples
    --------
    >>> sturges(1), sturges(100), sturges(272)
    (1, 8, 10)
    """
    return ceil(log2(n) + 1)


def bin_edges(values: ArrayLike, rule: str = "sturges", k: int = 10) -> NDArray[np.float64]:
    """Return where bins begin and end.

    Parameters
    ----------
    values : array-like of shape (n,)
        Numbers; what is not finite counts as missing.
    rule : {"sturges", "natural", "equal_frequency"}
        Sturges' number of bins of equal width; ``k`` bins of equal width; ``k`` bins with equally
        many values.
    k : int
        The number of bins, where the rule does not say it.

    Returns
    -------
    ndarray of shape (n_bins + 1,)
        Ascending. Equal values never get into different bins, so bins of equal frequency may be
        fewer and unequal.

    Raises
    ------
    ValueError
        If there is no number, or no such rule.

    Examples
    --------
    >>> bin_edges([0, 1, 2, 10], "natural", 2).tolist()
    [0.0, 5.0, 10.0]
    >>> bin_edges([0, 1, 2, 10], "equal_frequency", 2).tolist()
    [0.0, 1.5, 10.0]
    """
    if rule not in RULES:
        raise ValueError(f"rule must be one of {', '.join(RULES)}; it was {rule!r}.")
    x = np.asarray(values, float)
    x = np.sort(x[np.isfinite(x)])
    if not x.size:
        raise ValueError("There is no number to put into bins. Choose another column.")
    low, high = float(x[0]), float(x[-1])
    if low == high:
        margin = max(abs(low) * 1e-3, 0.5)
        return np.array([low - margin, high + margin])
    if rule == "equal_frequency":
        return np.unique([low, *_between_equal_parts(x, k), high])
    edges = np.linspace(low, high, (sturges(x.size) if rule == "sturges" else k) + 1)
    return np.unique(edges)


def _between_equal_parts(x: NDArray[np.float64], k: int) -> NDArray[np.float64]:
    """Return the middles between different values, nearest to the cuts into k equal parts."""
    possible = np.flatnonzero(np.diff(x) > 0) + 1
    targets = np.arange(1, k) * x.size / k
    nearest = np.unique(possible[np.abs(possible[:, None] - targets).argmin(axis=0)])
    middles: NDArray[np.float64] = x[nearest - 1] / 2 + x[nearest] / 2
    return middles
