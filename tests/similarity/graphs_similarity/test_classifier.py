"""Many graphs at once: the kernel matrix against the kernel of each pair, votes by brute force."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from dmlib.datasets import make
from dmlib.pictures.encode import encode
from dmlib.pictures.marks import Raster
from dmlib.pictures.run import Run
from dmlib.problem import prepare_graph
from dmlib.similarity import GraphKernel, GraphKernelClassifier, geometric_kernel
from dmlib.similarity.graphs_similarity.classifier_questions import VoteRule, vote_questions
from dmlib.similarity.graphs_similarity.classifier_scene import classifier_scene
from dmlib.similarity.graphs_similarity.graph_classifier import graph_classes, vote
from dmlib.similarity.graphs_similarity.graph_kernel import KERNELS
from dmlib.similarity.graphs_similarity.graphs import graph_list
from dmlib.similarity.graphs_similarity.reference import graphs_similarity_reference
from dmlib.similarity.graphs_similarity.walks import decay_of
from tests.pictures.examples import at, marks
from tests.visit import open_preset


def problem_of(**params):
    data = make("rings_and_trees", **params)
    return prepare_graph(data.graph, target=data.target)


def test_four_graphs_by_hand():
    # Degrees: the square 2 2 2 2, the triangle 2 2 2, the path 1 2 2 1, the star 1 1 1 3. One round
    # of relabelling counts them; the first round adds the products of the sizes.
    graphs = [nx.cycle_graph(4), nx.cycle_graph(3), nx.path_graph(4), nx.star_graph(3)]
    model = GraphKernelClassifier(n_iter=1, normalize=False, n_neighbors=1)
    model.fit(graphs, ["ring", "ring", "tree", "tree"])
    expected = [[32, 24, 24, 16], [24, 18, 18, 12], [24, 18, 24, 22], [16, 12, 22, 26]]
    assert model.matrix_.tolist() == expected
    # The squared distances of the path: 32 + 24 − 48 = 8, 18 + 24 − 36 = 6, 24 + 26 − 44 = 6. The
    # triangle comes first among the two nearest; those of the star are 26, 20 and 6.
    assert model.classes_[model.predicted_].tolist() == ["ring", "ring", "ring", "tree"]
    assert model.n_errors_ == 1


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 10_000),
    st.sampled_from(KERNELS),
    st.sampled_from(["equal", "class"]),
    st.booleans(),
    st.integers(1, 5),
)
def test_each_cell_is_the_kernel_of_its_pair(seed, kernel, labels, normalize, k):
    G = make("rings_and_trees", n_graphs=6, max_nodes=6, random_state=seed).graph
    params = {"kernel": kernel, "labels": labels, "normalize": normalize}
    model = GraphKernelClassifier(**params, n_neighbors=k).fit(G)
    graphs, _ = graph_list(G)
    for i in range(6):
        for j in range(6):
            pair = [graphs[i], graphs[j]]
            value = GraphKernel(**params).fit(pair).value_
            if kernel == "geometric":  # all pairs have one decay
                options = {"labels": labels, "normalize": normalize}
                value = geometric_kernel(pair, decay_of(model, graphs), **options)[0, 1]
            assert_allclose(model.matrix_[i, j], value, rtol=1e-9)
    _, codes = graph_classes(G)
    K = model.matrix_
    squares = np.round([[K[i, i] + K[j, j] - 2 * K[i, j] for j in range(6)] for i in range(6)], 7)
    for i in range(6):
        others = sorted((j for j in range(6) if j != i), key=lambda j: (squares[i, j], j))
        if k < 5 and np.isclose(squares[i, others[k - 1]], squares[i, others[k]], atol=1e-6):
            continue  # a tie at the border of the vote
        votes = [int(codes[j]) for j in others[:k]]
        counts = {code: votes.count(code) for code in votes}
        winners = [code for code in votes if counts[code] == max(counts.values())]
        if len(set(winners)) == 1:
            assert model.predicted_[i] == winners[0]


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("labels", ["equal", "class"])
def test_the_matrix_is_networkx_own(kernel, labels):
    problem = problem_of(n_graphs=6, random_state=3)
    run = Run.of(problem, GraphKernelClassifier(kernel, labels=labels))
    reference = graphs_similarity_reference(run).answer(run)
    assert reference.functions.startswith("networkx.")
    assert_allclose(reference.matrix_, run.fitted.matrix_, rtol=1e-9)


def test_half_of_the_graphs_have_a_ring():
    data = make("rings_and_trees", n_graphs=9, random_state=5)
    graphs, names = graph_list(data.graph)
    assert names == [str(number + 1) for number in range(9)]
    for G in graphs:
        (kind,) = {kind for _, kind in G.nodes(data="kind")}
        assert nx.is_connected(G)
        assert 5 <= len(G) <= 8
        assert nx.is_tree(G) == (kind == "tree")
        assert nx.number_of_edges(G) == len(G) - (kind == "tree")
    again = make("rings_and_trees", n_graphs=9, random_state=5)
    assert nx.utils.graphs_equal(data.graph, again.graph)


def test_components_are_graphs_where_nodes_have_no_attribute():
    G = nx.Graph([("b", "c"), ("x", "a"), ("a", "y")])
    graphs, names = graph_list(G)
    assert [sorted(part) for part in graphs] == [["b", "c"], ["a", "x", "y"]]
    assert names == ["1", "2"]


def test_refusals_are_sentences():
    with pytest.raises(ValueError, match=r"There are 2 graphs; 3 to 60 can be classified\."):
        GraphKernelClassifier().fit([nx.path_graph(2)] * 2, ["a", "b"])
    with pytest.raises(ValueError, match="need a class each, and two classes in all"):
        GraphKernelClassifier().fit([nx.path_graph(2)] * 3, ["a", "a", "a"])
    with pytest.raises(ValueError, match="need a class each"):
        GraphKernelClassifier().fit([nx.path_graph(2)] * 3)


def test_equal_graphs_have_the_distance_0():
    graphs = [nx.cycle_graph(5), nx.cycle_graph(5), nx.path_graph(5)]
    steps = list(GraphKernelClassifier(n_neighbors=1).steps(graphs, ["r", "r", "t"]))
    votes = [step for step in steps if step.phase == "predict"]
    assert votes[0].squares[1] == pytest.approx(0, abs=1e-12)
    assert votes[0].neighbors == (1,)
    assert vote(np.array([1, 0, 0, 1])) == 1


def test_the_matrix_fills_cell_by_cell():
    run = Run.of(problem_of(n_graphs=5), GraphKernelClassifier())
    scene, steps = classifier_scene(run), run.trace.steps
    assert [frame.phase for frame in scene.frames] == ["kernel"] * 15 + ["predict"] * 5 + ["done"]
    (raster,) = marks(scene, Raster, "kernel")
    for i, step in enumerate(steps):
        filled = at(raster.pixels, i).reshape(5, 5) > 0
        assert_array_equal(filled, filled.T)
        assert np.tril(filled).sum() == step.n_cells
    assert encode(scene)


def test_captions_and_questions_agree_with_the_steps():
    run = Run.of(problem_of(n_graphs=8, random_state=1), GraphKernelClassifier(labels="class"))
    captions = [frame.caption for frame in classifier_scene(run).frames]
    steps, (_, codes) = run.trace.steps, graph_classes(run.problem.graph)
    wrong = sum("which is wrong" in caption for caption in captions)
    assert wrong == run.fitted.n_errors_ == (run.fitted.predicted_ != codes).sum()
    assert captions[-1].startswith(f"Done. {wrong} of 8 graphs are misclassified")
    questions = list(vote_questions(run))
    assert len(questions) == 8
    for question in questions:
        step = steps[question.step]
        assert list(question.answer.right) == [step.predicted[step.graph]]
        own = next(each for each in question.wrong if each.rule is VoteRule.OWN)
        assert own.answer == codes[step.graph]


def test_presets_say_the_errors():
    run, _, _ = open_preset("graphs_similarity", "Rings against trees")
    assert run.fitted.n_errors_ == 0
    assert len(run.fitted.matrix_) == 12
    G = run.problem.graph
    assert GraphKernelClassifier().fit(G).n_errors_ == 5
    run, _, _ = open_preset("graphs_similarity", "Atoms hide the rings")
    assert run.fitted.n_errors_ == 8
