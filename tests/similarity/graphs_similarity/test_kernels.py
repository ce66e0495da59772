"""Graph kernels against golden values of grakel, networkx and brute force."""

import json
from itertools import combinations, product

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from networkx.algorithms.isomorphism import GraphMatcher
from numpy.testing import assert_allclose

from dmlib.pictures.run import Run
from dmlib.problem import prepare_graph
from dmlib.similarity import (
    GraphEditDistance,
    GraphKernel,
    graphlet_kernel,
    is_isomorphic,
    random_walk_kernel,
    shortest_path_kernel,
    weisfeiler_lehman_kernel,
)
from dmlib.similarity.graphs_similarity.graphs import two_parts
from dmlib.similarity.graphs_similarity.reference import graphs_similarity_reference
from tests.similarity.graphs_similarity.shared import GOLDEN, graphs

KERNELS = (weisfeiler_lehman_kernel, shortest_path_kernel, random_walk_kernel, graphlet_kernel)


def test_grakel():
    case = json.loads((GOLDEN / "graph_kernels.json").read_text())
    expected, labelled = case["expected"], []
    for graph in case["input"]["graphs"]:
        G = nx.Graph(graph["edges"])
        nx.set_node_attributes(G, graph["labels"], "label")
        labelled.append(G)
    for h in range(4):
        K = weisfeiler_lehman_kernel(labelled, h, labels="class")
        assert K.tolist() == expected[f"K_h{h}"]
    for h in (1, 2, 3):
        K = weisfeiler_lehman_kernel(labelled, h, labels="class", normalize=True)
        assert_allclose(K, expected[f"K_h{h}_cosine_normalised"], rtol=1e-8)


def shuffled(G, order):
    return nx.relabel_nodes(G, dict(zip(G, order, strict=False)))


@given(graphs(max_nodes=6), st.permutations(range(6)))
def test_the_names_of_nodes_do_not_matter(G, order):
    renamed = shuffled(G, [f"n{i}" for i in order])
    for kernel in KERNELS:
        K = kernel([G, renamed])
        assert_allclose(K, K[0, 0])


@given(st.lists(graphs(max_nodes=6, directed=False), min_size=1, max_size=4))
def test_matrices_are_symmetric_and_positive_semidefinite(several):
    for kernel in KERNELS:
        K = kernel(several)
        assert_allclose(K, K.T)
        assert np.linalg.eigvalsh(K).min() >= -1e-7 * max(1, K.max())
        normal = kernel(several, normalize=True)
        assert ((normal <= 1 + 1e-9) & (normal >= -1e-9)).all()


@given(graphs(max_nodes=6, directed=False), graphs(max_nodes=6, directed=False))
def test_shortest_paths_by_brute_force(G, H):
    def lengths(graph):
        rows = nx.all_pairs_shortest_path_length(graph)
        return [d for u, row in rows for v, d in row.items() if u < v]

    expected = sum(a == b for a in lengths(G) for b in lengths(H))
    assert shortest_path_kernel([G, H])[0, 1] == expected


@given(
    graphs(max_nodes=6, directed=False),
    graphs(max_nodes=6, directed=False),
    st.sampled_from([3, 4]),
)
def test_graphlets_by_isomorphism(G, H, size):
    def parts(graph):
        return [graph.subgraph(nodes) for nodes in combinations(graph, size)]

    expected = sum(GraphMatcher(a, b).is_isomorphic() for a, b in product(parts(G), parts(H)))
    assert graphlet_kernel([G, H], size)[0, 1] == expected


@given(graphs(max_nodes=4), graphs(max_nodes=4))
def test_random_walks_by_brute_force(G, H):
    H = nx.DiGraph(H) if G.is_directed() else nx.Graph(H)
    A = nx.to_numpy_array(nx.tensor_product(G, H))
    expected = sum(0.5**k * np.linalg.matrix_power(A, k).sum() for k in range(4))
    assert random_walk_kernel([G, H], 3, decay=0.5)[0, 1] == pytest.approx(expected)


def with_loops(G):
    G.add_edges_from((node, node) for node in list(G)[::2])
    return G


def test_a_walk_may_contain_a_loop():
    G = nx.Graph([(0, 0), (0, 1)])  # 2, 3, 5 and 8 walks of 0 to 3 edges
    K = random_walk_kernel([G], 3, decay=0.1)
    assert K[0, 0] == pytest.approx(4 + 0.1 * 9 + 0.01 * 25 + 0.001 * 64)
    assert GraphKernel("random-walk", n_iter=3).fit([G, G]).value_ == pytest.approx(5.214)


@given(graphs(max_nodes=4, directed=False).map(with_loops), graphs(max_nodes=4, directed=False))
def test_loops_by_brute_force(G, H):
    A = nx.to_numpy_array(nx.tensor_product(G, H))
    expected = sum(0.5**k * np.linalg.matrix_power(A, k).sum() for k in range(4))
    assert random_walk_kernel([G, H], 3, decay=0.5)[0, 1] == pytest.approx(expected)
    rounds = []
    for graph in (G, H):
        nx.set_node_attributes(graph, ".", "name")
        hashes = nx.weisfeiler_lehman_subgraph_hashes(
            graph, node_attr="name", iterations=2, digest_size=32
        )
        rounds.append([[own[k] for own in hashes.values()] for k in range(2)])
    n_equal = sum(a == b for k in range(2) for a in rounds[0][k] for b in rounds[1][k])
    assert weisfeiler_lehman_kernel([G, H], 2)[0, 1] == len(G) * len(H) + n_equal
    assert is_isomorphic(G, H) == nx.is_isomorphic(G, H)


def test_graphlets_and_edits_ignore_loops():
    plain, looped = nx.path_graph(4), with_loops(nx.path_graph(4))
    assert graphlet_kernel([plain, looped]).tolist() == graphlet_kernel([plain, plain]).tolist()
    assert not is_isomorphic(plain, looped)
    model = GraphEditDistance().fit([plain, looped])
    assert (model.value_, model.isomorphic_) == (0.0, True)


def test_relabelling_does_not_distinguish_regular_graphs():
    triangles = nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))
    pair = [nx.cycle_graph(6), triangles]
    assert weisfeiler_lehman_kernel(pair, 5, normalize=True)[0, 1] == pytest.approx(1)
    assert shortest_path_kernel(pair, normalize=True)[0, 1] < 1


def test_the_estimator_is_the_functions():
    pair = [nx.path_graph(5), nx.star_graph(4)]
    for model, expected in (
        (GraphKernel(n_iter=2), weisfeiler_lehman_kernel(pair, 2)),
        (GraphKernel("shortest-path"), shortest_path_kernel(pair)),
        (GraphKernel("graphlet", size=4), graphlet_kernel(pair, 4)),
        (GraphKernel("random-walk"), random_walk_kernel(pair)),
    ):
        assert_allclose(model.fit(pair).matrix_, expected, rtol=1e-12)


def test_two_graphs_out_of_one():
    first, second, note = two_parts(nx.disjoint_union_all([nx.path_graph(n) for n in (2, 4, 3)]))
    assert (first.tolist(), second.tolist()) == ([2, 3, 4, 5], [6, 7, 8])
    assert note.startswith("The two largest of 3")
    first, second, note = two_parts(nx.path_graph(5))
    halves = sorted([first.tolist(), second.tolist()])
    assert halves in ([[0, 1], [2, 3, 4]], [[0, 1, 2], [3, 4]])
    assert "Fiedler" in note
    with pytest.raises(ValueError, match="only one node"):
        two_parts(nx.empty_graph(1))


def test_the_note_names_the_graphs():
    G = nx.disjoint_union_all([nx.path_graph(n) for n in (2, 4, 3)])
    nx.set_node_attributes(G, dict(enumerate("rrssssttt")), "graph")
    assert two_parts(G)[2] == "Of 3 graphs the first two, r and s, are compared."
    assert two_parts(G.subgraph(range(2, 9)))[2] == "The graphs s and t are compared."


def test_bad_arguments():
    with pytest.raises(ValueError, match="list of one or more graphs"):
        weisfeiler_lehman_kernel(nx.path_graph(2))
    with pytest.raises(ValueError, match="one label for each node"):
        weisfeiler_lehman_kernel([nx.path_graph(2)], labels=[["a"]])
    with pytest.raises(ValueError, match="pair of graphs"):
        GraphKernel().fit([nx.path_graph(2)])
    with pytest.raises(ValueError, match="too many"):
        graphlet_kernel([nx.path_graph(100)], 4)
    with pytest.raises(ValueError, match="walked on"):
        random_walk_kernel([nx.path_graph(101)])


@pytest.mark.parametrize(
    "kernel", ["weisfeiler-lehman", "shortest-path", "random-walk", "graphlet"]
)
def test_networkx_agrees_on_loops(kernel):
    G = nx.Graph([(0, 0), (0, 1), (1, 2), (3, 4), (4, 5), (5, 5), (5, 3)])
    run = Run.of(prepare_graph(G), GraphKernel(kernel))
    answers = graphs_similarity_reference(run).answer(run)
    assert_allclose(GraphKernel(kernel).fit(G).matrix_, answers.values["matrix_"])
