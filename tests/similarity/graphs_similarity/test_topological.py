"""Topological vectors of graphs: by hand, against networkx, and in the lesson."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose

from dmlib.similarity import GraphKernel, topological_kernel
from dmlib.similarity.graphs_similarity.features import topological_rounds
from dmlib.similarity.graphs_similarity.kernel_scene import kernel_scene
from tests.contract.test_lessons import section, text_of
from tests.similarity.graphs_similarity.shared import graphs
from tests.visit import open_preset

SLUG = "graphs_similarity"


def vector(G):
    """Return the five numbers of a graph, pair by pair."""
    plain = nx.Graph(G)
    plain.remove_edges_from(list(nx.selfloop_edges(plain)))
    lengths = [
        length for _, own in nx.all_pairs_shortest_path_length(plain) for length in own.values()
    ]
    triangles = [nodes for nodes in nx.enumerate_all_cliques(plain) if len(nodes) == 3]
    return [len(plain), plain.size(), len(triangles), max(lengths), sum(lengths) / 2]


@given(graphs())
def test_numbers_are_those_of_networkx(G):
    (counts,) = next(topological_rounds([G])).counts
    assert list(counts.values()) == vector(G)


@given(graphs(), graphs())
def test_kernel_is_the_product_of_the_vectors(G, H):
    V = np.array([vector(G), vector(H)])
    assert_allclose(topological_kernel([G, H]), V @ V.T)
    model = GraphKernel("topological", normalize=True).fit([G, H])
    lengths = np.linalg.norm(V, axis=1)
    assert model.value_ == pytest.approx(V[0] @ V[1] / lengths.prod())


def test_a_graph_without_edges_has_no_distances():
    assert vector(nx.empty_graph(2)) == [2, 0, 0, 0, 0]
    assert topological_kernel([nx.empty_graph(2)]).tolist() == [[4.0]]


def test_the_lesson_has_the_numbers_of_the_stage():
    run, *_ = open_preset(SLUG, "Five numbers of each graph")
    lesson = section(text_of(SLUG), "By hand")
    first, second = run.trace.steps[0].round.counts
    for name, counts in {"square": first, "triangle": second}.items():
        cells = [str(number) for number in counts.values()]
        assert f"| {name} with a tail | {' | '.join(cells)} |" in lesson
    assert run.fitted.value_ == 987
    assert "= **987**" in lesson
    ledger = str(kernel_scene(run).frames[0].ledger)
    assert "31 · 29" in ledger or "29 · 31" in ledger
    assert "= 2.236" in ledger
    assert "= **2.236**" in lesson
