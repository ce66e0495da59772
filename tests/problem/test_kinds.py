"""Preparing data that are no tables: baskets, graphs, series, texts, images."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import pdist

from dmlib.problem import (
    prepare_baskets,
    prepare_graph,
    prepare_image,
    prepare_series,
    prepare_surface,
    prepare_texts,
)

PROBLEMS = {
    "baskets": prepare_baskets([{"a", "b"}, {"a"}, set()]),
    "graph": prepare_graph(nx.cycle_graph(4)),
    "series": prepare_series([[1.0, 2.0], [3.0, 4.0, 5.0]], ["one", "other"]),
    "texts": prepare_texts(["to be", "or not to be"]),
    "image": prepare_image(np.zeros((2, 3, 3))),
    "surface": prepare_surface("x + y"),
}


@pytest.mark.parametrize("problem", PROBLEMS.values(), ids=PROBLEMS)
def test_every_kind_has_what_a_page_asks_of_a_problem(problem):
    assert isinstance(problem.arguments, tuple)
    assert problem.arguments
    assert problem.training is problem
    assert problem.test is None
    assert problem.testing is None
    assert problem.notes == ()
    assert len(problem.labels) == len(problem.rows)
    assert all(problem.labels)


# Baskets


@given(st.lists(st.sets(st.sampled_from("abcdef")), min_size=1, max_size=20).filter(any))
def test_the_matrix_says_which_item_is_in_which_basket(baskets):
    problem = prepare_baskets(baskets)
    assert problem.items == tuple(sorted(set().union(*baskets)))
    assert [set(items) for items in problem.transactions] == baskets
    assert problem.data.to_numpy().tolist() == problem.matrix.tolist()
    assert list(problem.data.columns) == list(problem.items)


def test_too_many_items_and_baskets_are_cut_with_a_note():
    baskets = [{"a", "b"}, {"b", "c"}, {"c"}, {"d"}]
    problem = prepare_baskets(baskets, max_baskets=3, max_items=2)
    assert problem.items == ("b", "c")
    assert problem.matrix.tolist() == [[True, False], [True, True], [False, True]]
    assert problem.notes == (
        "The first 3 of 4 baskets are used.",
        "The 2 most frequent of 3 items are used.",
    )


@pytest.mark.parametrize("baskets", [[], [set()], [set(), frozenset()]])
def test_empty_baskets_are_refused(baskets):
    with pytest.raises(ValueError, match="No basket holds an item"):
        prepare_baskets(baskets)


# Graphs

GRAPHS = {
    "karate": nx.karate_club_graph(),
    "two parts": nx.disjoint_union(nx.cycle_graph(3), nx.path_graph(2)),
    "one node": nx.empty_graph(1),
    "two nodes": nx.path_graph(2),
    "loop": nx.Graph([(0, 0), (0, 1), (1, 2)]),
    "directed": nx.DiGraph([(0, 1), (1, 0), (1, 2)]),
    "large": nx.barabasi_albert_graph(150, 2, seed=0),
}


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
def test_a_layout_is_deterministic_and_in_the_box(graph):
    first, second = prepare_graph(graph), prepare_graph(graph)
    np.testing.assert_array_equal(first.positions, second.positions)
    assert first.positions.shape == (len(graph), 2)
    assert first.positions.min() >= 0.5 - 1e-9
    assert first.positions.max() <= 9.5 + 1e-9
    assert len(np.unique(first.positions.round(6), axis=0)) == len(graph)
    assert first.directed == graph.is_directed()


def stress(graph, positions):
    """How far distances are from the lengths of the shortest paths, at the best scale."""
    lengths = np.array(nx.floyd_warshall_numpy(graph))[np.triu_indices(len(graph), 1)]
    distances = pdist(positions)
    scale = (distances / lengths).sum() / ((distances / lengths) ** 2).sum()
    return ((scale * distances / lengths - 1) ** 2).sum()


@pytest.mark.parametrize("name", ["karate", "large"])
def test_distances_follow_the_shortest_paths_as_well_as_networkx_does_it(name):
    graph = nx.Graph(GRAPHS[name].edges)
    theirs = nx.kamada_kawai_layout(graph, pos=nx.circular_layout(graph))
    best = stress(graph, np.array([theirs[node] for node in graph]))
    assert stress(graph, prepare_graph(graph).positions) < 1.05 * best


def test_positions_and_weights_of_the_graph_are_kept():
    graph = nx.Graph()
    graph.add_node("b", pos=(1.0, 2.0), side="left")
    graph.add_node("a", pos=(3.0, 4.0))
    graph.add_edge("a", "b", weight=2.5)
    graph.add_node("c", pos=(0.0, 0.0), side="right")
    graph.add_edge("b", "c")
    problem = prepare_graph(graph, target="side", labelled=True)
    assert problem.positions.tolist() == [[1, 2], [3, 4], [0, 0]]
    assert problem.names == ("b", "a", "c")
    assert dict(zip(map(tuple, problem.edges.tolist()), problem.weights, strict=True)) == {
        (0, 1): 2.5,
        (0, 2): 1.0,
    }
    assert problem.weighted
    assert (problem.y.tolist(), problem.classes) == ([0, -1, 1], ("left", "right"))
    assert problem.labels == [
        "b · 2 neighbours · left",
        "a · 1 neighbour · class unknown",
        "c · 1 neighbour · right",
    ]
    assert problem.notes == ("The class of 1 of 3 nodes is not known.",)
    assert len(problem.arguments) == 2


@pytest.mark.parametrize(
    ("graph", "words"),
    [
        (nx.Graph(), "no nodes"),
        (nx.empty_graph(501), "501 nodes"),
        (nx.MultiGraph([(0, 1), (0, 1)]), "several edges"),
        (nx.Graph([(0, 1, {"weight": float("nan")})]), "no usable number"),
        (nx.Graph([(0, 1, {"weight": "heavy"})]), "no usable number"),
    ],
)
def test_graphs_that_cannot_be_drawn_are_refused(graph, words):
    with pytest.raises(ValueError, match=words):
        prepare_graph(graph)


def test_classes_that_are_learned_must_be_there():
    with pytest.raises(ValueError, match="neither classes nor edges"):
        prepare_graph(nx.empty_graph(3), target="club", labelled=True)
    with pytest.raises(ValueError, match="two or more classes"):
        prepare_texts(["a", "b"], classes=["x", "x"], labelled=True)


def test_communities_take_the_place_of_classes():
    two = nx.barbell_graph(4, 0)
    problem = prepare_graph(two, labelled=True)
    assert (problem.y.tolist(), problem.classes) == (
        [0] * 4 + [1] * 4,
        ("community 1", "community 2"),
    )
    assert "2 communities" in problem.notes[-1]


def test_classes_of_a_graph_are_held_out():
    G = nx.path_graph(8)
    nx.set_node_attributes(G, dict(enumerate("aaabbbb")), "class")
    problem = prepare_graph(G, target="class", labelled=True, known_share=0.5, random_state=1)
    assert np.bincount(problem.y[problem.test]).tolist() == [2, 2]
    assert not problem.test[7]  # its class is not known
    training, testing = problem.training.y, problem.testing.y
    np.testing.assert_array_equal(np.maximum(training, testing), problem.y)
    assert (np.minimum(training, testing) == -1).all()
    assert (problem.training.test, problem.training.testing) == (None, None)


# Series


def test_holes_of_a_series_are_interpolated_in_time():
    problem = prepare_series(
        [[np.nan, 1.0, np.nan, 5.0, np.inf]], ["flow"], times=[[0, 1, 4, 5, 9]], time="year"
    )
    assert problem.values[0].tolist() == [1, 1, 4, 5, 5]
    assert problem.notes == ("3 of 5 values of flow are missing and are interpolated.",)
    assert problem.labels[2] == "flow, year 4: 4"


def test_each_series_is_scaled_by_itself():
    problem = prepare_series([[0.0, 5.0, 10.0], [1.0, 1.0]], ["a", "b"], scaling="min-max")
    assert [values.tolist() for values in problem.values] == [[0, 0.5, 1], [0, 0]]
    assert problem.notes == ("Each series is scaled to [0, 1]: (x - min) / (max - min).",)


@pytest.mark.parametrize(
    ("values", "names", "how", "words"),
    [
        ([], [], {}, "One or two series"),
        ([[1, 2]] * 3, ["a", "b", "c"], {}, "One or two series"),
        ([[1, None]], ["a"], {}, "fewer than two numbers"),
        ([[1, 1e200]], ["a"], {}, "too large"),
        ([[1, 2]], ["a"], {"times": [[2, 1]]}, "do not increase"),
        ([[1, 2]], ["a"], {"times": [[2, np.nan]]}, "do not increase"),
    ],
)
def test_series_that_cannot_be_used_are_refused(values, names, how, words):
    with pytest.raises(ValueError, match=words):
        prepare_series(values, names, **how)


def test_a_long_series_is_cut():
    problem = prepare_series([np.arange(30)], ["a"], max_values=10)
    assert len(problem.values[0]) == len(problem.times[0]) == 10
    assert problem.notes == ("The first 10 of 30 values of a are used.",)


# Texts


def test_texts_are_bounded_with_a_note():
    problem = prepare_texts(
        ["abcdef", "ab", "c"], names=["one", "two", "three"], max_texts=2, max_characters=3
    )
    assert (problem.texts, problem.names) == (("abc", "ab"), ("one", "two"))
    assert len(problem.notes) == 2
    with pytest.raises(ValueError, match="no texts"):
        prepare_texts([])


# Images


@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 12), st.booleans())
def test_a_reduced_image_is_small_and_keeps_its_shape(height, width, longest, colour):
    shape = (height, width, 3) if colour else (height, width)
    image = np.random.default_rng(0).integers(0, 256, shape).astype(np.uint8)
    problem = prepare_image(image, max_side=longest)
    factor = -(-max(height, width) // longest)
    assert max(problem.height, problem.width) <= longest
    assert problem.colour == colour
    first = image[: min(factor, height), : min(factor, width)].mean(axis=(0, 1)) / 255
    np.testing.assert_allclose(problem.pixels[0, 0], first)
    assert problem.samples.shape == (problem.height * problem.width, 3 if colour else 1)
    assert problem.grey.shape == (problem.height, problem.width)


@pytest.mark.parametrize(
    ("pixels", "words"),
    [
        (np.zeros(3), "array of rows"),
        (np.zeros((2, 2, 4)), "array of rows"),
        (np.zeros((0, 2)), "array of rows"),
        ([[0.0, 1.5]], "from 0 to 1"),
        ([[0.0, np.nan]], "from 0 to 1"),
        ([[0, 256]], "from 0 to 255"),
    ],
)
def test_what_is_no_image_is_refused(pixels, words):
    with pytest.raises(ValueError, match=words):
        prepare_image(pixels)
