"""Whether a page is still set to what the preset says that is on."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from dashboard.form import Form
from dashboard.parameters import method_of, parameters
from dashboard.presets import LOOK_FOR
from dashboard.runs import Memory
from dashboard.settings import NO_SETTINGS, Settings, Texts
from dashboard.technique import Technique, technique_of
from dashboard.tools.ask import POINT

NOT_COMPARED = NO_SETTINGS | {POINT}
"""Names that leave the run as it is: a player that has moved, a row that is selected."""


def differs_from_preset(technique: Technique, settings: Settings, names: Iterable[str]) -> bool:
    """Return whether something was changed since the preset was adopted that is on.

    Parameters
    ----------
    technique : Technique
        The page.
    settings : Settings
        What it is set to, without what has its default.
    names : iterable of str
        The names that the page has; those of other pages may be in the settings as well.
    """
    slug = settings.text(f"{technique.slug}.{LOOK_FOR}")
    if slug not in {preset.slug for preset in technique.presets}:
        return False
    texts = _preset_texts(technique.slug, slug)
    compared = set(names) - NOT_COMPARED
    return any(settings.get(name) != texts.get(name, ()) for name in compared)


@lru_cache(maxsize=1000)
def _preset_texts(technique_slug: str, preset_slug: str) -> Texts:
    """Return the settings of a preset, without what has its default."""
    technique = technique_of(technique_slug)
    form = Form(technique.with_preset(Settings(), preset_slug))
    method = method_of(technique, form)
    data = technique.kind(method).choose(technique, method, form)
    page, _, _ = parameters(technique, form.settings, data, Memory())
    return page.settings.texts
