"""The page of agglomerative clustering: its presets show what they say, and its line cuts."""

from functools import partial

import numpy as np
from sklearn.base import clone

from dmlib.clustering import AgglomerativeClustering
from tests.gestures import move
from tests.visit import open_preset, sound, stage, technique, visit

run_of = partial(open_preset, "hierarchical")


def refitted(run, **params):
    return clone(run.model).set_params(**params).fit(run.problem.X)


def agreement(run, labels):
    """Return whether every cluster is one known class."""
    pairs = set(zip(labels.tolist(), run.problem.y.tolist(), strict=True))
    return len(pairs) == len(set(labels.tolist())) == len(set(run.problem.y.tolist()))


def test_gap():
    run, _, look_for = run_of("A wide gap in the tree")
    assert agreement(run, run.fitted.labels_)
    assert "anywhere from 1.7 to 4" in look_for
    for height in (1.7, 3.0, 4.0):
        assert np.array_equal(run.fitted.cut(height), run.fitted.labels_)
    assert run.fitted.cut(1.6).max() > 3
    assert run.fitted.cut(4.2).max() < 3


def test_moons():
    run = run_of("Single linkage follows two moons").run
    assert agreement(run, run.fitted.labels_)
    ward = refitted(run, linkage="ward").labels_
    for moon in (0, 1):
        assert len(set(ward[run.problem.y == moon])) == 2


def test_chain():
    run, _, look_for = run_of("Single linkage chains")
    assert f"has {np.bincount(run.fitted.labels_).max()} of the 120 points" in look_for


def test_ward_and_sizes():
    run = run_of("Ward cuts a large group").run
    sizes, labels = np.bincount(run.problem.y), run.fitted.labels_
    large = labels[run.problem.y == sizes.argmax()]
    assert np.sort(np.bincount(large))[-2] > 30
    assert set(labels[run.problem.y == sizes.argmin()]) < set(large)
    assert agreement(run, refitted(run, linkage="average").labels_)


def test_inversions():
    run, scene, _ = run_of("Centroids come nearer")
    heights = run.fitted.distances_
    assert (np.diff(heights) < 0).any()
    assert any("lower than an earlier one" in note for note in scene["notes"])
    for linkage in ("single", "complete", "average", "ward"):
        assert (np.diff(refitted(run, linkage=linkage).distances_) >= 0).all()


def test_scale():
    run = run_of("Scale decides").run
    crime = run.problem.X[:, run.problem.features.index("violent")].reshape(-1, 1)
    assert np.array_equal(AgglomerativeClustering(3).fit(crime).labels_, run.fitted.labels_)
    scaled = run_of("Scale decides", scaling="z-score").run
    assert not np.array_equal(scaled.fitted.labels_, run.fitted.labels_)


def test_noise():
    run = run_of("A tree of pure noise").run
    assert np.bincount(run.fitted.labels_).min() > 10


# The line
# ---------------------------------------------------------------------------------------------


def test_the_line_cuts_and_travels_in_the_link():
    agglomerative = technique("hierarchical")
    assert move({"name": "cut", "x": None, "y": 3.14159}, agglomerative) == {
        "hierarchical.height": ["3.142"]
    }
    assert move({"name": "cut", "x": None, "y": -1.0}, agglomerative) == {
        "hierarchical.height": ["0.0"]
    }
    scene = stage(sound(visit("hierarchical", **{"hierarchical.height": "3.142"})))
    (handle,) = scene["handles"]
    assert (handle["y"], handle["kind"], handle["panel"]) == (3.142, "y", "tree")
    assert scene["frames"][-1]["caption"].startswith("Cut at 3.142")


def test_without_a_choice_the_line_leaves_as_many_clusters_as_asked_for():
    for k in (1, 2, 7):
        scene = stage(sound(visit("hierarchical", **{"hierarchical.n_clusters": str(k)})))
        assert scene["handles"][0]["label"] == f"cut: {k} cluster{'s' * (k > 1)}"
