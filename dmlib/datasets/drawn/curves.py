"""One or two series that a person draws."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.datasets.containers import SeriesData
from dmlib.datasets.drawn.digits import (
    ADVICE,
    DRAW_BOX,
    from_steps,
    read_digits,
    to_steps,
    write_digits,
)

MAX_VALUES = 300
MAX_CURVES = 2

_LENGTH = 2  # digits of a value: 12 bits
_BETWEEN = "."


def encode_curves(curves: Sequence[ArrayLike]) -> str:
    """Write one or two series as text that needs no escaping in a link.

    Parameters
    ----------
    curves : sequence of array-like of shape (n_values,)
        Values in [0, 10] at times 0, 1, 2, ..., rounded to multiples of 1/400.

    Returns
    -------
    str
        Two characters a value, in the alphabet of base64url; a full stop between two series.

    Raises
    ------
    ValueError
        If there are not one or two series, one is empty or has more than 300 values, or a value is
        outside the box.

    Examples
    --------
    >>> encode_curves([[0, 10], [2.5]])
    'AA-g.Po'
    """
    return _BETWEEN.join(write_digits(to_steps(curve), _LENGTH) for curve in _checked(curves))


def decode_curves(text: str) -> list[NDArray[np.float64]]:
    """Read one or two series from the text in a link.

    Parameters
    ----------
    text : str
        What `encode_curves` wrote.

    Returns
    -------
    list of ndarray of shape (n_values,)
        The values of each.

    Raises
    ------
    ValueError
        If the text is not such a text.

    Examples
    --------
    >>> [curve.tolist() for curve in decode_curves("AA-g.Po")]
    [[0.0, 10.0], [2.5]]
    """
    if len(text) > MAX_CURVES * (_LENGTH * MAX_VALUES + 1):
        raise ValueError(
            f"The link holds more than {MAX_CURVES} series of {MAX_VALUES} values. Draw shorter"
            " ones."
        )
    parts = text.split(_BETWEEN)
    if len(parts) > MAX_CURVES or not all(parts):
        raise ValueError(f"The series in the link are incomplete. {ADVICE}")
    return _checked([from_steps(read_digits(part, _LENGTH, "series"), "a value") for part in parts])


def drawn_series(curves: Sequence[ArrayLike]) -> SeriesData:
    """Return drawn curves as series.

    Parameters
    ----------
    curves : sequence of array-like of shape (n_values,)
        As in `encode_curves`.

    Returns
    -------
    SeriesData
        The series a and b.

    Raises
    ------
    ValueError
        As in `encode_curves`.

    Examples
    --------
    >>> drawn_series([[1, 2, 3]]).names
    ('a',)
    """
    values = tuple(_checked(curves))
    times = tuple(np.arange(len(curve), dtype=float) for curve in values)
    return SeriesData(
        values,
        ("a", "b")[: len(values)],
        times,
        name="drawn",
        title="Drawn series",
        description="Series that you drew.",
        source="Drawn by hand.",
        licence="Yours.",
    )


def _checked(curves: Sequence[ArrayLike]) -> list[NDArray[np.float64]]:
    arrays = [np.asarray(curve, float) for curve in curves]
    if not 1 <= len(arrays) <= MAX_CURVES or any(
        array.ndim != 1 or not array.size for array in arrays
    ):
        raise ValueError(f"One or {MAX_CURVES} series of values are needed. Draw a curve.")
    if max(map(len, arrays)) > MAX_VALUES:
        raise ValueError(
            f"A series has {max(map(len, arrays))} values; the limit is {MAX_VALUES}. Draw a"
            " shorter one."
        )
    # Written so that NaN is refused too.
    if not all(((array >= DRAW_BOX[0]) & (array <= DRAW_BOX[1])).all() for array in arrays):
        raise ValueError(f"Each value must lie between {DRAW_BOX[0]} and {DRAW_BOX[1]}.")
    return arrays
