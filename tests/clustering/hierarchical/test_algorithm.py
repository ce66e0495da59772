"""Agglomerative clustering against arithmetic, R, SciPy, scikit-learn and its own definition."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy.cluster import hierarchy
from scipy.spatial.distance import pdist, squareform
from sklearn import cluster
from sklearn.datasets import make_circles, make_moons
from sklearn.metrics import adjusted_rand_score

from dmlib.clustering import AgglomerativeClustering
from dmlib.clustering.hierarchical.trees import MAX_ROWS
from dmlib.trace import run

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "hclust_usarrests.json").read_text())
LINKAGES = ["single", "complete", "average", "centroid", "ward"]
each_linkage = pytest.mark.parametrize("linkage", LINKAGES)


def merges(model, X):
    return [step for step in model.steps(X) if step.phase == "merge"]


def members(children, n):
    """The rows of each merged cluster."""
    groups = [{i} for i in range(n)]
    for first, second in children:
        groups.append(groups[first] | groups[second])
    return [sorted(group) for group in groups[n:]]


def by_first_appearance(labels):
    order = list(dict.fromkeys(labels))
    return [order.index(label) + 1 for label in labels]


@pytest.fixture
def normal():
    return np.random.default_rng(0).normal(size=(60, 3))


# --- arithmetic, R and SciPy ----------------------------------------------------------------------


def test_four_points_by_hand():
    X = np.array([[0.0], [1.0], [5.0], [7.0]])
    start, first, second, third, cut = AgglomerativeClustering(2, linkage="average").steps(X)
    assert start.distances.tolist() == [1, 5, 7, 4, 6, 2]
    # 0 and 1 join; to 5: (5 + 4) / 2, to 7: (7 + 6) / 2
    assert (first.pair, first.height, first.node, first.n_clusters) == ((0, 1), 1.0, 4, 3)
    assert (first.remaining.tolist(), first.before.tolist(), first.after.tolist()) == (
        [2, 3],
        [[5, 7], [4, 6]],
        [4.5, 6.5],
    )
    # 5 and 7 join; to {0, 1}: (4.5 + 6.5) / 2
    assert (second.pair, second.height, second.remaining.tolist(), second.after.tolist()) == (
        (2, 3),
        2.0,
        [4],
        [5.5],
    )
    assert (third.pair, third.height, third.n_clusters, third.sizes) == ((4, 5), 5.5, 1, (2, 2))
    assert (cut.phase, cut.n_clusters, by_first_appearance(cut.labels)) == ("cut", 2, [1, 1, 2, 2])


def test_ward_by_hand():
    # merging 0 with 1 adds 1/2 to the SSE, 5 with 7 adds 2; all four together add 4 * 5.5^2 / 4 =
    # 30.25
    model = AgglomerativeClustering(2, linkage="ward").fit([[0.0], [1.0], [5.0], [7.0]])
    assert_allclose(model.distances_**2 / 2, [0.5, 2, 30.25])


@pytest.mark.parametrize("linkage", ["single", "average"])
def test_the_tree_of_r(linkage):
    X = np.array(GOLDEN["X"])
    X = (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)
    expected = GOLDEN[linkage]
    model = AgglomerativeClustering(4, linkage=linkage).fit(X)
    assert_allclose(model.distances_, expected["height"], rtol=1e-8)
    assert [[i + 1 for i in group] for group in members(model.children_, 50)] == expected[
        "merged_members"
    ]
    assert by_first_appearance(model.labels_) == expected["cut4_labels_by_first_appearance"]
    assert_allclose(model.cophenetic_correlation(X), expected["cophenetic_correlation"], rtol=1e-8)


@each_linkage
def test_the_tree_of_scipy(linkage, normal):
    model = AgglomerativeClustering(5, linkage=linkage).fit(normal)
    tree = hierarchy.linkage(normal, linkage)
    assert_allclose(model.linkage_, tree)
    assert_array_equal(model.children_, tree[:, :2])
    assert_allclose(model.distances_, tree[:, 2])
    assert hierarchy.is_valid_linkage(model.linkage_)
    correlation, _ = hierarchy.cophenet(tree, pdist(normal))
    assert_allclose(model.cophenetic_correlation(normal), correlation)


# --- scikit-learn ---------------------------------------------------------------------------------


@pytest.mark.parametrize("linkage", ["single", "complete", "average", "ward"])
@pytest.mark.parametrize(
    "metric", ["euclidean", "l2", "manhattan", "l1", "chebyshev", "cosine", "precomputed"]
)
def test_the_answer_of_scikit_learn(linkage, metric, normal):
    X = squareform(pdist(normal)) if metric == "precomputed" else normal
    ours = AgglomerativeClustering(6, linkage=linkage, metric=metric)
    if linkage == "ward" and metric not in ("euclidean", "l2"):
        with pytest.raises(ValueError, match=f"linkage='ward' .* metric was '{metric}'"):
            ours.fit(X)
        return
    theirs_metric = metric
    if metric == "chebyshev" and linkage != "single":  # scikit-learn knows it for "single" alone
        X_theirs, theirs_metric = squareform(pdist(normal, metric)), "precomputed"
    else:
        X_theirs = X
    theirs = cluster.AgglomerativeClustering(
        6, linkage=linkage, metric=theirs_metric, compute_distances=True
    )
    ours.fit(X), theirs.fit(X_theirs)
    assert_array_equal(np.sort(ours.children_), np.sort(theirs.children_))
    assert_allclose(ours.distances_, theirs.distances_)
    assert adjusted_rand_score(ours.labels_, theirs.labels_) == 1
    if linkage != "single":  # there scikit-learn writes the two nodes of a merge in another order
        assert_array_equal(ours.labels_, theirs.labels_)
    assert (ours.n_leaves_, ours.n_clusters_) == (theirs.n_leaves_, theirs.n_clusters_)


@pytest.mark.parametrize("linkage", ["complete", "average", "ward"])
def test_a_distance_threshold_is_scikit_learns(linkage, normal):
    heights = hierarchy.linkage(normal, linkage)[:, 2]
    for threshold in (0, heights[20], heights[-3], 0.5 * (heights[-2] + heights[-1]), 1e9):
        options = {"linkage": linkage, "distance_threshold": threshold}
        ours = AgglomerativeClustering(None, **options).fit(normal)
        theirs = cluster.AgglomerativeClustering(None, **options).fit(normal)
        assert ours.n_clusters_ == theirs.n_clusters_
        assert_array_equal(ours.labels_, theirs.labels_)
        assert_array_equal(
            ours.labels_, AgglomerativeClustering(2, linkage=linkage).fit(normal).cut(threshold)
        )


def test_single_linkage_follows_shapes():
    for shape in (
        make_moons(noise=0.05, random_state=42),
        make_circles(factor=0.5, noise=0.025, random_state=42),
    ):
        assert (
            adjusted_rand_score(
                shape[1], AgglomerativeClustering(2, linkage="single").fit_predict(shape[0])
            )
            == 1
        )


# --- steps ----------------------------------------------------------------------------------------

whole_numbers = st.integers(-9, 9).map(float)
tables = st.integers(1, 3).flatmap(
    lambda d: st.integers(2, 25).flatmap(lambda n: arrays(float, (n, d), elements=whole_numbers))
)


@given(tables, st.sampled_from(LINKAGES))
def test_the_steps_are_the_merges_of_the_definition(X, linkage):
    model = AgglomerativeClustering(min(3, len(X)), linkage=linkage)
    start, *merges, cut = model.steps(X)
    tree = model.fit(X).linkage_
    scale = 1 + np.ptp(X)
    distances = {
        (i, j): d
        for (i, j), d in zip(
            zip(*np.triu_indices(len(X), 1), strict=True), start.distances, strict=True
        )
    }
    sizes = dict.fromkeys(range(len(X)), 1)
    for step, (first, second, height, size) in zip(merges, tree, strict=True):
        assert (step.pair, step.height) == ((first, second), height)
        assert sum(step.sizes) == size
        smallest = min(distances.values())
        assert_allclose(distances[step.pair], height, atol=1e-6 * scale)
        assert_allclose(smallest, height, atol=1e-6 * scale, err_msg="the nearest pair merges")
        nearest = [pair for pair, d in distances.items() if d <= height + 1e-9 * scale]
        assert step.n_ties <= len(nearest) - 1
        assert set(step.remaining.tolist()) == set(sizes) - set(step.pair)
        assert step.other_sizes.tolist() == [sizes[k] for k in step.remaining]
        for k, *before, after in zip(
            step.remaining.tolist(), *step.before, step.after, strict=True
        ):
            assert before == [distances.pop((min(k, node), max(k, node))) for node in step.pair]
            distances[k, step.node] = after
        del distances[step.pair]
        sizes[step.node] = sizes.pop(step.pair[0]) + sizes.pop(step.pair[1])
    assert cut.n_clusters == model.n_clusters_
    assert_array_equal(cut.labels, model.labels_)


def test_ties_are_counted():
    # three of the four neighbours on a line are equally near; after {0, 1} there are two such
    # pairs, then one
    X = np.arange(4.0)[:, None]
    assert [step.n_ties for step in merges(AgglomerativeClustering(1, linkage="single"), X)] == [
        2,
        1,
        0,
    ]
    # with complete linkage {0, 1} moves away from 2, and 2, 3 is the only pair at 1
    assert [step.n_ties for step in merges(AgglomerativeClustering(1, linkage="complete"), X)] == [
        2,
        0,
        0,
    ]
    assert [step.n_ties for step in merges(AgglomerativeClustering(1), np.zeros((4, 2)))] == [
        5,
        2,
        0,
    ]


def test_centroids_may_come_nearer():
    # an equilateral triangle, nearly: the third corner is nearer to the middle of a side than the
    # side is long
    X = np.array([[0.0, 0.0], [2.0, 0.0], [1.0, 1.8]])
    first, second = merges(AgglomerativeClustering(2, linkage="centroid"), X)
    assert_allclose([first.height, second.height], [2.0, 1.8])
    assert (first.inverted, second.inverted) == (False, True)
    model = AgglomerativeClustering(2, linkage="centroid").fit(X)
    assert [len(set(model.cut(height))) for height in (1.9, 2.0, 2.1)] == [3, 3, 1]
    for linkage in ("single", "complete", "average", "ward"):
        assert not any(
            step.inverted for step in merges(AgglomerativeClustering(2, linkage=linkage), X)
        )


def test_all_steps_hold_about_as_much_as_the_distance_matrix():
    X = np.random.default_rng(0).normal(size=(300, 2))
    steps = run(AgglomerativeClustering(3, linkage="single"), X).steps
    arrays_held = [
        value for step in steps for value in vars(step).values() if isinstance(value, np.ndarray)
    ]
    assert sum(value.nbytes for value in arrays_held) < 4 * 8 * 300**2


# --- degenerate input -----------------------------------------------------------------------------


def test_as_many_clusters_as_rows(normal):
    assert sorted(AgglomerativeClustering(60).fit_predict(normal)) == list(range(60))


@each_linkage
def test_equal_rows_merge_at_height_zero(linkage):
    model = AgglomerativeClustering(2, linkage=linkage).fit([[1.0], [1.0], [1.0], [4.0]])
    assert model.distances_[:2].tolist() == [0, 0]
    assert model.labels_.tolist() in ([0, 0, 0, 1], [1, 1, 1, 0])


def test_no_correlation_without_variation():
    model = AgglomerativeClustering(2).fit(np.ones((4, 2)))
    assert np.isnan(model.cophenetic_correlation(np.ones((4, 2))))


@pytest.mark.parametrize(
    ("params", "X", "sentence"),
    [
        (
            {"n_clusters": 3},
            [[0.0], [1.0]],
            "n_clusters=3 needs at least as many rows, but n_samples=2. Choose fewer clusters.",
        ),
        (
            {"n_clusters": 2, "distance_threshold": 1},
            [[0.0], [1.0]],
            (
                "n_clusters must be a whole number or distance_threshold a number; "
                "they were 2 and 1. Exactly one of n_clusters and "
                "distance_threshold has to be set, the other to None."
            ),
        ),
        (
            {"n_clusters": None, "distance_threshold": -1},
            [[0.0], [1.0]],
            "distance_threshold must be a number from 0 to inf; it was -1.",
        ),
        (
            {"n_clusters": None, "distance_threshold": 1, "compute_full_tree": False},
            [[0.0], [1.0]],
            "compute_full_tree must be True if distance_threshold is set.",
        ),
        (
            {"linkage": "centroid", "metric": "cosine"},
            [[0.0], [1.0]],
            (
                "linkage='centroid' is about means of rows, "
                "so it needs the Euclidean distance of rows; metric was 'cosine'. "
                "Choose metric='euclidean', or the linkage 'average', 'complete' or 'single'."
            ),
        ),
        (
            {"linkage": "single", "metric": "cosine"},
            [[0.0, 0.0], [1.0, 0.0]],
            (
                "Cosine affinity cannot be used when X contains zero vectors: "
                "a row of zeros has no direction. Choose another metric, or leave such rows out."
            ),
        ),
        (
            {"linkage": "single", "metric": "precomputed"},
            [[0.0, 1.0, 2.0], [1.0, 0.0, 3.0]],
            (
                "Distance matrix should be square, got matrix of shape (2, 3). "
                "Give one row and one column per sample."
            ),
        ),
        (
            {"linkage": "single", "metric": "precomputed"},
            [[0.0, 1.0], [2.0, 0.0]],
            (
                "A distance matrix must be symmetric, without negative numbers, "
                "and zero on its diagonal. Check the matrix."
            ),
        ),
        (
            {},
            [[1e200], [-1e200]],
            (
                "The squares of the values are too large for a computer number. "
                "Standardise the columns."
            ),
        ),
    ],
)
def test_refusals_are_sentences(params, X, sentence):
    for ask in (lambda model: model.fit(X), lambda model: list(model.steps(X))):
        with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
            ask(AgglomerativeClustering(**params))


def test_too_many_rows_are_refused_before_memory_is_taken():
    with pytest.raises(
        ValueError,
        match=r"^The distances between all pairs of 16,001 rows take 2\.0 GB\. Use a sample",
    ):
        AgglomerativeClustering(2).fit(np.zeros((MAX_ROWS + 1, 1)))
