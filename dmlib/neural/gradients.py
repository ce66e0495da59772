"""Numerical gradients, against which back-propagation is checked, on the screen and in tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from dmlib.arrays import Floats

STEP = 1e-5  # near the cube root of the rounding error, where central differences are most exact


def numerical_gradient(
    function: Callable[[], float], arrays: Sequence[Floats], step: float = STEP
) -> list[Floats]:
    """Return the derivatives of a number by the entries of arrays, by central differences.

    Parameters
    ----------
    function : callable
        Computes the number from the arrays as they are; they are changed in place, entry by entry,
        and put back.
    arrays : sequence of ndarray
        The weights.
    step : float
        How far each entry is moved, both ways.

    Returns
    -------
    list of ndarray
        One like each array. It costs two calls of the function per entry.

    Examples
    --------
    >>> w = np.array([3.0])
    >>> numerical_gradient(lambda: float(w[0] ** 2), [w])[0].round(6).tolist()
    [6.0]
    """
    gradients = []
    for array in arrays:
        gradient = np.zeros_like(array)
        for index in np.ndindex(array.shape):
            value = array[index]
            array[index] = value + step
            above = function()
            array[index] = value - step
            below = function()
            array[index] = value
            gradient[index] = (above - below) / (2 * step)
        gradients.append(gradient)
    return gradients
