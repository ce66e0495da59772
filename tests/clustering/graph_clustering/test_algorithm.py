"""Threshold graph clustering against arithmetic, networkx, SciPy and its own definition."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import pdist, squareform

from dmlib.clustering import ThresholdGraphClustering
from dmlib.datasets import load


def graph(*edges, nodes=()):
    G = nx.Graph()
    G.add_nodes_from(nodes)
    G.add_weighted_edges_from(edges)
    return G


def partition(labels):
    return {frozenset(np.flatnonzero(labels == k).tolist()) for k in set(labels.tolist())}


def networkx_partition(G, threshold, similar=True):
    strong_edges = [
        (u, v)
        for u, v, w in G.edges(data="weight", default=1)
        if (w >= threshold if similar else w <= threshold)
    ]
    remaining = nx.Graph(strong_edges)
    remaining.add_nodes_from(G)
    number = {node: i for i, node in enumerate(G)}
    return {
        frozenset(number[node] for node in nodes) for nodes in nx.connected_components(remaining)
    }


SIX = graph(
    (1, 2, 5), (1, 3, 7), (2, 3, 9), (3, 4, 4), (4, 5, 8), (4, 6, 6), (5, 6, 3), nodes=range(1, 7)
)


def test_six_nodes_by_hand():
    *steps, done = ThresholdGraphClustering(5).steps(SIX)
    assert [step.edge for step in steps] == [(1, 2), (3, 4), (0, 2), (3, 5), (0, 1)]
    assert [step.weight for step in steps] == [9, 8, 7, 6, 5]
    assert [step.phase for step in steps] == ["merge"] * 4 + ["inside"]
    assert [step.sizes for step in steps] == [(1, 1), (1, 1), (1, 2), (2, 1), (3, 3)]
    assert [step.n_components for step in steps] == [5, 4, 3, 2, 2]
    assert done.labels.tolist() == [0, 0, 0, 1, 1, 1]
    assert (
        done.reason
        == "2 clusters of two or more nodes, the largest of 3; no node is alone. 5 of 7 edges have"
        " a weight of at least 5."
    )
    model = ThresholdGraphClustering(5).fit(SIX)
    assert model.merge_weights_.tolist() == [9, 8, 7, 6, 4]
    assert model.merge_edges_.tolist() == [[1, 2], [3, 4], [0, 2], [3, 5], [2, 3]]


@pytest.mark.parametrize(
    "name", ["karate_club", "les_miserables", "southern_women", "florentine_families"]
)
@pytest.mark.parametrize("weights", ["similarity", "distance"])
def test_networkx_has_the_same_components(name, weights):
    G = load(name).graph
    for threshold in range(12):
        model = ThresholdGraphClustering(threshold, weights=weights).fit(G)
        assert partition(model.labels_) == networkx_partition(G, threshold, weights == "similarity")
        assert model.n_clusters_ == len(set(model.labels_.tolist()))


points = st.lists(st.tuples(st.integers(-20, 20), st.integers(-20, 20)), min_size=2, max_size=14)


@settings(max_examples=60, deadline=None)
@given(points, st.integers(0, 30))
def test_single_linkage_of_a_complete_graph_of_distances(places, threshold):
    distances = squareform(pdist(np.array(places, float), "cityblock"))
    G = nx.Graph()
    G.add_nodes_from(range(len(places)))
    G.add_weighted_edges_from((i, j, distances[i, j]) for i in G for j in range(i))
    model = ThresholdGraphClustering(threshold, weights="distance").fit(G)
    tree = linkage(squareform(distances), "single")
    assert partition(model.labels_) == partition(fcluster(tree, threshold, "distance"))
    np.testing.assert_allclose(model.merge_weights_, tree[:, 2])


edges = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 6)), max_size=30)


@settings(max_examples=80, deadline=None)
@given(
    edges,
    st.integers(0, 7),
    st.sampled_from(["similarity", "distance"]),
    st.sampled_from([nx.Graph, nx.DiGraph]),
)
def test_invariants(weighted_edges, threshold, weights, kind):
    G = kind()
    G.add_nodes_from(range(10))
    G.add_weighted_edges_from(weighted_edges)
    *steps, done = ThresholdGraphClustering(threshold, weights=weights).steps(G)
    before = 10
    for i, step in enumerate(steps, start=1):
        assert step.n_kept == i
        assert before - step.n_components == (step.phase == "merge")
        u, v = step.edge
        assert step.components[u] == step.components[v]
        size = (step.components == step.components[u]).sum()
        assert size == (sum(step.sizes) if step.phase == "merge" else step.sizes[0])
        before = step.n_components
    strength = [step.weight for step in steps]
    assert strength == sorted(strength, reverse=weights == "similarity")
    sizes = np.bincount(done.labels)
    assert sizes.tolist() == sorted(sizes, reverse=True)
    assert partition(done.labels) == partition(done.components)
    assert partition(done.labels) == networkx_partition(G, threshold, weights == "similarity")
    model = ThresholdGraphClustering(threshold, weights=weights).fit(G)
    strong = (
        model.merge_weights_ >= threshold
        if weights == "similarity"
        else model.merge_weights_ <= threshold
    )
    assert model.n_clusters_ == 10 - strong.sum()


def test_a_chain_joins_far_ends():
    chain = graph(*((i, j, j - i) for i in range(10) for j in range(i + 1, 10)))
    model = ThresholdGraphClustering(1, weights="distance").fit(chain)
    assert (model.n_clusters_, model.n_kept_) == (1, 9)
    assert ThresholdGraphClustering(0.5, weights="distance").fit(chain).n_clusters_ == 10


def test_graphs_without_weights_and_without_edges():
    path = nx.path_graph(4)
    assert ThresholdGraphClustering(1).fit(path).n_clusters_ == 1
    assert ThresholdGraphClustering(1.5).fit(path).n_clusters_ == 4
    separate = ThresholdGraphClustering(0).fit(nx.empty_graph(3))
    assert (separate.labels_.tolist(), separate.n_kept_, separate.merge_weights_.tolist()) == (
        [0, 1, 2],
        0,
        [],
    )
    assert list(ThresholdGraphClustering(1).steps(nx.empty_graph(1)))[-1].reason.startswith(
        "All 1 nodes"
    )


@pytest.mark.parametrize(
    ("G", "sentence"),
    [
        (np.ones((3, 3)), "G must be a networkx graph, not ndarray"),
        (nx.Graph(), "G must have nodes"),
        (nx.MultiGraph([(1, 2), (1, 2)]), "at most one edge between any two"),
        (graph((1, 2, float("nan"))), "no finite number"),
        (graph((1, 2, "heavy")), "no finite number"),
    ],
)
def test_what_cannot_be_used_is_refused(G, sentence):
    with pytest.raises(ValueError, match=sentence):
        ThresholdGraphClustering(1).fit(G)
