"""The pages on first concepts: the map is clicked through, the table is filtered, all is read."""

import pytest
from playwright.sync_api import expect

from dashboard.catalogue import CATALOGUE, CONCEPTS
from tests.browser.access import serious
from tests.browser.layout import PHONE

pytestmark = pytest.mark.browser
FIRST_ROW = 60  # pixels below the upper edge of the table


def arrived(stage, address):
    stage.page.goto(f"{stage.address}/{address}")
    stage.page.get_by_role("heading", level=1).wait_for()
    return stage.page


def settled(stage):
    expect(stage.page.get_by_test_id("stStatusWidget")).to_have_count(0)


def test_the_map_is_clicked_through_and_back_leads_back(tabs):
    stage = tabs()
    page = arrived(stage, "problems")
    chosen = page.locator(".st-key-map [data-testid=stBaseButton-primary]")
    for answer in ("A table: rows and columns", "No", "Find anomalies"):
        page.get_by_role("button", name=answer, exact=True).click()
        expect(chosen.filter(has_text=answer)).to_be_visible()
    page.wait_for_url("**/problems?data=table&target=none&want=anomalies")
    expect(page.locator(".st-key-families")).to_contain_text("Anomaly detection")
    page.go_back()
    expect(chosen).to_have_count(2)
    expect(page.locator(".st-key-families")).to_contain_text("Clustering")
    page.go_forward()
    expect(chosen).to_have_count(3)
    expect(page.locator(".st-key-families")).to_contain_text("Anomaly detection")
    expect(page.locator(".st-key-card-dbscan")).to_be_visible()
    # Streamlit drops the images of a page that is left; one on its way would be missed.
    page.wait_for_function("[...document.images].every((image) => image.complete)")
    page.locator(".st-key-card-dbscan").get_by_role("link").click()
    page.wait_for_url("**/dbscan?**")
    expect(page.get_by_role("heading", level=1)).to_have_text("DBSCAN")
    stage.root.wait_for()
    stage.settle()
    # Streamlit drops the images of cards that are taken away; the browser says which it missed.
    stage.errors = [error for error in stage.errors if "/media/" not in error]


def test_the_table_is_filtered_and_a_click_opens_a_page_with_the_data(tabs):
    stage = tabs()
    page = arrived(stage, "methods?rows=heart_disease")
    expect(page.locator(".st-key-suited a").first).to_contain_text("Naive Bayes.")
    page.get_by_role("button", name="Takes missing values").click()
    sentence = page.get_by_text("7 techniques. Click one to open its page.", exact=True)
    expect(sentence).to_be_visible()
    expect(page.locator("[role=grid]")).to_have_attribute("aria-rowcount", "8")
    title = page.locator("[role=grid] [role=gridcell]").first.text_content()
    (slug,) = (entry.slug for entry in CATALOGUE.values() if entry.title == title)
    table, place = page.get_by_test_id("stDataFrame"), {"x": 60, "y": FIRST_ROW}
    table.hover(position=place)  # a table takes a click where it has seen the pointer
    page.wait_for_timeout(300)
    table.click(position=place)
    page.wait_for_url(f"**/{slug}?**")
    assert stage.settle().link["data"] == "heart_disease"


def test_another_letter_lets_go_of_the_term_of_the_link(tabs):
    page = arrived(tabs(), "glossary?term=kappa")
    expect(page.locator(".st-key-named")).to_contain_text("MA429")
    page.get_by_role("radio", name="W", exact=True).click()
    expect(page.get_by_role("heading", name="Wiener index")).to_be_visible()
    expect(page.locator(".st-key-named")).to_have_count(0)
    page.get_by_role("searchbox").fill("sensitivity")
    expect(page.get_by_role("heading", name="recall", exact=True)).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "address", ["problems?data=table", "methods?rows=mtcars", "glossary?term=support"]
)
def test_they_can_be_read_and_reached(tabs, address, scheme):
    stage = tabs(color_scheme=scheme)
    arrived(stage, address)
    settled(stage)
    assert serious(stage) == []


@pytest.mark.parametrize("slug", CONCEPTS)
def test_nothing_is_wider_than_a_phone(tabs, slug):
    width, height = PHONE
    page = arrived(tabs(viewport={"width": width, "height": height}), slug)
    page.get_by_role("link").last.wait_for()
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollWidth") <= width
