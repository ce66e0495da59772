"""Pages and their presets, by the short names under which texts lead to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dashboard.catalogue import ENTRIES, Entry
from dashboard.presets import link_of, presets


@dataclass(frozen=True)
class Example:
    """A page with what its link says.

    Attributes
    ----------
    entry : Entry
        The page.
    preset : str
        The title of its preset; empty where the page opens as it does by itself.
    link : mapping of str to list of str
        The settings of the preset.
    """

    entry: Entry
    preset: str = ""
    link: Mapping[str, list[str]] = field(default_factory=dict, hash=False)

    @property
    def title(self) -> str:
        """The text of a link to it."""
        return self.preset or self.entry.title


def example(name: str) -> Example:
    """Return the example of a name: a slug, or a slug and the title of a preset.

    Raises
    ------
    KeyError
        If there is no such page, or it has no such preset.

    Examples
    --------
    >>> example("kmeans").title, example("kmeans#An empty cluster").title
    ('k-means', 'An empty cluster')
    """
    slug, _, title = name.partition("#")
    if not title:
        return Example(ENTRIES[slug])
    by_title = {preset.title: preset for preset in presets(slug)}
    return Example(ENTRIES[slug], title, link_of(slug, by_title[title]))
