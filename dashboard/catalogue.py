"""The list of pages, for the navigation, the gallery and the courses."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

ASSETS = Path(__file__).parents[1] / "assets"

FAMILIES = (
    "Data",
    "Dimension",
    "Classification",
    "Neural networks",
    "Regression",
    "Clustering",
    "Association",
    "Evaluation",
    "Large data",
)
"""The families of techniques, in the order of the courses."""
FIRST_CONCEPTS = "First concepts"
"""The family of the pages without an algorithm."""


@dataclass(frozen=True)
class Entry:
    """One page.

    Attributes
    ----------
    slug : str
        Name of the page's file, of its folder of content and of its link.
    title : str
        The technique's usual name.
    family : str
        One of ``FAMILIES``, or ``FIRST_CONCEPTS``.
    summary : str
        One sentence on what one can see there.
    words : str
        Further words under which the search finds it.
    panel : str
        The panel of its stage that home shows: the one that it is known by.
    """

    slug: str
    title: str
    family: str
    summary: str
    words: str = ""
    panel: str = "data"


def _entries() -> dict[str, Entry]:
    """Return the entries of the pages that are there, in the order of the courses' catalogue."""
    order = tomllib.loads((ASSETS / "courses.toml").read_text("utf-8"))["catalogue"]
    files = {slug: ASSETS / "pages" / slug / "entry.toml" for slug in order}
    return {slug: Entry(slug, **_read(file)) for slug, file in files.items() if file.is_file()}


def _read(file: Path) -> dict[str, str]:
    """Return what a file says of a page; its words are one line."""
    return {
        name: " ".join(text.split())
        for name, text in tomllib.loads(file.read_text("utf-8")).items()
    }


CATALOGUE = _entries()
"""All pages of techniques by slug, in the order in which they are shown."""
CONCEPTS = {
    slug: Entry(slug, family=FIRST_CONCEPTS, **texts)
    for slug, texts in tomllib.loads((ASSETS / "courses.toml").read_text("utf-8"))[
        "concepts"
    ].items()
}
"""The pages on first concepts, which have no algorithm."""
ENTRIES = CATALOGUE | CONCEPTS
"""The pages that lectures name and the search finds."""
