"""DBSCAN against arithmetic, R, scikit-learn and its own definition."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn import cluster
from sklearn.datasets import load_iris, make_blobs, make_moons
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import radius_neighbors_graph

from dmlib.clustering import DBSCAN
from dmlib.clustering.core_graph import NOISE
from dmlib.clustering.dbscan.algorithm import UNCLASSIFIED

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "dbscan_iris.json").read_text())


def done(model, X, **kwargs):
    return list(model.steps(X, **kwargs))[-1]


def assert_same_as_scikit_learn(X, **params):
    ours, theirs = DBSCAN(**params).fit(X), cluster.DBSCAN(**params).fit(X)
    assert_array_equal(ours.labels_, theirs.labels_)
    assert_array_equal(ours.core_sample_indices_, theirs.core_sample_indices_)
    assert_array_equal(ours.components_, theirs.components_)
    assert_array_equal(done(DBSCAN(**params), X).labels, theirs.labels_)


# --- arithmetic and R -----------------------------------------------------------------------------


def test_six_points_by_hand():
    # neighbours at most 1 away: 0: {0, 1}; 1: {0, 1, 2}; 2: {1, 2}; 5: {5}; 9: {9, 9.5}; 9.5: {9,
    # 9.5}
    X = np.array([[0.0], [1.0], [2.0], [5.0], [9.0], [9.5]])
    first, second, third, fourth, *middle_steps, last = DBSCAN(1.0, min_samples=3).steps(X)
    assert (first.phase, first.row, first.neighbors.tolist(), first.core) == (
        "visit",
        0,
        [0, 1],
        False,
    )
    assert first.labels.tolist() == [NOISE, *[UNCLASSIFIED] * 5]
    # the second row is the only core point: it starts a cluster and brings the first one back from
    # noise
    assert (second.phase, second.row, second.weight, second.core, second.cluster) == (
        "visit",
        1,
        3.0,
        True,
        0,
    )
    assert (second.joined.tolist(), second.rescued.tolist(), second.seeds.tolist()) == (
        [0, 1, 2],
        [0],
        [2],
    )
    assert (third.phase, third.row, third.core, third.joined.tolist()) == ("expand", 2, False, [])
    assert third.seeds.tolist() == []
    assert fourth.row == 3
    assert [step.row for step in middle_steps] == [4, 5]
    assert last.phase == "done"
    assert last.labels.tolist() == [0, 0, 0, NOISE, NOISE, NOISE]
    assert last.reason == "Every row is classified: 1 cluster, 1 core point, 3 rows of noise."


def test_iris_in_r():
    X = load_iris().data
    model = DBSCAN(0.6, min_samples=5).fit(X)
    assert_array_equal(model.labels_ + 1, GOLDEN["labels"])
    assert_array_equal(model.core_sample_indices_, np.flatnonzero(GOLDEN["core_flags"]))
    assert (np.flatnonzero(model.labels_ == NOISE) + 1).tolist() == GOLDEN["noise_rows"]
    border = np.setdiff1d(np.flatnonzero(model.labels_ != NOISE), model.core_sample_indices_)
    assert (border + 1).tolist() == GOLDEN["border_rows"]
    assert done(DBSCAN(0.6), X).contested == ()


# --- scikit-learn ---------------------------------------------------------------------------------


@pytest.mark.parametrize("eps", [0.3, 0.4, 0.5, 0.6, 0.7, 1.0, 2.0])
@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev"])
def test_iris_where_many_pairs_lie_at_eps(eps, metric):
    assert_same_as_scikit_learn(load_iris().data, eps=eps, metric=metric)


@pytest.mark.parametrize("n_features", [1, 2, 5, 10, 20])
@pytest.mark.parametrize("min_samples", [1, 5, 30])
def test_blobs_in_many_dimensions(n_features, min_samples):
    X, _ = make_blobs(1500, n_features, centers=6, random_state=n_features)
    for eps in (0.05, 0.3, 1.0, 3.0):
        ours, theirs = (
            m(eps=eps, min_samples=min_samples).fit(X) for m in (DBSCAN, cluster.DBSCAN)
        )
        assert_array_equal(ours.labels_, theirs.labels_)


@pytest.mark.parametrize(
    "params",
    [
        {"metric": "minkowski", "p": 3},
        {"metric": "cosine", "eps": 0.05},
        {"metric": lambda a, b: np.abs(a - b).sum()},
        {"algorithm": "ball_tree", "leaf_size": 5},
        {"algorithm": "brute", "n_jobs": 1},
        {
            "metric": "minkowski",
            "p": 2,
            "metric_params": {"w": np.array([1.0, 3.0])},
            "algorithm": "brute",
        },
    ],
)
def test_other_metrics_and_searches(params):
    X, _ = make_moons(120, noise=0.1, random_state=0)
    assert_same_as_scikit_learn(X, **{"eps": 0.25, **params})


def test_distances_given():
    X, _ = make_moons(200, noise=0.1, random_state=0)
    expected = cluster.DBSCAN(0.2).fit(X).labels_
    graph = radius_neighbors_graph(X, 0.3, mode="distance")
    for distances in (pairwise_distances(X), graph, sparse.coo_array(graph)):
        model = DBSCAN(0.2, metric="precomputed").fit(distances)
        assert_array_equal(model.labels_, expected)
        assert_array_equal(done(model, distances).labels, expected)
    assert_array_equal(DBSCAN(0.2).fit(sparse.csr_array(X)).labels_, expected)


def test_weights_count_as_so_many_rows():
    X, _ = make_moons(80, noise=0.15, random_state=0)
    weight = np.random.default_rng(0).integers(0, 4, 80)
    ours, theirs = (
        m(0.2, min_samples=7).fit(X, sample_weight=weight) for m in (DBSCAN, cluster.DBSCAN)
    )
    assert_array_equal(ours.labels_, theirs.labels_)
    assert_array_equal(ours.core_sample_indices_, theirs.core_sample_indices_)
    assert_array_equal(
        done(DBSCAN(0.2, min_samples=7), X, sample_weight=weight).labels, theirs.labels_
    )
    repeated = DBSCAN(0.2, min_samples=7).fit(np.repeat(X, weight, axis=0))
    assert set(repeated.labels_) == set(ours.labels_)


def test_neighbourhoods_that_hold_almost_every_row():
    # far more pairs than rows: they are not all looked at
    X, _ = make_blobs(900, 2, centers=[[0, 0], [30, 0]], random_state=0)
    assert_same_as_scikit_learn(X, eps=20.0)
    assert set(DBSCAN(100.0).fit(X).labels_) == {0}


# --- properties -----------------------------------------------------------------------------------

whole_numbers = st.integers(-9, 9).map(float)
tables = st.integers(1, 3).flatmap(
    lambda d: st.integers(1, 40).flatmap(
        lambda n: arrays(float, (n, d), elements=whole_numbers, unique=False)
    )
)


@settings(max_examples=80, deadline=None)
@given(tables, st.integers(0, 5), st.integers(1, 6), st.integers(0, 9))
def test_the_definition_holds_in_any_order(X, eps, min_samples, seed):
    model = DBSCAN(eps, min_samples=min_samples, order="random", random_state=seed)
    *steps, last = model.steps(X)
    model.fit(X)
    assert_array_equal(model.labels_, last.labels)
    is_near = pairwise_distances(X, metric="euclidean") <= eps + 1e-9
    core = is_near.sum(axis=1) >= min_samples
    assert_array_equal(model.core_sample_indices_, np.flatnonzero(core))
    assert sorted(step.row for step in steps) == list(range(len(X)))
    assert_array_equal(last.labels == NOISE, ~is_near[:, core].any(axis=1))
    core_pairs = is_near & core & core[:, None]
    assert (last.labels[:, None] == last.labels)[core_pairs].all()
    for row in np.flatnonzero(~core & (last.labels != NOISE)):
        around = set(last.labels[core & is_near[row]].tolist())
        assert last.labels[row] in around
        assert dict(last.contested).get(row, tuple(around)) == tuple(sorted(around))


@settings(max_examples=40, deadline=None)
@given(tables, st.integers(0, 5), st.integers(1, 6))
def test_what_a_step_tells(X, eps, min_samples):
    before = np.full(len(X), UNCLASSIFIED)
    seeds = []
    for step in DBSCAN(eps, min_samples=min_samples).steps(X):
        if step.row is None:
            break
        assert step.weight == len(step.neighbors)
        assert step.row in step.neighbors
        assert step.core == (len(step.neighbors) >= min_samples)
        assert (step.phase == "expand") == bool(seeds)
        if seeds:
            assert step.row == seeds.pop(0)
        seeds += [
            row for row in step.joined.tolist() if row not in step.rescued and row != step.row
        ]
        assert sorted(seeds) == sorted(step.seeds.tolist())
        noise = [] if step.core or step.phase == "expand" else [step.row]
        assert np.flatnonzero(before != step.labels).tolist() == step.joined.tolist() + noise
        assert_array_equal(step.rescued, [row for row in step.joined if before[row] == NOISE])
        before, seeds = step.labels, step.seeds.tolist()


# --- the order of visits --------------------------------------------------------------------------


def test_a_contested_border_point_goes_to_the_cluster_found_first():
    # 0 1 2 and 4 5 6 are dense (their middles are core points), 3 lies in no core point's reach but
    # those of 2 and 4
    X = np.array([[0.0], [0.5], [1.0], [2.0], [3.0], [3.5], [4.0]])
    for order, owner in (("index", [0, 2]), ("reverse", [4, 6])):
        model = DBSCAN(1.0, min_samples=4, order=order).fit(X)
        assert model.core_sample_indices_.tolist() == [2, 4]
        labels = model.labels_
        assert labels[3] == labels[owner[0]] == labels[owner[1]] == 0
        assert set(labels) == {0, 1}
    assert done(DBSCAN(1.0, min_samples=4), X).contested == ((3, (0, 1)),)


def test_an_order_only_renumbers_core_points_and_keeps_the_noise():
    X, _ = make_blobs(300, 2, centers=4, random_state=2)
    index = DBSCAN(0.5).fit(X)
    for seed in range(5):
        shuffled = DBSCAN(0.5, order="random", random_state=seed).fit(X)
        core = index.core_sample_indices_
        pairs = set(zip(index.labels_[core], shuffled.labels_[core], strict=True))
        assert len(pairs) == index.labels_.max() + 1 == shuffled.labels_.max() + 1
        assert_array_equal(index.labels_ == NOISE, shuffled.labels_ == NOISE)


def test_an_order_may_be_given():
    X = np.array([[0.0], [0.1], [5.0], [5.1]])
    model = DBSCAN(1.0, min_samples=2, order=[2, 3, 0, 1])
    assert model.fit(X).labels_.tolist() == [1, 1, 0, 0]
    assert [step.row for step in model.steps(X)] == [2, 3, 0, 1, None]


# --- degenerate input -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("params", "labels", "reason"),
    [
        (
            {"eps": 0.0, "min_samples": 2},
            [0, 0, -1, -1],
            (
                "Every row is classified: 1 cluster, 2 core points, 2 rows of noise. "
                "With eps = 0 only identical rows are neighbours."
            ),
        ),
        (
            {"eps": 1.0, "min_samples": 4},
            [-1] * 4,
            "No row has 4 rows within 1 of it, itself included, so every row is noise.",
        ),
        (
            {"eps": 99.0, "min_samples": 4},
            [0] * 4,
            (
                "All rows are one cluster: from any row to any other, "
                "chains of core points lead in hops of at most 99."
            ),
        ),
        (
            {"eps": 0.5, "min_samples": 1},
            [0, 0, 1, 2],
            "Every row is classified: 3 clusters, 4 core points, 0 rows of noise.",
        ),
    ],
)
def test_extremes_are_told(params, labels, reason):
    X = np.array([[1.0], [1.0], [2.0], [4.0]])
    assert DBSCAN(**params).fit(X).labels_.tolist() == labels
    assert done(DBSCAN(**params), X).reason == reason


def test_only_duplicates():
    assert set(DBSCAN(0.0, min_samples=7).fit(np.ones((7, 2))).labels_) == {0}
    assert set(DBSCAN(0.0, min_samples=8).fit(np.ones((7, 2))).labels_) == {NOISE}


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"eps": -1.0}, "eps must be a number from 0 to 1e+150; it was -1.0."),
        ({"min_samples": 0}, "min_samples must be a whole number from 1 to 1000000000; it was 0."),
        ({"order": "spiral"}, "order must be one of index, reverse, random; it was 'spiral'."),
        ({"order": [0, 0, 1]}, "An order of visits must list each of the rows 0 to 4 once."),
    ],
)
def test_refusals_are_sentences(params, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        DBSCAN(**params).fit(np.arange(5.0)[:, None])


def test_weights_that_do_not_fit_are_refused():
    X = np.arange(5.0)[:, None]
    with pytest.raises(ValueError, match=r"one number for each of the 5 rows, not \(2,\)"):
        DBSCAN().fit(X, sample_weight=[1, 1])
    with pytest.raises(ValueError, match="Every sample_weight is zero"):
        DBSCAN().fit(X, sample_weight=[0] * 5)


def test_too_many_pairs_are_refused_before_memory_is_asked_for(monkeypatch):
    monkeypatch.setattr("dmlib.clustering.neighbors.MAX_PAIRS", 1000)
    with pytest.raises(
        ValueError,
        match=r"about 100 rows within a distance of 9, .* among 100 rows\. Choose a smaller",
    ):
        DBSCAN(9.0).fit(np.random.default_rng(0).uniform(size=(100, 2)))


def test_numbers_that_overflow_are_refused():
    with pytest.raises(ValueError, match="too large"):
        DBSCAN().fit(np.array([[1e200], [-1e200], [0.0]]))
