"""Actions on the picture: zoom, choose a row, save it, read it by other means than the eye."""

import io
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.access import serious

pytestmark = pytest.mark.browser

HEAVIEST = 300_000  # bytes of a playable page
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def kmeans(stage):
    return stage.open("kmeans", step=0, opening="defaults")


def centre(stage, panel="data"):
    box = stage.canvas(panel).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def at_the_end(stage):
    """Go to the last step, and wait for the link: a later report would be a step of the history."""
    stage.press("End")
    # The end is where pages open.
    stage.page.wait_for_function("() => !location.search.includes('step')")
    return stage.settle()


def find_row(stage):
    """Move the pointer over the picture until a row answers; return its place and its tooltip."""
    box = stage.canvas().bounding_box()
    tip = stage.part("tip")
    for up in np.arange(0.95, 0.05, -0.04):
        for across in np.arange(0.15, 0.95, 0.03):
            place = box["x"] + across * box["width"], box["y"] + up * box["height"]
            stage.page.mouse.move(*place)
            if tip.is_visible() and "row" in tip.inner_text():
                return place, tip.inner_text()
    raise AssertionError("No row answers the pointer.")


def test_tooltips_say_the_row_its_class_and_its_place(kmeans):
    kmeans.press("End")
    _, text = find_row(kmeans)
    assert re.match(r"row \d+ · Iris-?\w*|row \d+", text)
    assert "petal_length: " in text
    assert "petal_width: " in text
    assert "cluster " in text
    kmeans.page.mouse.move(5, 5)
    expect(kmeans.part("tip")).to_be_hidden()


def test_a_chosen_row_shows_its_distances_and_travels_in_the_link(kmeans, visitor):
    place, text = find_row(at_the_end(kmeans))
    row = re.search(r"row (\d+)", text)[1]
    before = kmeans.ledger
    kmeans.page.mouse.click(*place)
    kmeans.page.wait_for_url(f"**point={row}**")
    kmeans.settle()
    assert f"Row {row}" in kmeans.ledger
    assert kmeans.ledger != before
    assert visitor().go(kmeans.page.url).state() == kmeans.state()
    kmeans.page.mouse.click(*place)
    expect(kmeans.part("ledger")).not_to_contain_text(f"Row {row}")


def test_a_row_can_be_chosen_again_after_going_back(kmeans):
    place, text = find_row(at_the_end(kmeans))
    row = re.search(r"row (\d+)", text)[1]
    kmeans.page.mouse.click(*place)
    kmeans.page.wait_for_url(f"**point={row}**")
    expect(kmeans.part("ledger")).to_contain_text(f"Row {row}")  # the link comes before the answer
    kmeans.settle().page.go_back()
    expect(kmeans.part("ledger")).not_to_contain_text(f"Row {row}")
    kmeans.settle().page.mouse.click(*place)
    expect(kmeans.part("ledger")).to_contain_text(f"Row {row}")


def test_wheel_zooms_drag_pans_and_reset_returns(kmeans):
    at_first = kmeans.ink()
    reset = kmeans.root.get_by_role("button", name="Reset zoom")
    expect(reset).to_be_hidden()
    kmeans.root.focus()
    kmeans.page.mouse.move(*centre(kmeans))
    kmeans.page.mouse.wheel(0, -400)
    expect(reset).to_be_visible()
    zoomed = kmeans.settle().ink()
    assert zoomed != at_first
    x, y = centre(kmeans)
    kmeans.page.mouse.down()
    kmeans.page.mouse.move(x + 60, y + 40, steps=4)
    kmeans.page.mouse.up()
    panned = kmeans.settle().ink()
    assert panned not in (zoomed, at_first)
    kmeans.press("ArrowRight", "ArrowLeft").shows_frame(0)
    assert kmeans.settle().ink() == panned
    reset.click()
    kmeans.page.mouse.move(5, 5)
    assert kmeans.settle().ink() == at_first
    expect(reset).to_be_hidden()


def test_zoom_stays_when_a_parameter_changes(kmeans):
    kmeans.root.focus()
    kmeans.page.mouse.move(*centre(kmeans))
    kmeans.page.mouse.wheel(0, -400)
    reset = kmeans.root.get_by_role("button", name="Reset zoom")
    expect(reset).to_be_visible()
    kmeans.slider("Clusters k").press("ArrowRight")
    kmeans.settle()
    expect(reset).to_be_visible()


def test_back_and_forward_undo_and_redo(kmeans):
    three = kmeans.state()
    kmeans.slider("Clusters k").press("ArrowRight")
    kmeans.page.wait_for_url("**n_clusters=4**")
    four = kmeans.settle().state()
    assert four != three
    kmeans.page.go_back()
    expect(kmeans.root).to_have_attribute("data-frames", str(three[1]))
    assert kmeans.settle().state() == three
    kmeans.page.go_forward()
    expect(kmeans.root).to_have_attribute("data-frames", str(four[1]))
    assert kmeans.settle().state() == four


# Linked numbers


def test_the_arrows_walk_through_a_table_and_light_its_clusters(kmeans):
    kmeans.press("End")
    rows = kmeans.part("ledger").locator("table").first.locator("tbody tr")
    rows.first.focus()
    sizes = [int(row.locator(".dm-number").first.inner_text()) for row in rows.all()]
    for size in sizes:
        # The rows of the cluster and its centre, and not the end of the curve in the colour of the
        # first.
        expect(kmeans.root).to_have_attribute("data-lit", str(size + 1))
        kmeans.page.keyboard.press("ArrowDown")
    expect(rows.last).to_be_focused()
    step = kmeans.frame
    kmeans.page.keyboard.press("ArrowLeft")
    kmeans.shows_frame(step - 1)


@pytest.mark.parametrize(
    ("slug", "link"), [("knn", {}), ("svm", {"query": "1,1", "step": 3}), ("kmeans", {"step": 1})]
)
def test_every_row_that_a_table_is_about_is_in_the_picture(stage, slug, link):
    stage.open(slug, **link)
    rows = stage.part("ledger").locator("tbody tr[tabindex]").all()
    assert rows
    for row in rows:
        row.hover()
        expect(stage.root).not_to_have_attribute("data-lit", "0")


def test_the_playable_page_is_linked_too(kmeans, visitor, tmp_path):
    file = tmp_path / "kmeans.html"
    save(kmeans, "Playable HTML").save_as(file)
    saved_page = visitor()
    saved_page.page.goto(file.as_uri())
    saved_page.part("ledger").locator("tbody tr").first.hover()
    expect(saved_page.root).not_to_have_attribute("data-lit", "0")


# Pictures to keep


def save(stage, name):
    stage.root.get_by_text("Save picture").click()
    with stage.page.expect_download() as waiting:
        stage.root.get_by_role("button", name=name, exact=True).click()
    return waiting.value


def test_png_is_a_picture_of_the_stage(kmeans):
    download = save(kmeans.press("End"), "PNG")
    assert download.suggested_filename == "kmeans.png"
    picture = Image.open(io.BytesIO(Path(download.path()).read_bytes()))
    picture.load()
    assert picture.width > 1000
    colours = picture.convert("RGB").getcolors(1_000_000)
    assert len(colours) > 100
    assert picture.convert("RGB").getpixel((2, 2)) == (255, 255, 255)


def test_svg_is_well_formed_and_has_marks(kmeans):
    download = save(kmeans.press("End"), "SVG")
    assert download.suggested_filename == "kmeans.svg"
    tree = ElementTree.fromstring(Path(download.path()).read_text("utf-8"))
    assert tree.tag == f"{SVG}svg"
    assert len(tree.findall(f".//{SVG}path")) > 10
    words = " ".join(text.text or "" for text in tree.iter(f"{SVG}text"))
    assert "petal_length" in words
    assert kmeans.caption in words
    numbers = re.findall(r"NaN|undefined|Infinity", Path(download.path()).read_text("utf-8"))
    assert numbers == []


def test_playable_page_plays_without_a_network(kmeans, visitor, tmp_path):
    kmeans.press("ArrowRight", "ArrowRight").shows_frame(2)
    file = tmp_path / "kmeans.html"
    save(kmeans, "Playable HTML").save_as(file)
    assert file.stat().st_size < HEAVIEST, file.stat().st_size
    assert not re.search(r"""(?:src|href)=["']https?:""", file.read_text("utf-8"))
    saved_page = visitor(color_scheme="light")
    saved_page.page.context.set_offline(True)
    saved_page.page.goto(file.as_uri())
    saved_page.shows_frame(2)
    assert saved_page.state() == kmeans.state()
    assert saved_page.part("pseudocode").inner_text() == kmeans.part("pseudocode").inner_text()
    assert saved_page.root.locator("[aria-current=step]").count() == 1
    saved_page.speed.select_option("60")
    saved_page.press(" ").shows_frame(kmeans.frames - 1)
    kmeans.press("End").shows_frame(kmeans.frames - 1)
    assert saved_page.caption == kmeans.caption
    assert saved_page.ledger == kmeans.ledger


def test_playable_page_of_a_long_run_is_light(stage, tmp_path):
    link = {
        "source": "generator",
        "generator": "uniform_noise",
        "uniform_noise.n_samples": 500,
        "seed": 2,
    }
    stage.open(
        "kmeans", **link | {"kmeans.n_clusters": 8, "kmeans.init": "random", "kmeans.tol": 0}
    )
    assert stage.frames > 60
    file = tmp_path / "long.html"
    save(stage, "Playable HTML").save_as(file)
    assert file.stat().st_size < HEAVIEST, file.stat().st_size


# An own file

MESSY = (
    "Report of 2024\n\nLänge (cm);Breite;Sorte;<img src=x onerror=alert(1)>\n"
    "1,5;2,0;a;x\n2,5;?;a;y\n1,0;1,5;a;x\n8,5;9,0;b;y\n9,5;8,0;b;x\n;9,0;b;y\n9,0;8,5;b;x\n"
)


def test_a_messy_file_is_read_and_explained(stage):
    stage.open("kmeans", source="upload", **{"kmeans.n_clusters": 2})
    assert "file" in stage.caption
    stage.upload(MESSY.encode("latin-1"), "mess <b>y</b>.csv")
    expect(stage.root).not_to_have_attribute("data-frames", "1")
    stage.settle()
    text = stage.page.locator("body").inner_text()
    assert re.search(r"rows? .*(missing|left out)", text)
    assert stage.page.locator("img[src=x]").count() == 0
    stage.press("End")
    assert "Done" in stage.caption


def test_a_file_that_is_none_is_refused_in_a_sentence(stage):
    stage.open("kmeans", source="upload")
    before = stage.caption
    stage.upload(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" * 50, "picture.csv")
    expect(stage.part("caption")).not_to_have_text(before)
    assert stage.caption.endswith(".")


# Access


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "link",
    [
        {},
        {"source": "draw"},
        {"kmeans.init": "points"},
        {"projector": "true"},
        {"practice": "1"},
        {"practice": "1", "seed": "name"},
    ],
    ids=str,
)
def test_no_serious_violation_on_the_stage(tabs, scheme, link):
    stage = tabs(color_scheme=scheme).open("kmeans", **link)
    stage.press("End")
    stage.root.get_by_text("Save picture").click()
    violations = serious(stage, "[data-testid=stage]")
    assert violations == [], json.dumps(violations, indent=1)


def test_every_control_of_the_stage_is_reached_by_tab(stage):
    stage.open("kmeans", source="draw")
    # A group of radio buttons is one stop.
    n_controls = (
        stage.root.locator("fieldset.dm-radios").count()
        + stage.root.locator("button:visible:enabled, select:visible, summary:visible").count()
        + stage.root.locator("input:visible:not([type=radio])").count()
    )
    stage.root.focus()
    reached = set()
    for _ in range(90):
        stage.page.keyboard.press("Tab")
        inside = stage.page.evaluate("""() => {
              const root = document.querySelector('[data-testid=stage]');
              const all = [...root.querySelectorAll('*')];
              return all.indexOf(document.activeElement);
            }""")
        if inside < 0:
            break
        reached.add(inside)
    assert len(reached) >= n_controls


def test_phone_has_no_sideways_scrolling(visitor):
    stage = visitor(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True).open(
        "kmeans"
    )
    assert stage.root.bounding_box()["width"] <= 390
    assert stage.page.evaluate("document.documentElement.scrollWidth") <= 390
    for control in stage.part("player").locator("button").all():
        box = control.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        assert min(box["width"], box["height"]) >= 30
