import numpy as np
import pytest
from numpy.testing import assert_allclose

from dmlib.datasets import load
from dmlib.decomposition import PCA
from dmlib.decomposition.pca.figures.reconstruction import (
    MAX_PICTURES,
    plot_pictures,
    plot_reconstruction,
    reconstruction_data,
)
from dmlib.problem import prepare

ARRESTS = load("us_arrests").frame
COLUMNS = ["murder", "assault", "urban_pop", "rape"]
DIGITS = load("digits").frame.iloc[:300]
PIXELS = [f"pixel_{i}_{j}" for i in range(8) for j in range(8)]


@pytest.fixture
def arrests():
    return prepare(ARRESTS, COLUMNS, scaling="z-score")


@pytest.fixture
def digits():
    return prepare(DIGITS, PIXELS)


def test_errors_are_those_of_prcomp(arrests):
    data = reconstruction_data(PCA(2), arrests, 0.0)
    assert_allclose(
        50 * data.own, [196, 74.46816262, 25.96967015, 8.498074299, 0], rtol=1e-8, atol=1e-9
    )
    assert_allclose(data.clean, data.own, atol=1e-12)


@pytest.mark.parametrize("noise", [0.0, 0.5, 2.0])
@pytest.mark.parametrize("k", [1, 3, 4])
def test_errors_are_the_distances_of_what_comes_back(arrests, noise, k):
    data = reconstruction_data(PCA(k), arrests, noise, seed=3)
    unit = arrests.unit
    to_noisy, to_clean = (
        (((data.rebuilt - rows) / unit) ** 2).sum(axis=1).mean() for rows in (data.noisy, data.rows)
    )
    assert_allclose(data.own[k], to_noisy, atol=1e-9)
    assert_allclose(data.clean[k], to_clean, atol=1e-9)
    assert_allclose(data.rows, ARRESTS[COLUMNS])
    if noise == 0.0:
        assert_allclose(data.noisy, data.rows)


def test_some_components_are_nearer_to_clean_digits_than_all(digits):
    data = reconstruction_data(PCA(10), digits, 1.0)
    assert 0 < data.best < 64
    assert data.clean[data.best] < 0.6 * data.clean[-1]
    figure = plot_reconstruction(data)
    assert_allclose(figure.data[1].y, data.clean)
    text = figure.layout.title.text
    assert f"k = {data.best}" in text
    plain = text.replace("</span><br>", " ").replace('<span style="font-size:12px">', "")
    assert "bring the noise back" in plain


def test_whitening_does_not_change_what_comes_back(arrests):
    plain, whitened = (
        reconstruction_data(PCA(2, whiten=whiten), arrests, 0.3) for whiten in (False, True)
    )
    assert_allclose(plain.rebuilt, whitened.rebuilt)


def test_numbers_saved(digits):
    data = reconstruction_data(PCA(8), digits, 0.0)
    assert data.ratio == pytest.approx(300 * 64 / (8 * 300 + 8 * 64 + 64))
    full = reconstruction_data(PCA(), digits, 0.0)
    for example, sentence in ((data, "6.5 times fewer numbers"), (full, "save no numbers")):
        title = plot_reconstruction(example).layout.title.text
        assert sentence in title.replace("<br>", " ")


@pytest.mark.parametrize("noise", [0.0, 1.0])
def test_pictures_are_the_rows(digits, noise):
    data = reconstruction_data(PCA(8), digits, noise)
    assert data.grid == (8, 8)
    figure = plot_pictures(data)
    mosaic = figure.data[0].z
    assert mosaic.shape == ((4 if noise else 3) * 9 - 1, MAX_PICTURES * 9 - 1)
    assert_allclose(mosaic[:8, :8], digits.X[0].reshape(8, 8) / 16)
    assert ("with noise" in figure.layout.yaxis.ticktext) == bool(noise)


def test_rows_that_are_no_pictures_are_strips(arrests):
    data = reconstruction_data(PCA(2), arrests, 0.0)
    mosaic = plot_pictures(data).data[0].z
    values = ARRESTS[COLUMNS].to_numpy(float)
    assert_allclose(mosaic[:4, 0], ((values - values.min(axis=0)) / np.ptp(values, axis=0))[0])
