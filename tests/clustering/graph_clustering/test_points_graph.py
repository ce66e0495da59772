"""Graphs of points: which are joined, what an edge weighs, and the page with such a source."""

import math
from functools import partial

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import kneighbors_graph, radius_neighbors_graph

from dashboard.data.points_graph import PointsGraph
from dashboard.settings import Settings
from dmlib.clustering import AgglomerativeClustering, ThresholdGraphClustering, points_graph
from dmlib.problem import prepare, prepare_graph
from tests.contract.test_lessons import section, text_of
from tests.visit import open_preset, session_of, visit, warnings

SLUG = "graph_clustering"
run_of = partial(open_preset, SLUG)


def problem_of(X, classes=None):
    frame = pd.DataFrame(np.asarray(X, float), columns=[f"x{j}" for j in range(np.shape(X)[1])])
    names = list(frame)
    if classes is None:
        return prepare(frame, names)
    return prepare(frame.assign(group=classes), names, target="group")


def adjacency(graph):
    return nx.to_numpy_array(graph, weight=None)


@given(seed=st.integers(0, 500), n=st.integers(2, 25), eps=st.floats(0.1, 4))
@settings(deadline=None, max_examples=25)
def test_within_a_radius(seed, n, eps):
    X = np.random.default_rng(seed).normal(size=(n, 3))
    graph = points_graph(problem_of(X), eps=eps)
    expected = radius_neighbors_graph(X, eps).toarray()
    np.testing.assert_array_equal(adjacency(graph), expected)
    for u, v, weight in graph.edges(data="weight"):
        assert weight == pytest.approx(math.dist(X[u - 1], X[v - 1]))


@given(seed=st.integers(0, 500), n=st.integers(3, 25), k=st.integers(1, 6))
@settings(deadline=None, max_examples=25)
def test_nearest_neighbours(seed, n, k):
    k = min(k, n - 1)
    X = np.random.default_rng(seed).normal(size=(n, 2))
    graph = points_graph(problem_of(X), "knn", n_neighbors=k, weights="similarity")
    one_way = kneighbors_graph(X, k).toarray()
    np.testing.assert_array_equal(adjacency(graph), np.maximum(one_way, one_way.T))
    assert min(dict(graph.degree).values()) >= k
    for u, v, weight in graph.edges(data="weight"):
        assert 1 / weight - 1 == pytest.approx(math.dist(X[u - 1], X[v - 1]))


def test_components_are_single_linkage_cut_at_the_radius():
    X = np.random.default_rng(3).normal(size=(40, 2))
    graph = points_graph(problem_of(X), eps=0.6)
    model = ThresholdGraphClustering(0.6, weights="distance").fit(graph)
    linkage = AgglomerativeClustering(n_clusters=None, distance_threshold=0.6, linkage="single")
    assert adjusted_rand_score(model.labels_, linkage.fit(X).labels_) == 1
    assert model.n_clusters_ == nx.number_connected_components(graph)
    assert model.n_kept_ == graph.number_of_edges()


def test_a_node_stands_where_its_row_is_drawn():
    problem = problem_of([[0, 1], [2, 5], [2, 5], [9, 9]], ["a", "b", None, "a"])
    graph = points_graph(problem, eps=0.0)
    assert list(graph.edges(data="weight")) == [(2, 3, 0.0)]  # equal rows
    prepared = prepare_graph(graph, target="class")
    np.testing.assert_array_equal(prepared.positions, problem.points)
    assert [prepared.classes[code] for code in prepared.y] == ["a", "b", "(missing)", "a"]


def test_what_cannot_be_joined():
    with pytest.raises(ValueError, match="Choose fewer neighbours"):
        points_graph(problem_of([[0, 0], [1, 1]]), "knn", n_neighbors=2)
    many = problem_of(np.zeros((250, 2)))
    with pytest.raises(ValueError, match=r"31,125 pairs .* Lower ε or k"):
        points_graph(many)
    with pytest.raises(ValueError, match="rule"):
        points_graph(many, "gabriel")


# The page
# ------------------------------------------------------------------------------------------------


def test_six_points():
    run, scene, look_for = run_of("Six points within a radius")
    graph = run.problem.graph
    weights = sorted(weight for *_, weight in graph.edges(data="weight"))
    assert weights == pytest.approx([2, 3, 3, 13**0.5, 4])
    assert run.fitted.labels_.tolist() == [0, 0, 0, 1, 1, 1]
    assert [step.phase for step in run.trace.steps].count("inside") == 1
    a, c, d = run.problem.positions[[0, 2, 3]]
    assert (math.dist(a, c), math.dist(c, d)) == (5, 5)
    assert "two clusters of 3" in look_for
    lesson = section(text_of(SLUG), "Points as a graph")
    assert all(
        part in lesson
        for part in ("d_{45} = 2", "d_{12} = d_{56} = 3", "= 3.61", "d_{23} = 4", "6 − 4 =")
    )
    # Points stay where they were put, in the box that they are drawn in.
    (panel,) = (panel for panel in scene["panels"] if panel["name"] == "data")
    assert [panel[axis][end] for axis in "xy" for end in ("low", "high")] == [0, 10, 0, 10]
    assert scene["edit"]["base"] == "points"


def test_two_moons():
    run, _, look_for = run_of("Contiguity of two moons")
    assert np.bincount(run.fitted.labels_).tolist() == [100, 100]
    assert adjusted_rand_score(run.problem.y, run.fitted.labels_) == 1
    lower = ThresholdGraphClustering(0.3, weights="distance").fit(run.problem.graph)
    assert (np.bincount(lower.labels_) > 1).sum() == 5
    assert "5 clusters of two or more" in look_for


def test_three_densities():
    run = run_of("One radius for three densities").run
    sizes = np.bincount(run.fitted.labels_)
    assert sizes[:2].tolist() == [67, 67]
    assert (sizes > 1).sum() == 10
    neighbors = run_of(
        "One radius for three densities", **{"points.rule": "knn", "points.k": 3}
    ).run
    assert neighbors.fitted.n_clusters_ == 3
    assert adjusted_rand_score(run.problem.y, neighbors.fitted.labels_) == 1


def test_similarities_where_a_large_weight_means_nearness():
    run = run_of("Six points within a radius", weights="similarity", threshold=0.25).run
    assert run.problem.weights.max() == pytest.approx(1 / 3)
    assert run.fitted.n_kept_ == 3  # 1 / (1 + 3) is kept too


def test_points_begin_with_distances():
    page = visit(SLUG)
    page.button_group(key="source").set_value("points").run()
    assert session_of(page).settings.text("graph_clustering.weights") == "distance"
    assert warnings(page) == []
    page.button_group(key="source").set_value("library").run()
    assert session_of(page).settings.text("graph_clustering.weights") is None


def test_points_and_graphs_are_drawn_apart():
    kind = PointsGraph(start={"source": "library"})
    moved = kind.change(Settings(), {"base": "points", "points": [[1, 2, 0], [3, 4, 1]]})
    assert (moved.text("points"), moved.text("graph")) == ("GQMgASwZAB", None)
    drawn = kind.change(Settings(), {"base": "graph", "points": [[1, 2, 0]], "edges": []})
    assert (drawn.text("points"), drawn.text("graph")) == (None, "GQMgA.")
    assert kind.change(Settings(), {"base": "series"}) is None
