"""The documentation in the static edition, opened from a folder without a network."""

import re
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from edition.build import build
from tests.browser.access import serious
from tests.browser.visits import SIZE

pytestmark = pytest.mark.browser

SLUGS = ("data_overview", "linear_regression")
PHONE = {"width": 390, "height": 844}
PAGE = "api/regression.linear_regression.html"


@pytest.fixture(scope="module")
def edition(tmp_path_factory):
    folder = tmp_path_factory.mktemp("edition")
    build(folder, SLUGS, "", lambda _: None)
    return folder


@pytest.fixture
def reader(browser, edition):
    """Return a function that opens pages of the edition, for who has no network."""
    contexts, errors = [], []

    def arrive(name, **options):
        context = browser.new_context(**{"offline": True, "viewport": SIZE} | options)
        contexts.append(context)
        tab = context.new_page()
        tab.on("pageerror", lambda error: errors.append(str(error)))
        tab.goto((edition / name).as_uri())
        return tab

    yield arrive
    for context in contexts:
        context.close()
    assert errors == []


def test_the_run_of_an_example_plays_once_it_is_in_view(reader):
    tab = reader(PAGE)
    stage = tab.get_by_role("region", name="A run of LinearRegression").get_by_test_id("stage")
    assert stage.get_attribute("data-frames") is None
    stage.scroll_into_view_if_needed()
    expect(stage).to_have_attribute("data-frames", re.compile(r"\d+"))
    last = int(stage.get_attribute("data-frames")) - 1
    expect(stage).to_have_attribute("data-frame", str(last))
    caption = stage.locator(".dm-caption").inner_text()
    stage.locator("[data-act=back]").click()
    expect(stage).to_have_attribute("data-frame", str(last - 1))
    expect(stage.locator(".dm-caption")).not_to_have_text(caption)
    expect(tab.get_by_text("On the example above")).to_be_visible()


def test_the_code_of_a_page_leads_to_its_class_and_back(reader):
    tab = reader("data_overview.html")
    tab.locator("#code-part summary").click()
    tab.get_by_role("link", name="ColumnSummary").click()
    heading = tab.get_by_role("heading", name="ColumnSummary", exact=True)
    expect(heading).to_be_in_viewport()
    tab.get_by_role("article", name="ColumnSummary").get_by_role("link").first.click()
    expect(tab.get_by_test_id("stage")).to_have_attribute("data-rev", re.compile(r"\d+"))


def test_the_index_finds_names(reader):
    tab = reader("api/index.html")
    tab.get_by_label("Search").fill("ColumnSummary")
    expect(tab.get_by_role("link", name="LinearRegression")).to_be_hidden()
    tab.get_by_role("link", name="ColumnSummary", exact=True).click()
    expect(tab).to_have_url(re.compile("#ColumnSummary$"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["api/index.html", PAGE])
def test_pages_are_for_everybody(name, scheme, reader):
    tab = reader(name, color_scheme=scheme)
    runs = tab.get_by_test_id("stage")
    if runs.count():
        runs.first.scroll_into_view_if_needed()
        expect(runs.first).to_have_attribute("data-rev", re.compile(r"\d+"))
    assert serious(SimpleNamespace(page=tab), "body") == []


@pytest.mark.parametrize("name", ["api/index.html", PAGE])
def test_a_phone_need_not_scroll_sideways(name, reader):
    tab = reader(name, viewport=PHONE)
    assert tab.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
