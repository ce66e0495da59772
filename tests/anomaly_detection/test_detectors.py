import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist, mahalanobis
from scipy.stats import chi2
from sklearn import ensemble, metrics, neighbors
from sklearn.datasets import load_iris, load_wine, make_blobs, make_moons

from dmlib.anomaly_detection import (
    BoxPlotFences,
    IsolationForest,
    IsolationTree,
    KthNeighborDistance,
    LocalOutlierFactor,
    MahalanobisDistance,
    average_path_length,
)
from dmlib.anomaly_detection.isolation_forest import forest_scores

DATA = {
    "iris": load_iris().data,
    "wine": load_wine().data,
    "blobs": make_blobs(200, random_state=0)[0],
    "moons": make_moons(120, noise=0.1, random_state=1)[0],
    "one column": np.random.default_rng(1).normal(size=(60, 1)),
}
each_data = pytest.mark.parametrize("X", DATA.values(), ids=DATA)
DETECTORS = [
    BoxPlotFences(),
    IsolationForest(n_estimators=10, random_state=0),
    KthNeighborDistance(3),
    LocalOutlierFactor(3),
    MahalanobisDistance(),
]
each_detector = pytest.mark.parametrize("model", DETECTORS, ids=lambda model: type(model).__name__)

# The four points of the lesson, A to D.
POINTS = np.array([(1, 5), (2, 5), (4, 5), (8, 5)], float)


# Oracles
# ---------------------------------------------------------------------------------------------


@each_data
@pytest.mark.parametrize("k", [1, 5, 20, 500])
@pytest.mark.parametrize("contamination", ["auto", 0.05])
@pytest.mark.filterwarnings("ignore:n_neighbors", "ignore:Duplicate values")
def test_local_outlier_factors_are_those_of_scikit_learn(X, k, contamination):
    model = LocalOutlierFactor(k, contamination=contamination).fit(X)
    reference = neighbors.LocalOutlierFactor(k, contamination=contamination).fit(X)
    assert_allclose(model.scores_, -reference.negative_outlier_factor_)
    assert model.threshold_ == pytest.approx(-reference.offset_)
    assert model.n_neighbors_ == reference.n_neighbors_


@each_data
def test_new_rows_are_scored_as_by_scikit_learn(X):
    model = LocalOutlierFactor(10).fit(X)
    reference = neighbors.LocalOutlierFactor(10, novelty=True).fit(X)
    places = X[::3] + 0.1
    assert_allclose(model.anomaly_score(places), -reference.score_samples(places))
    assert_array_equal(model.predict(places), reference.predict(places))


@each_data
@pytest.mark.parametrize("k", [1, 7])
def test_distances_to_neighbours_are_those_of_a_sorted_matrix(X, k):
    model = KthNeighborDistance(k).fit(X)
    assert_allclose(model.scores_, np.sort(cdist(X, X), axis=1)[:, k], atol=1e-12)
    places = X[::3] + 0.1
    expected = np.sort(cdist(places, X), axis=1)[:, k - 1]
    assert_allclose(model.anomaly_score(places), expected)
    low, high = np.percentile(model.scores_, (25, 75))
    assert model.threshold_ == pytest.approx(high + 1.5 * (high - low))


@each_data
def test_mahalanobis_distances_are_those_of_scipy(X):
    model = MahalanobisDistance(quantile=0.9).fit(X)
    inverse = np.linalg.inv(np.atleast_2d(np.cov(X, rowvar=False)))
    expected = [mahalanobis(row, X.mean(axis=0), inverse) for row in X]
    assert_allclose(model.scores_, expected)
    assert_allclose(model.anomaly_score(X), expected)
    assert model.threshold_**2 == pytest.approx(chi2.ppf(0.9, X.shape[1]))


@each_data
def test_fences_are_those_of_pandas(X):
    frame = pd.DataFrame(X)
    low, high = frame.quantile(0.25), frame.quantile(0.75)
    reach = 1.5 * (high - low)
    outside = ((frame < low - reach) | (frame > high + reach)).any(axis=1)
    assert_array_equal(BoxPlotFences().fit(X).anomalies_, outside)


def as_heap(tree):
    """Write a tree of scikit-learn in the order of ours."""
    size = 2 ** (tree.max_depth + 1) - 1
    features, thresholds, sizes = np.full(size, -1), np.full(size, np.nan), np.zeros(size, int)

    def write(node, place):
        sizes[place] = tree.n_node_samples[node]
        if tree.children_left[node] >= 0:
            features[place], thresholds[place] = tree.feature[node], tree.threshold[node]
            write(tree.children_left[node], 2 * place + 1)
            write(tree.children_right[node], 2 * place + 2)

    write(0, 0)
    return IsolationTree(features, thresholds, sizes)


@each_data
@pytest.mark.parametrize("max_samples", [16, 60])
def test_scores_of_the_same_trees_are_those_of_scikit_learn(X, max_samples):
    X = X.astype(np.float32)
    reference = ensemble.IsolationForest(
        n_estimators=20, max_samples=max_samples, random_state=0
    ).fit(X)
    trees = [as_heap(each.tree_) for each in reference.estimators_]
    scores = forest_scores(trees, X.astype(float), max_samples)
    assert_allclose(scores, -reference.score_samples(X))


@each_data
def test_many_trees_agree_with_many_trees_of_scikit_learn(X):
    model = IsolationForest(n_estimators=500, random_state=0).fit(X)
    reference = ensemble.IsolationForest(n_estimators=500, random_state=1).fit(X)
    assert_allclose(model.scores_, -reference.score_samples(X), atol=0.03)


@pytest.mark.parametrize("n", [1, 2, 3, 10, 256, 5000])
def test_average_path_length_is_that_of_the_paper(n):
    harmonic = sum(1 / i for i in range(1, n))
    expected = 2 * harmonic - 2 * (n - 1) / n if n > 1 else 0.0
    # the paper takes the logarithm for the sum of the harmonic series
    assert average_path_length(n) == pytest.approx(expected, abs=1 / max(n - 1, 1))


def test_quality_is_that_of_scikit_learn():
    X, y = make_blobs([60, 6], centers=[[0, 0], [4, 4]], cluster_std=1.5, random_state=0)
    model = KthNeighborDistance(5, contamination=0.1, anomaly_class=2).fit(X, y)
    assert model.precision_ == metrics.precision_score(y, model.anomalies_)
    assert model.recall_ == metrics.recall_score(y, model.anomalies_)
    assert model.auc_ == pytest.approx(metrics.roc_auc_score(y, model.scores_))


# By hand
# ---------------------------------------------------------------------------------------------


def test_four_points_by_hand():
    first, second, *_, last = LocalOutlierFactor(2).steps(POINTS)
    assert first.k_distances.tolist() == [3, 2, 3, 6]
    assert_allclose(second.densities, [1 / 2.5, 1 / 3, 1 / 2.5, 1 / 5])
    assert_allclose(last.scores, [11 / 12, 1.2, 11 / 12, 11 / 6])
    assert last.anomalies.tolist() == [False, False, False, True]


def test_one_cut_by_hand():
    # Three rows and one: the first is alone after a cut, the others share a leaf, c(3) = 1.2074.
    tree = IsolationTree(
        np.array([0, -1, -1]), np.array([5.0, np.nan, np.nan]), np.array([4, 3, 1])
    )
    lengths = tree.path_lengths(POINTS)
    c = 2 * (np.log(2) + np.euler_gamma) - 4 / 3
    assert_allclose(lengths, [1 + c, 1 + c, 1 + c, 1])
    assert tree.path(POINTS[3]) == [0, 2]


# Invariants
# ---------------------------------------------------------------------------------------------

rows = arrays(
    float,
    st.tuples(st.integers(1, 25), st.integers(1, 3)),
    elements=st.integers(-20, 20).map(float),
)


@each_detector
@given(rows)
def test_whatever_the_rows_scores_are_finite_and_marks_are_above_the_threshold(model, X):
    *_, last = model.steps(X)
    assert np.isfinite(last.scores).all()
    assert (last.scores >= 0).all()
    assert_array_equal(last.anomalies, last.scores > last.threshold)
    assert last.n_anomalies == last.anomalies.sum()


@each_detector
@given(rows, st.floats(0.0, 0.5))
def test_no_more_rows_are_marked_than_the_share(model, X, share):
    fitted = type(model)(contamination=share).fit(X)
    assert fitted.n_anomalies_ <= np.ceil(share * len(X))


@given(rows, st.randoms())
def test_the_order_of_the_rows_does_not_matter(X, random):
    order = list(range(len(X)))
    random.shuffle(order)
    for model in (BoxPlotFences(), MahalanobisDistance(), KthNeighborDistance(3)):
        plain, shuffled = model.fit(X).scores_[order], model.fit(X[order]).scores_
        assert_allclose(plain, shuffled, atol=1e-6)


@given(rows, st.integers(0, 2**31 - 1))
def test_trees_part_the_rows_that_they_cut(X, seed):
    fitted = IsolationForest(n_estimators=2, max_samples=8, random_state=seed).fit(X)
    for tree in fitted.trees_:
        cuts = np.flatnonzero(tree.features >= 0)
        assert_array_equal(tree.sizes[2 * cuts + 1] + tree.sizes[2 * cuts + 2], tree.sizes[cuts])
        assert (tree.sizes[2 * cuts + 1] > 0).all()
        assert (tree.sizes[2 * cuts + 2] > 0).all()


# What is special
# ---------------------------------------------------------------------------------------------


@each_detector
@pytest.mark.parametrize(
    "X", [[[2.0, 5.0]], np.full((6, 2), 3.0), np.c_[np.arange(6.0), np.ones(6)]], ids=str
)
def test_a_single_row_equal_rows_and_a_constant_column_are_scored(model, X):
    fitted = type(model)().fit(X)
    assert np.isfinite(fitted.scores_).all()
    assert np.isfinite(fitted.anomaly_score(np.asarray(X) + 1)).all()


@each_detector
def test_equal_rows_have_equal_scores_and_none_is_marked(model):
    fitted = type(model)().fit(np.full((6, 2), 3.0))
    assert np.ptp(fitted.scores_) == pytest.approx(0)
    assert fitted.n_anomalies_ == 0


def test_rows_in_other_units_have_the_same_scores_but_for_distances():
    X = DATA["blobs"]
    for model in DETECTORS:
        plain, scaled = model.fit(X).scores_, type(model)(**model.get_params()).fit(8 * X).scores_
        factor = 8 if isinstance(model, KthNeighborDistance) else 1
        assert_allclose(scaled, factor * plain, rtol=1e-6)


def test_a_column_in_small_units_counts_for_the_mahalanobis_distance():
    X = DATA["blobs"]
    assert_allclose(
        MahalanobisDistance().fit(X * [1e-9, 1e9]).scores_, MahalanobisDistance().fit(X).scores_
    )


def test_more_trees_are_added_to_the_first():
    X = DATA["blobs"]
    few, many = (IsolationForest(n_estimators=n, random_state=4).fit(X) for n in (3, 30))
    for first, second in zip(few.trees_, many.trees_, strict=False):
        assert_array_equal(first.thresholds, second.thresholds)


@pytest.mark.parametrize("y", [None, [0, 0, 0, 0], [1, 1, 1, 1]])
def test_without_some_known_anomalies_there_is_no_quality(y):
    model = LocalOutlierFactor(2, anomaly_class=2).fit(POINTS, y)
    assert (model.precision_, model.recall_, model.auc_) == (None, None, None)


def test_known_anomalies_change_no_score():
    X, y = DATA["blobs"], make_blobs(200, random_state=0)[1]
    plain = LocalOutlierFactor().fit(X)
    assert_array_equal(LocalOutlierFactor(anomaly_class=1).fit(X, y).scores_, plain.scores_)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (LocalOutlierFactor(0), "n_neighbors must be a whole number"),
        (LocalOutlierFactor(contamination=0.9), "contamination must be a number from 0 to 0.5"),
        (BoxPlotFences(threshold=-1.0), "threshold must be a number from 0"),
        (MahalanobisDistance(quantile=1.0), "quantile must be a number from"),
        (IsolationForest(n_estimators=0), "n_estimators must be a whole number"),
        (IsolationForest(max_samples=1), "max_samples must be a whole number"),
    ],
    ids=str,
)
def test_what_is_out_of_bounds_is_refused(model, message):
    with pytest.raises(ValueError, match=message):
        model.fit(POINTS)
