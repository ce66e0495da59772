import numpy as np
import pytest

from dmlib.clustering import KMeans
from dmlib.clustering.kmeans.scene import kmeans_scene
from dmlib.pictures.encode import encode
from dmlib.pictures.marks import Cells, Line, Points, Segments
from dmlib.pictures.run import Run
from tests.pictures.examples import PROBLEMS, at, formulas, marks, problem, result, tables
from tests.runs import stopped

each_problem = pytest.mark.parametrize("name", PROBLEMS)


def scene_and_steps(name, k=2, selected=None, restart=None, **params):
    data = PROBLEMS[name]
    run = Run.of(data, KMeans(k, random_state=0, **params), selected=selected, restart=restart)
    return kmeans_scene(run), run.trace.steps


@each_problem
@pytest.mark.parametrize("init", ["k-means++", "random", "farthest"])
@pytest.mark.parametrize("k", [1, 3])
def test_a_frame_for_every_step(name, init, k):
    scene, steps = scene_and_steps(name, k, init=init)
    assert [frame.phase for frame in scene.frames] == [step.phase for step in steps]
    assert encode(scene)


def test_any_part_of_a_trace_can_be_drawn():
    data = PROBLEMS["blobs"]
    run = Run.of(data, KMeans(4, n_init=3, random_state=0), selected=1)
    steps = run.trace.steps
    for n in range(len(steps) + 1):
        scene = kmeans_scene(stopped(run, n))
        scenes = [
            step
            for step in steps[:n]
            if step.restart == steps[max(n - 1, 0)].restart and step.phase != "best"
        ]
        assert len(scene.frames) == (len(scenes) or 1)
        assert encode(scene)


@each_problem
def test_sse_in_the_ledger_is_recomputed_from_the_rows(name):
    data = PROBLEMS[name]
    scene, steps = scene_and_steps(name, 2)
    for frame, step in zip(scene.frames, steps, strict=True):
        if step.phase == "assign":
            sse = ((data.X - step.centers[step.labels]) ** 2).sum()
            table = tables(frame)["After the assignment"]
            assert [row[0] for row in table.rows] == np.bincount(step.labels, minlength=2).tolist()
            assert sum(row[2] for row in table.rows) == pytest.approx(sse, abs=1e-9)
            assert result(formulas(frame)[-1]) == pytest.approx(sse, rel=1e-5, abs=1e-9)


def test_changes_sum_to_zero_after_the_first_assignment():
    scene, steps = scene_and_steps("blobs", 4, init="random")
    assigned = [
        tables(f)["After the assignment"]
        for f, s in zip(scene.frames, steps, strict=True)
        if s.phase == "assign"
    ]
    assert sum(row[1] for row in assigned[0].rows) == len(PROBLEMS["blobs"].X)
    assert all(sum(row[1] for row in table.rows) == 0 for table in assigned[1:])


def test_new_centres_are_written_as_sum_over_rows():
    scene, steps = scene_and_steps("squares", 2)
    update = next(i for i, step in enumerate(steps) if step.phase == "update")
    table = tables(scene.frames[update])["New centre = sum / rows"]
    for row, center, n in zip(table.rows, steps[update].centers, steps[update].counts, strict=True):
        total, quotient = row[0].split(" / ")
        assert quotient == f"{n} = {center[0]:.5g}"
        assert float(total) == pytest.approx(center[0] * n, rel=1e-4)
    assert [row[-1] for row in table.rows] == steps[update].shift.tolist()


def test_seeding_probabilities_are_those_of_kmeans_plus_plus():
    data = PROBLEMS["blobs"]
    scene, steps = scene_and_steps("blobs", 3)
    share = steps[1].distances / steps[1].distances.sum()
    text = formulas(scene.frames[1])[-1]
    assert result(text) == pytest.approx(share[steps[1].chosen], rel=1e-3)
    farthest = tables(scene.frames[1])["The 5 farthest"]
    assert list(farthest.numbers) == (data.rows[np.argsort(-share, kind="stable")[:5]] + 1).tolist()
    sizes = at(marks(scene, Points, data=True)[0].size, 1)
    np.testing.assert_array_equal(
        np.argsort(sizes, kind="stable"), np.argsort(share, kind="stable")
    )


def test_the_kept_restart_is_drawn_unless_another_is_asked_for():
    scene, steps = scene_and_steps("blobs", 4, init="random", n_init=5)
    best_restart = steps[-1].restart
    assert len(scene.frames) == sum(
        step.restart == best_restart and step.phase != "best" for step in steps
    )
    restart = (best_restart + 1) % 5
    second, _ = scene_and_steps("blobs", 4, init="random", n_init=5, restart=restart)
    assert [f.caption for f in scene.frames] != [f.caption for f in second.frames]


def test_arrows_lead_from_the_old_to_the_new_centres():
    scene, steps = scene_and_steps("blobs", 3, init="random")
    (arrows,) = marks(scene, Segments)
    for i, step in enumerate(steps):
        if step.phase == "update":
            moved = np.hypot(
                at(arrows.x1, i) - at(arrows.x0, i), at(arrows.y1, i) - at(arrows.y0, i)
            )
            np.testing.assert_allclose(moved, step.shift, atol=1e-12)
        else:
            assert at(arrows.x0, i).size == 0


@pytest.mark.parametrize(("name", "cells"), [("blobs", 1), ("four columns", 0), ("one column", 0)])
def test_cells_only_where_they_are_true(name, cells):
    assert len(marks(scene_and_steps(name)[0], Cells)) == cells


def test_an_empty_cluster_is_told():
    data = problem([[0.0, 0], [1, 0], [2, 0], [30, 0]])
    run = Run.of(data, KMeans(2, init=[[1.0, 0], [500, 500]]))
    captions = [frame.caption for frame in kmeans_scene(run).frames]
    assert any("Cluster 2 was empty: it takes row 4" in caption for caption in captions)


def test_the_selected_row_gets_its_distances_once_there_are_clusters():
    scene, steps = scene_and_steps("four columns", 2, selected=5)
    for frame, step in zip(scene.frames, steps, strict=True):
        assert any(title.startswith("Row 6:") for title in tables(frame)) == (
            step.labels is not None
        )


def test_paths_lead_from_where_the_centres_began_to_where_they_are():
    scene, steps = scene_and_steps("blobs", 3, init="random")
    (path,) = marks(scene, Line)
    (starts,) = (mark for mark in marks(scene, Points, hollow=[1]))
    places = [step.centers[np.isfinite(step.centers[:, 0])] for step in steps]
    first = next(each for each in places if len(each) == 3)
    for i, centers in enumerate(places):
        x, y = at(path.x, i), at(path.y, i)
        ends = np.flatnonzero(np.isnan(x[1:]) & ~np.isnan(x[:-1]))
        np.testing.assert_allclose(np.column_stack([x[ends], y[ends]]), centers)
        began = at(starts.x, i)
        np.testing.assert_allclose(began[~np.isnan(began)], first[: len(centers), 0])
