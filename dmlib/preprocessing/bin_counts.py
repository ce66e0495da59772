"""Numbers of bins of equal width, by rules of thumb."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, log2, log10, sqrt

import numpy as np

from dmlib.arrays import Floats

WIDTH_RULES: Mapping[str, str] = {
    "sturges": "Sturges' rule",
    "sturges_10": "Sturges' rule in base 10",
    "sqrt": "square root rule",
    "scott": "Scott's rule",
    "fd": "Freedman and Diaconis' rule",
}
"""The names are those of NumPy's ``histogram_bin_edges``, where it has the rule."""
MAX_BINS = 200  # of widths by the spread, where outliers make the range wide


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


def bin_count(x: Floats, rule: str) -> int:
    """Return the number of bins of equal width for numbers that differ, by ``WIDTH_RULES``.

    "sturges_10" is ceil(1 + 10/3 log10 n), which rounds 1 / log10 2; "sqrt" is ceil(sqrt n);
    "scott" has bins about 3.49 s / n^(1/3) wide, "fd" 2 IQR / n^(1/3).

    References
    ----------
    D. W. Scott (1979), On optimal and data-based histograms. Biometrika 66, 605-610.
    D. Freedman and P. Diaconis (1981), On the histogram as a density estimator: L2 theory.
    Zeitschrift fuer Wahrscheinlichkeitstheorie 57, 453-476.

    Examples
    --------
    >>> x = np.arange(1000.0)
    >>> [bin_count(x, rule) for rule in WIDTH_RULES]
    [11, 11, 32, 10, 10]
    """
    n = len(x)
    if rule in ("scott", "fd"):
        width = bin_width(x, rule)
        # Few values differ from one that half of the rows have: no spread says how wide a bin is.
        return int(min(ceil(np.ptp(x) / width), MAX_BINS)) if width > 0 else 1
    counts = {"sturges": sturges(n), "sqrt": ceil(sqrt(n)), "sturges_10": 1 + 10 / 3 * log10(n)}
    return ceil(counts[rule])


def bin_width(x: Floats, rule: str) -> float:
    """Return the width of bins by the spread, "scott" or "fd".

    Examples
    --------
    >>> bin_width(np.array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0]), "fd")  # 2 · 3.5 / 2
    3.5
    """
    if rule == "scott":
        return float((24 * np.sqrt(np.pi) / len(x)) ** (1 / 3) * x.std())
    low, high = np.quantile(x, [0.25, 0.75])
    return float(2 * (high - low) / np.cbrt(len(x)))
