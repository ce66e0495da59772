"""Shortest paths of all pairs against networkx, golden values of R in each step, and invariants."""

import json
from itertools import pairwise, permutations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose

from dmlib.similarity import ShortestPaths, floyd_warshall, wiener_index
from dmlib.similarity.graphs_similarity.shortest_paths import restore
from tests.similarity.graphs_similarity.shared import GOLDEN, graphs


def test_r_after_each_node():
    case = json.loads((GOLDEN / "shortest_paths.json").read_text())
    expected = case["expected"]
    G = nx.DiGraph()
    G.add_nodes_from("ABCDEFG")
    G.add_weighted_edges_from(case["input"]["edges"])
    model = ShortestPaths(origin=1, target=7).fit(G)
    steps = list(ShortestPaths(origin=1, target=7).steps(G))
    through = [step.distances for step in steps if step.phase == "through"]
    for name, distances in zip("ABCDEFG", through, strict=True):
        assert_allclose(distances, np.array(expected["after_each_k"][name], float))
    assert_allclose(model.distances_, np.array(expected["distances"], float))
    successors = [
        [-1 if j == "none" else j - 1 for j in row] for row in expected["next_node_index_of_path"]
    ]
    assert model.successors_.tolist() == successors
    assert_allclose(model.distances_.max(axis=1), expected["eccentricity_out"])


@given(graphs(weights=True))
def test_networkx(G):
    distances, successors = floyd_warshall(G)
    assert_allclose(distances, nx.floyd_warshall_numpy(G))
    assert wiener_index(G) == pytest.approx(nx.wiener_index(G, weight="weight"))
    assert wiener_index(G, weighted=False) == pytest.approx(nx.wiener_index(G))
    nodes = list(G)
    for i in range(len(nodes)):
        for j in range(len(nodes)):
            path = restore(successors, i, j)
            assert bool(path) == np.isfinite(distances[i, j])
            length = sum(G.edges[nodes[a], nodes[b]]["weight"] for a, b in pairwise(path))
            assert length == pytest.approx(distances[i, j] if path else 0)


@given(graphs(weights=True))
def test_distances_only_fall_and_obey_the_triangle(G):
    steps = [step.distances for step in ShortestPaths(target=1).steps(G)]
    assert all((after <= before).all() for before, after in pairwise(steps))
    D = steps[-1]
    assert (D[:, None, :] <= D[:, :, None] + D[None] + 1e-9).all()


def test_the_wiener_index_of_a_path_of_n_nodes():
    for n in range(1, 7):
        assert wiener_index(nx.path_graph(n)) == (n**3 - n) / 6


def test_negative_lengths():
    ring = nx.DiGraph([(0, 1, {"weight": 1}), (1, 0, {"weight": -2})])
    with pytest.raises(ValueError, match="has a negative length"):
        ShortestPaths().fit(ring)
    with pytest.raises(ValueError, match="to and fro"):
        ShortestPaths().fit(nx.Graph([(0, 1, {"weight": -2})]))
    assert ShortestPaths(weighted=False).fit(nx.Graph([(0, 1, {"weight": -2})])).value_ == 1
    tree = nx.DiGraph([(0, 1, {"weight": -2}), (1, 2, {"weight": -3})])
    assert ShortestPaths(target=3).fit(tree).value_ == -5


@pytest.mark.parametrize("lengths", [*permutations([0.3, -0.1, -0.2]), (1e10, 0.1, -1e10 - 0.1)])
def test_a_cycle_of_length_0_but_for_rounding(lengths):
    ring = nx.DiGraph()
    ring.add_weighted_edges_from((i, (i + 1) % 3, lengths[i]) for i in range(3))
    ring.add_weighted_edges_from([(0, 3, 1.0), (2, 3, 5.0), (4, 1, 1.0)])
    distances, successors = floyd_warshall(ring)
    assert np.diag(distances).tolist() == [0.0] * 5
    assert_allclose(distances[0, :3], [0, lengths[0], lengths[0] + lengths[1]], atol=1e-5)
    assert_allclose(distances[2, :3], [lengths[2], lengths[2] + lengths[0], 0], atol=1e-5)
    for i, j in np.argwhere(np.isfinite(distances)):
        assert len(restore(successors, i, j)) <= 5


def test_a_cycle_that_is_a_little_negative_is_refused():
    ring = nx.DiGraph()
    ring.add_weighted_edges_from([(0, 1, 0.3), (1, 2, -0.1), (2, 0, -0.2 - 1e-12)])
    with pytest.raises(ValueError, match="has a negative length"):
        floyd_warshall(ring)


@pytest.mark.parametrize(
    ("G", "sentence"),
    [
        ([[0, 1]], "must be a networkx graph"),
        (nx.Graph(), "must have nodes"),
        (nx.MultiGraph([(0, 1)]), "at most one edge"),
        (nx.path_graph(501), "at most 500"),
        (nx.Graph([(0, 1, {"weight": float("nan")})]), "no finite number"),
        (nx.Graph([(0, 1, {"weight": "far"})]), "no finite number"),
        (nx.empty_graph(1), "There is 1 node"),
    ],
)
def test_bad_graphs(G, sentence):
    with pytest.raises(ValueError, match=sentence):
        ShortestPaths().fit(G)


def test_a_large_graph_has_few_steps():
    steps = list(ShortestPaths().steps(nx.path_graph(300)))
    assert len(steps) < 60
    assert steps[-1].distances[0, 299] == 299


def test_nodes_apart():
    model = ShortestPaths(target=2).fit(nx.empty_graph(2))
    assert (model.value_, model.path_, model.wiener_index_) == (np.inf, [], np.inf)
