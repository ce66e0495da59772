"""X-means against arithmetic, a likelihood by brute force, and its own definition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import multivariate_normal
from sklearn.datasets import make_blobs

from dmlib.clustering import XMeans, bic_score

SQUARES = np.array([[0, 0], [0, 2], [2, 0], [2, 2], [10, 0], [10, 4], [14, 0], [14, 4]], float)


def brute_force_log_likelihood(X, labels):
    """Row by row: the share of its cluster times the density of its round Gaussian."""
    n, d = X.shape
    k = labels.max() + 1
    means = [X[labels == j].mean(axis=0) for j in range(k)]
    variance = sum(((x - means[j]) ** 2).sum() for x, j in zip(X, labels, strict=True)) / (
        d * (n - k)
    )
    total = 0.0
    for x, j in zip(X, labels, strict=True):
        density = multivariate_normal.pdf(x, means[j], variance * np.eye(d))
        total += np.log((labels == j).mean() * density)
    return variance, total


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 4), st.integers(1, 4))
def test_score_is_the_likelihood_by_brute_force(seed, k, d):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rng.integers(k + 2, 30), d))
    labels = np.append(np.arange(k), rng.integers(k, size=len(X) - k))
    inertia = sum(((X[labels == j] - X[labels == j].mean(axis=0)) ** 2).sum() for j in range(k))
    score = bic_score(np.bincount(labels), inertia, d)
    variance, log_likelihood = brute_force_log_likelihood(X, labels)
    assert_allclose(score.variance, variance)
    assert_allclose(score.log_likelihood, log_likelihood)
    assert score.n_parameters == (k - 1) + k * d + 1
    assert_allclose(score.bic, log_likelihood - score.n_parameters / 2 * np.log(len(X)))


def test_two_squares_by_hand():
    steps = list(XMeans(1, n_init=5, random_state=0).steps(SQUARES))
    first_round, first_cut, second_round, small, large, done = steps
    # one cluster: v = 284 / (2 x 7); 8 ln 1 - 8 ln(2 pi v) - 284 / (2 v) = -8 ln(127.47) - 7
    assert_allclose(first_round.score.variance, 284 / 14)
    assert_allclose(first_round.score.log_likelihood, -8 * np.log(2 * np.pi * 284 / 14) - 7)
    # two clusters: v = 40 / (2 x 6); 8 ln(1/2) - 8 ln(2 pi v) - 6; 3 more parameters cost 1.5 ln 8
    assert_allclose(
        first_cut.children.log_likelihood, -8 * np.log(2) - 8 * np.log(2 * np.pi * 40 / 12) - 6
    )
    assert_allclose([first_cut.parent.bic, first_cut.children.bic], [-48.90, -42.12], atol=0.005)
    assert (first_cut.accepted, first_cut.parent, second_round.round) == (
        True,
        first_round.score,
        2,
    )
    # cutting either square halves its SSE, which does not pay
    bics = sorted([(step.parent.bic, step.children.bic) for step in (small, large)])
    assert_allclose(bics, [(-19.13, -21.83), (-13.58, -16.28)], atol=0.005)
    assert not small.accepted
    assert not large.accepted
    assert (done.phase, len(done.centers), done.inertia) == ("done", 2, 40)


@pytest.mark.parametrize("seed", range(5))
def test_separated_blobs_are_counted(seed):
    centers = np.array([[0, 0], [0, 8], [60, 0], [60, 16], [30, 120]])  # each cut pays by itself
    X, y = make_blobs(400, centers=centers, random_state=seed)
    model = XMeans(1, n_init=5, random_state=seed).fit(X)
    assert model.n_clusters_ == 5
    assert all(len(np.unique(model.labels_[y == j])) == 1 for j in range(5))


def test_a_cut_that_pays_only_with_the_next_is_not_made():
    # Each halving of four blobs at the corners of a square halves the SSE: 400 ln 2 is won and 400
    # ln 2 lost by shares.
    X, _ = make_blobs(400, centers=[[0, 0], [0, 60], [60, 0], [60, 60]], random_state=0)
    assert XMeans(1, n_init=5, random_state=0).fit(X).n_clusters_ == 1
    assert XMeans(2, n_init=5, random_state=0).fit(X).n_clusters_ == 4


def test_one_round_cloud_stays_whole():
    X = np.random.default_rng(0).normal(size=(300, 2))
    assert XMeans(1, n_init=5, random_state=0).fit(X).n_clusters_ == 1


def test_the_limit_keeps_the_cuts_that_gain_most():
    X, _ = make_blobs(400, centers=[[0, 0], [0, 9], [50, 0], [50, 30]], random_state=0)
    steps = list(XMeans(2, 3, n_init=5, random_state=0).steps(X))
    cuts = [step for step in steps if step.phase == "improve_structure" and step.round == 1]
    gains = [cut.children.bic - cut.parent.bic for cut in cuts]
    assert min(gains) > 0
    assert [cut.accepted for cut in cuts] == [gain == max(gains) for gain in gains]
    assert "3 clusters are the limit" in next(cut.reason for cut in cuts if not cut.accepted)
    assert len(steps[-1].centers) == 3


def test_the_answer_has_the_best_bic_of_all_rounds():
    X, _ = make_blobs(200, centers=6, cluster_std=2, random_state=4)
    model = XMeans(1, random_state=0)
    steps = list(model.steps(X))
    rounds = [step for step in steps if step.phase == "improve_params"]
    assert steps[-1].score.bic == max(step.score.bic for step in rounds) == model.fit(X).bic_
    assert model.n_iter_ == len(rounds)


def test_a_cut_tells_its_rows_and_sizes():
    X, _ = make_blobs(200, centers=4, random_state=1)
    for step in XMeans(2, random_state=0).steps(X):
        assert_array_equal(step.counts, np.bincount(step.labels))
        if step.phase == "improve_structure":
            inside = step.child_labels >= 0
            assert_array_equal(inside, step.labels == step.cluster)
            assert step.children.sizes == tuple(np.bincount(step.child_labels[inside]))
            assert step.parent.sizes == (inside.sum(),)
            assert step.accepted == (step.children.bic > step.parent.bic)


def test_tiny_and_constant_clusters_are_not_cut():
    X = np.array([[0.1], [0.1], [0.1], [0.1], [9.0], [9.5]])
    cuts = [
        step for step in XMeans(2, random_state=0).steps(X) if step.phase == "improve_structure"
    ]
    assert [cut.accepted for cut in cuts] == [False, False]
    assert all(cut.parent is None and "fewer than three rows" in cut.reason for cut in cuts)


def test_parts_without_spread_are_kept():
    X = np.repeat([[0.0], [1.0]], 4, axis=0)
    model = XMeans(1, random_state=0).fit(X)
    assert (model.n_clusters_, model.bic_) == (2, np.inf)


def test_as_many_clusters_as_rows_have_no_variance():
    score = bic_score([1, 1], 0.0, 2)
    assert np.isnan(score.variance)
    assert score.bic == -np.inf


def test_refusals_are_sentences():
    with pytest.raises(
        ValueError, match=r"max_clusters must be at least min_clusters=5; it was 4\."
    ):
        XMeans(5, 4).fit(SQUARES)
    with pytest.raises(ValueError, match=r"n_clusters=9 needs at least as many rows"):
        XMeans(9, 10).fit(SQUARES)
