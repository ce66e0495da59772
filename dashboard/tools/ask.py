"""Ask about a place: a click or a drag on the picture, and what the algorithm says there."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from dashboard import messages
from dashboard.settings import Settings
from dashboard.tools.tool import Page, Tool
from dmlib.params import Integer
from dmlib.pictures.regions import region_panel
from dmlib.pictures.scene import Panel
from dmlib.problem import LARGEST, NetworkProblem, Query

QUERY, POINT = "query", "point"
"""Names in the link of the place that is asked about, and of the selected row."""
POINTS = Integer(1, 10_000_000)
Place = tuple[float, float]
NO_PLACE: Place | None = None


def parse_place(text: str) -> Place:
    """Read a place from a link.

    Raises
    ------
    ValueError
        If the text is no place.

    Examples
    --------
    >>> parse_place("1.5,-2")
    (1.5, -2.0)
    """
    try:
        x, y = map(float, text.split(","))
    except ValueError:
        x = y = math.nan
    if not math.hypot(x, y) <= LARGEST:  # so written, NaN is refused too
        raise ValueError("a place such as 1.5,2")
    return x, y


@dataclass(frozen=True)
class Ask(Tool):
    """A place in the plane, or a row, that is asked about.

    Parameters
    ----------
    always : bool
        Whether a place is asked about from the start; otherwise from the first click.
    panel : callable
        Problem -> the panel in which the place lies.
    """

    always: bool = False
    panel: Callable[[Any], Panel] = region_panel

    def query(self, page: Page, selected: int | None) -> Query | None:
        """Return the selected row or the place; a place outside the picture is at its edge."""
        problem = page.problem
        if isinstance(problem, NetworkProblem):  # it is asked by what is observed
            return None
        place = page.form.value(QUERY, parse_place, NO_PLACE)
        if selected is not None:
            return _query(problem, sample=selected)
        if place is not None:
            panel = self.panel(problem)
            x, y = (
                min(max(value, axis.low), axis.high)
                for value, axis in zip(place, (panel.x, panel.y), strict=True)
            )
            return _query(problem, (x, y))
        return _query(problem) if self.always else None

    def change(self, page: Page, message: Mapping[str, Any]) -> Settings | None:
        """Ask about the place that was clicked or dragged to."""
        if message.get("name") != QUERY:
            return None
        place = messages.place(message)
        if place is None:
            return page.settings
        x, y = place
        return page.settings.with_text(QUERY, f"{x:.9g},{y:.9g}").without(POINT)


def _query(problem: Any, *place: Any, **sample: Any) -> Query:
    query: Query = problem.query(*place, **sample)
    return query
