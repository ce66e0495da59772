"""BIC and AIC of mixtures by the number of components: scikit-learn's, and what was planted."""

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn import mixture
from sklearn.datasets import load_iris

from dmlib.clustering import GaussianMixture, mixture_sweep
from dmlib.clustering.gaussian_mixture.figures.mixture_sweep import (
    FEW_COMPONENTS,
    MAX_COMPONENTS,
    mixture_sweep_data,
    plot_mixture_sweep,
)
from dmlib.clustering.gaussian_mixture.gaussians import COVARIANCE_TYPES

RNG = np.random.default_rng(0)
GROUPS = np.vstack([RNG.normal(center, [0.3, 1.0], (40, 2)) for center in ((0, 0), (6, 0), (0, 9))])


@pytest.fixture(scope="module")
def data():
    return mixture_sweep_data(GaussianMixture(2, covariance_type="diag", random_state=0), GROUPS)


def test_criteria_are_those_of_scikit_learn(data):
    assert data.sweep.k.tolist() == list(range(1, MAX_COMPONENTS + 1))
    for i, kind in enumerate(COVARIANCE_TYPES):
        for k in (1, 3):
            reference = mixture.GaussianMixture(k, covariance_type=kind, random_state=0).fit(GROUPS)
            assert data.sweep.bic[i, k - 1] == pytest.approx(reference.bic(GROUPS), rel=1e-6)
            assert data.sweep.aic[i, k - 1] == pytest.approx(reference.aic(GROUPS), rel=1e-6)


def test_the_smallest_is_named_and_starred(data):
    assert data.sweep.best[1] == 3
    figure = plot_mixture_sweep(data)
    assert f"smallest for 3 components, {data.sweep.best[0]}." in figure.layout.title.text.replace(
        "<br>", " "
    )
    starred = [
        (trace.name, k)
        for trace in figure.data[: len(COVARIANCE_TYPES)]
        for k, symbol in zip(trace.x, trace.marker.symbol, strict=True)
        if symbol == "star"
    ]
    assert starred == [data.sweep.best]


def test_a_type_has_the_same_colour_twice_and_what_is_on_the_screen_is_thick(data):
    figure = plot_mixture_sweep(data)
    assert len(figure.layout.colorway) == len(COVARIANCE_TYPES)
    assert [trace.name for trace in figure.data] == [*COVARIANCE_TYPES, *COVARIANCE_TYPES]
    assert {trace.name for trace in figure.data if trace.line.width == 3} == {"diag"}


def test_what_is_far_worse_does_not_flatten_the_rest():
    stretched = GROUPS * [1, 100]
    data = mixture_sweep_data(GaussianMixture(3, random_state=0), stretched)
    figure = plot_mixture_sweep(data)
    low, high = figure.layout.yaxis.range
    best = data.sweep.bic[COVARIANCE_TYPES.index(data.sweep.best[0])]
    assert low < best.min()
    assert best.max() < high
    assert high < data.sweep.bic[COVARIANCE_TYPES.index("spherical")].max()


def test_few_rows_and_large_tables_have_fewer_k():
    small = mixture_sweep_data(GaussianMixture(1, random_state=0), GROUPS[:5])
    assert small.sweep.k.tolist() == [1, 2, 3, 4]
    large = mixture_sweep_data(GaussianMixture(1, random_state=0), RNG.normal(size=(600, 2)))
    assert large.sweep.k.max() == FEW_COMPONENTS
    assert json.loads(plot_mixture_sweep(small).to_json())["data"]


def test_given_shares_do_not_fit_other_k():
    shares = np.eye(3)[np.repeat([0, 1, 2], 40)]
    data = mixture_sweep_data(GaussianMixture(3, init=shares, random_state=0), GROUPS)
    assert np.isfinite(data.sweep.bic).all()


def test_the_sweep_is_a_fit_for_each():
    X = load_iris().data[:, 2:]
    sweep = mixture_sweep(X, range(1, 4), random_state=0)
    assert sweep.k.tolist() == [1, 2, 3]
    assert sweep.covariance_types == COVARIANCE_TYPES
    for i, kind in enumerate(COVARIANCE_TYPES):
        for j, k in enumerate(sweep.k):
            model = GaussianMixture(int(k), covariance_type=kind, random_state=0).fit(X)
            assert_allclose([sweep.bic[i, j], sweep.aic[i, j]], [model.bic(X), model.aic(X)])
            assert sweep.n_parameters[i, j] == model._n_parameters()


def test_the_sweep_finds_what_was_planted():
    rng = np.random.default_rng(0)
    X = np.vstack(
        [rng.normal(size=(100, 2)) * [1, 4], rng.normal(size=(100, 2)) * [1, 4] + [10, 0]]
    )
    assert mixture_sweep(X, range(1, 5), random_state=0).best == ("tied", 2)


def test_the_sweep_says_what_failed():
    X = np.c_[np.arange(8.0), np.arange(8.0)]
    sweep = mixture_sweep(X, [1, 2, 20], reg_covar=0, random_state=0)
    assert sweep.notes[0] == "There are only 8 rows, so k ends there."
    assert np.isnan(sweep.bic[:2]).all()
    assert np.isfinite(sweep.bic[3]).all()
    assert any(note.startswith("full, k = 1: The covariance") for note in sweep.notes)
    with pytest.raises(ValueError, match="a column is constant"):
        mixture_sweep(X, [1], covariance_types=["full"], reg_covar=0)
