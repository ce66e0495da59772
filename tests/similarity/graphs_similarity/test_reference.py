"""Kernels of graphs by networkx's counts, with labels and directions."""

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from dmlib.comparison import Incomparable
from dmlib.pictures.run import Run
from dmlib.problem import prepare_graph
from dmlib.similarity import GraphKernel
from dmlib.similarity.graphs_similarity.reference import (
    graphs_similarity_reference,
    kernel_reference,
)
from tests.similarity.graphs_similarity.shared import graphs


@given(
    graphs(max_nodes=6, directed=False),
    graphs(max_nodes=6, directed=False),
    st.sampled_from(["shortest-path", "random-walk", "geometric", "graphlet"]),
    st.booleans(),
    st.sampled_from(["equal", "class"]),
    st.booleans(),
)
def test_kernels(G1, G2, kernel, normalize, labels, directed):
    pair = [nx.DiGraph(G) if directed else G for G in (G1, G2)]
    for G in pair:
        nx.set_node_attributes(G, {v: "ab"[v % 2] for v in G}, "label")
    model = GraphKernel(kernel, labels=labels, normalize=normalize, size=3)
    reference = kernel_reference(model, pair)
    answers = reference.function(pair, **reference.literals)
    assert_allclose(answers.matrix_, model.fit(pair).matrix_, atol=1e-12)


def test_the_code_runs_and_large_graphs_are_refused():
    G = nx.disjoint_union(nx.cycle_graph(5), nx.star_graph(4))
    run = Run.of(prepare_graph(G), GraphKernel("graphlet", size=4))
    namespace = {"X": G, "model": run.fitted}
    exec(graphs_similarity_reference(run).code, namespace)
    assert namespace["reference"].value_ == run.fitted.value_
    G = nx.disjoint_union(nx.cycle_graph(20), nx.path_graph(3))
    large = Run.of(prepare_graph(G), GraphKernel("graphlet"))
    with pytest.raises(Incomparable, match="more than 14 nodes"):
        graphs_similarity_reference(large)
