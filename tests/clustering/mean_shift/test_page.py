"""The page of mean shift: its presets and its lesson say what is so."""

import re

import numpy as np
import pytest
from sklearn import cluster
from sklearn.base import clone

from dmlib.clustering import MeanShift
from dmlib.clustering.mean_shift.figures.bandwidth_sweep import (
    bandwidth_sweep_data,
    plot_bandwidth_sweep,
)
from dmlib.clustering.mean_shift.reference import mean_shift_reference
from dmlib.clustering.mean_shift.scene import followed_seed, mean_shift_scene
from dmlib.comparison import Incomparable
from dmlib.pictures.marks import Ellipses, Points
from dmlib.pictures.run import Run
from tests.clustering.mean_shift.test_algorithm import POINTS
from tests.contract.test_lessons import section, text_of
from tests.gestures import move
from tests.pictures.examples import PROBLEMS, at, formulas, marks, problem, tables
from tests.runs import stopped
from tests.visit import open_preset, sound, stage, technique, visit


def fitted(run, **changed):
    return clone(run.model).set_params(**changed).fit(run.problem.X)


# Presets and lesson
# ---------------------------------------------------------------------------------------------


def test_four_hills():
    run, _, look_for = open_preset("mean_shift", "Four hills, four modes")
    assert len(run.trace.steps[0].places) == 150
    assert run.fitted.n_clusters_ == 4
    assert fitted(run, bandwidth=1.0).n_clusters_ == 7
    assert fitted(run, bandwidth=3.0).n_clusters_ == 2
    assert "150 seeds climb to four modes" in look_for


def test_seven_points():
    run, scene, _ = open_preset("mean_shift", "Seven points by hand")
    assert run.problem.X.tolist() == POINTS.tolist()
    assert len({tuple(place.round(6)) for place in run.trace.steps[-1].places}) == 4
    assert run.fitted.n_clusters_ == 2
    text = section(text_of("mean_shift"), "By hand")
    center = np.array([4.0, 7.0])
    assert f"**{np.linalg.norm(center - [10 / 3, 6]):.2f}** away" in text
    assert f"**{np.linalg.norm(center - [4.5, 7.5]):.2f}** away" in text
    phases = {step.phase for step in run.trace.steps}
    assert {frame["phase"] for frame in scene["frames"]} == phases


def test_gaussian_weights():
    run, _, _ = open_preset("mean_shift", "Gaussian weights reach farther")
    numbers = [
        fitted(run, kernel=kernel, bandwidth=h).n_clusters_
        for kernel, h in (("gaussian", 1.0), ("flat", 1.0), ("gaussian", 2.0), ("flat", 2.0))
    ]
    assert numbers == [4, 7, 1, 4]


def test_the_estimate():
    run, _, look_for = open_preset("mean_shift", "The estimate is too wide")
    assert f"{run.fitted.bandwidth_:.4g}" in look_for
    assert run.fitted.n_clusters_ == 2
    assert len(np.unique(run.problem.y)) == 4


def test_bins():
    run, _, look_for = open_preset("mean_shift", "Bins instead of rows")
    assert look_for.startswith(f"{len(run.trace.steps[0].places)} bins")
    assert np.bincount(run.fitted.labels_).tolist() == [175, 97]
    assert np.bincount(fitted(run, bin_seeding=False).labels_).tolist() == [175, 97]


def test_orphans():
    run, _, look_for = open_preset("mean_shift", "Orphans stay outside")
    assert (run.fitted.n_clusters_, run.fitted.n_orphans_) == (4, 13)
    assert fitted(run, min_bin_freq=1).n_clusters_ == 8
    assert "four outliers are clusters of their own" in look_for


def test_moons():
    run, _, _ = open_preset("mean_shift", "A moon is no hill")
    pairs = set(zip(run.fitted.labels_.tolist(), run.problem.y.tolist(), strict=True))
    assert pairs == {(0, 0), (0, 1), (1, 0), (1, 1)}
    assert fitted(run, bandwidth=1.0).n_clusters_ == 8


def test_pure_noise():
    run, _, look_for = open_preset("mean_shift", "Modes in pure noise")
    assert run.fitted.n_clusters_ == 9
    assert look_for.startswith("Nine modes")


# The picture
# ---------------------------------------------------------------------------------------------

LESSON = Run.of(problem(POINTS), MeanShift(bandwidth=2.0))


def test_the_disc_stands_where_the_mean_was_taken():
    scene, steps = mean_shift_scene(LESSON), LESSON.trace.steps
    seed = followed_seed(LESSON)
    (disc,) = marks(scene, Ellipses)
    for i, step in enumerate(steps):
        if step.phase == "shift":
            assert at(disc.x, i)[0] == pytest.approx(steps[i - 1].places[seed, 0])
            assert at(disc.rx, i)[0] == 2
        if step.phase == "merge":
            assert at(disc.x, i)[0] == pytest.approx(step.cluster_centers[-1, 0])
    assert at(disc.x, len(steps) - 1)[0] == pytest.approx(steps[-1].places[seed, 0])


def test_a_click_follows_the_seed_of_the_row():
    run = Run.of(problem(POINTS), MeanShift(bandwidth=2.0), selected=4)
    assert followed_seed(run) == 4
    _, first, second, *_ = mean_shift_scene(run).frames
    assert formulas(first)[1:4] == [
        "seed 5: x = (3, 5)",
        "m, c0: (3 + 3) / 2 = 3",
        "m, c1: (5 + 6) / 2 = 5.5",
    ]
    assert formulas(second)[-1] == "‖m − x‖ = 0.6009 > h / 1000 = 0.002: it moves on"


def test_the_weighted_mean_is_written_out():
    X = [[0.0], [1.0], [3.0]]
    run = Run.of(problem(X), MeanShift(bandwidth=1.0, kernel="gaussian"), selected=0)
    frame = mean_shift_scene(run).frames[1]
    weights = np.exp(-np.array([0.0, 1.0, 9.0]) / 2)
    mean = weights @ np.ravel(X) / weights.sum()
    assert formulas(frame)[2].endswith(
        f"(1·0 + 0.6065·1 + 0.01111·3) / {weights.sum():.4g} = {mean:.4g}"
    )
    (table,) = tables(frame).values()
    assert [row[2] for row in table.rows] == pytest.approx(weights.tolist(), rel=1e-3)


def test_the_table_of_modes_adds_up():
    scene = mean_shift_scene(LESSON)
    merged = tables(scene.frames[-2])["Modes"]
    assert [row[-2:] for row in merged.rows] == [(3, 4), (3, 3)]
    assert tables(scene.frames[-1])["Clusters"].rows == [(4,), (3,)]


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("kernel", ["flat", "gaussian"])
def test_any_part_of_a_trace_can_be_drawn(name, kernel):
    run = Run.of(PROBLEMS[name], MeanShift(bandwidth=1.5, kernel=kernel))
    for n in range(0, len(run.trace.steps) + 1, 5):
        assert mean_shift_scene(stopped(run, n)).frames[0].caption


def test_rows_under_the_kernel_have_its_weights():
    scene = mean_shift_scene(LESSON)
    (rows,) = marks(scene, Points, panel="kernel")
    assert set(at(rows.y, 1).tolist()) == {0, 1}
    assert ((at(rows.x, 1) <= 2) == (at(rows.y, 1) == 1)).all()


def test_the_line_stands_at_the_bandwidth_and_sets_it():
    page = sound(visit("mean_shift", **{"mean_shift.bandwidth": "1.5"}))
    (handle,) = stage(page)["handles"]
    assert (handle["name"], handle["panel"], handle["kind"], handle["x"]) == (
        "bandwidth",
        "kernel",
        "x",
        1.5,
    )
    message = {"name": "bandwidth", "x": 0.731234, "y": None}
    assert move(message, technique("mean_shift")) == {"mean_shift.bandwidth": ["0.7312"]}


def test_the_limit_of_iterations_is_named():
    frames = mean_shift_scene(Run.of(problem(POINTS), MeanShift(bandwidth=2.0, max_iter=0))).frames
    assert re.search(r"The limit of 0 iterations", frames[2].caption)


# Figure and reference
# ---------------------------------------------------------------------------------------------


def test_the_sweep_counts_what_each_bandwidth_gives():
    run, _, _ = open_preset("mean_shift", "Four hills, four modes")
    data = bandwidth_sweep_data(run)
    assert data.n_clusters[0] > data.n_clusters[-1] == 1
    for h, n, share in list(zip(data.eps, data.n_clusters, data.noise, strict=True))[::8]:
        model = cluster.MeanShift(bandwidth=h, cluster_all=False).fit(run.problem.X)
        assert len(model.cluster_centers_) == n
        assert (model.labels_ == -1).mean() == pytest.approx(share)


def test_the_figure_names_the_widest_range():
    run, _, _ = open_preset("mean_shift", "Four hills, four modes")
    figure = plot_bandwidth_sweep(bandwidth_sweep_data(run))
    assert "gives 4" in figure.layout.title.text
    assert figure.layout.yaxis.type == "log"


def test_equal_rows_have_nothing_to_sweep():
    with pytest.raises(ValueError, match="All rows are equal"):
        bandwidth_sweep_data(Run.of(problem([[1.0, 1.0]] * 4), MeanShift()))


def test_the_check_is_scikit_learns_answer():
    reference = mean_shift_reference(LESSON).answer(LESSON)
    assert type(reference) is cluster.MeanShift
    assert reference.labels_.tolist() == LESSON.fitted.labels_.tolist()


def test_the_gaussian_kernel_has_no_reference():
    run = Run.of(problem(POINTS), MeanShift(kernel="gaussian"))
    with pytest.raises(Incomparable, match="flat kernel only"):
        mean_shift_reference(run)
