"""Edit distances, isomorphism and centralities against networkx, and the bound of the search."""

from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from dmlib.similarity import GraphEditDistance, NodeCentrality, graph_edit_distance, is_isomorphic
from dmlib.similarity.graphs_similarity.centrality import MEASURES
from dmlib.similarity.graphs_similarity.isomorphism import decided
from tests.similarity.graphs_similarity.shared import graphs

small = graphs(max_nodes=4, directed=False)
costs = st.sampled_from([0.5, 1.0, 2.0])


@given(small, small, costs, costs)
def test_distances_are_those_of_networkx(G, H, node_cost, edge_cost):
    expected = nx.graph_edit_distance(
        G,
        H,
        node_subst_cost=lambda a, b: 0.0,
        node_del_cost=lambda node: node_cost,
        node_ins_cost=lambda node: node_cost,
        edge_del_cost=lambda edge: edge_cost,
        edge_ins_cost=lambda edge: edge_cost,
    )
    distance = graph_edit_distance(G, H, node_cost=node_cost, edge_cost=edge_cost)
    assert distance == pytest.approx(expected)


@given(graphs(max_nodes=3, directed=True), graphs(max_nodes=3, directed=True))
def test_directed_graphs(G, H):
    assert graph_edit_distance(G, H) == nx.graph_edit_distance(G, H)
    assert is_isomorphic(G, H) == nx.is_isomorphic(G, H)


@given(small, small)
def test_the_distance_is_a_metric_and_zero_for_isomorphic_graphs(G, H):
    distance = graph_edit_distance(G, H)
    assert distance == graph_edit_distance(H, G)
    assert (distance == 0) == is_isomorphic(G, H) == nx.is_isomorphic(G, H)


@given(small, small, st.integers(1, 20))
def test_the_smallest_f_never_falls_and_a_beam_gives_an_upper_bound(G, H, beam):
    f = [step.cost + step.bound for step in GraphEditDistance(beam=500).steps([G, H])]
    assert all(later >= earlier - 1e-9 for earlier, later in pairwise(f))
    narrow = GraphEditDistance(beam=beam).fit([G, H])
    assert narrow.value_ >= f[-1]
    assert not narrow.exact_ or narrow.value_ == f[-1]


def test_labels_cost():
    G, H = nx.path_graph(2), nx.path_graph(2)
    nx.set_node_attributes(G, {0: "C", 1: "C"}, "label")
    nx.set_node_attributes(H, {0: "C", 1: "O"}, "label")
    assert graph_edit_distance(G, H) == 0
    assert graph_edit_distance(G, H, labels="class", node_cost=3) == 3
    assert not is_isomorphic(G, H, labels="class")


@pytest.mark.parametrize("seed", range(12))
def test_isomorphism_of_regular_and_directed_graphs(seed):
    G, H = (nx.random_regular_graph(3, 10, seed=seed + k) for k in (0, 100))
    order = np.random.default_rng(seed).permutation(10).tolist()
    assert is_isomorphic(G, H) == nx.is_isomorphic(G, H)
    assert is_isomorphic(G, nx.relabel_nodes(G, dict(zip(G, order, strict=True))))
    G, H = (nx.gnp_random_graph(6, 0.3, seed=seed + k, directed=True) for k in (0, 50))
    assert is_isomorphic(G, H) == nx.is_isomorphic(G, H)
    assert is_isomorphic(G, nx.relabel_nodes(G, {i: 5 - i for i in range(6)}))


def test_large_graphs_are_refused():
    with pytest.raises(ValueError, match="at most 500 are compared"):
        is_isomorphic(nx.empty_graph(10_000), nx.empty_graph(10_000))


def test_a_search_that_takes_too_long_leaves_the_question_open():
    rook = nx.line_graph(nx.complete_bipartite_graph(4, 4))
    steps = ((0, 1), (1, 0), (1, 1))
    shrikhande = nx.Graph(
        ((x, y), ((x + a) % 4, (y + b) % 4)) for x in range(4) for y in range(4) for a, b in steps
    )
    flipped = nx.relabel_nodes(shrikhande, {(x, y): (y, x) for x, y in shrikhande})
    assert decided(rook, shrikhande, max_work=100) is None
    assert decided(rook, shrikhande) is False
    assert decided(shrikhande, flipped) is True


def test_isomorphism_where_relabelling_fails():
    triangles = nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))
    assert not is_isomorphic(nx.cycle_graph(6), triangles)
    petersen = nx.petersen_graph()
    assert is_isomorphic(petersen, nx.relabel_nodes(petersen, {i: 9 - i for i in petersen}))


def test_large_graphs():
    model = GraphEditDistance(beam=20).fit(nx.karate_club_graph())
    assert not model.exact_
    mapped = [j for j in model.mapping_ if j >= 0]
    assert len(mapped) == len(set(mapped))
    with pytest.raises(ValueError, match="at most 60"):
        GraphEditDistance().fit([nx.path_graph(61), nx.path_graph(2)])
    with pytest.raises(ValueError, match="Take two of a kind"):
        GraphEditDistance().fit([nx.path_graph(2), nx.DiGraph([(0, 1)])])


@given(graphs(), st.sampled_from(["pagerank", "degree", "closeness", "betweenness"]))
def test_scores_are_those_of_networkx(G, measure):
    if measure == "pagerank":
        expected = nx.pagerank(G, max_iter=10_000, tol=1e-12)
    else:
        expected = getattr(nx, f"{measure}_centrality")(G)
    scores = NodeCentrality(measure, max_iter=1000).fit(G).scores_
    assert_allclose(scores, [expected[node] for node in G], atol=1e-7)


@pytest.mark.parametrize("measure", ["authority", "hub"])
def test_hits(measure):
    G = nx.gnp_random_graph(12, 0.4, seed=1, directed=True)
    scores = NodeCentrality(measure, max_iter=1000).fit(G).scores_
    expected = nx.hits(G)[measure == "authority"]
    assert_allclose(scores, [expected[node] for node in G], atol=1e-6)


@pytest.mark.parametrize("measure", MEASURES)
def test_a_single_node(measure):
    assert np.isfinite(NodeCentrality(measure).fit(nx.empty_graph(1)).scores_).all()
