"""Results of reading a file, and the decisions of the reader about it."""

import psutil
import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

MESSY = (
    "Our survey;;\n\nheight;weight;group\n"
    + "".join(
        f"{160 + i},5;{'?' if i == 3 else 50 + i};{'<b>A</b>' if i % 2 else 'b'}\n"
        for i in range(12)
    )
    + "tall;1;b\n"
)


def upload(stage, text, name="mess.csv"):
    """Give the page a file and open what it says about it."""
    stage.open("kmeans", source="upload")
    stage.upload(text.encode(), name)
    dialog = stage.settle().what_was_read()
    expect(dialog).to_contain_text("Decide what was guessed")
    stage.settle()
    return dialog


def decide(stage, label, option):
    """Overrule one guess and read the file again."""
    dialog = stage.page.get_by_role("dialog", name="What was read")
    part = dialog.locator("details")
    if part.get_attribute("open") is None:
        part.locator("summary").click()
    box = dialog.get_by_role("combobox", name=label)
    box.scroll_into_view_if_needed()
    stage.settle()  # a list closes when what is below it scrolls
    box.click()
    box.press("ArrowDown")
    dialog.page.get_by_role("listbox").get_by_role("option", name=option, exact=True).click()
    expect(box).to_have_value(option)
    dialog.get_by_role("button", name="Read the file again").click()
    expect(dialog).not_to_be_visible()


def test_everything_that_was_guessed_is_told(stage):
    dialog = upload(stage, MESSY)
    for guess in ("separated by semicolons", "stand above", "decimal points", "'tall'", "1 x '?'"):
        expect(dialog).to_contain_text(guess)
    assert dialog.locator("b").count() == 0
    with stage.page.expect_download() as download:
        dialog.get_by_role("button", name="What was left out or changed").click()
    assert "tall" in download.value.path().read_text("utf-8")


def test_the_reader_decides_otherwise(stage):
    upload(stage, MESSY)
    decide(stage, "Decimal mark", "point")
    expect(stage.what_was_read()).not_to_contain_text("decimal points")


def test_a_row_of_sums_is_kept_if_the_reader_says_so(stage):
    dialog = upload(stage, "town,x,y\nA,1,2\nB,3,5\nC,5,7\nD,6,1\nTotal,15,15\n")
    expect(dialog).to_contain_text("'Total', sums up the others")
    dialog.locator("summary").click()
    number = dialog.get_by_role("spinbutton", name="Rows below the table")
    number.fill("0")
    number.press("Tab")
    dialog.get_by_role("button", name="Read the file again").click()
    expect(dialog).not_to_be_visible()
    expect(stage.what_was_read()).to_contain_text("5 rows and 3 columns")


def test_a_refused_file_is_read_otherwise(stage):
    dialog = upload(stage, "a|b;c\n1|2;3\n4|5\n6|7|8\n")
    expect(dialog).to_contain_text("fields")
    decide(stage, "Separated by", "semicolon")
    expect(stage.data().get_by_text("What was read")).to_be_visible()


@pytest.fixture
def _stopped_readers(server):
    """Stop the processes that read files, so that reading takes as long as the test says."""
    readers = [
        child
        for child in psutil.Process(server.process.pid).children()
        if "reading.program" in str(child.cmdline())
    ]
    for process in readers:
        process.suspend()
    yield
    for process in readers:
        process.resume()


@pytest.mark.usefixtures("_stopped_readers")
def test_a_long_reading_shows_that_it_goes_on_and_can_be_stopped(stage, visitor):
    stage.open("kmeans", source="upload")
    stage.upload(b"a,b\n1,2\n3,4\n", "long.csv")
    expect(stage.page.get_by_text("Reading long.csv")).to_be_visible()
    visitor().open("dbscan")  # a neighbour is not kept waiting
    stop = stage.page.get_by_test_id("stMain").get_by_role("button", name="Stop")
    stop.click()
    expect(stop).not_to_be_visible()
    expect(stage.what_was_read()).to_contain_text("You stopped reading 'long.csv'.")
