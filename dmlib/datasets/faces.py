"""Faces that are drawn by arithmetic: pictures of made-up persons, for tables of pixels."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from dmlib.arrays import Floats

HEIGHT, WIDTH = 24, 20
"""Pixels of a picture."""

PERSONS = ("Ada", "Ben", "Cal", "Dan", "Eva", "Fay", "Gus", "Ida", "Jon", "Kim")
PICTURES = 6  # of each person
EDGE = 0.06  # over which a border turns from light to dark; the picture is 2 wide
BACKGROUND, LIPS, IRIS = 0.12, 0.65, 0.9  # how dark


@dataclass(frozen=True)
class Face:
    """The numbers from which a face is drawn; the picture is 2 wide and 2.4 high.

    Attributes
    ----------
    width, height : float
        Half the axes of the ellipse of the face.
    eye_gap, eye_size, eye_height : float
        From the middle to an eye, its half width, and how high it is.
    brow_tilt, brow_weight : float
        The slope of a brow outwards, and its thickness.
    nose_length, nose_width : float
        Of the nose.
    mouth_width, mouth_curve : float
        Half its width, and how far its corners are above its middle.
    hairline, hair : float
        How high the hair begins, and how dark it is.
    skin : float
        How dark the skin is.
    light : float
        How much darker the left side is than the right one.
    x, y : float
        Where the middle of the face is.
    """

    width: float
    height: float
    eye_gap: float
    eye_size: float
    eye_height: float
    brow_tilt: float
    brow_weight: float
    nose_length: float
    nose_width: float
    mouth_width: float
    mouth_curve: float
    hairline: float
    hair: float
    skin: float
    light: float = 0.0
    x: float = 0.0
    y: float = 0.0

    def draw(self) -> Floats:
        """Return how dark each pixel is, from 0 to 1, shape (24, 20).

        Examples
        --------
        >>> draw_person(np.random.default_rng(0)).draw().shape
        (24, 20)
        """
        step = 2 / WIDTH
        across = (np.arange(WIDTH) + 0.5) * step - 1 - self.x
        down = 1.2 - (np.arange(HEIGHT) + 0.5) * step - self.y
        x, y = np.meshgrid(across, down)
        side = np.abs(x)
        head = _coverage(1 - np.hypot(x / self.width, y / self.height))
        hair = _coverage(1 - np.hypot(x / (1.06 * self.width), (y - 0.03) / (1.07 * self.height)))
        hair *= _coverage(y - self.hairline + 0.8 * x**2)
        parts = (
            (head, self.skin),
            (hair, self.hair),
            (self._eye(side, y, 1.0), 0.0),
            (self._eye(side, y, 0.5), IRIS),
            (self._brow(side, y), self.hair),
            (self._nose(side, y), min(self.skin + 0.25, 1.0)),
            (self._mouth(x, y), LIPS),
        )
        picture = np.full(x.shape, BACKGROUND)
        for cover, shade in parts:
            picture = picture + cover * (shade - picture)
        shades: Floats = np.clip(picture - self.light * x, 0.0, 1.0)
        return shades

    def _eye(self, side: Floats, y: Floats, share: float) -> Floats:
        across = (side - self.eye_gap) / (share * self.eye_size)
        depth = 1 - np.hypot(across, (y - self.eye_height) / (0.6 * self.eye_size))
        return _coverage(0.4 * depth)

    def _brow(self, side: Floats, y: Floats) -> Floats:
        out = side - self.eye_gap
        middle = self.eye_height + 1.5 * self.eye_size + self.brow_tilt * out
        return _coverage(1.4 * self.eye_size - np.abs(out)) * _coverage(
            self.brow_weight - np.abs(y - middle)
        )

    def _nose(self, side: Floats, y: Floats) -> Floats:
        along = self.eye_height - y
        return _coverage(self.nose_width * along / self.nose_length - side) * _coverage(
            self.nose_length - along
        )

    def _mouth(self, x: Floats, y: Floats) -> Floats:
        middle = -0.52 * self.height + self.mouth_curve * ((x / self.mouth_width) ** 2 - 0.5)
        return _coverage(self.mouth_width - np.abs(x)) * _coverage(0.06 - np.abs(y - middle))


def _coverage(depth: Floats) -> Floats:
    """Return how much of a pixel is inside, for its depth within a border: smooth, from 0 to 1."""
    cover: Floats = 1 / (1 + np.exp(np.clip(-depth / EDGE * 2, -50, 50)))
    return cover


def draw_person(rng: np.random.Generator) -> Face:
    """Draw the numbers of a person at random."""
    return Face(
        width=rng.uniform(0.58, 0.8),
        height=rng.uniform(0.85, 1.05),
        eye_gap=rng.uniform(0.26, 0.38),
        eye_size=rng.uniform(0.12, 0.19),
        eye_height=rng.uniform(0.08, 0.22),
        brow_tilt=rng.uniform(-0.4, 0.3),
        brow_weight=rng.uniform(0.03, 0.08),
        nose_length=rng.uniform(0.3, 0.5),
        nose_width=rng.uniform(0.08, 0.18),
        mouth_width=rng.uniform(0.2, 0.36),
        mouth_curve=0.0,
        hairline=rng.uniform(0.45, 0.75),
        hair=rng.uniform(0.35, 1.0),
        skin=rng.uniform(0.2, 0.5),
    )


def vary(person: Face, rng: np.random.Generator) -> Face:
    """Vary what differs between two pictures of a person: expression, light, a small shift."""
    return replace(
        person,
        mouth_curve=rng.uniform(-0.12, 0.22),
        mouth_width=person.mouth_width * rng.uniform(0.9, 1.15),
        brow_tilt=person.brow_tilt + rng.normal(0, 0.1),
        light=rng.uniform(-0.12, 0.12),
        skin=person.skin + rng.normal(0, 0.02),
        x=rng.normal(0, 0.03),
        y=rng.normal(0, 0.03),
    )


def faces(random_state: int = 0) -> pd.DataFrame:
    """Draw six pictures of each of ten made-up persons.

    Parameters
    ----------
    random_state : int
        Seed: the same seed gives the same faces.

    Returns
    -------
    DataFrame of shape (60, 481)
        The columns ``pixel_0_0`` to ``pixel_23_19``, row by row from the top: how dark, from 0
        for white to 1 for black, in three decimals; and ``person``.

    Examples
    --------
    >>> frame = faces()
    >>> frame.shape, frame["person"].iloc[0]
    ((60, 481), 'Ada')
    """
    rng = np.random.default_rng(random_state)
    persons = [draw_person(rng) for _ in PERSONS]
    pictures = [vary(each, rng).draw() for each in persons for _ in range(PICTURES)]
    names = [f"pixel_{i}_{j}" for i in range(HEIGHT) for j in range(WIDTH)]
    frame = pd.DataFrame(np.round([picture.ravel() for picture in pictures], 3), columns=names)
    frame["person"] = pd.Categorical(np.repeat(PERSONS, PICTURES), PERSONS)
    return frame
