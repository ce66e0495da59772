"""k-means from a random partition."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn import cluster

from dmlib.clustering import KMeans
from tests.visit import open_settings

X = np.random.default_rng(4).normal(size=(31, 2)) + np.repeat(
    [[0, 0], [6, 1], [2, 7]], [9, 11, 11], 0
)


def test_the_centres_start_as_means_of_equal_parts_of_all_rows():
    seeds = [
        step
        for step in KMeans(3, init="partition", random_state=1).steps(X)
        if step.phase == "seed"
    ]
    counts, centers = seeds[-1].counts, seeds[-1].centers
    assert sorted(counts.tolist()) == [10, 10, 11]
    assert_allclose(counts @ centers / counts.sum(), X.mean(axis=0))
    assert np.ptp(centers, axis=0).max() < np.ptp(X, axis=0).max() / 2


@pytest.mark.parametrize("seed", range(5))
def test_the_run_is_that_of_the_library_from_these_centres(seed):
    model = KMeans(3, init="partition", random_state=seed)
    start = [step for step in model.steps(X) if step.phase == "seed"][-1].centers
    theirs = cluster.KMeans(3, init=start, n_init=1).fit(X)
    ours = model.fit(X)
    assert_allclose(ours.inertia_, theirs.inertia_)
    assert_allclose(ours.cluster_centers_, theirs.cluster_centers_)


def test_restarts_divide_anew():
    model = KMeans(3, init="partition", n_init=4, random_state=0)
    starts = {
        step.centers.tobytes()
        for step in model.steps(X)
        if step.phase == "seed" and np.isfinite(step.centers).all()
    }
    assert len(starts) == 4


def test_the_page_says_how_the_centres_began():
    _, scene = open_settings("kmeans", init="partition")
    assert "All rows are divided at random" in scene["frames"][0]["caption"]
