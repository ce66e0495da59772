"""Presets: settings that show one phenomenon, from assets/pages/<slug>/presets.toml."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

PAGES = Path(__file__).parent.parent / "assets" / "pages"
TAGS = frozenset({"start", "fails", "by-hand"})
"""It is the one to begin with; the method fails on it; its numbers can be worked out by hand."""


@dataclass(frozen=True)
class Preset:
    """One preset.

    Attributes
    ----------
    title : str
        Its name.
    look_for : str
        What there is to see, and what to try.
    settings : mapping
        Names and values of a link: ``data``, ``seed``, and a method's own parameters by their
        names; ``step`` where what there is to see is gone at the end.
    tags : frozenset of str
        Some of ``TAGS``.
    """

    title: str
    look_for: str
    settings: Mapping[str, Any]
    tags: frozenset[str] = frozenset()

    @property
    def slug(self) -> str:
        """Its title as links write it."""
        return slug_of(self.title)


def slug_of(title: str) -> str:
    """Return a title as links write it.

    Examples
    --------
    >>> slug_of("CART: no value, two answers")
    'cart-no-value-two-answers'
    """
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


LOOK_FOR = "look_for"
"""Name in the link of the preset whose note is shown."""
SHARED_NAMES = """
    source data generator task scaling seed test known query point step
    places points graph curves ticks formula patterns words
"""
SHARED = frozenset(SHARED_NAMES.split())
"""Names that a link has on every page."""


def link_of(slug: str, preset: Preset) -> dict[str, list[str]]:
    """Return what the preset's link says, under the names that settings have in a link.

    Examples
    --------
    >>> link_of("kmeans", Preset("Wine", "", {"data": "wine", "n_clusters": 3}))
    {'data': ['wine'], 'kmeans.n_clusters': ['3'], 'kmeans.look_for': ['wine']}
    """
    settings = dict(preset.settings) | ({LOOK_FOR: preset.slug} if preset.slug else {})
    return {
        name if "." in name or name in SHARED else f"{slug}.{name}": _texts(value)
        for name, value in settings.items()
    }


def _texts(value: Any) -> list[str]:
    return [str(part) for part in (value if isinstance(value, list) else [value])]


@lru_cache(maxsize=100)
def practice_preset(slug: str) -> Preset:
    """Return the settings with which a page lets learners practise.

    They are in assets/pages/<slug>/practice.toml: few data, which depend on the seed.
    """
    file = PAGES / slug / "practice.toml"
    return Preset("", "", tomllib.loads(file.read_text("utf-8")) if file.exists() else {})


@lru_cache(maxsize=100)
def presets(slug: str) -> tuple[Preset, ...]:
    """Return the presets of a page, in order."""
    file = PAGES / slug / "presets.toml"
    entries = tomllib.loads(file.read_text("utf-8"))["preset"] if file.exists() else []
    return tuple(
        Preset(
            entry["title"],
            " ".join(entry["look_for"].split()),
            entry["settings"],
            frozenset(entry.get("tags", ())),
        )
        for entry in entries
    )
