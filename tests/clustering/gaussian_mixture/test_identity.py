"""Gaussian mixtures whose covariances are fixed at σ² I: EM written out, and its limit, k-means."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_normal

from dmlib.clustering import GaussianMixture, KMeans
from dmlib.clustering.gaussian_mixture.reference import gaussian_mixture_reference
from dmlib.comparison import Incomparable
from tests.runs import run_of
from tests.visit import open_preset


def em_by_definition(X, means, weights, variance, n_iter):
    """Return weights, means and log-likelihoods of EM with SciPy's densities."""
    likelihoods = []
    for _ in range(n_iter):
        density = np.array(
            [
                weight * multivariate_normal(mean, variance * np.eye(X.shape[1])).pdf(X)
                for weight, mean in zip(weights, means, strict=True)
            ]
        ).T
        likelihoods.append(np.log(density.sum(axis=1)).sum())
        shares = density / density.sum(axis=1, keepdims=True)
        weights = shares.mean(axis=0)
        means = shares.T @ X / shares.sum(axis=0)[:, None]
    return weights, means, likelihoods


@pytest.mark.parametrize("variance", [0.3, 1.0, 5.0])
def test_it_is_em_with_fixed_densities(variance):
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(0, 1, (20, 2)), rng.normal(3, 1, (30, 2))])
    means, weights = X[[0, 25]], np.array([0.5, 0.5])
    model = GaussianMixture(
        2,
        covariance_type="identity",
        variance=variance,
        means_init=means,
        weights_init=weights,
        precisions_init=[1 / variance] * 2,
        max_iter=7,
        tol=0,
    ).fit(X)
    expected_weights, expected_means, likelihoods = em_by_definition(X, means, weights, variance, 7)
    np.testing.assert_allclose(model.means_, expected_means)
    np.testing.assert_allclose(model.weights_, expected_weights)
    assert model.covariances_.tolist() == [variance] * 2
    assert (np.diff(likelihoods) >= -1e-9).all()


@given(st.integers(0, 500), st.integers(1, 4))
@settings(deadline=None, max_examples=20)
def test_as_the_variance_goes_to_0_it_is_k_means(seed, k):
    X = np.random.default_rng(seed).normal(size=(30, 2))
    kmeans = KMeans(k, init=X[:k], tol=0).fit(X)
    shares = np.eye(k)[kmeans.labels_]
    model = GaussianMixture(k, covariance_type="identity", variance=1e-6, init=shares, tol=0)
    model.fit(X)
    np.testing.assert_array_equal(model.labels_, kmeans.labels_)
    np.testing.assert_allclose(model.means_, kmeans.cluster_centers_, atol=1e-6)
    scaled = -2 * model.variance * model.log_likelihood_
    assert scaled == pytest.approx(kmeans.inertia_, abs=2e-3)


def test_it_has_no_parameters_for_covariances():
    X = np.random.default_rng(0).normal(size=(30, 4))
    assert GaussianMixture(3, covariance_type="identity").fit(X)._n_parameters() == 3 * 4 + 2
    with pytest.raises(Incomparable, match="fixed"):
        gaussian_mixture_reference(run_of(GaussianMixture(2, covariance_type="identity"), X))


def test_presets():
    run = open_preset("gaussian_mixture", "Covariance fixed at the identity").run
    assert run.fitted.covariances_.tolist() == [1.0] * 3
    shares = run.fitted.predict_proba(run.problem.X)
    assert (shares.max(axis=1) < 0.9).any()
    run = open_preset("gaussian_mixture", "Nearly k-means").run
    kmeans = KMeans(3, n_init=10, random_state=run.seed).fit(run.problem.X)
    np.testing.assert_allclose(
        np.sort(run.fitted.means_, axis=0), np.sort(kmeans.cluster_centers_, axis=0), atol=1e-3
    )
