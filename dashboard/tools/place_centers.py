"""Place centres: points that are put on the picture are the value of a parameter."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dashboard.data.points import edit_spec
from dashboard.form import Form
from dashboard.messages import finite_points
from dashboard.settings import Settings
from dashboard.tools.tool import Page, Tool
from dmlib.problem import LARGEST, Problem

PLACES = "places"
MAX_PLACES = 256  # in a link
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
    try:
        return tuple(_place(part) for part in text.split(";")[:MAX_PLACES])
    except ValueError:
        raise ValueError("places and rows such as 1.5,2;#12") from None


def _place(text: str) -> Place:
    if text.startswith("#"):
        return int(text[1:])
    x, y = map(float, text.split(","))
    if not math.hypot(x, y) <= LARGEST:  # so written, NaN is refused too
        raise ValueError
    return x, y


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


def placed_centers(form: Form, problem: Problem) -> NDArray[np.float64]:
    """Return the placed centres in the space of the features, shape (k, n_features).

    A centre on a point is that row, in all columns. Any other has the mean of the columns that are
    not in view.
    """
    no_places: tuple[Place, ...] = ()
    places = form.value(PLACES, parse_places, no_places)
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
        return frozenset({self.count} if self._is_on(page) else ())

    def controls(self, page: Page) -> Mapping[str, Any]:
        """Return the centres that are placed."""
        if not self._is_on(page):
            return {}
        centers = placed_centers(page.form, page.problem)
        return {self.parameter: centers, self.count: len(centers)}

    def refusal(self, page: Page) -> str:
        """Ask for a first centre."""
        is_empty = self._is_on(page) and not len(placed_centers(page.form, page.problem))
        return self.hint if is_empty else ""

    def offers(self, page: Page) -> Mapping[str, Any]:
        """Let the stage place points within a generous box around the data."""
        if not self._is_on(page):
            return {}
        problem = page.problem
        low, high = problem.points.min(axis=0), problem.points.max(axis=0)
        margin = (high - low).max() or 1.0
        (x0, y0), (x1, y1) = low - margin, high + margin
        places = problem.plane.project(placed_centers(page.form, problem)).tolist()
        points = [[x, y, i] for i, (x, y) in enumerate(places)]
        max_places = min(page.algorithm.PARAMS[self.count].high, len(problem.X))
        details = {"label": self.label, "max": max_places, "box": [x0, x1, y0, y1]}
        return {"edit": edit_spec(page.settings, PLACES, points) | details}

    def change(self, page: Page, message: Mapping[str, Any]) -> Settings | None:
        """Take over the placed points; one on a point of the data is that row."""
        if message.get("base") != PLACES:
            return None
        problem = page.problem
        reach = SAME * (np.ptp(problem.points, axis=0).max() or 1.0)
        places: list[Place] = []
        for x, y, _ in finite_points(message.get("points"))[:MAX_PLACES]:
            distances = np.hypot(*(problem.points - (x, y)).T)
            nearest = int(distances.argmin())
            is_row = distances[nearest] <= reach
            places.append(int(problem.rows[nearest]) + 1 if is_row else (float(x), float(y)))
        text = format_places(tuple(places))
        return page.settings.with_text(PLACES, *([text] if text else []))

    def _is_on(self, page: Page) -> bool:
        return page.problem is not None and page.value(self.parameter) == self.option
