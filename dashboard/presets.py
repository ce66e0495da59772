"""Presets: settings that show one phenomenon, from assets/pages/<slug>/presets.toml."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from dashboard.settings import PIN, STEP, pin_text

PAGES = Path(__file__).parent.parent / "assets" / "pages"
TAGS = frozenset({"start", "fails", "by-hand"})
"""It is the one to begin with; the method fails on it; its numbers can be worked out by hand."""

CAUSES: Mapping[str, str] = {
    "scale": "units, unscaled columns",
    "outliers": "far rows, anomalies",
    "shape": "moons, rings, non-convex clusters, nonlinear border",
    "density": "unequal densities",
    "dimension": "high-dimensional, many columns",
    "imbalance": "imbalanced classes, unequal sizes, rare class, skew",
    "few rows": "too few rows, small sample, little data",
    "missing values": "incomplete rows, imputation",
    "start": "initialisation, bad start, local optimum, local minimum",
    "greedy choice": "greedy search",
    "step size": "learning rate too large, diverges, divergence",
    "no convergence": "does not converge, oscillation, complete separation",
    "parameter": "wrong parameter",
    "overfitting": "overfit",
    "underfitting": "underfit",
    "interaction": "exclusive or, XOR",
    "redundancy": "redundant columns, correlated columns, multicollinearity",
    "confounding": "confounder, causation",
    "shift": "distribution shift, extrapolation, unseen data",
    "chance": "pure noise, no structure, multiple testing, spurious",
    "chaining": "single-link effect",
    "capacity": "too many patterns",
    "vanishing gradient": "exploding gradient",
    "misleading measure": "wrong measure, wrong metric",
    "wrong assumption": "violated assumption",
    "cost": "slow, run time",
}
"""Why methods fail, and further words under which the search finds each cause."""


@dataclass(frozen=True)
class Failure:
    """Why a method fails on a preset, and what works instead.

    Attributes
    ----------
    cause : str
        One of ``CAUSES``.
    reason : str
        One sentence on how that shows here.
    remedy : str
        What works instead, by name.
    page : str
        The page where it works.
    settings : mapping
        Names and values of its link, as those of a preset.
    contrast : str
        A number of both runs, where one compares them: "Test error: 18.9 % → 8.9 %".
    panel : str
        The panel that shows it; by default that by which the page is known.
    """

    cause: str
    reason: str
    remedy: str
    page: str
    settings: Mapping[str, Any]
    contrast: str = ""
    panel: str = ""


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
    failure : Failure, optional
        Of a preset that is tagged ``fails``.
    pin : mapping, optional
        The settings of a run that is pinned beside it: ``page``, by default the same one, and in
        which settings it differs. Another page has its settings of the data, this one all of them.
    """

    title: str
    look_for: str
    settings: Mapping[str, Any]
    tags: frozenset[str] = frozenset()
    failure: Failure | None = None
    pin: Mapping[str, Any] | None = None

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
    >>> settings = {"seed": 1, "n_clusters": 3}
    >>> link_of("kmeans", Preset("", "", settings, pin={"n_clusters": 5}))["pin"]
    ['kmeans?seed=1&kmeans.n_clusters=5']
    >>> link_of("kmeans", Preset("", "", settings, pin={"page": "dbscan"}))["pin"]
    ['dbscan?seed=1']
    """
    settings = dict(preset.settings) | ({LOOK_FOR: preset.slug} if preset.slug else {})
    link = {
        name if is_of_all_pages(name) else f"{slug}.{name}": _texts(value)
        for name, value in settings.items()
    }
    return link if preset.pin is None else {**link, PIN: [_pin_of(slug, preset)]}


def is_of_all_pages(name: str) -> bool:
    """Return whether the name of a setting is the same on every page, as those of the data are."""
    return "." in name or name in SHARED


def _pin_of(slug: str, preset: Preset) -> str:
    """Return the text of a link that pins the other run of a preset."""
    differences = dict(preset.pin or {})
    page = differences.pop("page", slug)
    common = {
        name: value
        for name, value in preset.settings.items()
        if name != STEP and (page == slug or is_of_all_pages(name))
    }
    return pin_text(page, link_of(page, Preset("", "", common | differences)))


def _texts(value: Any) -> list[str]:
    return [str(part) for part in (value if isinstance(value, list) else [value])]


@dataclass(frozen=True)
class Round:
    """A round of practice of a page.

    Attributes
    ----------
    settings : mapping
        Names and values of a link, as those of a preset: few data, which depend on the seed.
    of : mapping
        The settings among them that a page has where this round is begun.
    rules : frozenset of str
        The names of the wrong rules that show in it, and are not asked of the usual one.
    """

    settings: Mapping[str, Any]
    of: Mapping[str, Any] = field(default_factory=dict)
    rules: frozenset[str] = frozenset()


@lru_cache(maxsize=100)
def practice_rounds(slug: str) -> tuple[Round, ...]:
    """Return the rounds of a page: the usual one, and those of some of its methods.

    They are in assets/pages/<slug>/practice.toml.
    """
    file = PAGES / slug / "practice.toml"
    usual = tomllib.loads(file.read_text("utf-8")) if file.exists() else {}
    further = usual.pop("round", [])
    return Round(usual), *(
        Round(each["of"] | each["settings"], each["of"], frozenset(each["rules"]))
        for each in further
    )


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
            _failure(slug, entry) if "instead" in entry else None,
            entry.get("pin"),
        )
        for entry in entries
    )


def _failure(slug: str, entry: Mapping[str, Any]) -> Failure:
    """Return what the entry of a preset says of its failure.

    What works has the settings of the preset, of those on another page the data; without the step,
    since its run is another one.
    """
    page = entry["instead"].get("page", slug)
    settings = {
        name: value
        for name, value in (entry["settings"] | entry["instead"]).items()
        if name in entry["instead"] or page == slug or "." in name or name in SHARED
    }
    if "step" not in entry["instead"]:
        settings.pop("step", None)
    settings.pop("page", None)
    names = ("cause", "reason", "remedy", "contrast", "panel")
    texts = {name: entry[name] for name in names if name in entry}
    return Failure(page=page, settings=settings, **texts)
