"""k-medoids against R, all subsets of small tables, and its own definition."""

import json
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist
from sklearn.datasets import load_iris

from dmlib.clustering import KMedoids
from dmlib.clustering.kmedoids.medoids import distances_between, divide, swap_changes

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "kmedoids_iris.json").read_text())[
    "expected"
]
METHODS = ("pam", "fasterpam", "alternate", "clara")


def total(D, medoids):
    """The definition."""
    return D[:, list(medoids)].min(axis=1).sum()


@pytest.fixture
def rows():
    return np.random.default_rng(0).normal(size=(40, 3))


def test_the_medoids_of_r():
    X = load_iris().data
    steps = list(KMedoids(3).steps(X))
    built = [step for step in steps if step.phase == "build"][-1]
    assert sorted(built.medoids + 1) == sorted(GOLDEN["build_medoid_rows"])
    assert_allclose(built.total, GOLDEN["total_dissimilarity_build"])
    model = KMedoids(3).fit(X)
    assert sorted(model.medoid_indices_ + 1) == sorted(GOLDEN["medoid_rows"])
    assert_allclose(model.inertia_, GOLDEN["total_dissimilarity_final"])
    number = {int(row): i for i, row in enumerate(model.medoid_indices_ + 1)}
    expected = [number[GOLDEN["medoid_rows"][label - 1]] for label in GOLDEN["labels"]]
    assert_array_equal(model.labels_, expected)


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev", "cosine"])
def test_changes_of_all_swaps_by_the_definition(rows, metric):
    D = distances_between(rows, rows, metric)
    for medoids in (np.array([4]), np.array([1, 17, 30])):
        division = divide(D, medoids)
        changes = swap_changes(D, division)
        for i in range(len(medoids)):
            for row in range(len(rows)):
                after = np.append(np.delete(medoids, i), row)
                expected = np.inf if row in medoids else total(D, after) - total(D, medoids)
                assert_allclose(changes[i, row], expected, atol=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_no_subset_is_better_than_what_pam_mostly_finds(seed):
    X = np.random.default_rng(seed).normal(size=(12, 2)) + np.repeat(
        [[0, 0], [9, 0], [0, 9]], 4, axis=0
    )
    D = cdist(X, X)
    best = min(total(D, medoids) for medoids in combinations(range(12), 3))
    for method in ("pam", "fasterpam"):
        assert_allclose(KMedoids(3, method=method).fit(X).inertia_, best)


whole_numbers = st.integers(-9, 9).map(float)
tables = st.integers(1, 3).flatmap(
    lambda d: st.integers(5, 30).flatmap(lambda n: arrays(float, (n, d), elements=whole_numbers))
)


@settings(max_examples=60, deadline=None)
@given(
    tables,
    st.integers(1, 5),
    st.sampled_from(METHODS),
    st.sampled_from(["build", "k-medoids++", "random"]),
    st.sampled_from(["euclidean", "manhattan", "cosine"]),
)
def test_what_holds_at_every_step(X, k, method, init, metric):
    model = KMedoids(k, method=method, init=init, metric=metric, n_sampling=8, random_state=0)
    steps, D = list(model.steps(X)), distances_between(X, X, metric)
    for step in steps:
        assert len(set(step.medoids.tolist())) == len(step.medoids)
        assert_array_equal(step.labels[step.medoids], np.arange(len(step.medoids)))
        assert_allclose(
            step.total, D[np.arange(len(X)), step.medoids[step.labels]].sum(), atol=1e-9
        )
        if step.phase != "update":
            assert_allclose(step.total, total(D, step.medoids), atol=1e-9)
    if method != "clara":
        assert (np.diff([step.total for step in steps]) <= 1e-9).all()
    if method in ("pam", "fasterpam"):
        division = divide(D, steps[-1].medoids)
        assert swap_changes(D, division).min() >= -1e-9 * (1 + division.total)
    fitted = model.fit(X)
    assert_array_equal(fitted.medoid_indices_, steps[-1].medoids)
    assert_array_equal(fitted.cluster_centers_, X[steps[-1].medoids])
    assert fitted.inertia_ == steps[-1].total


def test_a_swap_changes_the_total_by_what_was_evaluated(rows):
    steps = list(KMedoids(4, init="random", random_state=1).steps(rows))
    pairs = [(a, b) for a, b in pairwise(steps) if b.phase == "swap"]
    assert pairs
    for evaluated, swapped in pairs:
        best = evaluated.candidates[0]
        assert swapped.chosen == best
        assert evaluated.n_candidates == 4 * 36
        assert [c.change for c in evaluated.candidates] == sorted(
            c.change for c in evaluated.candidates
        )
        assert_allclose(swapped.total - evaluated.total, best.change)
        assert swapped.before.tolist() == [evaluated.medoids[best.out]]


def test_places_become_the_nearest_rows(rows):
    first = [
        step.medoids
        for step in KMedoids(2, init=rows[[7, 7]] + 1e-6).steps(rows)
        if step.phase == "build"
    ][-1]
    assert first[0] == 7
    assert first[1] == np.argsort(cdist(rows[[7]], rows)[0])[1]
    with pytest.raises(ValueError, match="starting medoids have shape"):
        KMedoids(3, init=rows[:2]).fit(rows)


def test_samples_of_clara():
    X = np.random.default_rng(1).normal(size=(300, 2))
    steps = list(KMedoids(3, method="clara", n_sampling_iter=4, random_state=0).steps(X))
    assert [len(step.sample) for step in steps] == [46] * 4 + [0]
    for before, step in pairwise(steps[:-1]):
        assert step.best == min(before.best, step.total)
    assert steps[-1].total == steps[-2].best
    full = KMedoids(3, method="clara", n_sampling=300, n_sampling_iter=1).fit(X)
    assert_allclose(full.inertia_, KMedoids(3).fit(X).inertia_)
    with pytest.raises(ValueError, match="Draw larger samples"):
        KMedoids(3, method="clara", n_sampling=2).fit(X)


def test_new_rows_and_a_function_as_metric(rows):
    model = KMedoids(3, metric="manhattan").fit(rows)
    distances = cdist(rows[:5] + 0.1, rows[model.medoid_indices_], "cityblock")
    assert_allclose(model.transform(rows[:5] + 0.1), distances)
    assert_array_equal(model.predict(rows[:5] + 0.1), distances.argmin(axis=1))
    assert_allclose(model.score(rows), -model.inertia_)
    same = KMedoids(3, metric=lambda a, b: np.abs(a - b).sum()).fit(rows)
    assert_array_equal(same.medoid_indices_, model.medoid_indices_)


def test_degenerate_tables():
    same = KMedoids(3).fit(np.ones((5, 2)))
    assert same.inertia_ == 0
    assert len(set(same.medoid_indices_)) == 3
    assert KMedoids(4).fit([[0.0], [1.0], [5.0], [9.0]]).inertia_ == 0
    with pytest.raises(ValueError, match="needs at least as many rows"):
        KMedoids(3).fit([[0.0], [1.0]])
    with pytest.raises(ValueError, match="metric must be"):
        KMedoids(1, metric="nonsense").fit([[0.0], [1.0]])
    with pytest.raises(ValueError, match="choose clara"):
        KMedoids(2).fit(np.zeros((10_001, 1)))


@pytest.mark.parametrize("method", ["pam", "fasterpam", "alternate"])
def test_by_squared_distances_the_medoid_is_the_row_nearest_to_the_mean(rows, method):
    model = KMedoids(3, method=method, metric="sqeuclidean").fit(rows)
    for c, medoid in enumerate(model.medoid_indices_):
        members = np.flatnonzero(model.labels_ == c)
        distances = np.linalg.norm(rows[members] - rows[members].mean(axis=0), axis=1)
        assert members[distances.argmin()] == medoid


def test_two_meanings_of_medoid():
    """The lesson's numbers: of 0, 0, 1, 4, 10 the mean is 3."""
    X = [[0.0], [0.0], [1.0], [4.0], [10.0]]
    squared, plain = KMedoids(1, metric="sqeuclidean").fit(X), KMedoids(1).fit(X)
    # 16 + 16 + 9 + 0 + 36; 1 + 1 + 0 + 3 + 9
    assert (squared.medoid_indices_.tolist(), squared.inertia_) == ([3], 77.0)
    assert (plain.medoid_indices_.tolist(), plain.inertia_) == ([2], 14.0)
