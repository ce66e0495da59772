"""The classifiers of an ensemble as small pictures side by side, each with its bag and its vote at the place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlib.arrays import Bytes, Floats, Ints
from dmlib.cached import cached_property
from dmlib.pictures.marks import Line, Mark, Points, Raster, Texts
from dmlib.pictures.motion import per_frame, when, xy
from dmlib.pictures.regions import shade_of, surest
from dmlib.pictures.scene import Axis, Panel
from dmlib.problem import Problem

MOST_TILES = 25
MOST_DOTS = 40  # rows of a bag that are drawn
GAP, HEAD = 0.06, 0.16  # around a picture, and above it, in parts of its place
DOT, VOTE = 1.4, 5.0  # radius of a row, and of the place that is asked about


@dataclass(frozen=True)
class Grid:
    """Where the small pictures are: in rows from the top left."""

    problem: Problem
    panel: Panel  # of the plane
    estimators: Sequence[Any]  # all of them
    bags: Sequence[Ints]  # the rows that were drawn for each
    at: Ints  # (n_frames,): how many have joined in each frame

    @cached_property
    def n_tiles(self) -> int:
        """How many are drawn."""
        return min(len(self.estimators), MOST_TILES)

    @cached_property
    def width(self) -> int:
        """How many stand in a row."""
        return int(np.ceil(np.sqrt(self.n_tiles)))

    @property
    def height(self) -> int:
        """How many rows there are."""
        return -(-self.n_tiles // self.width)

    @cached_property
    def corners(self) -> Floats:
        """The lower left corner of each, shape (n_tiles, 2)."""
        number = np.arange(self.n_tiles)
        return np.column_stack([number % self.width, self.height - 1 - number // self.width]).astype(float)

    def inside(self, tile: int, places: Floats) -> Floats:
        """Return where places of the plane are in a small picture, shape (n, 2)."""
        low = np.array([self.panel.x.low, self.panel.y.low])
        start, end = self.box(tile)
        scaled: Floats = start + np.clip((places - low) / self.panel.size, 0.0, 1.0) * (end - start)
        return scaled

    def box(self, tile: int) -> tuple[Floats, Floats]:
        """Return the lower left and the upper right corner of a small picture."""
        corner = self.corners[tile]
        return corner + GAP, corner + np.array([1 - GAP, 1 - GAP - HEAD])

    def during(self, tiles: Ints, values: Any) -> Any:
        """Return values that are there once their tile has joined."""
        return per_frame(np.where(tiles < self.at[:, None], np.asarray(values, float), np.nan))


def grid_panel(grid: Grid) -> Panel:
    """Return the panel of the small pictures."""
    of = f"The first {MOST_TILES} of {len(grid.estimators)}" if len(grid.estimators) > MOST_TILES else "All"
    names = "trees" if all(hasattr(each, "tree_") for each in grid.estimators) else "classifiers"
    x = Axis("", 0.0, float(grid.width), ticks=("",))
    return Panel("grid", x, Axis("", 0.0, float(grid.height), ticks=("",)), title=f"{of} {names}, each with its bag")


def grid_marks(
    grid: Grid, shares: Iterable[Floats], pixel: Ints, classes: Bytes, said: Bytes, place: Floats
) -> list[Mark]:
    """Return the small pictures.

    Parameters
    ----------
    grid : Grid
        Where they are.
    shares : iterable of ndarray of shape (n_places, n_classes)
        What each classifier says of places of the plane.
    pixel : ndarray of shape (size * size,)
        The place of each pixel, row by row from the top left.
    classes : ndarray of shape (n_classes,)
        The code of each class.
    said : ndarray of shape (n_members,)
        The class that each predicts for the place that is asked about.
    place : ndarray of shape (2,)
        This place.
    """
    numbers = np.arange(grid.n_tiles)
    middle = grid.corners + np.array([0.5, 1 - HEAD / 2 - GAP / 2])
    titles = Texts(
        panel="grid", x=grid.during(numbers, middle[:, 0]), y=middle[:, 1], text=[str(i + 1) for i in numbers], dy=4.0
    )
    return [*_images(grid, shares, pixel, classes), _bags(grid), _frames(grid), _votes(grid, said, place), titles]


def _images(grid: Grid, shares: Iterable[Floats], pixel: Ints, classes: Bytes) -> list[Raster]:
    """Return the regions of each that is drawn, from the step on at which it joined."""
    images, size = [], round(len(pixel) ** 0.5)
    for tile, said in zip(range(grid.n_tiles), shares, strict=False):
        winner, sure = surest(said)
        (x0, y0), (x1, y1) = grid.box(tile)
        there = grid.at > tile
        pixels = when(there, classes[winner][pixel])
        place: dict[str, Any] = {"panel": "grid", "width": size, "height": size, "extent": (x0, x1, y0, y1)}
        images.append(Raster(pixels=pixels, shade=when(there, shade_of(sure)[pixel]), **place))
    return images


def _bags(grid: Grid) -> Points:
    """Return the rows of each bag, as dots."""
    trained, points, y = grid.problem.trained, grid.problem.points, np.asarray(grid.problem.y)
    places, colors, tiles = [np.empty((0, 2))], [np.empty(0, np.uint8)], [np.empty(0, np.intp)]
    for tile in range(grid.n_tiles):
        inside = np.unique(grid.bags[tile])
        rows = trained[inside[np.unique(np.linspace(0, len(inside) - 1, MOST_DOTS).astype(int))]]
        places.append(grid.inside(tile, points[rows]))
        colors.append(y[rows].astype(np.uint8))
        tiles.append(np.full(len(rows), tile))
    at, of = np.concatenate(places), np.concatenate(tiles)
    return Points(
        panel="grid",
        x=grid.during(of, at[:, 0]),
        y=at[:, 1],
        color=np.concatenate(colors),
        size=[DOT],
        symbol=[0],
        of="",
    )


def _frames(grid: Grid) -> Line:
    """Return a frame around the one that joined last."""
    box = np.array([[0, 0], [0, 1], [1, 1], [1, 0], [0, 0]], float) * (1 - GAP) + GAP / 2
    x, y = xy(grid.corners[n - 1] + box if 0 < n <= grid.n_tiles else None for n in grid.at)
    return Line(panel="grid", x=x, y=y, color="accent", width=2.5)


def _votes(grid: Grid, said: Bytes, place: Floats) -> Points:
    """Return the place in each picture, in the colour of the class that is predicted for it."""
    spots = np.array([grid.inside(tile, place[None])[0] for tile in range(grid.n_tiles)])
    return Points(
        panel="grid", x=grid.during(np.arange(grid.n_tiles), spots[:, 0]), y=spots[:, 1], color=said[: grid.n_tiles],
        size=[VOTE], emphasis=True, of="",
    )  # fmt: skip
