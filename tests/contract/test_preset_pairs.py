"""Presets of two runs: both are run, on the same data unless other data are the point."""

import re
from unittest import mock

import pytest

import ui.page
from dashboard.catalogue import CATALOGUE
from dashboard.differences import same_rows
from dashboard.pin import Pin
from dashboard.presets import is_of_all_pages, link_of
from tests.visit import sound, stage, technique, visit, warnings

PAIRS = {
    slug: pairs
    for slug in CATALOGUE
    if (pairs := [preset for preset in technique(slug).presets if preset.pin is not None])
}
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


@pytest.fixture(params=PAIRS)
def slug(request):
    return request.param


def view_of(slug, preset):
    """Open a preset by its link; return its view, and the frame that it opens at."""
    views = []
    bar = ui.page.show_bar

    def watch(view, form):
        views.append(view)
        bar(view, form)

    with mock.patch.object(ui.page, "show_bar", watch):
        page = sound(visit(slug, **link_of(slug, preset)))
    assert warnings(page) == [], preset.title
    return views[-1], min(stage(page)["frame"]["at"], len(views[-1].pair.frames) - 1)


def words_of(view, at):
    """Return all that a pair of runs says of itself in a frame."""
    pair = view.pair
    left, right = pair.frames[at]
    numbers = [text for result in pair.results()[at] for text in result.values()]
    captions = [view.pinned.scene.frames[left].caption, view.scene.frames[right].caption]
    packed = pair.packed()
    return " ".join([*numbers, *captions, *packed["titles"], packed["differences"][at]])


def values_of(preset):
    return " ".join(str(value) for value in {**preset.settings, **preset.pin}.values())


def test_most_pages_have_a_pair():
    assert len(PAIRS) > len(CATALOGUE) // 2


def test_a_pair_differs_in_what_its_page_can_be_set_to(slug):
    for preset in PAIRS[slug]:
        page = technique(preset.pin.get("page", slug))
        parameters = {name for method in page.methods for name in page.specs(method)}
        names = {name for name in preset.pin if not is_of_all_pages(name)}
        assert names <= {"page", "method", *parameters, *page.settings}, preset.title
        assert preset.pin, preset.title


def test_the_pinned_run_is_on_the_data_of_the_preset(slug):
    for preset in PAIRS[slug]:
        pin = Pin.parse(link_of(slug, preset)["pin"][0])
        assert pin.technique.slug == preset.pin.get("page", slug)
        for name, value in preset.settings.items():
            if is_of_all_pages(name) and name not in preset.pin and name != "step":
                values = value if isinstance(value, list) else [value]
                assert pin.settings.get(name) == tuple(map(str, values)), (preset.title, name)


@pytest.mark.sweep
def test_a_pair_opens_with_two_runs_of_which_its_sentence_is_true(slug):
    for preset in PAIRS[slug]:
        view, at = view_of(slug, preset)
        for side in (view.pinned, view):
            assert side.run is not None, preset.title
            assert side.run.trace.complete, preset.title
            assert not side.reason, preset.title
        if len(view.data.problem.rows) and not any(map(is_of_all_pages, preset.pin)):
            assert same_rows(view.pinned, view), preset.title
        words = f"{words_of(view, at)} {values_of(preset)}"
        for number in NUMBER.findall(preset.look_for):
            assert re.search(rf"(?<![\d.,]){re.escape(number)}(?![.,]?\d)", words), (
                f"{preset.title}: {number} is not in: {words}"
            )
