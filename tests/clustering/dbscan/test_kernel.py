"""DBSCAN by the distance of a kernel: against scikit-learn, and against discs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from sklearn import cluster
from sklearn.metrics.pairwise import laplacian_kernel, polynomial_kernel, rbf_kernel

from dmlib.classification.kernels import Kernel, polynomial_features
from dmlib.clustering import DBSCAN
from dmlib.clustering.dbscan.figures.eps_sweep import eps_sweep_data
from dmlib.clustering.dbscan.scene import dbscan_scene
from dmlib.clustering.kernel_distance import MAX_ROWS, ball_of, kernel_distances
from dmlib.pictures.ledger import Formula, LedgerTable
from dmlib.pictures.marks import Ellipses, Line, Segments
from dmlib.pictures.run import Run
from tests.clustering.dbscan.test_scene import PROBLEMS
from tests.visit import open_preset

THEIRS = {
    "rbf": lambda X: rbf_kernel(X, gamma=0.7),
    "laplacian": lambda X: laplacian_kernel(X, gamma=0.7),
    "poly": lambda X: polynomial_kernel(X, gamma=0.7, degree=3, coef0=2.0),
}


def rows_of(seed, n=60, d=2):
    return np.random.default_rng(seed).normal(size=(n, d)).round(3)


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    name=st.sampled_from(sorted(THEIRS)),
    share=st.floats(0.05, 0.5),
    min_samples=st.integers(1, 8),
)
def test_labels_are_scikit_learns_of_the_matrix_of_distances(seed, name, share, min_samples):
    X = rows_of(seed)
    K = THEIRS[name](X)
    D = np.sqrt(np.maximum(np.diag(K)[:, None] - 2 * K + np.diag(K), 0))
    eps = float(np.quantile(D, share)) * (1 + 1e-7)  # no pair lies at eps but for rounding
    theirs = cluster.DBSCAN(eps=eps, min_samples=min_samples, metric="precomputed").fit(D)
    params = {"gamma": 0.7, "degree": 3, "coef0": 2.0}
    ours = DBSCAN(eps, metric=name, min_samples=min_samples, **params)
    assert ours.fit_predict(X).tolist() == theirs.labels_.tolist()
    assert ours.core_sample_indices_.tolist() == theirs.core_sample_indices_.tolist()
    *_, last = ours.steps(X)
    assert last.labels.tolist() == theirs.labels_.tolist()
    assert ours.fit_predict(csr_matrix(X)).tolist() == theirs.labels_.tolist()


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10_000), eps=st.floats(0.05, 1.4), gamma=st.floats(0.05, 5))
@pytest.mark.parametrize("name", ["rbf", "laplacian"])
def test_a_kernel_that_decays_has_the_clusters_of_another_radius(name, seed, eps, gamma):
    X = rows_of(seed)
    metric, radius = ball_of(Kernel(name, gamma), eps)
    by_kernel = DBSCAN(eps, metric=name, gamma=gamma).fit(X)
    by_radius = DBSCAN(radius, metric=metric).fit(X)
    assert by_kernel.labels_.tolist() == by_radius.labels_.tolist()


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10_000), degree=st.integers(1, 4), coef0=st.floats(0, 3))
def test_distances_are_those_of_the_feature_space(seed, degree, coef0):
    X = rows_of(seed, n=12)
    features = polynomial_features(X, 0.5, coef0, degree=degree)
    expected = np.linalg.norm(features[:, None] - features, axis=2)
    D = kernel_distances(Kernel("poly", 0.5, degree, coef0), X)
    np.testing.assert_allclose(D, expected, rtol=1e-5, atol=1e-6 * max(1.0, expected.max()))
    assert (D == D.T).all()
    assert not D.diagonal().any()


def test_equal_rows_are_at_distance_0_though_far_away():
    X = np.array([[3.7, 1e5], [3.7, 1e5], [3.7, 1e5 + 1]])
    for name in sorted(THEIRS):
        D = kernel_distances(Kernel(name, 0.3, 3, 1.0), X)
        assert D[0, 1] == 0
        assert D[0, 2] > 0
    assert DBSCAN(0.0, metric="poly", min_samples=2).fit_predict(X).tolist() == [0, 0, -1]


def test_eps_0_joins_what_an_even_power_makes_equal():
    model = DBSCAN(0.0, metric="poly", coef0=0.0, min_samples=2)
    *_, last = model.steps([[1.0, 2.0], [-1.0, -2.0], [1.0, -2.0]])
    assert last.labels.tolist() == [0, 0, -1]
    assert "only rows with the distance 0" in last.reason


def test_what_is_too_large_is_refused():
    with pytest.raises(ValueError, match="Scale the columns"):
        DBSCAN(metric="poly", gamma=1.0, degree=9).fit([[1e60], [2.0]])
    with pytest.raises(ValueError, match="at most 5,000 rows"):
        DBSCAN(metric="rbf").fit(np.zeros((MAX_ROWS + 1, 1)))
    with pytest.raises(ValueError, match="metric must be a function or one of"):
        DBSCAN(metric="gauss").fit([[1.0], [2.0]])


def test_numbers_of_all_radii_are_those_of_runs():
    X = rows_of(3, n=30)
    for name in sorted(THEIRS):
        model = DBSCAN(0.5, metric=name, min_samples=3)
        data = eps_sweep_data(model, X)
        for i in range(0, len(data.eps), 7):
            fitted = DBSCAN(data.eps[i] + 1e-8, metric=name, min_samples=3).fit(X)
            assert fitted.n_clusters_ == data.n_clusters[i]
            assert fitted.n_noise_ / 30 == pytest.approx(data.noise[i])


# --- the picture ----------------------------------------------------------------------------------


def scene_of(name="blobs", **params):
    problem = PROBLEMS[name]
    run = Run.of(problem, DBSCAN(**params))
    return run, dbscan_scene(run)


def test_the_disc_of_an_rbf_kernel_has_the_radius_where_the_distance_is_eps():
    run, scene = scene_of(eps=0.9, metric="rbf", gamma=0.4)
    (disc,) = (mark for mark in scene.marks if isinstance(mark, Ellipses))
    radius = float(np.asarray(disc.rx.rows[0])[0])
    assert 2 - 2 * np.exp(-0.4 * radius**2) == pytest.approx(0.9**2, rel=1e-5)
    step = run.trace.steps[0]
    away = np.linalg.norm(run.problem.X - run.problem.X[step.row], axis=1)
    assert set(np.flatnonzero(away <= radius)) == set(step.neighbors)
    assert any("within √(−ln(1 − eps²/2) / γ)" in text for text in texts(scene, 0))


def test_a_laplacian_kernel_has_a_rhombus_and_a_polynomial_one_only_lines():
    _, scene = scene_of(eps=0.9, metric="laplacian", gamma=0.4)
    assert any(isinstance(mark, Line) and mark.panel == "data" for mark in scene.marks)
    run, scene = scene_of(eps=30.0, metric="poly", gamma=1.0)
    assert not any(isinstance(mark, Ellipses) for mark in scene.marks)
    lines = next(m for m in scene.marks if isinstance(m, Segments) and not m.arrow)
    for i, step in enumerate(run.trace.steps[:5]):
        assert len(np.asarray(lines.x0.rows[i])) == min(len(step.neighbors) - 1, 30)
    assert any("no disc" in note for note in scene.notes)


def texts(scene, i):
    return [block.text for block in scene.frames[i].ledger if isinstance(block, Formula)]


@pytest.mark.parametrize("name", sorted(THEIRS))
def test_the_ledger_has_the_terms_of_distances_around_eps(name):
    run, scene = scene_of(eps=0.9, metric=name, gamma=0.4, degree=2, coef0=1.0)
    kernel, X = run.model.distance(run.problem.X), run.problem.X
    for i, step in enumerate(run.trace.steps[:-1]):
        (table,) = (b for b in scene.frames[i].ledger if isinstance(b, LedgerTable))
        own = kernel(X[[step.row]], X[[step.row]]).item()
        for place, (number, cross, other, distance) in enumerate(table.rows):
            assert distance**2 == pytest.approx(own - 2 * cross + other, rel=1e-3, abs=1e-9)
            assert (distance <= 0.9) == (place in table.emphasis)
            assert kernel(X[[step.row]], X[[number - 1]]).item() == pytest.approx(cross)


# --- the lesson -----------------------------------------------------------------------------------


def test_an_rbf_kernel_has_discs_too():
    run, _, _ = open_preset("dbscan", "An RBF kernel has discs too")
    plain, _, _ = open_preset("dbscan", "An RBF kernel has discs too", metric="euclidean", eps=0.7)
    assert run.fitted.labels_.tolist() == plain.fitted.labels_.tolist()
    assert run.fitted.n_clusters_ == 2
    assert any("= 0.6998 of x" in text for text in texts(dbscan_scene(run), 0))
    assert round(float(np.exp(-0.49)), 4) == 0.6126
    assert round(float(np.sqrt(2 - 2 * 0.6126)), 2) == 0.88


def test_opposite_groups_are_one():
    run, _, _ = open_preset("dbscan", "Opposite groups are one")
    assert (run.fitted.n_clusters_, run.fitted.n_noise_) == (2, 0)
    assert all(len(set(run.fitted.labels_[run.problem.y == c])) == 1 for c in (0, 1))
    plain, _, _ = open_preset("dbscan", "Opposite groups are one", metric="euclidean")
    assert plain.fitted.n_clusters_ == 4
