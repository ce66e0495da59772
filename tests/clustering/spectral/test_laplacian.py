"""Eigenvectors of Laplacians against R, SciPy's dense solver and the theory."""

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from scipy.linalg import block_diag, eigh
from sklearn.datasets import make_moons
from sklearn.metrics.pairwise import rbf_kernel

from dmlib.clustering.spectral.laplacian import smallest_eigenpairs
from dmlib.clustering.spectral.similarity_graph import similarity_graph

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "spectral_moons.json").read_text())
LAPLACIANS = ["unnormalised", "symmetric", "random_walk"]
each_laplacian = pytest.mark.parametrize("laplacian", LAPLACIANS)


def plain_laplacian(W, laplacian):
    """The definition, with loops over nothing."""
    W = W.toarray() if sparse.issparse(W) else np.array(W, float)
    np.fill_diagonal(W, 0)
    d = W.sum(axis=1)
    with np.errstate(divide="ignore"):
        power = {"unnormalised": 0, "symmetric": -0.5, "random_walk": -1}[laplacian]
        scale = np.where(d > 0, d**power, 0) if power else np.ones(len(d))
        right = scale if laplacian == "symmetric" else np.ones(len(d))
    return scale[:, None] * (np.diag(d) - W) * right


def assert_eigenpairs(W, laplacian, spectrum):
    L = plain_laplacian(W, laplacian)
    size = 1 + np.abs(L).max()
    assert_allclose(L @ spectrum.vectors, spectrum.vectors * spectrum.eigenvalues, atol=1e-9 * size)
    assert_allclose(np.linalg.norm(spectrum.vectors, axis=0), 1)
    assert (np.diff(spectrum.eigenvalues) >= 0).all()
    assert np.linalg.matrix_rank(spectrum.vectors) == len(spectrum.eigenvalues)
    n = min(len(spectrum.eigenvalues), 5)
    expected = np.sort(np.linalg.eigvals(L).real)[:n]
    assert_allclose(spectrum.eigenvalues[:n], expected, atol=1e-8 * size)


@pytest.mark.parametrize(
    ("laplacian", "key"),
    [("unnormalised", "L_first5"), ("symmetric", "L_sym_first5"), ("random_walk", "L_rw_first5")],
)
def test_the_eigenvalues_of_r(laplacian, key):
    W = similarity_graph(np.array(GOLDEN["X"]), "rbf", gamma=GOLDEN["gamma"])
    spectrum = smallest_eigenpairs(W, laplacian, 80)
    assert_allclose(spectrum.eigenvalues[:5], GOLDEN[key], rtol=1e-7, atol=1e-9)
    assert_allclose(spectrum.degrees[:5], GOLDEN["degree_first5_rows"], rtol=1e-7)
    assert_allclose(
        spectrum.degrees.sum() / 2, GOLDEN["total_edge_weight_upper_triangle"], rtol=1e-7
    )
    largest = {"unnormalised": "L_largest"}.get(laplacian, "L_sym_largest")
    assert_allclose(spectrum.eigenvalues[-1], GOLDEN[largest], rtol=1e-7)


@pytest.mark.parametrize(("laplacian", "key"), [("unnormalised", "L"), ("random_walk", "Lrw")])
def test_the_second_eigenvector_of_r(laplacian, key):
    W = similarity_graph(np.array(GOLDEN["X"]), "rbf", gamma=GOLDEN["gamma"])
    second = smallest_eigenpairs(W, laplacian, 2).vectors[:, 1]
    second = second * np.sign(second[0])
    assert_allclose(
        second,
        GOLDEN[f"second_eigenvector_{key}_unit_norm_first_entry_positive"],
        rtol=1e-6,
        atol=1e-9,
    )
    if key == "Lrw":
        assert np.where(second > 0, 1, 2).tolist() == GOLDEN["partition_by_sign_of_Lrw_vector"]


@each_laplacian
@pytest.mark.parametrize("n", [50, 550])
@pytest.mark.parametrize("affinity", ["rbf", "knn"])
def test_small_and_large_graphs_dense_and_sparse(laplacian, n, affinity):
    X, _ = make_moons(n, noise=0.05, random_state=0)
    W = similarity_graph(X, affinity, gamma=10.0, n_neighbors=10)
    assert_eigenpairs(W, laplacian, smallest_eigenpairs(W, laplacian, 8))


@each_laplacian
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_zero_is_an_eigenvalue_once_for_each_component(laplacian, kind):
    rng = np.random.default_rng(0)
    parts = [rbf_kernel(rng.normal(size=(size, 2))) for size in (7, 1, 12, 550, 1)]
    W = kind(block_diag(*parts))
    spectrum = smallest_eigenpairs(W, laplacian, 9)
    assert (spectrum.eigenvalues[:5] == 0).all()
    assert spectrum.eigenvalues[5] > 0
    assert_eigenpairs(W, laplacian, spectrum)
    assert spectrum.components.max() + 1 == 5
    for j in range(5):
        where = spectrum.vectors[:, j] != 0
        assert len(set(spectrum.components[where])) == 1
        if laplacian != "symmetric":
            assert_allclose(spectrum.vectors[where, j], 1 / np.sqrt(where.sum()))


def test_more_components_than_wanted_gives_the_largest():
    W = block_diag(np.ones((2, 2)), np.ones((5, 5)), np.ones((3, 3)))
    spectrum = smallest_eigenpairs(W, "unnormalised", 2)
    assert spectrum.eigenvalues.tolist() == [0, 0]
    assert (spectrum.vectors > 0).sum(axis=0).tolist() == [5, 3]


@each_laplacian
def test_equal_eigenvalues_of_a_ring_and_of_twin_components(laplacian):
    ring = np.roll(np.eye(12), 1, axis=1)
    for W in (ring + ring.T, block_diag(ring + ring.T, ring + ring.T)):
        assert_eigenpairs(W, laplacian, smallest_eigenpairs(W, laplacian, 6))


def test_all_eigenvalues_of_a_graph():
    W = np.random.default_rng(0).uniform(size=(6, 6))
    W = W + W.T
    spectrum = smallest_eigenpairs(W, "symmetric", 6)
    assert_allclose(
        spectrum.eigenvalues, eigh(plain_laplacian(W, "symmetric"), eigvals_only=True), atol=1e-12
    )


def test_the_sign_is_fixed():
    X, _ = make_moons(60, noise=0.05, random_state=0)
    vectors = smallest_eigenpairs(rbf_kernel(X, gamma=10), "unnormalised", 5).vectors
    assert (vectors.max(axis=0) >= -vectors.min(axis=0)).all()


@each_laplacian
@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e12])
def test_a_light_bridge_joins_and_one_lost_in_rounding_does_not(laplacian, scale):
    triangle = 1.0 - np.eye(3)
    W = np.block([[triangle, np.zeros((3, 3))], [np.zeros((3, 3)), triangle]])
    sides = np.repeat([True, False], 3)
    for bridge, n_parts in ((1e-9, 1), (1e-13, 1), (1e-20, 2)):
        W[2, 3] = W[3, 2] = bridge
        spectrum = smallest_eigenpairs(scale * W, laplacian, 2)
        assert spectrum.components.max() + 1 == n_parts
        first, second = spectrum.vectors.T
        degrees = spectrum.degrees if laplacian == "random_walk" else np.ones(6)
        assert (degrees * first * second).sum() / degrees.sum() == pytest.approx(0, abs=1e-9)
        assert np.ptp(second[sides]) < 1e-3 < np.ptp(second)
