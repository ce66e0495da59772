"""Packed scenes are unpacked as they were, with rows stored whole or as changes."""

import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dmlib.pictures.encode import decode, encode, ledger_csv
from dmlib.pictures.ledger import Formula, LedgerTable
from dmlib.pictures.marks import PerFrame, Points, Segments, Texts
from dmlib.pictures.scene import Axis, Frame, Panel, Scene

PANEL = Panel("data", Axis("x", 0.0, 1.0), Axis("y", 0.0, 1.0))


def unpacked(channel, arrays, frame):
    """Return the row of a frame, put together as the stage does."""
    part = {name: arrays[index] for name, index in channel.items()}
    if "rows" not in part:
        return part["values"]
    row, starts = part["rows"][frame], part["starts"]
    if "places" not in part:
        return part["values"][starts[row] : starts[row + 1]]
    values = np.zeros(part["sizes"].max(), part["values"].dtype)
    for place, value in zip(part["places"][: starts[row + 1]], part["values"], strict=False):
        values[place] = value
    return values[: part["sizes"][row]]


def packed(rows):
    scene = Scene((PANEL,), (Points(x=PerFrame(rows), y=[0.0]),), [Frame("Here.")] * len(rows))
    header = decode(encode(scene))
    return header["marks"][0]["x"], header["arrays"]


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("+1", "+1"),
        ("−1", "-1"),
        ("-2.5e-3", "-2.5e-3"),
        (-1.5, "-1.5"),
        ("-1+cmd|x", "'-1+cmd|x"),
        ("−", "−"),
        ("=1", "'=1"),
    ],
)
def test_a_number_with_a_sign_stays_a_number(cell, text):
    table = pd.read_csv(
        io.StringIO(ledger_csv([Frame("Go.", (LedgerTable(("y", "z"), [(cell, 1)]),))])), dtype=str
    )
    assert table["1"].iloc[-1] == text


def test_tables_of_any_width_make_one_table():
    blocks = (
        LedgerTable(("a", "b", "c"), [(1, 2, 3)]),
        Formula("1 + 1 = 2"),
        LedgerTable(("d",), [(4,)], "One"),
    )
    table = pd.read_csv(io.StringIO(ledger_csv([Frame("Go.", blocks), Frame("On.")])), dtype=str)
    assert list(table) == ["step", "phase", "caption", "table", "1", "2", "3"]
    assert table["1"].dropna().tolist() == ["a", "1", "1 + 1 = 2", "d", "4"]


values = st.sampled_from([0.0, 1.0, 2.5, np.nan])


@settings(deadline=None)
@given(st.lists(st.lists(values, max_size=8), min_size=1, max_size=8))
def test_rows_of_any_length(rows):
    channel, arrays = packed(rows)
    for frame, row in enumerate(rows):
        np.testing.assert_array_equal(unpacked(channel, arrays, frame), row)


@pytest.mark.parametrize("n", [300, 70_000])
def test_a_small_change_costs_little(n):
    rows = [np.zeros(n) for _ in range(12)]
    for i, row in enumerate(rows):
        row[: 2 * i] = 1.0
    channel, arrays = packed(rows)
    assert arrays[channel["values"]].size < n + 30
    np.testing.assert_array_equal(unpacked(channel, arrays, 11), rows[11])
    np.testing.assert_array_equal(unpacked(channel, arrays, 5), rows[5])


def test_segments_may_have_widths_of_their_own_and_texts_a_rim():
    ends = {"x0": [0.0, 0.0], "y0": [0.0, 1.0], "x1": [1.0, 1.0], "y1": [0.0, 1.0]}
    marks = (
        Segments(size=PerFrame([[1.0, 2.5], [3.0, 4.5]]), **ends),
        Texts(x=[0.5], y=[0.5], text=["a"], halo=True),
    )
    header = decode(encode(Scene((PANEL,), marks, [Frame("One."), Frame("Two.")])))
    segments, texts = header["marks"]
    assert unpacked(segments["size"], header["arrays"], 1).tolist() == [3.0, 4.5]
    assert texts["halo"]
