import numpy as np
import pytest
from scipy.stats import norm

from dmlib.clustering import XMeans
from dmlib.clustering.kmeans_variants.scene import kmeans_variants_scene
from dmlib.clustering.kmeans_variants.xmeans_scene import xmeans_scene
from dmlib.pictures.encode import encode
from dmlib.pictures.marks import Cells, Line, Points
from dmlib.pictures.run import Run
from tests.pictures.examples import PROBLEMS, at, formulas, marks, problem, result, tables
from tests.runs import stopped

each_problem = pytest.mark.parametrize("name", PROBLEMS)


def scene_and_steps(name, min_clusters=1, selected=None, **params):
    data = PROBLEMS[name]
    run = Run.of(data, XMeans(min_clusters, random_state=0, **params), selected=selected)
    return xmeans_scene(run), run.trace.steps


@each_problem
@pytest.mark.parametrize("min_clusters", [1, 3])
@pytest.mark.parametrize("max_clusters", [3, 10])
def test_a_frame_for_every_step(name, min_clusters, max_clusters):
    scene, steps = scene_and_steps(
        name, min_clusters, max_clusters=max_clusters, n_init=2, selected=0
    )
    assert [frame.phase for frame in scene.frames] == [
        step.phase.replace("_", " ") for step in steps
    ]
    assert encode(scene)


def test_any_part_of_a_trace_can_be_drawn():
    data = PROBLEMS["blobs"]
    run = Run.of(data, XMeans(1, n_init=2, random_state=0), selected=3)
    for n in range(len(run.trace.steps) + 1):
        scene = kmeans_variants_scene(stopped(run, n))
        assert len(scene.frames) == max(n, 1)
        assert encode(scene)


def bic(X, labels):
    """The BIC from the normal density, row by row."""
    clusters = np.unique(labels)
    (n, d), k = X.shape, len(clusters)
    codes = np.searchsorted(clusters, labels)
    centers = np.array([X[labels == cluster].mean(axis=0) for cluster in clusters])
    variance = ((X - centers[codes]) ** 2).sum() / (d * (n - k))
    if variance == 0:
        return np.inf
    densities = norm.logpdf(X, centers[codes], np.sqrt(variance)).sum()
    return densities + np.log(np.bincount(codes) / n)[codes].sum() - (k * d + k) / 2 * np.log(n)


@each_problem
def test_bic_in_the_ledger_is_that_of_the_density(name):
    X = PROBLEMS[name].X
    scene, steps = scene_and_steps(name, n_init=3)
    for frame, step in zip(scene.frames, steps, strict=True):
        values = [result(text) for text in formulas(frame) if text.startswith("BIC")]
        if step.phase == "improve_params" and np.isfinite(step.score.bic):
            assert values == [pytest.approx(bic(X, step.labels), rel=1e-5)]
        if step.phase == "improve_structure" and step.parent:
            inside = X[step.labels == step.cluster]
            expected = [
                bic(inside, np.zeros(len(inside))),
                bic(inside, step.child_labels[step.labels == step.cluster]),
            ]
            finite = [pytest.approx(value, rel=1e-5) for value in expected if np.isfinite(value)]
            assert values == finite
            table = tables(frame)["The rows of this cluster"]
            np.testing.assert_allclose(table.rows[-1][1:], expected)
            assert step.accepted == (expected[1] > expected[0]) or "limit" in step.reason


@each_problem
def test_every_formula_is_true_with_the_numbers_that_it_shows(name):
    scene, _ = scene_and_steps(name, n_init=3)
    for frame in scene.frames:
        for text in formulas(frame):
            if text.startswith(("ln L", "v =")):
                arithmetic = (
                    text.rsplit(" = ", 2)[1]
                    .replace("−", "-")
                    .replace("·", "*")
                    .replace("- -", "+ ")
                )
                assert eval(arithmetic) == pytest.approx(result(text), rel=1e-3, abs=1e-3), text


def test_captions_of_the_lessons_squares():
    scene, _ = scene_and_steps("squares", 1)
    captions = [frame.caption for frame in scene.frames]
    assert captions[1].startswith("Cluster 1 is split: one centre has the BIC −48.90")
    assert all("is not split" in caption for caption in captions[3:5])
    assert captions[-1].startswith(
        "Done: no further split is kept; round 2 has the highest BIC of all rows, −42.1"
    )


def test_the_limit_is_told():
    scene, steps = scene_and_steps("blobs", 2, max_clusters=3, n_init=3)
    captions = [f.caption for f, s in zip(scene.frames, steps, strict=True) if "limit" in s.reason]
    assert captions
    assert all(
        "is not split, though" in caption and "3 clusters are the limit" in caption
        for caption in captions
    )


def test_clusters_that_are_not_tried_are_told():
    data = problem([[0.0, 0]] * 4 + [[9, 9], [9, 10], [10, 9], [10, 10]])
    scene = xmeans_scene(Run.of(data, XMeans(2, random_state=0)))
    assert any("all equal" in frame.caption for frame in scene.frames)
    verdicts = [
        row[-1] for frame in scene.frames for table in tables(frame).values() for row in table.rows
    ]
    assert "not tried" in verdicts


def test_infinite_scores_are_told_in_words():
    data = problem([[0.0, 0]] * 4 + [[9, 9]] * 4)
    scene = xmeans_scene(Run.of(data, XMeans(1, random_state=0)))
    assert "∞" in scene.frames[1].caption
    assert any("SSE = 0" in text for text in formulas(scene.frames[1]))
    assert encode(scene)


def test_as_many_clusters_as_rows():
    data = problem([[0.0, 0], [1, 0], [0, 5]])
    scene = xmeans_scene(Run.of(data, XMeans(3, random_state=0)))
    assert "−∞" in scene.frames[0].caption
    assert encode(scene)


def test_cells_are_shown_with_whole_clusterings_only():
    scene, steps = scene_and_steps("blobs")
    (cells,) = marks(scene, Cells)
    for i, step in enumerate(steps):
        assert at(cells.x, i).size == (
            len(step.centers) if step.phase != "improve_structure" else 0
        )
        if step.phase != "improve_structure":
            nearest = (
                ((PROBLEMS["blobs"].X[:, None] - step.centers) ** 2).sum(axis=2).argmin(axis=1)
            )
            np.testing.assert_array_equal(nearest, step.labels)


def test_curve_has_a_point_per_round_and_marks_the_one_in_hand():
    scene, steps = scene_and_steps("blobs")
    (line,) = marks(scene, Line, "bic")
    _, end = marks(scene, Points, "bic")
    for i, step in enumerate(steps):
        rounds = [s for s in steps[: i + 1] if s.phase == "improve_params"]
        assert at(line.x, i).tolist() == [len(s.centers) for s in rounds]
        np.testing.assert_allclose(at(line.y, i), [s.score.bic for s in rounds])
        assert at(end.x, i).tolist() == [len(step.centers)]
