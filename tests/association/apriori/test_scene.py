"""The picture of Apriori: its frames, what is lit, the lattice, and the arithmetic beside it."""

import numpy as np
import pytest

from dmlib.association import AIS, SETM, Apriori, AprioriHybrid, AprioriTid
from dmlib.association.apriori.lattice_scene import (
    CLOSED,
    FREQUENT,
    INFREQUENT,
    MAX_IN_LEVEL,
    MAXIMAL,
)
from dmlib.association.apriori.scene import apriori_scene
from dmlib.association.apriori.shots import MAX_COUNTED
from dmlib.datasets import load
from dmlib.pictures.encode import encode
from dmlib.pictures.ledger import Formula, LedgerTable
from dmlib.pictures.marks import NO_CLASS, PerFrame, Points, Rects, Segments
from dmlib.pictures.run import Run
from dmlib.problem import prepare_baskets
from tests.pictures.examples import at
from tests.runs import stopped

METHODS = (Apriori, AprioriTid, AprioriHybrid, AIS, SETM)
NAMES = (
    "five_baskets",
    "beer_and_nappies",
    "han_pei_yin",
    "zoo_baskets",
    "titanic_baskets",
    "planted_baskets",
)


def run_of(name, model):
    return Run.of(prepare_baskets(load(name).transactions), model)


@pytest.fixture
def five():
    """The scene that the lesson works out by hand."""
    return apriori_scene(run_of("five_baskets", Apriori(0.4)))


def frames(scene, phase):
    return [frame for frame in scene.frames if frame.phase == phase]


def lines(frame):
    return [block.text for block in frame.ledger if isinstance(block, Formula)]


def rows(frame):
    (table,) = [block for block in frame.ledger if isinstance(block, LedgerTable)]
    return [tuple(row) for row in table.rows]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("min_support", [0.1, 0.4, 1.0])
def test_every_run_can_be_drawn(name, method, min_support):
    run = run_of(name, method(min_support))
    scene = apriori_scene(run)
    assert 1 < len(scene.frames) <= MAX_COUNTED + len(run.trace.steps)
    assert scene.frames[-1].phase == "done"
    assert len(encode(scene)) < 150_000
    for mark in scene.marks:
        for channel in mark.CHANNELS:
            values = getattr(mark, channel)
            assert not isinstance(values, PerFrame) or len(values.rows) == len(scene.frames)


def test_any_part_of_a_run_can_be_drawn():
    run = run_of("five_baskets", AprioriTid(0.2))
    for n in range(len(run.trace.steps) + 1):
        assert encode(apriori_scene(stopped(run, n)))


def test_the_ledger_is_the_count_by_hand(five):
    counted = {frame.caption.split(" is in")[0]: frame for frame in frames(five, "count")}
    assert len(counted) == 16
    assert lines(counted["{1, 2}"])[0] == "support({1, 2}) = 3 of 5 = 0.6 ≥ 0.4: frequent"
    assert lines(counted["{1, 2}"])[1] == "in baskets 1, 3, 4"
    assert counted["{4, 5}"].caption == "{4, 5} is in 0 of 5 baskets: 0 < 0.4, infrequent."
    assert lines(counted["{4, 5}"])[1] == "in no basket"
    assert lines(counted["{1, 2, 3}"])[-1] == "So far: 16 candidates counted, 10 frequent, 3 passes"


def test_the_ledger_names_what_is_joined_and_what_is_missing(five):
    join, prune, end = frames(five, "join")[1], frames(five, "prune")[0], frames(five, "done")[0]
    assert rows(join)[0] == ("{1, 2}", "{1, 3}", "{1, 2, 3}")
    assert join.caption == "Level 3: 5 frequent item sets of 2 join to 4 candidates of 3 items."
    assert rows(prune) == [
        ("{1, 2, 5}", "{2, 5}", "pruned"),
        ("{1, 3, 5}", "{3, 5}", "pruned"),
        ("{2, 3, 4}", "{3, 4}", "pruned"),
        ("{1, 2, 3}", "", "stays"),
    ]
    assert lines(prune) == ["4 − 3 = 1 to be counted"]
    assert rows(end) == [(1, 5, 0, 5, 5), (2, 10, 0, 10, 5), (3, 4, 3, 1, 0)]
    assert lines(end) == [
        "5 + 5 + 0 = 10 frequent item sets",
        "numbers in memory, pass by pass: 5, 20, 3",
    ]


def test_the_baskets_that_contain_the_candidate_are_lit(five):
    at = [frame.caption.startswith("{1, 2} ") for frame in five.frames].index(True)
    lit = [mark for mark in five.marks if isinstance(mark, Rects) and mark.panel == "data"][1]
    heights = (np.array(lit.y0.rows[at]) + np.array(lit.y1.rows[at])) / 2
    assert sorted(5 - heights) == pytest.approx([1, 3, 4])
    ticks = [mark for mark in five.marks if isinstance(mark, Points) and mark.panel == "data"][1]
    places = set(zip(ticks.x.rows[at], ticks.y.rows[at], strict=True))
    assert places == {(j, 5 - basket) for basket in (1, 3, 4) for j in (0, 1)}


def lattice(scene):
    nodes = next(m for m in scene.marks if isinstance(m, Points) and m.panel == "lattice")
    edges = [m for m in scene.marks if isinstance(m, Segments) and m.panel == "lattice"]
    return nodes, edges


def test_the_lattice_shows_each_candidate_as_it_ends(five):
    nodes, (edges, lost) = lattice(five)
    colors = dict(zip(nodes.labels, nodes.color.rows[-1].tolist(), strict=True))
    assert len(colors) == 19  # 16 counted, 3 pruned
    assert sorted(name for name, color in colors.items() if color == NO_CLASS) == [
        "1, 2, 5",
        "1, 3, 5",
        "2, 3, 4",
    ]
    assert colors["1, 2"] == FREQUENT
    assert colors["1, 2, 3"] == INFREQUENT
    n_edges, n_lost = (
        [int(np.isfinite(row).sum()) for row in mark.x0.rows] for mark in (edges, lost)
    )
    assert n_edges == [0] * 5 + [20] * 11 + [20 + 9] * 4
    assert n_lost == [0] * 17 + [3] * 3


def test_at_the_end_the_lattice_marks_what_is_closed_and_maximal(five):
    nodes, _ = lattice(five)
    symbols = dict(zip(nodes.labels, nodes.symbol.rows[-1].tolist(), strict=True))
    assert {name for name, symbol in symbols.items() if symbol == MAXIMAL} == {
        "1, 2",
        "1, 3",
        "1, 5",
        "2, 3",
        "2, 4",
    }
    assert {name for name, symbol in symbols.items() if symbol == CLOSED} == {"1", "2", "3"}
    assert {symbols["4"], symbols["5"]} == {FREQUENT}
    assert MAXIMAL not in nodes.symbol.rows[-2]


def test_nodes_come_with_their_level_and_are_decided_when_they_are_counted(five):
    nodes, _ = lattice(five)
    n_nodes = [int(np.isfinite(np.asarray(row, float)).sum()) for row in nodes.x.rows]
    assert n_nodes == [5] * 5 + [15] * 11 + [19] * 4
    n_frequent = [int((np.asarray(row) == 0).sum()) for row in nodes.hollow.rows]
    assert n_frequent[:6] == [1, 2, 3, 4, 5, 5]


def test_of_many_candidates_the_lattice_shows_the_most_frequent_and_says_so():
    run = run_of("zoo_baskets", Apriori(0.2))
    scene = apriori_scene(run)
    nodes, _ = lattice(scene)
    assert np.bincount(np.asarray(nodes.x.rows[-1], int)).max() == MAX_IN_LEVEL
    assert any(note.startswith(f"The lattice shows {len(nodes.labels)} of") for note in scene.notes)
    assert len(frames(scene, "count")) == run.fitted.n_passes_


def test_bars_end_at_the_numbers_of_the_levels(five):
    counted, frequent = [m for m in five.marks if isinstance(m, Rects) and m.panel == "levels"]
    assert np.asarray(counted.y1.rows[-1]).tolist() == [5, 10, 1]
    assert np.asarray(frequent.y1.rows[-1]).tolist() == [5, 5, 0]
    assert np.asarray(counted.y1.rows[0]).tolist() == [1, 0, 0]


def test_the_line_of_support_is_a_handle(five):
    (handle,) = five.handles
    assert (handle.name, handle.panel, handle.kind, handle.y) == (
        "min_support",
        "supports",
        "y",
        0.4,
    )
    line = next(mark for mark in five.marks if mark.panel == "supports")
    assert at(line.y, 0).tolist() == pytest.approx(sorted(at(line.y, 0), reverse=True))
    assert int((at(line.y, 0) >= 0.4).sum()) == 10


def test_aprioritid_takes_baskets_without_a_candidate_out():
    scene = apriori_scene(run_of("han_pei_yin", AprioriTid(0.6)))
    dropped = next(mark for mark in scene.marks if isinstance(mark, Rects))
    assert len(dropped.x0.rows[0]) == 0
    assert len(dropped.x0.rows[-1]) == 2
    assert "3 baskets left with a candidate" in lines(frames(scene, "count")[-1])[-1]


def test_ais_shows_extensions():
    scene = apriori_scene(run_of("five_baskets", AIS(0.4)))
    assert rows(frames(scene, "extend")[1])[0] == ("{1, 2}", "3", "{1, 2, 3}")
    assert not frames(scene, "prune")


@pytest.mark.parametrize("method", METHODS)
def test_item_sets_answer_to_their_nodes_and_sizes_to_their_bars(method):
    scene = apriori_scene(run_of("five_baskets", method(0.4)))
    nodes, _ = lattice(scene)
    named = dict(zip(at(nodes.numbers, -1), nodes.labels, strict=True))
    for frame in scene.frames[:-1]:
        (table,) = [block for block in frame.ledger if isinstance(block, LedgerTable)]
        column = 0 if frame.phase in {"count", "prune"} else 2
        assert table.by == nodes.of
        names = [f"{{{named[number]}}}" for number in table.numbers]
        assert names == [row[column] for row in table.rows]
    ring = next(mark for mark in scene.marks if mark.of == nodes.of and mark.emphasis)
    assert named[ring.numbers.rows[0][0]] == "1"
    (end,) = [block for block in scene.frames[-1].ledger if isinstance(block, LedgerTable)]
    bars = [mark for mark in scene.marks if mark.of == end.by]
    for bar, column in zip(bars, ("counted", "frequent"), strict=True):
        heights = dict(zip(at(bar.numbers, -1), bar.y1.rows[-1], strict=True))
        place = end.head.index(column)
        assert [heights[row[0]] for row in end.rows] == [row[place] for row in end.rows]


def test_item_sets_that_the_lattice_leaves_out_answer_to_nothing():
    scene = apriori_scene(run_of("zoo_baskets", Apriori(0.2)))
    blocks = [block for frame in frames(scene, "count") for block in frame.ledger]
    tables = [block for block in blocks if isinstance(block, LedgerTable)]
    numbers = {number for table in tables for number in table.numbers}
    assert None in numbers
    assert max(numbers - {None}) <= len(lattice(scene)[0].labels)
