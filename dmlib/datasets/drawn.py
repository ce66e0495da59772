"""Points that a person draws, and the short text by which they travel in a link."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dmlib.datasets.table import Table

DRAW_BOX = (0, 10)
DRAW_STEP = 1 / 400
MAX_POINTS = 300
MAX_CLASSES = 64

# One point is five digits to the base 64, the first the highest: 12 bits of x, 12 bits of y, 6 bits of class.
_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_LENGTH = 5
_SHIFTS = np.arange(24, -1, -6)
_STEPS = round((DRAW_BOX[1] - DRAW_BOX[0]) / DRAW_STEP)


def encode_points(points: Any) -> str:
    """Write points as text that needs no escaping in a link.

    Parameters
    ----------
    points : array-like of shape (n_points, 3)
        x and y in [0, 10], rounded to multiples of 1/400, and the number of the class, 0 to 63.

    Returns
    -------
    str
        Five characters a point: the 30 bits ``x << 18 | y << 6 | class`` (x and y in steps of 1/400), six bits a
        character, highest first, in the alphabet of base64url.

    Raises
    ------
    ValueError
        If there are more than 300 points, or one is outside the box or has another class.

    Examples
    --------
    >>> encode_points([[0, 0, 0], [10, 2.5, 1]])
    'AAAAA-gPoB'
    """
    P = _checked(points)
    steps = np.rint((P[:, :2] - DRAW_BOX[0]) / DRAW_STEP).astype(np.int64)
    numbers = steps[:, 0] << 18 | steps[:, 1] << 6 | P[:, 2].astype(np.int64)
    return "".join(_DIGITS[digit] for digit in (numbers[:, None] >> _SHIFTS & 63).ravel())


def decode_points(text: str) -> NDArray[np.float64]:
    """Read points from the text in a link.

    Parameters
    ----------
    text : str
        What `encode_points` wrote.

    Returns
    -------
    ndarray of shape (n_points, 3)
        x, y and the number of the class.

    Raises
    ------
    ValueError
        If the text is not such a text.

    Examples
    --------
    >>> decode_points("AAAAA-gPoB").tolist()
    [[0.0, 0.0, 0.0], [10.0, 2.5, 1.0]]
    """
    again = "Draw them again, or ask for the whole link."
    if len(text) % _LENGTH:
        raise ValueError(f"The points in the link are incomplete. {again}")
    if len(text) > MAX_POINTS * _LENGTH:
        raise ValueError(f"The link holds {len(text) // _LENGTH} points; the limit is {MAX_POINTS}. Draw fewer points.")
    if not set(text) <= set(_DIGITS):
        raise ValueError(f"The points in the link cannot be read. {again}")
    digits = np.array([_DIGITS.index(letter) for letter in text], np.int64).reshape(-1, _LENGTH)
    numbers = (digits << _SHIFTS).sum(axis=1)
    steps = np.column_stack([numbers >> 18, numbers >> 6 & 4095])
    if (steps > _STEPS).any():
        raise ValueError(f"The link holds a point outside the drawing. {again}")
    return np.column_stack([DRAW_BOX[0] + steps / (1 / DRAW_STEP), numbers & 63])


def drawn(points: Any) -> Table:
    """Return drawn points as a table.

    Parameters
    ----------
    points : array-like of shape (n_points, 3)
        x, y and the number of the class, as in `encode_points`.

    Returns
    -------
    Table
        Columns x, y and class; the classes are named A, B, ...

    Raises
    ------
    ValueError
        As in `encode_points`.

    Examples
    --------
    >>> drawn([[1, 2, 0], [3, 4, 1]]).frame["class"].tolist()
    ['A', 'B']
    """
    P = _checked(points)
    frame = pd.DataFrame({"x": P[:, 0], "y": P[:, 1], "class": [class_name(int(code)) for code in P[:, 2]]})
    return Table(
        frame,
        {"x": "numeric", "y": "numeric", "class": "nominal"},
        name="drawn",
        title="Drawn points",
        description="Points that you drew.",
        target="class",
        source="Drawn by hand.",
        licence="Yours.",
    )


def class_name(code: int) -> str:
    """Return the name of a class: A to Z, then AA, AB, ...

    Examples
    --------
    >>> class_name(0), class_name(25), class_name(26)
    ('A', 'Z', 'AA')
    """
    return (class_name(code // 26 - 1) if code >= 26 else "") + chr(ord("A") + code % 26)


def _checked(points: Any) -> NDArray[np.float64]:
    P = np.asarray(points, float).reshape(-1, 3) if np.size(points) == 0 else np.asarray(points, float)
    if P.ndim != 2 or P.shape[1] != 3:
        raise ValueError("Each point needs x, y and a class.")
    if len(P) > MAX_POINTS:
        raise ValueError(f"There are {len(P)} points; the limit is {MAX_POINTS}. Draw fewer points.")
    # Written so that NaN is refused too.
    if not ((P[:, :2] >= DRAW_BOX[0]) & (P[:, :2] <= DRAW_BOX[1])).all():
        raise ValueError(f"Each point must lie in the box from {DRAW_BOX[0]} to {DRAW_BOX[1]}.")
    if not np.isin(P[:, 2], np.arange(MAX_CLASSES)).all():
        raise ValueError(f"The class of a point must be a whole number from 0 to {MAX_CLASSES - 1}.")
    return P
