"""What networkx counts of two graphs is what the kernels count, by every kernel, with labels and directions."""

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
    counted_parts,
    graphs_similarity_code,
    graphs_similarity_reference,
)
from tests.similarity.graphs_similarity.shared import graphs


@given(
    graphs(most=6, directed=False),
    graphs(most=6, directed=False),
    st.sampled_from(["shortest-path", "random-walk", "graphlet"]),
    st.booleans(),
    st.sampled_from(["equal", "class"]),
    st.booleans(),
)
def test_parts(one, other, kernel, normalize, labels, directed):
    pair = [nx.DiGraph(G) if directed else G for G in (one, other)]
    for G in pair:
        nx.set_node_attributes(G, {v: "ab"[v % 2] for v in G}, "label")
    model = GraphKernel(kernel, labels=labels, normalize=normalize, size=3)
    assert_allclose(counted_parts(pair, model).matrix_, model.fit(pair).matrix_, atol=1e-12)


def test_the_code_asks_the_same_and_large_graphs_are_refused():
    G = nx.disjoint_union(nx.cycle_graph(5), nx.star_graph(4))
    run = Run.of(prepare_graph(G), GraphKernel("graphlet", size=4))
    names = {"X": G, "model": run.fitted}
    exec(graphs_similarity_code(run), names)
    assert names["reference"].value_ == run.fitted.value_
    large = Run.of(
        prepare_graph(nx.disjoint_union(nx.cycle_graph(20), nx.path_graph(3))),
        GraphKernel("graphlet"),
    )
    with pytest.raises(Incomparable, match="more than 14 nodes"):
        graphs_similarity_reference(large)
