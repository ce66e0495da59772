"""Rounds of practice: data, chosen by their seed, on which wrong rules give wrong answers."""

from __future__ import annotations

import secrets
from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from typing import Any

from dashboard.form import SEED, Form
from dashboard.practice import (
    ALGORITHM,
    LEAST,
    MODES,
    OWN,
    PRACTICE,
    PREDICT,
    ROUND,
    Asked,
    asked,
    rules_shown,
)
from dashboard.presets import Preset, link_of
from dashboard.runs import Memory, UnfinishedRun
from dashboard.settings import Settings
from dashboard.technique import LASTING, Technique
from dashboard.view import View, method_of, view
from dmlib.trace import thread_clock

TRIES = 25  # seeds among which data are chosen
COST = 1.5  # seconds of work in which they are chosen


def view_of(technique: Technique, settings: Settings) -> View | None:
    """Return the view of settings, with data of their own; None where its run would take long."""
    form = Form(settings)
    method = method_of(technique, form)
    data = technique.kind(method).choose(technique, method, form)
    try:
        return view(technique, settings, data, Memory())
    except UnfinishedRun:
        return None


def questions_of(page_view: View | None) -> list[Asked]:
    """Return all questions that a view answers."""
    if page_view is None or page_view.run is None or page_view.technique.practice is None:
        return []
    return asked(page_view.technique.practice.questions, page_view.run, page_view.scene)


def practice_settings(technique: Technique, seed: int) -> Settings:
    """Return the settings of a page on the data of a round."""
    assert technique.practice is not None
    preset = Preset("", "", {**technique.practice.settings, "seed": seed})
    return Settings.from_query(link_of(technique.slug, preset), technique.opening_link)


@lru_cache(maxsize=5000)
def chosen_seed(slug: str, start: int) -> int:
    """Return the first seed from ``start`` on whose data show all wrong rules, or the most.

    Examples
    --------
    >>> chosen_seed("kmeans", 0) == chosen_seed("kmeans", 0)
    True
    """
    technique: Technique = import_module(f"pages.{slug}").TECHNIQUE
    assert technique.practice is not None
    clock = thread_clock()
    n_rules, end = len(technique.practice.rules), clock() + COST
    best, most = start, (-1, -1)
    for seed in (number % (SEED.high + 1) for number in range(start, start + TRIES)):
        questions = questions_of(view_of(technique, practice_settings(technique, seed)))
        shown = len(rules_shown(questions)), min(len(questions), LEAST)
        if shown > most:
            best, most = seed, shown
        if most >= (n_rules, LEAST) or clock() > end:
            break
    return best


def with_round(technique: Technique, settings: Settings, mode: Any) -> Settings:
    """Return the settings after the stage asks for a round; without a mode, after its end.

    What a browser sends is not trusted.
    """
    if technique.practice is None or mode not in MODES:
        return settings
    if not mode:
        return settings.without(PRACTICE)
    if mode == OWN:
        return settings.without(PREDICT).with_text(PRACTICE, OWN)
    seed = chosen_seed(technique.slug, secrets.randbelow(SEED.high + 1))
    chosen = practice_settings(technique, seed)
    lasting = {name: texts for name, texts in settings.texts.items() if name in LASTING}
    chosen = replace(
        chosen,
        texts={**lasting, **chosen.texts, PRACTICE: (mode,)},
        jump=settings.jump,
        revisions=settings.revisions,
    )
    return chosen.at_frame(0)


def opened(technique: Technique, settings: Settings, has_settings: bool) -> Settings:
    """Return the settings of a link that asks for a round, on chosen data if it names none."""
    mode = settings.text(PRACTICE)
    if has_settings or mode not in (ROUND, ALGORITHM):
        return settings
    return with_round(technique, settings, mode)


def with_prediction(settings: Settings, value: Any) -> Settings:
    """Return the settings after the switch of predictions is turned on or off."""
    return settings.with_text(PREDICT, *(["1"] if value == "true" else []))
