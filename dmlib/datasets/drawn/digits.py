"""Numbers as text that needs no escaping in a link: digits to the base 64."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

DRAW_BOX = (0, 10)
DRAW_STEP = 1 / 400
STEPS = round((DRAW_BOX[1] - DRAW_BOX[0]) / DRAW_STEP)
DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
ADVICE = "Draw again, or ask for the whole link."


def write_digits(numbers: ArrayLike, length: int) -> str:
    """Write whole numbers with so many digits each, the highest first.

    Examples
    --------
    >>> write_digits([0, 65], 2)
    'AABB'
    """
    shifts = np.arange(6 * (length - 1), -1, -6)
    return "".join(
        DIGITS[digit]
        for digit in (np.asarray(numbers, np.int64).reshape(-1, 1) >> shifts & 63).ravel()
    )


def read_digits(text: str, length: int, what: str) -> NDArray[np.int64]:
    """Read whole numbers of so many digits each.

    Raises
    ------
    ValueError
        If a character is no digit, or a number is incomplete; ``what`` says what they are in the
        sentence.

    Examples
    --------
    >>> read_digits("AABB", 2, "points").tolist()
    [0, 65]
    """
    if len(text) % length:
        raise ValueError(f"The {what} in the link are incomplete. {ADVICE}")
    if not set(text) <= set(DIGITS):
        raise ValueError(f"The {what} in the link cannot be read. {ADVICE}")
    digits = np.array([DIGITS.index(letter) for letter in text], np.int64).reshape(-1, length)
    numbers: NDArray[np.int64] = (digits << np.arange(6 * (length - 1), -1, -6)).sum(axis=1)
    return numbers


def to_steps(values: ArrayLike) -> NDArray[np.int64]:
    """Return coordinates in the box as whole numbers of steps."""
    return np.rint((np.asarray(values, float) - DRAW_BOX[0]) / DRAW_STEP).astype(np.int64)


def from_steps(steps: NDArray[np.int64], what: str) -> NDArray[np.float64]:
    """Return whole numbers of steps as coordinates in the box.

    Raises
    ------
    ValueError
        If one is outside the box; ``what`` says what in the sentence.
    """
    if (steps > STEPS).any():
        raise ValueError(f"The link holds {what} outside the drawing. {ADVICE}")
    return DRAW_BOX[0] + steps / (1 / DRAW_STEP)
