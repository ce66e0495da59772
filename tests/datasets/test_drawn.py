import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlib.datasets import decode_points, drawn_table, encode_points
from dmlib.datasets.drawn import MAX_POINTS

POINT = st.tuples(st.floats(0, 10), st.floats(0, 10), st.integers(0, 63))
STEP = st.integers(0, 4000).map(lambda step: step / 400)


@given(st.lists(POINT, max_size=MAX_POINTS))
def test_points_return_within_half_a_step(points):
    text = encode_points(points)
    assert len(text) == 5 * len(points)
    assert all(letter.isascii() and (letter.isalnum() or letter in "-_") for letter in text)
    back = decode_points(text)
    np.testing.assert_allclose(back, np.array(points, float).reshape(-1, 3), atol=1 / 800 + 1e-12)
    assert encode_points(back) == text


@given(st.lists(st.tuples(STEP, STEP, st.integers(0, 63)), min_size=1, max_size=MAX_POINTS))
def test_points_on_the_grid_return_exactly(points):
    assert decode_points(encode_points(points)).tolist() == [list(point) for point in points]


@given(st.text(max_size=40) | st.text("ABCwxyz0189-_", max_size=40))
def test_any_text_is_points_or_a_value_error(text):
    try:
        points = decode_points(text)
    except ValueError:
        return
    assert encode_points(points) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("AAAA", "incomplete"),
        ("AAA+A", "cannot be read"),
        ("AAAAé", "cannot be read"),
        ("_____", "outside the drawing"),
        ("AAAAA" * 301, "301 points; the limit is 300"),
    ],
)
def test_malformed_text_is_refused_with_a_sentence(text, message):
    with pytest.raises(ValueError, match=message):
        decode_points(text)


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([[0, 11, 0]], "box"),
        ([[np.nan, 1, 0]], "box"),
        ([[1, 1, 64]], "class"),
        ([[1, 1, 0.5]], "class"),
        ([[1, 1]], "x, y and a class"),
        ([[1, 1, 0]] * 301, "301 points"),
    ],
)
def test_bad_points_are_refused(points, message):
    with pytest.raises(ValueError, match=message):
        encode_points(points)
    with pytest.raises(ValueError, match=message):
        drawn_table(points)


def test_drawn_points_become_a_table():
    table = drawn_table([[1, 2, 0], [3, 4, 27]])
    assert table.frame.to_dict("list") == {"x": [1, 3], "y": [2, 4], "class": ["A", "AB"]}
    assert (table.numeric, table.nominal, table.target) == (("x", "y"), ("class",), "class")


def test_no_points_are_an_empty_table():
    assert drawn_table([]).frame.shape == (0, 3)
    assert decode_points("").shape == (0, 3)
