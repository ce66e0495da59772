"""A pinned run in a link: the page and the settings of a run that stands beside another one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qs

from dashboard.catalogue import CATALOGUE
from dashboard.form import SEED, Form
from dashboard.settings import NO_SETTINGS, PIN, Settings, pin_text
from dashboard.technique import Technique, technique_of

MAX_CHARACTERS = 6000
ON = "true"
HALF = 0.5
"""Of the time of a page: a pair has no more than one."""


@dataclass(frozen=True)
class Pin:
    """A run that is pinned.

    Attributes
    ----------
    technique : Technique
        Its page.
    settings : Settings
        What the page was set to.
    """

    technique: Technique
    settings: Settings

    @classmethod
    def of(cls, technique: Technique, settings: Settings) -> Pin:
        """Return the pin of a page with these settings, without those of other pages."""
        texts = {name: settings.texts[name] for name in own_names(technique.slug, settings)}
        return cls(technique, replace(settings, texts=texts))

    @classmethod
    def parse(cls, text: str) -> Pin:
        """Read a pin from the text of a link.

        Examples
        --------
        >>> pin = Pin.parse("kmeans?kmeans.n_clusters=5&step=3")
        >>> pin.technique.slug, dict(pin.settings.texts), pin.text
        ('kmeans', {'kmeans.n_clusters': ('5',)}, 'kmeans?kmeans.n_clusters=5')
        >>> Pin.parse("nowhere")
        Traceback (most recent call last):
            ...
        ValueError: the name of a page, a question mark and its settings
        """
        slug, _, query = text.partition("?")
        if slug not in CATALOGUE or len(text) > MAX_CHARACTERS:
            raise ValueError("the name of a page, a question mark and its settings")
        technique = technique_of(slug)
        link = parse_qs(query, keep_blank_values=True)
        return cls.of(technique, Settings.from_query(link, technique.opening_link))

    @property
    def text(self) -> str:
        """The text of a link that pins it."""
        return pin_text(self.technique.slug, self.settings.query())


def own_names(slug: str, settings: Settings) -> list[str]:
    """Return the names of settings of a page: without those of other pages, or of another run."""
    return [
        name
        for name in sorted(settings.texts.keys() - NO_SETTINGS - {PIN})
        if (page := name.partition(".")[0]) == slug or page not in CATALOGUE
    ]


def with_pin(technique: Technique, settings: Settings, value: Any) -> Settings:
    """Return the settings after the run that they make is pinned, or nothing is any more."""
    return settings.with_text(PIN, *([Pin.of(technique, settings).text] if value == ON else []))


def with_next_seed(technique: Technique, settings: Settings) -> Settings:
    """Return settings that pin the run and show the same one with the next seed.

    Examples
    --------
    >>> settings = with_next_seed(technique_of("kmeans"), Settings.from_query({"seed": ["4"]}))
    >>> settings.text("seed"), settings.text("pin")
    ('5', 'kmeans?seed=4')
    """
    seed = (Form(settings).seed + 1) % (SEED.high + 1)
    return with_pin(technique, settings, ON).with_text("seed", str(seed))
