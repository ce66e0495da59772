"""Labels of edges in graph kernels: by hand, by brute force, against networkx."""

from collections import Counter
from itertools import product

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from dmlib.datasets.molecules import molecules, parse_smiles
from dmlib.pictures.marks import Segments
from dmlib.pictures.run import Run
from dmlib.problem import prepare_graph
from dmlib.similarity import (
    GraphKernel,
    GraphKernelClassifier,
    edge_histogram_kernel,
    is_isomorphic,
    random_walk_kernel,
    weisfeiler_lehman_kernel,
)
from dmlib.similarity.graphs_similarity.graph_kernel import BY_EDGES
from dmlib.similarity.graphs_similarity.kernel_scene import kernel_scene
from dmlib.similarity.graphs_similarity.reference import graphs_similarity_reference
from tests.contract.test_lessons import section, text_of
from tests.similarity.graphs_similarity.shared import graphs
from tests.visit import open_preset

SLUG = "graphs_similarity"
KERNELS = (weisfeiler_lehman_kernel, random_walk_kernel, edge_histogram_kernel)


@st.composite
def labelled(draw, max_nodes=5, directed=None):
    """Return a graph whose nodes and edges have labels."""
    G = draw(graphs(max_nodes=max_nodes, directed=directed))
    for _, own in G.nodes(data=True):
        own["label"] = draw(st.sampled_from("CN"))
    for *_, own in G.edges(data=True):
        own["order"] = draw(st.integers(1, 3))
    return G


def walks_by_definition(G, H, length):
    """Count pairs of walks of equal labels of nodes and edges, one edge at a time."""
    walks = [(u, v) for u in G for v in H if G.nodes[u]["label"] == H.nodes[v]["label"]]
    for _ in range(length):
        walks = [
            (a, b)
            for u, v in walks
            for a, b in product(G[u], H[v])
            if G.nodes[a]["label"] == H.nodes[b]["label"]
            and G.edges[u, a]["order"] == H.edges[v, b]["order"]
        ]
    return len(walks)


@given(labelled(max_nodes=4), labelled(max_nodes=4))
def test_walks_by_definition(G, H):
    expected = [walks_by_definition(G, H, k) for k in range(3)]
    model = GraphKernel("random-walk", n_iter=2, decay=0.5, labels="class", edge_labels=True)
    assert_allclose(model.fit([G, H]).terms_, np.array(expected) * [1, 0.5, 0.25])


@given(labelled(directed=False), labelled(directed=False), st.integers(1, 3))
def test_relabelling_by_the_hashes_of_networkx(G, H, n_iter):
    rounds = []
    for graph in (G, H):
        for *_, own in graph.edges(data=True):
            own["text"] = str(own["order"])
        hashes = nx.weisfeiler_lehman_subgraph_hashes(
            graph, node_attr="label", edge_attr="text", iterations=n_iter, digest_size=32
        )
        first = [label for _, label in graph.nodes(data="label")]
        rounds.append([first, *([own[k] for own in hashes.values()] for k in range(n_iter))])
    expected = [
        sum(a == b for a, b in product(rounds[0][k], rounds[1][k])) for k in range(n_iter + 1)
    ]
    model = GraphKernel(n_iter=n_iter, labels="class", edge_labels=True).fit([G, H])
    assert model.terms_.tolist() == expected


@given(labelled(directed=False), labelled(directed=False))
def test_the_edge_histogram_by_pairs_of_edges(G, H):
    def kinds(graph):
        for u, v, order in graph.edges(data="order"):
            yield sorted([graph.nodes[u]["label"], graph.nodes[v]["label"]]), order

    equal = sum(a == b for a, b in product(kinds(G), kinds(H)))
    assert edge_histogram_kernel([G, H], labels="class", edge_labels=True)[0, 1] == equal


@given(st.lists(labelled(directed=False), min_size=1, max_size=4))
def test_kernels_are_positive_semidefinite_and_at_most_those_without(several):
    for kernel in KERNELS:
        K = kernel(several, labels="class", edge_labels=True)
        assert_allclose(K, K.T)
        assert np.linalg.eigvalsh(K).min() >= -1e-7 * max(1, K.max())
        assert (kernel(several, labels="class") - K >= -1e-9).all()


@given(labelled(), st.sampled_from(KERNELS))
def test_equal_labels_count_as_none(G, kernel):
    nx.set_edge_attributes(G, 2, "order")
    assert_allclose(kernel([G], edge_labels=True), kernel([G]))
    bare = nx.create_empty_copy(G)
    bare.add_edges_from(G.edges)
    assert_allclose(kernel([bare], edge_labels=True), kernel([bare]))


@given(labelled(), labelled(), st.permutations(range(5)))
def test_isomorphism_with_labels_of_edges(G, H, order):
    options = {"labels": "class", "edge_labels": True}
    assert is_isomorphic(G, nx.relabel_nodes(G, dict(enumerate(order))), **options)

    def equal(name):
        return lambda a, b: a[name] == b[name]

    if G.is_directed() == H.is_directed():
        expected = nx.is_isomorphic(G, H, node_match=equal("label"), edge_match=equal("order"))
        assert is_isomorphic(G, H, **options) == expected


def test_skeletons_are_isomorphic_and_molecules_are_not():
    pair = parse_smiles("C1=CC=CC=C1"), parse_smiles("C1CCCCC1")
    assert is_isomorphic(*pair, labels="class")
    assert not is_isomorphic(*pair, labels="class", edge_labels=True)
    for kernel in BY_EDGES:
        params = {"n_iter": 1, "labels": "class", "normalize": True}
        ignored, respected = (
            GraphKernel(kernel, **params, edge_labels=edge_labels).fit(pair).value_
            for edge_labels in (False, True)
        )
        assert ignored == pytest.approx(1)
        assert respected < 0.95


@pytest.mark.parametrize("kernel", BY_EDGES)
@pytest.mark.parametrize("edge_labels", [False, True])
def test_networkx_agrees_on_molecules(kernel, edge_labels):
    graph = molecules("acid")
    params = {"labels": "class", "edge_labels": edge_labels}
    problem = prepare_graph(graph, graphs=("acrylic acid", "oxalic acid"))
    run = Run.of(problem, GraphKernel(kernel, **params))
    assert_allclose(graphs_similarity_reference(run).answer(run).matrix_, run.fitted.matrix_)
    run = Run.of(prepare_graph(molecules("amine,acid")), GraphKernelClassifier(kernel, **params))
    reference = graphs_similarity_reference(run).answer(run)
    assert_allclose(reference.matrix_, run.fitted.matrix_, rtol=1e-9)


def test_labels_of_other_edges_are_told_from_those_of_nodes():
    G = nx.Graph([(0, 1, {"label": "a1"}), (1, 2, {"label": "a"})])
    step = list(GraphKernel(n_iter=1, edge_labels=True).steps([G, G]))[1]
    assert set(step.round.names.values()) == {"1 | a1:1", "1 | a1:1 a:1", "1 | a:1"}


# --- the page -------------------------------------------------------------------------------------


def lesson_row(start):
    """Return the results of a row of the lesson's table of two acids."""
    lines = section(text_of(SLUG), "Molecules").splitlines()
    (line,) = (line for line in lines if line.startswith(f"| {start} "))
    return [float(cell.split("=")[-1]) for cell in line.split("|")[2:-1]]


@pytest.mark.parametrize(("row", "edge_labels"), [("ignored", False), ("respected", True)])
def test_two_acids_of_the_lesson(row, edge_labels):
    run, _, text = open_preset(SLUG, "One double bond apart", edge_labels=edge_labels)
    plain = GraphKernel(n_iter=1, labels="class", edge_labels=edge_labels).fit(run.problem.graph)
    (own, k), (_, other) = plain.matrix_
    assert own == other
    value = round(run.fitted.value_, 3)
    assert lesson_row(row) == [*plain.terms_, k, own, value]
    assert ("13 + 3 = 16 of 18, and 0.889" in text, value) == (True, 0.889 if edge_labels else 1)


def test_benzene_is_cyclohexane_without_labels_of_edges():
    run, _, text = open_preset(SLUG, "One line for every bond")
    assert run.fitted.terms_.tolist() == [36, 36]
    assert run.fitted.value_ == pytest.approx(1)
    assert "36 + 36" in text
    run = open_preset(SLUG, "One line for every bond", edge_labels=True).run
    assert (run.fitted.terms_.tolist(), run.fitted.value_) == ([36, 0], pytest.approx(0.5))
    caption = kernel_scene(run).frames[-1].caption
    assert caption.endswith("they are not isomorphic.")


@pytest.mark.parametrize(("edge_labels", "n_right"), [(True, 39), (False, 19)])
def test_bonds_alone(edge_labels, n_right):
    run, _, text = open_preset(SLUG, "Bonds alone", edge_labels=edge_labels)
    assert len(run.fitted.predicted_) - run.fitted.n_errors_ == n_right
    assert str(n_right) in text
    assert "39 of 50" in section(text_of(SLUG), "Molecules")


def test_a_double_bond_is_two_lines():
    run = open_preset(SLUG, "One double bond apart").run
    scene = kernel_scene(run)
    lines = [mark for mark in scene.marks if isinstance(mark, Segments) and mark.panel == "data"]
    ends = np.concatenate([np.column_stack([m.x0, m.y0, m.x1, m.y1]) for m in lines])
    orders = Counter(order for *_, order in run.problem.graph.edges(data="order"))
    assert len(ends) == orders[1] + 2 * orders[2] == 8 + 3
    assert "One line is a single bond, two lines a double one." in scene.notes
    middles = run.problem.positions[run.problem.edges].mean(axis=1)
    for middle, order in zip(middles, run.problem.orders, strict=True):
        own = (ends[:, :2] + ends[:, 2:]) / 2
        near = np.linalg.norm(own - middle, axis=1) < 0.1
        assert near.sum() == order
        assert_allclose(own[near].mean(axis=0), middle, atol=1e-6)
