"""The number of eigenvectors apart from that of clusters, and rows scaled for any Laplacian."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import make_blobs

from dmlib.clustering import SpectralClustering
from dmlib.clustering.spectral.reference import spectral_reference
from tests.runs import run_of
from tests.visit import open_settings

X, _ = make_blobs(60, centers=4, cluster_std=0.6, random_state=3)
LAPLACIANS = ["random_walk", "symmetric", "unnormalised"]


@pytest.mark.parametrize("laplacian", LAPLACIANS)
@pytest.mark.parametrize("choice", ["yes", "no"])
def test_rows_are_scaled_where_that_is_chosen(laplacian, choice):
    model = SpectralClustering(3, laplacian=laplacian, row_normalisation=choice, random_state=0)
    lengths = np.linalg.norm(model.fit(X).embedding_, axis=1)
    assert np.allclose(lengths, 1) == (choice == "yes")


def test_auto_scales_those_of_the_symmetric_laplacian_alone():
    for laplacian in LAPLACIANS:
        model = SpectralClustering(3, laplacian=laplacian, random_state=0)
        chosen = "yes" if laplacian == "symmetric" else "no"
        same = SpectralClustering(3, laplacian=laplacian, row_normalisation=chosen, random_state=0)
        assert_allclose(model.fit(X).embedding_, same.fit(X).embedding_)


@pytest.mark.parametrize("n_components", [2, 5])
def test_the_library_agrees_on_fewer_and_more_eigenvectors(n_components):
    model = SpectralClustering(
        4, n_components=n_components, gamma=0.5, row_normalisation="yes", random_state=0
    )
    run = run_of(model, X)
    answer = spectral_reference(run).answer(run)
    assert run.fitted.embedding_.shape == (60, n_components)
    assert answer.labels_.tolist() == run.fitted.labels_.tolist()


def test_the_page_takes_as_many_as_are_chosen():
    run, scene = open_settings("spectral", n_clusters=2, n_components=4)
    assert run.fitted.embedding_.shape[1] == 4
    assert sum(frame["phase"] == "eigenvector" for frame in scene["frames"]) == 4
