"""Drawn curves, graphs and baskets in links: they return as they were, others are refused."""

import contextlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlib.datasets import (
    decode_baskets,
    decode_curves,
    decode_graph,
    drawn_baskets,
    drawn_graph,
    drawn_series,
    drawn_table,
    encode_baskets,
    encode_curves,
    encode_graph,
)
from dmlib.problem import prepare, prepare_baskets, prepare_graph, prepare_series

STEP = st.integers(0, 4000).map(lambda step: step / 400)
CURVES = st.lists(st.lists(STEP, min_size=1, max_size=40), min_size=1, max_size=2)
BASKETS = st.integers(1, 26).flatmap(
    lambda n: st.lists(st.lists(st.booleans(), min_size=n, max_size=n), min_size=1, max_size=60)
)


@st.composite
def graphs(draw):
    nodes = draw(st.lists(st.tuples(STEP, STEP, st.integers(0, 63)), min_size=2, max_size=64))
    ends = st.integers(0, len(nodes) - 1)
    pairs = st.lists(
        st.tuples(ends, ends).filter(lambda pair: pair[0] != pair[1]), unique=True, max_size=50
    )
    edges = draw(pairs)
    if draw(st.booleans()):
        weights = draw(st.lists(st.integers(1, 4095), min_size=len(edges), max_size=len(edges)))
        edges = [(*pair, weight / 100) for pair, weight in zip(edges, weights, strict=True)]
    return nodes, edges


def in_a_link(text):
    return all(letter.isascii() and (letter.isalnum() or letter in "-_.") for letter in text)


# There and back
# --------------------------------------------------------------------------------------------------


@given(CURVES)
def test_curves_on_the_grid_return_exactly(curves):
    text = encode_curves(curves)
    assert in_a_link(text)
    assert [curve.tolist() for curve in decode_curves(text)] == curves


@given(st.lists(st.floats(0, 10), min_size=1, max_size=300))
def test_curves_return_within_half_a_step(curve):
    np.testing.assert_allclose(
        decode_curves(encode_curves([curve]))[0], curve, atol=1 / 800 + 1e-12
    )


@given(graphs())
def test_graphs_on_the_grid_return_exactly(graph):
    text = encode_graph(*graph)
    assert in_a_link(text)
    nodes, edges = decode_graph(text)
    assert nodes.tolist() == [list(node) for node in graph[0]]
    np.testing.assert_allclose(edges, np.array(graph[1], float).reshape(edges.shape), atol=1e-12)
    assert encode_graph(nodes, edges) == text


@given(BASKETS)
def test_baskets_return_exactly(ticks):
    text = encode_baskets(ticks)
    assert in_a_link(text)
    assert decode_baskets(text).tolist() == ticks


# Whatever stands in a link
# --------------------------------------------------------------------------------------------

TEXT = st.text(max_size=40) | st.text("ABCDwxyz019-_.", max_size=60)


@given(TEXT)
def test_any_text_is_curves_or_a_value_error(text):
    with contextlib.suppress(ValueError):
        assert encode_curves(decode_curves(text)) == text


@given(TEXT)
def test_any_text_is_baskets_or_a_value_error(text):
    with contextlib.suppress(ValueError):
        assert encode_baskets(decode_baskets(text)) == text


@given(
    TEXT
    | graphs()
    .map(lambda graph: encode_graph(*graph))
    .flatmap(lambda text: st.integers(0, len(text)).map(lambda i: text[:i] + text[i + 1 :]))
)
def test_any_text_is_a_graph_or_a_value_error(text):
    nodes = edges = None
    with contextlib.suppress(ValueError):
        nodes, edges = decode_graph(text)
    if nodes is not None and len(edges):
        assert encode_graph(nodes, edges) == text


@pytest.mark.parametrize(
    ("decode", "text", "words"),
    [
        (decode_curves, "", "incomplete"),
        (decode_curves, "AAA", "incomplete"),
        (decode_curves, "AA.", "incomplete"),
        (decode_curves, "AA.AA.AA", "incomplete"),
        (decode_curves, "A+", "cannot be read"),
        (decode_curves, "__", "outside the drawing"),
        (decode_curves, "AA" * 301, "301 values"),
        (decode_curves, "AA" * 10**6, "more than 2 series of 300 values"),
        (decode_graph, "", "missing"),
        (decode_graph, "AAAAA", "missing"),
        (decode_graph, "AAAAA.A", "incomplete"),
        (decode_graph, "AAAAABBBBB.AC", "there is not"),
        (decode_graph, "AAAAABBBBB.AA", "itself"),
        (decode_graph, "AAAAABBBBB.ABAB", "comes again"),
        (decode_graph, "AAAAABBBBB..ABAA", "weight"),
        (decode_graph, "AAAAABBBBB...ABA", "cannot be read"),
        (decode_graph, "AAAAA" * 65 + ".", "65 nodes"),
        (decode_graph, "AAAAABBBBB." + "AB" * 401, "more than 400 edges"),
        (decode_baskets, "", "incomplete"),
        (decode_baskets, "A", "incomplete"),
        (decode_baskets, "GAA", ""),
        (decode_baskets, "HA", "incomplete"),
        (decode_baskets, "_A", "incomplete"),
        (decode_baskets, "DB", "cannot be read"),
        (decode_baskets, "D é", "cannot be read"),
        (decode_baskets, "D", "Tick an item"),
        (decode_baskets, "D" + "A" * 61, "limits are 60"),
        (decode_baskets, "D" + "A" * 10**6, "more than 60 baskets"),
    ],
)
def test_malformed_text_is_refused_with_a_sentence(decode, text, words):
    if not words:
        assert decode(text).shape == (2, 6)
        return
    with pytest.raises(ValueError, match=words):
        decode(text)


@pytest.mark.parametrize(
    ("encode", "drawing", "words"),
    [
        (encode_curves, [], "One or 2 series"),
        (encode_curves, [[]], "One or 2 series"),
        (encode_curves, [[11]], "between 0 and 10"),
        (encode_curves, [[np.nan]], "between 0 and 10"),
        (encode_curves, [[[1]]], "One or 2 series"),
        (encode_baskets, [], "rows of ticks"),
        (encode_baskets, [[0.5]], "rows of ticks"),
        (encode_baskets, [[True] * 27], "27 items"),
    ],
)
def test_bad_drawings_are_refused(encode, drawing, words):
    with pytest.raises(ValueError, match=words):
        encode(drawing)


@pytest.mark.parametrize(
    ("edges", "words"),
    [
        ([[0, 2]], "there is not"),
        ([[0, 0.5]], "there is not"),
        ([[0, np.nan]], "there is not"),
        ([[0, 1, 0]], "weight"),
        ([[0, 1, np.nan]], "weight"),
        ([[0, 1, 41]], "weight"),
        ([[0]], "two nodes"),
    ],
)
def test_bad_edges_are_refused(edges, words):
    with pytest.raises(ValueError, match=words):
        encode_graph([[1, 1, 0], [2, 2, 0]], edges)


# What becomes of them
# -------------------------------------------------------------------------------------------------


def test_heights_of_drawn_points_can_be_the_target():
    table = drawn_table([[1, 2, 0], [3, 4, 5]], numeric_target=True)
    assert table.frame.to_dict("list") == {"x": [1, 3], "y": [2, 4]}
    problem = prepare(table.frame, ["x"], target="y", numeric_target=True)
    assert problem.points.tolist() == [[1, 2], [3, 4]]


def test_drawings_become_problems():
    graph = drawn_graph([[1, 2, 0], [3, 4, 1], [5, 6, 1]], [[0, 1, 2.5], [2, 1, 1]])
    problem = prepare_graph(graph.graph, target=graph.target)
    assert problem.positions.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert (problem.classes, sorted(problem.weights)) == (("A", "B"), [1.0, 2.5])
    assert drawn_graph([[1, 2, 0]], directed=True).graph.is_directed()
    assert prepare_baskets(drawn_baskets([[True, False, True]]).transactions).items == ("A", "C")
    series = drawn_series([[1, 2], [3]])
    assert series.names == ("a", "b")
    with pytest.raises(ValueError, match="fewer than two"):
        prepare_series(series.values, series.names)
