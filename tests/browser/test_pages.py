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
)

pytestmark = pytest.mark.browser
FIGURE = (
    "[data-testid=stPlotlyChart] .plot-container, [data-testid=stTable], [data-testid=stDataFrame]"
)


def reads_well(stage):
    """Assert that axe has nothing against the page with all its controls, in light and in dark."""
    for summary in stage.part("controls").locator("summary").all():
        summary.click()
    for scheme in ("light", "dark"):
        stage.page.emulate_media(color_scheme=scheme)
        expect(stage.page.get_by_test_id("stApp")).to_have_css("color-scheme", scheme)
        violations = serious(stage)
        assert violations == [], f"{scheme}: {json.dumps(violations, indent=1)}"


@pytest.mark.parametrize("slug", CATALOGUE)
def test_a_page_in_a_real_browser(stage, slug):
    """The visitor's fixture asserts that nothing came to the console."""
    stage.open(slug)
    assert stage.frame == stage.frames - 1
    assert stage.caption
    for size in DESKTOPS[::-1]:
        is_large_and_needs_no_scrolling(resize(stage, size))
    handles = int(stage.root.get_attribute("data-handles"))
    if handles:
        before = stage.page.url
        stage.press("Shift+ArrowRight", "Shift+ArrowUp", "Shift+ArrowUp")
        stage.page.wait_for_function("before => location.href !== before", arg=before)
        stage.settle()
    reads_well(stage)
    for size in (*DESKTOPS, PHONE):
        stays_while_any_control_moves(resize(stage, size))
    assert look(stage)["height"] <= COMPACT * PHONE[1]
    resize(stage, DESKTOPS[0])
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
