"""The table of all techniques on the data of a page: it fills, it is clicked, it is stopped."""

import pytest
from playwright.sync_api import expect

from tests.browser.access import serious

pytestmark = pytest.mark.browser
FIRST_ROW = 35 + 66 / 2  # pixels from the top of the table: its head, half of a row
A_ROW = 66
PLACE = 160  # pixels from its left side: the names


def open_table(stage, slug, **link):
    """Open the tab, and wait until all techniques are done."""
    stage.open(slug, **link)
    stage.page.get_by_role("radio", name="Compare all").click()
    expect(stage.page.get_by_role("button", name="This table (CSV)")).to_be_visible()
    stage.settle()
    return stage.page.get_by_test_id("stDataFrame").first


def test_a_click_on_a_row_opens_its_page_beside_this_run(stage):
    table = open_table(stage, "dbscan", source="generator", generator="moons")
    table.scroll_into_view_if_needed()
    assert serious(stage, of_colours=False) == []
    # The rows are drawn on a canvas: the second is the first of the other clusterings.
    table.click(position={"x": PLACE, "y": FIRST_ROW + A_ROW})
    expect(stage.page.get_by_role("heading", level=1)).to_have_text("k-means")
    stage.settle()
    link = stage.link
    assert link["generator"] == "moons"
    assert link["pin"].startswith("dbscan?")


def test_the_table_is_downloaded(stage):
    open_table(stage, "polynomial_regression")
    with stage.page.expect_download() as download:
        stage.page.get_by_role("button", name="This table (CSV)").click()
    head, *lines = download.value.path().read_text("utf-8").splitlines()
    assert head.startswith("Technique,RMSE,±,R²")
    assert any("Regression tree" in line for line in lines)
