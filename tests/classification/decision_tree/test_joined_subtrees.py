"""The figure of a tree whose equal subtrees are joined."""

import numpy as np
import pytest

from dmlib.classification import DecisionTreeClassifier
from dmlib.classification.decision_tree.figures.joined_subtrees import (
    MAX_NODES,
    joined_subtrees,
    joined_subtrees_data,
    plot_joined_subtrees,
)
from dmlib.datasets import load, make
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.visit import open_preset


@pytest.mark.parametrize("title", ["The same test twice", "Parity needs every case"])
def test_the_presets_say_how_many_nodes_are_joined(title):
    run, _, look_for = open_preset("decision_tree", title)
    data = joined_subtrees_data(run.problem, run.fitted)
    assert f"{data.n_tree_nodes} nodes become {len(data.nodes)}" in look_for
    figure = joined_subtrees(run)
    assert figure.layout.title.text.startswith(f"{data.n_tree_nodes} nodes become")
    assert data.n_tree_tests - data.n_joined == data.n_tests


def test_edges_are_the_conditions_of_the_tests():
    run = open_preset("decision_tree", "The same test twice").run
    data = joined_subtrees_data(run.problem, run.fitted)
    ways = {(data.nodes[i].label, text, data.nodes[j].label) for i, j, text in data.edges}
    assert ways == {
        ("a1", "a1 <= 0.5", "a3"),
        ("a1", "a1 > 0.5", "a2"),
        ("a2", "a2 <= 0.5", "a3"),
        ("a2", "a2 > 0.5", "yes"),
        ("a3", "a3 <= 0.5", "no"),
        ("a3", "a3 > 0.5", "a4"),
        ("a4", "a4 <= 0.5", "no"),
        ("a4", "a4 > 0.5", "yes"),
    }
    weights = {node.label: node.weight for node in data.nodes}
    assert weights == {"a1": 16, "a2": 8, "a3": 12, "a4": 6, "no": 9, "yes": 7}
    texts = {annotation.text for annotation in plot_joined_subtrees(data).layout.annotations}
    assert texts == {"≤ 0.5", "&gt; 0.5"}


def test_nodes_of_a_layer_stand_apart():
    frame = load("zoo").frame
    problem = prepare(frame, list(frame.columns[1:-1]), target="type", labelled=True)
    data = joined_subtrees_data(problem, DecisionTreeClassifier().fit(problem.data, problem.y))
    places = np.array([(node.depth, node.x) for node in data.nodes])
    for depth in np.unique(places[:, 0]):
        x = np.sort(places[places[:, 0] == depth, 1])
        assert (np.diff(x) > 0.05).all()
        assert ((x >= 0) & (x <= 1)).all()
    codes = {node.label: node.code for node in data.nodes if node.code >= 0}
    assert codes == {name: problem.classes.index(name) for name in codes}


def test_a_large_graph_is_counted_only():
    frame = make("moons", n_samples=400, noise=3.0, random_state=0).frame
    problem = prepare(frame, ["x", "y"], target="class", labelled=True)
    run = Run.of(problem, DecisionTreeClassifier())
    assert len(joined_subtrees_data(problem, run.fitted).nodes) > MAX_NODES
    figure = joined_subtrees(run)
    assert not figure.data
    assert "prune the tree" in figure.layout.title.text


def test_one_leaf():
    problem = prepare(load("iris").frame, ["petal_width"], target="species", labelled=True)
    figure = joined_subtrees(Run.of(problem, DecisionTreeClassifier(min_samples_split=200)))
    assert figure.layout.title.text.startswith("No two of its 0 subtrees")
