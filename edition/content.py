"""The data of a page: scripts with its scenes, the positions of its sliders, and its rounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dashboard.export import source_of
from dashboard.practice import MAX_DECISIONS, PlacedQuestion, placed_questions, round_of
from dashboard.rounds import SEED_NAME, chosen_seed, practice_settings
from dashboard.technique import Technique
from dashboard.view import View
from edition.packing import archive, script, smallest, text
from edition.sliders import Pairs, Slider, bare, bare_still, computed, controls, paired
from edition.states import State, finished_view, states

PRACTICE = "practice"
SEEDS = (0, 100, 200)
"""Where the search for the data of each round begins."""
MAX_BYTES, MAX_PAIRS = 40_000, 34_000
"""Of a slider and of the pairs of two, compressed: the folder has to fit on a web page's host."""
MAX_PICTURE = 10_000
"""Bytes of a picture, compressed, from which on its steps are loaded after the one it opens at."""

Scripts = Iterator[tuple[str, str]]
"""Names of scripts, and the scripts."""


def scripts(technique: Technique) -> Scripts:
    """Yield all scripts of a page."""
    for state in states(technique):
        yield from _scripts_of_state(technique.slug, state)
    if technique.practice is not None:
        name = f"{technique.slug}/{PRACTICE}"
        yield name, script(name, [_round(technique, seed) for seed in SEEDS])


def _scripts_of_state(slug: str, state: State) -> Scripts:
    """Yield the scripts of a state: its picture, its questions, and each of its sliders."""
    view, name = state.view(), f"{slug}/{state.name}"
    sliders = [] if state.is_contrast else _sliders(state, view)
    pairs = _pairs(state, view, sliders)
    questions = _questions(view)
    scene, at = smallest(bare(view)), state.settings.jump.at
    is_large = len(scene) > MAX_PICTURE
    content = {
        "scene": text(smallest(bare_still(view, at)) if is_large else scene),
        "still": is_large,
        "at": at,
        "controls": [slider.control for slider in sliders],
        "ends": [i for i, slider in enumerate(sliders) if not slider.has_steps],
        "pairs": pairs.positions if pairs else [],
        "asks": bool(questions),
        "code": source_of(view) if view.run else "",
        "link": state.link,
    }
    yield name, script(name, content)
    if is_large:
        yield f"{name}.steps", script(f"{name}.steps", text(scene))
    for number, slider in enumerate(sliders):
        yield f"{name}.{number}", script(f"{name}.{number}", _positions(slider))
    if pairs:
        yield f"{name}.pairs", script(f"{name}.pairs", _positions(pairs))
    if questions:
        packed = [each.packed() for each in questions]
        yield f"{name}.questions", script(f"{name}.questions", packed)


def _sliders(state: State, view: View) -> list[Slider]:
    """Return the sliders of a state, with as many positions and steps as there is room for."""
    sliders = []
    for control in controls(view):
        whole = computed(state, view, control)
        slider = _with_room(whole)
        is_small = len(archive(slider.scenes)) <= MAX_BYTES
        sliders.append(slider if is_small else _with_room(whole.without_steps()))
    return sliders


def _with_room(slider: Slider) -> Slider:
    """Return a slider with as many positions as there is room for, or the fewest."""
    while len(archive(slider.scenes)) > MAX_BYTES and (fewer := slider.halved()):
        slider = fewer
    return slider


def _pairs(state: State, view: View, sliders: Sequence[Slider]) -> Pairs | None:
    """Return the pairs of two sliders, as many as there is room for."""
    pairs = paired(state, view, sliders)
    while pairs and len(archive(pairs.scenes)) > MAX_PAIRS:
        pairs = pairs.fewer()
    return pairs


def _positions(slider: Slider | Pairs) -> dict[str, Any]:
    return {
        "places": slider.places,
        "sizes": [len(scene) for scene in slider.scenes],
        "scenes": text(archive(slider.scenes)),
    }


def _questions(view: View) -> list[PlacedQuestion]:
    practice = view.technique.practice
    if practice is None or view.run is None or view.pair is not None:
        return []
    return placed_questions(practice.questions, view.run, view.scene)


def _round(technique: Technique, start: int) -> dict[str, Any]:
    """Return a round of practice: its picture, its questions, and all decisions of the run."""
    settings = practice_settings(technique, chosen_seed(technique.slug, start))
    view = finished_view(technique, settings)
    questions = _questions(view)
    return {
        "scene": text(smallest(bare(view))),
        "data": view.data.summary,
        "seed": settings.text(SEED_NAME) or "0",
        "link": State(PRACTICE, "", "", technique, settings).link,
        "round": [each.packed() for each in round_of(questions)],
        "decisions": [each.packed() for each in questions[:MAX_DECISIONS]],
    }
