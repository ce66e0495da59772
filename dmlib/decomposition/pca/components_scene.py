"""The components of a run: their variances as bars, or a row that is a picture, rebuilt."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.decomposition.pca.power_iteration import PCAStep
from dmlib.pictures.marks import NO_CLASS, Mark, Raster, Rects, Texts
from dmlib.pictures.scene import Axis, Panel
from dmlib.problem import Problem

GAP = 1.0  # pixels between two pictures


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
        self.panel = Panel(
            "picture",
            Axis("", 0.0, 3 * self.width + 2 * GAP),
            Axis("", -0.25 * self.height, float(self.height)),
            title="Reconstruction of a row; the axis",
            side=True,
            equal=True,
        )
        self.original = self._tile(0, self._grey(self.x))
        self.names = Texts(
            panel="picture",
            x=[self._start(j) + self.width / 2 for j in range(3)],
            y=np.full(3, -0.12 * self.height),
            text=[f"row {problem.rows[sample] + 1}", "rebuilt", "axis"],
        )

    def marks(self, step: PCAStep | None) -> tuple[Mark, ...]:
        """Return the pictures of a step."""
        rebuilt = self.mean
        axis = np.empty(0)
        if step is not None:
            scores = (self.x - self.mean) @ step.components.T
            rebuilt, axis = self.mean + scores @ step.components, step.axis
        return (
            self.original,
            self._tile(1, self._grey(rebuilt)),
            self._tile(2, _signed(axis)),
            self.names,
        )

    def _start(self, place: int) -> float:
        return place * (self.width + GAP)

    def _tile(self, place: int, pixels: NDArray[np.uint8]) -> Raster:
        x = self._start(place)
        return Raster(
            panel="picture",
            pixels=pixels,
            extent=(x, x + self.width, 0.0, float(self.height)),
            width=self.width,
            height=self.height,
            ramp=True,
            opacity=1.0,
        )

    def _grey(self, row: Floats) -> NDArray[np.uint8]:
        shades: Any = 255 * np.clip(self.problem.unscaled(row) / self.top, 0, 1)
        return np.asarray(shades).astype(np.uint8)


def _signed(axis: Floats) -> NDArray[np.uint8]:
    """Return the shades of an axis: 0 in the middle."""
    largest = max(float(np.abs(axis).max(initial=0.0)), 1e-300)
    return (127.5 * (1 + axis / largest)).astype(np.uint8)
