"""A catalogue of bad and odd files, each with what has to become of it."""

import contextlib
import tracemalloc

import pandas as pd
import pytest

from dmlib.datasets import TableError, read_table
from tests.datasets.messy import (
    archives,
    beside,
    between,
    cells,
    containers,
    dates,
    declared,
    dialects,
    grades,
    heads,
    identifiers,
    limits,
    long_codes,
    measures,
    missing,
    names,
    row_names,
    shapes,
    sheet_marks,
    sniffed,
    tails,
    times,
    unnamed,
    words,
    workbooks,
)
from tests.datasets.messy.case import Loads

PARTS = (
    shapes,
    beside,
    between,
    heads,
    grades,
    declared,
    unnamed,
    tails,
    dialects,
    sniffed,
    cells,
    words,
    measures,
    identifiers,
    long_codes,
    times,
    sheet_marks,
    missing,
    dates,
    names,
    row_names,
    containers,
    archives,
    workbooks,
    limits,
)
CASES = [case for part in PARTS for case in part.CASES]
LOADED = [case for case in CASES if isinstance(case.expected, Loads)]
REFUSED = [case for case in CASES if not isinstance(case.expected, Loads)]


def equal(value, expected):
    if expected is None:
        return pd.isna(value)
    if isinstance(value, pd.Timestamp):
        return value.isoformat().startswith(expected)
    return value == expected


def test_the_catalogue_is_long_and_its_names_differ():
    assert len({case.id for case in CASES}) == len(CASES) > 120


@pytest.mark.parametrize("case", LOADED, ids=lambda case: case.id)
def test_odd_files_are_read(case):
    table = read_table(case.data, case.name, options=case.options)
    expected = case.expected
    assert table.frame.shape == expected.shape
    if expected.names is not None:
        assert tuple(table.frame) == expected.names
    assert {name: table.kinds[name] for name in expected.kinds} == dict(expected.kinds)
    wrong = {
        (row, name): table.frame[name].iloc[row]
        for (row, name), value in expected.cells.items()
        if not equal(table.frame[name].iloc[row], value)
    }
    assert wrong == {}
    told = [note.kind for note in table.notes]
    assert set(expected.notes.split()) <= set(told)
    assert not (expected.silent and told)


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.id)
def test_bad_files_are_refused(case):
    data = case.data
    with pytest.raises(TableError, match=r"\.$") as caught:
        read_table(data, case.name, options=case.options)
    assert caught.value.reason == case.expected.reason
    assert case.expected.words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_sentences_are_for_people(case):
    with contextlib.suppress(TableError):
        for note in read_table(case.data, case.name, options=case.options).notes:
            assert note.text[:1].isupper() or note.text[:1].isdigit()
            assert note.text.endswith(".")
            assert len(note.text) < 1000 or any(
                len(name) > 100 for name in case.data.decode("latin-1").split(",")
            )


@pytest.mark.parametrize("case", limits.CASES, ids=lambda case: case.id)
def test_what_is_over_a_limit_costs_little_memory(case):
    data = case.data
    tracemalloc.start()
    with pytest.raises(TableError):
        read_table(data, case.name, options=case.options)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * len(data) + 40 * 2**20
