"""Points drawn on the stage, in the coordinates of the drawing; answers are read from the link."""

from __future__ import annotations

import time

import numpy as np

from dmlib.datasets import decode_points
from tests.browser.stage import Stage

PATIENCE = 60  # seconds; it guards against hanging only


class Drawing:
    """A stage with drawn points."""

    def __init__(self, stage: Stage):
        self.stage = stage
        self.mouse = stage.page.mouse

    def open(self, points: str = "", **link: object) -> Drawing:
        """Open a drawing, empty or given as text, and learn where its places are on the screen."""
        self.stage.open("kmeans", source="draw", points="", **link)
        box = self.stage.canvas().bounding_box()
        corners = [(share * box["width"], share * box["height"]) for share in (0.35, 0.65)]
        for across, down in corners:
            self.mouse.click(box["x"] + across, box["y"] + down)
        drawn_places = self.points(2)[:, :2]
        (x0, y0), (x1, y1) = corners
        slopes = np.array([x1 - x0, y1 - y0]) / (drawn_places[1] - drawn_places[0])
        offsets = np.array([x0, y0]) - slopes * drawn_places[0]
        self._scales = slopes, offsets
        if points:
            self.stage.open("kmeans", source="draw", points=points, **link)
        else:
            self.stage.tool("clear")
            self.points(0)
        return self

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return the place on the screen of a place in the drawing, whose axes go from 0 to 10."""
        slopes, offsets = self._scales
        across, down = offsets + slopes * (x, y)
        box = self.stage.canvas().bounding_box()
        return float(box["x"] + across), float(box["y"] + down)

    def click(self, x: float, y: float, **options: str) -> Drawing:
        self.mouse.click(*self.at(x, y), **options)
        return self

    def drag(self, *places: tuple[float, float], steps: int = 5) -> Drawing:
        self.mouse.move(*self.at(*places[0]))
        self.mouse.down()
        for place in places[1:]:
            self.mouse.move(*self.at(*place), steps=steps)
        self.mouse.up()
        return self

    def points(self, count: int | None = None) -> np.ndarray:
        """Return the points that the link holds, once there are so many of them."""
        deadline = time.monotonic() + PATIENCE
        while True:
            points = decode_points(self.stage.link.get("points", ""))
            if count is None or len(points) == count:
                return points
            assert time.monotonic() < deadline, f"{len(points)} points came, not {count}"
            self.stage.page.wait_for_timeout(50)

    def settled(self, expected: list[tuple[float, float, int]]) -> Drawing:
        """Wait until the link holds these points, to a pixel."""
        deadline = time.monotonic() + PATIENCE
        while True:
            points = self.points()
            if points.shape == (len(expected), 3) and np.allclose(
                points, np.reshape(expected, (-1, 3)), atol=0.05
            ):
                return self
            assert time.monotonic() < deadline, f"{points.tolist()} came, not {expected}"
            self.stage.page.wait_for_timeout(50)
