"""Bins of a histogram: how many, and where they end."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.preprocessing.bin_counts import WIDTH_RULES, bin_count

RULE_NAMES = {
    **WIDTH_RULES,
    "natural": "natural: equal width",
    "equal_frequency": "equal frequency",
}
RULES = tuple(RULE_NAMES)


def bin_edges(values: ArrayLike, rule: str = "sturges", k: int = 10) -> NDArray[np.float64]:
    """Return where bins begin and end.

    Parameters
    ----------
    values : array-like of shape (n,)
        Numbers; what is not finite counts as missing.
    rule : {"sturges", "sturges_10", "sqrt", "scott", "fd", "natural", "equal_frequency"}
        Bins of equal width, as many as a rule of thumb says (Sturges, square root, Scott, Freedman
        and Diaconis); ``k`` bins of equal width; ``k`` bins with equally many values.
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
    edges = np.linspace(low, high, (bin_count(x, rule) if rule in WIDTH_RULES else k) + 1)
    return np.unique(edges)


def _between_equal_parts(x: NDArray[np.float64], k: int) -> NDArray[np.float64]:
    """Return the middles between different values, nearest to the cuts into k equal parts."""
    possible = np.flatnonzero(np.diff(x) > 0) + 1
    targets = np.arange(1, k) * x.size / k
    nearest = np.unique(possible[np.abs(possible[:, None] - targets).argmin(axis=0)])
    middles: NDArray[np.float64] = x[nearest - 1] / 2 + x[nearest] / 2
    return middles
