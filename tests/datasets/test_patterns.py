"""Patterns from the library, from links and from files."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from dmlib.datasets import TableError, decode_patterns, encode_patterns, load, read_patterns
from dmlib.datasets.drawn.patterns import LONGEST_SIDE, MAX_DRAWN
from dmlib.datasets.table import Note
from dmlib.problem import prepare_patterns

SIDE = st.integers(1, LONGEST_SIDE)


def png(pixels):
    file = io.BytesIO()
    Image.fromarray(np.asarray(pixels, np.uint8)).save(file, "PNG")
    return file.getvalue()


@given(st.integers(1, MAX_DRAWN), SIDE, SIDE, st.integers(0, 99))
def test_drawn_patterns_return_from_their_text(n, height, width, seed):
    patterns = np.random.default_rng(seed).random((n, height, width)) < 0.5
    text = encode_patterns(patterns)
    assert all(letter.isascii() and (letter.isalnum() or letter in "-_") for letter in text)
    assert np.array_equal(decode_patterns(text), patterns)


@given(st.text(max_size=40) | st.text("ABCwxyz0189-_", max_size=40))
def test_any_text_is_patterns_or_a_value_error(text):
    try:
        patterns = decode_patterns(text)
    except ValueError:
        return
    assert encode_patterns(patterns) == text


def test_bars_and_stripes_are_all_that_there_are():
    patterns = load("bars").patterns
    grids = {np.array(grid).tobytes() for grid in patterns}
    assert len(grids) == len(patterns) == 2 * 2**4 - 2
    assert all((grid == grid[:1]).all() or (grid == grid[:, :1]).all() for grid in patterns)


def test_digits_are_scikit_learns():
    from sklearn.datasets import load_digits

    digits = load_digits()
    data = load("ten_digits")
    assert data.names == tuple("0123456789")
    assert np.array_equal(data.patterns[0], digits.images[0] >= 8)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"#.\n.#\n", [[[1, 0], [0, 1]]]),
        (b"\n\n#.\n##\n\n\n..\n.#\n\n", [[[1, 0], [1, 1]], [[0, 0], [0, 1]]]),
        (b"0110\n1001\n", [[[0, 1, 1, 0], [1, 0, 0, 1]]]),
        (b"1,0,0,1\r\n0;1;1;0\r\n", [[[1, 0], [0, 1]], [[0, 1], [1, 0]]]),
        (b"a,b,c\n1,-1,-1\n", [[[1, 0, 0]]]),
        (b"0,0,16,16,label\n16,0,0,0,x\n", [[[0, 0], [1, 1]], [[1, 0], [0, 0]]]),
        (png([[0, 255], [255, 0]]), [[[1, 0], [0, 1]]]),
    ],
)
def test_files_become_patterns(content, expected):
    data = read_patterns(content, "some/where.txt")
    assert data.patterns.astype(int).tolist() == expected
    assert data.title == "where.txt"


@pytest.mark.parametrize("shape", [(1, 1), (16, 16), (17, 3), (300, 40), (5, 1000), (33, 33, 3)])
def test_pictures_of_any_size_are_reduced(shape):
    pixels = np.random.default_rng(0).integers(0, 256, shape)
    data = read_patterns(png(pixels), "picture.png")
    assert max(data.patterns.shape[1:]) <= 16
    assert all(isinstance(note, Note) for note in data.notes)
    prepare_patterns(data.patterns, data.names)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "holds no pattern"),
        (b"words\nand more\n", "holds no pattern"),
        (b"#.\n.#\n\n##\n", "The drawings have 1 to 2 lines"),
        (b"1,0\n1,0,1\n", "The lines have 2 to 3 numbers"),
        (b"\x89PNG\r\n\x1a\n rest", "image"),
        (b"1 " * 3_000_000, "larger than 5 MB"),
        (b"\x00\x01\x02\x03" * 9, "not text"),
    ],
)
def test_what_holds_no_patterns_is_refused_with_a_sentence(content, sentence):
    with pytest.raises(TableError, match=sentence):
        read_patterns(content, "file")


def test_odd_patterns_are_told():
    assert prepare_patterns(np.zeros((1, 2, 2))).notes == ("Pattern 1 is empty.",)
    assert prepare_patterns(np.ones((3, 2, 2))).notes == (
        "Pattern 1 is full.",
        "All patterns are equal: they count as one.",
    )
    assert prepare_patterns([[[1, 0]], [[1, 0]], [[0, 1]]]).notes == (
        "Of 3 patterns 2 are different.",
    )
    with pytest.raises(ValueError, match="at least one of at least one cell"):
        prepare_patterns(np.zeros((0, 2, 2)))
    with pytest.raises(ValueError, match="30 x 30 = 900 cells; the limits are"):
        prepare_patterns(np.zeros((1, 30, 30)))
