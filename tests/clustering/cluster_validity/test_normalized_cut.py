"""The normalised cut of nearest neighbours: by hand, by networkx, and on the page."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial.distance import cdist
from sklearn.base import clone

from dmlib.clustering import DBSCAN, ClusterValidity
from dmlib.clustering.cluster_validity.clusterings import clustering_of
from dmlib.clustering.cluster_validity.figures import sweeps
from dmlib.clustering.cluster_validity.links import normalized_cut
from dmlib.clustering.cluster_validity.measure_questions import MeasureRule
from dmlib.clustering.cluster_validity.questions import questions
from dmlib.clustering.cluster_validity.resampling import random_values
from dmlib.clustering.cluster_validity.scene import cluster_validity_scene, judged
from dmlib.clustering.cluster_validity.terms import UndefinedMeasure
from dmlib.clustering.spectral.similarity_graph import graph_cuts
from dmlib.pictures.marks import Segments
from dmlib.pictures.question import judge
from tests.contract.test_lessons import section, text_of
from tests.pictures.examples import at, result
from tests.visit import open_preset

SLUG = "cluster_validity"


def cut_of(X, codes, k):
    return normalized_cut(X, codes, cdist(X, X), n_neighbors=k)


def neighbor_graph(X, k):
    """Return the graph in which a row gives half a link to each of its k nearest others."""
    G = nx.Graph()
    G.add_nodes_from(range(len(X)))
    for i in G:
        neighbours = sorted((j for j in G if j != i), key=lambda j: np.linalg.norm(X[i] - X[j]))
        for j in neighbours[:k]:
            weight = G.get_edge_data(i, j, {"weight": 0.0})["weight"]
            G.add_edge(i, j, weight=weight + 0.5)
    return G


def test_four_rows_by_hand():
    # Two neighbours each: 0 – 1, 1 – 3, 3 – 4 are mutual, 0 – 3 and 1 – 4 are not.
    X = np.array([[0.0], [1.0], [3.0], [4.0]])
    good = cut_of(X, np.array([0, 0, 1, 1]), 2)
    assert good.matrix.tolist() == [[1.0, 2.0], [2.0, 1.0]]
    assert good.value == 2 / (2 * 1 + 2)
    bad = cut_of(X, np.array([0, 1, 0, 1]), 2)
    assert bad.matrix.tolist() == [[0.5, 3.0], [3.0, 0.5]]
    assert bad.value == 3 / (2 * 0.5 + 3)
    assert {(i, j) for i, j in good.links.T.tolist()} == {(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)}


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(5, 14), st.integers(2, 4), st.integers(1, 20))
def test_it_is_that_of_networkx(seed, n, k, n_neighbors):
    rng = np.random.default_rng(seed)
    X, codes = rng.normal(size=(n, 2)), np.append(np.arange(k), rng.integers(0, k, n - k))
    G, parts = neighbor_graph(X, n_neighbors), cut_of(X, codes, n_neighbors)
    groups = [np.flatnonzero(codes == j).tolist() for j in range(k)]
    cuts = [nx.cut_size(G, group, weight="weight") for group in groups]
    volumes = [nx.volume(G, group, weight="weight") for group in groups]
    assert_allclose([term.values[2] for term in parts.terms], cuts)
    assert_allclose([term.values[3] for term in parts.terms], np.divide(cuts, volumes))
    assert {*map(tuple, parts.links.T.tolist())} == {tuple(sorted(edge)) for edge in G.edges}
    W = nx.to_numpy_array(G)
    assert parts.value == pytest.approx(graph_cuts(W, codes).normalized_cut)
    assert result(parts.formula) == pytest.approx(parts.value, rel=1e-4, abs=1e-6)
    if k == 2:
        halved = nx.normalized_cut_size(G, *groups, weight="weight") / 2
        assert parts.value == pytest.approx(halved)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.permutations(range(3)))
def test_neither_names_nor_order_nor_scale_matter(seed, names):
    rng = np.random.default_rng(seed)
    X, codes = rng.normal(size=(12, 2)), np.append(np.arange(3), rng.integers(0, 3, 9))
    order = rng.permutation(12)
    value = cut_of(X, codes, 3).value
    assert 0 <= value <= 1
    assert cut_of(X[order], codes[order], 3).value == pytest.approx(value)
    assert cut_of(8 * X, np.array(names)[codes], 3).value == pytest.approx(value)


def test_all_rows_are_neighbors_at_most():
    X = np.array([[0.0], [1.0], [5.0]])
    assert cut_of(X, np.array([0, 0, 1]), 10_000).value == pytest.approx((2 / 4 + 2 / 2) / 2)
    equal = cut_of(np.zeros((4, 1)), np.array([0, 0, 1, 1]), 3)
    assert equal.value == pytest.approx(4 / 6)


def test_one_cluster_has_none():
    with pytest.raises(UndefinedMeasure, match="The normalised cut compares clusters, and there"):
        cut_of(np.array([[0.0], [1.0]]), np.zeros(2, int), 1)
    model = ClusterValidity("kmeans", 1, measure="normalized_cut", random_state=0)
    assert np.isnan(model.fit([[0.0], [1.0], [3.0]]).value_)


def test_lengths_judge_no_clustering_of_a_sparse_graph():
    X = np.array([[1.0], [2], [3], [7], [8], [9]])
    squares = cdist(X, X, "sqeuclidean") * (minimum_spanning_tree(cdist(X, X)).toarray() > 0)
    codes = np.array([0, 1, 0, 1, 0, 1])  # {1, 3, 8} and {2, 7, 9}
    same = codes[:, None] == codes
    assert ((squares * same).sum(), (squares * ~same).sum()) == (0, 20)
    lesson = text_of(SLUG)
    assert "{1, 3, 8} and {2, 7, 9} cut every link" in lesson
    assert "0 is within and 20 between" in lesson


def test_six_points_of_the_lesson():
    run, scene, look_for = open_preset(SLUG, "Normalised cut by hand")
    assert run.fitted.value_ == pytest.approx(1 / 3)
    first = next(frame for frame in scene["frames"] if frame["phase"] == "part")
    assert first["caption"].startswith("Cluster 1: links of the weight 3 within, 3 to other")
    assert first["ledger"][0]["text"] == "cut / volume = 3 / (2 · 3 + 3) = 0.3333"
    assert "3 / (2 · 3 + 3) = 0.3333" in look_for
    lesson = section(text_of(SLUG), "By hand")
    assert "both have 3 / (2 · 3 + 3), and the normalised cut is **0.333**" in lesson
    links = {tuple(pair) for pair in (run.problem.X[run.trace.steps[0].parts.links, 0].T.tolist())}
    assert {(3, 7), (1, 7), (2, 7), (3, 8), (3, 9)} <= links
    (question,) = questions(run)
    assert judge(question, 1 / 3).is_right
    assert judge(question, 3 / (3 + 3)).rule is MeasureRule.ONE_END


def test_moons_are_whole():
    run, _, look_for = open_preset(SLUG, "Neighbours see whole moons")
    values = [run.fitted.value_]
    for name in ("kmeans", "random"):
        values.append(judged(run, name)["normalized_cut"])
        own = clone(run.model).set_params(clustering=name)
        assert own.fit(*run.problem.training.arguments).value_ == values[-1]
    assert [f"{value:.4g}" for value in values] == ["0.0015", "0.02766", "0.5061"]
    for value in values:
        assert f"{value:.4g}" in look_for
    silhouettes = [judged(run, "kmeans")["silhouette"], run.fitted.measures_["silhouette"]]
    assert silhouettes[0] > silhouettes[1]


def test_other_clusterings_have_the_same_neighbors():
    run, _, _ = open_preset(SLUG, "Neighbours see whole moons", n_neighbors="3")
    X = run.problem.X
    labels = clustering_of("kmeans", 2, run.seed).fit(X).labels_
    assert judged(run, "kmeans")["normalized_cut"] == cut_of(X, labels, 3).value
    measure, value, values = sweeps.random_data(run, lambda task: None)
    assert (measure, value) == ("normalized_cut", run.fitted.value_)
    options = {"n_sets": sweeps.SETS, "random_state": run.seed}
    three, ten = (
        random_values(X, run.model.clustering, 2, measure, n_neighbors=k, **options)
        for k in (3, 10)
    )
    assert_allclose(values, three[np.isfinite(three)])
    assert np.nanmean(ten) > np.nanmean(three)


def test_links_of_the_graph_are_drawn():
    run, _, _ = open_preset(SLUG, "Normalised cut by hand")
    scene = cluster_validity_scene(run)
    marks = [mark for mark in scene.marks if isinstance(mark, Segments)]
    counts = [[len(np.ravel(at(mark.x0, frame))) for mark in marks] for frame in (0, 1, -1)]
    assert counts == [[5, 6], [5, 3], [5, 6]]  # between, within


def test_noise_has_no_links():
    X = np.array([[0.0], [1.0], [1.5], [50.0], [90.0], [91.0], [91.5]])
    clustering = DBSCAN(eps=2.0, min_samples=2)
    model = ClusterValidity(clustering, measure="normalized_cut", n_neighbors=2)
    step = next(model.steps(X))
    assert step.labels[3] == -1
    assert 3 not in step.parts.links
    assert step.parts.value == 0
