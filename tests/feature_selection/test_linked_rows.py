"""Columns and sets of the ledger answer to what stands for them in the picture."""

import numpy as np
import pytest

from dmlib.feature_selection import (
    L0SVM,
    CoverageSelector,
    FilterSelector,
    ProbeSelector,
    SubsetSearch,
)
from dmlib.feature_selection.scene import feature_selection_scene
from dmlib.pictures.ledger import LedgerTable
from dmlib.pictures.marks import Points, Rects
from tests.feature_selection.problems import FIVE, TEN, cars, iris
from tests.pictures.examples import at


def numbered(frame, of):
    """Return the rows of the tables of a frame that are about something, by their numbers."""
    tables = [block for block in frame.ledger if isinstance(block, LedgerTable) and block.by == of]
    return [
        (number, row)
        for table in tables
        for number, row in zip(table.numbers, table.rows, strict=True)
    ]


@pytest.mark.parametrize(
    "run",
    [
        cars(FilterSelector()),
        cars(ProbeSelector(random_state=0)),
        cars(CoverageSelector()),
        iris(L0SVM()),
    ],
    ids=lambda run: type(run.model).__name__,
)
def test_columns_answer_to_their_bars_or_nodes(run):
    scene = feature_selection_scene(run)
    features = run.problem.features
    (mark, *probes) = [mark for mark in scene.marks if mark.of == "column"]
    named = dict(zip(at(mark.numbers, -1), getattr(mark, "labels", ()) or features, strict=True))
    if isinstance(mark, Rects):  # a bar lies on the line of its name
        ticks = scene.panels[0].y.ticks
        middles = (at(mark.y0, -1) + at(mark.y1, -1)) / 2
        named = {n: ticks[round(y)] for n, y in zip(at(mark.numbers, -1), middles, strict=True)}
    for probe in probes:
        named |= dict(zip(at(probe.numbers, -1), probe.labels, strict=True))
    for frame in scene.frames:
        rows = numbered(frame, "column")
        assert rows
        for number, row in rows:
            assert row[1 if isinstance(run.model, FilterSelector) else 0].startswith(named[number])


def test_the_best_probe_answers_to_its_dot():
    scene = feature_selection_scene(cars(ProbeSelector(random_state=0)))
    dots = next(mark for mark in scene.marks if isinstance(mark, Points) and mark.of == "column")
    (number,) = [
        number for number, row in numbered(scene.frames[0], "column") if row[0].startswith("probe")
    ]
    (place,) = np.flatnonzero(at(dots.numbers, 0) == number)
    assert dots.x.rows[0][place] == max(dots.x.rows[0])


@pytest.mark.parametrize("search", ["forward", "backward", "bidirectional", "best"])
@pytest.mark.parametrize("columns", [FIVE, TEN], ids=len)
def test_sets_answer_to_their_nodes_and_scores(search, columns):
    scene = feature_selection_scene(cars(SubsetSearch(search=search), columns))
    scores = next(mark for mark in scene.marks if mark.panel == "scores" and mark.of == "set")
    nodes = [mark for mark in scene.marks if mark.panel == "data" and mark.of == "set"]
    names = dict(zip(at(nodes[0].numbers, -1), nodes[0].labels, strict=True)) if nodes else {}
    assert len(nodes) == (len(columns) == 5)
    lit = 0
    for i, frame in enumerate(scene.frames):
        rows = {
            number: row for number, row in numbered(frame, "set") if not isinstance(row[0], int)
        }
        for number, value in zip(scores.numbers.rows[i], scores.y.rows[i], strict=True):
            if number in rows:
                lit += 1
                assert value == rows[number][-1]
        for number, row in rows.items():
            if nodes and row[0].startswith("+"):
                assert row[0][2:] in names[number].split(": ")[0].split(", ")
    assert lit > 5


def test_values_of_a_row_answer_to_the_bars_of_their_columns():
    scene = feature_selection_scene(cars(FilterSelector(), selected=3))
    (mark,) = [mark for mark in scene.marks if mark.of == "column"]
    names = dict(zip(at(mark.numbers, -1), FIVE, strict=True))
    (table,) = [block for block in scene.frames[0].ledger if getattr(block, "title", "") == "Row 4"]
    assert [names[number] for number in table.numbers] == [row[0] for row in table.rows] == FIVE
