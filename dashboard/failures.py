"""All runs on which methods fail, with what works instead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from dashboard.catalogue import CATALOGUE, Entry
from dashboard.presets import PAGES, Failure, Preset, link_of, presets
from dashboard.settings import PIN, pin_text


@dataclass(frozen=True)
class FailingRun:
    """A preset on which its method fails.

    Attributes
    ----------
    slug : str
        Its page.
    preset : Preset
        Its settings, and what there is to see.
    failure : Failure
        Why, and what works.
    """

    slug: str
    preset: Preset
    failure: Failure

    @property
    def entry(self) -> Entry:
        """Its page in the catalogue."""
        return CATALOGUE[self.slug]

    @property
    def link(self) -> dict[str, list[str]]:
        """The link to the run, below its page."""
        return link_of(self.slug, self.preset)

    @property
    def contrast_link(self) -> dict[str, list[str]]:
        """The link to what works, below the page of that, with the failing run pinned beside it."""
        instead = link_of(self.failure.page, Preset("", "", self.failure.settings))
        return instead | {PIN: [pin_text(self.slug, self.link)]}

    def picture(self, *, dark: bool) -> Path:
        """Return the file of its picture."""
        name = f"{self.preset.slug}{'_dark' if dark else ''}.webp"
        return PAGES / self.slug / "failures" / name


@lru_cache(maxsize=1)
def failing_runs() -> Sequence[FailingRun]:
    """Return all, in the order of the catalogue."""
    return tuple(
        FailingRun(slug, preset, preset.failure)
        for slug in CATALOGUE
        for preset in presets(slug)
        if preset.failure
    )


def one_of_each_page() -> list[FailingRun]:
    """Return the first of each page."""
    return list({run.slug: run for run in reversed(failing_runs())}.values())[::-1]


def choose(cause: str | None, family: str | None) -> list[FailingRun]:
    """Return those with a cause and of a family; None is any."""
    return [
        run
        for run in failing_runs()
        if cause in (None, run.failure.cause) and family in (None, run.entry.family)
    ]


def numbers_of_causes(family: str | None) -> Mapping[str, int]:
    """Return how many runs of a family have each cause, the most frequent first."""
    return dict(Counter(run.failure.cause for run in choose(None, family)).most_common())
