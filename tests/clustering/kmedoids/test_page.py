"""The page of k-medoids: its presets and its lesson say what is so."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone

from dmlib.clustering import KMeans, KMedoids
from dmlib.clustering.kmedoids.figures.kmeans_compared import kmeans_compared_data
from dmlib.clustering.kmedoids.figures.medoid_sweep import medoid_sweep_data
from dmlib.clustering.kmedoids.scene import kmedoids_scene
from dmlib.datasets import load
from dmlib.problem import prepare
from tests.contract.test_lessons import section, text_of
from tests.visit import linked, open_preset, sound, stage, technique, visit, warnings

PRESETS = {preset.title: preset for preset in technique("kmedoids").presets}
POINTS = np.array([(1, 1), (1, 3), (2, 1), (4, 2), (6, 2), (7, 1), (7, 3)], float)


def run_of(title):
    """Open a preset as a link; return the run on the page, its frames and what to look for."""
    run, scene, look_for = open_preset("kmedoids", title)
    return run, scene["frames"], look_for


def test_build_then_swap():
    run, frames, look_for = run_of("Build, then swap")
    totals = [step.total for step in run.trace.steps]
    assert f"{totals[4]:.4g}" == "114.5"
    assert f"{totals[-1]:.4g}" == "82.48"
    assert "114.5" in look_for
    assert "82.48" in look_for
    assert [frame["phase"] for frame in frames].count("swap") == 4


def test_seven_points():
    run, frames, look_for = run_of("Seven points by hand")
    assert_allclose(run.problem.X, POINTS)
    assert [step.total for step in run.trace.steps] == [21, 13, 13, 9, 9, 9]
    assert "13 − 4 = 9" in look_for
    evaluate = frames[2]
    assert evaluate["ledger"][0]["title"] == "Swaps (the first 8 of 10)"
    assert evaluate["ledger"][0]["rows"][0] == [5, 4, -4]
    assert (
        evaluate["ledger"][1]["text"]
        == "Change of TD = −6 (3 rows come nearer) + 2 (1 row gets farther) = −4"
    )


def test_outlier():
    run, _, look_for = run_of("One outlier, two groups")
    data = kmeans_compared_data(run)
    ours, means = (sorted(np.bincount(labels).tolist()) for labels in data.labels)
    assert (ours, means) == ([10, 11], [1, 20])
    assert "11 and 10" in look_for


def test_alternate_is_stuck():
    run, _, look_for = run_of("Alternate is stuck")
    assert f"{run.fitted.inertia_:.3g}" == "71.9"
    assert f"{clone(run.model).set_params(method='pam').fit(run.problem.X).inertia_:.3g}" == "41.4"
    assert "71.9" in look_for
    assert "41.4" in look_for


def test_samples_and_moons():
    run, frames, _ = run_of("Medoids of samples")
    assert [len(step.sample) for step in run.trace.steps] == [50] * 5 + [0]
    assert "over all 600 rows" in frames[0]["caption"]
    run, _, _ = run_of("Two moons are cut")
    assert all(len(set(run.problem.y[run.fitted.labels_ == j])) == 2 for j in (0, 1))


def test_patients():
    run, _, look_for = run_of("Patients by numbers and names")
    problem = run.problem
    assert (len(problem.categories), len(problem.features)) == (7, 13)
    counts = np.array([np.bincount(problem.y[run.fitted.labels_ == j]) for j in range(2)])
    assert (len(problem.X), int(counts.min(axis=1).sum())) == (297, 59)
    assert "59 of 297" in look_for
    heart = load("heart_disease")
    numeric = prepare(heart.frame, list(heart.numeric), target="narrowing")
    labels = KMedoids(2, metric="gower").fit_predict(numeric.X)
    assert (len(labels), sum(min(np.bincount(numeric.y[labels == j])) for j in range(2))) == (
        299,
        78,
    )
    ages = problem.X[:, 0]
    assert (ages.min(), ages.max()) == (29, 77)
    assert f"{(10 / 48 + 1) / 2:.3f}" in text_of("kmedoids")
    scene = kmedoids_scene(replace(run, selected=5))
    table = next(
        block
        for block in scene.frames[-1].ledger
        if getattr(block, "title", "").startswith("Gower")
    )
    assert len(table.rows) == 13
    with pytest.raises(ValueError, match="names have none"):
        kmeans_compared_data(run)


def test_names_need_gower():
    settings = PRESETS["Patients by numbers and names"].settings
    page = visit("kmedoids", **linked("kmedoids", {**settings, "metric": "euclidean"}))
    assert "Choose the metric 'gower'" in stage(page)["frames"][0]["caption"]


def test_a_chosen_row_is_a_starting_medoid():
    page = sound(visit("kmedoids", places="#3;2,5", **{"kmedoids.init": "points"}))
    assert warnings(page) == []
    assert stage(page)["frames"][0]["caption"].startswith("Medoid 1 starts at row 3;")


def test_a_selected_row_tells_its_distances():
    run, _, _ = run_of("Seven points by hand")
    table = kmedoids_scene(replace(run, selected=1)).frames[-1].ledger[0]
    assert list(table.rows) == [(5, 6.0), (1, 2.0)]
    assert table.emphasis == [1]


def test_the_table_of_the_lesson():
    text = section(text_of("kmedoids"), "By hand")
    sums = np.abs(POINTS[:, None] - POINTS).sum(axis=(1, 2))
    assert "| sum of distances | " + " | ".join(f"{value:g}" for value in sums) + " |" in text
    distances = np.abs(POINTS - POINTS[3]).sum(axis=1)
    gains = [np.maximum(distances - np.abs(POINTS - row).sum(axis=1), 0).sum() for row in POINTS]
    cells = [f"{gain:g}" if i != 3 else "" for i, gain in enumerate(gains)]
    assert "| gain as second medoid | " + " | ".join(cells).replace("|  |", "| |") + " |" in text
    last = [
        step for step in KMedoids(2, metric="manhattan").steps(POINTS) if step.phase == "evaluate"
    ][-1]
    assert (last.candidates[0].row, last.candidates[0].change) == (2, 1.0)
    assert "C for A, would add 1" in text


def test_mean_and_medoid_of_five_numbers():
    X = np.array([[1.0], [2.0], [3.0], [4.0], [90.0]])
    assert KMeans(1).fit(X).cluster_centers_[0, 0] == 20
    assert KMedoids(1).fit(X).cluster_centers_[0, 0] == 3


@pytest.mark.parametrize("method", ["pam", "clara"])
def test_sweep(method):
    X = np.random.default_rng(0).normal(size=(30, 2)) + np.repeat(
        [[0, 0], [20, 0], [0, 20]], 10, axis=0
    )
    data = medoid_sweep_data(KMedoids(2, method=method, init=X[:2], random_state=0), X)
    assert int(data.k[np.nanargmax(data.silhouette)]) == 3
    assert np.isnan(data.silhouette[0])
    assert data.current == 2
