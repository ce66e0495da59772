"""The page of OPTICS: its presets show what they say, and its line cuts the plot."""

import numpy as np
import pytest
from sklearn.base import clone

from dmlib.clustering.optics.scene import shown_clusters
from tests.gestures import move
from tests.visit import (
    open_part,
    open_preset,
    reopened,
    sentences_of,
    sound,
    stage,
    technique,
    visit,
)


def run_of(title):
    """Open a preset as a link; return the run, its last caption and what to look for."""
    run, scene, look_for = open_preset("optics", title)
    return run, scene["frames"][-1]["caption"], look_for


def agreement(run, labels):
    """Return the known classes of which a cluster has at least half, and which are 80 % of it."""
    y = run.problem.y
    counts = [
        np.bincount(y[labels == k], minlength=len(run.problem.classes))
        for k in range(labels.max() + 1)
    ]
    return {
        int(row.argmax())
        for row in counts
        if row.max() >= max(0.8 * row.sum(), 0.5 * (y == row.argmax()).sum())
    }


def test_moons():
    run, caption, look_for = run_of("Two moons, two valleys")
    assert "2 clusters and leaves 0 rows of noise" in caption
    assert agreement(run, shown_clusters(run).labels_) == {0, 1}
    assert run.fitted.cut(0.5).max() + 1 == 10
    assert "0.5: ten clusters" in look_for
    assert run.fitted.cut(0.9).max() + 1 == 1


def test_three_densities():
    run, caption, _ = run_of("Three densities: flanks, not cuts")
    assert "Steep flanks bound 3 clusters" in caption
    assert agreement(run, run.fitted.labels_) == {0, 1, 2}
    reachability = run.fitted.reachability_
    for height in np.unique(reachability[np.isfinite(reachability)]):
        assert len(agreement(run, run.fitted.cut(height))) < 3


def test_clusters_within_clusters():
    run, _, look_for = run_of("Clusters within clusters")
    assert look_for.startswith("Six clusters")
    assert agreement(run, run.fitted.labels_) == set(range(6))
    assert len(run.fitted.cluster_hierarchy_) > 6


def test_outliers():
    run, caption, look_for = run_of("Outliers are the peaks")
    labels = shown_clusters(run).labels_
    assert labels.max() + 1 == 4
    noise = labels == -1
    assert f"{noise.sum()} points of noise" in look_for
    assert f"{noise.sum()} rows of noise" in caption
    finite = np.minimum(run.fitted.reachability_, 99)
    assert finite[noise].min() > np.median(finite)


def test_rough_and_smooth():
    run, _, _ = run_of("A rough curve")
    fits = [run.fitted, clone(run.model).set_params(min_samples=15).fit(run.problem.X)]
    rough, smooth = (fit.reachability_[fit.ordering_][1:] for fit in fits)
    assert np.abs(np.diff(smooth)).mean() < 0.2 * np.abs(np.diff(rough)).mean()
    assert smooth.mean() > 2 * rough.mean()


def test_short_radius():
    run, caption, look_for = run_of("A short radius")
    starts = int(np.isinf(run.fitted.reachability_).sum())
    assert f"starts {starts} times" in look_for
    assert f"after {starts} starts" in caption


def test_pure_noise():
    run, _, look_for = run_of("Pure noise")
    counts = {run.fitted.cut(height).max() + 1 for height in np.arange(0.7, 1.101, 0.02)}
    assert (min(counts), max(counts)) == (7, 11)
    assert "seven to eleven" in look_for


# The line and bad input
# -----------------------------------------------------------------------------------------------


def test_the_line_stands_at_the_cut_and_sets_it():
    page = sound(visit("optics", **{"optics.cut": "0.4"}))
    (handle,) = stage(page)["handles"]
    assert (handle["name"], handle["panel"], handle["kind"], handle["y"]) == (
        "cut",
        "order",
        "y",
        0.4,
    )
    assert "The cut at 0.4 gives" in stage(page)["frames"][-1]["caption"]
    assert stage(reopened(page))["handles"] == [handle]
    assert move({"name": "cut", "x": None, "y": 0.531234}, technique("optics")) == {
        "optics.cut": ["0.5312"]
    }


@pytest.mark.parametrize("title", ["All cuts", "Silhouettes", "Known classes"])
def test_figures_follow_the_cut_and_say_when_there_is_nothing_to_draw(title):
    page = visit("optics", source="generator", generator="blobs", **{"optics.max_eps": "0"})
    sound(open_part(page, **{"optics.tab": title}))


def test_more_neighbours_than_rows_are_refused_with_a_sentence():
    page = sound(
        visit("optics", source="library", data="weather_numeric", **{"optics.min_samples": "15"})
    )
    assert any("no greater than the number of rows" in sentence for sentence in sentences_of(page))


@pytest.mark.parametrize(("clusters", "named"), [("cut", {0, 1, 2}), ("xi", {0, 1, 2, 3, 4})])
def test_the_table_names_the_clusters_in_the_picture(clusters, named):
    link = {
        "source": "generator",
        "generator": "blobs",
        "blobs.n_outliers": "20",
        "optics.min_samples": "20",
        "optics.cut": "1.3",
    }
    page = open_part(
        visit("optics", **link, **{"optics.clusters": clusters}), **{"optics.tab": "Data"}
    )
    assert set(page.dataframe[0].value["cluster"]) == named
    assert "Cluster 0 is noise." in [caption.value for caption in page.caption]
