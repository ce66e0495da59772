"""Messages of the stage, read with distrust: a browser can send anything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.problem import LARGEST

Bits = NDArray[np.bool_]


def finite(value: Any) -> float | None:
    """Return a number that the browser sent; None if it is none that can be used.

    Examples
    --------
    >>> finite(2), finite("2"), finite(float("nan")), finite(True)
    (2.0, None, None, None)
    """
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    # So written, NaN is none either.
    return float(value) if is_number and abs(value) <= LARGEST else None


def first_coordinate(message: Mapping[str, Any]) -> float | None:
    """Return the first coordinate of a message that is a number.

    Examples
    --------
    >>> first_coordinate({"x": None, "y": 2})
    2.0
    """
    numbers = (finite(message.get(axis)) for axis in "xy")
    return next((number for number in numbers if number is not None), None)


def place(message: Mapping[str, Any]) -> tuple[float, float] | None:
    """Return the place of a message, if it names one.

    Examples
    --------
    >>> place({"x": 1, "y": 2}), place({"x": 1})
    ((1.0, 2.0), None)
    """
    x, y = (finite(message.get(axis)) for axis in "xy")
    return None if x is None or y is None else (x, y)


def natural_number(value: Any) -> int | None:
    """Return a whole number from 0 on; None for anything else.

    Examples
    --------
    >>> natural_number(3), natural_number(-1), natural_number(True)
    (3, None, None)
    """
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    return value if is_whole and value >= 0 else None


def number_of(message: Any) -> int:
    """Return the number of a message, which the picture that answers it repeats.

    Examples
    --------
    >>> number_of({"number": 4}), number_of(None)
    (4, 0)
    """
    number = message.get("number") if isinstance(message, dict) else 0
    return number if isinstance(number, int) else 0


def value_of(message: Any) -> int | None:
    """Return the whole number that is the value of a message."""
    return natural_number(message.get("value")) if isinstance(message, dict) else None


def finite_points(raw: Any) -> NDArray[np.float64]:
    """Return the well-formed (x, y, class) triples of what the browser sent, shape (n, 3).

    Examples
    --------
    >>> finite_points([[1, 2, 0], [1, 2], "no"]).tolist()
    [[1.0, 2.0, 0.0]]
    """

    def is_usable(value: Any) -> bool:
        return isinstance(value, int | float) and abs(value) <= LARGEST

    listed = raw if isinstance(raw, list) else []
    good = [p for p in listed if isinstance(p, list) and len(p) == 3 and all(map(is_usable, p))]
    return np.asarray(good, float).reshape(-1, 3)


def cells_of(text: Any, shape: tuple[int, ...]) -> Bits | None:
    """Return the cells that the browser sent, a character each; None if the shape is another.

    Examples
    --------
    >>> cells_of("10", (1, 1, 2)).tolist(), cells_of("1", (1, 1, 2)), cells_of(7, (1, 1, 2))
    ([[[True, False]]], None, None)
    """
    if not isinstance(text, str) or len(text) != int(np.prod(shape)) or not set(text) <= {"0", "1"}:
        return None
    cells: Bits = np.array([cell == "1" for cell in text]).reshape(shape)
    return cells
