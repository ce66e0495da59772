"""A curve that is the same at all moments, with the point of the moment on it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.pictures.marks import Line, Points
from dmlib.pictures.places import line_through, points_at


class Curve:
    """A line through places, and one of them as a point: such as the error after each step.

    Parameters
    ----------
    places : array-like of shape (n, 2)
        The vertices.
    panel : str
        The name of its panel.
    **attributes : object
        Attributes of the line that are not the usual ones.

    Examples
    --------
    >>> line, point = Curve([[0.0, 5.0], [1.0, 3.0]], "error").marks(1)
    >>> line.y.tolist(), point.y.tolist()
    ([5.0, 3.0], [3.0])
    """

    def __init__(self, places: ArrayLike, panel: str, **attributes: Any) -> None:
        self.places, self.panel = np.asarray(places, float), panel
        usual = {"color": "muted", "width": 1.5, "of": ""}
        self.line = line_through(self.places, panel=panel, **(usual | attributes))

    @classmethod
    def of_steps(cls, heights: ArrayLike, panel: str, **attributes: Any) -> Curve:
        """Return the curve of a number after each step, counted from 0."""
        values = np.asarray(heights, float)
        return cls(np.column_stack([np.arange(len(values)), values]), panel, **attributes)

    def marks(self, index: int, **attributes: Any) -> tuple[Line, Points]:
        """Return the line, and the place with this number as a point."""
        usual = {"color": [0], "size": [5.0], "emphasis": True, "leads": "x", "of": ""}
        place = self.places[[index]]
        return self.line, points_at(place, panel=self.panel, **(usual | attributes))
