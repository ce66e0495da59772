"""A page within another one: what it goes without, and the lines that put it there."""

from html.parser import HTMLParser
from urllib.parse import parse_qs, urlsplit

import pytest

from dashboard.form import NO_FILE_IN_FRAME
from tests.visit import picture, sound, stage, usual, visit, widgets
from ui.embedding import PLACES, embedding_line, permission
from ui.headers import frame_tag, headers

LINK = 'https://dm.example.edu/svm?svm.C=10&note="><script>'


class Attributes(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags = []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))


def test_the_stage_is_all_that_is_shown():
    page = sound(visit("kmeans", embed="1"))
    assert picture(page) == usual("kmeans")
    assert not page.title
    assert not page.caption
    assert not page.tabs
    assert not {name for name in widgets(page) if not name.startswith("kmeans.")}
    assert stage(page)["controls"] == stage(sound(visit("kmeans")))["controls"]


def test_the_link_takes_controls_away_as_on_the_page():
    names = {
        spec["name"] for spec in stage(visit("kmeans", embed="1", hide="n_clusters"))["controls"]
    }
    assert "kmeans.n_init" in names
    assert "kmeans.n_clusters" not in names


def test_the_link_stays_as_streamlit_has_it_and_gets_what_is_changed():
    page = visit("kmeans", embed="1", **{"kmeans.n_clusters": "99999", "seed": "4"})
    assert page.query_params["embed"] == "1"
    assert page.query_params["seed"] == "4"
    assert "kmeans.n_clusters" not in page.query_params


def test_a_preset_says_nothing_above_the_stage():
    page = visit("kmeans", embed="1", **{"kmeans.preset": "seeding-by-squared-distance"})
    assert not page.caption


@pytest.mark.parametrize("slug", ["kmeans", "apriori"])
def test_a_file_is_refused_with_a_sentence(slug):
    page = visit(slug, embed="1", source="upload")
    assert not page.file_uploader
    assert stage(page)["frames"][0]["caption"] == NO_FILE_IN_FRAME


@pytest.mark.parametrize("place", [place for place in PLACES if place not in {"Quarto", "Notion"}])
def test_a_line_of_html_has_the_link_whatever_is_in_it(place):
    parser = Attributes()
    parser.feed(embedding_line(LINK, "<SVM>", place))
    ((tag, attributes),) = parser.tags
    address = attributes["src" if tag == "iframe" else "data-background-iframe"]
    assert address == f"{LINK}&embed=1"
    assert attributes.get("title", "<SVM>") == "<SVM>"


def test_a_link_without_settings_gets_its_first_one():
    address = embedding_line("https://dm.example.edu/svm", "SVM", "Notion")
    assert parse_qs(urlsplit(address).query) == {"embed": ["1"]}


def test_the_sentence_names_who_may_show_the_page():
    assert "no other site" in permission([])
    assert "https://moodle.example.org" in permission(["https://moodle.example.org"])


@pytest.mark.parametrize(
    ("named", "content"),
    [("", None), ("https://a.example *.b", "https://a.example"), ("nonsense", None)],
)
def test_the_page_knows_the_origins_that_are_named(named, content, monkeypatch):
    monkeypatch.setenv("DMLIB_FRAME_ANCESTORS", named)
    headers.cache_clear()
    parser = Attributes()
    parser.feed(frame_tag())
    assert [attributes.get("content") for _, attributes in parser.tags] == (
        [content] if content else []
    )
