"""Clusters by a kernel matrix against the same rows in feature space."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import cdist, pdist
from sklearn.metrics import adjusted_rand_score

from dmlib.problem import prepare_texts
from dmlib.similarity import StringKernel, spectrum_kernel
from dmlib.similarity.kernel_figures import kernel_clusters_data, plot_kernel_clusters
from dmlib.similarity.strings.figures.clusters import clusters_data
from tests.visit import open_preset


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(4, 12))
def test_the_linear_kernel_gives_the_distances_of_the_rows(seed, n):
    X = np.random.default_rng(seed).normal(size=(n, 3))
    data = kernel_clusters_data(X @ X.T, [str(i) for i in range(n)])
    assert_allclose(data.distances, cdist(X, X), atol=1e-6)
    assert_allclose(data.merges[:, 2], linkage(pdist(X), "average")[:, 2], atol=1e-6)
    centers = [X[data.clusters == j].mean(axis=0) for j in np.unique(data.clusters)]
    # k-means has converged: each row is in the cluster of the nearest mean.
    assert_allclose(
        cdist(X, centers)[np.arange(n), np.unique(data.clusters, return_inverse=True)[1]],
        cdist(X, centers).min(axis=1),
    )
    assert np.isnan(data.agreement)


def test_two_alphabets_are_two_clusters():
    texts = ["gattaca", "attacca", "tacagat", "hello", "hullo", "ello"]
    problem = prepare_texts(texts, names=texts, classes=["dna"] * 3 + ["word"] * 3)
    data = clusters_data(StringKernel(k=2, normalize=True), problem)
    assert data.agreement == adjusted_rand_score(data.classes, data.clusters) == 1
    K = np.array([[spectrum_kernel(a, b, 2) for b in texts] for a in texts], float)
    own = np.sqrt(K.diagonal())
    assert_allclose(data.distances**2, 2 - 2 * K / np.outer(own, own), atol=1e-9)
    figure = plot_kernel_clusters(data, "strings")
    assert sorted(figure.layout.yaxis.ticktext) == sorted(texts)
    symbols = [trace for trace in figure.data if trace.mode == "markers"]
    assert [len(trace.x) for trace in symbols] == [3, 3]


def test_languages_of_the_preset():
    run, _, look_for = open_preset("strings", "Languages by their parts")
    data = clusters_data(run.model, run.problem)
    cluster = dict(zip(data.names, data.clusters.tolist(), strict=True))
    assert cluster["French"] == cluster["Spanish"] == cluster["Italian"]
    assert cluster["Norwegian"] == cluster["Danish"] != cluster["French"]
    assert "French, Spanish and Italian" in str(look_for)


def test_one_class_is_none():
    problem = prepare_texts(["ab", "ba", "abba", "b"], classes=["a"] * 4)
    data = clusters_data(StringKernel(k=1), problem)
    assert np.isnan(data.agreement)
    assert not data.classes


def test_fewer_than_three_are_refused():
    with pytest.raises(ValueError, match=r"There are 2 to cluster\. Add others, three at least\."):
        kernel_clusters_data(np.eye(2), ["a", "b"])


def test_graphs_of_the_preset_are_clustered():
    from dmlib.similarity.graphs_similarity.figures.clusters import clusters

    run, _, _ = open_preset("graphs_similarity", "Rings against trees")
    figure = clusters(run)
    assert sorted(figure.layout.yaxis.ticktext) == sorted(f"graph {i + 1}" for i in range(12))
    assert "12 graphs" in figure.layout.title.text
    other, _, _ = open_preset("graphs_similarity", "The longer edge")
    stand_in = clusters(other)
    assert "12 graphs" in stand_in.layout.title.text
    assert "stand in" in stand_in.layout.title.text
