"""Rounds of practice: data, chosen by their seed, on which wrong rules give wrong answers."""

from __future__ import annotations

import secrets
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qs, urlencode

from dashboard.form import SEED, Form
from dashboard.opening import FROM_FILES
from dashboard.parameters import method_of
from dashboard.pin import own_names
from dashboard.practice import (
    ALGORITHM,
    MIN_QUESTIONS,
    MODES,
    NAMED,
    OWN,
    PRACTICE,
    PREDICT,
    QUESTIONS,
    ROUND,
    PlacedQuestion,
    placed_questions,
    rules_shown,
)
from dashboard.presets import Preset, Round, link_of, practice_rounds
from dashboard.runs import Memory, UnfinishedRun
from dashboard.settings import Settings
from dashboard.technique import LASTING, Technique, technique_of
from dashboard.view import View, view
from dmlib.pictures.question import Misconception
from dmlib.trace import thread_clock

SEED_NAME = "seed"
FROM_NAME = "name"
"""The seed in the link of an assignment: each student's data come from their name."""
OWN_SOURCES = FROM_FILES | {"draw"}
"""Sources of data that who practises has brought: the round is about these."""
OF_NAME = "name:"
MAX_NAME = 100  # letters of a name
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


def questions_of(page_view: View | None) -> list[PlacedQuestion]:
    """Return all questions that a view answers."""
    if page_view is None or page_view.run is None or page_view.technique.practice is None:
        return []
    return placed_questions(page_view.technique.practice.questions, page_view.run, page_view.scene)


def practice_settings(technique: Technique, seed: int, link: str = "") -> Settings:
    """Return the settings of a page on the data of a round.

    Parameters
    ----------
    technique : Technique
        The page.
    seed : int
        The seed.
    link : str
        The settings, as a link has them; by default those with which learners practise here.
    """
    slug = technique.slug
    texts = parse_qs(link) or link_of(slug, Preset("", "", practice_rounds(slug)[0].settings))
    return Settings.from_query({**texts, SEED_NAME: [str(seed)]}, technique.opening_link)


def round_number(technique: Technique, settings: Settings) -> int:
    """Return the number of the round that is about what a page shows; 0 is the usual one."""
    form = Form(settings)
    method = method_of(technique, form)
    specs, defaults = technique.specs(method), technique.defaults(method)

    def value(name: str) -> Any:
        if name in specs:
            return form.peek(f"{technique.slug}.{name}", specs[name], defaults[name])
        return method if name == "method" else None

    further = list(enumerate(practice_rounds(technique.slug)))[1:]
    alike = (i for i, each in further if all(value(name) == each.of[name] for name in each.of))
    return next(alike, 0)


def link_of_round(slug: str, number: int) -> str:
    """Return the settings of a round of a page as a link has them; empty for the usual one."""
    each = practice_rounds(slug)[number]
    link = link_of(slug, Preset("", "", each.settings)) if each.of else {}
    return urlencode(link, doseq=True)


def round_link(technique: Technique, settings: Settings) -> str:
    """Return the settings of the round about what a page shows; empty for the usual one."""
    return link_of_round(technique.slug, round_number(technique, settings))


def rules_of(technique: Technique, each: Round) -> set[Misconception]:
    """Return the wrong rules that a round shows: the usual one those that no other one does."""
    assert technique.practice is not None
    named = frozenset[str]().union(
        *(each_round.rules for each_round in practice_rounds(technique.slug))
    )
    return {
        rule
        for rule in technique.practice.rules
        if (rule.name in each.rules if each.of else rule.name not in named)
    }


def seed_of(name: str) -> int:
    """Return the seed from which the data of a student are searched, whoever asks for it.

    Examples
    --------
    >>> seed_of("Ada Lovelace") == seed_of(" ada  lovelace ")
    True
    """
    letters = " ".join(name.split()).casefold().encode()
    return int.from_bytes(sha256(letters).digest()[:8], "big") % (SEED.high + 1)


@lru_cache(maxsize=5000)
def chosen_seed(slug: str, start: int, link: str = "") -> int:
    """Return the first seed from ``start`` on whose data show all wrong rules, or the most.

    Parameters
    ----------
    slug : str
        The page.
    start : int
        Where the search begins.
    link : str
        The settings, as a link has them; by default those with which learners practise here.

    Examples
    --------
    >>> 0 <= chosen_seed("kmeans", 0) < 25
    True
    """
    technique = technique_of(slug)
    number = round_number(technique, practice_settings(technique, start, link))
    rules = rules_of(technique, practice_rounds(slug)[number])
    clock = thread_clock()
    end = clock() + COST
    best, most = start, (-1, -1)
    for seed in (candidate % (SEED.high + 1) for candidate in range(start, start + TRIES)):
        questions = questions_of(view_of(technique, practice_settings(technique, seed, link)))
        shown = len(rules_shown(questions) & rules), min(len(questions), MIN_QUESTIONS)
        if shown > most:
            best, most = seed, shown
        if most >= (len(rules), MIN_QUESTIONS) or clock() > end:
            break
    return best


def fixed_link(slug: str, settings: Settings) -> str:
    """Return the settings of a page, without the seed, as a link has them."""
    names = own_names(slug, settings.without(SEED_NAME))
    return urlencode({name: settings.texts[name] for name in names}, doseq=True)


def with_round(technique: Technique, settings: Settings, mode: Any) -> Settings:
    """Return the settings after the stage asks for a round; without a mode, after its end.

    Parameters
    ----------
    technique : Technique
        The page.
    settings : Settings
        Its settings.
    mode : object
        A mode of practice, or "name:" and the name of a student, whose data come from it. What a
        browser sends is not trusted.
    """
    if technique.practice is None or not isinstance(mode, str):
        return settings
    if mode.startswith(OF_NAME):
        name, link = mode.removeprefix(OF_NAME)[:MAX_NAME], fixed_link(technique.slug, settings)
        return _on_data(technique, settings, ROUND, seed_of(name), link) if name else settings
    if mode not in MODES:
        return settings
    if not mode:
        return settings.without(PRACTICE)
    is_own = settings.text("source") in OWN_SOURCES
    if is_own or mode in (OWN, NAMED):
        mode = OWN if is_own and mode == ROUND else mode
        return settings.without(PREDICT).with_text(PRACTICE, mode).at_frame(0)
    link = round_link(technique, settings)
    return _on_data(technique, settings, mode, secrets.randbelow(SEED.high + 1), link)


def _on_data(
    technique: Technique, settings: Settings, mode: str, start: int, link: str
) -> Settings:
    """Return the settings of a round on the data that are found from a seed on."""
    seed = chosen_seed(technique.slug, start, link)
    chosen = practice_settings(technique, seed, link)
    lasting = {
        name: texts
        for name, texts in settings.texts.items()
        if name in LASTING | {QUESTIONS} and name != PREDICT
    }
    chosen = replace(
        chosen,
        texts={**lasting, **chosen.texts, PRACTICE: (mode,)},
        jump=settings.jump,
        revisions=settings.revisions,
    )
    return chosen.at_frame(0)


def begin_round(technique: Technique, settings: Settings) -> Settings:
    """Return the settings of a link that asks for a round.

    Where it names no data they are chosen; those of a class come from each student's name.
    """
    mode = settings.text(PRACTICE)
    if technique.practice is None or mode not in (ROUND, ALGORITHM):
        return settings
    if settings.text(SEED_NAME) == FROM_NAME:
        return with_round(technique, settings.without(SEED_NAME), NAMED)
    return with_round(technique, settings, mode) if settings.is_as_opened else settings


def with_prediction(settings: Settings, value: Any) -> Settings:
    """Return the settings after the switch of predictions is turned on or off."""
    return settings.with_text(PREDICT, *(["1"] if value == "true" else []))
