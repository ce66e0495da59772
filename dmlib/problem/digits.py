"""A picture that a network looks at, with the handwritten digits that the network learns from."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.cached import cached_property
from dmlib.problem.image import LONGEST_SIDE, ImageProblem, prepare_image

SIDE = 8  # pixels of a digit
TRAINING = 500  # digits that a network learns from
TEST = 500  # digits after them, on which it is tested


@dataclass(frozen=True, eq=False)
class DigitsProblem(ImageProblem):
    """A picture, and digits with classes.

    Attributes
    ----------
    images : ndarray of shape (n_digits, 8, 8)
        Digits to learn from: how much ink is in each pixel, from 0 to 1.
    y : ndarray of shape (n_digits,)
        Which digit each is.
    held_out : tuple of (ndarray, ndarray) or None
        Digits that nobody learns from, and which they are.
    classes : tuple of str
        Names of the classes.
    """

    images: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, SIDE, SIDE)))
    y: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, np.intp))
    labelled: ClassVar[bool] = True  # type: ignore[misc]
    held_out: tuple[NDArray[np.float64], NDArray[np.intp]] | None = None
    classes: tuple[str, ...] = tuple(map(str, range(10)))

    @property
    def data(self) -> NDArray[np.float64]:
        """The digits, as a network gets them."""
        return self.images

    @property
    def arguments(self) -> tuple[NDArray[np.float64], NDArray[np.intp]]:  # type: ignore[override]
        """Arguments of ``fit`` and ``steps``: the digits, whatever the picture is."""
        return (self.images, self.y)

    @property
    def testing(self) -> DigitsProblem | None:  # type: ignore[override]
        """The problem of the digits that nobody learns from."""
        return (
            None
            if self.held_out is None
            else replace(self, images=self.held_out[0], y=self.held_out[1], held_out=None)
        )

    @cached_property
    def ink(self) -> NDArray[np.float64]:
        """How dark each pixel of the picture is, shape (height, width)."""
        ink: NDArray[np.float64] = 1.0 - self.grey
        return ink

    @cached_property
    def small(self) -> NDArray[np.float64]:
        """The ink of the picture in the size of a digit, shape (side, side)."""
        return fitted(self.ink, self.images.shape[1])


def fitted(image: NDArray[np.float64], side: int) -> NDArray[np.float64]:
    """Return an image of any size as a square: pixels are means of an area, or repeated.

    Examples
    --------
    >>> fitted(np.array([[0.0, 1.0, 0.0, 1.0], [0.0, 1.0, 1.0, 1.0]]), 2).tolist()
    [[0.5, 0.5], [0.5, 1.0]]
    """
    for axis in (0, 1):
        size = image.shape[axis]
        edges = np.arange(side) * size // side
        if size < side:
            image = image.take(edges, axis=axis)
        else:
            counts = np.diff(np.append(edges, size))
            image = np.add.reduceat(image, edges, axis=axis) / (
                counts[:, None] if axis == 0 else counts
            )
    return image


def prepare_digits(
    pixels: ArrayLike, *, name: str = "image", max_side: int = LONGEST_SIDE
) -> DigitsProblem:
    """Prepare a picture for a network that learns from 500 handwritten digits of scikit-learn.

    Parameters
    ----------
    pixels, name, max_side
        Those of :func:`prepare_image`.

    Returns
    -------
    DigitsProblem
        What the network gets, and looks at.

    Raises
    ------
    ValueError
        If the array is no image, or a value is out of range.

    Examples
    --------
    >>> problem = prepare_digits([[0, 255], [255, 0]])
    >>> problem.images.shape, problem.ink.tolist()
    ((500, 8, 8), [[1.0, 0.0], [0.0, 1.0]])
    """
    from sklearn.datasets import load_digits

    image, digits = prepare_image(pixels, name=name, max_side=max_side), load_digits()
    ink = digits.images / digits.images.max()
    first, later = slice(0, TRAINING), slice(TRAINING, TRAINING + TEST)
    held_out = (ink[later], digits.target[later])
    return DigitsProblem(
        image.pixels, image.name, image.notes, ink[first], digits.target[first], held_out
    )
