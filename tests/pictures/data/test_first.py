"""The first look at data of every kind: one frame that can be sent, with everything in view."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from dmlib.datasets import LIBRARY, generators, load, make
from dmlib.pictures.data import first_scene
from dmlib.pictures.data.surface import level_lines
from dmlib.pictures.encode import decode, encode
from dmlib.pictures.marks import NO_CLASS, Line, Points, Raster, Segments, Texts
from dmlib.problem import (
    prepare,
    prepare_baskets,
    prepare_graph,
    prepare_image,
    prepare_loss,
    prepare_network,
    prepare_patterns,
    prepare_series,
    prepare_surface,
    prepare_texts,
)
from tests.pictures.examples import marks

HEAVIEST = 150_000  # bytes that one change may send


PREPARE = {
    "baskets": lambda data: prepare_baskets(data.transactions),
    "graph": lambda data: prepare_graph(data.graph, target=data.target),
    "series": lambda data: prepare_series(
        data.values, data.names, times=data.times, time=data.time
    ),
    "strings": lambda data: prepare_texts(data.texts, names=data.names, classes=data.classes),
    "image": lambda data: prepare_image(data.pixels, name=data.name),
    "network": lambda data: prepare_network(data.nodes, data.target),
    "patterns": lambda data: prepare_patterns(data.patterns, data.names),
    "surface": lambda data: (
        prepare_loss(data.rows, data.loss, data.domain, name=data.title)
        if data.loss
        else prepare_surface(data.formula, data.domain, name=data.title)
    ),
}


def problem_of(kind, data, numeric=None):
    if kind != "table":
        return PREPARE[kind](data)
    features = [name for name in data.numeric if name != numeric][:2]
    return prepare(data.frame, features, target=numeric, numeric_target=True)


SETS = [name for name, entry in LIBRARY.items() if entry.kind != "table" or entry.response]
MADE = [
    (kind, name)
    for kind in ("baskets", "graph", "series", "strings", "patterns")
    for name in generators(kind)
]
AWKWARD = {
    "one basket": prepare_baskets([{"a"}]),
    "one node": prepare_graph(nx.empty_graph(1)),
    "loop": prepare_graph(nx.DiGraph([(0, 0), (0, 1)])),
    "two values": prepare_series([[3.0, 3.0]], ["flat"]),
    "an empty text": prepare_texts([""]),
    "one pixel": prepare_image([[0.5]]),
    "one cell": prepare_patterns([[[True]]]),
    "a plain": prepare_surface("3"),
    "half a plane": prepare_surface("log(x)"),
    "one height": prepare(
        pd.DataFrame({"x": [1, 2], "y": [5, 5]}), ["x"], target="y", numeric_target=True
    ),
    "heights over words": prepare(
        pd.DataFrame({"x": ["a", "b"], "y": [5, 6]}), ["x"], target="y", numeric_target=True
    ),
    "equal heights over two": prepare(
        pd.DataFrame({"x": [1, 2], "z": [1, 2], "y": [5, 5]}),
        ["x", "z"],
        target="y",
        numeric_target=True,
    ),
    "classes": prepare(pd.DataFrame({"x": [1, 2], "y": ["a", "b"]}), ["x"], target="y"),
}


def check(scene):
    assert len(scene.frames) == 1
    assert all(sentence.endswith(".") for sentence in (scene.frames[0].caption, *scene.notes))
    packed = encode(scene)
    assert len(packed) < HEAVIEST
    assert all(np.isfinite(array).all() for array in decode(packed)["arrays"])
    panel = scene.panels[0]
    for mark in marks(scene, Points):
        assert ((panel.x.low <= np.asarray(mark.x)) & (np.asarray(mark.x) <= panel.x.high)).all()
        assert ((panel.y.low <= np.asarray(mark.y)) & (np.asarray(mark.y) <= panel.y.high)).all()
        assert len(mark.labels) == len(mark.x)


@pytest.mark.parametrize("name", SETS)
def test_the_library_has_a_first_look(name):
    check(first_scene(problem_of(LIBRARY[name].kind, load(name), LIBRARY[name].response)))


@pytest.mark.parametrize(("kind", "name"), MADE)
def test_made_data_have_a_first_look(kind, name):
    check(first_scene(problem_of(kind, make(name))))


@pytest.mark.parametrize("problem", AWKWARD.values(), ids=AWKWARD)
def test_awkward_data_have_a_first_look(problem):
    check(first_scene(problem))


# What each shows
# --------------------------------------------------------------------------------------------------


def test_a_number_over_one_feature_is_drawn_as_its_height():
    frame = pd.DataFrame({"x": [1.0, 2.0, 4.0], "y": [50.0, 70.0, 60.0]})
    scene = first_scene(prepare(frame, ["x"], target="y", numeric_target=True))
    points = marks(scene, Points)[0]
    assert (np.asarray(points.x).tolist(), np.asarray(points.y).tolist()) == (
        [1, 2, 4],
        [50, 70, 60],
    )
    assert (scene.panels[0].x.label, scene.panels[0].y.label) == ("x", "y")
    assert scene.frames[0].caption == "3 points; y goes from 50 to 70, its mean is 60."


def test_a_number_over_two_features_is_drawn_as_a_size():
    frame = pd.DataFrame({"x": [1.0, 2.0, 4.0], "z": [1.0, 5.0, 2.0], "y": [50.0, 70.0, 60.0]})
    sizes = marks(first_scene(prepare(frame, ["x", "z"], target="y", numeric_target=True)), Points)[
        0
    ].size
    assert np.argsort(sizes).tolist() == [0, 2, 1]


def test_ticks_stand_where_basket_and_item_cross():
    scene = first_scene(prepare_baskets([{"b"}, {"a", "c"}]))
    points, panel = marks(scene, Points)[0], scene.panels[0]
    cells = {
        (panel.y.ticks[int(y)], panel.x.ticks[int(x)])
        for x, y in zip(points.x, points.y, strict=True)
    }
    assert cells == {("1", "b"), ("2", "a"), ("2", "c")}
    assert points.labels == ["basket 1: b", "basket 2: a", "basket 2: c"]


def test_many_baskets_are_cut_with_a_note():
    scene = first_scene(prepare_baskets([{f"i{j}" for j in range(i % 35 + 1)} for i in range(70)]))
    assert scene.notes == (
        "40 of 70 baskets are drawn, at equal distances.",
        "The 30 most frequent of 35 items are drawn.",
    )
    assert scene.frames[0].ledger[0].rows[0] == ("i0", 70, 1.0)


def test_heavier_edges_are_wider():
    graph = nx.Graph([(0, 1, {"weight": 1}), (1, 2, {"weight": 5}), (2, 3, {"weight": 9})])
    scene = first_scene(prepare_graph(graph))
    assert [mark.width for mark in marks(scene, Segments)] == [1.0, 2.25, 4.0]
    assert list(marks(scene, Texts)[1].text) == ["1", "5", "9"]
    plain = first_scene(prepare_graph(nx.path_graph(3)))
    assert [mark.width for mark in marks(plain, Segments)] == [1.0]
    assert not plain.notes


def test_arrows_end_before_their_node():
    problem = prepare_graph(nx.DiGraph([(0, 1), (1, 2)]))
    edges = marks(first_scene(problem), Segments)[0]
    assert edges.arrow
    ends = problem.positions[problem.edges[:, 1]]
    gaps = np.hypot(edges.x1 - ends[:, 0], edges.y1 - ends[:, 1])
    assert (gaps > 0.1).all()


def test_nodes_of_unknown_class_are_neutral():
    graph = nx.path_graph(3)
    nx.set_node_attributes(graph, {0: "a", 2: "b"}, "side")
    nodes = marks(first_scene(prepare_graph(graph, target="side")), Points)[0]
    assert np.asarray(nodes.color).tolist() == [0, NO_CLASS, 1]


def test_series_are_lines_in_their_times():
    scene = first_scene(prepare_series([[1, 2], [3, 4, 5]], ["a", "b"], times=[[0, 10], [0, 5, 9]]))
    assert [np.asarray(line.x).tolist() for line in marks(scene, Line)] == [[0, 10], [0, 5, 9]]
    assert [key.text for key in scene.legend] == ["a", "b"]


def test_short_strings_are_letters_and_long_ones_beginnings():
    letters = marks(first_scene(prepare_texts(["AC", "G"])), Texts)[0]
    assert (list(letters.text), np.asarray(letters.x).tolist(), np.asarray(letters.y).tolist()) == (
        ["A", "C", "G"],
        [1, 2, 1],
        [1, 1, 0],
    )
    long = first_scene(prepare_texts(["word " * 40] * 25))
    assert len(marks(long, Texts)[0].text) == 16
    assert all(len(text) <= 90 for text in marks(long, Texts)[0].text)
    assert long.notes == ("The first 16 of 25 texts are shown.",)


def test_dark_pixels_are_strong_and_the_first_row_is_on_top():
    raster = marks(first_scene(prepare_image([[0, 255], [255, 255], [255, 255]])), Raster)[0]
    assert np.asarray(raster.pixels).tolist() == [255, 0, 0, 0, 0, 0]
    assert (raster.width, raster.height, raster.ramp) == (2, 3, True)


def test_high_places_are_strong_and_the_largest_y_is_on_top():
    raster = marks(first_scene(prepare_surface("x + 10*y")), Raster)[0]
    shades = np.asarray(raster.pixels).reshape(raster.height, raster.width)
    assert shades[0, -1] == shades.max()
    assert shades[-1, 0] == shades.min()


# Level lines
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [0.5, 1.0, 2.25])
def test_a_level_line_of_a_cone_is_a_circle(level):
    x = np.linspace(-3, 3, 61)
    lines = level_lines(x, x, np.hypot(*np.meshgrid(x, x)), level)
    np.testing.assert_allclose(np.hypot(lines[..., 0], lines[..., 1]), level, atol=0.01)
    length = np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1).sum()
    assert length == pytest.approx(2 * np.pi * level, rel=0.01)


def test_no_line_is_drawn_beside_a_hole():
    heights = np.array([[0.0, 1.0], [0.0, np.nan]])
    lines = level_lines(np.array([0.0, 1.0]), np.array([0.0, 1.0]), heights, 0.5)
    assert lines.shape == (1, 2, 2)
