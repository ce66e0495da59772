"""Downloaded tables hold no formulas for a spreadsheet; Streamlit's own download is not offered."""

import csv

import pytest
from playwright.sync_api import expect

from dmlib.spreadsheet import inert

pytestmark = pytest.mark.browser

HOSTILE = "=1+1,=2+3,+label\n" + "".join(
    f"{i % 9}.5,{i * i % 17}.25,{'=HYPERLINK(0)' if i % 2 else '@SUM(A1)'}\n" for i in range(40)
)
SHEETS = {"kmeans": "Data", "data_overview": "Columns", "transformation": "Take along"}


def downloads(stage, within):
    """Return the cells of all tables that a part of the page offers."""
    cells, buttons = [], within.get_by_role("button", name="CSV")
    buttons.first.wait_for()
    for button in buttons.all():
        with stage.page.expect_download() as waiting:
            button.click()
        with open(waiting.value.path(), encoding="utf-8", newline="") as file:
            cells += [cell for row in csv.reader(file) for cell in row]
    return cells


def check(stage, within):
    """Assert that a sheet offers only downloads that are inert."""
    for shown_sheet in within.get_by_test_id("stDataFrame").all():
        shown_sheet.hover()
        expect(shown_sheet.get_by_role("button", name="Fullscreen")).to_be_visible()
        assert shown_sheet.get_by_role("button", name="Download as CSV").count() == 0
    cells = downloads(stage, within)
    assert cells
    assert [cell for cell in cells if cell != inert(cell) and not is_number(cell)] == []
    return cells


def is_number(cell):
    try:
        float(cell)
    except ValueError:
        return False
    return True


def give(stage, slug):
    stage.open(slug, source="upload")
    stage.upload(HOSTILE.encode())
    stage.page.get_by_role("button", name="What was read").wait_for()
    return stage.settle()


def choose(stage, tab):
    stage.page.get_by_role("radio", name=tab, exact=True).click()
    stage.page.get_by_test_id("stDataFrame").first.wait_for()
    return stage.settle().page.get_by_test_id("stMain")


@pytest.mark.parametrize("slug", SHEETS)
def test_a_sheet_below_the_picture(stage, slug):
    cells = check(stage, choose(give(stage, slug), SHEETS[slug]))
    assert "'=1+1" in cells


def test_the_cleaned_table(stage):
    assert "'@SUM(A1)" in check(stage, choose(give(stage, "data_overview"), "Cleaning"))


def test_what_was_read_of_a_file(stage):
    give(stage, "kmeans")
    assert "'=HYPERLINK(0)" in check(stage, stage.what_was_read())


def test_strings_and_their_pieces(stage):
    stage.open("kernels")
    page = choose(stage, "Strings")
    box = page.get_by_label("Strings, one in a line")
    box.fill("=1+1\n=1+2")
    box.press("Control+Enter")
    cells = check(stage.settle(), page)
    assert "'=1+" in cells
