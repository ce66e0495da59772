"""The page of spectral clustering: its presets show what they say, and its line sets k."""

import re
from functools import partial

import numpy as np
import pytest
from sklearn.base import clone

from dmlib.clustering import KMeans, graph_cuts
from tests.gestures import move
from tests.visit import open_preset, sentences_of, sound, stage, technique, visit

run_of = partial(open_preset, "spectral")


def refitted(run, **params):
    return clone(run.model).set_params(**params).fit(run.problem.X)


def cuts_of(run, model):
    return graph_cuts(model.affinity_matrix_, model.labels_)


def agreement(run, labels):
    """Return whether every cluster is one known class."""
    pairs = set(zip(labels.tolist(), run.problem.y.tolist(), strict=True))
    return len(pairs) == len(set(labels.tolist())) == len(set(run.problem.y.tolist()))


def test_rings():
    run = run_of("A ring in a ring").run
    assert agreement(run, run.fitted.labels_)
    later = refitted(run, gamma=0.1)
    for ring in (0, 1):
        assert np.bincount(later.labels_[run.problem.y == ring]).min() > 30
    assert not agreement(run, KMeans(2, n_init=10, random_state=0).fit(run.problem.X).labels_)


def test_moons():
    run = run_of("Two moons, one edge cut").run
    assert agreement(run, run.fitted.labels_)
    assert cuts_of(run, run.fitted).cut == 0.5
    assert run.fitted.n_connected_components_ == 1
    later = refitted(run, n_neighbors=20)
    assert not agreement(run, later.labels_)
    assert cuts_of(run, later).cut > 10


def test_two_parts():
    run, scene, _ = run_of("A graph in two parts")
    assert run.fitted.eigenvalues_[:3].astype(bool).tolist() == [False, False, True]
    assert len(np.unique(run.fitted.embedding_.round(9), axis=0)) == 2
    assert agreement(run, run.fitted.labels_)
    assert "falls into 2 parts" in scene["frames"][-1]["caption"]


def test_more_parts_than_clusters():
    run, scene, _ = run_of("More parts than clusters")
    assert run.fitted.n_connected_components_ == 4
    assert cuts_of(run, run.fitted).cut == 0
    caption = scene["frames"][-1]["caption"]
    assert "falls into 4 parts" in caption
    assert "more than 2 clusters" in caption
    later = refitted(run, n_neighbors=8)
    assert later.n_connected_components_ == 2
    assert agreement(run, later.labels_)


def test_gap():
    run, _, look_for = run_of("A gap after four")
    values = run.fitted.eigenvalues_
    assert np.diff(values).argmax() == 3
    assert values[3] < 0.01
    assert f"the fifth is {values[4]:.2f}" in look_for


def test_outlier():
    run = run_of("An outlier is cut off").run
    assert sorted(np.bincount(run.fitted.labels_)) == [1, 122]
    assert cuts_of(run, run.fitted).ratio_cut < 1e-4
    later = refitted(run, laplacian="random_walk")
    grouped = np.arange(len(run.problem.X)) < 120
    assert all(len(set(later.labels_[grouped & (run.problem.y == group)])) == 1 for group in (0, 1))
    assert len(set(later.labels_[grouped])) == 2


def test_spirals():
    run = run_of("Two spirals").run
    assert agreement(run, run.fitted.labels_)
    plain = KMeans(2, n_init=10, random_state=0).fit(run.problem.X).labels_
    for arm in (0, 1):
        assert np.bincount(plain[run.problem.y == arm]).min() >= 50


def test_noise():
    run = run_of("No gap in pure noise").run
    gaps = np.diff(run.fitted.eigenvalues_)
    assert gaps[3] < gaps.max()
    assert len(np.bincount(run.fitted.labels_)) == 4


# The line and bad input
# -----------------------------------------------------------------------------------------------


def test_the_line_stands_at_k_and_sets_it():
    (handle,) = stage(visit("spectral", **{"spectral.n_clusters": "3"}))["handles"]
    assert (handle["name"], handle["panel"], handle["kind"], handle["x"]) == (
        "n_clusters",
        "eigenvalues",
        "x",
        3,
    )
    spectral = technique("spectral")
    assert move({"name": "n_clusters", "x": 4.4, "y": None}, spectral) == {
        "spectral.n_clusters": ["4"]
    }
    assert move({"name": "n_clusters", "x": -7.0, "y": None}, spectral) == {
        "spectral.n_clusters": ["1"]
    }


@pytest.mark.parametrize(
    "link",
    [
        {"spectral.affinity": "epsilon", "spectral.eps": "0", "source": "generator"},
        {"spectral.affinity": "knn", "spectral.n_neighbors": "1", "source": "generator"},
        {"spectral.gamma": "1000000000000", "scaling": "z-score", "source": "generator"},
        {"spectral.affinity": "knn", "spectral.n_neighbors": "50", "data": "weather_numeric"},
        {"spectral.n_clusters": "200"},
    ],
    ids=[
        "eps 0",
        "only itself",
        "extreme gamma",
        "more neighbours than rows",
        "more clusters than rows",
    ],
)
def test_what_cannot_be_clustered_is_told_in_a_sentence(link):
    (sentence,) = sentences_of(sound(visit("spectral", **link)))
    assert re.search("Choose|raise", sentence)


def test_a_table_in_large_units_can_be_clustered_once_it_is_scaled():
    assert "Scale the columns" in sentences_of(sound(visit("spectral", data="longley")))[0]
    assert len(stage(sound(visit("spectral", data="longley", scaling="z-score")))["frames"]) > 1
