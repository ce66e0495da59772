"""An image made ready for an algorithm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.cached import cached_property
from dmlib.problem.table import Query
from dmlib.problem.undivided import Undivided

LONGEST_SIDE = 128
"""Larger images are reduced to so many pixels along their longer side."""

LUMA = (0.299, 0.587, 0.114)  # ITU-R BT.601: how bright red, green and blue are seen


@dataclass(frozen=True, eq=False)
class ImageProblem(Undivided):
    """An image made ready for an algorithm.

    Attributes
    ----------
    pixels : ndarray of shape (height, width) or (height, width, 3)
        Grey values, or red, green and blue, from 0 to 1.
    name : str
        What it is called.
    notes : tuple of str
        What was done to the data, one sentence each.
    """

    pixels: NDArray[np.float64]
    name: str = "image"
    notes: tuple[str, ...] = ()

    @property
    def data(self) -> NDArray[np.float64]:
        """The pixels, shape (height, width, 1 or 3)."""
        return np.atleast_3d(self.pixels)

    @property
    def arguments(self) -> tuple[NDArray[np.float64]]:
        """Arguments of ``fit`` and ``steps``."""
        return (self.data,)

    @property
    def colour(self) -> bool:
        """Whether the pixels have colours."""
        return self.pixels.ndim == 3

    @property
    def height(self) -> int:
        """Number of rows of pixels."""
        return len(self.pixels)

    @property
    def width(self) -> int:
        """Number of columns of pixels."""
        return int(self.pixels.shape[1])

    @cached_property
    def samples(self) -> NDArray[np.float64]:
        """The pixels as rows of a table, row by row from the top left, shape (n_pixels, 1 or 3)."""
        return self.pixels.reshape(self.height * self.width, -1)

    @cached_property
    def grey(self) -> NDArray[np.float64]:
        """The brightness of each pixel, shape (height, width)."""
        return self.pixels @ np.array(LUMA) if self.colour else self.pixels

    def query(
        self, place: tuple[float, float] | None = None, *, sample: int | None = None
    ) -> Query:
        """Return the pixel at a place, or with a number; by default the middle one."""
        if sample is None:
            x, y = (self.width / 2, self.height / 2) if place is None else place
            column = min(max(int(x), 0), self.width - 1)
            row = self.height - 1 - min(max(int(y), 0), self.height - 1)
            sample = row * self.width + column
        row, column = divmod(sample, self.width)
        return Query(self.samples[sample], (column + 0.5, self.height - row - 0.5), sample)

    @property
    def rows(self) -> NDArray[np.intp]:
        """Number of each pixel, row by row from the top left."""
        return np.arange(self.height * self.width)

    @property
    def labels(self) -> list[str]:
        """The tooltip of each pixel."""
        return [f"row {i // self.width + 1}, column {i % self.width + 1}" for i in self.rows]


def prepare_image(
    pixels: ArrayLike, *, name: str = "image", max_side: int = LONGEST_SIDE
) -> ImageProblem:
    """Reduce an image to a size that can be shown step by step, with values from 0 to 1.

    Parameters
    ----------
    pixels : array-like of shape (height, width) or (height, width, 3)
        Whole numbers from 0 to 255, or real ones from 0 to 1.
    name : str
        What it is called.
    max_side : int
        The longest side that is kept; a larger image is reduced by a whole number, each pixel the
        mean of a square.

    Returns
    -------
    ImageProblem
        What the algorithm gets.

    Raises
    ------
    ValueError
        If the array is no image, or a value is out of range.

    Examples
    --------
    >>> prepare_image([[0, 255], [255, 0]], max_side=1).pixels.tolist()
    [[0.5]]
    """
    image = np.asarray(pixels)
    if image.ndim not in (2, 3) or (image.ndim == 3 and image.shape[2] != 3) or not image.size:
        raise ValueError(
            "An image is an array of rows of grey values, or of red, green and blue. Choose another"
            " one."
        )
    values = image / 255.0 if image.dtype.kind in "iu" else image.astype(float)
    if not ((values >= 0) & (values <= 1)).all():
        raise ValueError(
            "The values of an image go from 0 to 255, or from 0 to 1. Choose another one."
        )
    height, width = values.shape[:2]
    factor = -(-max(height, width) // max_side)
    if factor == 1:
        return ImageProblem(values, name)
    rows, columns = max(height // factor, 1), max(width // factor, 1)
    row_starts, column_starts = np.arange(rows) * factor, np.arange(columns) * factor
    covered = values[: rows * factor, : columns * factor]
    sums = np.add.reduceat(np.add.reduceat(covered, row_starts, axis=0), column_starts, axis=1)
    tall, wide = min(factor, height), min(factor, width)
    note = (
        f"The image of {width} x {height} pixels is reduced to {columns} x {rows}, each the mean of"
        " a square."
    )
    return ImageProblem(np.clip(sums / (tall * wide), 0.0, 1.0), name, (note,))
