"""The page of DBSCAN: its presets show what they say, and its line sets the radius."""

import numpy as np
from sklearn.base import clone

from dmlib.clustering import k_distances
from tests.gestures import move
from tests.visit import linked, open_preset, sound, stage, technique, visit, watched_runs

PRESETS = {preset.title: preset for preset in technique("dbscan").presets}


def run_of(title):
    """Open a preset as a link; return the run, its last caption and what to look for."""
    run, scene, look_for = open_preset("dbscan", title)
    return run, scene["frames"][-1]["caption"], look_for


def groups(run):
    """Return how many rows of each known class each cluster has, one row for each cluster."""
    labels, n_classes = run.fitted.labels_, len(run.problem.classes)
    return np.array(
        [
            np.bincount(run.problem.y[labels == k], minlength=n_classes)
            for k in range(labels.max() + 1)
        ]
    )


def refitted(run, **params):
    return clone(run.model).set_params(**params).fit(run.problem.X)


def test_moons():
    run, _, look_for = run_of("Two moons, two clusters")
    assert groups(run).tolist() == [[75, 0], [0, 75]] or groups(run).tolist() == [[0, 75], [75, 0]]
    assert refitted(run, eps=0.5).n_clusters_ == 10
    assert "0.5: ten clusters" in look_for
    assert refitted(run, eps=0.9).n_clusters_ == 1
    assert "0.9: both moons are one" in look_for


def test_outliers():
    run, _, look_for = run_of("Outliers stay outside")
    assert run.fitted.n_clusters_ == 4
    strewn = np.arange(len(run.problem.X)) >= 130
    assert "18 points of noise" in look_for
    assert run.fitted.n_noise_ == 18
    assert (strewn & (run.fitted.labels_ == -1)).sum() > 10


def test_order():
    run, look_for, _ = run_of("Order decides at the border")
    end = run.trace.steps[-1]
    assert "3 ringed border points" in look_for
    assert len(end.contested) == 3
    reverse = refitted(run, order="reverse")
    core, (forwards, backwards) = (
        run.fitted.core_sample_indices_,
        (run.fitted.labels_, reverse.labels_),
    )
    renamed = {forwards[row]: backwards[row] for row in core}
    assert len(renamed) == 2
    for row, _ in end.contested:
        assert forwards[row] == backwards[row] == 0
        assert renamed[forwards[row]] != backwards[row]


def test_two_densities():
    run, _, look_for = run_of("One radius, two densities")
    sizes = groups(run)
    assert [row.argmax() for row in sizes] == [0, 1]
    assert (sizes.max(axis=1) > 0.9 * sizes.sum(axis=1)).all()
    assert sizes[:, 2].sum() < 10
    assert run.fitted.n_noise_ > 40
    assert "At eps = 1.7" in look_for
    later = refitted(run, eps=1.7)
    assert len({*later.labels_[run.problem.y == 0], *later.labels_[run.problem.y == 1]}) == 1
    assert later.n_clusters_ == 2


def test_no_radius_finds_three_groups_of_these_densities():
    run, _, _ = run_of("One radius, two densities")
    for eps in np.linspace(0.2, 3.0, 57):
        labels = refitted(run, eps=eps).labels_
        counts = [
            np.bincount(run.problem.y[labels == k], minlength=3) for k in range(labels.max() + 1)
        ]
        sizes = {row.argmax() for row in counts if row.max() >= 25 and row.max() >= 0.8 * row.sum()}
        assert len(sizes) < 3


def test_chain():
    run, _, look_for = run_of("A chain joins two groups")
    assert run.model.min_samples == 3
    assert run.fitted.n_clusters_ == 1
    assert "from 3 to 7" in look_for
    separated = refitted(run, min_samples=7)
    assert separated.n_clusters_ == 2
    for label in (0, 1):
        assert len(set(run.problem.y[separated.labels_ == label])) == 1


def test_scale():
    run, _, look_for = run_of("Scale decides")
    assert (run.fitted.n_clusters_, run.fitted.n_noise_) == (2, 8)
    with watched_runs() as runs:
        visit("dbscan", **linked("dbscan", PRESETS["Scale decides"].settings) | {"scaling": "none"})
    raw = runs[-1].fitted
    assert f"{raw.n_clusters_} clusters, {raw.n_noise_} rows of noise" in look_for


def test_many_columns():
    run, _, look_for = run_of("Many columns, no knee")
    distances = k_distances(run.problem.X, 4)
    assert run.problem.X.shape == (150, 16)
    assert distances.max() < 1.6 * distances.min()
    assert "At eps = 10 most points are noise, at 12 almost none" in look_for
    assert refitted(run, eps=10.0).n_noise_ > 75
    assert refitted(run, eps=12.0).n_noise_ < 8


def test_pure_noise():
    run, _, look_for = run_of("Clusters in pure noise")
    assert run.fitted.n_clusters_ == 8
    assert look_for.startswith("Eight clusters")


# The line and bad input
# -----------------------------------------------------------------------------------------------


def test_the_line_stands_at_the_radius_and_sets_it():
    (handle,) = stage(visit("dbscan", **{"dbscan.eps": "0.7"}))["handles"]
    assert (handle["name"], handle["panel"], handle["kind"], handle["y"]) == (
        "eps",
        "distances",
        "y",
        0.7,
    )
    assert move({"name": "eps", "x": None, "y": 0.731234}, technique("dbscan")) == {
        "dbscan.eps": ["0.7312"]
    }
    assert move({"name": "eps", "x": None, "y": -3.0}, technique("dbscan")) == {
        "dbscan.eps": ["0.0"]
    }


def test_no_radius_is_told():
    frames = stage(sound(visit("dbscan", **{"dbscan.eps": "0"})))["frames"]
    assert "only identical rows are neighbours" in frames[-1]["caption"]


def test_more_neighbours_than_rows_are_told():
    page = sound(
        visit("dbscan", source="library", data="weather_numeric", **{"dbscan.min_samples": "15"})
    )
    assert "so every row is noise" in stage(page)["frames"][-1]["caption"]
