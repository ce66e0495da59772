"""Texts on a picture are legible: no number is cut off, names have room, no labels overlap."""

import re
from itertools import combinations

import pytest

from dashboard.presets import link_of, presets
from tests.browser.layout import DESKTOPS, PHONE, sized

pytestmark = pytest.mark.browser

RECORDED = """
  const fill = CanvasRenderingContext2D.prototype.fillText;
  window.dmWritten = [];
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    const width = this.measureText(text).width;
    const left = x - width * ({ center: 0.5, right: 1 }[this.textAlign] ?? 0);
    const main = Boolean(this.canvas.closest('.dm-main'));  // axes are drawn aside
    window.dmWritten.push({ text: String(text), main, left, right: left + width, y });
    fill.call(this, text, x, y);
  };
"""


def texts_of(tabs, slug, size=DESKTOPS[0], **link):
    """Open a page and return all that was written on canvases."""
    stage = sized(tabs, size)
    stage.page.add_init_script(RECORDED)
    stage.open(slug, **link)
    return stage.page.evaluate("window.dmWritten")


def test_a_number_beside_an_axis_is_not_cut_off(tabs):
    """−10000 that became −100… would be another number."""
    (preset,) = (preset for preset in presets("ridge_lasso") if preset.title == "One for all")
    texts = {
        each["text"] for each in texts_of(tabs, "ridge_lasso", **link_of("ridge_lasso", preset))
    }
    assert {"−10000", "0", "10000"} <= texts
    assert not [text for text in texts if re.match(r"[−\d.]+…$", text)]


def test_names_beside_an_axis_have_room(tabs):
    assert {"setosa", "versicolor", "virginica"} <= {
        each["text"] for each in texts_of(tabs, "discretisation", data="iris")
    }


def test_labels_of_a_lattice_do_not_cover_each_other_on_a_phone(tabs):
    labels = texts_of(tabs, "feature_selection", PHONE)
    places = {
        (each["text"], round(each["left"]), round(each["y"])): each
        for each in labels
        if each["main"]
    }
    sets = [
        each for each in places.values() if re.fullmatch(r"[1-5]{2,5}|\d{2,3}(\.\d)?", each["text"])
    ]
    assert len(sets) > 20
    for first, second in combinations(sets, 2):
        assert are_apart(first, second), (first["text"], second["text"])


def are_apart(first, second):
    return (
        first["right"] <= second["left"]
        or second["right"] <= first["left"]
        or abs(first["y"] - second["y"]) >= 11
    )


@pytest.mark.parametrize("step", [14, 20])
def test_lines_that_end_close_together_have_their_names_apart(tabs, step):
    texts = {each["text"]: each for each in texts_of(tabs, "adaboost", step=step)}
    names = [texts[name] for name in ("training", "bound", "test")]
    for first, second in combinations(names, 2):
        assert are_apart(first, second), (first, second)


def test_the_name_of_a_line_that_is_dragged_covers_no_text(tabs):
    texts = {each["text"]: each for each in texts_of(tabs, "pca", **{"pca.angle": "60"})}
    (name,) = (each for text, each in texts.items() if re.fullmatch(r"[\d.]+ % lost", text))
    title = texts["largest of all axes"]
    assert name["left"] < title["right"]
    # Its lower end and the middle of the text: it stands above, or below.
    assert name["y"] <= title["y"] - 8 or name["y"] - 5 >= title["y"] + 8
