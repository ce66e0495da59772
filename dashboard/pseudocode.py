"""The textbook's algorithm beside the ledger, and which of its lines a step is.

``assets/pages/<slug>/pseudocode.toml`` has one table for each class of algorithm: ``source`` and
``text``, the lines indented by two spaces a level, with the phases that a line is behind two spaces
and a number sign.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

PAGES = Path(__file__).parent.parent / "assets" / "pages"


class Line(NamedTuple):
    """A line of pseudocode, and the phases during which it is the current one."""

    text: str
    phases: tuple[str, ...]


@lru_cache(maxsize=100)
def listings(slug: str) -> dict[str, tuple[str, list[Line]]]:
    """Return the source and the lines of each algorithm of a page, by the name of its class."""
    tables = tomllib.loads((PAGES / slug / "pseudocode.toml").read_text(encoding="utf-8"))
    return {
        name: (table["source"], [_line(text) for text in table["text"].splitlines()])
        for name, table in tables.items()
    }


def pseudocode(slug: str, algorithm: str, phases: Iterable[str]) -> dict[str, Any]:
    """Return the listing of an algorithm for the stage, with the current line of each step."""
    source, lines = listings(slug)[algorithm]
    return {
        "source": source,
        "lines": [line.text for line in lines],
        "current": current_lines(lines, phases),
    }


def current_lines(lines: list[Line], phases: Iterable[str]) -> list[int | None]:
    """Return for each phase its next line from the line before on; None where it has no line."""
    current, lines_of_phases = 0, []
    for phase in phases:
        places = [i for i, line in enumerate(lines) if phase in line.phases]
        place = next((i for i in places if i >= current), places[0] if places else None)
        current = current if place is None else place
        lines_of_phases.append(place)
    return lines_of_phases


def _line(text: str) -> Line:
    code, _, phases = text.partition("  # ")
    return Line(code.rstrip(), tuple(phases.split(", ")) if phases else ())
