"""Dijkstra's algorithm and breadth-first search: networkx, Floyd-Warshall, and the queue."""

from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose

from dmlib.similarity import SingleSourcePaths, floyd_warshall
from tests.similarity.graphs_similarity.shared import graphs


@given(graphs(weights=True))
def test_networkx_and_floyd_warshall(G):
    model = SingleSourcePaths(target=1).fit(G)
    expected = nx.single_source_dijkstra_path_length(G, 0)
    assert model.distances_.tolist() == [expected.get(node, np.inf) for node in G]
    assert_allclose(model.distances_, floyd_warshall(G)[0][0])
    hops = SingleSourcePaths("breadth-first", target=1).fit(G)
    expected = nx.single_source_shortest_path_length(G, 0)
    assert hops.distances_.tolist() == [expected.get(node, np.inf) for node in G]
    unweighted = SingleSourcePaths(weighted=False, target=1).fit(G)
    assert hops.distances_.tolist() == unweighted.distances_.tolist()


@given(graphs(weights=True))
def test_a_settled_distance_is_final_and_none_before_it_is_larger(G):
    for algorithm in ("dijkstra", "breadth-first"):
        *steps, last = SingleSourcePaths(algorithm, target=1).steps(G)
        settled = [float(step.distances[step.node]) for step in steps[1:]]
        assert settled == sorted(settled) == [float(last.distances[v]) for v in last.order]
        for before, after in pairwise(steps):
            assert after.node == before.queue[0]
            assert (after.distances <= before.distances).all()
        for v in last.order[1:]:
            u = last.predecessors[v]
            length = G.edges[int(u), int(v)]["weight"] if algorithm == "dijkstra" else 1
            assert last.distances[v] == last.distances[u] + length


@given(graphs(weights=True, directed=False))
def test_the_length_of_the_path_is_the_value(G):
    model = SingleSourcePaths(target=len(G)).fit(G)
    assert bool(model.path_) == np.isfinite(model.value_)
    if model.path_:
        assert (model.path_[0], model.path_[-1]) == (0, len(G) - 1)
        assert sum(G.edges[edge]["weight"] for edge in pairwise(model.path_)) == model.value_


def test_refused():
    with pytest.raises(ValueError, match="negative length"):
        SingleSourcePaths().fit(nx.DiGraph([(0, 1, {"weight": -1})]))
    with pytest.raises(ValueError, match="Choose numbers up to 2"):
        SingleSourcePaths(origin=3).fit(nx.path_graph(2))
    with pytest.raises(ValueError, match="at most 500"):
        SingleSourcePaths().fit(nx.path_graph(10_000))
    assert SingleSourcePaths("breadth-first").fit(nx.DiGraph([(0, 1, {"weight": -1})])).value_ == 1
