"""The page of failures in a browser: it is filtered, and its cards open runs and pairs."""

import pytest
from playwright.sync_api import expect

from dashboard.failures import choose
from tests.browser.access import serious
from tests.browser.layout import PHONE, sized

pytestmark = pytest.mark.browser


def open_page(stage, link=""):
    stage.page.goto(f"{stage.address}/failures{link}")
    expect(stage.page.get_by_role("heading", name="When it fails")).to_be_visible()
    # An image that is on its way when a filter takes its card away would be missed.
    stage.page.wait_for_load_state("networkidle")
    return stage.page


def cards(page):
    return page.locator("[class*='st-key-card-']")


def test_a_cause_is_chosen_and_a_card_opens_its_run(stage):
    page = open_page(stage)
    page.get_by_role("radio", name="density").click()
    runs = choose("density", None)
    expect(cards(page)).to_have_count(len(runs))
    assert page.url.endswith("?cause=density")
    image = cards(page).first.locator("img")
    assert image.evaluate("image => image.decode().then(() => image.naturalWidth)") > 100
    # Streamlit drops the images of a page that is left; one on its way would be missed.
    page.wait_for_function("[...document.images].every((image) => image.complete)")
    box = image.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_url(f"**/{runs[0].slug}?**")
    stage.root.wait_for()
    stage.settle()
    # Streamlit drops the images of cards that are taken away; the browser says which it missed.
    stage.errors = [error for error in stage.errors if "/media/" not in error]
    assert runs[0].preset.look_for[:20] in page.locator(".st-key-looking").inner_text()


def test_what_works_opens_beside_the_failing_run(stage):
    page = open_page(stage, "?cause=chaining&family=Clustering")
    page.get_by_role("link", name="Works: More minimum points").click()
    page.wait_for_url("**/dbscan?**pin=**")
    stage.root.wait_for()
    stage.settle()
    expect(stage.root).to_contain_text("Pinned")
    assert stage.link["dbscan.min_samples"] == "7"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_can_be_read_and_reached(tabs, scheme):
    page = open_page(stage := tabs(color_scheme=scheme), "?cause=scale")
    expect(cards(page).first.locator("img")).to_be_visible()
    assert serious(stage) == []


def test_a_phone_scrolls_down_only(tabs):
    page = open_page(sized(tabs, PHONE), "?cause=scale")
    expect(cards(page).first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
