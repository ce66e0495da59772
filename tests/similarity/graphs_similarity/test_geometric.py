"""Common walks of all lengths: by hand, by power series, by networkx, and in the lesson."""

from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from dmlib.datasets import make
from dmlib.pictures.run import Run
from dmlib.problem import prepare_graph
from dmlib.similarity import (
    GraphKernel,
    GraphKernelClassifier,
    geometric_kernel,
    random_walk_kernel,
)
from dmlib.similarity.graphs_similarity.classifier_scene import classifier_scene
from dmlib.similarity.graphs_similarity.graphs import graph_list
from dmlib.similarity.graphs_similarity.kernel_scene import kernel_scene
from dmlib.similarity.graphs_similarity.reference import graphs_similarity_reference
from dmlib.similarity.graphs_similarity.walks import (
    MAX_LENGTH,
    decay_of,
    largest_eigenvalue,
    product_graph,
)
from tests.contract.test_lessons import section, text_of
from tests.similarity.graphs_similarity.shared import graphs
from tests.visit import open_preset

SLUG = "graphs_similarity"


def bound_of(*several):
    """Return 1 over the largest eigenvalue of a tensor product of networkx, 1 at most."""
    values = [
        abs(np.linalg.eigvals(nx.to_numpy_array(nx.tensor_product(G, H)))).max()
        for G in several
        for H in several
    ]
    return min(1.0, 1 / max(1e-3, *values))


def test_an_edge_and_a_path_by_hand():
    K = geometric_kernel([nx.path_graph(2), nx.path_graph(3)], 0.25)
    # 4 / (1 − 1/4); x = 10/7 at four pairs and 12/7 at two; (9 + 16/4) / (1 − 4/16)
    expected = [Fraction(16, 3), Fraction(64, 7), Fraction(52, 3)]
    assert_allclose([K[0, 0], K[0, 1], K[1, 1]], [float(each) for each in expected], rtol=1e-12)
    normal = geometric_kernel([nx.path_graph(2), nx.path_graph(3)], 0.25, normalize=True)
    assert normal[0, 1] == pytest.approx(64 / 7 / np.sqrt(16 / 3 * 52 / 3))


@given(graphs(max_nodes=5), graphs(max_nodes=5), st.floats(0.0, 0.9))
def test_it_is_the_power_series(G, H, share):
    H = nx.DiGraph(H) if G.is_directed() else nx.Graph(H)
    decay = share * bound_of(G, H)
    A = nx.to_numpy_array(nx.tensor_product(G, H))
    power, total = np.ones(len(A)), 0.0
    for _ in range(400):
        total += power.sum()
        power = decay * A @ power
    assert geometric_kernel([G, H], decay)[0, 1] == pytest.approx(total, rel=1e-6)


@given(graphs(max_nodes=5, directed=False), graphs(max_nodes=5, directed=False))
def test_it_is_the_sum_of_katz_centralities(G, H):
    decay, joint = 0.9 * bound_of(G, H), nx.tensor_product(G, H)
    joint.add_node("alone")  # networkx takes no graph of one node
    katz = nx.katz_centrality_numpy(joint, decay, normalized=False)
    expected = sum(katz.values()) - 1
    assert geometric_kernel([G, H], decay)[0, 1] == pytest.approx(expected)


@given(graphs(max_nodes=5, directed=False), graphs(max_nodes=5, directed=False))
def test_it_is_the_limit_of_the_random_walk_kernel(G, H):
    labels = [[str(v % 2) for v in graph] for graph in (G, H)]
    decay = 0.5 * bound_of(G, H)
    long = random_walk_kernel([G, H], 60, decay=decay, labels=labels)
    assert_allclose(geometric_kernel([G, H], decay, labels=labels), long, rtol=1e-9)


@given(st.lists(graphs(max_nodes=6, directed=False), min_size=1, max_size=4))
def test_matrices_are_positive_semidefinite(several):
    decay = 0.9 * bound_of(*several)
    K = geometric_kernel(several, decay)
    assert_allclose(K, K.T)
    assert np.linalg.eigvalsh(K).min() >= -1e-9 * K.max()


@given(graphs(max_nodes=6), st.permutations(range(6)))
def test_the_names_of_nodes_do_not_matter(G, order):
    renamed = nx.relabel_nodes(G, dict(zip(G, [f"n{i}" for i in order], strict=False)))
    K = geometric_kernel([G, renamed], 0.9 * bound_of(G))
    assert_allclose(K, K[0, 0])


@given(graphs(max_nodes=6), graphs(max_nodes=6))
def test_graphs_with_themselves_have_the_bound(G, H):
    H = nx.DiGraph(H) if G.is_directed() else nx.Graph(H)
    radius = largest_eigenvalue([G, H])
    assert 1 / max(radius, 1.0) == pytest.approx(bound_of(G, H), rel=1e-3)
    assert decay_of(GraphKernel("geometric", decay_share=0.9), [G, H]) * radius < 1


def test_labels_of_nodes_and_edges_make_the_product_smaller():
    G = nx.Graph([(0, 1, {"label": "a"}), (1, 2, {"label": "b"})])
    pairs, A = product_graph(G, G, [["x", "y", "x"]] * 2)
    assert pairs.tolist() == [[0, 0], [0, 2], [1, 1], [2, 0], [2, 2]]
    assert A.sum() == 8  # the middle with itself has four neighbours
    _, A = product_graph(G, G, [["x", "y", "x"]] * 2, edge_labels=True)
    assert A.sum() == 4
    # Of the pairs 0, 0 and 1, 1 and 2, 2 a path is left: 3 + 4 λ at length 1, and two pairs alone.
    K = geometric_kernel([G], 0.25, labels=[["x", "y", "x"]], edge_labels=True)
    assert K[0, 0] == pytest.approx(2 + (3 + 4 / 4) / (1 - 2 / 16))


@pytest.mark.parametrize("decay", [0.25, 0.3, 1.0])
def test_at_the_bound_and_above_a_sentence_says_it(decay):
    pair = [nx.cycle_graph(3), nx.path_graph(2)]
    with pytest.raises(ValueError, match=r"no finite sum\. Choose a decay below 0\.25, which is 1"):
        geometric_kernel(pair, decay)


def test_a_share_is_below_1():
    with pytest.raises(ValueError, match="decay_share"):
        GraphKernel("geometric", decay_share=1.0).fit([nx.path_graph(2)] * 2)


def test_just_below_the_bound_the_rounds_end():
    pair = [nx.cycle_graph(3), nx.cycle_graph(4)]
    model = GraphKernel("geometric", decay_share=0.99).fit(pair)
    assert len(model.terms_) == MAX_LENGTH + 2
    assert model.value_ == pytest.approx(12 / (1 - 0.99))
    assert model.terms_.sum() == pytest.approx(model.value_)


def test_without_cycles_every_decay_has_a_sum():
    G = nx.DiGraph([(0, 1), (1, 2)])
    assert geometric_kernel([G], 1.0).tolist() == [[9 + 4 + 1]]
    assert geometric_kernel([nx.empty_graph(2)], 1.0).tolist() == [[4.0]]
    assert GraphKernel("geometric", decay_share=0.5).fit([G, G]).value_ == 9 + 4 / 2 + 1 / 4
    labels = [["a"], ["b"]]
    assert geometric_kernel([nx.path_graph(1)] * 2, labels=labels).tolist() == [[1, 0], [0, 1]]


def test_large_systems_are_refused():
    with pytest.raises(ValueError, match="1,024 pairs of nodes with equal labels; a linear system"):
        geometric_kernel([nx.path_graph(32)])


@pytest.mark.parametrize("normalize", [False, True])
@pytest.mark.parametrize("edge_labels", [False, True])
def test_networkx_agrees(normalize, edge_labels):
    G = nx.Graph([(0, 0), (0, 1), (1, 2), (3, 4), (4, 5), (5, 5), (5, 3)])
    nx.set_edge_attributes(G, {edge: "ab"[sum(edge) % 2] for edge in G.edges}, "label")
    model = GraphKernel("geometric", normalize=normalize, edge_labels=edge_labels)
    run = Run.of(prepare_graph(G), model)
    answers = graphs_similarity_reference(run).answer(run)
    assert "tensor_product" in answers.functions
    assert_allclose(run.fitted.matrix_, answers.values["matrix_"])


def test_many_graphs_have_one_matrix():
    data = make("rings_and_trees")
    problem = prepare_graph(data.graph, target=data.target)
    run = Run.of(problem, GraphKernelClassifier("geometric", normalize=False))
    graphs_, _ = graph_list(data.graph)
    decay = 0.5 * bound_of(*graphs_)
    assert_allclose(run.fitted.matrix_, geometric_kernel(graphs_, decay))
    assert np.linalg.eigvalsh(run.fitted.matrix_).min() > 0
    scene = classifier_scene(run)
    tables = [block for block in scene.frames[0].ledger if getattr(block, "title", "") == "Rounds"]
    rounds = [row[0] for row in tables[0].rows]
    assert rounds[-1] == f"> {len(rounds) - 2}"


def test_a_small_decay_counts_nodes_and_edges():
    data = make("rings_and_trees")
    several, _ = graph_list(data.graph)
    decay = 1e-4
    sizes = np.array([[len(G), 2 * G.size()] for G in several], float)
    halted = np.outer(sizes[:, 0], sizes[:, 0]) + decay * np.outer(sizes[:, 1], sizes[:, 1])
    assert_allclose(geometric_kernel(several, decay), halted, rtol=1e-5)


def test_the_lesson_has_the_numbers_of_the_stage():
    run, _, look_for = open_preset(SLUG, "All lengths at once")
    assert run.fitted.value_ == pytest.approx(64 / 7)
    lesson, scene = section(text_of(SLUG), "By hand"), kernel_scene(run)
    frames = [frame for frame in scene.frames if frame.phase == "count"]
    walks = [frame.caption.split(" common walks")[0].split()[-1] for frame in frames[:-1]]
    assert f"| common walks | {' | '.join(walks)} | |" in lesson
    weighted = " | ".join(f"{term:.4g}" for term in run.fitted.terms_)
    assert f"| weighted | {weighted} |" in lesson
    assert "adds 0.75" in frames[2].caption
    assert "sum so far: 8.75; missing to 9.143: 0.3929" in str(frames[2].ledger)
    closed_form = str(frames[-1].ledger)
    for text in ("Σ x = 9.143", "6 unknowns", "0.5 / 2 = 0.25", "1.429", "1.714"):
        assert text in closed_form
    for text in ("1.429", "1.714", "64/7 = **9.143**", "= 2$"):
        assert text in lesson
    assert "64/7 = 9.143" in look_for
    assert "6, 2, 0.75, 0.25" in look_for


def test_walks_that_end_have_a_sum_with_any_decay():
    G = nx.DiGraph([(0, 1), (2, 3), (3, 4)])
    frame = kernel_scene(Run.of(prepare_graph(G), GraphKernel("geometric"))).frames[-3]
    assert "λ = 0.5: all walks end" in str(frame.ledger)
