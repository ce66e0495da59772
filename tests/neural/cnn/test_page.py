"""The page of convolution: its pictures, its tools, its presets and its lesson."""

import io

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from PIL import Image
from sklearn.datasets import load_digits

from dmlib.neural import ConvNet, convolve2d, max_pool2d
from dmlib.neural.cnn.filters import FILTERS
from dmlib.neural.cnn.picture_scene import (
    LEARNED,
    START_CELLS,
    signed_codes,
    signed_palette,
    stacked,
)
from dmlib.neural.cnn.scene import cnn_scene
from dmlib.pictures.marks import Points, Raster, Rects, Texts
from dmlib.pictures.run import Run
from dmlib.pictures.words import num
from dmlib.problem import prepare_digits
from dmlib.problem.digits import fitted
from tests.contract.test_lessons import section, text_of
from tests.gestures import move
from tests.pictures.examples import at
from tests.visit import (
    linked,
    open_preset,
    sound,
    stage,
    technique,
    upload,
    visit,
    warnings,
    watched_runs,
)

SOBEL = FILTERS["Sobel, vertical edges"]
THREE = np.array([[0, 56, 68, 4, 24, 4, 68, 56]]).T >> np.arange(7, -1, -1) & 1


def run_of(title):
    """Open a preset as a link; return the run on the page, its frames and what to look for."""
    run, scene, look_for = open_preset("cnn", title)
    return run, scene["frames"], look_for


def of(scene, kind, panel):
    return [mark for mark in scene.marks if isinstance(mark, kind) and mark.panel == panel]


@pytest.fixture(scope="module")
def run():
    digit = load_digits().images[3]
    problem = prepare_digits(np.rint(255 - digit * 255 / 16).astype(np.uint8))
    return Run.of(problem, ConvNet(3, max_iter=2, random_state=0))


def scene_of(run, **options):
    return cnn_scene(Run(run.problem, run.trace, options=options, made=run.made))


# --- a filter -------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", [{}, {"stride": 2, "padding": 1}, {"dilation": 2, "padding": 2}])
def test_the_products_under_the_filter_add_up_to_the_map(run, how):
    scene = scene_of(run, **how)
    sums = convolve2d(run.problem.ink, SOBEL, **how).ravel()
    places = [frame for frame in scene.frames if frame.phase == "multiply"]
    assert len(places) == len(sums)
    for frame, value in zip(places, sums, strict=True):
        table, formula = frame.ledger
        assert sum(row[3] for row in table.rows) == pytest.approx(value, abs=5e-3)
        assert [row[2] for row in table.rows] == SOBEL.ravel().tolist()
        assert formula.text.count(" · ") == 9
    if how.get("padding"):
        assert places[0].ledger[0].rows[0][0] == "padding"


def test_the_map_fills_place_by_place_and_is_pooled_at_the_end(run):
    scene = scene_of(run, window=3)
    sums = convolve2d(run.problem.ink, SOBEL)
    tiles, numbers = of(scene, Rects, "map")[0], of(scene, Texts, "map")[0]
    strength = np.asarray(tiles.opacity.rows[-1])
    assert_allclose(strength, 0.65 * np.abs(sums.ravel()) / np.abs(sums).max())
    assert_array_equal(at(tiles.color, -1), (sums.ravel() < 0))
    assert np.isfinite(numbers.x.rows[4]).sum() == 5
    pooled = of(scene, Texts, "pooled")[0]
    values = [float(text.replace("−", "-")) for text in pooled.text]
    assert values == pytest.approx(max_pool2d(sums, 3).ravel(), abs=5e-3)
    assert [frame.phase for frame in scene.frames[-2:]] == ["pool", "done"]
    (lead,) = [mark for mark in of(scene, Points, "map") if mark.leads]
    assert len(np.unique(np.hstack([lead.x.rows, lead.y.rows]), axis=0)) == 36


def test_a_tap_on_a_tile_says_its_number_once_it_is_there(run):
    scene = scene_of(run)
    sums = convolve2d(run.problem.ink, SOBEL)
    (taps,) = [mark for mark in of(scene, Points, "map") if mark.labels]
    (ink,) = [mark for mark in of(scene, Points, "data") if mark.labels]
    assert ink.labels == [num(value) for value in run.problem.ink.ravel()]
    for frame in (0, 7, len(scene.frames) - 1):
        is_there = np.isfinite(at(taps.x, frame))
        assert is_there.sum() == min(frame + 1, sums.size)
        assert is_there[: is_there.sum()].all()


def test_learned_filters_are_those_of_the_network(run):
    scene = scene_of(run, kernel=LEARNED, number=2)
    texts = of(scene, Texts, "kernel")[0].text
    weights = run.fitted.coefs_[0][:, :, 0, 1].ravel()
    assert [float(text.replace("−", "-")) for text in texts] == pytest.approx(weights, abs=5e-3)
    assert "Learned filter 2" in scene.frames[-1].caption
    assert "Learned filter 3" in scene_of(run, kernel=LEARNED, number=9).frames[-1].caption


@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (40, 2), (30, 50)])
def test_pictures_of_any_size(run, shape):
    problem = prepare_digits(np.full(shape, 100, np.uint8))
    for options in (
        {},
        {"padding": 3, "dilation": 3},
        {"view": "network"},
        {"drawn": True, "view": "network"},
    ):
        scene = cnn_scene(Run(problem, run.trace, options=options))
        assert scene.frames[-1].phase == "done"
    small = cnn_scene(Run(problem, run.trace)).frames[-1].caption
    assert ("does not fit" in small) == (min(shape) < 3)


def test_a_large_picture_is_an_image():
    problem = prepare_digits(np.random.default_rng(0).integers(0, 256, (40, 30), dtype=np.uint8))
    scene = cnn_scene(Run.of(problem, ConvNet(1, max_iter=1, random_state=0)))
    (image,) = of(scene, Raster, "map")
    sums = convolve2d(problem.ink, SOBEL)
    assert_array_equal(at(image.pixels, 0), signed_codes(sums).ravel())
    assert np.count_nonzero(image.shade.rows[0]) == 1
    assert len(scene.frames) <= 102
    assert "Long run" in scene.notes[-1]


def test_signed_colours():
    palette = signed_palette().reshape(-1, 3)
    assert palette[127].tolist() == [255, 255, 255]
    assert signed_codes([0.0, 0.0]).tolist() == [127, 127]
    codes, shade = stacked(np.ones((2, 3, 4)))
    assert len(codes) == len(shade) == 4 * 3 * 3
    assert np.count_nonzero(shade) == 24


# --- the network ----------------------------------------------------------------------------------


def test_maps_and_probabilities_of_each_epoch(run):
    scene = scene_of(run, view="network")
    bars = of(scene, Rects, "layers")[0]
    for i, step in enumerate(run.trace.steps):
        output = step.network.forward(run.problem.small[None, ..., None]).output[0]
        assert_allclose((at(bars.x1, i) - at(bars.x0, i)) / 9.6, output)
    maps = of(scene, Raster, "layers")[2]
    expected, _ = stacked(run.fitted.signals(run.problem.small[None]).first.maps[0])
    assert_array_equal(maps.pixels.rows[-1], expected)
    assert len(scene.frames) == len(run.trace.steps) == 4


def test_the_softmax_is_written_out(run):
    ledger = scene_of(run, view="network").frames[-1].ledger
    shares = run.fitted.predict_proba(run.problem.small[None])[0]
    best = int(shares.argmax())
    assert ledger[0].rows[0][0] == best
    assert ledger[2].text.startswith(f"p({best}) = 1 / ")
    assert float(ledger[2].text.rsplit(" ", 1)[1]) == pytest.approx(shares[best], rel=1e-3)
    assert sum(row[2] for row in ledger[3].rows) == run.fitted.n_parameters_


def test_a_drawn_digit_is_looked_at(run):
    cells = f"{int(START_CELLS, 16):064b}"
    assert_array_equal(np.array(list(cells), int).reshape(8, 8), THREE)
    scene = scene_of(run, drawn=True, cells=cells)
    (grid,) = scene.handles
    assert (grid.name, grid.cells, grid.live) == ("cells", cells, True)
    assert [frame.caption for frame in scene.frames[:2]] == [
        "Row 1, column 1 of the map: the weighted sum of 9 pixels is 2.",
        "Row 1, column 2 of the map: the weighted sum of 9 pixels is 1.",
    ]
    link = linked("cnn", {"drawn": True, "cells": "00" * 8})
    link |= {"cnn.cells": "00" * 8, "cnn.drawn": "true"}
    page = sound(visit("cnn", **link))
    assert stage(page)["handles"][0]["cells"] == "0" * 64
    assert warnings(sound(visit("cnn", **{"cnn.cells": "nonsense"})))


def test_own_pictures_and_pictures_of_one_pixel():
    noise = np.random.default_rng(0).integers(0, 256, (300, 200, 3), dtype=np.uint8)
    for pixels in (np.zeros((1, 1), np.uint8), noise):
        file = io.BytesIO()
        Image.fromarray(pixels).save(file, "PNG")
        assert len(stage(sound(upload("cnn", "own.png", file.getvalue())))["frames"]) >= 1


def test_a_picture_in_the_size_of_a_digit():
    image = np.random.default_rng(0).random((24, 16))
    assert_allclose(fitted(image, 8), image.reshape(8, 3, 8, 2).mean(axis=(1, 3)))
    assert_array_equal(fitted(np.array([[0.0, 1.0]]), 4), [[0, 0, 1, 1]] * 4)


# --- presets and lesson ---------------------------------------------------------------------------


def test_vertical_edges():
    run, frames, text = run_of("A filter for vertical edges")
    assert "2.125" in text
    assert frames[0]["caption"].endswith("is 2.125.")
    assert convolve2d(run.problem.ink, SOBEL)[0, 0] == pytest.approx(2.125, abs=1e-3)


def test_by_hand():
    _, frames, text = run_of("A drawn three by hand")
    sums = convolve2d(THREE, SOBEL)
    assert sums[0].tolist() == [2, 1, 0, -1, -2, -1]
    assert sums[1, :2].tolist() == [1, -1]
    assert max_pool2d(sums, 2)[0, 0] == 2
    lesson = section(text_of("cnn"), "By hand")
    for place in (text, lesson):
        assert "2, 1, 0, −1, −2, −1" in place
    assert "**324**" in lesson
    strongest = next(block for block in frames[-1]["ledger"] if "rows" in block)
    assert abs(strongest["rows"][0][3]) == np.abs(sums).max()
    assert any("= 324" in block.get("text", "") for block in frames[-1]["ledger"])
    assert THREE[:3, :3].tolist() == [[0, 0, 0], [0, 0, 1], [0, 1, 0]]


def test_sizes():
    run, frames, text = run_of("Stride and padding")
    blurred = convolve2d(run.problem.ink, FILTERS["Gaussian blur"], stride=2, padding=1)
    assert blurred.shape == (4, 4)
    assert "map of 4 x 4." in frames[-1]["caption"]
    assert "4 x 4" in text
    _, frames, _ = run_of("Edges of a palace")
    assert frames[-1]["caption"].startswith("Done. Filter Sobel, horizontal edges: 85 x 128 pixels")


def test_the_network_of_the_lesson():
    run, frames, text = run_of("A network reads a three")
    assert (run.fitted.n_parameters_, run.fitted.n_iter_) == (1210, 12)
    assert "3 (99.7 %); 99 % of" in frames[-1]["caption"]
    assert "99.7 %" in text
    lesson = section(text_of("cnn"), "The network")
    for part in ("**60**", "**660**", "**490**", "**1,210**", "24,960"):
        assert part in lesson
    assert (64 + 1) * 384 == 24960
    assert run.fitted.validation_score_ == 0.99
    assert run.fitted.score(*run.problem.held_out) < 0.99


def test_other_pictures():
    _, frames, text = run_of("Your own digit")
    assert "3 (98.3 %)" in frames[-1]["caption"]
    assert "98.3 %" in text
    _, frames, text = run_of("A palace is a six")
    assert "6 (67.2 %)" in frames[-1]["caption"]
    assert "67.2 %" in text
    run, frames, _ = run_of("A learned filter")
    assert run.model.n_filters == 6
    assert frames[-1]["caption"].startswith("Done. Learned filter 1")


def test_cells_that_are_switched_on_the_stage_are_in_the_link():
    page, bits = technique("cnn"), "1" + "0" * 62 + "1"
    assert move({"name": "cells", "cells": bits}, page) == {"cnn.cells": ["8000000000000001"]}
    for wrong in ("101", "2" * 64, None, 7):
        assert move({"name": "cells", "cells": wrong}, page) == {}
    # Those at the start are not in the link:
    assert move({"name": "cells", "cells": f"{int(START_CELLS, 16):064b}"}, page) == {}


def test_a_run_is_not_trained_a_second_time_for_its_headline(monkeypatch):
    with watched_runs() as runs:
        visit("cnn", **{"cnn.view": "network", "cnn.max_iter": "2"})
    run = runs[-1]
    monkeypatch.setattr(ConvNet, "fit", None)
    assert run.fitted.validation_score_ == run.trace.steps[-1].validation_score
