"""How the page shares the window: the picture first, and it stays in view while a control moves."""

import pytest

pytestmark = pytest.mark.browser

DESKTOPS = [(1366, 768), (1920, 1080)]
PHONE = (390, 844)
SLUGS = ["svm", "hierarchical", "classifier_metrics", "kmeans"]
LARGE = 0.4  # of the window that the picture takes,
LARGER = 0.6  # on a projector,
FEW = 3  # controls that it shows
COMPACT = 0.45  # of a phone's height at most
IN_VIEW = 0.8  # of the picture while a control moves

# The panels' boxes, cut to the window and to the navigation over it; everything else by its selector.
SEEN = """() => {
  const top = document.querySelector('.stAppHeader')?.getBoundingClientRect().bottom ?? 0;
  const boxes = [...document.querySelectorAll('.dm-main .dm-panel')].map((panel) => panel.getBoundingClientRect());
  const sum = (areas) => areas.reduce((total, area) => total + area, 0);
  const within = (box) => Math.max(0, Math.min(box.bottom, innerHeight) - Math.max(box.top, top));
  const cut = (box) => box.width * within(box);
  const whole = sum(boxes.map(({ width, height }) => width * height));
  const height = sum(boxes.map((box) => box.height));
  return { share: whole / innerWidth / innerHeight, view: sum(boxes.map(cut)) / whole, height };
}"""


def look(stage):
    return stage.page.evaluate(SEEN)


def inside(stage, locator):
    box, size = locator.bounding_box(), stage.page.viewport_size
    assert box["x"] >= 0, locator
    assert box["y"] >= 0, locator
    assert box["x"] + box["width"] <= size["width"], locator
    assert box["y"] + box["height"] <= size["height"] + 1, locator  # a pixel is not whole on every screen


def sized(visitor, size, **options):
    return visitor(viewport=dict(zip(("width", "height"), size, strict=True)), **options)


@pytest.mark.parametrize("size", DESKTOPS, ids=str)
def test_the_picture_is_large_and_nothing_needs_scrolling(visitor, size):
    stage = sized(visitor, size)
    for slug in SLUGS:
        stage.open(slug)
        assert look(stage)["share"] >= LARGE, slug
        fields = stage.part("controls").locator(":scope > .dm-field").all()[:4]
        heading = stage.page.get_by_role("heading", level=1)
        for part in (heading, stage.part("player"), stage.part("caption"), stage.part("results"), *fields):
            inside(stage, part)
        bar = stage.page.locator(".st-key-bar").bounding_box()
        assert bar["y"] < heading.bounding_box()["y"] + heading.bounding_box()["height"], f"{slug}: two lines"


@pytest.mark.parametrize("size", DESKTOPS, ids=str)
def test_a_projector_shows_the_picture_and_no_ledger(visitor, size):
    stage = sized(visitor, size)
    for slug in [*SLUGS, "roc"]:
        stage.open(slug, projector="true")
        assert look(stage)["share"] >= LARGER, slug
        assert stage.part("side").is_hidden()
        fields = stage.part("controls").locator(".dm-field").all()
        assert 1 <= len(fields) <= FEW
        for part in (stage.part("player"), stage.part("caption"), *fields):
            inside(stage, part)


def test_f_fills_the_screen_and_escape_leaves_it(stage):
    stage.open("kmeans", projector="true")
    before = look(stage)["share"]
    filled = "document.fullscreenElement?.dataset.testid === 'stage'"
    stage.page.keyboard.press("f")  # the focus is nowhere
    stage.page.wait_for_function(filled)
    stage.press("ArrowLeft")
    assert look(stage)["share"] > before
    inside(stage, stage.part("player"))
    stage.page.evaluate("document.exitFullscreen()")  # the browser's own answer to Escape, which no page sees
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
def test_a_class_can_scan_the_link(visitor, scheme):
    stage = sized(visitor, DESKTOPS[0], color_scheme=scheme).open("svm", projector="true")
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
    button = open_share(stage).get_by_role("button", name="Copy to clipboard")
    button.tap()
    assert stage.page.evaluate("navigator.clipboard.readText()") == stage.page.url


def test_the_ledger_folds_and_stays_folded(stage):
    stage.open("svm")
    before = look(stage)["share"]
    button = stage.root.get_by_role("button", name="Ledger")
    button.click()
    assert stage.part("side").is_hidden()
    assert look(stage)["share"] > before
    stage.open("kmeans")
    assert stage.part("side").is_hidden()
    assert button.get_attribute("aria-expanded") == "false"
    button.click()
    assert stage.part("ledger").is_visible()


@pytest.mark.parametrize("size", [*DESKTOPS, PHONE], ids=str)
def test_the_picture_stays_while_any_control_moves(visitor, size):
    phone = size == PHONE
    stage = sized(visitor, size, has_touch=phone, is_mobile=phone)
    for slug in SLUGS:
        stage.open(slug)
        if phone:
            assert look(stage)["height"] <= COMPACT * size[1], slug
        for summary in stage.part("controls").locator("summary").all():
            summary.click()
        for control in stage.part("controls").locator("input[type=range], select, input[type=checkbox]").all():
            control.focus()
            control.scroll_into_view_if_needed()
            assert look(stage)["view"] >= IN_VIEW, (slug, control.get_attribute("name"))
            inside(stage, control)
