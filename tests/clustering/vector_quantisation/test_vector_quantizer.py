"""Code books by k-means against scikit-learn, SciPy and the definitions of error and size."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.cluster.vq import vq

from dmlib.clustering import VectorQuantizer, decode, psnr
from dmlib.clustering.codes import code_bits, nearest, patches
from dmlib.clustering.vector_quantisation.ranges import code_ranges
from dmlib.clustering.vector_quantisation.reference import fit_code_book
from dmlib.datasets import load
from dmlib.problem import prepare_image


@pytest.fixture(scope="module")
def palace():
    return prepare_image(load("china").pixels, max_side=40).arguments[0]


@pytest.mark.parametrize("patch", [1, 2, 3])
@pytest.mark.parametrize("k", [2, 8, 20])
def test_the_code_book_is_scikit_learns_from_the_same_start(palace, k, patch):
    model = VectorQuantizer(k, patch=patch, random_state=3).fit(palace)
    theirs = fit_code_book(palace, model, n_clusters=k, patch=patch, max_iter=100, tol=1e-4)
    assert_allclose(model.codebook_, theirs.codebook_, atol=1e-12)
    assert_array_equal(model.labels_, theirs.labels_)
    assert model.inertia_ == pytest.approx(theirs.inertia_)


@pytest.mark.parametrize("patch", [1, 4])
def test_pixels_have_scipys_codes(palace, patch):
    model = VectorQuantizer(9, patch=patch, random_state=0).fit(palace)
    codes, _ = vq(patches(palace, patch), model.codebook_)
    assert_array_equal(model.labels_, codes)
    assert_array_equal(model.predict(palace), codes)


@pytest.mark.parametrize("patch", [1, 2, 3, 7])
def test_error_and_size_by_their_definitions(palace, patch):
    k, (height, width, channels) = 6, palace.shape
    model = VectorQuantizer(k, patch=patch, random_state=1).fit(palace)
    rebuilt = np.empty_like(palace)
    across = -(-width // patch)
    for row in range(height):
        for column in range(width):
            code = model.codebook_[model.labels_[row // patch * across + column // patch]]
            rebuilt[row, column] = code.reshape(patch, patch, channels)[row % patch, column % patch]
    assert_array_equal(decode(model.labels_, model.codebook_, palace.shape, patch), rebuilt)
    mse = np.mean((palace - rebuilt) ** 2)
    assert model.mse_ == pytest.approx(mse)
    assert model.psnr_ == pytest.approx(10 * np.log10(1 / mse))
    bits = across * -(-height // patch) * 3  # six codes take three bits
    assert model.bits_per_pixel_ == bits / (height * width)
    assert model.ratio_ == 8 * palace.size / (bits + 8 * k * patch * patch * channels)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 9), st.integers(1, 9), st.sampled_from([1, 3]), st.integers(1, 5))
def test_patches_and_back(height, width, channels, patch):
    image = np.random.default_rng(height * width).random((height, width, channels))
    rows = patches(image, patch)
    assert rows.shape == (-(-height // patch) * -(-width // patch), patch * patch * channels)
    assert_array_equal(decode(np.arange(len(rows)), rows, image.shape, patch), image)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 1000), st.integers(1, 6))
def test_no_half_step_lowers_the_quality(seed, k):
    image = np.random.default_rng(seed).random((5, 6, 3))
    steps = [
        s
        for s in VectorQuantizer(k, random_state=seed, tol=0).steps(image)
        if s.phase in ("assign", "update")
    ]
    assert (np.diff([step.psnr for step in steps]) > -1e-9).all()


def test_as_many_codes_as_colours_are_exact():
    image = np.array([[[0.0, 0.5, 1.0], [1.0, 0.0, 0.0]], [[0.0, 0.5, 1.0], [0.2, 0.2, 0.2]]])
    model = VectorQuantizer(3, random_state=0).fit(image)
    assert (model.mse_, model.psnr_) == (0.0, float("inf"))
    model = VectorQuantizer(1).fit(np.full((3, 4, 1), 0.3))
    assert (model.bits_per_pixel_, model.labels_.tolist()) == (0.0, [0] * 12)
    assert psnr([0.1] * 3, [np.mean([0.1] * 3)] * 3) == float("inf")  # that mean is not 0.1


@pytest.mark.parametrize(
    ("channels", "patch", "n", "what"),
    [(3, 1, 3, "colours"), (1, 1, 3, "grey values"), (1, 2, 1, "patches")],
)
def test_fewer_colours_than_codes_are_said_in_the_words_of_pictures(channels, patch, n, what):
    image = np.resize([0.0, 1.0, 0.5], 4).reshape(2, 2, 1) * np.ones(channels)
    message = (
        f"5 codes need at least as many different {what}, "
        f"and the picture has {n}. Lower the codes to {n}."
    )
    with pytest.raises(ValueError, match=message):
        VectorQuantizer(5, patch=patch).fit(image)
    with pytest.raises(ValueError, match=message):
        list(VectorQuantizer(5, patch=patch).steps(image))


def test_what_cannot_be_is_said():
    with pytest.raises(ValueError, match="Set patch to 1"):
        VectorQuantizer(2, patch=2).fit(np.eye(4))
    with pytest.raises(ValueError, match="patch must be"):
        VectorQuantizer(2, patch=0).fit(np.zeros((4, 4, 1)))
    model = VectorQuantizer(2, patch=2, random_state=0).fit(
        np.random.default_rng(0).random((4, 4, 1))
    )
    with pytest.raises(ValueError, match="a patch of this image 12"):
        model.predict(np.zeros((4, 4, 3)))


def test_a_table_is_coded_too():
    X = np.random.default_rng(0).normal(size=(50, 4))
    model = VectorQuantizer(5, random_state=0).fit(X)
    assert model.mse_ == pytest.approx(model.inertia_ / X.size)
    assert model.ratio_ == 8 * 200 / (50 * 3 + 8 * 20)


def test_measures():
    assert psnr(np.zeros(4), np.full(4, 255), peak=255) == 0.0
    assert psnr([1.0], [1.0]) == float("inf")
    assert [code_bits(k) for k in (1, 2, 3, 4, 5, 256)] == [0, 1, 2, 2, 3, 8]
    rng = np.random.default_rng(0)
    rows, codes = rng.random((40, 3)) + 1e3, rng.random((7, 3)) + 1e3
    assert_array_equal(
        nearest(rows, codes), ((rows[:, None] - codes) ** 2).sum(axis=2).argmin(axis=1)
    )


def test_ranges_end_where_the_image_does():
    model = VectorQuantizer()
    assert code_ranges(model, np.arange(6.0).reshape(2, 3, 1)) == {
        "n_clusters": (2, 6),
        "patch": (1, 2),
    }
    assert "one code" in code_ranges(model, np.zeros((2, 2, 3)))["n_clusters"]
    assert "one pixel" in code_ranges(model, np.zeros((1, 5, 3)))["patch"]
    assert code_ranges(model, np.eye(3)) == {}
