"""Moving pictures: the files that the dialog of the stage writes, read again by other programs."""

import io
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageSequence
from playwright.sync_api import expect

from dmlib import play
from dmlib.clustering import KMeans
from tests.browser.access import serious

pytestmark = pytest.mark.browser

TWELVE = {"kmeans.init": "random", "kmeans.n_clusters": "3", "seed": "4"}
PROBE = """(bytes) => new Promise((done, fail) => {
  const video = document.createElement('video');
  video.src = URL.createObjectURL(new Blob([Uint8Array.from(bytes)], { type: 'video/webm' }));
  video.onerror = () => fail(new Error(video.error.message));
  video.onloadedmetadata = () => done([video.videoWidth, video.videoHeight, video.duration]);
})"""
END = 2000  # milliseconds for which the last step stays


def dialog_of(page):
    """Open the dialog of a moving picture and return it."""
    page.get_by_test_id("stage").get_by_text("Save picture").click()
    page.get_by_role("button", name="Moving: GIF or WebM").click()
    dialog = page.get_by_role("dialog", name="Moving picture")
    expect(dialog).to_be_visible()
    return dialog


def choose(dialog, **values):
    for label, value in values.items():
        name = label.replace("_", " ")
        if name.endswith("step"):
            dialog.get_by_role("spinbutton", name=name, exact=True).fill(str(value))
        else:
            dialog.get_by_role("combobox", name=name, exact=True).select_option(str(value))


def saved(page, **values):
    """Save a moving picture; return its name and its bytes."""
    dialog = dialog_of(page)
    choose(dialog, **values)
    with page.expect_download() as waiting:
        dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    return waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes()


def pictures(content):
    """Return the pictures of a GIF, as they are seen, and how long each is."""
    gif = Image.open(io.BytesIO(content))
    frames = [
        (np.asarray(frame.convert("RGB")).astype(int), frame.info["duration"])
        for frame in ImageSequence.Iterator(gif)
    ]
    return gif, *zip(*frames, strict=True)


@pytest.fixture
def kmeans(stage):
    return stage.open("kmeans", **TWELVE)


def test_a_gif_has_each_step_in_a_loop(kmeans):
    name, content = saved(kmeans.page, Format="gif", Speed=4)
    gif, frames, durations = pictures(content)
    assert name == "kmeans.gif"
    assert gif.size == (800, 450)
    assert gif.n_frames == kmeans.frames
    assert gif.info["loop"] == 0
    assert [*durations] == [250] * (kmeans.frames - 1) + [END]
    assert all((before != after).any() for before, after in pairwise(frames))
    assert len(content) < 1e6


def test_its_pictures_are_those_of_the_stage_with_their_captions(kmeans, stage):
    """The last one, drawn over all before it, is as if it were alone: nothing is left of those."""
    _, content = saved(kmeans.page)
    last = kmeans.frames - 1
    _, alone = saved(kmeans.page, From_step=last - 1, To_step=last)
    assert Image.open(io.BytesIO(alone)).n_frames == 2
    final, alone = pictures(content)[1][-1], pictures(alone)[1][-1]
    ground = (alone == alone[2, 2]).all(axis=2)
    assert (final[ground] == alone[2, 2]).all()
    assert np.abs(final - alone).mean() < 0.2  # rare colours are mixed
    assert 0.01 < 1 - ground[405:].mean() < 0.5  # the caption


def test_a_range_a_size_and_a_speed_are_as_they_were_chosen(kmeans):
    _, content = saved(kmeans.page, From_step=2, To_step=5, Size=1280, Speed=1)
    gif, _, durations = pictures(content)
    assert gif.size == (1280, 720)
    assert [*durations] == [1000] * 3 + [END]


@pytest.mark.parametrize(("scheme", "dark"), [("light", False), ("dark", True)])
def test_it_has_the_colours_of_the_page(tabs, scheme, dark):
    stage = tabs(color_scheme=scheme).open("kmeans", **TWELVE)
    _, content = saved(stage.page, To_step=1)
    assert bool(pictures(content)[1][0][2, 2].mean() < 128) is dark


def test_a_webm_is_as_long_as_it_should_be(kmeans):
    name, content = saved(kmeans.page, Format="webm", Speed=2)
    assert name == "kmeans.webm"
    assert content[:4] == b"\x1a\x45\xdf\xa3"
    assert b"webm" in content[:64]
    width, height, seconds = kmeans.page.evaluate(PROBE, [*content])
    assert (width, height) == (800, 450)
    assert seconds == pytest.approx((kmeans.frames - 1) / 2 + END / 1000, abs=0.05)


def test_a_pinned_run_moves_beside_the_other(stage):
    stage.open("kmeans", pin="kmeans?kmeans.n_clusters=2", **TWELVE)
    _, content = saved(stage.page)
    gif, frames, _ = pictures(content)
    assert gif.n_frames == stage.frames
    left, right = frames[-1][40:380, :400], frames[-1][40:380, 400:]
    assert (left != frames[-1][2, 2]).any(axis=2).mean() > 0.05
    assert (right != frames[-1][2, 2]).any(axis=2).mean() > 0.05


def test_who_cancels_gets_no_file_and_can_begin_again(kmeans):
    names = []
    kmeans.page.on("download", lambda download: names.append(download.suggested_filename))
    dialog = dialog_of(kmeans.page)
    choose(dialog, Size=1920)
    dialog.get_by_role("button", name="Save").click()
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)
    name, _ = saved(kmeans.page, To_step=1)
    assert name == "kmeans.gif"
    assert names == [name]


def test_its_keys_are_no_steps_and_escape_leads_back(kmeans):
    kmeans.press("Home").shows_frame(0)
    dialog = dialog_of(kmeans.page)
    dialog.get_by_role("combobox", name="Format").press("End")
    kmeans.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(kmeans.root.get_by_text("Save picture")).to_be_focused()
    kmeans.shows_frame(0)


def test_what_cannot_be_is_said_in_a_sentence(visitor):
    stage = visitor()
    stage.page.add_init_script("delete window.VideoEncoder")
    stage.open("kmeans", **TWELVE)
    dialog = dialog_of(stage.page)
    choose(dialog, Format="webm")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert")).to_contain_text("writes no WebM here")
    choose(dialog, From_step=999)
    dialog.get_by_role("button", name="Save").click()
    assert dialog.get_by_role("spinbutton", name="From step").evaluate(
        "field => field.validity.rangeOverflow"
    )


@pytest.mark.parametrize("width", [1366, 390])
def test_the_dialog_fits_and_can_be_used_by_all(tabs, width):
    stage = tabs(viewport={"width": width, "height": 844 if width < 700 else 768})
    stage.open("kmeans", **TWELVE)
    dialog = dialog_of(stage.page)
    box = dialog.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert serious(stage, "dialog.dm-movie") == []
    stage.page.keyboard.press("Escape")


def test_a_saved_page_writes_moving_pictures_without_a_network(browser, tmp_path):
    run = play(KMeans(2, random_state=0), [[0.0, 0.0], [1.0, 0.0], [9.0, 1.0], [10.0, 1.0]])
    run.save(tmp_path / "run.html")
    context = browser.new_context(offline=True, accept_downloads=True)
    page = context.new_page()
    page.goto((tmp_path / "run.html").as_uri())
    _, content = saved(page)
    assert Image.open(io.BytesIO(content)).n_frames == len(run.frames)
    name, content = saved(page, Format="webm", Speed=2)
    assert name.endswith(".webm")
    width, height, seconds = page.evaluate(PROBE, [*content])
    assert (width, height) == (800, 450)
    assert seconds == pytest.approx((len(run.frames) - 1) / 2 + END / 1000, abs=0.05)
    context.close()
