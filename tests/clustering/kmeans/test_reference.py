"""The check on the page really is scikit-learn's answer to the same question."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris, load_wine, make_blobs

from dmlib.clustering import BisectingKMeans, KMeans, XMeans
from dmlib.clustering.kmeans.reference import kmeans_reference
from dmlib.clustering.kmeans_variants.reference import (
    bisecting_reference,
    variant_reference,
    xmeans_reference,
)
from dmlib.comparison import Incomparable
from tests.runs import run_of

DATA = {
    "iris": load_iris().data,
    "wine": load_wine().data,
    "blobs": make_blobs([50, 40, 35, 30, 25, 20], 3, random_state=1)[0],
    "noise": np.random.default_rng(0).uniform(size=(150, 2)),
}
each_data = pytest.mark.parametrize("X", DATA.values(), ids=DATA)


@each_data
@pytest.mark.parametrize("init", ["k-means++", "random", "farthest"])
@pytest.mark.parametrize("strategy", ["biggest_inertia", "largest_cluster"])
@pytest.mark.parametrize("n_init", [1, 4])
def test_bisecting_agrees_with_scikit_learn(X, init, strategy, n_init):
    model = BisectingKMeans(
        5, init=init, bisecting_strategy=strategy, n_init=n_init, random_state=3
    )
    run = run_of(model, X)
    try:
        reference = bisecting_reference(run).answer(run)
    except Incomparable:
        assert strategy == "largest_cluster", "only sizes are ever equal in these data"
        return
    assert type(reference).__module__.startswith("sklearn.")
    model.fit(X)
    assert_array_equal(reference.labels_, model.labels_)
    assert_allclose(reference.cluster_centers_, model.cluster_centers_, rtol=1e-9)
    assert_allclose(reference.inertia_, model.inertia_, rtol=1e-9)


def test_no_reference_where_two_clusters_are_equally_due():
    X = [[0.0], [1.0], [10.0], [11.0]]
    with pytest.raises(Incomparable):
        bisecting_reference(run_of(BisectingKMeans(3, random_state=0), X))
    run = run_of(BisectingKMeans(2, random_state=0), X)
    assert bisecting_reference(run).answer(run).inertia_ == 1.0


@each_data
@pytest.mark.parametrize("min_clusters", [1, 2, 5])
def test_xmeans_agrees_with_scikit_learn_and_the_normal_density(X, min_clusters):
    model = XMeans(min_clusters, init="random", n_init=3, random_state=5).fit(X)
    run = run_of(model, X)
    reference = xmeans_reference(run).answer(run)
    assert reference.n_clusters_ == model.n_clusters_
    assert_array_equal(reference.labels_, model.labels_)
    assert_allclose(reference.cluster_centers_, model.cluster_centers_, rtol=1e-9)
    assert_allclose(reference.inertia_, model.inertia_, rtol=1e-9)
    assert_allclose(reference.bic_, model.bic_, rtol=1e-9)


@pytest.mark.parametrize(
    "X", [[[0.0], [1.0], [5.0]], [[0.0]] * 3 + [[1.0]] * 3], ids=["n = k", "no spread"]
)
def test_infinite_bic(X):
    model = XMeans(len(np.unique(X)), random_state=0).fit(X)
    assert np.isinf(model.bic_)
    run = run_of(model, X)
    assert xmeans_reference(run).answer(run).bic_ == model.bic_


@each_data
@pytest.mark.parametrize(
    "model",
    [
        BisectingKMeans(4, n_init=2, max_iter=7, tol=0.01, random_state=1),
        XMeans(1, 8, init="farthest", tol=0.0, random_state=1),
    ],
    ids=["bisecting", "x-means"],
)
def test_exported_code_gives_the_same_answer(X, model):
    names, run = {"model": model.fit(X), "X": X}, run_of(model, X)
    exec(variant_reference(run).code, names)
    reference = variant_reference(run).answer(run)
    assert_allclose(names["reference"].inertia_, reference.inertia_)
    assert_allclose(names["reference"].inertia_, model.inertia_)
    if isinstance(model, XMeans):
        assert_allclose(names["reference"].bic_, model.bic_)


@each_data
@pytest.mark.parametrize("init", ["k-means++", "random", "farthest"])
def test_kmeans_agrees_with_scikit_learn(X, init):
    model = KMeans(4, init=init, n_init=3, random_state=2)
    names, run = {"model": model.fit(X), "X": X}, run_of(model, X)
    exec(kmeans_reference(run).code, names)
    for reference in (kmeans_reference(run).answer(run), names["reference"]):
        assert_array_equal(reference.labels_, model.labels_)
        assert_allclose(reference.cluster_centers_, model.cluster_centers_, rtol=1e-9)
        assert reference.n_iter_ == model.n_iter_
