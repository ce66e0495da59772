"""Dithering against loops over pixels, Pillow, and what it is for."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from PIL import Image

from dmlib.clustering import dither
from dmlib.clustering.vector_quantisation.dithering import spread


def naive(image, palette):
    """Floyd and Steinberg's rule, pixel by pixel."""
    work = np.pad(image, ((0, 1), (1, 1), (0, 0)))
    codes = np.empty(image.shape[:2], int)
    for r in range(image.shape[0]):
        for c in range(1, image.shape[1] + 1):
            target = np.clip(work[r, c], 0, 1)
            codes[r, c - 1] = ((palette - target) ** 2).sum(axis=1).argmin()
            error = target - palette[codes[r, c - 1]]
            work[r, c + 1] += error * 7 / 16
            work[r + 1, c - 1] += error * 3 / 16
            work[r + 1, c] += error * 5 / 16
            work[r + 1, c + 1] += error * 1 / 16
    return codes


@pytest.mark.parametrize("shape", [(1, 1, 3), (1, 9, 1), (9, 1, 3), (7, 12, 3), (12, 5, 1)])
def test_errors_go_where_floyd_and_steinberg_say(shape):
    rng = np.random.default_rng(sum(shape))
    image, palette = rng.random(shape), rng.random((4, shape[2]))
    assert_array_equal(dither(image, palette), naive(image, palette))


def test_black_and_white_is_nearly_pillows():
    ramp = np.tile(np.linspace(0, 1, 64), (48, 1))
    theirs = np.asarray(Image.fromarray(np.rint(255 * ramp).astype(np.uint8)).convert("1"))
    ours = dither(np.rint(255 * ramp)[..., None] / 255, [[0.0], [1.0]])
    means = [codes.reshape(12, 4, 16, 4).mean(axis=(1, 3)) for codes in (ours, theirs)]
    assert np.abs(means[0] - means[1]).max() <= 0.25  # Pillow hands on whole numbers
    assert abs(ours.mean() - theirs.mean()) < 0.01


@pytest.mark.parametrize("method", ["floyd-steinberg", "ordered"])
def test_areas_keep_their_mean(method):
    for level in np.linspace(0.05, 0.95, 10):
        codes = dither(np.full((32, 32, 1), level), [[0.0], [1.0]], method)
        assert codes.mean() == pytest.approx(level, abs=0.04)


def test_ordered_dithering_by_hand():
    codes = dither(np.full((4, 4, 1), 0.5), [[0.0], [1.0]], "ordered")
    assert_array_equal(codes, [[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]])
    assert spread(np.array([[0.0], [0.5], [1.0]])) == 0.5
    assert spread(np.array([[0.2, 0.4]])) == 0.0


def test_colours_of_the_palette_stay():
    palette = np.array([[0.0, 0, 0], [1, 1, 1], [1, 0, 0]])
    codes = np.random.default_rng(0).integers(0, 3, (6, 7))
    for method in ("floyd-steinberg", "none"):
        assert_array_equal(dither(palette[codes], palette, method), codes)
    with pytest.raises(ValueError, match="method must be"):
        dither(palette[codes], palette, "random")
