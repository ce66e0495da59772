"""k-medians and spherical k-means against brute force and arithmetic; the relaxed stop."""

from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from dashboard.data.library import library
from dmlib.clustering import KCentroids, KMeans
from dmlib.clustering.kmeans.questions import questions
from dmlib.clustering.kmeans.reference import kmeans_reference
from dmlib.clustering.kmeans.scene import kmeans_scene
from dmlib.comparison import Incomparable, compare
from dmlib.pictures.ledger import Formula
from dmlib.pictures.run import Run
from tests.contract.test_lessons import section, text_of
from tests.runs import run_of
from tests.visit import open_preset

run_of_preset = partial(open_preset, "kmeans")
METRICS = ["manhattan", "cosine", "correlation"]


def smallest_sum(X, k, metric):
    """Return the smallest sum of distances over all partitions into at most k clusters."""
    if metric == "correlation":
        X = X - X.mean(axis=1, keepdims=True)
    if metric != "manhattan":
        X = X / np.linalg.norm(X, axis=1, keepdims=True)
    best = np.inf
    for labels in product(range(k), repeat=len(X)):
        total = 0.0
        for cluster in set(labels):
            rows = X[np.array(labels) == cluster]
            if metric == "manhattan":
                candidates = [
                    np.abs(rows[:, j, None] - rows[:, j]).sum(axis=1) for j in range(X.shape[1])
                ]
                total += sum(sums.min() for sums in candidates)
            else:
                total += len(rows) - np.linalg.norm(rows.sum(axis=0))
        best = min(best, total)
    return best


@pytest.mark.parametrize("metric", METRICS)
@given(seed=st.integers(0, 1000), n=st.integers(3, 7))
@settings(deadline=None, max_examples=15)
def test_no_partition_is_better_than_the_best_of_all(metric, seed, n):
    X = np.random.default_rng(seed).uniform(1, 9, size=(n, 3))
    model = KCentroids(2, metric=metric, init="random", n_init=5, random_state=seed).fit(X)
    assert model.inertia_ >= smallest_sum(X, 2, metric) - 1e-9


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("seed", range(5))
def test_restarts_reach_the_best_of_all_partitions(metric, seed):
    rng = np.random.default_rng(seed)
    X = np.vstack(
        [rng.uniform([1, 6, 3], [3, 9, 5], (4, 3)), rng.uniform([6, 1, 3], [9, 3, 5], (3, 3))]
    )
    model = KCentroids(2, metric=metric, n_init=20, random_state=0).fit(X)
    assert model.inertia_ == pytest.approx(smallest_sum(X, 2, metric))


@pytest.mark.parametrize("metric", METRICS)
@given(seed=st.integers(0, 1000), k=st.integers(1, 5))
@settings(deadline=None, max_examples=25)
def test_no_half_step_raises_the_sum_and_the_end_is_a_fixed_point(metric, seed, k):
    X = np.random.default_rng(seed).normal(size=(30, 3)) + 3
    model = KCentroids(k, metric=metric, random_state=seed)
    sums = [step.inertia for step in model.steps(X) if step.phase in ("assign", "update")]
    assert (np.diff(sums) <= 1e-9).all()
    model.fit(X)
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    for cluster in range(k):
        rows = model.prepared(X)[model.labels_ == cluster]
        center = np.median(rows, axis=0)
        if metric != "manhattan":
            center = rows.sum(axis=0) / np.linalg.norm(rows.sum(axis=0))
        np.testing.assert_allclose(model.cluster_centers_[cluster], center)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("init", ["k-means++", "random", "farthest", "partition"])
def test_the_library_agrees(metric, init):
    X = np.random.default_rng(5).normal(size=(50, 3)) + 4
    run = run_of(KCentroids(3, metric=metric, init=init, random_state=1), X)
    names = ("cluster_centers_", "labels_", "inertia_", "n_iter_")
    assert all(row.agrees for row in compare(run.fitted, kmeans_reference(run).answer(run), names))


def test_lengths_do_not_count_by_the_cosine():
    X = np.random.default_rng(0).uniform(1, 5, size=(40, 2))
    factors = np.random.default_rng(1).uniform(0.1, 9, size=(40, 1))
    plain, scaled = (
        KCentroids(3, metric="cosine", random_state=0).fit(rows) for rows in (X, factors * X)
    )
    np.testing.assert_array_equal(plain.labels_, scaled.labels_)
    with pytest.raises(ValueError, match="no direction"):
        KCentroids(1, metric="cosine").fit([[0.0, 0.0], [1.0, 0.0]])


def test_shapes_count_by_the_correlation():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 5))
    moved = rng.uniform(0.1, 9, size=(40, 1)) * X + rng.normal(size=(40, 1))
    plain, other = (
        KCentroids(3, metric="correlation", random_state=0).fit(rows) for rows in (X, moved)
    )
    np.testing.assert_array_equal(plain.labels_, other.labels_)
    np.testing.assert_allclose(plain.cluster_centers_.mean(axis=1), 0, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(plain.cluster_centers_, axis=1), 1)
    # SciPy's distances of the rows as they are, and the cosine of the centred rows.
    np.testing.assert_allclose(
        plain.transform(moved), cdist(moved, plain.cluster_centers_, "correlation")
    )
    centred = KCentroids(3, metric="cosine", random_state=0)
    centred.fit(X - X.mean(axis=1, keepdims=True))
    assert centred.inertia_ == pytest.approx(plain.inertia_)
    np.testing.assert_array_equal(centred.labels_, plain.labels_)


def test_where_the_correlation_says_nothing():
    rows = np.array([[0.0, 1.0], [5.0, 9.0], [3.0, 1.0], [2.0, 0.0]])
    model = KCentroids(2, metric="correlation", random_state=0).fit(rows)
    assert sorted(map(sorted, (np.flatnonzero(model.labels_ == k) for k in range(2)))) == [
        [0, 1],
        [2, 3],
    ]
    assert model.inertia_ == pytest.approx(0, abs=1e-12)
    with pytest.raises(ValueError, match="two columns a row can only rise or fall"):
        KCentroids(3, metric="correlation").fit(rows)
    for constant in (rows[:, :1], np.vstack([rows, [4.0, 4.0]])):
        with pytest.raises(ValueError, match="correlate with none"):
            KCentroids(2, metric="correlation").fit(constant)


def test_the_correlations_of_the_lesson():
    profiles = [[1, 2, 3], [10, 30, 50], [3, 2, 1], [2, 1, 3]]
    distances = cdist(profiles[:1], profiles[1:], "correlation")
    np.testing.assert_allclose(distances, [[0, 2, 0.5]], atol=1e-12)
    model = KCentroids(1, metric="correlation").fit(profiles[:1] * 2)
    np.testing.assert_allclose(model.transform(profiles[1:]).T, distances, atol=1e-12)
    lesson = section(text_of("kmeans"), "Other distances, other centres")
    assert "(1, 2, 3) and (10, 30, 50) have $r = 1$ and the distance **0**" in lesson
    assert "and **2**, (1, 2, 3) and (2, 1, 3)" in lesson
    assert "= 0.5$ and **0.5**" in lesson


def test_the_numbers_of_the_lesson():
    values = np.array([0.0, 1.0, 8.0])
    assert [np.abs(values - c).sum() for c in (3, 1)] == [10, 8]
    assert [((values - c) ** 2).sum() for c in (3, 1)] == [38, 50]
    model = KCentroids(1).fit(values[:, None])
    assert (model.cluster_centers_.item(), model.inertia_) == (1.0, 8.0)


# A stop by the rows that change
# ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("share", [0.0, 0.01, 0.1, 0.5])
def test_a_run_ends_when_few_rows_change(share):
    X = np.random.default_rng(2).normal(size=(200, 2))
    model = KMeans(6, init="random", tol=0, change_tol=share, random_state=3)
    steps = list(model.steps(X))
    changes = [step.n_changed for step in steps if step.phase == "assign"]
    assert all(n > share * 200 for n in changes[:-1])
    assert changes[-1] <= share * 200
    assert [step.phase for step in steps][-2:] == ["assign", "done"]
    assert steps[-1].iteration == len(changes)
    full = KMeans(6, init="random", tol=0, random_state=3).fit(X)
    assert model.fit(X).n_iter_ <= full.n_iter_
    np.testing.assert_array_equal(model.labels_, model.predict(X))


def test_it_is_not_compared_then():
    with pytest.raises(Incomparable, match="rows that change"):
        kmeans_reference(run_of(KMeans(2, change_tol=0.1), [[0.0], [1.0], [5.0]]))


# The page
# ------------------------------------------------------------------------------------------------


def test_a_far_point():
    run, _, look_for = run_of_preset("Medians ignore a far point")
    plain = KMeans(2, n_init=10, random_state=0).fit(run.problem.X)
    assert sorted(np.bincount(plain.labels_)) == [1, 8]
    assert sorted(np.bincount(run.fitted.labels_)) == [4, 5]
    assert f"SSE {plain.inertia_:g}" in look_for
    assert f"is {run.fitted.inertia_:g}." in look_for


def test_three_directions():
    run, scene, look_for = run_of_preset("Directions, not places")
    y = run.problem.y
    assert all(len(set(y[run.fitted.labels_ == k])) == 1 for k in range(3))
    plain = KMeans(3, n_init=10, random_state=0).fit(run.problem.X)
    assert any(len(set(y[plain.labels_ == k])) == 3 for k in range(3))
    assert f"{run.fitted.inertia_:.4g}" in look_for
    assert any("directions" in note for note in scene["notes"])


def test_years_of_the_same_shape():
    run, scene, look_for = run_of_preset("Years of the same shape")
    frame = library("el_nino").frame
    groups = [set(frame["year"][run.fitted.labels_ == k]) for k in range(3)]
    assert {1997} in groups
    assert "the year 1997 is alone" in look_for
    months = frame.set_index("year").iloc[:, :12]
    coldest = months.idxmin(axis=1)
    assert coldest.index[coldest == "jan"].tolist() == [1997]
    plain = KMeans(3, n_init=20, random_state=0).fit(run.problem.X)
    warmth = months.mean(axis=1).to_numpy()
    levels = [warmth[plain.labels_ == k] for k in np.argsort(plain.cluster_centers_.mean(axis=1))]
    assert min(map(len, levels)) > 2
    assert np.median(levels[0]) + 0.5 < np.median(levels[1]) < np.median(levels[2]) - 0.5
    assert any("shapes of rows" in note for note in scene["notes"])
    ledger = kmeans_scene(Run.of(run.problem, run.model, selected=47)).frames[-1].ledger
    texts = [block.text for block in ledger if isinstance(block, Formula)]
    assert f"‖x − x̄‖ = {np.std(run.problem.X[47]) * 12**0.5:.4g}" in texts


def test_a_relaxed_stop():
    run, scene, look_for = run_of_preset("A stop when few points change")
    full = KMeans(6, init="random", tol=0, random_state=run.seed).fit(run.problem.X)
    assert f"{run.fitted.n_iter_} iterations" in look_for
    assert f"{run.fitted.inertia_:.3g}" in look_for
    assert f"{full.inertia_:.3g}" in look_for
    assert "1 % of the rows" in scene["frames"][-1]["caption"]


@pytest.mark.parametrize("metric", METRICS)
def test_captions_and_questions(metric):
    title = "Years of the same shape" if metric == "correlation" else "Directions, not places"
    problem = run_of_preset(title).run.problem
    run = Run.of(problem, KCentroids(3, metric=metric, random_state=0), selected=2)
    frames = kmeans_scene(run).frames
    assert all(frame.ledger for frame in frames)
    word = {"manhattan": "median", "cosine": "mean direction", "correlation": "mean shape"}[metric]
    assert any(word in frame.caption for frame in frames)
    topics = {question.topic for question in questions(run)}
    # A question writes two columns out, no more.
    expected = {"manhattan": {"centre", "distance"}, "cosine": {"distance"}, "correlation": set()}
    assert topics == expected[metric]
