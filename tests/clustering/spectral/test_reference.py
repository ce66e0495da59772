"""The check on the page really is the answer of SciPy and scikit-learn to the same question."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.datasets import load_iris, make_blobs, make_moons

from dmlib.clustering import SpectralClustering
from dmlib.clustering.spectral.reference import similarities, spectral_reference
from dmlib.comparison import Incomparable
from tests.runs import run_of

DATA = {
    "iris": load_iris().data,
    "blobs": make_blobs(90, 2, centers=4, random_state=1)[0],
    "moons": make_moons(80, noise=0.08, random_state=0)[0] * 3,
}
each_data = pytest.mark.parametrize("X", DATA.values(), ids=DATA)
each_laplacian = pytest.mark.parametrize("laplacian", ["random_walk", "symmetric", "unnormalised"])
each_affinity = pytest.mark.parametrize("affinity", ["rbf", "knn", "epsilon"])


def model_of(affinity, laplacian, n_clusters=3):
    return SpectralClustering(
        n_clusters,
        affinity=affinity,
        laplacian=laplacian,
        n_neighbors=30,
        eps=4.0,
        gamma=0.3,
        random_state=0,
    )


@each_data
@each_laplacian
@each_affinity
def test_page_agrees_with_the_library(X, laplacian, affinity):
    model = model_of(affinity, laplacian)
    run = run_of(model.fit(X), X)
    try:
        reference = spectral_reference(run).answer(run)
    except Incomparable:
        assert model.n_connected_components_ > 1 or np.diff(model.eigenvalues_).min() < 1e-6
        return
    assert type(reference).__module__.startswith("sklearn.")
    assert_allclose(
        reference.eigenvalues_, model.eigenvalues_, atol=1e-9 * model.eigenvalues_.max()
    )
    assert_array_equal(reference.labels_, model.labels_)


@each_data
@each_laplacian
@each_affinity
def test_exported_code_gives_the_same_answer(X, laplacian, affinity):
    model = model_of(affinity, laplacian).fit(X)
    names, run = {"model": model, "X": X}, run_of(model, X)
    try:
        exec(spectral_reference(run).code, names)
    except Incomparable:
        return  # as in the test above
    reference = names["reference"]
    assert reference.n_connected_components_ == model.n_connected_components_
    scale = model.eigenvalues_.max()
    assert_allclose(reference.eigenvalues_, model.eigenvalues_, atol=1e-9 * scale)
    assert_array_equal(reference.labels_, model.labels_)


@each_data
@each_affinity
def test_the_graph_is_that_of_scikit_learn(X, affinity):
    model = model_of(affinity, "random_walk").fit(X)
    params = {"rbf": {"gamma": 0.3}, "knn": {"n_neighbors": 30}, "epsilon": {"radius": 4.0}}
    W = model.affinity_matrix_
    W = W.toarray() if sparse.issparse(W) else W.copy()
    np.fill_diagonal(W, 0)
    assert_allclose(similarities(X, affinity, **params[affinity]), W, atol=1e-12)


def test_no_reference_where_eigenvectors_may_turn():
    X = make_blobs(60, centers=[[0, 0], [50, 0]], random_state=0)[0]
    with pytest.raises(Incomparable):
        spectral_reference(run_of(SpectralClustering(2, affinity="knn", random_state=0), X))
