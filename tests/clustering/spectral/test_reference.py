"""The check on the page really is the answer of SciPy and scikit-learn to the same question."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris, make_blobs, make_moons

from dmlib.clustering import SpectralClustering
from dmlib.clustering.spectral.reference import spectral_code, spectral_reference
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
    model.fit(X)
    try:
        reference = spectral_reference(run_of(model, X))
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
def test_exported_code_gives_the_same_answer(X, laplacian, affinity, capsys):
    model = model_of(affinity, laplacian).fit(X)
    names = {"model": model, "X": X}
    exec(spectral_code(run_of(model, X)), names)
    assert names["reference"].n_connected_components_ == model.n_connected_components_
    printed = capsys.readouterr().out.splitlines()
    assert float(printed[0].split(": ")[1]) < 1e-9 * model.eigenvalues_.max()
    if laplacian == "random_walk" and model.n_connected_components_ == 1:
        assert float(printed[1].split(": ")[1]) > 0.9


def test_no_reference_where_eigenvectors_may_turn():
    X = make_blobs(60, centers=[[0, 0], [50, 0]], random_state=0)[0]
    with pytest.raises(Incomparable):
        spectral_reference(run_of(SpectralClustering(2, affinity="knn", random_state=0), X))
