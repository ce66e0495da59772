"""k nearest neighbours against brute force, R, Weka and scikit-learn."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist
from sklearn import neighbors
from sklearn.datasets import load_iris, make_blobs
from sklearn.model_selection import LeaveOneOut, cross_val_predict

from dmlib.classification import KNeighborsClassifier, error_curve
from dmlib.trace import run

ROOT = Path(__file__).parents[3]
GOLDEN = json.loads((ROOT / "tests" / "golden" / "knn.json").read_text())
SCIPY = {
    "manhattan": "cityblock",
    "cosine": "cosine",
    "euclidean": "euclidean",
    "chebyshev": "chebyshev",
}


def weather():
    table = pd.read_csv(ROOT / "assets" / "data" / "weather_nominal.csv", dtype=str)
    return table.drop(columns="play"), table["play"].to_numpy()


def brute_force(D, k):
    """The k nearest by the definition: sorted by distance (to 10 digits), then by index."""
    order = np.array(
        [sorted(range(D.shape[1]), key=lambda i, row=row: (round(row[i], 10), i))[:k] for row in D]
    )
    return np.take_along_axis(D, order, axis=1), order


@pytest.fixture
def noise():
    rng = np.random.default_rng(0)
    return rng.normal(size=(300, 3)), rng.integers(0, 3, 300), rng.normal(size=(80, 3))


# --- R and Weka -----------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 3, 5, 7])
def test_iris_as_in_r(k):
    X, y = load_iris(return_X_y=True)
    golden = GOLDEN["iris_r"][f"k{k}"]
    predicted = KNeighborsClassifier(k).fit(X[::2], y[::2]).predict(X[1::2])
    sure = ~np.isin(np.arange(2, 151, 2), golden["rows_that_depend_on_ties"])
    assert_array_equal(predicted[sure], np.array([*map(int, golden["predicted"])])[sure])
    if sure.all():
        assert (predicted != y[1::2]).sum() == golden["errors"]


@pytest.mark.parametrize("k", [1, 3, 5])
def test_distances_of_nominal_rows_as_in_weka(k):
    X, y = weather()
    model = KNeighborsClassifier(k).fit(X, y)
    distances, indices = model.kneighbors(X, len(X))
    voters = distances <= distances[:, [k - 1]] + 1e-9  # in Weka all rows at the k-th distance vote
    yes = (voters & (y[indices] == "yes")).sum(axis=1) + 1 / 14
    assert_allclose(yes / (voters.sum(axis=1) + 2 / 14), GOLDEN["weather_weka"][f"k{k}"], rtol=1e-6)


# --- scikit-learn and brute force -----------------------------------------------------------------


@pytest.mark.parametrize("algorithm", ["auto", "kd_tree", "ball_tree", "brute"])
@pytest.mark.parametrize(
    "weights", ["uniform", "distance", lambda d: np.exp(-d)], ids=["uniform", "distance", "own"]
)
@pytest.mark.parametrize(
    "metric",
    [{"p": 1}, {"p": 3}, {"p": 1.5}, {"metric": "chebyshev"}, {"metric": "cosine"}, {}],
    ids=str,
)
def test_as_in_scikit_learn(noise, algorithm, weights, metric):
    X, y, Q = noise
    ours = KNeighborsClassifier(7, weights=weights, algorithm=algorithm, **metric).fit(X, y)
    theirs = neighbors.KNeighborsClassifier(7, weights=weights, **metric).fit(X, y)
    for result, expected in zip(ours.kneighbors(Q), theirs.kneighbors(Q), strict=True):
        assert_allclose(result, expected)
    assert_allclose(ours.predict_proba(Q), theirs.predict_proba(Q))
    assert_array_equal(ours.predict(Q), theirs.predict(Q))


def test_mahalanobis_is_that_of_scipy(noise):
    X, y, Q = noise
    X, Q = X @ [[1, 0.9, 0], [0, 0.3, 0], [0, 0, 50]], Q @ [[1, 0.9, 0], [0, 0.3, 0], [0, 0, 50]]
    VI = np.linalg.inv(np.cov(X.T))
    expected, order = brute_force(cdist(Q, X, "mahalanobis", VI=VI), 4)
    for params in (None, {"VI": VI}, {"V": np.cov(X.T)}):
        distances, indices = (
            KNeighborsClassifier(4, metric="mahalanobis", metric_params=params)
            .fit(X, y)
            .kneighbors(Q)
        )
        assert_allclose(distances, expected)
        assert_array_equal(indices, order)


@pytest.mark.parametrize("n_features", [5, 40])
def test_many_columns_and_large_numbers(n_features):
    rng = np.random.default_rng(1)
    X, Q = rng.normal(size=(400, n_features)) + 1e6, rng.normal(size=(50, n_features)) + 1e6
    distances, indices = KNeighborsClassifier(5).fit(X, np.arange(400) % 2).kneighbors(Q)
    expected, order = brute_force(cdist(Q, X), 5)
    assert_array_equal(indices, order)
    assert_allclose(distances, expected)


@pytest.mark.parametrize("algorithm", ["kd_tree", "brute"])
@pytest.mark.parametrize("metric", ["manhattan", "euclidean", "chebyshev"])
def test_equally_near_rows_join_in_their_order(algorithm, metric):
    rng = np.random.default_rng(2)
    X, Q = (
        rng.integers(0, 4, (200, 2)) / 10,
        rng.integers(0, 4, (60, 2)) / 10,
    )  # tenths: ties up to rounding
    model = KNeighborsClassifier(6, algorithm=algorithm, metric=metric).fit(X, np.arange(200) % 3)
    distances, indices = model.kneighbors(Q)
    expected, order = brute_force(cdist(Q, X, SCIPY[metric]), 6)
    assert_array_equal(indices, order)
    assert_allclose(distances, expected, atol=1e-12)


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 10_000),
    st.integers(1, 12),
    st.integers(1, 4),
    st.sampled_from([1.0, 2.0, 3.0, np.inf]),
)
def test_the_nearest_by_the_definition(seed, k, n_features, p):
    rng = np.random.default_rng(seed)
    X, Q = rng.integers(0, 5, (30, n_features)) * 1.0, rng.integers(0, 5, (10, n_features)) * 1.0
    D = cdist(Q, X, "chebyshev") if np.isinf(p) else cdist(Q, X, "minkowski", p=p)
    distances, indices = KNeighborsClassifier(k, p=p).fit(X, np.arange(30) % 2).kneighbors(Q)
    expected, order = brute_force(D, k)
    assert_array_equal(indices, order)
    assert_allclose(distances, expected, atol=1e-12)


def test_nominal_columns_count_zero_or_one():
    frame = pd.DataFrame({"sky": ["sun", "rain", "sun", "snow"], "wind": [0.0, 0.0, 3.0, 1.0]})
    queries = pd.DataFrame({"sky": ["sun", "fog"], "wind": [0.0, 1.0]})
    different = [[0, 1, 0, 1], [1, 1, 1, 1]]
    wind = [[0, 0, 3, 1], [1, 1, 2, 0]]
    expected = {
        "manhattan": np.add(different, wind),
        "euclidean": np.sqrt(np.add(different, np.square(wind))),
        "chebyshev": np.maximum(different, wind),
    }
    for metric, D in expected.items():
        model = KNeighborsClassifier(4, metric=metric).fit(frame, [0, 0, 1, 1])
        distances, indices = model.kneighbors(queries)
        assert_array_equal(indices, brute_force(D, 4)[1])
        assert_allclose(distances, brute_force(D, 4)[0])


# --- votes ----------------------------------------------------------------------------------------


def test_a_tied_vote_goes_to_the_class_that_sorts_first():
    assert KNeighborsClassifier(2).fit([[0.0], [2.0]], ["b", "a"]).predict([[0.1]]).tolist() == [
        "a"
    ]


def test_weights_of_distance():
    X, y = [[0.0], [1.0], [4.0]], ["a", "b", "b"]
    model = KNeighborsClassifier(3, weights="distance").fit(X, y)
    # 2 is 2, 1 and 2 away: 1/2 for a, 1 + 1/2 for b; at 0 the row itself outvotes the others
    assert_allclose(model.predict_proba([[2.0], [0.0]]), [[0.25, 0.75], [1, 0]])


def test_without_a_query_no_row_is_its_own_neighbour(noise):
    X, y, _ = noise
    X[10:14] = X[9]  # duplicates
    model = KNeighborsClassifier(5).fit(X, y)
    indices = model.kneighbors(return_distance=False)
    assert not (indices == np.arange(len(X))[:, None]).any()
    D = cdist(X, X)
    np.fill_diagonal(D, np.inf)
    assert_array_equal(indices, brute_force(D, 5)[1])
    assert_array_equal(model.predict(None), cross_val_predict(model, X, y, cv=LeaveOneOut()))
    assert model.score(None, y) == pytest.approx((model.predict(None) == y).mean())


@pytest.mark.parametrize(
    ("metric", "p", "name"),
    [
        ("minkowski", 2, "euclidean"),
        ("minkowski", 3, "minkowski"),
        ("l1", 2, "manhattan"),
        ("cosine", 2, "cosine"),
    ],
)
def test_common_names_of_the_metric(metric, p, name):
    assert (
        KNeighborsClassifier(1, metric=metric, p=p).fit([[1.0], [2.0]], [0, 1]).effective_metric_
        == name
    )


# --- what is refused ------------------------------------------------------------------------------


def test_more_neighbours_than_rows_is_told():
    model = KNeighborsClassifier(3).fit([[0.0], [1.0], [2.0]], [0, 1, 1])
    assert model.predict([[0.0]]).tolist() == [1]
    with pytest.raises(
        ValueError, match="Expected n_neighbors <= n_samples_fit, but n_neighbors = 4"
    ):
        model.kneighbors([[0.0]], 4)
    with pytest.raises(ValueError, match="choose at most 2, as no row is its own neighbour"):
        model.predict(None)
    with pytest.raises(ValueError, match="Expected n_neighbors"):
        run(KNeighborsClassifier(9), [[0.0], [1.0]], [0, 1])


def test_missing_values_are_refused_or_filled():
    X = pd.DataFrame({"sky": ["sun", None, "sun", "rain"], "wind": [1.0, 2.0, np.nan, 6.0]})
    with pytest.raises(ValueError, match="row 2 has no value in 'sky'"):
        KNeighborsClassifier(1).fit(X, [0, 0, 1, 1])
    filled = KNeighborsClassifier(2, missing="typical").fit(X, [0, 0, 1, 1])
    same = KNeighborsClassifier(2).fit(X.fillna({"sky": "sun", "wind": 3.0}), [0, 0, 1, 1])
    assert_allclose(
        filled.kneighbors(X)[0], same.kneighbors(X.fillna({"sky": "sun", "wind": 3.0}))[0]
    )


@pytest.mark.parametrize(
    ("X", "params", "sentence"),
    [
        ([["a"], ["b"]], {"metric": "mahalanobis"}, "needs numbers"),
        ([["a"], ["b"]], {"metric": "cosine"}, "needs numbers"),
        ([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]], {"metric": "mahalanobis"}, "has no inverse"),
        ([[1.0, 2.0], [2.0, 2.0], [3.0, 2.0]], {"metric": "mahalanobis"}, "has no inverse"),
        ([[1.0, 2.0]], {"metric": "mahalanobis"}, "at least 2 rows"),
        ([[0.0, 0.0], [2.0, 2.0]], {"metric": "cosine"}, "no direction"),
        ([[0.0], [2.0]], {"p": 0.5}, "p must be a number from 1"),
        ([[0.0], [2.0]], {"algorithm": "magic"}, "algorithm must be one of"),
        ([[0.0], [2.0]], {"weights": lambda d: 0 * d}, "zero weights"),
    ],
)
def test_what_cannot_be_measured_is_told(X, params, sentence):
    with pytest.raises(ValueError, match=sentence):
        KNeighborsClassifier(1, **params).fit(X, np.arange(len(X)) % 2).predict(X)


def test_one_class_and_constant_columns_do_no_harm():
    model = KNeighborsClassifier(2).fit([[1.0, 5.0], [1.0, 5.0]], ["only", "only"])
    assert model.predict([[9.0, 9.0]]).tolist() == ["only"]


# --- steps ----------------------------------------------------------------------------------------


def test_steps_by_hand():
    """Distances from 4: 3, 1, 1, 4; with k = 3 the rows join 2, 3, 1."""
    model = KNeighborsClassifier(3).fit([[1.0], [3.0], [5.0], [8.0]], ["a", "b", "a", "b"])
    steps = list(model.explain_steps([4.0]))
    assert [step.phase for step in steps] == ["bound", "measure", "join", "join", "join", "vote"]
    assert [step.neighbors.tolist() for step in steps[2:5]] == [[1], [1, 2], [1, 2, 0]]
    assert [step.votes.tolist() for step in steps[1:]] == [[0, 0], [0, 1], [1, 1], [2, 1], [2, 1]]
    assert [step.winner for step in steps] == [None, None, 1, 0, 0, 0]
    # the row farthest from the mean, 4.25, is 8: it is 4 away, and the others are 7, 5, 3, 0 from
    # it
    assert (steps[0].pivot, steps[0].pivot_distance, steps[0].bounds.tolist()) == (
        3,
        4.0,
        [3.0, 1.0, 1.0, 4.0],
    )
    assert np.isnan(steps[0].distances).all()
    assert_array_equal(
        steps[1].distances, [3, 1, 1, np.nan]
    )  # 8 is at least 4 away, and three rows are nearer


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev", "mahalanobis", "cosine"])
@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_the_explained_vote_is_the_prediction(noise, metric, weights):
    X, y, Q = noise
    model = KNeighborsClassifier(9, metric=metric, weights=weights).fit(X, y)
    distances, indices = model.kneighbors(Q[:10])
    shares, labels = model.predict_proba(Q[:10]), model.predict(Q[:10])
    for i in range(10):
        *_, last = model.explain_steps(Q[i])
        assert_array_equal(last.neighbors, indices[i])
        assert_allclose(last.distances[last.neighbors], distances[i])
        assert_allclose(last.votes / last.votes.sum(), shares[i])
        assert model.classes_[last.winner] == labels[i]


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev", "mahalanobis", "cosine"])
def test_what_is_pruned_is_too_far(noise, metric):
    X, y, Q = noise
    model = KNeighborsClassifier(5, metric=metric).fit(X, y)
    all_neighbors = model.kneighbors(Q, len(X))
    for i in range(5):
        *_, last = model.explain_steps(Q[i])
        true = np.empty(len(X))
        true[all_neighbors[1][i]] = all_neighbors[0][i]
        assert (last.bounds <= true * (1 + 1e-9) + 1e-12).all()
        pruned = np.isnan(last.distances)
        assert pruned.any()
        assert (true[pruned] >= true[last.neighbors[-1]]).all()
        assert_allclose(last.distances[~pruned], true[~pruned], atol=1e-12)


def test_without_a_query_the_middle_is_explained():
    frame = pd.DataFrame({"sky": ["sun", "rain", "sun"], "wind": [1.0, 2.0, 6.0]})
    store, *steps = run(KNeighborsClassifier(2), frame, [0, 0, 1]).steps
    assert (store.phase, store.winner) == ("store", None)
    expected_steps = KNeighborsClassifier(2).fit(frame, [0, 0, 1]).explain_steps(["sun", 3.0])
    assert [step.neighbors.tolist() for step in steps] == [
        step.neighbors.tolist() for step in expected_steps
    ]


def test_a_query_in_any_form():
    frame = pd.DataFrame({"sky": ["sun", "rain", "sun"], "wind": [1.0, 2.0, 6.0]})
    model = KNeighborsClassifier(1).fit(frame, [0, 0, 1])
    for query in (
        ["rain", 2.5],
        frame.iloc[1],
        frame.iloc[[1]],
        np.array([["rain", 2.0]], dtype=object),
    ):
        assert list(model.explain_steps(query))[-1].neighbors.tolist() == [1]
    with pytest.raises(ValueError, match="one row of 2 values"):
        list(model.explain_steps(["rain"]))
    with pytest.raises(ValueError, match="has no value in 'wind'"):
        list(model.explain_steps(["rain", None]))


# --- error against k ------------------------------------------------------------------------------


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_error_curve_is_that_of_separate_models(weights):
    X, y = make_blobs(90, 2, centers=3, cluster_std=3.0, random_state=0)
    curve = error_curve(
        KNeighborsClassifier(weights=weights), X[:60], y[:60], X[60:], y[60:], [1, 4, 9, 60, 200]
    )
    assert curve.n_neighbors.tolist() == [1, 4, 9, 60]
    for i, k in enumerate(curve.n_neighbors):
        model = KNeighborsClassifier(int(k), weights=weights).fit(X[:60], y[:60])
        assert curve.train[i] == pytest.approx(1 - model.score(X[:60], y[:60]))
        assert curve.test[i] == pytest.approx(1 - model.score(X[60:], y[60:]))
        if k < 60:
            assert curve.leave_one_out[i] == pytest.approx(1 - model.score(None, y[:60]))
    assert np.isnan(curve.leave_one_out[-1])
    assert curve.train[0] == 0


def test_error_curve_without_a_test():
    curve = error_curve(KNeighborsClassifier(), [[0.0], [1.0], [2.0]], ["a", "a", "b"])
    assert curve.test is None
    assert curve.n_neighbors.tolist() == [1, 2, 3]


def test_graph_of_the_neighbours_is_that_of_scikit_learn():
    X, y = load_iris(return_X_y=True)
    X = X + np.random.default_rng(0).normal(scale=1e-3, size=X.shape)  # no ties
    ours, theirs = KNeighborsClassifier(4).fit(X, y), neighbors.KNeighborsClassifier(4).fit(X, y)
    for mode in ("connectivity", "distance"):
        for queries in (None, X[:9] + 0.1):
            graph = ours.kneighbors_graph(queries, mode=mode).toarray()
            assert_allclose(graph, theirs.kneighbors_graph(queries, mode=mode).toarray(), atol=1e-9)
