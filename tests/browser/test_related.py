"""The end of a page: the way on in a course, and the pages that are related to it."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.access import serious

pytestmark = pytest.mark.browser


def test_a_course_is_walked_from_page_to_page(stage):
    page = stage.page
    page.goto(f"{stage.address}/courses")
    expect(page.locator("[data-test-script-state=notRunning]")).to_have_count(1)
    page.get_by_role("link", name="Missing values and imputation").first.click()
    page.wait_for_url("**/missing_values?course=ma429&lecture=6")
    page.evaluate("() => { window.dmSame = true; }")
    way_on = page.locator(".st-key-way-on")
    way_on.get_by_role("link", name="k-means", exact=False).last.click()
    page.wait_for_url(re.compile(r"/kmeans\?(.*&)?course=ma429&lecture=6"))
    stage.settle()
    expect(page.locator(".st-key-head h1")).to_have_text("k-means")
    way_on.get_by_role("link", name=re.compile("Missing values and imputation")).click()
    # The data come along, as they do by the navigation.
    page.wait_for_url(re.compile(r"/missing_values\?(.*&)?course=ma429&lecture=6"))
    way_on.get_by_role("link", name=re.compile("MA429")).click()
    page.wait_for_url("**/courses")
    assert page.evaluate("window.dmSame")


def test_a_related_page_takes_along_what_the_navigation_does(stage):
    page = stage.open("kmeans", seed=7).page
    related = page.locator(".st-key-related")
    related.get_by_role("link", name=re.compile("k-medoids")).first.click()
    page.wait_for_url("**/kmedoids?seed=7")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1366, 390])
def test_it_can_be_read(tabs, scheme, width):
    stage = tabs(color_scheme=scheme, viewport={"width": width, "height": 844})
    stage.open("kmeans", course="ma429", lecture="6")
    related = stage.page.locator(".st-key-related")
    expect(related).to_contain_text("Often confused with")
    assert serious(stage, ".st-key-related") == []
    places = [related.get_by_role("heading").nth(i).bounding_box() for i in range(3)]
    assert len({place["x" if width == 390 else "y"] for place in places}) == 1
    assert stage.page.evaluate("document.documentElement.scrollWidth") <= width
