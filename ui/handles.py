"""What the reader drags or clicks on the picture: the place that is asked about, and parameters drawn as lines."""

from __future__ import annotations

import math
from typing import Any

import streamlit as st

from dmlib.params import Integer, Number
from dmlib.problem import LARGEST, Problem, Query
from dmlib.scenes.regions import region_panel
from ui.links import keep, kept
from ui.technique import Technique

QUERY = "query"
SPLIT = "split"  # the line of the split that the reader is trying
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


def asked_about(technique: Technique, problem: Problem, selected: int | None) -> Query | None:
    """Return the row or place that is asked about, if the page has one; a place outside the picture is at its edge."""
    if technique.query == "none":
        return None
    nowhere: Place | None = None
    place = kept(QUERY, parse_place, nowhere)
    if selected is not None:
        return problem.query(sample=selected)
    if place is not None:
        panel = region_panel(problem)
        x, y = (min(max(value, axis.low), axis.high) for value, axis in zip(place, (panel.x, panel.y), strict=True))
        return problem.query((x, y))
    return problem.query() if technique.query == "always" else None


def take_handle(technique: Technique, stage_key: str) -> None:
    """Take over what was dragged on the stage; a callback. What the browser sends is not trusted."""
    moved = st.session_state[stage_key].moved
    if not isinstance(moved, dict):
        return
    x, y = (_finite(moved.get(axis)) for axis in "xy")
    name = str(moved.get("name"))
    if name == QUERY and technique.query != "none" and x is not None and y is not None:
        text = f"{x:.9g},{y:.9g}"
        st.session_state[QUERY] = parse_place(text)  # as who opens the link will have it
        st.session_state["point"] = 0
        keep(QUERY, text)
        keep("point", None)
    elif name == SPLIT and technique.splits:
        value = y if x is None else x
        if value is not None:
            st.session_state[f"{technique.slug}.threshold"] = float(f"{value:.4g}")
    elif name in technique.handles:
        value = y if x is None else x
        if value is not None:
            _set(technique, technique.handles[name], value)


def _set(technique: Technique, name: str, value: float) -> None:
    """Give a parameter or option the nearest value that it can take."""
    specs = {name: spec for method in technique.algorithms for name, spec in technique.specs(method).items()}
    spec = specs[name] if name in specs else technique.options[name].spec
    if not isinstance(spec, Integer | Number):
        return
    inside = min(max(value, spec.low), spec.high)
    st.session_state[f"{technique.slug}.{name}"] = (
        round(inside) if isinstance(spec, Integer) else float(f"{inside:.4g}")
    )


def _finite(value: Any) -> float | None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if number and math.isfinite(value) and abs(value) <= LARGEST else None
