import numpy as np
import pytest
from scipy.cluster.hierarchy import is_valid_linkage

from dmlib.clustering import BisectingKMeans
from dmlib.clustering.kmeans_variants.bisecting_scene import bisecting_scene
from dmlib.clustering.kmeans_variants.scene import kmeans_variants_scene
from dmlib.clustering.kmeans_variants.split_tree import SplitTree
from dmlib.pictures.encode import encode
from dmlib.pictures.marks import Cells, Line, Points, Segments
from dmlib.pictures.run import Run
from tests.pictures.examples import PROBLEMS, at, formulas, marks, result, tables
from tests.runs import stopped

each_problem = pytest.mark.parametrize("name", PROBLEMS)


def scene_and_steps(name, k=3, selected=None, **params):
    data = PROBLEMS[name]
    run = Run.of(data, BisectingKMeans(k, random_state=0, **params), selected=selected)
    return bisecting_scene(run), run.trace.steps


@each_problem
@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize("n_init", [1, 4])
def test_a_frame_for_every_step(name, k, n_init):
    scene, steps = scene_and_steps(name, k, n_init=n_init, selected=0)
    assert [frame.phase for frame in scene.frames] == [step.phase for step in steps]
    assert encode(scene)


def test_any_part_of_a_trace_can_be_drawn():
    data = PROBLEMS["blobs"]
    run = Run.of(data, BisectingKMeans(4, n_init=2, random_state=0), selected=3)
    for n in range(len(run.trace.steps) + 1):
        scene = kmeans_variants_scene(stopped(run, n))
        assert len(scene.frames) == max(n, 1)
        assert encode(scene)


def sse(rows):
    return float(((rows - rows.mean(axis=0)) ** 2).sum()) if len(rows) else 0.0


@each_problem
def test_candidates_are_recomputed_from_the_rows(name):
    data = PROBLEMS[name]
    scene, steps = scene_and_steps(name)
    for frame, step in zip(scene.frames, steps, strict=True):
        if step.phase == "choose":
            table = tables(frame)["Which cluster is split?"]
            groups = [data.X[step.labels == j] for j in range(len(step.centers))]
            assert [row[0] for row in table.rows] == [len(group) for group in groups]
            np.testing.assert_allclose(
                [row[1] for row in table.rows], [sse(g) for g in groups], atol=1e-9
            )
            assert table.emphasis == [step.cluster]


@each_problem
def test_trials_are_recomputed_from_the_rows(name):
    data = PROBLEMS[name]
    scene, steps = scene_and_steps(name, n_init=3)
    for frame, step in zip(scene.frames, steps, strict=True):
        if step.phase not in ("trial", "split"):
            continue
        remaining = [
            data.X[(step.labels == j) & (step.child_labels < 0)] for j in range(len(step.centers))
        ]
        halves = [data.X[step.child_labels == part] for part in (0, 1)]
        after = sum(map(sse, remaining + halves))
        change = next(text for text in formulas(frame) if text.startswith("SSE:"))
        assert result(change) == pytest.approx(after, rel=1e-5, abs=1e-9)
        if step.phase == "trial":
            table = next(
                table for title, table in tables(frame).items() if title.startswith("Trial splits")
            )
            assert len(table.rows) == step.trial + 1
            assert table.rows[-1][1] == " + ".join(str(len(half)) for half in halves)
            assert table.rows[-1][3] == pytest.approx(sum(map(sse, halves)), abs=1e-9)
            sums = [row[3] for row in table.rows]
            assert sums[table.emphasis[0]] == min(sums)


def test_captions_of_the_lessons_squares():
    scene, _ = scene_and_steps("squares", 3, n_init=5)
    captions = [frame.caption for frame in scene.frames]
    assert captions[0] == "Start: all 8 rows are one cluster; its SSE is 284."
    assert captions[1] == "Cluster 1 is split next: it has the largest SSE and the most rows."
    assert any("from 284 to 40" in caption for caption in captions)
    assert captions[-1] == "Done: 3 clusters with the SSE 24."


def test_the_reason_of_a_choice_is_true():
    scene, steps = scene_and_steps("blobs", 4, bisecting_strategy="largest_cluster")
    for frame, step in zip(scene.frames, steps, strict=True):
        if step.phase == "choose":
            assert ("most rows" in frame.caption) == (
                step.counts[step.cluster] == step.counts.max()
            )
            assert ("largest SSE" in frame.caption) == (
                step.inertias[step.cluster] == step.inertias.max()
            )


def test_clusters_that_cannot_be_cut_are_passed_over():
    scene, steps = scene_and_steps("duplicates", 3, bisecting_strategy="largest_cluster")
    reasons = [f.caption for f, s in zip(scene.frames, steps, strict=True) if s.phase == "choose"]
    assert any(
        "those before it are all equal" in caption or "most rows" in caption for caption in reasons
    )


def test_a_trial_is_in_focus_and_its_parts_have_their_colours():
    scene, steps = scene_and_steps("blobs", 3)
    (points,) = marks(scene, Points, data=True)
    for i, step in enumerate(steps):
        opacity = np.broadcast_to(at(points.opacity, i), len(step.labels))
        if step.phase in ("choose", "trial"):
            np.testing.assert_array_equal(opacity == 1, step.labels == step.cluster)
        else:
            assert (opacity == 1).all()
        if step.phase == "trial":
            colors = at(points.color, i)
            assert (colors[step.child_labels == 1] == len(step.centers)).all()
            assert (colors[step.child_labels == 0] == step.cluster).all()


def test_arrows_lead_from_the_parent_to_its_children():
    scene, steps = scene_and_steps("blobs", 3)
    (arrows,) = marks(scene, Segments, "data")
    project = PROBLEMS["blobs"].plane.project
    for i, step in enumerate(steps):
        ends = np.column_stack([at(arrows.x1, i), at(arrows.y1, i)])
        if step.phase not in ("trial", "split"):
            assert ends.size == 0
            continue
        np.testing.assert_allclose(ends, project(step.child_centers))
        parent = PROBLEMS["blobs"].X[step.child_labels >= 0].mean(axis=0)
        np.testing.assert_allclose(
            np.column_stack([at(arrows.x0, i), at(arrows.y0, i)]), project([parent] * 2)
        )


def test_no_cells_because_rows_never_cross_an_earlier_cut():
    assert not marks(scene_and_steps("blobs")[0], Cells)


def test_curve_falls_with_each_kept_cut_and_shows_the_trials():
    scene, steps = scene_and_steps("blobs", 4, n_init=3)
    line, end, tried = marks(scene, Points, "sse")
    for i, step in enumerate(steps):
        np.testing.assert_array_equal(at(line.x, i), np.arange(1, len(step.centers) + 1))
        assert at(line.y, i)[-1] == pytest.approx(step.inertia)
        assert at(end.x, i).tolist() == [len(step.centers)]
        assert at(tried.x, i).size == (step.trial + 1 if step.phase == "trial" else 0)
    assert (np.diff(at(line.y, len(steps) - 1)) < 0).all()


@each_problem
@pytest.mark.parametrize("strategy", ["biggest_inertia", "largest_cluster"])
def test_the_tree_has_the_sse_of_each_cluster(name, strategy):
    data = PROBLEMS[name]
    n_clusters = min(5, len(np.unique(data.X, axis=0)))
    _, steps = scene_and_steps(name, n_clusters, bisecting_strategy=strategy)
    splits = [step for step in steps if step.phase == "split"]
    parents = [steps[0], *splits]
    tree = SplitTree.of(steps).linkage
    assert is_valid_linkage(tree)
    members = [np.flatnonzero(splits[-1].labels == j) for j in range(len(parents))]
    for first, second, height, n_clusters in tree:
        members.append(np.concatenate([members[int(first)], members[int(second)]]))
        assert height == pytest.approx(sse(data.X[members[-1]]), abs=1e-9)
        assert n_clusters == len(np.unique(splits[-1].labels[members[-1]]))
    for parent, step, merge in zip(parents, splits, tree[::-1], strict=False):
        rows = np.flatnonzero(parent.labels == step.cluster)
        assert sorted(members[len(members) - step.n_splits]) == rows.tolist()
        assert merge[2] >= step.child_inertias.sum() - 1e-9


def test_the_ends_of_the_tree_are_the_present_clusters():
    scene, steps = scene_and_steps("blobs", 5, n_init=2, refine=True)
    tree = SplitTree.of(steps)
    (ends,) = marks(scene, Points, "tree")
    (strokes,), (bracket,) = marks(scene, Segments, "tree"), marks(scene, Line, "tree")
    for i, step in enumerate(steps):
        np.testing.assert_allclose(at(ends.y, i), step.inertias)
        assert at(strokes.x0, i).size == 3 * step.n_splits
        has_bracket = step.phase in ("trial", "split")
        assert at(bracket.x, i).size == (4 if has_bracket else 0)
        if has_bracket:
            corners = at(bracket.y, i)[[0, 3]]
            np.testing.assert_allclose(corners, step.child_inertias)
            assert at(bracket.y, i)[1] >= corners.sum() - 1e-9
        nodes = tree.nodes(step.n_splits)
        assert len(set(nodes)) == len(step.centers)


def test_cells_are_those_of_the_final_kmeans_alone():
    scene, steps = scene_and_steps("blobs", 4, refine=True)
    (cells,) = marks(scene, Cells)
    for i, step in enumerate(steps):
        assert bool(at(cells.x, i).size) == (step.phase in ("assign", "update", "done"))
    assert any(frame.caption.startswith("Assign: ") for frame in scene.frames)
