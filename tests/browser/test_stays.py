"""The stage is built once: it keeps its element, position and zoom, whatever changes around it."""

import pytest
from playwright.sync_api import expect

from tests.browser.drawing import Drawing

pytestmark = pytest.mark.browser

WATCH = """() => {
  const stage = document.querySelector('[data-testid=stage]');
  window.dmGone = 0;
  const look = () => {
    if (!stage.isConnected || !stage.getBoundingClientRect().height) window.dmGone += 1;
    requestAnimationFrame(look);
  };
  look();
}"""


def watched(stage):
    stage.page.evaluate(WATCH)
    return stage


def stayed(stage):
    stage.settle()
    return stage.page.evaluate("window.dmGone") == 0


def hold(slider, key, times):
    for _ in range(times):
        slider.press(key)


@pytest.mark.parametrize("link", [{}, {"source": "generator"}, {"source": "draw"}], ids=str)
def test_a_held_key_on_a_slider(stage, link):
    watched(stage.open("kmeans", **link))
    hold(stage.slider("Clusters k"), "ArrowRight", 25)
    hold(stage.slider("Clusters k"), "ArrowLeft", 25)
    assert stayed(stage)


@pytest.mark.parametrize("link", [{}, {"source": "generator"}, {"source": "draw"}], ids=str)
def test_a_held_key_on_the_seed(stage, link):
    watched(stage.open("kmeans", **link))
    seed = stage.data().get_by_role("spinbutton", name="Seed")
    end = str(int(seed.input_value()) + 5)
    hold(seed, "ArrowUp", 25)
    hold(seed, "ArrowDown", 20)
    assert stayed(stage)
    expect(seed).to_have_value(end)  # no press is lost
    assert stage.link["seed"] == end


def test_other_data(stage):
    watched(stage.open("kmeans", data="iris"))
    box = stage.data().get_by_role("combobox", name="Data set")
    for name in ("Wine", "Iris"):
        box.click()
        box.fill(name)
        stage.page.get_by_role("option", name=name).first.click()
        stage.page.wait_for_function(
            "wine => location.search.includes('data=wine') === wine", arg=name == "Wine"
        )
        stage.settle()
    assert stayed(stage)


def test_a_refusal_and_a_notice(stage):
    watched(stage.open("kmeans", **{"seed": "nan", "kmeans.init": "points"}))
    box = stage.canvas().bounding_box()
    stage.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    stage.page.wait_for_url("**places=**")
    assert stayed(stage)


def test_drawing_from_nothing(stage):
    drawing = Drawing(stage).open()
    watched(stage)
    for i in range(30):
        drawing.click(1 + i % 9, 1 + i // 9)
    drawing.points(30)
    assert stayed(stage)
