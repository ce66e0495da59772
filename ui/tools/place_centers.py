"""Place centres: points that are put on the picture are the value of a parameter."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from dmlib.problem import LARGEST, Problem
from ui.data.points import edit_spec, finite_points
from ui.links import keep, kept
from ui.tools.tool import Page, Tool

PLACES = "places"
MOST = 256  # places in a link
SAME = 1e-3  # share of the plane's width within which a placed centre is taken to be a row

Place = int | tuple[float, float]


def parse_places(text: str) -> tuple[Place, ...]:
    """Read placed centres from a link: each is a row ("#12") or a place in the plane ("1.5,2").

    Raises
    ------
    ValueError
        If the text is no such list.

    Examples
    --------
    >>> parse_places("#12;1.5,-2")
    (12, (1.5, -2.0))
    """
    places: list[Place] = []
    try:
        for part in text.split(";")[:MOST]:
            if part.startswith("#"):
                places.append(int(part[1:]))
            else:
                x, y = map(float, part.split(","))
                if not math.hypot(x, y) <= LARGEST:  # so written, NaN is refused too
                    raise ValueError
                places.append((x, y))
    except ValueError:
        raise ValueError("places and rows such as 1.5,2;#12") from None
    return tuple(places)


def format_places(places: tuple[Place, ...]) -> str:
    """Write placed centres for a link.

    Examples
    --------
    >>> format_places((12, (1.5, -2.0)))
    '#12;1.5,-2'
    """
    return ";".join(
        f"#{place}" if isinstance(place, int) else f"{place[0]:.8g},{place[1]:.8g}"
        for place in places
    )


def placed_centers(problem: Problem) -> NDArray[np.float64]:
    """Return the placed centres in the space of the features, shape (k, n_features).

    A centre on a point is that row, in all columns. Any other has the mean of the columns that are
    not in view.
    """
    nowhere: tuple[Place, ...] = ()
    places = kept(PLACES, parse_places, nowhere)
    index = {int(row) + 1: i for i, row in enumerate(problem.rows)}
    centers = [
        problem.X[index[place]] if isinstance(place, int) else problem.plane.lift([place])[0]
        for place in places
        if not isinstance(place, int) or place in index
    ]
    return np.asarray(centers, float).reshape(-1, problem.X.shape[1])


@dataclass(frozen=True)
class PlaceCenters(Tool):
    """While ``parameter`` has the value ``option``, the points placed on the stage are its value.

    Parameters
    ----------
    parameter, option : str
        The parameter, and its value that means placing.
    count : str
        The parameter that their number is the value of.
    label, hint : str
        What the reader sees, and is told while there are none.
    """

    parameter: str
    option: str
    count: str
    label: str
    hint: str

    def decides(self, page: Page) -> frozenset[str]:
        """Return the number of centres."""
        return frozenset({self.count} if self._on(page) else ())

    def controls(self, page: Page) -> Mapping[str, Any]:
        """Return the centres that are placed."""
        if not self._on(page):
            return {}
        centers = placed_centers(page.problem)
        return {self.parameter: centers, self.count: len(centers)}

    def refusal(self, page: Page) -> str:
        """Ask for a first centre."""
        return self.hint if self._on(page) and not len(placed_centers(page.problem)) else ""

    def offers(self, page: Page) -> Mapping[str, Any]:
        """Let the stage place points within a generous box around the data."""
        if not self._on(page):
            return {}
        problem = page.problem
        low, high = problem.points.min(axis=0), problem.points.max(axis=0)
        margin = (high - low).max() or 1.0
        (x0, y0), (x1, y1) = low - margin, high + margin
        places = problem.plane.project(placed_centers(problem)).tolist()
        most = min(page.algorithm.PARAMS[self.count].high, len(problem.X))
        edit = edit_spec(PLACES, [[x, y, i] for i, (x, y) in enumerate(places)])
        return {"edit": edit | {"label": self.label, "max": most, "box": [x0, x1, y0, y1]}}

    def takes(self, page: Page, message: Mapping[str, Any]) -> bool:
        """Take over the placed points; one on a point of the data is that row."""
        if message.get("base") != PLACES:
            return False
        problem = page.problem
        reach = SAME * (np.ptp(problem.points, axis=0).max() or 1.0)
        places: list[Place] = []
        for x, y, _ in finite_points(message.get("points"))[:MOST]:
            distance = np.hypot(*(problem.points - (x, y)).T)
            nearest = int(distance.argmin())
            places.append(
                int(problem.rows[nearest]) + 1
                if distance[nearest] <= reach
                else (float(x), float(y))
            )
        text = format_places(tuple(places))
        st.session_state[PLACES] = (
            parse_places(text) if text else ()
        )  # as who opens the link will have them
        keep(PLACES, text or None)
        return True

    def _on(self, page: Page) -> bool:
        return page.problem is not None and page.value(self.parameter) == self.option
