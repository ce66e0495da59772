"""OPTICS against arithmetic, R, scikit-learn and its own definition."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import cluster
from sklearn.datasets import load_iris, make_blobs
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import radius_neighbors_graph

from dmlib.clustering import DBSCAN, OPTICS, cut_reachability

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "optics_iris.json").read_text())
LEARNED = ("ordering_", "reachability_", "core_distances_", "predecessor_", "labels_")


def assert_same_as_scikit_learn(X, **params):
    ours, theirs = OPTICS(**params).fit(X), cluster.OPTICS(**params).fit(X)
    for name in LEARNED:
        assert_array_equal(getattr(ours, name), getattr(theirs, name), err_msg=name)
    if hasattr(theirs, "cluster_hierarchy_"):
        assert_array_equal(ours.cluster_hierarchy_, theirs.cluster_hierarchy_)


def is_valid_order(X, order, reachability, core_distances, max_eps):
    """The definition: each row is one of the most easily reached by the rows before it."""
    distances = pairwise_distances(X)
    reach = np.full(len(X), np.inf)
    unprocessed = set(range(len(X)))
    for row in order:
        if not reach[row] <= min(reach[list(unprocessed)]) + 1e-9:
            return False
        if not np.isclose(reachability[row], reach[row]):
            return False
        unprocessed.remove(row)
        for row_left in unprocessed:
            if distances[row, row_left] <= max_eps + 1e-9:
                reach[row_left] = min(
                    reach[row_left], max(core_distances[row], distances[row, row_left])
                )
    return True


# --- arithmetic and R -----------------------------------------------------------------------------


def test_five_rows_by_hand():
    # on a line at 0, 1, 3, 7, 8; with two samples the core distance is that to the nearest other
    # row: 1, 1, 2, 1, 1
    X = np.array([[0.0], [1.0], [3.0], [7.0], [8.0]])
    first, second, third, fourth, fifth, done = OPTICS(2, cluster_method="dbscan", eps=2.0).steps(X)
    # from 0: 1 is reached at max(1, 1), 3 at max(1, 3), 7 at 7, 8 at 8
    assert (first.phase, first.row, first.core_distance, first.reachability) == (
        "start",
        0,
        1.0,
        np.inf,
    )
    assert (first.updated.tolist(), first.reachabilities.tolist()) == (
        [1, 2, 3, 4],
        [np.inf, 1.0, 3.0, 7.0, 8.0],
    )
    assert np.isinf(first.before).all()
    # from 1: 3 at 2, 7 at 6, 8 at 7
    assert (second.phase, second.row, second.reachability, second.predecessor) == (
        "process",
        1,
        1.0,
        0,
    )
    assert (second.before.tolist(), second.reachabilities.tolist()) == (
        [3.0, 7.0, 8.0],
        [np.inf, 1.0, 2.0, 6.0, 7.0],
    )
    # from 3, whose core distance is 2: 7 at 4, 8 at 5
    assert (third.row, third.core_distance, third.reachabilities.tolist()) == (
        2,
        2.0,
        [np.inf, 1.0, 2.0, 4.0, 5.0],
    )
    # from 7: 8 at 1
    assert (fourth.row, fourth.updated.tolist(), fourth.reachabilities[4]) == (3, [4], 1.0)
    assert (fifth.row, fifth.updated.tolist(), fifth.predecessor) == (4, [], 3)
    assert (done.phase, done.position, done.ordering.tolist()) == ("done", 5, [0, 1, 2, 3, 4])
    assert done.labels.tolist() == [0, 0, 0, 1, 1]
    assert done.reason == "Every row is ordered, after 1 start: 2 clusters, 0 rows of noise."


def test_iris_in_r():
    X = load_iris().data
    model = OPTICS(5, max_eps=1.0, cluster_method="dbscan", eps=0.5).fit(X)
    assert_allclose(
        model.core_distances_, np.array(GOLDEN["core_distance_by_row"], float), rtol=1e-8
    )
    # many distances tie, so R may take other rows first; either order is right
    theirs = np.array(GOLDEN["order_rows"]) - 1
    assert is_valid_order(
        X, theirs, np.array(GOLDEN["reachability_by_row"], float), model.core_distances_, 1.0
    )
    assert is_valid_order(X, model.ordering_, model.reachability_, model.core_distances_, 1.0)
    core = model.core_distances_ <= 0.5
    labels = np.array(GOLDEN["labels_cut_at_0.5"])
    assert_array_equal(model.labels_[core] + 1, labels[core])
    assert (
        np.isinf(model.reachability_).sum()
        == np.isinf(np.array(GOLDEN["reachability_by_row"], float)).sum()
    )


# --- scikit-learn ---------------------------------------------------------------------------------


@pytest.mark.parametrize("max_eps", [np.inf, 1.0, 0.4])
@pytest.mark.parametrize(
    "params", [{}, {"cluster_method": "dbscan", "eps": 0.35}], ids=["xi", "cut"]
)
def test_iris_where_many_distances_tie(max_eps, params):
    assert_same_as_scikit_learn(load_iris().data, max_eps=max_eps, **params)


def test_a_core_distance_that_only_rounding_brings_within_max_eps_is_beyond_it():
    assert_same_as_scikit_learn(load_iris().data, max_eps=0.3, metric="chebyshev")


@pytest.mark.parametrize("n_features", [1, 2, 5, 10, 20])
def test_blobs_in_many_dimensions(n_features):
    X, _ = make_blobs(250, n_features, centers=4, random_state=n_features)
    assert_same_as_scikit_learn(X, min_samples=7)
    assert_same_as_scikit_learn(
        X, min_samples=3, max_eps=1.5 * n_features**0.5, xi=0.1, min_cluster_size=12
    )


@pytest.mark.parametrize(
    "params",
    [
        {"metric": "manhattan"},
        {"metric": "chebyshev", "max_eps": 1.5},
        {"metric": "minkowski", "p": 3},
        {"metric": "cosine"},
        {"metric": lambda a, b: np.abs(a - b).sum(), "max_eps": 2.0},
        {"algorithm": "ball_tree", "leaf_size": 5},
        {"min_samples": 0.1, "min_cluster_size": 0.2, "predecessor_correction": False},
    ],
)
def test_other_metrics_searches_and_shares(params):
    X, _ = make_blobs(120, 2, centers=3, random_state=5)
    assert_same_as_scikit_learn(X, **params)


def test_distances_given():
    X, _ = make_blobs(100, 2, centers=3, random_state=5)
    distances = pairwise_distances(X)
    assert_same_as_scikit_learn(distances, metric="precomputed")
    graph = radius_neighbors_graph(X, 2.0, mode="distance")
    plain = OPTICS(max_eps=1.0).fit(X)
    for given_distances in (distances, graph):
        model = OPTICS(max_eps=1.0, metric="precomputed").fit(given_distances)
        assert_array_equal(model.ordering_, plain.ordering_)
        assert_allclose(model.reachability_, plain.reachability_)


# --- properties -----------------------------------------------------------------------------------

whole_numbers = st.integers(-9, 9).map(float)
tables = st.integers(1, 3).flatmap(
    lambda d: st.integers(3, 30).flatmap(
        lambda n: arrays(float, (n, d), elements=whole_numbers, unique=False)
    )
)


@settings(max_examples=60, deadline=None)
@given(
    tables,
    st.integers(2, 3),
    st.sampled_from([np.inf, 2.0, 1.0]),
    st.sampled_from(["xi", "dbscan"]),
)
@pytest.mark.filterwarnings("ignore:All reachability values are inf")
def test_steps_and_fit_agree_and_keep_the_definition(X, min_samples, max_eps, cluster_method):
    model = OPTICS(min_samples, max_eps=max_eps, cluster_method=cluster_method)
    *steps, done = model.steps(X)
    model.fit(X)
    rows = np.array([step.row for step in steps])
    assert_array_equal(rows, model.ordering_)
    assert_array_equal(done.ordering, model.ordering_)
    assert_array_equal(done.reachabilities, model.reachability_)
    assert_array_equal(done.labels, model.labels_)
    assert_array_equal([step.reachability for step in steps], model.reachability_[rows])
    assert_array_equal([step.core_distance for step in steps], model.core_distances_[rows])
    assert_array_equal([step.predecessor for step in steps], model.predecessor_[rows])
    assert is_valid_order(X, rows, model.reachability_, model.core_distances_, max_eps)
    before = np.full(len(X), np.inf)
    for step in steps:
        assert_array_equal(step.updated, np.flatnonzero(step.reachabilities != before))
        assert_array_equal(step.before, before[step.updated])
        assert (step.phase == "start") == np.isinf(step.reachability) == (step.predecessor == -1)
        before = step.reachabilities


@settings(max_examples=60, deadline=None)
@given(tables, st.integers(2, 3), st.integers(0, 6))
def test_a_cut_has_the_core_points_of_dbscan(X, min_samples, eps):
    labels = OPTICS(min_samples, cluster_method="dbscan", eps=float(eps)).fit(X).labels_
    density = DBSCAN(eps, min_samples=min_samples).fit(X)
    core = density.core_sample_indices_
    pairs = set(zip(labels[core], density.labels_[core], strict=True))
    assert len(pairs) == len(set(labels[core])) == len(set(density.labels_[core]))
    assert -1 not in labels[core]
    assert (labels[density.labels_ == -1] == -1).all()


def test_a_cut_afterwards_is_the_cut_of_fit():
    X, _ = make_blobs(150, 2, centers=3, random_state=0)
    model = OPTICS(5).fit(X)
    for eps in (0.0, 0.3, 0.6, 2.0, np.inf):
        expected = cluster.cluster_optics_dbscan(
            reachability=model.reachability_,
            core_distances=model.core_distances_,
            ordering=model.ordering_,
            eps=eps,
        )
        assert_array_equal(model.cut(eps), expected)
        assert_array_equal(OPTICS(5, cluster_method="dbscan", eps=eps).fit(X).labels_, expected)
    empty = np.empty(0)
    assert cut_reachability(empty.astype(int), empty, empty, 1.0).shape == (0,)


# --- degenerate input -----------------------------------------------------------------------------


def test_nothing_within_max_eps_is_told():
    X = np.array([[0.0], [1.0], [5.0]])
    done = list(OPTICS(2, max_eps=0.5).steps(X))[-1]
    assert done.labels.tolist() == [-1, -1, -1]
    assert (
        done.reason == "No row has 2 rows within max_eps = 0.5 of it, itself included, "
        "so no row reaches another and every row is noise."
    )
    with pytest.warns(UserWarning, match="All reachability values are inf"):
        OPTICS(2, max_eps=0.5).fit(X)


def test_only_duplicates():
    model = OPTICS(3, cluster_method="dbscan", eps=0.0).fit(np.ones((6, 2)))
    assert model.reachability_.tolist() == [np.inf, 0, 0, 0, 0, 0]
    assert set(model.labels_) == {0}
    assert OPTICS(3).fit(np.ones((6, 2))).labels_.shape == (6,)


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        (
            {"min_samples": 6},
            "min_samples must be no greater than the number of rows; it was 6 for n_samples=5.",
        ),
        (
            {"min_cluster_size": 9},
            (
                "min_cluster_size must be no greater than "
                "the number of rows; it was 9 for n_samples=5."
            ),
        ),
        (
            {"min_samples": 1},
            "min_samples must be a whole number from 2 on, or a share from 0.0 to 1.0; it was 1.",
        ),
        ({"max_eps": -1.0}, "max_eps must be a number from 0 to inf; it was -1.0."),
        (
            {"eps": -1.0, "cluster_method": "dbscan"},
            "eps must be a number from 0 to inf; it was -1.0.",
        ),
        (
            {"eps": 2.0, "max_eps": 1.0, "cluster_method": "dbscan"},
            (
                "Specify an epsilon smaller than 1. Got 2. "
                "Beyond max_eps no distance was computed: cut lower, or choose a larger max_eps."
            ),
        ),
    ],
)
def test_refusals_are_sentences(params, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        OPTICS(**params).fit(np.arange(5.0)[:, None])
