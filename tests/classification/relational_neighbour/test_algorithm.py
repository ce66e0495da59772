"""The relational neighbour classifier against SciPy, networkx, scikit-learn and its definition."""

from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from networkx.algorithms.node_classification import harmonic_function
from scipy.sparse.linalg import spsolve
from sklearn.semi_supervised import LabelPropagation

from dmlib.classification import WeightedVoteRelationalNeighbor
from dmlib.classification.relational_neighbour.reference import matrix_sweeps
from dmlib.datasets import load
from dmlib.problem import prepare_graph

EXACT = {"tol": 1e-9, "max_iter": 1000}
FIVE = nx.Graph()
FIVE.add_nodes_from(range(1, 6))
FIVE.add_weighted_edges_from([(1, 3, 2), (1, 4, 1), (3, 4, 1), (3, 5, 1), (4, 5, 1), (2, 5, 2)])
LABELS = ["A", "B", None, None, None]


def given_labels(name, known_share=0.2, seed=0):
    data = load(name)
    problem = prepare_graph(
        data.graph, target=data.target, labelled=True, known_share=known_share, random_state=seed
    )
    return problem.training.arguments


def harmonic(G, y):
    """Solve (D - W) F = W_known Y for the nodes without a label."""
    W = nx.to_scipy_sparse_array(G, dtype=float, format="csc")
    L = (nx.laplacian_matrix(G).astype(float)).tocsc()
    free, fixed = y < 0, y >= 0
    F = np.eye(y.max() + 1)[np.maximum(y, 0)]
    F[free] = spsolve(L[free][:, free], (W[free][:, fixed] @ F[fixed])).reshape(free.sum(), -1)
    return F


def test_three_sweeps_by_hand():
    steps = [
        step
        for step in WeightedVoteRelationalNeighbor().steps(FIVE, LABELS)
        if step.phase == "sweep"
    ]
    three = four = five = Fraction(1, 2)
    for step in steps[:3]:
        three, four, five = (2 + four + five) / 4, (1 + three + five) / 3, (three + four) / 4
        np.testing.assert_allclose(step.proba[2:, 0], [float(x) for x in (three, four, five)])
        np.testing.assert_array_equal(step.proba[:2], np.eye(2))
    assert steps[0].proba[2:, 0].tolist() == [0.75, pytest.approx(2 / 3), 0.25]
    assert steps[0].flipped.tolist() == [4]  # the tie at the start is broken for A


def test_votes_in_order_take_the_newest_probabilities():
    model = WeightedVoteRelationalNeighbor(1, update="in order").fit(FIVE, LABELS)
    three = Fraction(3, 4)
    four = (1 + three + Fraction(1, 2)) / 3
    np.testing.assert_allclose(
        model.label_distributions_[2:, 0], [0.75, float(four), float((three + four) / 4)]
    )


def test_annealing_by_hand():
    model = WeightedVoteRelationalNeighbor(2, decay=0.5).fit(FIVE, LABELS)
    three, four, five = 0.5 * 0.75 + 0.25, 0.5 * 2 / 3 + 0.25, 0.5 * 0.25 + 0.25
    after = 0.25 * (2 + four + five) / 4 + 0.75 * three
    assert model.label_distributions_[2, 0] == pytest.approx(after)


def test_limit_by_hand():
    model = WeightedVoteRelationalNeighbor(**EXACT).fit(FIVE, LABELS)
    np.testing.assert_allclose(
        model.label_distributions_[2:, 0], [27 / 35, 5 / 7, 13 / 35], atol=1e-8
    )
    assert model.transduction_.tolist() == ["A", "B", "A", "A", "B"]
    assert model.predict(FIVE).tolist() == model.transduction_.tolist()


@pytest.mark.parametrize(
    "name", ["karate_club", "les_miserables", "southern_women", "florentine_families"]
)
@pytest.mark.parametrize("how", [{}, {"update": "in order"}, {"start": "uniform"}], ids=str)
def test_the_limit_is_the_harmonic_solution(name, how):
    G, y = given_labels(name)
    model = WeightedVoteRelationalNeighbor(**EXACT, **how).fit(G, y)
    np.testing.assert_allclose(model.label_distributions_, harmonic(G, y), atol=1e-6)


def test_networkx_finds_the_same_classes():
    G, y = given_labels("les_miserables")
    labelled = G.copy()
    nx.set_node_attributes(
        labelled, {node: code for node, code in zip(G, y.tolist(), strict=True) if code >= 0}, "l"
    )
    model = WeightedVoteRelationalNeighbor(**EXACT).fit(G, y)
    assert (
        harmonic_function(labelled, max_iter=2000, label_name="l") == model.transduction_.tolist()
    )


def test_scikit_learn_propagates_to_the_same_probabilities():
    G, y = given_labels("karate_club")
    W = nx.to_numpy_array(G)
    theirs = LabelPropagation(kernel=lambda X, _: W, tol=1e-12, max_iter=5000).fit(
        np.arange(len(G))[:, None], y
    )
    model = WeightedVoteRelationalNeighbor(**EXACT).fit(G, y)
    np.testing.assert_allclose(model.label_distributions_, theirs.label_distributions_, atol=1e-6)
    np.testing.assert_array_equal(model.transduction_, theirs.transduction_)


edges = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 6)), max_size=30)
labels = st.lists(st.integers(-1, 2), min_size=10, max_size=10).filter(
    lambda y: len({*y} - {-1}) > 1
)
how = {
    "start": st.sampled_from(["prior", "uniform"]),
    "update": st.sampled_from(["simultaneous", "in order"]),
    "decay": st.sampled_from([1.0, 0.9, 0.5]),
    "weighted": st.booleans(),
}


@settings(max_examples=80, deadline=None)
@given(edges, labels, st.fixed_dictionaries(how), st.sampled_from([nx.Graph, nx.DiGraph]))
def test_invariants(weighted_edges, y, params, kind):
    G = kind()
    G.add_nodes_from(range(10))
    G.add_weighted_edges_from(weighted_edges)
    y = np.unique(y, return_inverse=True)[1] - (-1 in y)
    model = WeightedVoteRelationalNeighbor(30, **params)
    steps = list(model.steps(G, y))
    first, *sweeps, last = steps
    low, high = first.proba.min(axis=0), first.proba.max(axis=0)
    for step in sweeps:
        np.testing.assert_allclose(step.proba.sum(axis=1), 1)
        assert (step.proba >= low - 1e-12).all()
        assert (step.proba <= high + 1e-12).all()
        np.testing.assert_array_equal(step.proba[y >= 0], np.eye(y.max() + 1)[y[y >= 0]])
    model.fit(G, y)
    assert model.n_iter_ == len(sweeps) == last.sweep
    undirected = G.to_undirected()
    undirected.remove_edges_from(
        [(u, v) for u, v, w in undirected.edges(data="weight") if model.weighted and not w]
    )
    for i, is_reached in enumerate(model.reached_):
        assert (
            is_reached == any(y[j] >= 0 for j in nx.node_connected_component(undirected, i))
            or kind is nx.DiGraph
        )
        if not is_reached:
            np.testing.assert_allclose(last.proba[i], first.proba[i])
    reference = matrix_sweeps(
        G,
        y.tolist(),
        model.n_iter_,
        start=model.start,
        update=model.update,
        decay=model.decay,
        weighted=model.weighted,
    )
    np.testing.assert_allclose(last.proba, reference.label_distributions_, atol=1e-9)


def test_components_without_a_known_label_keep_the_start_and_are_told():
    G = nx.Graph([(0, 1), (1, 2), (3, 4)])
    G.add_node(5)
    y = [0, -1, 1, -1, -1, -1]
    model = WeightedVoteRelationalNeighbor().fit(G, y)
    assert model.reached_.tolist() == [True] * 3 + [False] * 3
    assert list(model.steps(G, y))[-1].reason.endswith(
        " 3 nodes have no path to a known label and keep the start."
    )


def test_all_labels_known_need_one_sweep():
    model = WeightedVoteRelationalNeighbor().fit(nx.path_graph(2), ["a", "b"])
    assert (model.n_iter_, model.transduction_.tolist()) == (1, ["a", "b"])


def test_what_stops_early_says_so():
    G, y = given_labels("karate_club")
    assert list(WeightedVoteRelationalNeighbor(2).steps(G, y))[-1].reason.startswith(
        "Stopped after 2 sweeps, the max"
    )


@pytest.mark.parametrize(
    ("G", "y", "sentence"),
    [
        (np.ones((3, 3)), [0, 1, 0], "G must be a networkx graph, not ndarray"),
        (nx.Graph(), [], "G must have nodes"),
        (nx.MultiGraph([(1, 2), (1, 2)]), [0, 1], "at most one edge between any two"),
        (nx.Graph([(1, 2, {"weight": -1})]), [0, 1], "negative or infinite"),
        (nx.Graph([(1, 2, {"weight": float("nan")})]), [0, 1], "negative or infinite"),
        (
            nx.Graph([(1, 2, {"weight": 1e308}), (2, 3, {"weight": 1e308})]),
            [0, -1, 1],
            "Divide all by the same number",
        ),
        (nx.Graph([(1, 2, {"weight": "heavy"})]), [0, 1], "no number"),
        (nx.path_graph(3), None, "one label for each of 3 nodes"),
        (nx.path_graph(3), [0, 1], "one label for each of 3 nodes"),
        (nx.path_graph(3), [-1, -1, -1], "no label is known"),
        (nx.path_graph(3), ["a", None, "a"], "all known labels are a"),
    ],
)
def test_what_cannot_be_used_is_refused(G, y, sentence):
    with pytest.raises(ValueError, match=sentence):
        WeightedVoteRelationalNeighbor().fit(G, y)


def test_another_graph_must_be_fitted():
    model = WeightedVoteRelationalNeighbor().fit(nx.path_graph(3), [0, -1, 1])
    with pytest.raises(ValueError, match="G has 4 nodes, and the fitted graph 3"):
        model.predict(nx.path_graph(4))
