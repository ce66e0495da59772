"""Layout of the page on a projector, in full screen, on a phone, and with the ledger folded."""

import pytest

from tests.browser.layout import DESKTOPS, LARGER, PHONE, inside, look, sized

pytestmark = pytest.mark.browser

MAX_CONTROLS = 3  # controls that a projector shows


@pytest.mark.parametrize("size", DESKTOPS, ids=str)
def test_a_projector_shows_the_pictures_and_no_ledger(tabs, size):
    stage = sized(tabs, size)
    for slug in ("svm", "hierarchical", "classifier_metrics", "kmeans", "roc"):
        stage.open(slug, projector="true")
        assert look(stage)["share"] >= LARGER, (slug, look(stage))
        assert stage.part("ledger").is_hidden()
        fields = stage.part("controls").locator(".dm-field").all()
        assert 1 <= len(fields) <= MAX_CONTROLS
        for part in (stage.part("player"), stage.part("caption"), *fields):
            inside(stage, part)
        card, speed = (stage.part(name).bounding_box() for name in ("body", "speed"))
        assert speed["x"] + speed["width"] <= card["x"] + card["width"], slug


def test_panels_stand_where_a_fresh_page_has_them_however_one_came_there(stage):
    place = "(boxes) => boxes.map((box) => [box.parentElement.className, box.dataset.panel])"
    stand = {}
    for large in ("trees", "regions"):
        stand[large] = (
            stage.open("tree_pruning", **{"tree_pruning.large": large})
            .part("panel")
            .evaluate_all(place)
        )
    assert stand["trees"] != stand["regions"]
    for large in ("trees", "regions", "trees"):
        stage.part("controls").locator(f"input[value={large}]").check(force=True)
        stage.settle()
        assert stage.part("panel").evaluate_all(place) == stand[large]


def test_f_fills_the_screen_and_escape_leaves_it(stage):
    stage.open("kmeans", projector="true")
    before = look(stage)["share"]
    filled = "document.fullscreenElement?.dataset.testid === 'stage'"
    stage.page.keyboard.press("f")  # the focus is nowhere
    stage.page.wait_for_function(filled)
    stage.press("ArrowLeft")
    assert look(stage)["share"] > before
    inside(stage, stage.part("player"))
    # The browser's own answer to Escape, which no page sees.
    stage.page.evaluate("document.exitFullscreen()")
    stage.page.wait_for_function(f"!({filled})")
    stage.root.get_by_role("button", name="Full screen").click()
    stage.page.wait_for_function(filled)


def test_an_f_that_is_typed_fills_nothing(stage):
    stage.open("kmeans")
    stage.part("controls").locator(".dm-box").first.press("f")
    stage.painted()
    assert not stage.page.evaluate("Boolean(document.fullscreenElement)")


def open_share(stage):
    stage.page.locator(".st-key-bar").get_by_role("button", name="Share", exact=True).click()
    return stage.page.get_by_test_id("stPopoverBody")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_class_can_scan_the_link(tabs, scheme):
    stage = sized(tabs, DESKTOPS[0], color_scheme=scheme).open("svm", projector="true")
    popover = open_share(stage)
    picture = popover.get_by_alt_text("QR code of this link")
    inside(stage, picture)
    assert picture.bounding_box()["width"] >= 0.5 * DESKTOPS[0][1]
    stage.open("kmeans", source="draw", **{"kmeans.points": "1.5,2.5," * 90})
    popover = open_share(stage)
    popover.get_by_text("too long for a QR code").wait_for()
    assert picture.count() == 0


def test_a_phone_finds_the_copy_button(visitor):
    stage = sized(visitor, PHONE, has_touch=True, is_mobile=True).open("kmeans")
    button = open_share(stage).get_by_role("button", name="Copy to clipboard").first
    button.tap()
    assert stage.page.evaluate("navigator.clipboard.readText()") == stage.page.url


def test_the_ledger_folds_and_stays_folded(stage):
    stage.open("decision_tree")
    before = look(stage)["share"]
    button = stage.root.get_by_role("button", name="Ledger")
    button.click()
    assert stage.part("side").is_hidden()
    assert look(stage)["share"] > before
    stage.open("kmeans")
    assert stage.part("ledger").is_hidden()
    assert stage.canvas("sse").is_visible()  # a small panel stays
    assert button.get_attribute("aria-expanded") == "false"
    button.click()
    assert stage.part("ledger").is_visible()


def test_the_line_under_the_title_is_one_line_with_air_around_it(tabs):
    stage = sized(tabs, DESKTOPS[0])
    for slug in ("kernels", "pcr", "feature_selection"):  # the longest
        line = stage.open(slug).page.locator(".st-key-introduction")
        cut = "texts => texts.filter((text) => text.scrollWidth > text.clientWidth).length"
        assert line.locator("p:not(.st-key-example-dismiss p)").evaluate_all(cut) == 0, slug
        box, head = line.bounding_box(), stage.page.locator(".st-key-head").bounding_box()
        top = stage.root.bounding_box()["y"]
        assert box["height"] < 30, slug
        assert box["y"] - head["y"] - head["height"] >= 8
        assert top - box["y"] - box["height"] >= 8
        inside(stage, line.get_by_role("button", name="Dismiss"))


def test_a_note_of_two_lines_leaves_the_player_in_view(tabs):
    stage = sized(tabs, DESKTOPS[0])
    note = "more-rows-where-they-differ-more"  # the longest
    stage.open("transformation", **{"transformation.look_for": note})
    assert stage.page.locator(".st-key-looking").bounding_box()["height"] > 40
    inside(stage, stage.part("player"))
