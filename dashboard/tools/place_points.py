"""Place points: several places that are dragged on the plane are the values of parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dashboard import messages
from dashboard.settings import Settings
from dashboard.tools.ask import NO_PLACE, parse_place
from dashboard.tools.tool import Page, Tool
from dmlib.pictures.regions import region_panel
from dmlib.problem import Problem


@dataclass(frozen=True)
class PlacePoints(Tool):
    """Parameters that are rows: a handle of the name of each is dragged on the plane.

    Columns that the plane does not show have the values that it has them at.

    Parameters
    ----------
    parameters : tuple of str
        What is set; without a place, a parameter keeps its default.
    """

    parameters: tuple[str, ...]

    def controls(self, page: Page) -> Mapping[str, Any]:
        """Return the rows of the places that were chosen."""
        defaults = page.technique.defaults(page.method)
        if not isinstance(page.problem, Problem) or not {*self.parameters} <= defaults.keys():
            return {}
        places = {
            name: page.form.value(page.key(f"place_{name}"), parse_place, NO_PLACE)
            for name in self.parameters
        }
        return {
            name: page.problem.plane.lift([place])[0]
            for name, place in places.items()
            if place is not None
        }

    def change(self, page: Page, message: Mapping[str, Any]) -> Settings | None:
        """Take over the place that was dragged to; what is beside the plane is at its edge."""
        name = message.get("name")
        if name not in self.parameters:
            return None
        place = messages.place(message)
        if place is None or page.problem is None:
            return page.settings
        panel = region_panel(page.problem)
        inside = (
            min(max(value, axis.low), axis.high)
            for value, axis in zip(place, (panel.x, panel.y), strict=True)
        )
        text = ",".join(f"{value:.6g}" for value in inside)
        return page.settings.with_text(page.key(f"place_{name}"), text)
