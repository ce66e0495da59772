import warnings
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import cluster
from sklearn.datasets import load_iris, make_blobs, make_moons

from dmlib.clustering import MeanShift
from dmlib.clustering.mean_shift.bandwidth import estimated_bandwidth

DATA = {
    "iris": load_iris().data,
    "blobs": make_blobs(200, random_state=0)[0],
    "moons": make_moons(120, noise=0.1, random_state=1)[0],
    "whole numbers": np.random.default_rng(0).integers(0, 12, (80, 2)).astype(float),
    "one column": np.random.default_rng(1).normal(size=(60, 1)),
}
each_data = pytest.mark.parametrize("X", DATA.values(), ids=DATA)

# The seven points of the lesson, A to G.
POINTS = np.array([(1, 1), (2, 1), (1, 0), (4, 7), (3, 5), (3, 6), (5, 8)], float)


# Oracles
# ---------------------------------------------------------------------------------------------


@each_data
@pytest.mark.parametrize("bandwidth", [None, 0.5, 1.0, 2.0])
@pytest.mark.parametrize(
    "params",
    [
        {},
        {"bin_seeding": True},
        {"bin_seeding": True, "min_bin_freq": 2, "cluster_all": False},
        {"cluster_all": False},
        {"max_iter": 0},
        {"max_iter": 2},
    ],
    ids=str,
)
def test_agrees_with_scikit_learn(X, bandwidth, params):
    model = MeanShift(bandwidth=bandwidth, **params).fit(X)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # every row has a bin of its own
        reference = cluster.MeanShift(bandwidth=bandwidth, **params).fit(X)
    assert_allclose(model.cluster_centers_, reference.cluster_centers_)
    assert_array_equal(model.labels_, reference.labels_)
    assert model.n_iter_ == reference.n_iter_
    assert_array_equal(model.predict(X), reference.predict(X))


@each_data
def test_seeds_may_be_given_as_in_scikit_learn(X):
    seeds = X[::7] + 0.01
    model = MeanShift(bandwidth=1.0, seeds=seeds).fit(X)
    reference = cluster.MeanShift(bandwidth=1.0, seeds=seeds).fit(X)
    assert_allclose(model.cluster_centers_, reference.cluster_centers_)
    assert_array_equal(model.labels_, reference.labels_)


@each_data
@pytest.mark.parametrize("quantile", [0.1, 0.3, 0.9, 1.0])
def test_the_estimate_is_that_of_scikit_learn(X, quantile):
    reference = cluster.estimate_bandwidth(X, quantile=quantile)
    assert estimated_bandwidth(X, quantile) == pytest.approx(reference)


def climb(X, seed, h, threshold):
    """Shift one seed with Gaussian weights, term by term."""
    place = seed
    while True:
        weights = [np.exp(-sum((place - row) ** 2) / (2 * h * h)) for row in X]
        mean = sum(w * row for w, row in zip(weights, X, strict=True)) / sum(weights)
        shift = np.sqrt(sum((mean - place) ** 2))
        place = mean
        if shift <= threshold:
            return place


@pytest.mark.parametrize("name", ["blobs", "moons", "one column"])
def test_gaussian_weights_agree_with_a_plain_loop(name):
    X, h = DATA[name][:50], 0.6
    steps = MeanShift(bandwidth=h, kernel="gaussian").steps(X)
    (converged,) = (step for step in steps if step.phase == "converge")
    ends = np.array([climb(X, row, h, h / 1000) for row in X])
    assert_allclose(converged.places, ends, atol=1e-9)


@pytest.mark.parametrize("name", ["blobs", "moons"])
def test_gaussian_modes_are_where_the_gradient_vanishes(name):
    X, h = DATA[name], 0.6
    model = MeanShift(bandwidth=h, kernel="gaussian", max_iter=3000).fit(X)
    for center in model.cluster_centers_:
        differences = X - center
        weights = np.exp(-(differences**2).sum(axis=1) / (2 * h * h))
        gradient = weights @ differences / weights.sum()
        assert np.linalg.norm(gradient) <= h / 1000


# By hand
# ---------------------------------------------------------------------------------------------


def test_seven_points_by_hand():
    steps = list(MeanShift(bandwidth=2.0).steps(POINTS))
    first, second, third = (step for step in steps if step.phase == "shift")
    abc = [[4 / 3, 2 / 3]] * 3
    assert_allclose(first.places, [*abc, [4, 7], [3, 5.5], [10 / 3, 6], [4.5, 7.5]])
    assert_allclose(second.places, [*abc, [4, 7], [10 / 3, 6], [10 / 3, 6], [4.5, 7.5]])
    assert_array_equal(third.places, second.places)
    assert second.moving.tolist() == [False] * 4 + [True, False, False]
    assert third.densities.tolist() == [3, 3, 3, 3, 3, 3, 2]
    modes = [step.modes.tolist() for step in steps if step.phase == "merge"]
    assert modes == [[-1, -1, -1, 0, 0, 0, 0], [1, 1, 1, 0, 0, 0, 0]]
    assert_allclose(steps[-1].cluster_centers, [[4, 7], [4 / 3, 2 / 3]])
    assert steps[-1].labels.tolist() == [1, 1, 1, 0, 0, 0, 0]
    assert steps[-1].n_iter == 2


# Invariants
# ---------------------------------------------------------------------------------------------

rows = arrays(
    float,
    st.tuples(st.integers(1, 12), st.integers(1, 3)),
    elements=st.integers(-20, 20).map(lambda n: n / 4),
)
models = st.builds(
    MeanShift,
    bandwidth=st.one_of(st.none(), st.floats(0.1, 20)),
    kernel=st.sampled_from(["flat", "gaussian"]),
    bin_seeding=st.booleans(),
    cluster_all=st.booleans(),
)


@given(rows, models)
def test_what_holds_of_every_run(X, model):
    steps = list(model.steps(X))
    phases = [step.phase for step in steps]
    n_modes, n_shifts = phases.count("merge"), phases.count("shift")
    assert phases == ["seed", *["shift"] * n_shifts, "converge", *["merge"] * n_modes, "assign"]
    h = steps[-1].bandwidth
    for before, after in pairwise(steps):
        assert not (after.moving & ~before.moving).any(), "a seed that rests stays at rest"
        assert_array_equal(after.places[~before.moving], before.places[~before.moving])
    low, high = X.min(axis=0) - 1e-9, X.max(axis=0) + 1e-9
    reached = steps[-1].densities > 0
    assert ((steps[-1].places[reached] >= low) & (steps[-1].places[reached] <= high)).all()
    assert ((steps[-1].modes >= 0) == reached).all()
    centers = steps[-1].cluster_centers
    gaps = np.linalg.norm(centers[:, None] - centers, axis=2)[~np.eye(len(centers), dtype=bool)]
    assert (gaps > h).all(), "modes are farther apart than the bandwidth"
    for j, center in enumerate(centers):
        merged = steps[-1].places[steps[-1].modes == j]
        assert (np.linalg.norm(merged - center, axis=1) <= h * (1 + 1e-12)).all()
    distances = np.linalg.norm(X[:, None] - centers, axis=2)
    labels = steps[-1].labels
    clustered = labels >= 0
    own = distances[np.arange(len(X)), labels]
    assert_allclose(own[clustered], distances.min(axis=1)[clustered])
    assert clustered.all() or not model.cluster_all


@given(rows, st.floats(0.1, 20), st.randoms())
def test_the_order_of_the_rows_does_not_matter(X, bandwidth, random):
    order = list(range(len(X)))
    random.shuffle(order)
    plain, shuffled = (MeanShift(bandwidth=bandwidth).fit(rows) for rows in (X, X[order]))
    assert_allclose(plain.cluster_centers_, shuffled.cluster_centers_, atol=1e-9)


# What is special
# ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", ["flat", "gaussian"])
def test_a_bandwidth_beyond_all_distances_has_one_mode(kernel):
    model = MeanShift(bandwidth=1e6, kernel=kernel).fit(POINTS)
    assert model.n_clusters_ == 1
    assert_allclose(model.cluster_centers_[0], POINTS.mean(axis=0))


@pytest.mark.parametrize("kernel", ["flat", "gaussian"])
@pytest.mark.parametrize("bin_seeding", [False, True])
def test_equal_rows_are_one_cluster(kernel, bin_seeding):
    model = MeanShift(kernel=kernel, bin_seeding=bin_seeding).fit(np.full((6, 2), 3.0))
    assert (model.bandwidth_, model.n_clusters_, model.n_orphans_) == (0, 1, 0)
    assert model.cluster_centers_.tolist() == [[3.0, 3.0]]


def test_a_single_row_is_its_own_mode():
    model = MeanShift().fit([[2.0, 5.0]])
    assert (model.cluster_centers_.tolist(), model.labels_.tolist()) == ([[2.0, 5.0]], [0])


def test_rows_far_from_zero_keep_their_digits():
    near = MeanShift(bandwidth=2.0).fit(POINTS)
    far = MeanShift(bandwidth=2.0).fit(POINTS + 2.0**40)
    assert_array_equal(near.labels_, far.labels_)
    assert_allclose(far.cluster_centers_ - 2.0**40, near.cluster_centers_, atol=1e-3)


def test_orphans_are_beyond_every_mode():
    X = np.array([[0.0], [0.5], [9.0]])
    model = MeanShift(bandwidth=1.0, seeds=[[0.0]], cluster_all=False).fit(X)
    assert (model.labels_.tolist(), model.n_orphans_) == ([0, 0, -1], 1)
    assert MeanShift(bandwidth=1.0, seeds=[[0.0]]).fit(X).labels_.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"bandwidth": 0.0}, "bandwidth must be a number from"),
        ({"bandwidth": -1.0}, "bandwidth must be a number from"),
        ({"kernel": "box"}, "kernel must be one of flat, gaussian"),
        ({"max_iter": -1}, "max_iter must be a whole number"),
        ({"seeds": [[1.0]]}, "The seeds have 1 columns, but the rows have 2"),
        ({"seeds": [[99.0, 99.0]], "bandwidth": 1.0}, "No row is within 1 of any seed"),
        ({"bin_seeding": True, "min_bin_freq": 9}, "so there is no seed"),
    ],
    ids=str,
)
def test_what_cannot_be_clustered_is_refused(params, message):
    with pytest.raises(ValueError, match=message):
        MeanShift(**params).fit(POINTS)
