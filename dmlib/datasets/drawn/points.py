"""Points that a person draws, and the short text by which they travel in a link."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dmlib.datasets.drawn.digits import DRAW_BOX, from_steps, read_digits, to_steps, write_digits
from dmlib.datasets.table import Table

MAX_POINTS = 300
MAX_CLASSES = 64

_LENGTH = 5  # digits of a point: 12 bits of x, 12 bits of y, 6 bits of class


def encode_points(points: Any) -> str:
    """Write points as text that needs no escaping in a link.

    Parameters
    ----------
    points : array-like of shape (n_points, 3)
        x and y in [0, 10], rounded to multiples of 1/400, and the number of the class, 0 to 63.

    Returns
    -------
    str
        Five characters a point: the 30 bits ``x << 18 | y << 6 | class`` (x and y in steps of
        1/400), six bits a character, highest first, in the alphabet of base64url.

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
    x, y = to_steps(P[:, :2]).T
    return write_digits(x << 18 | y << 6 | P[:, 2].astype(np.int64), _LENGTH)


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
    if len(text) > MAX_POINTS * _LENGTH:
        raise ValueError(
            f"The link holds {len(text) // _LENGTH} points; the limit is {MAX_POINTS}. Draw fewer"
            " points."
        )
    numbers = read_digits(text, _LENGTH, "points")
    places = from_steps(np.column_stack([numbers >> 18, numbers >> 6 & 4095]), "a point")
    return np.column_stack([places, numbers & 63])


def drawn_table(points: Any, *, numeric_target: bool = False) -> Table:
    """Return drawn points as a table.

    Parameters
    ----------
    points : array-like of shape (n_points, 3)
        x, y and the number of the class, as in `encode_points`.
    numeric_target : bool
        Whether the height y of a point is what is predicted, not its class.

    Returns
    -------
    Table
        Columns x, y and class, and the classes are named A, B, ...; or x and y, where y is the
        target.

    Raises
    ------
    ValueError
        As in `encode_points`.

    Examples
    --------
    >>> drawn_table([[1, 2, 0], [3, 4, 1]]).frame["class"].tolist()
    ['A', 'B']
    >>> drawn_table([[1, 2, 0], [3, 4, 0]], numeric_target=True).target
    'y'
    """
    P = _checked(points)
    frame = pd.DataFrame({"x": P[:, 0], "y": P[:, 1]})
    if not numeric_target:
        frame["class"] = [class_name(int(code)) for code in P[:, 2]]
    return Table(
        frame,
        {name: "nominal" if name == "class" else "numeric" for name in frame},
        name="drawn",
        title="Drawn points",
        description="Points that you drew.",
        target="y" if numeric_target else "class",
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
    P = (
        np.asarray(points, float).reshape(-1, 3)
        if np.size(points) == 0
        else np.asarray(points, float)
    )
    if P.ndim != 2 or P.shape[1] != 3:
        raise ValueError("Each point needs x, y and a class.")
    if len(P) > MAX_POINTS:
        raise ValueError(
            f"There are {len(P)} points; the limit is {MAX_POINTS}. Draw fewer points."
        )
    # Written so that NaN is refused too.
    if not ((P[:, :2] >= DRAW_BOX[0]) & (P[:, :2] <= DRAW_BOX[1])).all():
        raise ValueError(f"Each point must lie in the box from {DRAW_BOX[0]} to {DRAW_BOX[1]}.")
    if not np.isin(P[:, 2], np.arange(MAX_CLASSES)).all():
        raise ValueError(
            f"The class of a point must be a whole number from 0 to {MAX_CLASSES - 1}."
        )
    return P
