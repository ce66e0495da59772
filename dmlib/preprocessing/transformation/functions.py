"""Simple functions of a column: powers, the root, the exponential, the reciprocal and the sine."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from dmlib.arrays import Floats

FUNCTIONS: Mapping[str, str] = {
    "exponent": "power x^p",
    "sqrt": "square root",
    "exp": "exponential e^x",
    "reciprocal": "reciprocal 1 / x",
    "sin": "sine",
}
LARGEST = 500.0  # of an exponent: squares of its exponential have a computer number


def apply(x: Floats, function: str, p: float) -> Floats:
    """Return the function of numbers; ``p`` is the exponent of a power.

    Raises
    ------
    ValueError
        If a number has no such value; the sentence says which.

    Examples
    --------
    >>> apply(np.array([1.0, 4.0]), "reciprocal", 1.0).tolist()
    [1.0, 0.25]
    >>> apply(np.array([2.0, 3.0]), "exponent", 2.0).tolist()
    [4.0, 9.0]
    """
    if reason := refusal(x, function, p):
        raise ValueError(f"The {FUNCTIONS[function]} {reason}. Choose another scale.")
    if function == "exponent":
        return np.asarray(np.power(x, p))
    if function == "reciprocal":
        return 1 / x
    return np.asarray({"sqrt": np.sqrt, "exp": np.exp, "sin": np.sin}[function](x))


def undo(z: Floats, function: str, p: float) -> Floats:
    """Return the numbers of which these are functions; of even powers the positive ones.

    Raises
    ------
    ValueError
        If many numbers have the same value.

    Examples
    --------
    >>> undo(np.array([4.0, 9.0]), "exponent", 2.0).tolist()
    [2.0, 3.0]
    """
    if function == "sin" or (function == "exponent" and p == 0):
        raise ValueError(
            f"Many numbers have the same {FUNCTIONS[function]}, so it cannot be undone. Choose"
            " another scale."
        )
    if function == "exponent":
        is_odd = p % 2 == 1
        return np.asarray((np.sign(z) if is_odd else 1.0) * np.power(np.abs(z), 1 / p))
    if function == "reciprocal":
        return 1 / z
    return np.asarray({"sqrt": np.square, "exp": np.log}[function](z))


def refusal(x: Floats, function: str, p: float) -> str:
    """Return why numbers have no such value, as the end of a sentence; nothing if they have.

    Examples
    --------
    >>> refusal(np.array([0.0, 2.0]), "reciprocal", 1.0)
    'needs numbers other than 0'
    """
    is_root = function == "sqrt" or (function == "exponent" and p % 1 != 0)
    if is_root and x.min() < 0:
        return f"needs numbers from 0, not {x.min():g}"
    is_quotient = function == "reciprocal" or (function == "exponent" and p < 0)
    if is_quotient and (x == 0).any():
        return "needs numbers other than 0"
    if function == "exp" and x.max() > LARGEST:
        return f"is too large for a computer number at {x.max():g}"
    return ""
