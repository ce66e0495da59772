"""Controls beside the picture send while they move, and work by the keyboard too."""

import pytest
from playwright.sync_api import expect

from dashboard.catalogue import CATALOGUE
from tests.visit import one_of_each

pytestmark = pytest.mark.browser

COLLECT = """() => {
  const stage = document.querySelector('[data-testid=stage]');
  window.dmSeen = new Set();
  const text = (part) => stage.querySelector(part).textContent;
  const look = () => window.dmSeen.add(text('.dm-ledger') + text('.dm-results'));
  const changes = { subtree: true, childList: true, characterData: true };
  new MutationObserver(look).observe(stage, changes);
}"""


def test_the_picture_follows_while_a_slider_is_dragged(stage, visitor):
    stage.open("svm")
    slider = stage.slider("C (∞: hard margin)")
    before = stage.state()
    box = slider.bounding_box()
    y = box["y"] + box["height"] / 2
    mouse = stage.page.mouse
    stage.page.evaluate(COLLECT)
    mouse.move(
        box["x"] + box["width"] * float(slider.input_value()) / float(slider.get_attribute("max")),
        y,
    )
    mouse.down()
    for i, share in enumerate((0.55, 0.65, 0.75)):
        mouse.move(box["x"] + share * box["width"], y, steps=3)
        stage.page.wait_for_function("n => window.dmSeen.size > n", arg=i)
    mouse.up()
    stage.settle()
    value = (
        stage.part("controls")
        .get_by_role("textbox", name="C (∞: hard margin), value")
        .input_value()
    )
    assert float(stage.link["svm.C"]) == float(value) > 1
    assert stage.state() != before
    second = visitor().go(stage.page.url)
    assert second.state() == stage.state()
    assert second.ink() == stage.ink()


def test_keys_on_a_slider_are_not_the_players(stage):
    stage.open("svm", step=3)
    stage.slider("C (∞: hard margin)").press("ArrowRight")
    stage.page.wait_for_url("**svm.C=**")
    stage.settle().shows_frame(3)


def test_the_offer_of_an_example_goes_and_nothing_moves(stage):
    line = stage.open("dbscan").page.locator(".st-key-introduction")
    top = stage.root.bounding_box()["y"]
    button = line.get_by_role("button", name="Open an example: ")
    expect(button).to_be_visible()
    stage.slider("Neighbourhood radius ε (eps)").press("ArrowRight")
    expect(line.get_by_role("button")).to_have_count(0)
    expect(line.get_by_text(CATALOGUE["dbscan"].summary)).to_be_visible()
    assert stage.settle().root.bounding_box()["y"] == top


def test_an_example_can_be_dismissed_by_the_keyboard(stage):
    line = stage.open("dbscan").page.locator(".st-key-introduction")
    line.get_by_role("button", name="Dismiss").press("Enter")
    expect(line.get_by_role("button")).to_have_count(0)
    assert stage.settle().link == {}


def test_what_a_dragged_slider_makes_idle_says_so_and_leaves_the_hand_alone(stage):
    stage.open("tree_pruning")
    alpha, folds = stage.slider("Complexity parameter α"), stage.slider("Folds")
    expect(folds).to_be_enabled()
    box = alpha.bounding_box()
    mouse, y = stage.page.mouse, box["y"] + box["height"] / 2
    mouse.move(
        box["x"] + box["width"] * float(alpha.input_value()) / float(alpha.get_attribute("max")), y
    )
    mouse.down()
    mouse.move(box["x"] + 0.5 * box["width"], y, steps=5)
    expect(folds).to_be_disabled()
    expect(stage.part("controls").get_by_role("group", name="Folds")).to_contain_text(
        "α is chosen by hand"
    )
    value = alpha.input_value()
    mouse.move(box["x"] + 0.9 * box["width"], y, steps=5)  # still held
    expect(alpha).not_to_have_value(value)
    mouse.move(box["x"], y, steps=5)
    expect(folds).to_be_enabled()
    mouse.up()
    stage.settle()
    expect(folds).to_be_enabled()


def test_a_skip_link_leads_from_the_top_to_the_controls(stage):
    stage.open("svm")
    keyboard, skip = (
        stage.page.keyboard,
        stage.page.get_by_role("button", name="Skip to the controls").first,
    )
    keyboard.press("Tab")
    expect(skip).to_be_focused()
    box = skip.bounding_box()
    assert box["x"] >= 0
    assert box["y"] >= 0
    assert box["height"] >= 24
    keyboard.press("Enter")
    for _ in range(3):
        if stage.slider("C (∞: hard margin)").evaluate(
            "slider => slider === document.activeElement"
        ):
            break
        keyboard.press("Tab")
    expect(stage.slider("C (∞: hard margin)")).to_be_focused()


def test_a_skip_link_in_the_stage_passes_the_picture(stage):
    stage.open("dbscan")
    stage.root.focus()
    stage.page.keyboard.press("Tab")
    stage.page.keyboard.press("Enter")
    assert stage.part("controls").evaluate("controls => controls.contains(document.activeElement)")
    stage.page.get_by_role("link", name="Home").click()
    expect(stage.page.get_by_role("button", name="Skip to the controls")).to_have_count(0)


def test_a_number_is_typed(stage):
    stage.open("svm")
    box = stage.part("controls").get_by_role("textbox", name="C (∞: hard margin), value")
    box.fill("2.5")
    box.press("Enter")
    stage.page.wait_for_url("**svm.C=2.5**")
    box.press("Tab")
    expect(box).to_have_value("2.5")
    expect(stage.slider("C (∞: hard margin)")).to_have_attribute("aria-valuetext", "2.5")


def test_a_decimal_comma_is_read(stage):
    stage.open("svm")
    box = stage.part("controls").get_by_role("textbox", name="C (∞: hard margin), value")
    box.fill("0,5")
    box.press("Enter")
    stage.page.wait_for_url("**svm.C=0.5**")
    expect(box).to_have_value("0.5")


@pytest.mark.parametrize(
    ("slug", "name", "text", "sentence"),
    [
        ("svm", "C (∞: hard margin)", "much", "“much” is not a number. Write one such as 0.5."),
        ("svm", "C (∞: hard margin)", "1,000", "“1,000” can be read in two ways. Write 1000 or 1."),
        ("svm", "C (∞: hard margin)", "−3", "C is a number of at least"),
        ("kmeans", "Clusters k", "2.5", "Clusters k is a whole number: not 2.5."),
    ],
)
def test_what_cannot_be_read_is_said_and_escape_restores(stage, slug, name, text, sentence):
    stage.open(slug)
    link = stage.link
    box = stage.part("controls").get_by_role("textbox", name=f"{name}, value")
    before = box.input_value()
    top = box.bounding_box()["y"]
    box.fill(text)
    box.press("Tab")
    expect(stage.part("controls").get_by_role("alert")).to_contain_text(sentence)
    expect(box).to_have_value(text)
    expect(box).to_have_attribute("aria-invalid", "true")
    assert box.bounding_box()["y"] == top
    box.press("Escape")
    expect(stage.part("controls").get_by_role("alert")).to_have_count(0)
    expect(box).to_have_value(before)
    assert stage.settle().link == link


@pytest.mark.parametrize("slug", one_of_each())
def test_nothing_moves_under_a_dragged_slider(stage, slug):
    """A slider keeps its place while headline numbers, reasons and panels change beside it."""
    stage.open(slug)
    sliders = stage.part("controls").locator("input[type=range]:enabled")
    if not sliders.count():
        pytest.skip("This page opens without a slider.")
    slider = sliders.first
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    mouse, y = stage.page.mouse, box["y"] + box["height"] / 2
    share = float(slider.input_value()) / max(1.0, float(slider.get_attribute("max")))
    mouse.move(box["x"] + 9 + share * (box["width"] - 18), y)
    mouse.down()
    tops = []
    for part in (0.2, 0.5, 0.9, 0.4, 0.1):
        mouse.move(box["x"] + part * box["width"], y, steps=3)
        stage.page.wait_for_timeout(150)
        tops.append(slider.bounding_box()["y"])
    mouse.up()
    assert max(tops) - min(tops) <= 1


def test_radio_buttons_lists_boxes_and_sections_by_keyboard(stage):
    stage.open("svm")
    controls = stage.part("controls")
    controls.get_by_role("radio", name="C-SVM").press("ArrowRight")
    stage.page.wait_for_url("**svm.method=**")
    expect(controls.get_by_role("radio", name="ν-SVM")).to_be_focused()
    section = controls.locator("details").first
    section.locator("summary").press("Enter")
    expect(section).to_have_attribute("open", "")
    stage.settle()
    expect(section).to_have_attribute("open", "")
    stage.open("decision_tree", step=0)
    controls.get_by_role("combobox", name="Split criterion").press("ArrowDown")
    stage.page.wait_for_url("**decision_tree.criterion=**")
    controls.get_by_role("checkbox", name="Build it yourself").press(" ")
    expect(controls.get_by_role("checkbox", name="Build it yourself")).to_be_checked()
    stage.page.wait_for_function("() => location.search.includes('True')")
    stage.settle().shows_frame(0)


def test_a_formula_is_typed_and_what_is_wrong_is_said(stage):
    link = {"transformation.method": "New column", "source": "library", "data": "mtcars"}
    stage.open("transformation", **link)
    field = stage.part("controls").get_by_role("textbox", name="Formula")
    expect(field).to_have_value("mpg * cyl")
    field.fill("power = hp / wt")
    field.press("Enter")
    stage.page.wait_for_url("**transformation.formula=power**")
    expect(stage.part("caption")).to_contain_text("a column power, from 19.44 to 93.84")
    field.fill("hp / vs")
    field.press("Enter")
    expect(stage.part("caption")).to_contain_text("vs is 0 in 18 of 32 rows")
