"""Place a start: a point that is put or dragged on a map is the value of a parameter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from ui.links import keep, kept
from ui.tools.ask import Place, parse_place
from ui.tools.drag import finite
from ui.tools.tool import Page, Tool

START = "start"  # in the link; the parameter itself has a name there or none


@dataclass(frozen=True)
class PlaceStart(Tool):
    """A parameter that is a place on a surface: a handle of its name is dragged, or comes to where the map is clicked.

    Parameters
    ----------
    parameter : str
        What it sets; without a place inside the map, it keeps its default.
    """

    parameter: str

    def controls(self, page: Page) -> Mapping[str, Any]:
        """Return the place, if one was chosen."""
        nowhere: Place | None = None
        place = kept(page.key(START), parse_place, nowhere)
        if place is None or page.problem is None:
            return {}
        x0, x1, y0, y1 = page.problem.domain
        return (
            {self.parameter: np.array(place)}
            if x0 <= place[0] <= x1 and y0 <= place[1] <= y1
            else {}
        )

    def takes(self, page: Page, message: Mapping[str, Any]) -> bool:
        """Take over the place that was clicked or dragged to; what is beside the map is at its edge."""
        if message.get("name") != self.parameter:
            return False
        x, y = (finite(message.get(axis)) for axis in "xy")
        if x is not None and y is not None and page.problem is not None:
            x0, x1, y0, y1 = page.problem.domain
            text = f"{min(max(x, x0), x1):.6g},{min(max(y, y0), y1):.6g}"
            st.session_state[page.key(START)] = parse_place(
                text
            )  # as who opens the link will have it
            keep(page.key(START), text)
        return True
