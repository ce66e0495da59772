"""The picture of threshold graph clustering says what its steps say."""

import networkx as nx
import numpy as np
import pytest

from dmlib.clustering import ThresholdGraphClustering
from dmlib.clustering.graph_clustering.figures.component_sizes import (
    component_sizes_data,
    plot_component_sizes,
)
from dmlib.clustering.graph_clustering.scene import graph_clustering_scene
from dmlib.datasets import load, make
from dmlib.pictures.encode import encode
from dmlib.pictures.ledger import Formula
from dmlib.pictures.marks import NO_CLASS, Line, Points, Segments
from dmlib.pictures.run import Run
from dmlib.problem import prepare_graph
from tests.clustering.graph_clustering.test_algorithm import SIX
from tests.pictures.examples import at
from tests.runs import stopped


def run_of(G, threshold, weights="similarity", **options):
    return Run.of(prepare_graph(G), ThresholdGraphClustering(threshold, weights=weights), **options)


def formulas(frame):
    return [block.text for block in frame.ledger if isinstance(block, Formula)]


def nodes(scene):
    return next(mark for mark in scene.marks if isinstance(mark, Points) and mark.data)


def test_frames_tell_the_edge_and_the_numbers():
    scene = graph_clustering_scene(run_of(SIX, 5))
    captions = [frame.caption for frame in scene.frames]
    assert captions[0] == "Edge 2 – 3 (weight 9 ≥ 5) joins two single nodes: 5 components left."
    assert (
        captions[2]
        == "Edge 1 – 3 (weight 7 ≥ 5) merges components of 1 and 2 nodes: 3 components left."
    )
    assert captions[4] == "Edge 1 – 2 (weight 5 ≥ 5) lies inside a component of 3 nodes."
    assert "1 + 2 = 3 nodes; 4 − 1 = 3 components" in formulas(scene.frames[2])
    (total, table) = scene.frames[-1].ledger
    assert total.text == "2 + 0 single = 2 clusters"
    assert table.rows == [(3, "3 of 3", "1, 2, 3"), (3, "2 of 3", "4, 5, 6")]
    assert table.classes


def test_a_component_keeps_the_colour_of_its_larger_part_and_ends_with_that_of_its_label():
    run = run_of(load("les_miserables").graph, 3)
    colors = np.array(nodes(graph_clustering_scene(run)).color.rows)
    labels, sizes = run.fitted.labels_, np.bincount(run.fitted.labels_)
    np.testing.assert_array_equal(colors[-1], np.where(sizes[labels] > 1, labels, NO_CLASS))
    for step, step_colors in zip(run.trace.steps, colors, strict=True):
        for root in np.unique(step.components):
            assert len(set(step_colors[step.components == root].tolist())) == 1
        named = {
            (root, color)
            for root, color in zip(step.components, step_colors, strict=True)
            if color != NO_CLASS
        }
        assert len({color for _, color in named}) == len(named)


def test_kept_edges_come_one_by_one_and_the_edge_of_the_step_is_lit():
    run = run_of(SIX, 5)
    scene = graph_clustering_scene(run)
    kept_edges = next(
        mark for mark in scene.marks if isinstance(mark, Segments) and mark.color is not None
    )
    assert [int(np.isfinite(row).sum()) for row in kept_edges.x0.rows] == [1, 2, 3, 4, 5, 5]
    lit = next(mark for mark in scene.marks if isinstance(mark, Line) and mark.panel == "data")
    np.testing.assert_allclose(lit.x.rows[0], run.problem.positions[[1, 2], 0])
    assert len(lit.x.rows[-1]) == 0


@pytest.mark.parametrize("weights", ["similarity", "distance"])
def test_the_curve_has_the_components_of_every_threshold(weights):
    G = load("karate_club").graph
    scene = graph_clustering_scene(run_of(G, 4, weights))
    curve = next(mark for mark in scene.marks if isinstance(mark, Line) and mark.panel == "count")
    x, y = at(curve.x, 0), at(curve.y, 0)
    for threshold in np.arange(0.5, 7.5):
        place = np.searchsorted(x, threshold) - 1
        assert y[place] == ThresholdGraphClustering(threshold, weights=weights).fit(G).n_clusters_
    (handle,) = scene.handles
    assert (handle.name, handle.kind, handle.x) == ("threshold", "x", 4)


def test_the_first_12_components_are_listed_of_many():
    pairs = nx.Graph([(2 * i, 2 * i + 1) for i in range(40)])
    scene = graph_clustering_scene(run_of(pairs, 1))
    assert scene.frames[-1].ledger[-1].title == "Clusters (the first 12 of 40 clusters)"
    assert (
        scene.frames[-2].ledger[-1].title == "Components of two or more nodes (the first 12 of 40)"
    )
    assert len(scene.frames[-1].ledger[-1].rows) == len(scene.frames[-2].ledger[-1].rows) == 12


def test_a_selected_node_is_told():
    scene = graph_clustering_scene(run_of(SIX, 5, selected=2))
    assert (
        formulas(scene.frames[-1])[0] == "3: in a component of 3 nodes; strongest of its 3 edges: 9"
    )


def test_notes_say_what_to_do_without_weights_and_that_directions_do_not_count():
    scene = graph_clustering_scene(run_of(load("florentine_families").graph, 1))
    assert "choose a graph with weights" in " ".join(scene.notes)
    directed = make("random_graph", directed=True, max_weight=5).graph
    assert "directions" in " ".join(graph_clustering_scene(run_of(directed, 3)).notes)


def test_awkward_graphs_have_a_picture():
    for G in (nx.empty_graph(1), nx.empty_graph(4), nx.path_graph(2)):
        for threshold in (0, 1, 9):
            assert (
                graph_clustering_scene(run_of(G, threshold)).frames[-1].caption.startswith("Done.")
            )
    run = run_of(SIX, 5)
    assert len(graph_clustering_scene(stopped(run, 2)).frames) == 2
    assert len(encode(graph_clustering_scene(run_of(load("les_miserables").graph, 1)))) < 150_000


@pytest.mark.parametrize("weights", ["similarity", "distance"])
def test_sizes_for_each_threshold(weights):
    G = load("karate_club").graph
    data = component_sizes_data(ThresholdGraphClustering(5, weights=weights), G)
    assert len(data.thresholds) == 7
    for threshold, largest, second, single in zip(
        data.thresholds, data.largest, data.second, data.single, strict=True
    ):
        sizes = np.bincount(ThresholdGraphClustering(threshold, weights=weights).fit(G).labels_)
        assert [largest, second, single] == [sizes[0], [*sizes, 0][1], (sizes == 1).sum()]
    assert len(plot_component_sizes(data).data) == 3
    with pytest.raises(ValueError, match="no edges"):
        component_sizes_data(ThresholdGraphClustering(1), nx.empty_graph(3))
