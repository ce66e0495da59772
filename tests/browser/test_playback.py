"""Runs that play outside of the dashboard: as a page of their own, and in a notebook's frame."""

import pytest
from playwright.sync_api import expect

from dmlib import play
from dmlib.clustering import KMeans

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def playback():
    return play(KMeans(2, random_state=0), [[0.0, 0.0], [1.0, 0.0], [9.0, 1.0], [10.0, 1.0]])


@pytest.fixture
def tab(browser):
    context = browser.new_context(offline=True)
    yield context.new_page()
    context.close()


def steps_back(stage, playback):
    """Check that a stage shows the end of a run, and that its player goes back."""
    last = len(playback.frames) - 1
    expect(stage).to_have_attribute("data-frame", str(last))
    expect(stage.locator(".dm-caption")).to_have_text(playback.frames[-1].caption)
    stage.locator("[data-act=back]").click()
    expect(stage).to_have_attribute("data-frame", str(last - 1))
    expect(stage.locator(".dm-caption")).to_have_text(playback.frames[-2].caption)


def test_a_saved_run_plays_without_a_network(tab, playback, tmp_path):
    errors = []
    tab.on("pageerror", lambda error: errors.append(str(error)))
    playback.save(tmp_path / "run.html")
    tab.goto((tmp_path / "run.html").as_uri())
    steps_back(tab.get_by_test_id("stage"), playback)
    assert not errors


def test_a_notebook_shows_the_run_in_a_frame(tab, playback, tmp_path):
    html = f"<!doctype html><h1>Notebook</h1>{playback._repr_html_()}"
    (tmp_path / "notebook.html").write_text(html, "utf-8")
    tab.goto((tmp_path / "notebook.html").as_uri())
    steps_back(tab.frame_locator("iframe").get_by_test_id("stage"), playback)


def test_a_saved_run_has_no_column_for_controls(tab, playback, tmp_path):
    playback.save(tmp_path / "run.html")
    tab.set_viewport_size({"width": 766, "height": 720})
    tab.goto((tmp_path / "run.html").as_uri())
    stage = tab.get_by_test_id("stage")
    expect(stage.locator(".dm-aside")).to_be_hidden()
    body, side = (stage.locator(name).bounding_box() for name in (".dm-body", ".dm-side"))
    assert side["x"] + side["width"] == pytest.approx(body["x"] + body["width"], abs=2)
