"""The home page: its stage is the run of its link; its gallery and its course tracks."""

import tomllib

import pytest
from PIL import Image
from sklearn.metrics import adjusted_rand_score

from dashboard.catalogue import CATALOGUE, FAMILIES
from dashboard.text import literal
from dmlib.datasets import make
from pages.home import LIVING
from tests.visit import ROOT, picture, plain, sound, stage, visit
from ui.home import picture_of

LIGHT = 60_000  # bytes that the stage may take on its way
SMALL = 25_000


@pytest.fixture(scope="module")
def living():
    return LIVING


def test_the_living_stage_is_light_and_has_no_control_that_would_have_to_be_answered():
    page = visit()
    component, _ = page.get("bidi_component")
    assert len(component.proto.bytes) < LIGHT
    scene = stage(page)
    assert scene["living"] is True
    assert scene["selectable"] is False
    assert scene["handles"] == []
    assert not {"controls", "edit", "pseudocode", "draft"} & set(scene)


def test_its_link_opens_the_same_run(living):
    at_home, on_page = stage(visit()), stage(sound(visit(living.slug, **living.link)))
    assert [frame["caption"] for frame in at_home["frames"]] == [
        frame["caption"] for frame in on_page["frames"]
    ]
    assert at_home["panels"] == [panel for panel in on_page["panels"] if not panel["side"]]
    main = [
        mark
        for mark in on_page["marks"]
        if mark["panel"] in {panel["name"] for panel in at_home["panels"]}
    ]
    assert [values(at_home, mark) for mark in at_home["marks"]] == [
        values(on_page, mark) for mark in main
    ]


def values(scene, mark):
    """Return a mark with its arrays in place of their numbers."""
    return {
        name: {part: scene["arrays"][i].tobytes() for part, i in value.items()}
        if isinstance(value, dict)
        else value
        for name, value in mark.items()
    }


def test_its_sentence_is_true(living):
    assert "Five centres start anywhere" in living.sentence
    assert "find the five groups" in living.sentence
    groups = make(living.generator, random_state=living.seed, **living.data).frame["class"]
    assert adjusted_rand_score(groups, living.run().fitted.labels_) > 0.95


def test_home_is_the_same_for_all_visitors():
    assert picture(visit()) == picture(visit())


def test_it_begins_where_there_is_something_to_see(living):
    scene = stage(visit())
    assert scene["frame"]["at"] == living.begin < len(scene["frames"]) - 1
    phases = [frame["phase"] for frame in scene["frames"]]
    assert living.begin > phases.index("assign")  # every point has its colour


def test_cards_stand_under_the_headings_of_their_families():
    page = visit()
    assert [heading.value for heading in page.subheader] == list(FAMILIES)
    assert set(CATALOGUE) <= set(links(page))


def links(page):
    """Return the addresses of the pages to which there is a link."""
    return [link.proto.page for link in page.get("page_link")]


def test_the_search_shows_titles_with_a_line_each_and_says_what_has_no_page():
    page = visit()
    before = links(page)
    page.text_input(key="search").set_value("xgboost").run()
    labels = [link.proto.label for link in page.get("page_link")]
    shown = CATALOGUE["adaboost"]
    assert f"**{literal(shown.title)}** {literal(shown.summary)}" in labels
    assert "XGBoost is not here. Nearest:" in [caption.value for caption in page.caption]
    page.text_input(key="search").set_value("zzqx").run()
    assert links(page) == before
    assert any("Try a shorter word." in caption.value for caption in page.caption)
    page.text_input(key="search").set_value("kmeens").run()
    assert len(links(page)) > len(before)


def test_what_is_typed_into_the_search_is_no_markdown():
    page = visit()
    page.text_input(key="search").set_value("**zzqx** <b>").run()
    assert any(r"\*\*zzqx" in caption.value for caption in page.caption)


def test_every_page_has_a_picture_for_each_theme():
    for slug in CATALOGUE:
        light, dark = (
            ROOT / "assets/pages" / slug / name for name in ("picture.png", "picture_dark.png")
        )
        assert picture_of(slug) == light  # without a browser
        for file in (light, dark):
            assert file.stat().st_size <= SMALL, file
            with Image.open(file) as image:
                assert image.size == (640, 400), file
        assert light.read_bytes() != dark.read_bytes()


def test_courses_show_every_lecture_with_its_pages_and_what_is_to_come():
    page = visit("courses")
    assert [error.message for error in page.exception] == []
    tracks = tomllib.loads((ROOT / "assets/courses.toml").read_text("utf-8"))
    texts = {plain(text.value) for text in page.markdown}
    coming = " ".join(plain(caption.value) for caption in page.caption)
    for course in tracks["course"]:
        for lecture in course["lecture"]:
            assert lecture["title"] in texts
            assert {slug for slug in lecture["slugs"] if slug in CATALOGUE} <= set(links(page))
    for slug, title in tracks["catalogue"].items():
        if slug not in CATALOGUE:
            assert title in coming
