"""Spectral clustering against R, scikit-learn, and what the theory promises."""

import json
import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn import cluster
from sklearn.datasets import make_blobs, make_circles, make_moons
from sklearn.manifold import spectral_embedding
from sklearn.metrics import adjusted_rand_score, rand_score
from sklearn.metrics.pairwise import rbf_kernel

from dmlib.clustering import KMeans, SpectralClustering, graph_cuts

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "spectral_moons.json").read_text())
each_laplacian = pytest.mark.parametrize("laplacian", ["unnormalised", "symmetric", "random_walk"])


@each_laplacian
def test_the_eigenvalues_of_r(laplacian):
    X = np.array(GOLDEN["X"])
    model = SpectralClustering(2, gamma=GOLDEN["gamma"], laplacian=laplacian, random_state=0).fit(X)
    key = {"unnormalised": "L", "symmetric": "L_sym", "random_walk": "L_rw"}[laplacian]
    assert_allclose(model.eigenvalues_[:5], GOLDEN[f"{key}_first5"], rtol=1e-7, atol=1e-9)
    assert rand_score(model.labels_, np.repeat([0, 1], 40)) > 0.9


@pytest.mark.parametrize("shape", [make_moons, make_circles])
@each_laplacian
def test_shapes_that_kmeans_cannot_follow(shape, laplacian):
    X, y = (
        shape(300, noise=0.04, random_state=0)
        if shape is make_moons
        else shape(300, factor=0.4, random_state=0)
    )
    assert adjusted_rand_score(y, KMeans(2, n_init=10, random_state=0).fit_predict(X)) < 0.6
    model = SpectralClustering(2, gamma=30, laplacian=laplacian, random_state=0)
    assert adjusted_rand_score(y, model.fit_predict(X)) == 1


@pytest.mark.parametrize("affinity", ["rbf", "nearest_neighbors"])
@pytest.mark.parametrize("seed", range(4))
def test_the_answer_of_scikit_learn(affinity, seed):
    X, _ = make_blobs(120, 3, centers=4, cluster_std=2.5, random_state=seed)
    options = {"affinity": affinity, "gamma": 0.1, "n_neighbors": 15, "random_state": 0}
    ours = SpectralClustering(4, **options).fit(X)
    theirs = cluster.SpectralClustering(4, **options).fit(X)
    dense = [model.affinity_matrix_ for model in (ours, theirs)]
    assert_allclose(*(W.toarray() if sparse.issparse(W) else W for W in dense))
    assert adjusted_rand_score(ours.labels_, theirs.labels_) > 0.95
    embedding = spectral_embedding(dense[0], n_components=4, drop_first=False, random_state=0)
    embedding = embedding / np.linalg.norm(embedding, axis=0)
    assert_allclose(np.abs((embedding * ours.embedding_).sum(axis=0)), 1, atol=1e-6)


def test_precomputed_similarities_dense_and_sparse():
    X, y = make_blobs(40, centers=[[0, 0], [6, 6]], random_state=1)
    W = rbf_kernel(X, gamma=1.0)
    want = SpectralClustering(2, random_state=0).fit(X)
    for matrix in (W, sparse.csr_array(W), sparse.coo_matrix(W), W.tolist()):
        model = SpectralClustering(2, affinity="precomputed", random_state=0).fit(matrix)
        assert adjusted_rand_score(y, model.labels_) == 1
        assert_allclose(model.eigenvalues_, want.eigenvalues_, atol=1e-12)


def test_the_diagonal_is_no_edge():
    W = rbf_kernel(make_blobs(30, random_state=0)[0], gamma=0.1)
    first = SpectralClustering(3, affinity="precomputed", random_state=0).fit(W)
    second = SpectralClustering(3, affinity="precomputed", random_state=0).fit(W - np.eye(30))
    assert_allclose(first.eigenvalues_, second.eigenvalues_, atol=1e-12)
    assert_array_equal(first.labels_, second.labels_)


def test_rows_of_the_symmetric_embedding_have_length_1():
    X, _ = make_moons(60, noise=0.05, random_state=0)
    model = SpectralClustering(3, gamma=10, laplacian="symmetric", random_state=0).fit(X)
    assert_allclose(np.linalg.norm(model.embedding_, axis=1), 1)
    assert model.embedding_.shape == (60, 3)
    assert SpectralClustering(3, n_components=2, random_state=0).fit(X).embedding_.shape == (60, 2)


def test_the_partition_has_nearly_the_best_normalised_cut():
    # two groups of five; over all 511 partitions into two, none has a smaller normalised cut
    X, _ = make_blobs(10, centers=[[0, 0], [3, 0]], cluster_std=0.8, random_state=3)
    model = SpectralClustering(2, gamma=0.5, random_state=0).fit(X)
    W = model.affinity_matrix_
    everything = (set(part) for size in range(1, 6) for part in combinations(range(10), size))
    best = min(graph_cuts(W, [i in part for i in range(10)]).normalized_cut for part in everything)
    assert graph_cuts(W, model.labels_).normalized_cut == pytest.approx(best)


# --- graphs that are not connected ----------------------------------------------------------------


@each_laplacian
def test_components_are_the_clusters_if_there_are_as_many(laplacian):
    X, y = make_blobs(90, centers=[[0, 0], [9, 9], [0, 9]], cluster_std=0.5, random_state=0)
    model = SpectralClustering(3, affinity="knn", laplacian=laplacian, random_state=0).fit(X)
    assert model.n_connected_components_ == 3
    assert (model.eigenvalues_[:3] == 0).all()
    assert model.eigenvalues_[3] > 0
    assert adjusted_rand_score(y, model.labels_) == 1
    *_, end = SpectralClustering(3, affinity="knn", laplacian=laplacian, random_state=0).steps(X)
    assert (
        end.reason
        == "The graph is not connected: it falls into 3 parts, and 0 is an eigenvalue 3 times."
    )
    assert end.cuts.cut == 0


@each_laplacian
def test_more_components_than_clusters_are_told(laplacian):
    X = np.array([[0.0], [0.1], [5.0], [5.1], [9.0]])
    model = SpectralClustering(2, affinity="epsilon", laplacian=laplacian, random_state=0)
    *_, end = model.steps(X)
    assert end.reason.startswith("The graph is not connected: it falls into 3 parts")
    assert "more than 2 clusters" in end.reason
    assert end.cuts.cut == 0
    assert_array_equal(end.labels, model.fit(X).labels_)


# --- steps ----------------------------------------------------------------------------------------


@each_laplacian
@pytest.mark.parametrize("n_init", [1, 4])
def test_the_steps_tell_what_fit_does(laplacian, n_init):
    X, _ = make_moons(70, noise=0.06, random_state=0)
    model = SpectralClustering(3, gamma=8, laplacian=laplacian, n_init=n_init, random_state=0)
    steps = list(model.steps(X))
    model.fit(X)
    phases = [step.phase for step in steps]
    assert phases[:9] == ["graph", "laplacian", *["eigenvector"] * 3, "embedding", *["seed"] * 3]
    assert set(phases[9:-1]) == {"assign", "update"}
    assert phases[-1] == "cut"
    assert [step.index for step in steps[2:5]] == [0, 1, 2]
    assert [step.vectors.shape[1] for step in steps[2:5]] == [1, 2, 3]
    assert_array_equal(steps[-1].labels, model.labels_)
    assert_array_equal(steps[-1].embedding, model.embedding_)
    assert_array_equal(steps[-1].eigenvalues, model.eigenvalues_)
    assert_array_equal(steps[-1].affinity, model.affinity_matrix_)
    assert steps[-1].cuts.cut == graph_cuts(model.affinity_matrix_, model.labels_).cut
    assert steps[-1].reason == ""
    assert len({step.kmeans.restart for step in steps if step.kmeans}) == 1


def test_as_many_clusters_as_rows_and_one():
    X = np.array([[0.0], [1.0], [2.5], [4.0]])
    assert sorted(SpectralClustering(4, random_state=0).fit_predict(X)) == [0, 1, 2, 3]
    assert SpectralClustering(1, random_state=0).fit_predict(X).tolist() == [0] * 4


def test_equal_rows_are_a_complete_graph():
    model = SpectralClustering(2, random_state=0).fit(np.zeros((6, 2)))
    assert_allclose(model.eigenvalues_, [0] + [6 / 5] * 5, atol=1e-12)


@pytest.mark.parametrize(
    ("params", "X", "sentence"),
    [
        (
            {"n_clusters": 3},
            [[0.0], [1.0]],
            "n_clusters=3 needs at least as many rows, but n_samples=2. Choose a smaller number.",
        ),
        (
            {"n_components": 3},
            [[0.0], [1.0]],
            "n_components=3 needs at least as many rows, but n_samples=2. Choose a smaller number.",
        ),
        (
            {"n_components": 0},
            [[0.0], [1.0]],
            "n_components must be a whole number from 1 to 1000000000 or None; it was 0.",
        ),
        (
            {"affinity": "cosine"},
            [[0.0], [1.0]],
            "affinity must be one of rbf, knn, epsilon; it was 'cosine'.",
        ),
        (
            {"affinity": "precomputed"},
            [[0.0, 1.0, 1.0], [1.0, 0.0, 1.0]],
            (
                "A similarity matrix should be square, got shape (2, 3). "
                "Give one row and one column per sample."
            ),
        ),
        (
            {"affinity": "precomputed"},
            [[0.0, -1.0], [-1.0, 0.0]],
            (
                "A similarity matrix must be symmetric and without negative numbers. "
                "Check the matrix, or take the mean of it and its transpose."
            ),
        ),
        (
            {"affinity": "precomputed"},
            [[0.0, 1.0], [2.0, 0.0]],
            (
                "A similarity matrix must be symmetric and without negative numbers. "
                "Check the matrix, or take the mean of it and its transpose."
            ),
        ),
    ],
)
def test_refusals_are_sentences(params, X, sentence):
    for ask in (lambda model: model.fit(X), lambda model: list(model.steps(X))):
        with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
            ask(SpectralClustering(**params))
