"""The page of vector quantisation: its pictures, presets and lesson say what is so."""

import io

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from PIL import Image

from dmlib.clustering import LVQ, SelfOrganizingMap, VectorQuantizer, dither, psnr
from dmlib.clustering.vector_quantisation.figures.size_sweep import size_sweep
from dmlib.clustering.vector_quantisation.scene import vector_quantisation_scene
from dmlib.pictures.marks import Points, Raster, Rects, Segments
from dmlib.pictures.run import Run
from dmlib.pictures.words import percent
from dmlib.problem import prepare_image
from tests.contract.test_lessons import section, text_of
from tests.visit import open_preset, sound, stage, upload

SLUG = "vector_quantisation"


def run_of(title):
    """Open a preset as a link; return the run on the page, its frames and what to look for."""
    run, scene, look_for = open_preset(SLUG, title)
    return run, scene["frames"], look_for


def check_numbers(numbers, text):
    for number in numbers:
        assert f"{number:.4g}" in text, (number, text)


def of(scene, kind, panel):
    return [mark for mark in scene.marks if isinstance(mark, kind) and mark.panel == panel]


@pytest.fixture(scope="module")
def problem():
    return prepare_image(np.random.default_rng(0).integers(0, 256, (9, 12, 3), dtype=np.uint8))


# Pictures
# ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "model",
    [
        VectorQuantizer(4, random_state=0),
        VectorQuantizer(3, patch=2, random_state=0),
        SelfOrganizingMap(2, 3, random_state=0),
        LVQ(2, random_state=0),
    ],
)
def test_the_last_picture_is_the_coded_image(problem, model):
    run = Run.of(problem, model)
    scene = vector_quantisation_scene(run)
    (mark,) = of(scene, Raster, "data")
    colors = np.asarray(mark.palette.rows[-1]).reshape(-1, 3)[np.asarray(mark.pixels.rows[-1])]
    mse = np.mean((colors / 255 - problem.samples) ** 2)
    assert 10 * np.log10(1 / mse) == pytest.approx(
        run.fitted.psnr_, abs=0.2
    )  # bytes and clipped codes
    assert len(scene.frames) == len(mark.pixels.rows)


def test_dithering_is_that_of_the_function(problem):
    run = Run.of(problem, VectorQuantizer(3, random_state=0), options={"dithering": "ordered"})
    scene = vector_quantisation_scene(run)
    (mark,) = of(scene, Raster, "data")
    codes = dither(problem.pixels, run.fitted.codebook_, "ordered")
    assert_array_equal(mark.pixels.rows[-1], codes.ravel())
    own = psnr(problem.pixels, run.fitted.codebook_[codes])
    assert f"Dithered: {own:.4g} dB" in scene.frames[-1].caption
    assert "Only the finished picture" in scene.notes[0]


def test_shares_of_the_palette_and_the_grid(problem):
    run = Run.of(problem, VectorQuantizer(4, random_state=0))
    (bars,) = of(vector_quantisation_scene(run), Rects, "palette")
    assert_allclose(bars.x1.rows[-1], np.bincount(run.fitted.labels_, minlength=4) / 108)
    grid = vector_quantisation_scene(Run.of(problem, SelfOrganizingMap(3, 4, random_state=0)))
    edges = of(grid, Segments, "colors")[0]
    assert len(edges.x0.rows[0]) == 17


def test_the_chosen_pixel(problem):
    query = problem.query((3.4, 7.9))
    assert query.sample == 1 * 12 + 3
    run = Run.of(problem, VectorQuantizer(4, random_state=0), query=query)
    table, sum_ = vector_quantisation_scene(run).frames[-1].ledger[-2:]
    squares = ((run.fitted.codebook_ - problem.samples[15]) ** 2).sum(axis=1)
    assert table.title.startswith("Chosen pixel at row 2, column 4")
    assert [row[0] - 1 for row in table.rows] == np.argsort(squares).tolist()
    assert_allclose([row[-1] for row in table.rows], np.sort(squares), rtol=1e-3)
    assert f"the smallest: code {squares.argmin() + 1}" in sum_.text


def test_views(problem):
    for view, title in (("original", "Original"), ("error", "Error")):
        scene = vector_quantisation_scene(
            Run.of(problem, VectorQuantizer(4, random_state=0), options={"view": view})
        )
        assert scene.panels[0].title.startswith(title)
    classes = vector_quantisation_scene(
        Run.of(problem, LVQ(2, random_state=0), options={"classes": True})
    )
    (mark,) = of(classes, Raster, "data")
    assert set(np.asarray(mark.pixels.rows[-1]).tolist()) <= {0, 1}
    assert mark.palette is None


@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (7, 1), (2, 3)])
@pytest.mark.parametrize("patch", [1, 2])
def test_images_of_any_size(shape, patch):
    image = prepare_image(np.arange(np.prod(shape)).reshape(shape) % 255)
    k = min(2, -(-shape[0] // patch) * -(-shape[1] // patch))
    maps = (SelfOrganizingMap(2, 2, random_state=0), LVQ(1, random_state=0))
    for model in (VectorQuantizer(k, patch=patch, random_state=0), *maps):
        scene = vector_quantisation_scene(
            Run.of(image, model, options={"dithering": "floyd-steinberg"})
        )
        assert scene.frames[-1].caption.startswith("Done.")
        assert of(scene, Points, "colors") or of(scene, Raster, "tiles")


def test_an_image_of_one_row_lies_in_one_region_and_none_of_it_is_misclassified():
    problem = prepare_image(np.random.default_rng(0).integers(0, 255, (1, 40, 3)))
    scene = vector_quantisation_scene(Run.of(problem, LVQ(max_iter=20, random_state=0)))
    assert scene.frames[-1].caption.endswith("By its colour, 0 % of the pixels are misclassified.")


def test_sweep_ends_at_the_number_of_colours():
    image = np.array([[0.0, 0.25, 0.5, 1.0]])[..., None]
    data = size_sweep(VectorQuantizer(2, random_state=0), image)
    assert data.k.tolist() == [1, 2, 4]
    assert data.psnr[-1] == float("inf")
    assert data.share[0] == 8 / 32
    assert size_sweep(SelfOrganizingMap(2, 2), image).current == 0


def test_own_pictures():
    colours, greys = np.full((300, 200, 3), 77, np.uint8), np.zeros((1, 1), np.uint8)
    for pixels, what in ((colours, "colours"), (greys, "grey values")):
        file = io.BytesIO()
        Image.fromarray(pixels).save(file, "PNG")
        page = sound(upload(SLUG, "own.png", file.getvalue()))
        message = (
            f"8 codes need at least as many different {what}, "
            "and the picture has 1. Lower the codes to 1."
        )
        assert stage(page)["frames"][-1]["caption"] == message


# Presets and lesson
# ---------------------------------------------------------------------------------------------


def test_eight_colours():
    run, frames, text = run_of("Eight colours")
    check_numbers([run.fitted.psnr_], text)
    assert (run.fitted.bits_per_pixel_, round(run.fitted.ratio_)) == (3, 8)
    assert "26.9 dB" in frames[-1]["caption"]


def test_by_hand():
    run, frames, text = run_of("Eight grey pixels by hand")
    steps = run.trace.steps
    assert_allclose(steps[1].codebook.ravel(), [0, 0.6])
    assert_allclose(steps[-1].codebook.ravel(), [0.2, 0.8])
    assert_allclose(steps[3].codebook.ravel(), [0.4 / 3, 0.72])
    assert_allclose([steps[2].mse * 8, steps[-1].mse * 8], [0.36, 0.16])
    lesson = section(text_of(SLUG), "By hand")
    check_numbers([step.psnr for step in steps[2:6]], lesson)
    check_numbers([run.fitted.ratio_, steps[2].mse], lesson)
    assert run.fitted.ratio_ == 64 / 24
    assert "MSE = Σ (x − c)² / 8 = 0.16 / 8 = 0.02" in [b.get("text") for b in frames[-1]["ledger"]]
    check_numbers([run.fitted.psnr_], text)


def test_patches():
    run, _, text = run_of("A code book of patches")
    palette = VectorQuantizer(4, random_state=0).fit(run.problem.arguments[0])
    for place in (text, section(text_of(SLUG), "Patches")):
        check_numbers(
            [run.fitted.psnr_, run.fitted.bits_per_pixel_, palette.psnr_, palette.bits_per_pixel_],
            place,
        )


def test_dithering():
    run, frames, text = run_of("Dithering")
    numbers = ["25.62", "23.4", "29.29", "30.1"]
    caption = frames[-1]["caption"]
    for number in numbers:
        assert number in caption
        assert number in text
        assert number in section(text_of(SLUG), "Dithering")
    assert run.options["dithering"] == "floyd-steinberg"


def test_maps():
    run, _, text = run_of("A grid unfolds")
    start, end = run.trace.steps[0].codebook, run.fitted.codebook_
    assert len(end) == 36
    assert np.ptp(start, axis=0).max() < 0.1 < np.ptp(end, axis=0).min()
    assert "36 units" in text
    crumpled, _, text = run_of("A crumpled grid")
    assert "36.6 %" in text
    assert percent(crumpled.fitted.topographic_error_) == "36.6 %"
    assert crumpled.fitted.topographic_error_ > run.fitted.topographic_error_


def test_regions():
    run, frames, text = run_of("Top and bottom by colour")
    image = run.problem.arguments[0]
    height, width = image.shape[:2]
    true = (
        np.where(np.arange(height)[:, None] + 0.5 > height / 2, "bottom", "top")
        .repeat(width, axis=1)
        .ravel()
    )
    wrong = (run.fitted.predict(image) != true).mean()
    assert percent(wrong) == "18.5 %"
    assert "18.5 %" in text
    assert "18.5 %" in frames[-1]["caption"]


def test_large_patches():
    run, _, text = run_of("The code book is too large")
    model = run.fitted
    assert (len(model.labels_) * 6, model.codebook_.size * 8) == (1056, 98304)
    smaller, _, _ = run_of("A code book of patches")
    assert smaller.fitted.ratio_ > model.ratio_
    assert "1,056 bits" in text
    assert "98,304 of 99,360" in section(text_of(SLUG), "When it fails")
