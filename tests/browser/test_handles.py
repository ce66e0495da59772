"""Queries on the picture: places, rows and dragged lines; and the image that gets finer at rest."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def place(stage, across, up, panel="data"):
    """Return the screen position of a place given as shares of a panel's width and height."""
    box = stage.canvas(panel).bounding_box()
    return box["x"] + across * box["width"], box["y"] + (1 - up) * box["height"]


def drag(stage, start, end):
    mouse = stage.page.mouse
    mouse.move(*start)
    mouse.down()
    mouse.move(*end, steps=8)
    mouse.up()


def query(stage):
    return tuple(map(float, stage.link["query"].split(",")))


def on_the_curve(stage, fpr, tpr):
    """Return the screen position of a place of the ROC plane; its axes go from -0.04 to 1.04."""
    box = stage.canvas().bounding_box()
    x, y = (share / 1.08 for share in (fpr + 0.04, 1.04 - tpr))
    return box["x"] + 64 + x * (box["width"] - 76), box["y"] + 10 + y * (box["height"] - 52)


def test_the_threshold_is_dragged_on_the_curve_and_on_the_scores(stage):
    stage.open("roc").press("End")
    last, ledger = stage.frames - 1, stage.ledger
    drag(stage, on_the_curve(stage, 1, 1), on_the_curve(stage, 0.3, 0.65))
    expect(stage.root).not_to_have_attribute("data-frame", str(last))
    amid = stage.painted().frame
    assert last / 4 < amid < 3 * last / 4
    assert "TP =" in stage.ledger
    assert stage.ledger != ledger
    stage.press("ArrowLeft").shows_frame(amid - 1)  # every threshold is a step
    # On the scores it can be taken at any height; at the end it stands at the lowest one, at the
    # left.
    stage.press("End").shows_frame(last)
    width = stage.canvas("scores").bounding_box()["width"]
    drag(
        stage,
        place(stage, (22 + 0.054 * (width - 34)) / width, 0.7, "scores"),
        place(stage, 0.5, 0.7, "scores"),
    )
    expect(stage.root).not_to_have_attribute("data-frame", str(last))
    assert last / 4 < stage.painted().frame < 3 * last / 4


def test_a_click_asks_about_the_place_and_the_link_knows(stage, visitor):
    stage.open("knn", opening="defaults").press("End")
    before = stage.ledger
    stage.page.mouse.click(*place(stage, 0.35, 0.8))
    expect(stage.part("ledger")).not_to_have_text(before)
    stage.page.wait_for_url("**query=**")
    stage.settle()
    friend = visitor().go(stage.page.url)
    assert friend.press("End").ledger == stage.press("End").ledger


def test_the_place_is_dragged_and_the_picture_stays_at_its_step(stage):
    stage.open("knn", opening="defaults")
    stage.page.mouse.click(*place(stage, 0.35, 0.8))
    stage.page.wait_for_url("**query=**")
    stage.settle().press("End")
    first, step, old = query(stage), stage.frame, stage.link["query"].replace(",", "%2C")
    drag(stage, place(stage, 0.35, 0.8), place(stage, 0.8, 0.3))
    stage.page.wait_for_function("old => !location.search.includes(old)", arg=old)
    stage.settle()
    second = query(stage)
    assert second[0] > first[0]
    assert second[1] < first[1]
    assert stage.frame == step


def test_keys_move_the_place(stage):
    stage.open("knn", step=0).press("Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowUp")
    stage.page.wait_for_url("**query=**")
    stage.settle()
    assert stage.frame == 0


def test_a_line_sets_the_control_that_it_stands_for(stage):
    slider = stage.open("dbscan").slider("Neighbourhood radius ε (eps)")
    before = float(slider.get_attribute("aria-valuetext"))
    box = stage.canvas("distances").bounding_box()
    line = find_line(stage, "distances")
    drag(stage, line, (line[0], line[1] + 0.08 * box["height"]))
    stage.page.wait_for_url("**dbscan.eps=**")
    stage.settle()
    assert 0 < float(stage.link["dbscan.eps"]) < before


def find_line(stage, panel):
    """Move the pointer down a panel until the cursor says that a line can be dragged."""
    box = stage.canvas(panel).bounding_box()
    across = box["x"] + 0.75 * box["width"]
    for i in range(200):
        up = box["y"] + i / 200 * box["height"]
        stage.page.mouse.move(across, up)
        if stage.canvas(panel).evaluate("canvas => canvas.style.cursor") == "ns-resize":
            return across, up + 6
    raise AssertionError("No line answers the pointer.")


def test_the_image_gets_finer_at_rest(stage):
    stage.page.add_init_script(
        """
        const drafts = { subtree: true, attributeFilter: ['data-draft'], attributeOldValue: true };
        new MutationObserver((changes) => changes.forEach(({ oldValue }) => {
          window.dmBefore = oldValue;
        })).observe(document, drafts);
        """
    )
    fine = stage.open("knn", opening="defaults").ink()
    expect(stage.root).to_have_attribute("data-draft", "false")
    assert stage.page.evaluate("window.dmBefore") == "true"
    stage.page.reload()
    stage.root.wait_for()
    assert stage.settle().ink() == fine


def test_an_axis_is_turned_by_its_end_and_by_keys(stage):
    stage.open("pca", step="2")
    box = stage.canvas("data").bounding_box()
    middle = find_turn(stage, box)
    before = stage.ledger
    drag(stage, middle, (box["x"] + 0.6 * box["width"], box["y"] + 0.2 * box["height"]))
    stage.page.wait_for_url("**pca.angle=**")
    stage.settle()
    angle = float(stage.link["pca.angle"])
    assert 30 < angle < 90
    assert stage.ledger != before
    stage.press("Shift+ArrowLeft", "Shift+ArrowLeft")
    stage.page.wait_for_function(
        "old => !location.search.includes(old)", arg=f"pca.angle={angle:g}"
    )
    stage.settle()
    assert float(stage.link["pca.angle"]) == pytest.approx(angle + 2, abs=0.1)


def find_turn(stage, box):
    """Move the pointer over a panel from the right until the cursor offers to move something."""
    step = 16  # pixels: a handle answers 12 around it
    for x in range(int(box["width"]), int(0.58 * box["width"]), -step):
        for y in range(0, int(box["height"]), step):
            place = box["x"] + x, box["y"] + y
            stage.page.mouse.move(*place)
            if stage.canvas("data").evaluate("canvas => canvas.style.cursor") == "move":
                return place
    raise AssertionError("No handle answers the pointer.")
