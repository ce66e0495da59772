"""Occlusion sensitivity: the fall of a class's probability where a square is covered."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.cnn.network import Network


def occlusion_map(
    network: Network, image: Floats, size: int = 2, code: int | None = None
) -> Floats:
    """Return the fall of a class's probability when a square around each pixel is set to zero.

    Parameters
    ----------
    network : Network
        The network.
    image : ndarray of shape (height, width)
        The image.
    size : int
        The side of the square, which the edge of the image cuts.
    code : int or None
        The number of the class; None for the one that the network predicts.

    Returns
    -------
    ndarray of shape (height, width)
        Positive where the square hides evidence for the class.

    Notes
    -----
    It takes a forward pass for each pixel.

    References
    ----------
    M. D. Zeiler and R. Fergus (2014), Visualizing and understanding convolutional networks, section
    4.2.
    """
    height, width = image.shape
    covered = np.repeat(image[None], height * width + 1, axis=0)
    for i in range(height * width):
        row, column = divmod(i, width)
        top, left = row - (size - 1) // 2, column - (size - 1) // 2
        covered[i + 1, max(top, 0) : top + size, max(left, 0) : left + size] = 0.0
    shares = network.forward(covered[..., None]).output
    code = int(shares[0].argmax()) if code is None else code
    drops: Floats = shares[0, code] - shares[1:, code]
    return drops.reshape(height, width)
