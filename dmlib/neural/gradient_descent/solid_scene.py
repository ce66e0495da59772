"""A surface seen from the side: a net of lines, and what walks on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.marks import Line
from dmlib.pictures.places import line_through
from dmlib.pictures.scene import Axis, Panel
from dmlib.problem import SurfaceProblem

LINES, PLACES = 21, 41  # of the net, each way; places along each line
TILT = np.deg2rad(28.0)  # of the view, above the horizon
TALL = 1.3  # height of the surface, where a side is 2
HIGH = (
    0.9  # share of the places that are drawn: what is steeper near the edges would flatten the rest
)


@dataclass(frozen=True)
class Solid:
    """A view of a surface.

    Attributes
    ----------
    problem : SurfaceProblem
        The surface.
    turn : float
        From where it is seen, in degrees around the vertical.
    low, high : float
        The heights that are drawn.
    """

    problem: SurfaceProblem
    turn: float
    low: float
    high: float

    @classmethod
    def of(cls, problem: SurfaceProblem, turn: float, start: float) -> Solid:
        """Return a view in which the start, and most of the surface, can be seen."""
        heights = problem.grid(PLACES)[2]
        known = heights[np.isfinite(heights)]
        return cls(problem, turn, float(known.min()), max(float(np.quantile(known, HIGH)), start))

    def panel(self) -> Panel:
        """Return its panel: a picture without axes."""
        return Panel("solid", Axis("", -1.5, 1.5), Axis("", -0.8, 1.6), title="The surface in 3-D")

    def project(self, places: Floats, heights: Floats) -> Floats:
        """Return where places with their heights are seen, shape (..., 2); NaN above what is drawn."""
        x0, x1, y0, y1 = self.problem.domain
        u = 2 * (places[..., 0] - x0) / (x1 - x0) - 1
        v = 2 * (places[..., 1] - y0) / (y1 - y0) - 1
        inside = (np.maximum(np.abs(u), np.abs(v)) <= 1.001) & (
            heights <= self.high + 1e-9 * abs(self.high)
        )
        h = np.where(inside, (heights - self.low) / ((self.high - self.low) or 1.0), np.nan)
        a = np.deg2rad(self.turn)
        depth = np.sin(a) * u + np.cos(a) * v
        return np.stack(
            [np.cos(a) * u - np.sin(a) * v, np.sin(TILT) * depth + np.cos(TILT) * TALL * h], axis=-1
        )

    def net(self) -> Line:
        """Return the lines of the surface."""
        x0, x1, y0, y1 = self.problem.domain
        along, across = np.linspace(0, 1, PLACES), np.linspace(0, 1, LINES)
        s, t = np.meshgrid(across, along, indexing="ij")
        outlines = []
        for p, q in ((s, t), (t, s)):
            places = np.stack([x0 + (x1 - x0) * p, y0 + (y1 - y0) * q], axis=-1)
            outlines.append(self.project(places, self.problem.value(places)))
        vertices = [
            np.pad(lines, ((0, 0), (0, 1), (0, 0)), constant_values=np.nan) for lines in outlines
        ]
        return line_through(np.concatenate(vertices), panel="solid", color="muted", width=0.75)
