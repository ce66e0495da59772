"""Every page in a browser: its answer, layout, first handle, first figure and saved picture."""

import json
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import expect

from dashboard.catalogue import CATALOGUE
from tests.browser.access import serious
from tests.browser.layout import (
    COMPACT,
    DESKTOPS,
    PHONE,
    is_large_and_needs_no_scrolling,
    look,
    resize,
    stays_while_any_control_moves,
    values_are_whole,
)

pytestmark = pytest.mark.browser
FIGURE = (
    "[data-testid=stPlotlyChart] .plot-container, [data-testid=stTable], [data-testid=stDataFrame]"
)


def reads_well(stage):
    """Assert that axe has nothing against the page, in light and in dark: colours alone differ."""
    for scheme, of_colours in (("light", False), ("dark", True)):
        stage.page.emulate_media(color_scheme=scheme)
        expect(stage.page.get_by_test_id("stApp")).to_have_css("color-scheme", scheme)
        violations = serious(stage, of_colours=of_colours)
        assert violations == [], f"{scheme}: {json.dumps(violations, indent=1)}"


@pytest.mark.parametrize("slug", CATALOGUE)
def test_a_page_in_a_real_browser(stage, slug):
    """The visitor's fixture asserts that nothing came to the console."""
    stage.open(slug)
    assert stage.frame == stage.frames - 1 or slug == "roc"  # which opens at the best threshold
    assert stage.caption
    usual, larger = DESKTOPS
    is_large_and_needs_no_scrolling(stage)
    handles = int(stage.root.get_attribute("data-handles"))
    if handles:
        before = stage.page.url
        stage.press("Shift+ArrowRight", "Shift+ArrowUp", "Shift+ArrowUp")
        stage.page.wait_for_function("before => location.href !== before", arg=before)
        stage.settle()
    is_large_and_needs_no_scrolling(resize(stage, larger))
    for summary in stage.part("controls").locator("summary").all():
        summary.click()
    stays_while_any_control_moves(stage)
    stays_while_any_control_moves(resize(stage, usual))
    values_are_whole(stage)
    reads_well(stage)
    stays_while_any_control_moves(resize(stage, PHONE))
    assert look(stage)["height"] <= COMPACT * PHONE[1]
    resize(stage, usual)
    tabs = stage.page.locator("[class*='st-key'][class*='-tab'] button")
    tabs.nth(1).click()
    expect(tabs.nth(1)).to_have_attribute("aria-checked", "true")
    stage.page.locator(FIGURE).first.wait_for()
    assert serious(stage, FIGURE) == []
    stage.part("menu").locator("summary").click()
    with stage.page.expect_download() as waiting:
        stage.root.get_by_role("button", name="PNG").click()
    with Image.open(Path(waiting.value.path())) as picture:
        assert picture.width > 1000
        assert len(picture.convert("RGB").getcolors(1_000_000)) > 10
