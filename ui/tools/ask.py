"""Ask about a place: a click or a drag on the picture, and what the algorithm says of that place or row."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dmlib.pictures.regions import region_panel
from dmlib.pictures.scene import Panel
from dmlib.problem import LARGEST, Query
from ui.links import keep, kept
from ui.tools.drag import finite
from ui.tools.tool import Page, Tool

QUERY = "query"
Place = tuple[float, float]


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
        nowhere: Place | None = None
        place = kept(QUERY, parse_place, nowhere)
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

    def takes(self, page: Page, message: Mapping[str, Any]) -> bool:
        """Ask about the place that was clicked or dragged to."""
        if message.get("name") != QUERY:
            return False
        x, y = (finite(message.get(axis)) for axis in "xy")
        if x is not None and y is not None:
            text = f"{x:.9g},{y:.9g}"
            st.session_state[QUERY] = parse_place(text)  # as who opens the link will have it
            st.session_state["point"] = 0
            keep(QUERY, text)
            keep("point", None)
        return True


def _query(problem: Any, *place: Any, **sample: Any) -> Query:
    query: Query = problem.query(*place, **sample)
    return query
