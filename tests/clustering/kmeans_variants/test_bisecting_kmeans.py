"""Bisecting k-means against arithmetic, scikit-learn and its own definition."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import cluster
from sklearn.datasets import make_blobs

from dmlib.clustering import BisectingKMeans
from tests.visit import open_preset

# A small square with sides of 2 and a large one with sides of 4, as in the lesson.
SQUARES = np.array([[0, 0], [0, 2], [2, 0], [2, 2], [10, 0], [10, 4], [14, 0], [14, 4]], float)


def of_phase(steps, phase):
    return [step for step in steps if step.phase == phase]


def test_two_squares_by_hand():
    steps = list(BisectingKMeans(3, n_init=5, random_state=0).steps(SQUARES))
    # mean (6.5, 1.5); 8 + 32 around the squares' own centres and 8 (5.5^2 + 0.5^2) = 244 between
    # them
    assert steps[0].centers.tolist() == [[6.5, 1.5]]
    assert_allclose(steps[0].inertia, 284)
    first, second = of_phase(steps, "split")
    assert sorted(map(tuple, first.centers)) == [(1, 1), (12, 2)]
    assert sorted(first.inertias) == [8, 32]
    # the larger square has the larger SSE; cut through its middle, 4 rows x 2^2 = 16 are left of
    # its 32
    assert first.inertias[second.cluster] == 32
    assert_allclose(second.child_inertias, [8, 8])
    assert_allclose(second.inertia, 24)


def test_phases_follow_each_other():
    steps = list(BisectingKMeans(4, n_init=3, random_state=0).steps(SQUARES))
    one_cut = ["choose", "trial", "trial", "trial", "split"]
    assert [step.phase for step in steps] == ["start", *one_cut * 3, "done"]
    assert [step.trial for step in of_phase(steps, "trial")] == [0, 1, 2] * 3


def test_the_best_trial_is_kept():
    X = np.random.default_rng(0).uniform(size=(80, 2))
    trials = []
    for step in BisectingKMeans(5, init="random", n_init=6, random_state=1).steps(X):
        if step.phase == "trial":
            trials.append(step)
        if step.phase == "split":
            assert step.child_inertias.sum() == min(trial.child_inertias.sum() for trial in trials)
            assert_array_equal(step.child_labels, trials[step.trial].child_labels)
            trials = []


@pytest.mark.parametrize("strategy", ["biggest_inertia", "largest_cluster"])
def test_the_strategy_chooses_the_cluster(strategy):
    X, _ = make_blobs(
        [60, 10, 30], 2, centers=[[0, 0], [20, 0], [0, 20]], cluster_std=[0.5, 4, 1], random_state=0
    )
    for step in BisectingKMeans(6, bisecting_strategy=strategy, random_state=0).steps(X):
        if step.phase == "choose":
            scores = step.inertias if strategy == "biggest_inertia" else step.counts
            assert step.cluster == scores.argmax()


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 7))
def test_what_holds_at_every_step(seed, k):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rng.integers(k, 60), 2))
    before = np.inf
    for step in BisectingKMeans(k, random_state=seed).steps(X):
        present = np.unique(step.labels)
        assert_array_equal(present, np.arange(len(step.centers)))
        assert_array_equal(step.counts, np.bincount(step.labels))
        for j in present:
            rows = X[step.labels == j]
            assert_allclose(step.centers[j], rows.mean(axis=0), atol=1e-12)
            assert_allclose(step.inertias[j], ((rows - step.centers[j]) ** 2).sum(), atol=1e-12)
        assert step.inertia <= before + 1e-9
        before = step.inertia
    assert len(step.centers) == k


def test_separated_blobs_as_scikit_learn():
    centers = [[0, 0], [30, 0], [0, 60], [90, 90]]
    X, _ = make_blobs(200, centers=centers, cluster_std=0.5, random_state=0)
    ours = BisectingKMeans(4, init="farthest", random_state=0).fit(X)
    theirs = cluster.BisectingKMeans(4, n_init=10, random_state=0).fit(X)
    assert_allclose(ours.inertia_, theirs.inertia_, rtol=1e-9)
    assert_allclose(
        sorted(ours.cluster_centers_.tolist()), sorted(theirs.cluster_centers_.tolist())
    )


def test_predict_goes_down_the_tree():
    X = np.random.default_rng(3).uniform(size=(300, 2))
    model = BisectingKMeans(7, tol=0, random_state=0).fit(X)
    assert_array_equal(model.predict(X), model.labels_)
    nearest = model.transform(X).argmin(axis=1)
    assert (nearest != model.labels_).any()  # rows that a k-means from here would move


def test_a_cluster_of_equal_rows_is_passed_over():
    X = np.array([[0.1]] * 20 + [[5.0], [6.0], [7.0]])
    model = BisectingKMeans(4, bisecting_strategy="largest_cluster", random_state=0).fit(X)
    assert model.inertia_ == pytest.approx(0, abs=1e-25)


def test_refusals_are_sentences():
    X = np.array([[1.0], [1.0], [2.0], [2.0]])
    with pytest.raises(ValueError, match=r"only 2 of 4 are distinct. Choose at most 2 clusters\."):
        BisectingKMeans(3).fit(X)
    with pytest.raises(ValueError, match=r"needs at least as many rows, but n_samples=4\."):
        BisectingKMeans(5).fit(X)


@pytest.mark.parametrize("strategy", ["biggest_inertia", "largest_cluster"])
@pytest.mark.parametrize("omega", [5.0, 40.0, 1e9])
def test_splitting_ends_once_no_sse_is_above_omega(strategy, omega):
    X = np.random.default_rng(1).normal(size=(120, 2)) * 3
    model = BisectingKMeans(60, omega=omega, bisecting_strategy=strategy, random_state=0)
    steps = list(model.steps(X))
    assert (steps[-1].inertias <= omega).all()
    splits = [
        float(before.inertias[step.cluster])
        for before, step in pairwise(steps)
        if step.phase == "choose"
    ]
    assert all(sse > omega for sse in splits)
    assert steps[-1].reason == f"No cluster has an SSE above ω = {omega:g}."
    assert len(model.fit(X).cluster_centers_) == len(splits) + 1
    assert not list(BisectingKMeans(3, random_state=0).steps(X))[-1].reason


def test_the_preset_splits_until_each_sse_is_small():
    run, scene, _ = open_preset("kmeans_variants", "Split until each SSE is small")
    assert len(run.fitted.cluster_centers_) == 5
    assert "No cluster has an SSE above ω = 50." in scene["frames"][-1]["caption"]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 7))
def test_the_final_kmeans_is_scikit_learns_from_the_centres_of_the_splits(seed, k):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rng.integers(max(k, 2), 60), 2))
    splits = BisectingKMeans(k, random_state=seed).fit(X)
    refined = BisectingKMeans(k, refine=True, tol=0, random_state=seed).fit(X)
    expected = cluster.KMeans(k, init=splits.cluster_centers_, n_init=1, tol=0).fit(X)
    assert_allclose(refined.cluster_centers_, expected.cluster_centers_, atol=1e-9)
    assert_array_equal(refined.labels_, expected.labels_)
    assert refined.inertia_ <= splits.inertia_ + 1e-9
    assert_array_equal(refined.predict(X), refined.labels_)


def test_the_half_steps_of_the_final_kmeans_by_hand():
    # The splits leave {8, 12, 15}, {5, 7} and {0} with the means 35/3, 6 and 0. 8 is 2 from 6 and
    # 11/3 from 35/3, so it crosses the first split.
    X = np.array([[0.0], [5.0], [7.0], [8.0], [12.0], [15.0]])
    model = BisectingKMeans(3, init="farthest", n_init=6, refine=True, random_state=0)
    steps = list(model.steps(X))
    split, *rest = steps[-5:]
    assert [step.phase for step in rest] == ["assign", "update", "assign", "done"]
    assert split.labels.tolist() == [2, 1, 1, 0, 0, 0]
    assign, update, again, _ = rest
    assert [step.n_changed for step in (assign, update, again)] == [1, 0, 0]
    assert assign.labels.tolist() == [2, 1, 1, 1, 0, 0]
    assert assign.inertia == pytest.approx((1 + 1 + 4) + (1 / 9 + 100 / 9))
    assert update.centers.ravel().tolist() == pytest.approx([13.5, 20 / 3, 0])
    assert update.inertias.tolist() == pytest.approx([4.5, 14 / 3, 0])


def test_a_final_kmeans_repairs_the_early_cut_of_the_preset():
    run, scene, _ = open_preset("kmeans_variants", "A final k-means crosses the splits")
    captions = [frame["caption"] for frame in scene["frames"]]
    assert sum(step.n_changed for step in run.trace.steps) == 12
    assert "falls from 121.066" in next(text for text in captions if text.startswith("Assign"))
    assert captions[-1] == "Done: 5 clusters with the SSE 64.1295."
