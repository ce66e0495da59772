"""Rules for the number of components, for chosen eigenvalues."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_digits, load_iris

from dmlib.decomposition import PCA
from dmlib.decomposition.pca.figures.scree import MAX_BARS, plot_scree, scree_data


def rows(variances, n=40):
    """Return uncorrelated columns with these variances (n - 1)."""
    noise = np.random.default_rng(0).normal(size=(n, len(variances)))
    basis, _ = np.linalg.qr(noise - noise.mean(axis=0))
    return basis * np.sqrt(np.asarray(variances) * (n - 1))


def of(variances, n_components=2):
    X = rows(variances)
    return scree_data(PCA(n_components).fit(X), X)


def test_variances_and_shares():
    data = of([6.0, 2.0, 1.5, 0.5])
    assert_allclose(data.variances, [6, 2, 1.5, 0.5])
    assert_allclose(data.shares, [0.6, 0.2, 0.15, 0.05])
    assert_allclose(data.cumulative, [0.6, 0.8, 0.95, 1])
    assert data.n_components == 2


def test_a_broken_stick_has_the_pieces_of_the_formula():
    data = of([6.0, 2.0, 1.5, 0.5])
    pieces = [
        (1 + 1 / 2 + 1 / 3 + 1 / 4) / 4,
        (1 / 2 + 1 / 3 + 1 / 4) / 4,
        (1 / 3 + 1 / 4) / 4,
        1 / 16,
    ]
    assert_allclose(data.broken_stick / 10, pieces)


@pytest.mark.parametrize(
    ("variances", "reaching", "elbow", "above_mean", "above_stick"),
    [
        ([6.0, 2.0, 1.5, 0.5], (3, 3), 1, 1, 1),
        ([9.0, 0.5, 0.3, 0.2], (1, 1), 1, 1, 1),
        ([4.0, 4.0, 1.0, 1.0], (3, 3), 2, 2, 0),
        ([1.0, 1.0, 1.0, 1.0], (4, 4), 1, 0, 0),
        ([8.5, 0.5, 0.5, 0.5], (1, 2), 1, 1, 1),
    ],
)
def test_what_the_rules_say(variances, reaching, elbow, above_mean, above_stick):
    data = of(variances)
    assert (data.reaching, data.elbow) == (reaching, elbow)
    assert (data.above_mean, data.above_stick) == (above_mean, above_stick)


def test_one_column():
    X = np.arange(5.0)[:, None]
    data = scree_data(PCA().fit(X), X)
    assert (data.reaching, data.elbow, data.above_mean, data.above_stick) == ((1, 1), 1, 0, 0)
    assert plot_scree(data).data


def test_the_figure_shows_what_is_kept():
    X = load_iris().data
    figure = plot_scree(scree_data(PCA(2).fit(X), X))
    bars = figure.data[0]
    assert_allclose(bars.y, np.linalg.eigvalsh(np.cov(X.T))[::-1])
    assert len(set(bars.marker.opacity[:2])) == len(set(bars.marker.opacity[2:])) == 1
    assert "85 % takes 1, 90 % takes 1 of 4" in figure.layout.title.text.replace("<br>", " ")


def test_of_very_many_components_the_first_are_drawn():
    X = load_digits().data
    assert len(plot_scree(scree_data(PCA(3).fit(X), X)).data[0].y) == MAX_BARS


def test_kaisers_mean_is_that_of_all_columns():
    X = np.random.default_rng(0).normal(size=(5, 20))
    data = scree_data(PCA().fit(X), X)
    assert len(data.variances) == 5
    assert data.mean == pytest.approx(X.var(axis=0, ddof=1).mean())
