"""Dithering: the error of each pixel is spread over its neighbours."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.arrays import Floats
from dmlib.clustering.codes import nearest

SHARES = ((0, 1, 7 / 16), (1, -1, 3 / 16), (1, 0, 5 / 16), (1, 1, 1 / 16))
"""Rows down, columns to the right, and the share of the error that goes there (Floyd and Steinberg,
1976)."""
BAYER = np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]])
"""The order in which the pixels of a 4 x 4 square reach a threshold (Bayer, 1973)."""


def dither(
    image: ArrayLike, palette: ArrayLike, method: str = "floyd-steinberg"
) -> NDArray[np.int32]:
    """Return the colour of a palette for each pixel, so that areas keep their mean colour.

    Parameters
    ----------
    image : array-like of shape (height, width, channels)
        Values from 0 to 1.
    palette : array-like of shape (n_colors, channels)
        The colours.
    method : {"floyd-steinberg", "ordered", "none"}
        "floyd-steinberg" hands the error of each pixel on: 7/16 to the right, 3/16, 5/16 and 1/16
        to the three below; "ordered" adds a fixed 4 x 4 pattern before the nearest colour is taken;
        "none" takes the nearest colour.

    Returns
    -------
    ndarray of shape (height, width)
        Numbers of colours.

    Raises
    ------
    ValueError
        If there is no such method.

    Notes
    -----
    O(height width n_colors). Pixel (r, c) needs the errors of those before it in its row and of (r
    - 1, c + 1), so all pixels with equal c + 2 r are done at once.

    References
    ----------
    R. W. Floyd and L. Steinberg (1976), An adaptive algorithm for spatial greyscale.
    B. E. Bayer (1973), An optimum method for two-level rendition of continuous-tone pictures.

    Examples
    --------
    >>> grey = np.full((2, 4, 1), 0.5)
    >>> dither(grey, [[0.0], [1.0]]).tolist(), dither(grey, [[0.0], [1.0]], "none").tolist()
    ([[0, 1, 0, 1], [1, 0, 1, 0]], [[0, 0, 0, 0], [0, 0, 0, 0]])
    """
    pixels, colors = np.asarray(image, float), np.asarray(palette, float)
    if method == "floyd-steinberg":
        return _diffused(pixels, colors)
    if method not in ("ordered", "none"):
        raise ValueError(f"method must be floyd-steinberg, ordered or none; it was {method!r}.")
    height, width, channels = pixels.shape
    if method == "ordered":
        rows, columns = np.ogrid[:height, :width]
        pixels = (
            pixels + spread(colors) * ((BAYER[rows % 4, columns % 4] + 0.5) / 16 - 0.5)[..., None]
        )
    return nearest(pixels.reshape(-1, channels), colors).reshape(height, width)


def spread(palette: Floats) -> float:
    """Return the mean distance per channel of each colour of a palette to the nearest other."""
    if len(palette) < 2:
        return 0.0
    squares = ((palette[:, None] - palette[None]) ** 2).sum(axis=2)
    np.fill_diagonal(squares, np.inf)
    return float(np.sqrt(squares.min(axis=1) / palette.shape[1]).mean())


def _diffused(image: Floats, palette: Floats) -> NDArray[np.int32]:
    height, width, channels = image.shape
    # A margin takes what falls beside the image.
    waiting = np.zeros((height + 1, width + 2, channels))
    waiting[:height, 1:-1] = image
    codes = np.empty((height, width), np.int32)
    for wave in range(width + 2 * (height - 1)):
        rows = np.arange(max(0, -(-(wave - width + 1) // 2)), min(height - 1, wave // 2) + 1)
        columns = wave - 2 * rows
        # Errors that no colour can make good do not pile up.
        targets = np.clip(waiting[rows, columns + 1], 0.0, 1.0)
        chosen = nearest(targets, palette)
        codes[rows, columns] = chosen
        error = targets - palette[chosen]
        for down, right, share in SHARES:
            waiting[rows + down, columns + 1 + right] += share * error
    return codes
