"""Images of the library: handwritten digits of scikit-learn, and a few pixels to code by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def digit(name: str) -> NDArray[np.uint8]:
    """Return the first picture of a digit, 8 x 8 grey values from 0 to 255.

    Examples
    --------
    >>> digit("3").shape
    (8, 8)
    """
    images, targets = _digits()
    return _grey(images[targets == int(name)][0])


def digit_sheet() -> NDArray[np.uint8]:
    """Return a sheet of digits, ten of each in a row, 80 x 80 grey values from 0 to 255.

    Examples
    --------
    >>> digit_sheet().shape
    (80, 80)
    """
    images, targets = _digits()
    rows = [np.hstack(list(images[targets == code][:10])) for code in range(10)]
    return _grey(np.vstack(rows))


def eight_greys() -> NDArray[np.uint8]:
    """Return eight grey pixels in two rows, dark ones above light ones, to be coded by hand.

    Examples
    --------
    >>> eight_greys().shape
    (2, 4)
    """
    return np.array([[0, 51, 51, 102], [153, 204, 204, 255]], np.uint8)


def _digits() -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    from sklearn.datasets import load_digits

    bunch: Any = load_digits()
    return bunch.images, bunch.target


def _grey(image: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return dark ink on white paper."""
    return (255 - image / 16 * 255).round().astype(np.uint8)
