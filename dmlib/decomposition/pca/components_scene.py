"""The components of a run: their variances as bars, or a row that is a picture, rebuilt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.decomposition.pca.power_iteration import PCAStep
from dmlib.pictures.marks import NO_CLASS, Mark, Raster, Rects, Texts
from dmlib.pictures.scene import Axis, Panel
from dmlib.problem import Problem

GAP = 1.0  # pixels between two pictures
N_SMALL = 5  # pictures in the row of the mean and the first components
NAME = 0.24  # height of a line of names, in heights of a picture
GREYS = np.repeat(np.arange(255, -1, -1, dtype=np.uint8), 3)
"""Red, green and blue of each shade, from white to black: faces are no negatives on a dark page."""


class Scree:
    """The variances of the components.

    Parameters
    ----------
    best : float
        The largest variance of all axes.
    n_components : int
        The number of components at the end.
    """

    def __init__(self, best: float, n_components: int) -> None:
        self.n_components = n_components
        self.panel = Panel(
            "scree",
            Axis("component", 0.4, max(n_components, 2) + 0.6, integer=True),
            Axis("λ", 0.0, 1.06 * best),
            title="Variance of the components found",
            side=True,
        )

    def marks(self, step: PCAStep | None) -> tuple[Mark, ...]:
        """Return the bars of a step."""
        numbers = np.arange(self.n_components) + 1
        heights = np.zeros(self.n_components)
        if step is not None:
            heights[: len(step.variances)] = step.variances
        bars = Rects(
            panel="scree",
            x0=numbers - 0.36,
            x1=numbers + 0.36,
            y0=np.zeros(self.n_components),
            y1=heights,
            color=[NO_CLASS],
            numbers=numbers,
            of="component",
        )
        return (bars,)


class Pictures:
    """A row that is a picture, the same rebuilt from the components, and the axis as a picture.

    Below them, the mean and the first components that were found.

    Parameters
    ----------
    problem : Problem
        The data.
    grid : tuple of int
        Height and width of a picture.
    sample : int
        The row.
    """

    def __init__(self, problem: Problem, grid: tuple[int, int], sample: int) -> None:
        self.problem, self.x, self.mean = problem, problem.X[sample], problem.X.mean(axis=0)
        self.height, self.width = grid
        self.top = float(problem.unscaled(problem.X).max()) or 1.0
        total = 3 * self.width + 2 * GAP
        self.share = (total - (N_SMALL - 1) * GAP) / N_SMALL / self.width
        self.floor = (self.share + 2 * NAME) * self.height  # of the large pictures
        self.panel = Panel(
            "picture",
            Axis("", 0.0, total),
            Axis("", 0.0, self.floor + self.height),
            title="Reconstruction of a row; the axis",
            side=True,
            equal=True,
        )
        self.original = self._tile(0, self._grey(self.x))
        self.small_mean = self._small(0, self._grey(self.mean))
        self.names = self._named(
            [self._start(j) + self.width / 2 for j in range(3)],
            self.floor - NAME / 2 * self.height,
            [f"row {problem.rows[sample] + 1}", "rebuilt", "axis"],
        )

    def marks(self, step: PCAStep | None) -> tuple[Mark, ...]:
        """Return the pictures of a step."""
        components = np.empty((0, self.x.size)) if step is None else step.components
        scores = (self.x - self.mean) @ components.T
        axis = np.empty(0) if step is None else step.axis
        axes = [*components[: N_SMALL - 1], *[np.empty(0)] * N_SMALL][: N_SMALL - 1]
        return (
            self.original,
            self._tile(1, self._grey(self.mean + scores @ components)),
            self._tile(2, _signed(axis)),
            self.names,
            self.small_mean,
            *(self._small(j, _signed(each)) for j, each in enumerate(axes, start=1)),
            self._small_names(len(components)),
        )

    def _start(self, place: int) -> float:
        return place * (self.width + GAP)

    def _small_start(self, place: int) -> float:
        return place * (self.share * self.width + GAP)

    def _small_names(self, n_components: int) -> Texts:
        """Return the names of the mean and of the components found."""
        starts = np.array([self._small_start(j) for j in range(N_SMALL)])
        x = starts + self.share * self.width / 2
        x[n_components + 1 :] = np.nan
        names = ["mean", *(f"w{j}" for j in range(1, N_SMALL))]
        return self._named(x, NAME / 2 * self.height, names)

    def _named(self, x: Any, y: float, names: Sequence[str]) -> Texts:
        return Texts(panel="picture", x=x, y=np.full(len(names), y), text=names)

    def _tile(self, place: int, pixels: NDArray[np.uint8]) -> Raster:
        return self._raster(self._start(place), self.floor, 1.0, pixels)

    def _small(self, place: int, pixels: NDArray[np.uint8]) -> Raster:
        return self._raster(self._small_start(place), NAME * self.height, self.share, pixels)

    def _raster(self, x: float, y: float, share: float, pixels: NDArray[np.uint8]) -> Raster:
        return Raster(
            panel="picture",
            pixels=pixels,
            extent=(x, x + share * self.width, y, y + share * self.height),
            width=self.width,
            height=self.height,
            palette=GREYS,
            opacity=1.0,
        )

    def _grey(self, row: Floats) -> NDArray[np.uint8]:
        shades: Any = 255 * np.clip(self.problem.unscaled(row) / self.top, 0, 1)
        return np.asarray(shades).astype(np.uint8)


def _signed(axis: Floats) -> NDArray[np.uint8]:
    """Return the shades of an axis: 0 in the middle."""
    largest = max(float(np.abs(axis).max(initial=0.0)), 1e-300)
    return (127.5 * (1 + axis / largest)).astype(np.uint8)
