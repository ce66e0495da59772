"""Convolution and pooling, of one image and in layers, forwards and backwards: pure functions.

Layers have their channels last: a batch has the shape (n_images, height, width, channels).
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import ArrayLike, NDArray

from dmlib.arrays import Floats


def output_size(
    size: int, kernel: int, stride: int = 1, padding: int = 0, dilation: int = 1
) -> int:
    """Return the number of places of a kernel along one side; 0 if it does not fit.

    Examples
    --------
    >>> output_size(8, 3), output_size(8, 3, padding=1)
    (6, 8)
    >>> output_size(8, 3, stride=2), output_size(8, 3, dilation=2)
    (3, 4)
    """
    span = dilation * (kernel - 1) + 1
    return max((size + 2 * padding - span) // stride + 1, 0)


def convolve2d(
    image: ArrayLike,
    kernel: ArrayLike,
    *,
    stride: int = 1,
    padding: int = 0,
    dilation: int = 1,
    flip: bool = False,
) -> Floats:
    r"""Return the weighted sums of an image under a kernel at each of its places.

    At row r and column c of the output, :math:`\sum_{i,j} k_{ij} \, x_{s r + d i, \, s c + d j}`
    for the padded image x, the stride s and the dilation d.

    Parameters
    ----------
    image : array-like of shape (height, width)
        The image.
    kernel : array-like of shape (rows, columns)
        The weights.
    stride : int
        The pixels by which the kernel moves.
    padding : int
        The rows and columns of zeros around the image, on each side.
    dilation : int
        The distance of neighbouring weights in pixels: 1 for adjacent pixels.
    flip : bool
        Whether the kernel is turned by 180 degrees first. Networks do not: their convolution is
        cross-correlation, ``scipy.signal.correlate2d``; with ``flip`` it is
        ``scipy.signal.convolve2d``.

    Returns
    -------
    ndarray of shape (n_rows, n_columns)
        The sums: see :func:`output_size`.

    Raises
    ------
    ValueError
        If the kernel does not fit into the padded image, or a number is out of range.

    Notes
    -----
    O(output x kernel).

    References
    ----------
    V. Dumoulin and F. Visin (2016), A guide to convolution arithmetic for deep learning.

    Examples
    --------
    >>> convolve2d([[1, 2, 3], [4, 5, 6], [7, 8, 9]], [[1, 0], [0, -1]]).tolist()
    [[-4.0, -4.0], [-4.0, -4.0]]
    """
    x, k = (np.asarray(values, float) for values in (image, kernel))
    if x.ndim != 2 or k.ndim != 2 or not k.size:
        raise ValueError("Image and kernel have rows and columns. Give arrays of two dimensions.")
    if stride < 1 or dilation < 1 or padding < 0:
        raise ValueError("Stride and dilation are at least 1, the padding at least 0.")
    if flip:
        k = k[::-1, ::-1]
    sums: Floats = np.einsum(
        "rcij,ij->rc", _windows(np.pad(x, padding), k.shape, stride, dilation), k
    )
    return sums


def max_pool2d(image: ArrayLike, size: int = 2, *, stride: int | None = None) -> Floats:
    """Return the largest pixel of each window of an image.

    Parameters
    ----------
    image : array-like of shape (height, width)
        The image.
    size : int
        The side of a window.
    stride : int or None
        The pixels by which the window moves; None means its side: windows do not overlap.

    Returns
    -------
    ndarray of shape (n_rows, n_columns)
        The largest values; rows and columns that fill no window are left out.

    Raises
    ------
    ValueError
        If the window does not fit into the image.

    Examples
    --------
    >>> max_pool2d([[1, 2, 0, 1], [3, 4, 1, 0]]).tolist()
    [[4.0, 1.0]]
    """
    pooled: Floats = pool_windows(image, size, stride).max(axis=(2, 3))
    return pooled


def average_pool2d(image: ArrayLike, size: int = 2, *, stride: int | None = None) -> Floats:
    """Return the mean pixel of each window of an image.

    The parameters are those of :func:`max_pool2d`.

    Examples
    --------
    >>> average_pool2d([[1, 2, 0, 1], [3, 4, 1, 0]]).tolist()
    [[2.5, 0.5]]
    """
    pooled: Floats = pool_windows(image, size, stride).mean(axis=(2, 3))
    return pooled


def pool_windows(image: ArrayLike, size: int, stride: int | None = None) -> Floats:
    """Return the windows of a pooling, shape (n_rows, n_columns, size, size)."""
    if size < 1 or (stride is not None and stride < 1):
        raise ValueError("The window and its stride are at least 1.")
    return _windows(np.asarray(image, float), (size, size), size if stride is None else stride, 1)


def _windows(x: Floats, shape: tuple[int, ...], stride: int, dilation: int) -> Floats:
    spans = tuple(dilation * (side - 1) + 1 for side in shape)
    if any(span > side for span, side in zip(spans, x.shape, strict=True)):
        size = f"{spans[0]} x {spans[1]}"
        raise ValueError(
            f"A window of {size} pixels does not fit into {x.shape[0]} x {x.shape[1]}. Pad the"
            " image."
        )
    windows: Floats = sliding_window_view(x, spans)[::stride, ::stride, ::dilation, ::dilation]
    return windows


# --- layers ---------------------------------------------------------------------------------------


def columns(A: Floats, size: int) -> Floats:
    """Return the patch around each pixel as a row: the matrix by which a convolution is a product.

    Its shape is (n * height * width, size * size * channels): the images are padded with zeros, so
    that there are as many patches as pixels.
    """
    n, height, width, channels = A.shape
    before, after = (size - 1) // 2, size // 2
    padded = np.pad(A, ((0, 0), (before, after), (before, after), (0, 0)))
    patches = sliding_window_view(padded, (size, size), axis=(1, 2)).transpose(0, 1, 2, 4, 5, 3)
    return patches.reshape(n * height * width, size * size * channels)


def from_columns(rows: Floats, shape: tuple[int, ...], size: int) -> Floats:
    """Add patches to the pixels that they cover: the transpose of :func:`columns`."""
    n, height, width, channels = shape
    before = (size - 1) // 2
    patches = rows.reshape(n, height, width, size, size, channels)
    padded = np.zeros((n, height + size - 1, width + size - 1, channels))
    for i in range(size):
        for j in range(size):
            padded[:, i : i + height, j : j + width] += patches[:, :, :, i, j]
    return padded[:, before : before + height, before : before + width]


def pool(A: Floats, size: int) -> tuple[Floats, NDArray[np.intp]]:
    """Return the largest value of each window and its index, shape (n, rows, columns, channels).

    A window that reaches over the edge is smaller.
    """
    n, height, width, channels = A.shape
    down, across = -(-height // size), -(-width // size)
    gaps = ((0, 0), (0, down * size - height), (0, across * size - width), (0, 0))
    padded = np.pad(A, gaps, constant_values=-np.inf)
    windows = padded.reshape(n, down, size, across, size, channels).transpose(0, 1, 3, 5, 2, 4)
    flat = windows.reshape(n, down, across, channels, size * size)
    index = flat.argmax(axis=4)
    return np.take_along_axis(flat, index[..., None], axis=4)[..., 0], index


def unpool(slopes: Floats, index: NDArray[np.intp], shape: tuple[int, ...], size: int) -> Floats:
    """Return derivatives by pixels, from those by pooled values: the transpose of :func:`pool`."""
    n, down, across, channels = slopes.shape
    flat = np.zeros((n, down, across, channels, size * size))
    np.put_along_axis(flat, index[..., None], slopes[..., None], axis=4)
    windows = flat.reshape(n, down, across, channels, size, size).transpose(0, 1, 4, 2, 5, 3)
    return windows.reshape(n, down * size, across * size, channels)[:, : shape[1], : shape[2]]
