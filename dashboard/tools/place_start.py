"""Place a start: a point that is put or dragged on a map is the value of a parameter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dashboard import messages
from dashboard.settings import Settings
from dashboard.tools.ask import NO_PLACE, parse_place
from dashboard.tools.tool import Page, Tool

START = "start"  # in the link; the parameter itself has a name there or none


@dataclass(frozen=True)
class PlaceStart(Tool):
    """A parameter that is a place on a surface.

    A handle of its name is dragged, or comes to where the map is clicked.

    Parameters
    ----------
    parameter : str
        What it sets; without a place inside the map, it keeps its default.
    """

    parameter: str

    def controls(self, page: Page) -> Mapping[str, Any]:
        """Return the place, if one was chosen."""
        place = page.form.value(page.key(START), parse_place, NO_PLACE)
        if place is None or page.problem is None:
            return {}
        x0, x1, y0, y1 = page.problem.domain
        is_inside = x0 <= place[0] <= x1 and y0 <= place[1] <= y1
        return {self.parameter: np.array(place)} if is_inside else {}

    def change(self, page: Page, message: Mapping[str, Any]) -> Settings | None:
        """Take over the place that was clicked or dragged to; outside the map it is at the edge."""
        if message.get("name") != self.parameter:
            return None
        place = messages.place(message)
        if place is None or page.problem is None:
            return page.settings
        x0, x1, y0, y1 = page.problem.domain
        x, y = min(max(place[0], x0), x1), min(max(place[1], y0), y1)
        return page.settings.with_text(page.key(START), f"{x:.6g},{y:.6g}")
