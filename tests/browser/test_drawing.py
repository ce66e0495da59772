"""Drawing points and placing centres: by mouse, by keys, by touch; nothing gets lost."""

import numpy as np
import pytest
from playwright.sync_api import expect

from dashboard.data.graph import FIRST
from dmlib.datasets import decode_graph, encode_points
from tests.browser.drawing import Drawing

pytestmark = pytest.mark.browser

THREE = [(2, 2, 0), (5, 8, 0), (8, 3, 0)]
TRIANGLE = [(0.3, 0.3), (0.7, 0.3), (0.5, 0.7)]  # shares of a canvas


@pytest.fixture
def drawing(stage):
    return Drawing(stage).open()


@pytest.fixture
def three(drawing):
    for x, y, _ in THREE:
        drawing.click(x, y)
    return drawing.settled(THREE)


def test_clicks_add_points_and_the_algorithm_runs_on_them(three):
    three.stage.settle()
    assert three.stage.frames > 1
    assert "3 rows" in three.stage.page.get_by_test_id("stMain").inner_text() or three.stage.ledger


def test_dragging_moves_a_point(three):
    three.drag((5, 8), (6, 6), (3, 7)).settled([(2, 2, 0), (3, 7, 0), (8, 3, 0)])


def test_dragging_out_of_the_picture_stops_at_the_border(three):
    three.drag((8, 3), (14, 3)).settled([(2, 2, 0), (5, 8, 0), (10, 3, 0)])


def test_digit_keys_and_chips_give_classes(three):
    three.click(8, 3)
    three.stage.press("2")
    three.settled([(2, 2, 0), (5, 8, 0), (8, 3, 1)])
    three.click(2, 2).stage.tool("class:2")
    three.settled([(2, 2, 2), (5, 8, 0), (8, 3, 1)])
    three.click(5, 5).settled([(2, 2, 2), (5, 8, 0), (8, 3, 1), (5, 5, 2)])
    expect(three.stage.root.locator("[data-do='class:2']")).to_have_attribute(
        "aria-pressed", "true"
    )


@pytest.mark.parametrize("key", ["Delete", "Backspace"])
def test_keys_delete_the_chosen_point(three, key):
    three.click(5, 8).stage.press(key)
    three.settled([(2, 2, 0), (8, 3, 0)])
    three.stage.press(key)
    three.click(5, 5).settled([(2, 2, 0), (8, 3, 0), (5, 5, 0)])


def test_right_click_and_eraser_delete(three):
    three.click(2, 2, button="right").settled([(5, 8, 0), (8, 3, 0)])
    three.stage.tool("tool:erase")
    three.click(5, 5).click(8, 3).settled([(5, 8, 0)])


def test_lasso_deletes_what_is_inside(three):
    three.stage.tool("tool:lasso")
    three.drag((1, 1), (1, 9.5), (6, 9.5), (6, 5), (3.5, 1)).settled([(8, 3, 0)])
    three.stage.tool("undo")
    three.settled(THREE)


def test_spray_adds_many_and_is_undone_at_once(three):
    page = three.stage.page
    three.stage.tool("tool:spray")
    three.mouse.move(*three.at(5, 4))
    # The spray has a rhythm of 45 ms: by this clock every second move leaves a point.
    page.evaluate(
        "() => { window.dmNow = performance.now(); performance.now = () => window.dmNow; }"
    )
    three.mouse.down()
    for i in range(1, 31):
        page.evaluate("window.dmNow += 30")
        three.mouse.move(*three.at(5 + i / 40, 4))
    three.mouse.up()
    page.evaluate("delete performance.now")
    points = three.points(3 + 1 + 15)
    assert np.hypot(*(points[3:, :2] - (5.4, 4)).T).max() < 1.5
    three.stage.press("Control+z")
    three.settled(THREE)


def test_clear_undo_and_redo(three):
    three.stage.tool("clear")
    three.points(0)
    three.stage.tool("undo")
    three.settled(THREE)
    three.stage.press("Control+z")
    three.settled(THREE[:2])
    three.stage.press("Control+y")
    three.settled(THREE)
    three.stage.press("Control+Shift+Z")
    three.points(0)
    three.stage.press("Control+z", "Control+z", "Control+z")
    three.settled(THREE[:1])
    three.click(5, 5).settled([(2, 2, 0), (5, 5, 0)])
    expect(three.stage.root.locator("[data-do=redo]")).to_be_disabled()


def test_rapid_clicks_lose_nothing(drawing):
    expected = [(1 + i % 9, 1 + i // 9, 0) for i in range(40)]
    for x, y, _ in expected:
        drawing.click(x, y)
    drawing.settled(expected)


def test_edits_faster_than_the_answers_lose_nothing(drawing):
    for i in range(8):
        drawing.click(1 + i, 2)
        drawing.drag((1 + i, 2), (1 + i, 6), steps=2)
        drawing.click(1 + i, 9)
    drawing.settled([(1 + i // 2, 9 if i % 2 else 6, 0) for i in range(16)])


def test_points_and_undo_survive_other_changes(three):
    slider = three.stage.slider("Clusters k")
    slider.press("ArrowLeft")
    three.stage.settle()
    three.settled(THREE)
    three.stage.tool("undo")
    three.settled(THREE[:2])


def test_reload_and_link_keep_the_drawing(three, visitor):
    three.click(8, 3).stage.press("3")
    three.settled([(2, 2, 0), (5, 8, 0), (8, 3, 2)])
    three.stage.settle()
    before = three.stage.state()
    second = visitor().go(three.stage.page.url)
    assert second.state() == before
    three.stage.page.reload()
    three.stage.settle()
    assert three.stage.state() == before
    three.settled([(2, 2, 0), (5, 8, 0), (8, 3, 2)])


def test_nothing_moves_under_the_pointer_while_points_come(drawing):
    """Neither the picture nor its axes; clicks would land elsewhere."""
    place = drawing.stage.canvas().bounding_box()
    corners = [(0.1, 0.1, 0), (9.9, 9.9, 0), (0.1, 9.9, 0), (9.9, 0.1, 0), (5, 5, 0)]
    for i, (x, y, _) in enumerate(corners):
        drawing.click(x, y)
        drawing.settled(corners[: i + 1]).stage.settle()
        assert drawing.stage.canvas().bounding_box() == place


def test_the_limit_is_told(stage):
    grid = [(i % 20 / 2, i // 20 / 2, 0) for i in range(300)]
    drawing = Drawing(stage).open(encode_points(grid))
    drawing.click(9.8, 9.8)
    expect(stage.part("caption")).to_contain_text("300")
    assert len(drawing.points()) == 300


def test_arrow_keys_still_step(three):
    three.stage.settle()
    three.stage.press("Home", "ArrowRight").shows_frame(1)


def test_drawing_switched_off_lets_select(three):
    three.stage.settle().tool("toggle")
    three.stage.settle()
    three.click(5, 8)
    three.stage.page.wait_for_url("**point=2**")
    three.settled(THREE)


def test_the_keyboard_stays_on_the_tool_that_it_pressed(three):
    button = three.stage.root.locator("[data-do='tool:lasso']")
    button.focus()
    button.press("Enter")
    expect(three.stage.root.locator("[data-do='tool:lasso']")).to_be_focused()


def test_zoomed_clicks_land_where_they_point(three):
    three.stage.root.focus()
    three.mouse.move(*three.at(5, 5))
    three.mouse.wheel(0, -300)
    reset = three.stage.root.get_by_role("button", name="Reset zoom")
    expect(reset).to_be_visible()
    three.stage.settle()
    three.mouse.click(*three.at(5, 5))
    three.settled([*THREE, (5, 5, 0)])
    reset.click()
    expect(reset).to_be_hidden()
    three.stage.settle()
    three.click(5, 5).stage.press("Delete")
    three.settled(THREE)


def test_fingers_draw_and_drag(visitor):
    stage = visitor(has_touch=True)
    drawing = Drawing(stage).open()
    stage.page.touchscreen.tap(*drawing.at(4, 4))
    stage.page.touchscreen.tap(*drawing.at(7, 7))
    drawing.settled([(4, 4, 0), (7, 7, 0)])
    fingers = stage.page.context.new_cdp_session(stage.page)
    for kind, x, y in (("Start", 4, 4), ("Move", 4, 6), ("Move", 2, 8), ("End", 0, 0)):
        touches = [] if kind == "End" else [dict(zip("xy", drawing.at(x, y), strict=True))]
        fingers.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": touches})
    drawing.settled([(2, 8, 0), (7, 7, 0)])


# Placing centres


@pytest.fixture
def placing(stage):
    return stage.open("kmeans", **{"kmeans.init": "points"})


def click(stage, across, up):
    box = stage.canvas().bounding_box()
    stage.page.mouse.click(box["x"] + across * box["width"], box["y"] + up * box["height"])


def places(stage):
    return [place for place in stage.link.get("places", "").split(";") if place]


def wait_for_places(stage, count):
    stage.page.wait_for_function(
        "count => (new URL(location).searchParams.get('places') ??"
        " '').split(';').filter(Boolean).length === count",
        arg=count,
    )


def test_placed_centres_start_the_run(placing, visitor):
    assert "lick" in placing.page.get_by_test_id("stMain").inner_text()
    click(placing, 0.3, 0.3)
    wait_for_places(placing, 1)
    click(placing, 0.8, 0.7)
    wait_for_places(placing, 2)
    placing.settle()
    assert placing.frames > 2
    expect(placing.slider("Clusters k")).to_have_count(0)
    second = visitor().go(placing.page.url)
    assert second.state() == placing.state()


def test_placed_centres_are_deleted_and_undone(placing):
    for i, (across, up) in enumerate([(0.3, 0.3), (0.5, 0.5), (0.8, 0.7)]):
        click(placing, across, up)
        wait_for_places(placing, i + 1)
    first, _, last = places(placing)
    box = placing.canvas().bounding_box()
    placing.page.mouse.click(
        box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"], button="right"
    )
    wait_for_places(placing, 2)
    assert places(placing) == [first, last]
    placing.press("Control+z")
    wait_for_places(placing, 3)


# A graph


def graph_of(stage, n_nodes, n_edges):
    """Return the drawn graph in the link, once it has so many nodes and edges."""
    for _ in range(1200):
        nodes, edges = decode_graph(stage.link.get("graph", FIRST))
        if (len(nodes), len(edges)) == (n_nodes, n_edges):
            return nodes, edges.tolist()
        stage.page.wait_for_timeout(50)
    raise AssertionError(
        f"{len(nodes)} nodes and {len(edges)} edges came, not {n_nodes} and {n_edges}"
    )


def test_a_graph_is_drawn_by_clicking_and_joining(stage):
    stage.open("graph_clustering", source="draw")
    stage.tool("clear")
    graph_of(stage, 0, 0)
    mouse, box = stage.page.mouse, stage.settle().canvas().bounding_box()
    corners = [
        (box["x"] + across * box["width"], box["y"] + down * box["height"])
        for across, down in TRIANGLE
    ]
    for corner in corners:
        mouse.click(*corner)
    graph_of(stage.settle(), 3, 0)
    stage.tool("tool:join")
    mouse.click(*corners[0])
    mouse.click(*corners[1])
    graph_of(stage.settle(), 3, 1)
    mouse.move(*corners[1])
    mouse.down()
    mouse.move(*corners[2], steps=5)
    mouse.up()
    assert graph_of(stage, 3, 2)[1] == [[0, 1], [1, 2]]
    mouse.click(*corners[1])
    mouse.click(*corners[0])
    assert graph_of(stage, 3, 1)[1] == [[1, 2]]
    stage.tool("undo")
    graph_of(stage, 3, 2)
    stage.tool("tool:erase")
    mouse.click(*corners[0])
    assert graph_of(stage, 2, 1)[1] == [[0, 1]]
    stage.settle()
    assert "2 nodes" in stage.caption
