"""The measures against scikit-learn, R, and their definitions pair by pair."""

import json
from itertools import combinations
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.spatial.distance import cdist
from sklearn import metrics
from sklearn.base import BaseEstimator
from sklearn.datasets import load_iris

from dmlib.clustering import ClusterValidity
from dmlib.clustering.cluster_validity import external
from dmlib.clustering.cluster_validity.algorithm import INTERNAL
from dmlib.clustering.cluster_validity.external import contingency
from dmlib.clustering.cluster_validity.internal import SEPARATIONS
from dmlib.clustering.cluster_validity.tendency import hopkins
from dmlib.clustering.cluster_validity.terms import UndefinedMeasure
from tests.pictures.examples import result

GOLDEN = json.loads(
    (Path(__file__).parents[2] / "golden" / "cluster_validity_iris.json").read_text()
)


def parts_of(name, X, codes):
    return INTERNAL[name](X, codes, cdist(X, X))


def test_the_numbers_of_r_on_the_irises():
    X, codes, expected = load_iris().data, np.array(GOLDEN["labels"]) - 1, GOLDEN["expected"]
    parts = parts_of("sse", X, codes)
    assert_allclose(parts.value, expected["within_ss"])
    assert_allclose(sum(term.values[2] for term in parts.terms), expected["between_ss"])
    assert_allclose(parts_of("calinski_harabasz", X, codes).value, expected["calinski_harabasz"])
    assert_allclose(
        parts_of("davies_bouldin", X, codes).value, expected["davies_bouldin_mean_distance"]
    )
    assert_allclose(
        parts_of("dunn", X, codes).value, expected["dunn_single_link_over_max_diameter"]
    )
    silhouette = parts_of("silhouette", X, codes)
    assert_allclose(silhouette.value, expected["silhouette_mean"])
    assert_allclose(
        [term.values[3] for term in silhouette.terms], expected["silhouette_by_cluster"]
    )


@st.composite
def clusterings(draw):
    n, k = draw(st.integers(6, 30)), draw(st.integers(2, 4))
    seed = draw(st.integers(0, 10**6))
    rng = np.random.default_rng(seed)
    codes = rng.permutation(np.concatenate([np.arange(k), rng.integers(k, size=n - k)]))
    return rng.normal(size=(n, draw(st.integers(1, 3)))).round(2), codes, rng.integers(3, size=n)


@settings(max_examples=60, deadline=None)
@given(clusterings())
def test_internal_measures_as_scikit_learn_has_them(data):
    X, codes, _ = data
    assert_allclose(
        parts_of("silhouette", X, codes).value, metrics.silhouette_score(X, codes), atol=1e-9
    )
    assert_allclose(
        parts_of("davies_bouldin", X, codes).value,
        metrics.davies_bouldin_score(X, codes),
        rtol=1e-6,
    )
    assert_allclose(
        parts_of("calinski_harabasz", X, codes).value, metrics.calinski_harabasz_score(X, codes)
    )
    parts = parts_of("sse", X, codes)
    assert_allclose(
        parts.value + sum(t.values[2] for t in parts.terms), ((X - X.mean(axis=0)) ** 2).sum()
    )


@settings(max_examples=60, deadline=None)
@given(clusterings())
def test_dunn_and_correlation_pair_by_pair(data):
    X, codes, _ = data
    D = cdist(X, X)
    pairs = list(combinations(range(len(X)), 2))
    same = np.array([codes[i] == codes[j] for i, j in pairs])
    far = np.array([D[i, j] for i, j in pairs])
    if same.any() and far[same].max() > 0:
        assert_allclose(parts_of("dunn", X, codes).value, far[~same].min() / far[same].max())
    if same.any() and far.std() > 0:
        assert_allclose(
            parts_of("correlation", X, codes).value, -np.corrcoef(far, same)[0, 1], atol=1e-9
        )


@settings(max_examples=60, deadline=None)
@given(clusterings())
def test_separations_and_gini_cluster_by_cluster(data):
    X, codes, classes_of_rows = data
    classes = np.unique(classes_of_rows, return_inverse=True)[1]
    k = codes.max() + 1
    if k > 1:
        sums = dict.fromkeys(SEPARATIONS, 0.0)
        for i, j in combinations(range(k), 2):
            distances = [np.linalg.norm(p - q) for p in X[codes == i] for q in X[codes == j]]
            sums["separation_max"] += max(distances)
            sums["separation_min"] += min(distances)
            sums["separation_mean"] += sum(distances) / len(distances)
            centers = X[codes == i].mean(axis=0), X[codes == j].mean(axis=0)
            sums["separation_centroid"] += np.linalg.norm(centers[0] - centers[1])
        for name, value in sums.items():
            assert_allclose(parts_of(name, X, codes).value, value, atol=1e-9)
    different = [
        np.mean([a != b for a in classes[codes == j] for b in classes[codes == j]])
        for j in range(k)
    ]
    expected = np.average(different, weights=np.bincount(codes))
    assert_allclose(external.gini(contingency(codes, classes)).value, expected, atol=1e-12)


@settings(max_examples=60, deadline=None)
@given(clusterings())
def test_links_are_the_edges_of_a_complete_graph(data):
    X, codes, _ = data
    sizes, k = np.bincount(codes), codes.max() + 1
    graph = nx.Graph()
    for i, j in combinations(range(len(X)), 2):
        graph.add_edge(i, j, weight=((X[i] - X[j]) ** 2).sum())
    groups = [np.flatnonzero(codes == j) for j in range(k)]
    within = np.array([graph.subgraph(rows).size(weight="weight") for rows in groups])
    cuts = [nx.cut_size(graph, p, q, "weight") for p, q in combinations(groups, 2)]
    assert_allclose(parts_of("links_within", X, codes).value, within.sum(), atol=1e-9)
    by_size = parts_of("links_within_by_size", X, codes)
    assert_allclose(by_size.value, (within / sizes).sum(), atol=1e-9)
    assert_allclose(by_size.value, parts_of("sse", X, codes).value, atol=1e-9)
    between = parts_of("links_between", X, codes)
    assert_allclose(between.value, sum(cuts), atol=1e-9)
    assert_allclose(between.matrix[np.triu_indices(k, 1)], cuts, atol=1e-9)
    total = len(X) * ((X - X.mean(axis=0)) ** 2).sum()
    assert_allclose(between.value + within.sum(), total, atol=1e-9)
    assert result(between.formula) == pytest.approx(between.value, rel=1e-4, abs=1e-4)


def test_links_of_one_cluster():
    X, codes = np.array([[0.0], [1.0], [3.0]]), np.zeros(3, int)
    assert parts_of("links_within", X, codes).value == 1 + 9 + 4
    with pytest.raises(UndefinedMeasure, match="there is only one"):
        parts_of("links_between", X, codes)


@settings(max_examples=60, deadline=None)
@given(clusterings())
def test_external_measures_as_scikit_learn_has_them(data):
    _, codes, classes_of_rows = data
    classes = np.unique(classes_of_rows, return_inverse=True)[1]
    counts = external.contingency(codes, classes)
    assert_allclose(counts, metrics.cluster.contingency_matrix(classes, codes).T)
    for name, theirs in (
        ("rand", metrics.rand_score),
        ("adjusted_rand", metrics.adjusted_rand_score),
        ("fowlkes_mallows", metrics.fowlkes_mallows_score),
    ):
        assert_allclose(
            external.pair_measure(name, counts).value, theirs(classes, codes), atol=1e-12
        )
    assert_allclose(
        external.nmi(counts).value, metrics.normalized_mutual_info_score(classes, codes), atol=1e-9
    )
    expected = metrics.homogeneity_completeness_v_measure(classes, codes)
    assert_allclose(
        [*external.homogeneity_completeness(counts), external.v_measure(counts).value],
        expected,
        atol=1e-9,
    )
    assert_allclose(
        external.entropy(counts).value,
        external.entropy_of(counts.ravel()) - external.entropy_of(counts.sum(axis=1)),
        atol=1e-9,
    )


@settings(max_examples=30, deadline=None)
@given(clusterings())
def test_pairs_counted_one_by_one(data):
    _, codes, classes = data
    pairs = list(combinations(range(len(codes)), 2))
    in_one_cluster = np.array([codes[i] == codes[j] for i, j in pairs])
    alike = np.array([classes[i] == classes[j] for i, j in pairs])
    counts = external.contingency(codes, classes)
    expected = (
        (in_one_cluster & alike).sum(),
        (in_one_cluster & ~alike).sum(),
        (~in_one_cluster & alike).sum(),
        (~in_one_cluster & ~alike).sum(),
    )
    assert external.pair_counts(counts) == expected
    union = (in_one_cluster | alike).sum()
    if union:
        assert_allclose(
            external.pair_measure("jaccard", counts).value, (in_one_cluster & alike).sum() / union
        )
    assert_allclose(external.purity(counts).value, sum(row.max() for row in counts) / len(codes))


def test_equal_partitions_are_best_whatever_their_names():
    counts = np.diag([5.0, 3.0, 2.0])[[2, 0, 1]]
    for name in external.PAIRS:
        assert external.pair_measure(name, counts).value == 1
    assert external.nmi(counts).value == pytest.approx(1)
    assert external.purity(counts).value == 1
    assert external.entropy(counts).value == 0


def test_hopkins():
    rng = np.random.default_rng(0)
    values = [hopkins(rng.uniform(size=(400, 2)), 40, seed) for seed in range(60)]
    assert abs(np.mean(values) - 0.5) < 0.05
    groups = rng.normal(scale=0.1, size=(200, 2)) + rng.integers(3, size=(200, 1)) * 5
    assert hopkins(groups, random_state=0) > 0.95
    grid = np.stack(np.meshgrid(np.arange(15.0), np.arange(15.0)), axis=-1).reshape(-1, 2)
    assert hopkins(grid, random_state=0) < 0.3
    with pytest.raises(ValueError, match="All rows are equal"):
        hopkins(np.ones((5, 2)))


def test_what_is_not_defined_says_so():
    X = np.arange(6.0)[:, None]
    for name in ("calinski_harabasz", "silhouette", "dunn", "davies_bouldin", "correlation"):
        with pytest.raises(ValueError, match="there is only one"):
            parts_of(name, X, np.zeros(6, int))
    for name in ("calinski_harabasz", "silhouette", "correlation"):
        with pytest.raises(ValueError, match="cluster of its own"):
            parts_of(name, X, np.arange(6))


class Labelled(BaseEstimator):
    """A clustering that is known."""

    def __init__(self, labels):
        self.labels = labels

    def fit(self, X):
        self.labels_ = np.array(self.labels)
        return self


UNDEFINED = {
    "calinski_harabasz": "Calinski-Harabasz index is 0 / 0: all rows are equal",
    "davies_bouldin": "Davies-Bouldin index is 0 / 0: two clusters have the same centre",
    "dunn": "Dunn index is 0 / 0: two clusters have equal rows",
}


@pytest.mark.parametrize("value", [0.1, 1e9 / 7, 3.0])
@pytest.mark.parametrize("measure", UNDEFINED)
def test_what_is_0_by_0_is_not_defined_and_says_why(measure, value):
    X = np.full((13, 2), value)
    model = ClusterValidity(Labelled([0] * 6 + [1] * 7), measure=measure)
    assert np.isnan(model.fit(X).value_)
    assert UNDEFINED[measure] in list(model.steps(X))[-1].reason


def test_two_clusters_of_three_that_coincide():
    X, codes = np.array([[0.0], [0.0], [0.0], [0.0], [5.0], [5.0]]), np.array([0, 0, 1, 1, 2, 2])
    for name in ("dunn", "davies_bouldin"):
        with pytest.raises(UndefinedMeasure):
            parts_of(name, X, codes)
    assert parts_of("calinski_harabasz", X, codes).value == np.inf  # BSS is not 0
    separated = np.array([0, 0, 0, 0, 1, 1])
    assert parts_of("dunn", X, separated).value == np.inf
    assert parts_of("davies_bouldin", X, separated).value == 0.0
