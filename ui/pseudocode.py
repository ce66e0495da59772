"""The textbook's algorithm beside the ledger, and which of its lines a step is.

``assets/pages/<slug>/pseudocode.toml`` has one table for each class of algorithm: ``source`` and
``text``, the lines indented by two spaces a level, with the phases that a line is behind two spaces
and a number sign.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

PAGES = Path(__file__).parent.parent / "assets" / "pages"


class Line(NamedTuple):
    """A line of pseudocode, and the phases during which it is the current one."""

    text: str
    phases: tuple[str, ...]


@st.cache_data(max_entries=100, show_spinner=False)
def listings(slug: str) -> dict[str, tuple[str, list[Line]]]:
    """Return the source and the lines of each algorithm of a page, by the name of its class."""
    tables = tomllib.loads((PAGES / slug / "pseudocode.toml").read_text(encoding="utf-8"))
    return {
        name: (table["source"], [_line(text) for text in table["text"].splitlines()])
        for name, table in tables.items()
    }


def pseudocode(slug: str, algorithm: str, phases: Iterable[str]) -> dict[str, Any]:
    """Return the listing of an algorithm as the stage takes it, with the index of the current line of each step."""
    source, lines = listings(slug)[algorithm]
    return {
        "source": source,
        "lines": [line.text for line in lines],
        "current": current_lines(lines, phases),
    }


def current_lines(lines: list[Line], phases: Iterable[str]) -> list[int | None]:
    """Return for each phase the next line that it is, from the line before it on; None where it is no line."""
    now, found = 0, []
    for phase in phases:
        places = [i for i, line in enumerate(lines) if phase in line.phases]
        place = next((i for i in places if i >= now), places[0] if places else None)
        now = now if place is None else place
        found.append(place)
    return found


def _line(text: str) -> Line:
    code, _, phases = text.partition("  # ")
    return Line(code.rstrip(), tuple(phases.split(", ")) if phases else ())
