"""Graph kernels against grakel's numbers, networkx and brute force."""

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
    expected, found = case["expected"], []
    for graph in case["input"]["graphs"]:
        G = nx.Graph(graph["edges"])
        nx.set_node_attributes(G, graph["labels"], "label")
        found.append(G)
    for h in range(4):
        assert weisfeiler_lehman_kernel(found, h, labels="class").tolist() == expected[f"K_h{h}"]
    for h in (1, 2, 3):
        K = weisfeiler_lehman_kernel(found, h, labels="class", normalize=True)
        assert_allclose(K, expected[f"K_h{h}_cosine_normalised"], rtol=1e-8)


def shuffled(G, order):
    return nx.relabel_nodes(G, dict(zip(G, order, strict=False)))


@given(graphs(most=6), st.permutations(range(6)))
def test_the_names_of_nodes_do_not_matter(G, order):
    other = shuffled(G, [f"n{i}" for i in order])
    for kernel in KERNELS:
        K = kernel([G, other])
        assert_allclose(K, K[0, 0])


@given(st.lists(graphs(most=6, directed=False), min_size=1, max_size=4))
def test_matrices_are_symmetric_and_positive_semidefinite(some):
    for kernel in KERNELS:
        K = kernel(some)
        assert_allclose(K, K.T)
        assert np.linalg.eigvalsh(K).min() >= -1e-7 * max(1, K.max())
        normal = kernel(some, normalize=True)
        assert ((normal <= 1 + 1e-9) & (normal >= -1e-9)).all()


@given(graphs(most=6, directed=False), graphs(most=6, directed=False))
def test_shortest_paths_by_brute_force(one, other):
    def lengths(G):
        return [
            d for u, row in nx.all_pairs_shortest_path_length(G) for v, d in row.items() if u < v
        ]

    brute = sum(a == b for a in lengths(one) for b in lengths(other))
    assert shortest_path_kernel([one, other])[0, 1] == brute


@given(graphs(most=6, directed=False), graphs(most=6, directed=False), st.sampled_from([3, 4]))
def test_graphlets_by_isomorphism(one, other, size):
    def parts(G):
        return [G.subgraph(nodes) for nodes in combinations(G, size)]

    brute = sum(GraphMatcher(a, b).is_isomorphic() for a, b in product(parts(one), parts(other)))
    assert graphlet_kernel([one, other], size)[0, 1] == brute


@given(graphs(most=4), graphs(most=4))
def test_random_walks_by_brute_force(one, other):
    if one.is_directed() != other.is_directed():
        other = nx.DiGraph(other) if one.is_directed() else nx.Graph(other)
    joint = nx.tensor_product(one, other)
    A = nx.to_numpy_array(joint)
    brute = sum(0.5**k * np.linalg.matrix_power(A, k).sum() for k in range(4))
    assert random_walk_kernel([one, other], 3, decay=0.5)[0, 1] == pytest.approx(brute)


def with_loops(G):
    G.add_edges_from((node, node) for node in list(G)[::2])
    return G


def test_a_loop_is_walked():
    G = nx.Graph([(0, 0), (0, 1)])  # 2, 3, 5 and 8 walks of 0 to 3 edges
    K = random_walk_kernel([G], 3, decay=0.1)
    assert K[0, 0] == pytest.approx(4 + 0.1 * 9 + 0.01 * 25 + 0.001 * 64)
    assert GraphKernel("random-walk", n_iter=3).fit([G, G]).value_ == pytest.approx(5.214)


@given(graphs(most=4, directed=False).map(with_loops), graphs(most=4, directed=False))
def test_loops_by_brute_force(one, other):
    A = nx.to_numpy_array(nx.tensor_product(one, other))
    brute = sum(0.5**k * np.linalg.matrix_power(A, k).sum() for k in range(4))
    assert random_walk_kernel([one, other], 3, decay=0.5)[0, 1] == pytest.approx(brute)
    nx.set_node_attributes(one, ".", "first")
    nx.set_node_attributes(other, ".", "first")
    hashes = [
        nx.weisfeiler_lehman_subgraph_hashes(G, node_attr="first", iterations=2, digest_size=32)
        for G in (one, other)
    ]
    rounds = [[[own[k] for own in found.values()] for k in range(2)] for found in hashes]
    equal = sum(a == b for k in range(2) for a in rounds[0][k] for b in rounds[1][k])
    assert weisfeiler_lehman_kernel([one, other], 2)[0, 1] == len(one) * len(other) + equal
    assert is_isomorphic(one, other) == nx.is_isomorphic(one, other)


def test_graphlets_and_edits_do_without_loops():
    plain, looped = nx.path_graph(4), with_loops(nx.path_graph(4))
    assert graphlet_kernel([plain, looped]).tolist() == graphlet_kernel([plain, plain]).tolist()
    assert not is_isomorphic(plain, looped)
    model = GraphEditDistance().fit([plain, looped])
    assert (model.value_, model.isomorphic_) == (0.0, True)


def test_regular_graphs_are_alike_to_relabelling():
    triangles = nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))
    pair = [nx.cycle_graph(6), triangles]
    assert weisfeiler_lehman_kernel(pair, 5, normalize=True)[0, 1] == pytest.approx(1)
    assert shortest_path_kernel(pair, normalize=True)[0, 1] < 1


def test_the_estimator_is_the_functions():
    pair = [nx.path_graph(5), nx.star_graph(4)]
    assert (
        GraphKernel(n_iter=2).fit(pair).matrix_.tolist()
        == weisfeiler_lehman_kernel(pair, 2).tolist()
    )
    assert (
        GraphKernel("shortest-path").fit(pair).matrix_.tolist()
        == shortest_path_kernel(pair).tolist()
    )
    assert (
        GraphKernel("graphlet", size=4).fit(pair).matrix_.tolist()
        == graphlet_kernel(pair, 4).tolist()
    )
    assert_allclose(GraphKernel("random-walk").fit(pair).matrix_, random_walk_kernel(pair))


def test_two_graphs_out_of_one():
    one, other, said = two_parts(nx.disjoint_union_all([nx.path_graph(n) for n in (2, 4, 3)]))
    assert (one.tolist(), other.tolist()) == ([2, 3, 4, 5], [6, 7, 8])
    assert said.startswith("The two largest of 3")
    one, other, said = two_parts(nx.path_graph(5))
    assert sorted([one.tolist(), other.tolist()]) in ([[0, 1], [2, 3, 4]], [[0, 1, 2], [3, 4]])
    assert "Fiedler" in said
    with pytest.raises(ValueError, match="only one node"):
        two_parts(nx.empty_graph(1))


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
def test_networkx_is_asked_about_loops_too(kernel):
    G = nx.Graph([(0, 0), (0, 1), (1, 2), (3, 4), (4, 5), (5, 5), (5, 3)])
    run = Run.of(prepare_graph(G), GraphKernel(kernel))
    answers = graphs_similarity_reference(run)
    assert_allclose(GraphKernel(kernel).fit(G).matrix_, answers.values["matrix_"])
