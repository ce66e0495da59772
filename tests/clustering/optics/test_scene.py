import re

import numpy as np
import pandas as pd
import pytest

from dmlib.clustering import OPTICS
from dmlib.clustering.density_scene import CROSS
from dmlib.clustering.neighbors import Neighbors
from dmlib.clustering.optics.scene import optics_scene, shown_clusters
from dmlib.pictures.encode import encode
from dmlib.pictures.ledger import LedgerTable
from dmlib.pictures.marks import NO_CLASS, Ellipses, Points, Rects, Segments
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.pictures.examples import BLOBS, PROBLEMS, at, formulas, marks, problem, result, tables
from tests.runs import stopped

each_problem = pytest.mark.parametrize("name", PROBLEMS)
LINE = problem([[x, 0.0] for x in (1, 2, 3, 5, 7, 8, 9, 14)])


def scene_and_steps(data, min_samples=2, selected=None, cut="auto", clusters="cut", **params):
    options = {"cut": cut, "clusters": clusters}
    run = Run.of(data, OPTICS(min_samples, **params), selected=selected, options=options)
    return optics_scene(run), run.trace.steps


@each_problem
@pytest.mark.parametrize("max_eps", [0.0, 1.0, np.inf])
@pytest.mark.parametrize("clusters", ["cut", "xi"])
@pytest.mark.parametrize("cut", ["auto", 0.0, 1.0, 1e9])
def test_a_frame_for_every_row_and_one_for_the_end(name, max_eps, clusters, cut):
    scene, steps = scene_and_steps(PROBLEMS[name], 3, max_eps=max_eps, clusters=clusters, cut=cut)
    assert [frame.phase for frame in scene.frames] == [step.phase for step in steps]
    assert len(encode(scene)) < 150_000


def test_any_part_of_a_trace_can_be_drawn():
    data = PROBLEMS["blobs"]
    run = Run.of(data, OPTICS(), selected=1)
    for n in range(len(run.trace.steps) + 1):
        scene = optics_scene(stopped(run, n))
        assert len(scene.frames) == max(n, 1)
        assert encode(scene)


def test_of_very_many_rows_some_steps_are_shown_and_the_last():
    scene, steps = scene_and_steps(problem(np.random.default_rng(0).uniform(0, 10, (600, 2))), 5)
    assert 10 < len(scene.frames) < len(steps)
    assert scene.frames[-1].phase == "done"
    assert any(note.startswith("Long run: every") for note in scene.notes)
    assert len(encode(scene)) < 150_000


# Arithmetic
# ---------------------------------------------------------------------------------------------


@each_problem
def test_reachabilities_are_computed_again(name):
    data = PROBLEMS[name]
    scene, steps = scene_and_steps(data, 3)
    distances = [Neighbors(data.X).distances(row) for row in range(len(data.X))]
    for frame, step in zip(scene.frames[:-1], steps, strict=False):
        core = np.sort(distances[step.row])[2]
        assert result(formulas(frame)[0].replace(": ", " = ")) == pytest.approx(core, rel=1e-3)
        table = tables(frame).get(f"Reached from row {step.row + 1}", LedgerTable((), ()))
        assert len(table.rows) == min(len(step.updated), 3)
        for row, distance, reach, before in table.rows:
            assert distance == pytest.approx(distances[step.row][row - 1], rel=1e-3, abs=1e-12)
            assert reach == pytest.approx(max(core, distances[step.row][row - 1]), rel=1e-3)
            assert before == "∞" or reach < before or reach == pytest.approx(before, rel=1e-3)


@each_problem
def test_the_next_row_is_the_first_that_waited(name):
    data = PROBLEMS[name]
    scene, steps = scene_and_steps(data, 3)
    for frame, later in zip(scene.frames[:-2], steps[1:], strict=False):
        (waiting,) = (text for text in formulas(frame) if text.startswith("Seed list"))
        first, reach = re.search(r": (\d+) at ([\d.e-]+)", waiting).groups()
        assert int(first) == later.row + 1
        assert float(reach) == pytest.approx(later.reachability, rel=1e-3)


def test_the_walk_is_told():
    scene, _ = scene_and_steps(LINE)
    captions = [frame.caption for frame in scene.frames]
    assert (
        captions[0]
        == "Row 1 starts: the seed list is empty, so the first unprocessed row is taken "
        "and lowers the reachability of 7 rows."
    )
    assert (
        captions[1]
        == "Row 2, the smallest of 7 on the seed list (1), gets position 2 and lowers the"
        " reachability of 6 rows."
    )
    assert (
        captions[7]
        == "Row 8, the only row on the seed list (5), gets position 8 and lowers no reachability."
    )
    table = tables(scene.frames[1])["Reached from row 2"]
    assert table.rows[0] == (3, 1.0, 1.0, 2.0)


def test_clusters_of_the_cut_are_counted():
    low, _ = scene_and_steps(LINE, cut=1.5)
    assert (
        low.frames[-1].caption
        == "Done. Every row is ordered, after 1 start. The cut at 1.5 gives 2 clusters and leaves 2"
        " rows of noise."
    )
    assert [row[0] for row in tables(low.frames[-1])["Clusters"].rows] == [3, 3]
    assert formulas(low.frames[-1])[-1] == "6 in clusters + 2 noise = 8 rows"
    without_clusters, _ = scene_and_steps(LINE, cut=0.5)
    assert "0 clusters and leaves 8 rows of noise" in without_clusters.frames[-1].caption
    assert not tables(without_clusters.frames[-1])


def test_clusters_of_steep_flanks_lie_within_each_other():
    data = problem(BLOBS)
    scene, steps = scene_and_steps(data, 5, clusters="xi")
    spans = tables(scene.frames[-1])["Clusters within clusters"].rows
    assert spans == [(a + 1, b + 1, b - a + 1) for a, b in steps[-1].hierarchy.tolist()]
    assert "Steep flanks bound" in scene.frames[-1].caption
    (lines,) = (mark for mark in marks(scene, Segments, panel="order"))
    last = len(scene.frames) - 1
    assert len(at(lines.x0, last)) == len(spans)
    assert at(lines.x0, last - 1).size == 0
    heights = dict(zip(spans, at(lines.y0, last), strict=True))
    assert len(set(heights.values())) > 1, "a cluster within another has its line below"
    assert heights[max(spans, key=lambda span: span[2])] == max(heights.values())


def test_a_selected_row_is_told_as_far_as_it_is_known():
    scene, _ = scene_and_steps(LINE, selected=4)
    formula_pairs = [formulas(frame)[:2] for frame in scene.frames]
    assert formula_pairs[0] == ["Row 5: waits; reached from row 1", "max(core 1, d 6) = 6"]
    assert formula_pairs[3] == ["Row 5: waits; reached from row 4", "max(core 2, d 2) = 2"]
    assert formula_pairs[4] == ["Row 5: position 5; reached from row 4", "max(core 2, d 2) = 2"]
    first, _ = scene_and_steps(LINE, selected=0)
    assert formulas(first.frames[-1])[0] == "Row 1: position 1, reachability ∞"
    unreached, _ = scene_and_steps(LINE, selected=7, max_eps=2.0)
    assert formulas(unreached.frames[0])[0] == "Row 8: not reached yet, reachability ∞"


# The picture
# ---------------------------------------------------------------------------------------------


def bars(scene, frame):
    """Return height and colour of each bar, by its place."""
    bars_by_place = {}
    for mark in marks(scene, Rects, panel="order"):
        heights, colors = at(mark.y1, frame).tolist(), at(mark.color, frame).tolist()
        middles = (at(mark.x0, frame) + at(mark.x1, frame)) / 2
        bars_by_place |= {
            int(x): (height, color)
            for x, height, color in zip(middles, heights, colors, strict=True)
        }
    return [bars_by_place[place] for place in sorted(bars_by_place)]


def test_bars_grow_one_by_one_to_the_reachabilities():
    scene, steps = scene_and_steps(LINE, cut=1.5)
    top = scene.panels[1].y.high
    final = [top, 1, 1, 2, 2, 1, 1, 5]
    assert top > 5
    for i in range(len(steps)):
        assert [height for height, _ in bars(scene, i)] == [
            height if place <= i else 0 for place, height in enumerate(final)
        ]
    assert [color for _, color in bars(scene, 8)] == [0, 0, 0, NO_CLASS, 1, 1, 1, NO_CLASS]


def test_rows_get_their_cluster_when_they_take_their_place():
    scene, steps = scene_and_steps(LINE, cut=1.5)
    blocks = [mark for mark in marks(scene, Points) if not mark.emphasis and not mark.data]

    def looks(frame):
        return {
            x: (color, symbol)
            for mark in blocks
            for x, color, symbol in zip(
                *(at(c, frame).tolist() for c in (mark.x, mark.color, mark.symbol)), strict=True
            )
        }

    assert looks(3) == {1: (0, 0), 2: (0, 0), 3: (0, 0), 5: (NO_CLASS, CROSS)} | dict.fromkeys(
        (7, 8, 9, 14), (NO_CLASS, 0)
    )
    assert looks(len(steps) - 1)[14] == (NO_CLASS, CROSS)
    assert [key.text for key in scene.legend] == [
        "cluster 1",
        "cluster 2",
        "noise",
        "not processed",
    ]


def test_the_legend_has_each_cluster_by_its_own_symbol():
    X = np.concatenate([[[10.0 * j + i / 10] for i in range(5)] for j in range(3)])
    data = prepare(pd.DataFrame(X, columns=["a"]), ["a"])
    scene = optics_scene(Run.of(data, OPTICS(2), options={"cut": 1.0}))
    keys = [(key.text, key.color) for key in scene.legend]
    assert keys[:3] == [("cluster 1", 0), ("cluster 2", 1), ("cluster 3", 2)]
    assert keys[3][0] == "noise"


def test_the_disc_has_the_core_distance_and_the_arrow_comes_from_the_predecessor():
    scene, steps = scene_and_steps(LINE)
    (disc,), (arrow,) = marks(scene, Ellipses), marks(scene, Segments, arrow=True)
    for i, step in enumerate(steps[:-1]):
        assert (at(disc.x, i), at(disc.rx, i)) == (LINE.X[step.row, 0], step.core_distance)
        came = [] if step.predecessor < 0 else [LINE.X[step.predecessor, 0]]
        assert at(arrow.x0, i).tolist() == came
        assert at(arrow.x1, i).tolist() == [LINE.X[step.row, 0]] * len(came)


@pytest.mark.parametrize(("cut", "y"), [(0.0, 0.0), (1.5, 1.5), (1e9, "top")])
def test_the_line_stands_at_the_cut_or_at_the_edge(cut, y):
    scene, _ = scene_and_steps(LINE, cut=cut)
    (handle,) = scene.handles
    assert (handle.name, handle.panel, handle.kind) == ("cut", "order", "y")
    assert handle.y == (scene.panels[1].y.high if y == "top" else y)


def test_a_cut_beyond_the_largest_radius_is_that_radius():
    scene, _ = scene_and_steps(LINE, cut=50.0, max_eps=3.0)
    assert scene.handles[0].label == "cut = 3"


@pytest.mark.parametrize(
    ("cut", "clusters"), [("auto", "cut"), (1.5, "cut"), (50.0, "cut"), (1.5, "xi")]
)
def test_figures_and_picture_show_the_same_clusters(cut, clusters):
    data = problem(BLOBS)
    run = Run.of(data, OPTICS(5), options={"cut": cut, "clusters": clusters})
    scene, labels = optics_scene(run), shown_clusters(run).labels_
    colors = [color for _, color in bars(scene, len(scene.frames) - 1)]
    assert colors == np.where(labels < 0, NO_CLASS, labels)[run.fitted.ordering_].tolist()
