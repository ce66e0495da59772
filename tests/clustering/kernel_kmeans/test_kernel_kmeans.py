"""Kernel k-means against explicit feature maps, scikit-learn's k-means, and its definition."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import cluster
from sklearn.datasets import load_iris
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import rbf_kernel

from dmlib.classification.kernels import Kernel, polynomial_features
from dmlib.clustering import KernelKMeans, KMeans, SpectralClustering, graph_cuts
from dmlib.clustering.kernel_kmeans.feature_space import to_centers
from dmlib.datasets import make


def table(name, **params):
    frame = make(name, **params).frame
    X = frame.iloc[:, :2].to_numpy(float)
    return (X - X.mean(axis=0)) / X.std(axis=0), frame.iloc[:, -1]


@pytest.fixture
def rows():
    return np.random.default_rng(0).normal(size=(60, 2))


def first_labels(n, k, seed=1):
    labels = np.random.default_rng(seed).integers(k, size=n)
    labels[:k] = np.arange(k)
    return labels


@pytest.mark.parametrize("init", ["k-means++", "random"])
def test_the_linear_kernel_is_k_means(rows, init):
    model = KernelKMeans(3, kernel="linear", init=init, n_init=1, random_state=3)
    steps = list(model.steps(rows))
    start = rows[[step.chosen for step in steps if step.phase == "seed"]]
    plain = KMeans(3, init=start, tol=0).fit(rows)
    model.fit(rows)
    assert_array_equal(model.labels_, plain.labels_)
    assert_allclose(model.inertia_, plain.inertia_)
    assert model.n_iter_ == plain.n_iter_
    assert_allclose(model.dual_coef_.T @ rows, plain.cluster_centers_, atol=1e-12)


@pytest.mark.parametrize("degree", [2, 3])
def test_the_polynomial_kernel_is_k_means_of_its_feature_map(rows, degree):
    features = polynomial_features(rows, 0.7, 1.5, degree=degree)
    labels = first_labels(60, 3)
    start = np.stack([features[labels == j].mean(axis=0) for j in range(3)])
    reference = cluster.KMeans(3, init=start, n_init=1, tol=0, algorithm="lloyd").fit(features)
    model = KernelKMeans(3, kernel="poly", gamma=0.7, degree=degree, coef0=1.5, init=labels).fit(
        rows
    )
    assert_array_equal(model.labels_, reference.labels_)
    assert_allclose(model.inertia_, reference.inertia_)
    assert_allclose(
        model.transform(rows[:9] + 0.3),
        reference.transform(polynomial_features(rows[:9] + 0.3, 0.7, 1.5, degree=degree)),
        atol=1e-6,
    )


@pytest.mark.parametrize("kernel", ["rbf", "laplacian"])
@pytest.mark.parametrize("weighting", ["none", "degree"])
def test_distances_are_those_of_points_with_this_kernel(rows, kernel, weighting):
    """Any factor of the matrix has its rows where the kernel puts them."""
    K = Kernel(kernel, 0.8)(rows, rows)
    w = K.sum(axis=1) if weighting == "degree" else np.ones(60)
    values, vectors = np.linalg.eigh(K)
    E = vectors * np.sqrt(np.maximum(values, 0)) / (w[:, None] if weighting == "degree" else 1)
    labels = first_labels(60, 4)
    start = np.stack([np.average(E[labels == j], axis=0, weights=w[labels == j]) for j in range(4)])
    reference = cluster.KMeans(4, init=start, n_init=1, tol=0, algorithm="lloyd").fit(
        E, sample_weight=w
    )
    model = KernelKMeans(4, kernel=kernel, gamma=0.8, weighting=weighting, init=labels).fit(rows)
    assert_array_equal(model.labels_, reference.labels_)
    assert_allclose(model.inertia_, reference.inertia_)
    assert_allclose(model.transform(rows), reference.transform(E), atol=1e-6)


def brute(K, labels):
    """Sum the squared distances to the means by the three sums over each cluster."""
    total = 0.0
    for j in set(labels):
        members = np.flatnonzero(labels == j)
        n = len(members)
        for i in members:
            total += (
                K[i, i]
                - 2 / n * sum(K[i, a] for a in members)
                + sum(K[a, b] for a in members for b in members) / n**2
            )
    return total


def test_no_start_ends_below_the_best_partition_of_few_rows_and_the_best_of_them_there():
    X = np.random.default_rng(2).normal(size=(8, 2))
    K = Kernel("rbf", 0.5)(X, X)
    partitions = [np.array((0, *codes)) for codes in product((0, 1), repeat=7) if any(codes)]
    ends = [KernelKMeans(2, gamma=0.5, init=labels).fit(X) for labels in partitions]
    assert_allclose(
        min(end.inertia_ for end in ends), min(brute(K, labels) for labels in partitions)
    )
    for end in ends[::9]:
        assert_allclose(end.inertia_, brute(K, end.labels_))


whole_numbers = st.integers(-6, 6).map(float)
tables = st.integers(1, 3).flatmap(
    lambda d: st.integers(5, 24).flatmap(lambda n: arrays(float, (n, d), elements=whole_numbers))
)


@settings(max_examples=60, deadline=None)
@given(
    tables,
    st.integers(1, 4),
    st.sampled_from(["rbf", "poly", "laplacian", "linear"]),
    st.sampled_from(["none", "degree"]),
    st.sampled_from(["k-means++", "random", "spectral"]),
)
def test_what_holds_at_every_step(X, k, kernel, weighting, init):
    model = KernelKMeans(k, kernel=kernel, weighting=weighting, init=init, n_init=2, random_state=0)
    try:
        steps = list(model.steps(X))
    except ValueError as error:
        sentence = str(error)
    else:
        sentence = ""
    if sentence:
        assert "fewer clusters" in sentence or "positive sum" in sentence
        return
    space = model.feature_space(X)
    for step in steps:
        assert_allclose(step.centers.sum(axis=0), 1.0)
        assert (step.distances.squared >= 0).all()
        if step.labels is not None and step.phase != "seed":
            assert_allclose(
                step.inertia,
                (space.weights * step.distances.squared[np.arange(len(X)), step.labels]).sum(),
            )
            assert_array_equal(step.counts, np.bincount(step.labels, minlength=k))
    for restart in {step.restart for step in steps}:
        curve = [
            s.inertia for s in steps if s.restart == restart and s.phase in ("assign", "update")
        ]
        assert (np.diff(curve) <= 1e-9 * space.total).all()
    fitted = model.fit(X)
    assert_array_equal(fitted.labels_, steps[-1].labels)
    values, _ = space.relaxation(k)
    assert fitted.inertia_ >= space.total - values.sum() - 1e-9 * space.total


def test_degree_weights_make_the_normalised_cut():
    """Dhillon, Guan and Kulis (2004): the SSE is a constant less the association."""
    X, _ = table("moons", n_samples=80)
    W = Kernel("rbf", 4.0)(X, X)
    degrees = W.sum(axis=1)
    for seed in range(5):
        labels = first_labels(80, 3, seed)
        step = next(KernelKMeans(3, gamma=4.0, weighting="degree", init=labels).steps(X))
        cut = sum(
            W[labels == j][:, labels != j].sum() / degrees[labels == j].sum() for j in range(3)
        )
        assert_allclose(step.inertia, (W.diagonal() / degrees).sum() - 3 + cut)


@pytest.mark.parametrize("name", ["moons", "circles"])
def test_the_eigenvectors_of_the_weighted_matrix_are_those_of_spectral_clustering(name):
    X, _ = table(name, n_samples=100)
    model = KernelKMeans(2, gamma=20.0, weighting="degree", init="spectral", random_state=0).fit(X)
    values, vectors = model.feature_space(X).relaxation(3)
    W = Kernel("rbf", 20.0)(X, X)
    d = W.sum(axis=1)
    assert_allclose(
        1 - values, np.linalg.eigvalsh(np.eye(100) - W / np.sqrt(np.outer(d, d)))[:3], atol=1e-10
    )
    places, shares = model.feature_space(X).plane()
    second = vectors[:, 1] / np.sqrt(d)
    assert_allclose(abs(np.corrcoef(places[:, 0], second)[0, 1]), 1.0)
    assert 0 < shares[1] <= shares[0] < 1


def test_rings_and_moons():
    X, y = table("circles", n_samples=200, factor=0.25, noise=0.2)
    assert adjusted_rand_score(y, KMeans(2, n_init=10, random_state=0).fit(X).labels_) < 0.1
    assert adjusted_rand_score(y, KernelKMeans(random_state=0).fit(X).labels_) == 1
    X, y = table("moons", n_samples=200, noise=0.15)
    cut = KernelKMeans(2, gamma=20.0, weighting="degree", init="spectral", random_state=0).fit(X)
    assert adjusted_rand_score(y, cut.labels_) == 1
    spectral = SpectralClustering(2, gamma=20.0, random_state=0).fit(X)
    assert adjusted_rand_score(spectral.labels_, cut.labels_) == 1
    assert graph_cuts(Kernel("rbf", 20.0)(X, X), cut.labels_).normalized_cut < 0.05


def test_predict_gives_the_rows_their_own_clusters_and_takes_matrices():
    X = load_iris().data
    for params in (
        {"weighting": "none"},
        {"weighting": "degree"},
        {"kernel": "poly", "gamma": 0.1},
    ):
        model = KernelKMeans(3, random_state=0, **params).fit(X)
        assert_array_equal(model.predict(X), model.labels_)
    K = Kernel("rbf", 0.2)(X, X)
    for weighting in ("none", "degree"):
        ours = KernelKMeans(3, gamma=0.2, weighting=weighting, random_state=0).fit(X)
        by_matrix = KernelKMeans(3, kernel="precomputed", weighting=weighting, random_state=0).fit(
            K
        )
        assert_array_equal(ours.labels_, by_matrix.labels_)
        assert_array_equal(ours.predict(X[::7]), by_matrix.predict(K[::7]))


def test_refusals():
    X = np.array([[0.0], [0.0], [1.0]])
    with pytest.raises(ValueError, match="needs at least as many rows that differ"):
        KernelKMeans(3).fit(X)
    with pytest.raises(ValueError, match="at least as many rows, but n_samples=3"):
        KernelKMeans(4).fit(X)
    with pytest.raises(ValueError, match="first clusters must be the numbers 0 to 1"):
        KernelKMeans(2, init=[0, 0, 0]).fit(X)
    with pytest.raises(ValueError, match="must have a positive sum"):
        KernelKMeans(2, kernel="linear", weighting="degree").fit(X - 1)
    with pytest.raises(ValueError, match="square and symmetric"):
        KernelKMeans(2, kernel="precomputed").fit([[1.0, 2.0], [3.0, 4.0]])
    with pytest.raises(ValueError, match="sample of at most 5,000"):
        KernelKMeans(2).fit(np.zeros((5001, 1)))
    with pytest.raises(ValueError, match="too large for this kernel"):
        KernelKMeans(2, kernel="poly", degree=30, gamma=1.0).fit(X * 1e9)
    assert KernelKMeans(1).fit(np.ones((4, 2))).inertia_ == pytest.approx(0)


def test_a_place_whose_similarity_underflows_when_squared_has_a_cluster():
    points, weights = np.array([[0.0], [0.1], [9.0], [9.1]]), np.ones(4)
    values = rbf_kernel([[20.0]], points, gamma=4.0)
    assert values.sum() > 0
    assert values.sum() ** 2 == 0
    with np.errstate(all="raise", under="ignore"):
        own, cross = to_centers(values, np.ones(1), np.eye(4)[:, :2], weights)
    assert np.isfinite([*own, *cross[0]]).all()
