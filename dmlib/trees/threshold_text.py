"""Thresholds as text, with the digits that distinguish them."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
from numpy.typing import ArrayLike

MAX_DIGITS = 17
"""Significant digits that distinguish any two numbers in double precision."""

MAX_PLAIN = 16
"""Up to so many digits before the point, a number is written out; beyond as a power of ten."""


def threshold_text(
    threshold: float, x: ArrayLike | None = None, digits: int = 6, *, inclusive: bool = True
) -> str:
    """Return a threshold as text, with the fewest digits that separate the values of its column.

    A threshold that lies between two values is written so that it lies between them, too.

    Parameters
    ----------
    threshold : float
        Where the column is cut.
    x : array-like or None
        The values of the column; NaN does not count, nor what is the threshold but for rounding, as
        (1.2 + 1.4) / 2 and 1.3 are. None: the text is the threshold, but for rounding.
    digits : int
        How many digits it has at least, as far as they are not zeros at the end.
    inclusive : bool
        Whether a value that lies on the threshold is below it; else it is above.

    Examples
    --------
    >>> threshold_text(1 / 3, [0.0, 1.0]), threshold_text(1 / 3, [0.33333, 0.333334], 4)
    ('0.333333', '0.333333')
    >>> threshold_text(20180130.5, [20180130.0, 20180131.0])
    '20180130.5'
    >>> threshold_text(20180130.5, [2e7, 2.1e7], 4)
    '20180000'
    """
    if not inclusive:
        text = threshold_text(-threshold, None if x is None else -np.asarray(x, float), digits)
        return text[1:] if text.startswith("-") else f"-{text}"
    rounding = 4 * np.spacing(abs(threshold))
    low, high = threshold - rounding, threshold + rounding
    if x is not None:
        values = np.asarray(x, float)
        is_distinct = abs(values - threshold) > rounding
        values = values[(values == threshold) | is_distinct]
        low = float(values[values <= threshold].max(initial=-np.inf))
        high = float(values[values > threshold].min(initial=np.inf))
    for n in range(digits, MAX_DIGITS + 1):
        text = f"{threshold:.{n}g}"
        if threshold == low and float(text) < low:  # a value on the threshold must be below it
            last = Decimal(text).adjusted() - n + 1
            text = f"{float(Decimal(text) + Decimal(1).scaleb(last)):.{n}g}"
        value = float(text)
        if low < value < high or value == threshold == low:
            break
    return _plain(text)


def threshold_texts(
    thresholds: ArrayLike, x: ArrayLike | None = None, digits: int = 6, *, inclusive: bool = True
) -> list[str]:
    """Return ascending thresholds of one column as texts that separate its values and each other.

    Examples
    --------
    >>> threshold_texts([0.5, 2.0]), threshold_texts([20180130.5, 20180131.5])
    (['0.5', '2'], ['20180130.5', '20180131.5'])
    >>> threshold_texts([1 / 3, 2 / 3], [0.0, 1.0], 2)
    ['0.33', '0.67']
    >>> threshold_texts([1.2341, 1.2342], [0.0, 1.23415, 9.0], 2)
    ['1.2', '1.2342']
    """
    cuts = np.asarray(thresholds, float)
    values = None if x is None else np.append(np.asarray(x, float), (cuts[:-1] + cuts[1:]) / 2)
    return [threshold_text(cut, values, digits, inclusive=inclusive) for cut in cuts.tolist()]


def _plain(text: str) -> str:
    """Write a number out, unless it is very large or small."""
    power = text.partition("e")[2]
    if not power or not 0 <= int(power) < MAX_PLAIN:
        return text
    return f"{Decimal(text):f}"
