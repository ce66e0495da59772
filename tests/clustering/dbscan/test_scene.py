import re

import numpy as np
import pytest

from dmlib.clustering import DBSCAN, k_distances
from dmlib.clustering.dbscan.scene import dbscan_scene
from dmlib.clustering.density_scene import CROSS
from dmlib.pictures.encode import encode
from dmlib.pictures.ledger import LedgerTable
from dmlib.pictures.marks import NO_CLASS, Ellipses, Line, Points, Segments
from dmlib.pictures.run import Run
from tests.pictures.examples import BLOBS, PROBLEMS, at, formulas, marks, problem, tables
from tests.runs import stopped

each_problem = pytest.mark.parametrize("name", PROBLEMS)
LINE = problem([[x, 0.0] for x in (1, 2, 3, 5, 7, 8, 9, 14)])


def scene_and_steps(data, eps=2.0, min_samples=4, selected=None, **params):
    run = Run.of(data, DBSCAN(eps, min_samples=min_samples, **params), selected=selected)
    return dbscan_scene(run), run.trace.steps


@each_problem
@pytest.mark.parametrize(("eps", "min_samples"), [(0.0, 1), (1.0, 4), (100.0, 3), (1.0, 1000)])
@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev"])
def test_a_frame_for_every_neighbourhood(name, eps, min_samples, metric):
    scene, steps = scene_and_steps(PROBLEMS[name], eps, min_samples, metric=metric)
    assert [frame.phase for frame in scene.frames] == [step.phase for step in steps]
    assert len(encode(scene)) < 150_000


def test_any_part_of_a_trace_can_be_drawn():
    data = PROBLEMS["blobs"]
    run = Run.of(data, DBSCAN(1.5), selected=1)
    for n in range(len(run.trace.steps) + 1):
        scene = dbscan_scene(stopped(run, n))
        assert len(scene.frames) == max(n, 1)
        assert encode(scene)


def test_of_very_many_rows_some_steps_are_shown_and_the_last():
    data = problem(np.random.default_rng(0).uniform(0, 10, (600, 2)))
    scene, steps = scene_and_steps(data, 0.5)
    assert 10 < len(scene.frames) < len(steps)
    assert scene.frames[-1].phase == "done"
    stride = int(re.search(r"every (\d+)", scene.notes[-1])[1])
    assert [frame.phase for frame in scene.frames[:-2]] == [
        step.phase for step in steps[:-2:stride]
    ]
    assert len(encode(scene)) < 150_000


# Arithmetic
# ---------------------------------------------------------------------------------------------


@each_problem
def test_neighbours_are_counted_again(name):
    data = PROBLEMS[name]
    scene, steps = scene_and_steps(data, 1.5)
    for frame, step in zip(scene.frames[:-1], steps, strict=False):
        distances = np.linalg.norm(data.X - data.X[step.row], axis=1)
        n = int((distances <= 1.5).sum())
        count, kth, *_ = formulas(frame)
        inside = [str(row + 1) for row in np.flatnonzero(distances <= 1.5)]
        inside = ", ".join(inside if n <= 8 else [*inside[:8], "…"])
        verdict = "≥ 4, a core point" if n >= 4 else "< 4, no core point"
        assert count == f"N(row {step.row + 1}) = {{{inside}}}: {n} {verdict}"
        assert f"{n} row" in frame.caption
        assert float(kth.split()[4]) == pytest.approx(np.sort(distances)[3], rel=1e-3)
        assert kth.startswith("3rd other row at")
        assert kth.endswith("≤ eps") == (n >= 4)


def kinds_of(frame):
    return {kind: int(number) for number, kind in re.findall(r"(\d+) (\w+)", formulas(frame)[-1])}


@each_problem
def test_kinds_of_rows_add_up(name):
    data = PROBLEMS[name]
    scene, steps = scene_and_steps(data, 1.5)
    for frame in scene.frames:
        kinds = kinds_of(frame)
        assert sum(kinds.values()) == 2 * kinds["rows"] == 2 * len(data.X)
    model = DBSCAN(1.5, min_samples=4).fit(data.X)
    assert kinds.get("core", 0) == len(model.core_sample_indices_)
    assert kinds.get("noise", 0) == model.n_noise_
    assert not {"waiting", "not"} & set(kinds)
    sizes = np.bincount(steps[-1].labels[steps[-1].labels >= 0]).tolist()
    table = tables(scene.frames[-1]).get("Clusters", LedgerTable((), ()))
    assert [row[0] for row in table.rows] == sizes


def test_the_walk_is_told():
    scene, _ = scene_and_steps(LINE)
    captions = [frame.caption for frame in scene.frames]
    assert (
        captions[0]
        == "Row 1 has 3 rows within 2, fewer than 4: it is noise, unless a core point reaches it"
        " later."
    )
    assert (
        captions[2]
        == "Row 3 has 4 rows within 2, at least 4: it is a core point and starts cluster 1 with its"
        " unassigned neighbours; 2 rows come back from noise."
    )
    assert captions[3].endswith(
        "it is a border point of cluster 1, and does not extend the cluster."
    )
    assert "Seed list (1): 4" in formulas(scene.frames[2])
    assert "Seed list (0): empty" in formulas(scene.frames[3])
    assert captions[-1].endswith(
        "1 ringed border point lies in reach of several clusters: "
        "visited in another order, another cluster could contain it."
    )
    assert tables(scene.frames[-1])["Depends on the visiting order"].rows == [(4, 1, "1, 2")]


def test_a_selected_row_is_told_as_far_as_it_is_known():
    scene, _ = scene_and_steps(LINE, selected=0)
    first = [formulas(frame)[0] for frame in scene.frames]
    assert first[0] == "Row 1: |N| = 3 < 4; noise so far"
    assert first[1] == first[0]
    assert first[2] == "Row 1: |N| = 3 < 4; in cluster 1, reached from row 3"
    assert formulas(scene.frames[0])[1] == "its nearest rows: 1 at 0, 2 at 1, 3 at 2"
    scene, _ = scene_and_steps(LINE, selected=7)
    assert [formulas(frame)[0].split("; ")[1] for frame in scene.frames[-3:]] == [
        "unvisited",
        "noise so far",
        "noise",
    ]


# The picture
# ---------------------------------------------------------------------------------------------


def looks(scene, frame):
    """Return colour, symbol and outline of each place, from all marks that draw rows."""
    looks_by_row = {}
    for mark in marks(scene, Points):
        if not mark.emphasis and not mark.data and mark.size is None:
            channels = (
                at(channel, frame).tolist()
                for channel in (mark.x, mark.color, mark.symbol, mark.hollow)
            )
            looks_by_row |= {
                x: (color, symbol, bool(hollow))
                for x, color, symbol, hollow in zip(*channels, strict=True)
            }
    return [looks_by_row[x] for x in LINE.X[:, 0]]


def test_core_border_and_noise_look_different():
    scene, steps = scene_and_steps(LINE)
    core, border, noise, unseen = (
        (0, 0, False),
        (0, 0, True),
        (NO_CLASS, CROSS, False),
        (NO_CLASS, 0, False),
    )
    second_core, second_border = (1, 1, False), (1, 1, True)
    assert looks(scene, 0) == [noise, *[unseen] * 7]
    assert looks(scene, 2) == [border, border, core, core, *[unseen] * 4]
    assert looks(scene, 3) == [border, border, core, border, *[unseen] * 4]
    assert looks(scene, len(steps) - 1) == [
        border,
        border,
        core,
        border,
        second_core,
        second_border,
        second_border,
        noise,
    ]
    assert [key.text for key in scene.legend] == [
        "core point",
        "border point",
        "noise",
        "unvisited",
        "on the seed list",
        "ε-neighbourhood",
    ]


def test_the_disc_is_the_neighbourhood_and_arrows_lead_to_who_joins():
    scene, steps = scene_and_steps(LINE)
    (disc,), (arrows,) = marks(scene, Ellipses), marks(scene, Segments, arrow=True)
    for i, step in enumerate(steps[:-1]):
        assert (at(disc.x, i), at(disc.rx, i), at(disc.ry, i)) == (LINE.X[step.row, 0], 2, 2)
        joined = step.joined[step.joined != step.row]
        assert at(arrows.x1, i).tolist() == LINE.X[joined, 0].tolist()
        assert (at(arrows.x0, i) == LINE.X[step.row, 0]).all()


def test_at_the_end_the_disc_is_that_of_the_selected_row_or_of_a_typical_one():
    scene, steps = scene_and_steps(LINE)
    (disc,) = marks(scene, Ellipses)
    assert at(disc.x, -1).tolist() == [LINE.X[3, 0]]
    assert at(disc.color, -1).tolist() == [steps[-1].labels[3]]
    told = [text for text in formulas(scene.frames[-1]) if "the disc of row" in text]
    assert told == ["eps = 2: the disc of row 4 holds 3 rows, itself included"]
    selected, _ = scene_and_steps(LINE, selected=7)
    (disc,) = marks(selected, Ellipses)
    assert at(disc.x, -1).tolist() == [LINE.X[7, 0]]
    assert at(disc.color, -1).tolist() == [NO_CLASS]


@each_problem
def test_seeds_are_ringed_and_at_the_end_contested_rows(name):
    data = PROBLEMS[name]
    scene, steps = scene_and_steps(data, 1.5)
    rings = [
        mark
        for mark in marks(scene, Points)
        if mark.size is not None and not mark.data and not mark.emphasis
    ]
    *waiting, contested = rings
    for i, step in enumerate(steps):
        places = [
            place for mark in waiting for place in zip(at(mark.x, i), at(mark.y, i), strict=True)
        ]
        rings = sorted(place for place in places if np.isfinite(place).all())
        assert rings == sorted(map(tuple, data.points[step.seeds]))
        ringed = [row for row, clusters in step.contested for _ in clusters[1:]]
        assert at(contested.x, i).tolist() == data.points[ringed, 0].tolist()


def test_a_contested_row_has_a_ring_in_the_colour_of_the_other_cluster():
    scene, steps = scene_and_steps(LINE)
    last = len(steps) - 1
    (ring,) = (
        mark for mark in marks(scene, Points) if mark.size and at(mark.size, last).tolist() == [9.0]
    )
    assert (at(ring.x, last).tolist(), at(ring.color, last).tolist()) == ([5.0], [1])


@pytest.mark.parametrize("metric", ["manhattan", "chebyshev"])
def test_balls_of_other_metrics_have_corners(metric):
    scene, steps = scene_and_steps(LINE, metric=metric)
    (outline,) = marks(scene, Line)
    corners = np.column_stack([at(outline.x, 0), at(outline.y, 0)]) - LINE.X[steps[0].row]
    size = np.abs(corners).sum(axis=1) if metric == "manhattan" else np.abs(corners).max(axis=1)
    assert size.tolist() == [2.0] * 5


def test_a_view_that_hides_columns_is_told():
    scene, _ = scene_and_steps(PROBLEMS["four columns"], 3.0)
    assert any("Distances count all 4 columns" in note for note in scene.notes)
    assert marks(scene, Ellipses)
    components, _ = scene_and_steps(PROBLEMS["components"], 3.0, metric="manhattan")
    assert not marks(components, Line), "a ball of this metric has no such outline there"


# k-distances
# ---------------------------------------------------------------------------------------------


def test_the_curve_has_the_sorted_distances_and_the_line_is_eps():
    data = PROBLEMS["blobs"]
    scene, steps = scene_and_steps(data, 1.2)
    (curve,) = marks(scene, Line, panel="distances")
    distances = np.sort(k_distances(data.X, 3))[::-1]
    assert at(curve.y, 0).tolist() == pytest.approx(distances.tolist())
    (handle,) = scene.handles
    assert (handle.name, handle.panel, handle.kind, handle.y, handle.label) == (
        "eps",
        "distances",
        "y",
        1.2,
        "eps = 1.2",
    )
    assert (at(curve.y, 0) <= 1.2).sum() == sum(step.core for step in steps[:-1])
    (place,) = marks(scene, Points, panel="distances")
    for i, step in enumerate(steps[:-1]):
        rank = int(at(place.x, i)[0])
        assert at(place.y, i)[0] == pytest.approx(distances[rank - 1])
        assert (at(place.y, i)[0] <= 1.2) == step.core


@pytest.mark.parametrize(("eps", "y"), [(1e9, "top"), (0.0, 0.0)])
def test_a_line_beyond_the_picture_stands_at_its_edge(eps, y):
    scene, _ = scene_and_steps(PROBLEMS["blobs"], eps)
    top = scene.panels[1].y.high
    assert scene.handles[0].y == (top if y == "top" else y)
    assert top < 100


@pytest.mark.parametrize(
    "X", [[[0.0, 0.0]] * 5, [[0.0, 0.0], [1.0, 0.0]]], ids=["equal rows", "too few rows"]
)
@pytest.mark.parametrize("eps", [0.0, 1.0])
def test_no_curve_is_no_accident(X, eps):
    scene, _ = scene_and_steps(problem(X), eps)
    assert encode(scene)
    assert scene.panels[1].y.low < scene.panels[1].y.high


def test_titles_name_the_neighbour():
    titles = [scene_and_steps(problem(BLOBS), 1.0, k)[0].panels[1] for k in (1, 2, 3, 4, 12, 22)]
    labels = [panel.y.label for panel in titles]
    assert labels == [f"{k}-distance" for k in (0, 1, 2, 3, 11, 21)]
    assert titles[0].title == "Every row is a core point"
