"""The page of threshold graph clustering: presets, the lesson, the line, its kinds of data."""

from functools import partial

import numpy as np
import pytest
from sklearn.base import clone

from dmlib.clustering import ThresholdGraphClustering
from dmlib.datasets import decode_graph
from tests.clustering.graph_clustering.test_algorithm import SIX
from tests.contract.test_lessons import section, text_of
from tests.gestures import move
from tests.visit import open_part, open_preset, sound, stage, technique, visit, warnings

SLUG = "graph_clustering"

run_of = partial(open_preset, SLUG)


def sizes(run, **params):
    """Return the sizes of the clusters of two or more nodes."""
    labels = clone(run.model).set_params(**params).fit(run.problem.graph).labels_
    return [size for size in np.bincount(labels).tolist() if size > 1]


def names(run, cluster):
    return {run.problem.names[i] for i in np.flatnonzero(run.fitted.labels_ == cluster)}


def test_factions():
    run, _, look_for = run_of("The cores of two factions")
    assert sizes(run) == [5, 5, 2]
    assert "0" in names(run, 0)
    assert "33" in names(run, 1)
    for cluster in (0, 1):
        assert len(set(run.problem.y[run.fitted.labels_ == cluster])) == 1
    assert "to 4: the edge 8 – 33 merges both" in look_for
    assert sizes(run, threshold=4.0) == [15, 2]
    G = run.problem.graph.copy()
    G.remove_edge(8, 33)
    labels = ThresholdGraphClustering(4).fit(G).labels_
    assert labels[0] != labels[33]


def test_six_nodes():
    run = run_of("Six nodes by hand").run
    assert sorted(d for *_, d in run.problem.graph.edges(data="weight")) == [3, 4, 5, 6, 7, 8, 9]
    assert sizes(run) == [3, 3]
    assert sizes(run, threshold=4.0) == [6]
    single = ThresholdGraphClustering(7).fit(run.problem.graph).labels_
    assert (single == single[5]).sum() == 1


def test_bridge():
    run = run_of("One edge joins two groups").run
    assert (sizes(run), run.fitted.n_kept_, run.problem.graph.number_of_edges()) == ([12], 25, 25)
    assert sizes(run, threshold=7.5) == [6, 6]
    assert (run.problem.weights == 7).sum() == 1


def test_chain():
    run = run_of("A chain joins far ends").run
    assert (run.fitted.n_clusters_, run.fitted.n_kept_) == (1, 6)
    assert run.problem.graph.edges["1", "7"]["weight"] == 6


def test_novel():
    run = run_of("Characters of a novel").run
    assert sizes(run) == [7, 4, 2]
    assert sizes(run, threshold=9.0) == [13, 2]


def test_planted_groups():
    run = run_of("Planted groups").run
    assert sizes(run) == [10, 10, 9]
    assert all(len(set(run.problem.y[run.fitted.labels_ == k])) == 1 for k in range(3))
    assert sizes(run, threshold=4.0) == [20, 10]


def test_grid():
    run = run_of("Distances on a grid").run
    assert (run.fitted.n_clusters_, run.fitted.largest_) == (9, 8)
    assert sizes(run, threshold=5.0) == [21]


def test_without_weights():
    run = run_of("Without weights").run
    assert (run.fitted.n_clusters_, run.fitted.n_kept_, run.fitted.largest_) == (1, 20, 15)
    assert sizes(run, threshold=1.5) == []


# The lesson
# ---------------------------------------------------------------------------------------------


def cells(text, name):
    (line,) = [line for line in text.splitlines() if line.startswith(f"| {name} |")]
    return [cell.strip() for cell in line.split("|")[2:-1]]


def test_example_of_the_lesson():
    text = section(text_of(SLUG), "By hand")
    steps = [step for step in ThresholdGraphClustering(0).steps(SIX) if step.edge]
    assert cells(text, "edge") == [f"{step.edge[0] + 1} – {step.edge[1] + 1}" for step in steps]
    assert cells(text, "weight") == [f"{step.weight:g}" for step in steps]
    edge_steps = [step for step in ThresholdGraphClustering(5).steps(SIX) if step.edge]
    assert cells(text, "result") == [step.phase for step in edge_steps] + ["weaker"] * 2
    assert cells(text, "components") == [str(step.n_components) for step in edge_steps] + [""] * 2
    for threshold, labels in ((5, [0, 0, 0, 1, 1, 1]), (4, [0] * 6), (7, [0, 0, 0, 1, 1, 2])):
        assert ThresholdGraphClustering(threshold).fit(SIX).labels_.tolist() == labels


def test_answers_of_the_lesson():
    assert [ThresholdGraphClustering(t).fit(SIX).n_clusters_ for t in (6, 10)] == [2, 6]
    run = run_of("The cores of two factions").run
    assert (run.fitted.labels_ > 2).sum() == 22
    assert "22 of 34 nodes are alone" in text_of(SLUG)


# The line, and kinds of data
# ------------------------------------------------------------------------------------------


def test_the_line_sets_the_threshold():
    (handle,) = stage(visit(SLUG))["handles"]
    assert (handle["name"], handle["panel"], handle["kind"], handle["x"]) == (
        "threshold",
        "count",
        "x",
        5.0,
    )
    page = technique(SLUG)
    assert move({"name": "threshold", "x": 3.14159, "y": None}, page) == {
        f"{SLUG}.threshold": ["3.142"]
    }
    assert move({"name": "threshold", "x": -1.0, "y": None}, page) == {f"{SLUG}.threshold": ["0.0"]}


@pytest.mark.parametrize(
    "link",
    [
        {"source": "library", "data": "southern_women"},
        {"source": "generator", "generator": "preferential_attachment"},
        {"source": "generator", "generator": "random_graph"},
        {"source": "draw"},
    ],
)
def test_every_source_has_a_picture(link):
    page = sound(visit(SLUG, **link, **{f"{SLUG}.threshold": "1"}))
    assert warnings(page) == []
    assert len(stage(page)["frames"]) > 1


def edited(points, edges):
    link = move({"base": "graph", "points": points, "edges": edges}, technique(SLUG))
    return [array.tolist() for array in decode_graph(*link["graph"])]


PLACES = [[1.0, 1.0, 0.0], [9.0, 1.0, 0.0], [5.0, 9.0, 1.0]]


def test_a_drawn_graph_is_taken_over():
    assert edited(PLACES, [[1, 0], [1, 2]]) == [PLACES, [[0, 1], [1, 2]]]
    assert edited(PLACES, [[0, 1, 2.5], [1, 2]]) == [PLACES, [[0, 1, 2.5], [1, 2, 1]]]


@pytest.mark.parametrize(
    "edges",
    [
        None,
        "edges",
        [[0, 0]],
        [[0, 9]],
        [[-1, 1]],
        [[0]],
        [["0", "1"]],
        [[0, float("nan")]],
        [[float("inf"), 1]],
        [{}],
    ],
)
def test_edges_that_are_none_are_left_out(edges):
    assert edited(PLACES, edges) == [PLACES, []]


def test_a_weight_beyond_what_links_hold_is_the_largest():
    assert edited(PLACES, [[0, 1, 1e9], [1, 2, -5]])[1] == [[0, 1, 40.95], [1, 2, 0.01]]


def test_a_file_of_edges_is_clustered():
    page = visit(SLUG, source="upload", **{f"{SLUG}.threshold": "4"})
    page.file_uploader[0].upload("edges.csv", b"from,to,weight\na,b,9\nb,c,5\nc,d,2\n", "text/csv")
    assert "the largest of 3" in stage(sound(page.run()))["frames"][-1]["caption"]


def test_known_classes_are_compared():
    page = open_part(visit(SLUG), **{f"{SLUG}.tab": "Known classes"})
    assert len(sound(page).get("plotly_chart")) == 1
