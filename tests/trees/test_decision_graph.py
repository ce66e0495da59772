"""Decision graphs against nested tuples of whole subtrees, and against the trees themselves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlib.classification import C45, ID3, DecisionTreeClassifier
from dmlib.datasets import load
from dmlib.trees.decision_graph import decision_graph

SMALL = st.integers(2, 24).flatmap(
    lambda n: st.tuples(
        st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=n, max_size=n),
        st.lists(st.integers(0, 2), min_size=n, max_size=n),
    )
)


def nested(tree, node=0):
    """A subtree as a nested tuple, whatever else is equal to it."""
    split = tree.splits.split(node)
    if split is None:
        return int(tree.predictions[node])
    below = [nested(tree, child) for child in tree.children[node].tolist() if child >= 0]
    return (split, *below)


def class_of(graph, tree, row):
    """Walk one row through the graph."""
    node = 0
    while graph.children[node]:
        split = tree.splits.split(int(graph.representatives[node]))
        node = graph.children[node][int(split.branch(row[[split.column]])[0])]
    return int(tree.predictions[graph.representatives[node]])


def boolean(name, model):
    frame = load(name).frame
    return model.fit(frame[["a1", "a2", "a3", "a4"]], frame["y"]).tree_


@given(SMALL)
def test_nodes_are_joined_if_and_only_if_their_subtrees_are_equal(data):
    tree = DecisionTreeClassifier().fit(np.array(data[0], float), data[1]).tree_
    graph = decision_graph(tree)
    subtrees = [nested(tree, node) for node in range(tree.node_count)]
    for node in range(tree.node_count):
        is_equal = [subtree == subtrees[node] for subtree in subtrees]
        assert (graph.nodes == graph.nodes[node]).tolist() == is_equal
    assert graph.n_nodes == len(set(subtrees)) == len(graph.representatives)


@given(SMALL)
def test_the_graph_predicts_what_the_tree_predicts(data):
    X = np.array(data[0], float)
    tree = DecisionTreeClassifier().fit(X, data[1]).tree_
    graph = decision_graph(tree)
    expected = tree.decide(tree.predict(X)).tolist()
    assert [class_of(graph, tree, row) for row in X] == expected


@given(SMALL)
def test_ways_lead_down_and_nothing_is_lost(data):
    tree = DecisionTreeClassifier().fit(np.array(data[0], float), data[1]).tree_
    graph = decision_graph(tree)
    assert graph.nodes[0] == 0
    assert graph.sizes().sum() == tree.node_count
    for node, below in enumerate(graph.children):
        assert all(child > node and graph.depths[child] > graph.depths[node] for child in below)
    is_end = np.array([not below for below in graph.children])
    assert graph.weights(tree)[is_end].sum() == pytest.approx(len(data[1]))


def test_replication_by_hand():
    """(a1 and a2) or (a3 and a4): one node for each column, and one for each class."""
    tree = boolean("replication", DecisionTreeClassifier())
    graph = decision_graph(tree)
    assert (tree.node_count, graph.n_nodes, graph.n_tests) == (13, 6, 4)
    assert sorted(graph.sizes().tolist()) == [1, 1, 2, 2, 3, 4]


@pytest.mark.parametrize("model", [DecisionTreeClassifier(), ID3()], ids=repr)
def test_parity_needs_two_nodes_a_column(model):
    tree = boolean("parity", DecisionTreeClassifier())
    graph = decision_graph(tree)
    assert (tree.node_count, graph.n_nodes, graph.n_tests) == (31, 9, 2 * 4 - 1)
    assert np.bincount(graph.depths).tolist() == [1, 2, 2, 2, 2]
    assert decision_graph(boolean("replication", model)).n_tests == 4


def test_one_leaf_and_nominal_columns():
    leaf = decision_graph(DecisionTreeClassifier().fit([[0.0], [1.0]], ["a", "a"]).tree_)
    assert (leaf.n_nodes, leaf.n_tests, leaf.children) == (1, 0, ((),))
    weather = load("weather_nominal").frame
    tree = C45().fit(weather.drop(columns="play"), weather["play"]).tree_
    graph = decision_graph(tree)
    assert graph.n_tests == (~tree.is_leaf).sum()
    assert graph.n_nodes == graph.n_tests + 2
