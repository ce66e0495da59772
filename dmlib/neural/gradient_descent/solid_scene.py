"""A surface in perspective: a net of lines, and the projection of places on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.gradient_descent.paths_scene import with_gaps
from dmlib.pictures.marks import Line
from dmlib.pictures.places import line_through
from dmlib.pictures.scene import Axis, Panel
from dmlib.problem import SurfaceProblem

N_LINES = 21  # of the net, each way
N_PLACES = 41  # along each line
TILT = np.deg2rad(28.0)  # of the view, above the horizon
HEIGHT = 1.3  # of the surface, where a side is 2
SHARE = 0.9  # of the places that are drawn: the steepest would flatten the surface


@dataclass(frozen=True)
class Solid:
    """A view of a surface.

    Attributes
    ----------
    problem : SurfaceProblem
        The surface.
    turn : float
        The azimuth of the view, in degrees.
    low, high : float
        The heights that are drawn.
    """

    problem: SurfaceProblem
    turn: float
    low: float
    high: float

    @classmethod
    def of(cls, problem: SurfaceProblem, turn: float, start: float) -> Solid:
        """Return a view of the start and of most of the surface."""
        heights = problem.grid(N_PLACES)[2]
        heights = heights[np.isfinite(heights)]
        high = max(float(np.quantile(heights, SHARE)), start)
        return cls(problem, turn, float(heights.min()), high)

    def panel(self) -> Panel:
        """Return its panel: a picture without axes."""
        return Panel("solid", Axis("", -1.5, 1.5), Axis("", -0.8, 1.6), title="The surface in 3-D")

    def project(self, places: Floats, heights: Floats) -> Floats:
        """Project places with their heights, shape (..., 2); NaN above the drawn part."""
        x0, x1, y0, y1 = self.problem.domain
        u = 2 * (places[..., 0] - x0) / (x1 - x0) - 1
        v = 2 * (places[..., 1] - y0) / (y1 - y0) - 1
        is_inside = np.maximum(np.abs(u), np.abs(v)) <= 1.001
        is_low = heights <= self.high + 1e-9 * abs(self.high)
        shares = (heights - self.low) / ((self.high - self.low) or 1.0)
        h = np.where(is_inside & is_low, shares, np.nan)
        a = np.deg2rad(self.turn)
        x = np.cos(a) * u - np.sin(a) * v
        depth = np.sin(a) * u + np.cos(a) * v
        return np.stack([x, np.sin(TILT) * depth + np.cos(TILT) * HEIGHT * h], axis=-1)

    def net(self) -> Line:
        """Return the lines of the surface."""
        x0, x1, y0, y1 = self.problem.domain
        shares = np.linspace(0, 1, N_LINES), np.linspace(0, 1, N_PLACES)
        s, t = np.meshgrid(*shares, indexing="ij")
        lines = []
        for p, q in ((s, t), (t, s)):
            places = np.stack([x0 + (x1 - x0) * p, y0 + (y1 - y0) * q], axis=-1)
            lines.append(self.project(places, self.problem.value(places)))
        vertices = with_gaps(np.concatenate(lines))
        return line_through(vertices, panel="solid", color="muted", width=0.75)
