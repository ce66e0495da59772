"""Fuzzy c-means against R on the irises, SciPy's minimiser, and its own definition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize
from scipy.spatial.distance import cdist
from sklearn.datasets import load_iris

from dmlib.clustering import FuzzyCMeans, KMeans
from dmlib.clustering.kernel_kmeans.fuzzy_cmeans import memberships

# What cmeans(iris[, 1:4], 3, m = 2) of the R package e1071 prints, in order of the petals.
IRIS = [
    [5.003966, 3.414089, 1.482816, 0.2535463],
    [5.888932, 2.761069, 4.363952, 1.397315],
    [6.775011, 3.052382, 5.646782, 2.053547],
]


def objective(X, centers, m):
    """The least of J over the memberships, in closed form (Bezdek, 1981)."""
    squares = cdist(X, centers, "sqeuclidean")
    return ((squares ** (1 / (1 - m))).sum(axis=1) ** (1 - m)).sum()


def test_the_centres_of_r():
    model = FuzzyCMeans(3, tol=1e-9, random_state=0).fit(load_iris().data)
    order = model.cluster_centers_[:, 2].argsort()
    assert_allclose(model.cluster_centers_[order], IRIS, atol=2e-5)
    assert sorted(np.bincount(model.labels_)) == [40, 50, 60]


@pytest.mark.parametrize("m", [1.3, 2.0, 3.5])
def test_no_step_of_scipys_minimiser_goes_lower(m):
    X = np.random.default_rng(0).normal(size=(40, 2)) + np.repeat([[0, 0], [4, 1]], 20, axis=0)
    model = FuzzyCMeans(2, m=m, tol=0, max_iter=2000, random_state=1).fit(X)
    assert_allclose(model.inertia_, objective(X, model.cluster_centers_, m))
    best = minimize(
        lambda c: objective(X, c.reshape(2, 2), m), model.cluster_centers_.ravel(), tol=1e-12
    )
    assert_allclose(best.fun, model.inertia_, rtol=1e-9)
    assert_allclose(best.x.reshape(2, 2), model.cluster_centers_, atol=1e-4)


def test_memberships_by_their_formula():
    squares = np.random.default_rng(0).random((7, 4))
    for m in (1.1, 2.0, 5.0):
        ratios = (squares[:, :, None] / squares[:, None, :]) ** (1 / (m - 1))
        assert_allclose(memberships(squares, m), 1 / ratios.sum(axis=2))


def test_near_1_it_is_k_means():
    X = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat(
        [[0, 0], [5, 0], [0, 5]], 20, axis=0
    )
    start = X[[0, 20, 40]]
    crisp = KMeans(3, init=start, tol=0).fit(X)
    fuzzy = FuzzyCMeans(3, m=1.01, init=start).fit(X)
    assert_array_equal(fuzzy.labels_, crisp.labels_)
    assert_allclose(fuzzy.cluster_centers_, crisp.cluster_centers_, atol=1e-3)
    assert fuzzy.partition_coefficient_ > 0.999
    assert_allclose(
        FuzzyCMeans(3, m=100.0, init=start).fit(X).partition_coefficient_, 1 / 3, atol=0.03
    )


whole_numbers = st.integers(-9, 9).map(float)
tables = st.integers(1, 3).flatmap(
    lambda d: st.integers(4, 24).flatmap(lambda n: arrays(float, (n, d), elements=whole_numbers))
)


@settings(max_examples=60, deadline=None)
@given(tables, st.integers(1, 4), st.sampled_from([1.05, 1.5, 2.0, 6.0]))
def test_what_holds_at_every_step(X, k, m):
    model = FuzzyCMeans(k, m=m, init="random", max_iter=20, random_state=0)
    steps = list(model.steps(X))
    later_steps = [step for step in steps if step.phase != "seed"]
    scale = 1 + np.abs(X).max() ** 2 * len(X)
    assert (np.diff([step.inertia for step in later_steps]) <= 1e-9 * scale).all()
    for step in later_steps:
        assert_allclose(step.memberships.sum(axis=1), 1.0)
        assert 1 / k - 1e-9 <= step.partition_coefficient <= 1 + 1e-9
        assert_allclose(
            step.inertia,
            (step.memberships**m * cdist(X, step.centers, "sqeuclidean")).sum(),
            atol=1e-9 * scale,
        )
    fitted = model.fit(X)
    assert_array_equal(fitted.memberships_, steps[-1].memberships)
    assert_allclose(fitted.predict_proba(X), fitted.memberships_, atol=1e-12)
    assert_allclose(fitted.score(X), -fitted.inertia_, atol=1e-9 * scale)


def test_far_from_zero_and_refusals():
    X = np.array([[0.0], [1.0], [2.0], [10.0], [11.0]])
    central, distant = (
        FuzzyCMeans(2, init=X[[0, 4]] + shift).fit(X + shift) for shift in (0.0, 1e9)
    )
    assert_allclose(distant.memberships_, central.memberships_, atol=1e-6)
    with pytest.raises(ValueError, match="at least as many rows"):
        FuzzyCMeans(6).fit(X)
    with pytest.raises(ValueError, match=r"m must be a number from 1\.01"):
        FuzzyCMeans(2, m=1.0).fit(X)
    with pytest.raises(ValueError, match="distinct"):
        FuzzyCMeans(2).fit(np.ones((4, 1)))
