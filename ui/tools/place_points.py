"""Place points: several places that are dragged on the plane are the values of parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dmlib.pictures.regions import region_panel
from dmlib.problem import Problem
from ui.links import keep, kept
from ui.tools.ask import Place, parse_place
from ui.tools.drag import finite
from ui.tools.tool import Page, Tool


@dataclass(frozen=True)
class PlacePoints(Tool):
    """Parameters that are rows: a handle of the name of each is dragged on the plane.

    Columns that the plane does not show are held where it holds them.

    Parameters
    ----------
    parameters : tuple of str
        What is set; without a place, a parameter keeps its default.
    """

    parameters: tuple[str, ...]

    def controls(self, page: Page) -> Mapping[str, Any]:
        """Return the rows of the places that were chosen."""
        nowhere: Place | None = None
        if (
            not isinstance(page.problem, Problem)
            or not {*self.parameters} <= page.technique.defaults(page.method).keys()
        ):
            return {}
        places = {
            name: kept(page.key(f"place_{name}"), parse_place, nowhere) for name in self.parameters
        }
        return {
            name: page.problem.plane.lift([place])[0]
            for name, place in places.items()
            if place is not None
        }

    def takes(self, page: Page, message: Mapping[str, Any]) -> bool:
        """Take over the place that was dragged to; what is beside the plane is at its edge."""
        name = message.get("name")
        if name not in self.parameters:
            return False
        x, y = (finite(message.get(axis)) for axis in "xy")
        if x is not None and y is not None and page.problem is not None:
            panel = region_panel(page.problem)
            near = (
                min(max(value, axis.low), axis.high) for value, axis in ((x, panel.x), (y, panel.y))
            )
            text = ",".join(f"{value:.6g}" for value in near)
            st.session_state[page.key(f"place_{name}")] = parse_place(
                text
            )  # as who opens the link will have it
            keep(page.key(f"place_{name}"), text)
        return True
