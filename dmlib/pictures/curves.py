"""A curve that is the same at all moments, with the point of the moment on it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.pictures.marks import Line, Points
from dmlib.pictures.places import line_through, points_at
from dmlib.pictures.scene import Panel


class Curve:
    """A line through places, and one of them as a point: such as the error after each step.

    Parameters
    ----------
    panel : Panel
        Its panel.
    places : array-like of shape (n, 2)
        The vertices.
    **attributes : object
        Attributes of the line that are not the usual ones.

    Examples
    --------
    >>> from dmlib.pictures.scene import Axis
    >>> panel = Panel("error", Axis("step", 0.0, 1.0), Axis("error", 0.0, 6.0))
    >>> line, point = Curve.of_steps(panel, [5.0, 3.0]).marks(1)
    >>> line.y.tolist(), point.x.tolist(), point.y.tolist()
    ([5.0, 3.0], [1.0], [3.0])
    """

    def __init__(self, panel: Panel, places: ArrayLike, **attributes: Any) -> None:
        self.panel, self.places = panel, np.asarray(places, float)
        usual = {"color": "muted", "width": 1.5, "of": ""}
        self.line = line_through(self.places, panel=panel.name, **(usual | attributes))

    @classmethod
    def of_steps(cls, panel: Panel, heights: ArrayLike, first: int = 0, **attributes: Any) -> Curve:
        """Return the curve of a number after each step, counted from ``first``."""
        values = np.asarray(heights, float)
        places = np.column_stack([first + np.arange(len(values)), values])
        return cls(panel, places, **attributes)

    def marks(self, index: int, **attributes: Any) -> tuple[Line, Points]:
        """Return the line, and the place with this number as a point."""
        usual = {"color": [0], "size": [5.0], "emphasis": True, "leads": "x", "of": ""}
        place = self.places[[index]]
        return self.line, points_at(place, panel=self.panel.name, **(usual | attributes))
