"""Cells on the picture are switched by the pointer and by keys, and the link knows."""

import pytest
from playwright.sync_api import expect

from dmlib.datasets.drawn.patterns import decode_cells, decode_patterns
from dmlib.pictures.data.patterns import Sheet

pytestmark = pytest.mark.browser

# Pixels around a panel with a title and no axis labels.
LEFT_MARGIN, RIGHT_MARGIN, TOP_MARGIN, BOTTOM_MARGIN = 22, 12, 24, 24


def cell(stage, sheet, grid, row, column):
    """Return the position on the screen of the middle of a cell of a sheet."""
    box = stage.canvas("patterns").bounding_box()
    width = box["width"] - LEFT_MARGIN - RIGHT_MARGIN
    height = box["height"] - TOP_MARGIN - BOTTOM_MARGIN
    across, down = sheet.size
    unit = min(width / across, height / down)
    x, y = sheet.corners[grid] + (column + 0.5, -row - 0.5)
    return (
        box["x"] + LEFT_MARGIN + width / 2 + (x - across / 2) * unit,
        box["y"] + TOP_MARGIN + height / 2 - (y - down / 2) * unit,
    )


def test_the_cue_is_drawn_on_and_the_recall_follows(stage, visitor):
    sheet = Sheet(5, 8, 8)
    stage.open("hopfield")
    mouse, before = stage.page.mouse, stage.ink("patterns")
    mouse.move(*cell(stage, sheet, 0, 7, 0))
    mouse.down()
    mouse.move(*cell(stage, sheet, 0, 7, 3), steps=12)
    mouse.up()
    stage.page.wait_for_url("**hopfield.flips=**")
    stage.settle()
    switched = decode_cells(stage.link["hopfield.flips"], 8, 8)[0]
    assert switched[7, :4].any()
    assert not switched[:7].any()
    assert stage.ink("patterns") != before
    expect(stage.part("controls")).to_contain_text("Undo")
    friend = visitor().go(stage.page.url)
    assert friend.state() == stage.state()
    stage.part("controls").get_by_role("button", name="Undo").click()
    stage.settle()
    assert "hopfield.flips" not in stage.link


def test_keys_switch_cells(stage):
    stage.open("hopfield").press("d", "ArrowRight", "ArrowDown")
    assert stage.caption.startswith("Cue: row 2, column 2 is ")
    frame = stage.frame
    stage.press("Space")
    stage.page.wait_for_url("**hopfield.flips=**")
    stage.settle().press("Escape")
    assert decode_cells(stage.link["hopfield.flips"], 8, 8)[0].nonzero()[1].tolist() == [1]
    stage.press("ArrowLeft")
    assert stage.frame < max(frame, stage.frames)


def test_patterns_are_drawn_cell_by_cell(stage):
    sheet = Sheet(4, 6, 6)
    stage.open("hopfield", source="draw")
    before = stage.caption
    for grid, row in ((1, 0), (2, 5), (3, 2)):
        stage.page.mouse.click(*cell(stage, sheet, grid, row, 2))
        stage.settle()
    patterns = decode_patterns(stage.link["patterns"])
    assert [patterns[0, 0, 2], patterns[1, 5, 2], patterns[2, 2, 2]] == [True, False, False]
    assert stage.caption != before
    stage.data().get_by_role("button", name="Add pattern").click()
    stage.settle()
    assert len(decode_patterns(stage.link["patterns"])) == 4
