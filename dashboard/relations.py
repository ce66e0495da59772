"""How pages are related, from assets/relations.toml: what leads to what, and what is confused."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache

from dashboard.catalogue import ASSETS

Reasons = Mapping[str, str]
"""By page: a sentence on how another one is related to it."""


@lru_cache(maxsize=1)
def _relations() -> Mapping[str, Mapping[str, Reasons]]:
    return tomllib.loads((ASSETS / "relations.toml").read_text("utf-8"))


def prerequisites(slug: str) -> Reasons:
    """Return the pages that a page needs, with the reasons."""
    leads = _relations()["leads"]
    return {page: reasons[slug] for page, reasons in leads.items() if slug in reasons}


def successors(slug: str) -> Reasons:
    """Return the pages to which a page leads, with the reasons."""
    return _relations()["leads"].get(slug, {})


def lookalikes(slug: str) -> Reasons:
    """Return the pages with which a page is often confused, and how they differ."""
    pairs = _relations()["confused"]
    backward = {page: reasons[slug] for page, reasons in pairs.items() if slug in reasons}
    return {**pairs.get(slug, {}), **backward}
