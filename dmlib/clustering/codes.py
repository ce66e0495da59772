"""Images as rows of colours or patches: decoded image, error and bits of a code book."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_array
from sklearn.utils.validation import validate_data

from dmlib.arrays import Floats

Shape = tuple[int, ...]

ROUNDING = 1e-28  # of squared errors: what a mean of equal numbers may differ from them by
CHANNEL_BITS = 8  # of one number of a pixel, as files have it


class Fidelity(NamedTuple):
    """How well a code book does, and at what cost.

    Attributes
    ----------
    mse : float
        The mean squared error of a number, values going from 0 to 1.
    psnr : float
        The peak signal-to-noise ratio in decibels; infinite without an error.
    bits_per_pixel : float
        Bits of the codes over pixels (of a table: rows), without the code book.
    ratio : float
        The original bits, at 8 a number, over those of codes and code book.
    """

    mse: float
    psnr: float
    bits_per_pixel: float
    ratio: float


def psnr(image: ArrayLike, reconstruction: ArrayLike, peak: float = 1.0) -> float:
    r"""Return the peak signal-to-noise ratio (PSNR) of two images in decibels.

    It is :math:`10 \log_{10}(peak^2 / MSE)`.

    Parameters
    ----------
    image, reconstruction : array-like of equal shape
        The original and what was made of it.
    peak : float
        The largest possible value: 1.0, or 255 for bytes.

    Returns
    -------
    float
        Infinite for equal images.

    Examples
    --------
    >>> psnr([0.0, 1.0], [0.1, 0.9])
    20.0
    """
    mse = float(np.mean((np.asarray(image, float) - np.asarray(reconstruction, float)) ** 2))
    return decibels(mse, peak)


def decibels(mse: float, peak: float = 1.0) -> float:
    """Return the peak signal-to-noise ratio of a mean squared error."""
    if mse <= peak**2 * ROUNDING:
        return float("inf")
    return float(round(10 * np.log10(peak**2 / mse), 10))


def code_bits(n_codes: int) -> int:
    """Return the bits of a code, one of ``n_codes``.

    Examples
    --------
    >>> [code_bits(k) for k in (1, 2, 5, 16)]
    [0, 1, 3, 4]
    """
    return int(n_codes - 1).bit_length()


def dimensions(X: Any) -> int:
    """Return the number of dimensions of an array, or of what can be made one."""
    return int(X.ndim if hasattr(X, "ndim") else np.asarray(X).ndim)


def code_rows(estimator: Any, X: Any, *, reset: bool) -> tuple[Floats, Shape]:
    """Return the rows that an estimator works on, and the shape of what they come from.

    A table has its own rows. Of an image, shape (height, width, channels), they are the patches of
    ``estimator.patch`` by so many pixels, row by row from the top left; where the last ones reach
    over the edge, its pixels are repeated.
    """
    patch = getattr(estimator, "patch", 1)
    if dimensions(X) != 3:
        if patch > 1:
            raise ValueError(
                "Patches are cut from an image of shape (height, width, channels). Set patch to 1."
            )
        rows: Floats = validate_data(estimator, X, dtype=np.float64, reset=reset)
        return rows, rows.shape
    image = check_array(X, dtype=np.float64, allow_nd=True)
    rows = patches(image, patch)
    if reset:
        estimator.n_features_in_ = rows.shape[1]
    elif estimator.n_features_in_ != rows.shape[1]:
        raise ValueError(
            f"A code has {estimator.n_features_in_} numbers, a patch of this image {rows.shape[1]}."
        )
    return rows, image.shape


def patches(image: Floats, patch: int) -> Floats:
    """Return the patches of an image as rows, shape (n_patches, patch * patch * channels).

    A patch gives its pixels row by row.

    Examples
    --------
    >>> patches(np.arange(8.0).reshape(2, 4, 1), 2).tolist()
    [[0.0, 1.0, 4.0, 5.0], [2.0, 3.0, 6.0, 7.0]]
    """
    height, width, channels = image.shape
    padded = np.pad(image, ((0, -height % patch), (0, -width % patch), (0, 0)), mode="edge")
    down, across = padded.shape[0] // patch, padded.shape[1] // patch
    blocks = padded.reshape(down, patch, across, patch, channels).swapaxes(1, 2)
    return blocks.reshape(down * across, patch * patch * channels)


def decode(labels: ArrayLike, codebook: ArrayLike, shape: Sequence[int], patch: int = 1) -> Floats:
    """Return the image that codes stand for: each patch is its row of the code book.

    Parameters
    ----------
    labels : array-like of shape (n_patches,)
        The code of each patch, row by row from the top left.
    codebook : array-like of shape (n_codes, patch * patch * channels)
        What the codes stand for.
    shape : sequence of int
        (height, width, channels) of the image; of a table, the shape of the table.
    patch : int
        Pixels along the side of a patch.

    Returns
    -------
    ndarray of this shape
        The image.

    Examples
    --------
    >>> decode([1, 0], [[0.0], [0.5]], (1, 2, 1)).tolist()
    [[[0.5], [0.0]]]
    """
    rows: Floats = np.asarray(codebook, float)[np.asarray(labels)]
    if len(shape) == 2:
        return rows
    height, width, channels = shape
    down, across = -(-height // patch), -(-width // patch)
    blocks = rows.reshape(down, across, patch, patch, channels).swapaxes(1, 2)
    image: Floats = blocks.reshape(down * patch, across * patch, channels)[:height, :width]
    return image


def fidelity(
    rows: Floats, labels: NDArray[Any], codebook: Floats, shape: Shape, patch: int = 1
) -> Fidelity:
    """Return error and size of rows, or of the image that they come from, coded by a code book."""
    lost = rows - codebook.take(labels, axis=0)
    # Patches may reach over the edge of the image, where there is nothing to lose.
    if lost.size != math.prod(shape):
        lost = decode(np.arange(len(lost)), lost, shape, patch)
    mse = float(np.square(lost, out=lost).mean())
    bits = len(rows) * code_bits(len(codebook))
    numbers = lost.size
    pixels = numbers // shape[-1] if len(shape) == 3 else len(rows)
    stored = bits + CHANNEL_BITS * codebook.size
    return Fidelity(mse, decibels(mse), bits / pixels, CHANNEL_BITS * numbers / stored)


def nearest(rows: Floats, codebook: Floats) -> NDArray[np.int32]:
    """Return the nearest code of each row; ties go to the lower number.

    Examples
    --------
    >>> nearest(np.array([[0.0], [0.4], [1.0]]), np.array([[0.0], [1.0]])).tolist()
    [0, 0, 1]
    """
    offset = codebook.mean(axis=0)
    centred = codebook - offset
    scores = (centred**2).sum(axis=1) - 2 * (rows - offset) @ centred.T
    labels: NDArray[np.int32] = scores.argmin(axis=1).astype(np.int32)
    return labels
