"""Each address says what its page is, and an unknown one what is nearest to it."""

from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from PIL import Image

from dashboard.catalogue import CATALOGUE
from tests.test_files import get
from ui.introduction import INTRODUCTIONS, VARIABLE, address_of, missing_page, picture_file

HOST = "dm.example.org"


class Head(HTMLParser):
    """Title, meta tags, links and language of a page."""

    def __init__(self, page):
        super().__init__()
        self.title, self.meta, self.links, self.language = "", {}, [], ""
        self.headings, self.tag = [], ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.tag = tag
        if tag == "html":
            self.language = attributes["lang"]
        elif tag == "meta" and "content" in attributes:
            self.meta[attributes.get("name") or attributes.get("property")] = attributes["content"]
        elif tag in ("link", "a"):
            self.links.append(attributes)

    def handle_endtag(self, tag):
        self.tag = ""

    def handle_data(self, data):
        if self.tag == "title":
            self.title += data
        elif self.tag == "h1":
            self.headings.append(data)


def introduced(path, **headers):
    return Head(get(path, **headers)[1].decode())


@pytest.mark.parametrize("slug", INTRODUCTIONS)
def test_each_address_introduces_its_page(slug):
    page = introduced(f"/{slug}", host=HOST)
    said = INTRODUCTIONS[slug]
    assert page.language == "en"
    assert page.title == said.title == page.meta["og:title"]
    assert page.meta["description"] == said.description == page.meta["og:description"]
    (canonical,) = [link["href"] for link in page.links if link.get("rel") == "canonical"]
    assert canonical == page.meta["og:url"] == f"http://{HOST}/{slug}"
    picture = page.meta["og:image"].removeprefix(f"http://{HOST}")
    headers, body = get(picture)
    assert headers["content-type"] == "image/png"
    assert body == picture_file(f"{said.picture}.png").read_bytes()


def test_titles_are_the_techniques_and_differ():
    assert introduced("/kmeans").title == "k-means – dmlib"
    assert introduced("/").title == "dmlib: see data mining"
    assert len({page.title for page in INTRODUCTIONS.values()}) == len(INTRODUCTIONS)
    for slug, entry in CATALOGUE.items():
        assert entry.title in INTRODUCTIONS[slug].title


def test_pictures_are_large_enough_for_a_preview():
    for slug in CATALOGUE:
        with Image.open(picture_file(f"{slug}.png")) as picture:
            assert picture.width >= 600
            assert picture.height >= 315


@pytest.mark.parametrize("host", ["", '"><script>', "a.example/x", "a b", "example.org:8x"])
def test_a_host_that_is_none_is_not_repeated(host):
    page = introduced("/kmeans", host=host)
    assert page.meta["og:url"] == "./kmeans"
    assert host not in page.meta["og:image"] or not host


def test_the_operator_names_the_address(monkeypatch):
    scope = {"headers": [(b"host", b"10.0.0.7:8501")], "scheme": "https"}
    assert address_of(scope, "") == "https://10.0.0.7:8501"
    assert address_of(scope, "/dm") == "https://10.0.0.7:8501/dm"
    monkeypatch.setenv(VARIABLE, "https://dm.example.org/")
    assert address_of(scope, "/dm") == "https://dm.example.org"


def test_the_lists_for_search_engines_have_every_page():
    headers, body = get("/sitemap.xml", host=HOST)
    assert "xml" in headers["content-type"]
    places = [place.text for place in ElementTree.fromstring(body).iter() if place.text]
    assert places == [f"http://{HOST}/{slug}" for slug in INTRODUCTIONS]
    headers, body = get("/robots.txt", host=HOST)
    assert headers["content-type"].startswith("text/plain")
    assert f"Sitemap: http://{HOST}/sitemap.xml" in body.decode()
    assert "Disallow" not in body.decode()


@pytest.mark.parametrize(
    ("path", "slug"),
    {
        "/random_forest": "ensembles",
        "/k-means": "kmeans",
        "/support_vector_machine": "svm",
        "/aprioi": "apriori",
        "/xgboost": "adaboost",
        "/home/kmeans2": "kmeans",
    }.items(),
)
def test_an_unknown_address_says_so_and_offers_the_nearest(path, slug):
    headers, body = get(path, status=404)
    assert headers["content-type"] == "text/html; charset=utf-8"
    page = Head(body.decode())
    assert page.headings == [f"There is no page “{path[1:]}”"]
    up = "../" * (path.count("/") - 1) or "./"
    links = [link["href"] for link in page.links]
    assert links[0] == f"{up}{slug}"
    assert links[-1] == up
    assert page.meta["robots"] == "noindex"


def test_it_says_what_has_no_page_and_leads_home_from_nonsense():
    assert "XGBoost is not here." in missing_page("/xgboost")
    page = Head(missing_page("/zzqx"))
    assert [link["href"] for link in page.links] == ["./"]


@pytest.mark.parametrize("path", ["/<script>alert(1)", '/"onload="', "/{title}", "/" + "x" * 5000])
def test_an_unknown_address_is_only_text(path):
    text = get(path, status=404)[1].decode()
    page = Head(text)
    assert page.headings == [f"There is no page “{path[1:81]}”"]
    assert "<script" not in text
    assert len(text) < 5000
