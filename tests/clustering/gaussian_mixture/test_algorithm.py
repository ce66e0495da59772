"""EM for Gaussian mixtures against mclust, scikit-learn, SciPy's densities and its own promises."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import multivariate_normal
from sklearn import mixture
from sklearn.datasets import make_blobs
from sklearn.exceptions import ConvergenceWarning

from dmlib.clustering import GaussianMixture
from dmlib.clustering.gaussian_mixture.gaussians import COVARIANCE_TYPES

ROOT = Path(__file__).parents[3]
GOLDEN = json.loads((ROOT / "tests" / "golden" / "gaussian_mixture_faithful.json").read_text())
each_type = pytest.mark.parametrize("covariance_type", COVARIANCE_TYPES)


def steps_of(model, X, *phases):
    return [step for step in model.steps(X) if step.phase in phases]


def random_shares(n, k, seed=0):
    shares = np.random.default_rng(seed).uniform(size=(n, k))
    return shares / shares.sum(axis=1)[:, None]


@pytest.fixture
def faithful():
    return pd.read_csv(ROOT / "assets" / "data" / "faithful.csv")[
        ["eruptions", "waiting"]
    ].to_numpy(float)


@pytest.fixture
def faithful_start():
    first = np.array(GOLDEN["start_component_1"], float)
    return np.column_stack([first, 1 - first])


@pytest.fixture
def blobs():
    return make_blobs(200, 3, centers=3, cluster_std=2.5, random_state=1)[0]


# --- mclust ---------------------------------------------------------------------------------------


def test_the_iterations_of_mclust(faithful, faithful_start):
    model = GaussianMixture(2, init=faithful_start, reg_covar=0, tol=0, max_iter=20)
    expected = GOLDEN["loglik_after_iteration"]
    likelihoods = [step.log_likelihood for step in steps_of(model, faithful, "expectation")]
    assert_allclose(likelihoods, expected, rtol=1e-8)
    last = steps_of(model, faithful, "expectation")[-1]
    assert_allclose(last.weights, GOLDEN["weights_after_20"], rtol=1e-8)
    assert_allclose(last.means, GOLDEN["means_after_20"], rtol=1e-8)
    assert_allclose(last.covariances, GOLDEN["covariances_after_20"], rtol=1e-8)
    assert_allclose(
        last.responsibilities[:5],
        GOLDEN["responsibilities_after_20_rows_1_to_5"],
        rtol=1e-8,
        atol=1e-9,
    )


def test_the_criteria_of_mclust(faithful, faithful_start):
    model = GaussianMixture(2, init=faithful_start, reg_covar=0, tol=1e-12).fit(faithful)
    assert model.converged_
    assert_allclose(model.score(faithful) * len(faithful), GOLDEN["loglik_converged"], rtol=1e-8)
    assert_allclose(model.bic(faithful), GOLDEN["bic_smaller_better"], rtol=1e-8)
    assert_allclose(model.aic(faithful), GOLDEN["aic"], rtol=1e-8)
    assert model.predict_proba(faithful).shape == (len(faithful), 2)


# --- scikit-learn and SciPy -----------------------------------------------------------------------


@each_type
@pytest.mark.parametrize("init", ["kmeans", "random"])
@pytest.mark.parametrize("seed", range(3))
def test_the_same_seed_gives_the_answer_of_scikit_learn(covariance_type, init, seed, blobs):
    params = {"covariance_type": covariance_type, "random_state": seed, "max_iter": 1000}
    ours = GaussianMixture(3, init=init, **params).fit(blobs)
    theirs = mixture.GaussianMixture(3, init_params=init, **params).fit(blobs)
    for name in (
        "weights_",
        "means_",
        "covariances_",
        "precisions_",
        "precisions_cholesky_",
        "lower_bounds_",
    ):
        assert_allclose(
            getattr(ours, name), getattr(theirs, name), rtol=1e-7, atol=1e-9, err_msg=name
        )
    assert (ours.n_iter_, ours.converged_) == (theirs.n_iter_, theirs.converged_)
    assert_allclose(ours.lower_bound_, theirs.lower_bound_)
    assert_allclose(ours.bic(blobs), theirs.bic(blobs))
    assert_allclose(ours.aic(blobs), theirs.aic(blobs))
    new = np.random.default_rng(seed).normal(size=(20, 3)) * 5
    assert_allclose(ours.score_samples(new), theirs.score_samples(new))
    assert_allclose(ours.predict_proba(new), theirs.predict_proba(new), atol=1e-9)
    assert_array_equal(ours.predict(new), theirs.predict(new))


@each_type
def test_given_parameters_as_in_scikit_learn(covariance_type, blobs):
    k, d = 3, 3
    precisions = {
        "full": np.stack([np.eye(d)] * k),
        "tied": np.eye(d) / 2,
        "diag": np.ones((k, d)),
        "spherical": np.ones(k),
    }
    start = {
        "weights_init": [0.2, 0.3, 0.5],
        "means_init": blobs[:3],
        "precisions_init": precisions[covariance_type],
    }
    ours = GaussianMixture(3, covariance_type=covariance_type, **start).fit(blobs)
    theirs = mixture.GaussianMixture(3, covariance_type=covariance_type, **start).fit(blobs)
    assert ours.n_iter_ == theirs.n_iter_
    assert_allclose(ours.means_, theirs.means_)
    assert_allclose(ours.covariances_, theirs.covariances_, atol=1e-9)


def test_the_best_restart_is_kept(blobs):
    model = GaussianMixture(4, n_init=5, init="random", random_state=3)
    done = steps_of(model, blobs, "done")
    last = list(model.steps(blobs))[-1]
    assert len(done) == 5
    assert last.phase == "best"
    expectations = steps_of(model, blobs, "expectation")
    ends = [
        max(step.log_likelihood for step in expectations if step.restart == r) for r in range(5)
    ]
    assert last.restart == int(np.argmax(ends))
    assert_allclose(model.fit(blobs).means_, last.means)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_going_on_from_the_last_answer(blobs):
    at_once = GaussianMixture(3, max_iter=6, tol=0, random_state=0).fit(blobs)
    in_turn = (
        GaussianMixture(3, max_iter=3, tol=0, random_state=0, warm_start=True).fit(blobs).fit(blobs)
    )
    assert_allclose(in_turn.means_, at_once.means_)
    assert_allclose(in_turn.lower_bound_, at_once.lower_bound_)


@each_type
def test_densities_are_those_of_scipy(covariance_type, blobs):
    model = GaussianMixture(3, covariance_type=covariance_type, random_state=0).fit(blobs)
    matrices = model._fitted().matrices()
    densities = np.column_stack(
        [
            weight * multivariate_normal(mean, matrix).pdf(blobs)
            for weight, mean, matrix in zip(model.weights_, model.means_, matrices, strict=True)
        ]
    )
    assert_allclose(model.score_samples(blobs), np.log(densities.sum(axis=1)))
    assert_allclose(
        model.predict_proba(blobs), densities / densities.sum(axis=1)[:, None], atol=1e-12
    )


def test_a_row_far_from_every_component_belongs_somewhere(blobs):
    model = GaussianMixture(3, random_state=0).fit(blobs)
    shares = model.predict_proba([[1e6, -1e6, 1e6]])
    assert np.isfinite(shares).all()
    assert_allclose(shares.sum(), 1)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_more_rows_than_a_block():
    X = make_blobs(30_000, 4, centers=5, cluster_std=3, random_state=0)[0]
    shares = random_shares(len(X), 5)
    model = GaussianMixture(5, init=shares, max_iter=3, tol=0).fit(X)
    reference = mixture.GaussianMixture(5, max_iter=3, tol=0)
    reference._initialize_parameters = lambda rows, rng, xp=None: reference._initialize(
        rows, shares, xp=xp
    )
    with pytest.warns(mixture._base.ConvergenceWarning):
        reference.fit(X)
    assert_allclose(model.means_, reference.means_)
    assert_allclose(model.covariances_, reference.covariances_)


@each_type
def test_samples_have_the_means_and_covariances(covariance_type, blobs):
    model = GaussianMixture(2, covariance_type=covariance_type, random_state=0).fit(blobs)
    X, labels = model.sample(40_000)
    assert X.shape == (40_000, 3)
    assert_allclose(np.bincount(labels) / len(X), model.weights_, atol=0.01)
    for j, matrix in enumerate(model._fitted().matrices()):
        assert_allclose(X[labels == j].mean(axis=0), model.means_[j], atol=0.2)
        assert_allclose(np.cov(X[labels == j].T), matrix, atol=0.05 * matrix.max())
    with pytest.raises(ValueError, match="n_samples"):
        model.sample(0)


# --- arithmetic and promises ----------------------------------------------------------------------


def test_one_round_by_hand():
    X = np.array([[0.0], [2.0], [6.0]])
    shares = [[1, 0], [0.5, 0.5], [0, 1]]
    start, first, share, *_ = GaussianMixture(2, init=shares, reg_covar=0).steps(X)
    assert (start.phase, first.phase, share.phase) == ("start", "maximization", "expectation")
    # sizes 1.5 and 1.5; means (0 + 1) / 1.5 and (1 + 6) / 1.5
    assert_allclose(first.weights, [0.5, 0.5])
    assert_allclose(first.means.ravel(), [2 / 3, 14 / 3])
    # (1 * (2/3)^2 + 0.5 * (4/3)^2) / 1.5 = 8/9 and (0.5 * (8/3)^2 + (4/3)^2) / 1.5 = 32/9
    assert_allclose(first.covariances.ravel(), [8 / 9, 32 / 9])
    # row 2: exp(-(4/3)^2 / (2 * 8/9)) = exp(-(8/3)^2 / (2 * 32/9)) = 1/e, over roots of which one
    # is twice the other
    assert_allclose(share.responsibilities[1], [2 / 3, 1 / 3])


@each_type
def test_a_maximisation_is_the_weighted_estimate(covariance_type, blobs):
    shares = random_shares(len(blobs), 3)
    step = steps_of(
        GaussianMixture(3, covariance_type=covariance_type, init=shares), blobs, "maximization"
    )[0]
    matrices = np.array([np.cov(blobs.T, aweights=share, ddof=0) for share in shares.T])
    if covariance_type == "tied":
        matrices[:] = np.average(matrices, axis=0, weights=shares.sum(axis=0))
    if covariance_type in ("diag", "spherical"):
        variances = np.diagonal(matrices, axis1=1, axis2=2)
        if covariance_type == "spherical":
            variances = np.broadcast_to(variances.mean(axis=1)[:, None], variances.shape)
        matrices = np.array([np.diag(v) for v in variances])
    assert_allclose(step.mixture.matrices(), matrices + 1e-6 * np.eye(3), atol=1e-12)
    assert_allclose(step.means, [np.average(blobs, axis=0, weights=share) for share in shares.T])
    assert_allclose(step.weights, shares.mean(axis=0))


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 10_000), st.sampled_from(COVARIANCE_TYPES), st.integers(1, 4), st.integers(1, 3)
)
def test_the_likelihood_never_falls(seed, covariance_type, k, d):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, d)) + 3 * rng.integers(0, 2, size=(40, 1))
    params = {"covariance_type": covariance_type, "reg_covar": 0, "tol": 0, "max_iter": 30}
    model = GaussianMixture(k, init=random_shares(40, k, seed), **params)
    steps = steps_of(model, X, "expectation", "reset", "done")
    for before, after in pairwise(steps):
        if "reset" not in (before.phase, after.phase):
            assert after.log_likelihood >= before.log_likelihood - 1e-9 * abs(before.log_likelihood)
    for step in steps:
        assert_allclose(step.responsibilities.sum(axis=1), 1)
        assert_allclose(step.weights.sum(), 1)


def test_four_types_have_as_many_parameters_as_told():
    X = np.random.default_rng(0).normal(size=(50, 5))
    numbers = {
        t: GaussianMixture(2, covariance_type=t).fit(X)._n_parameters() for t in COVARIANCE_TYPES
    }
    assert numbers == {"spherical": 13, "diag": 21, "tied": 26, "full": 41}


def test_the_labels_are_those_of_the_last_expectation(blobs):
    model = GaussianMixture(3, random_state=0)
    assert_array_equal(model.fit_predict(blobs), model.predict(blobs))
    assert_array_equal(model.labels_, model.predict(blobs))


def test_no_iteration_is_the_start(blobs):
    model = GaussianMixture(2, means_init=[[0, 0, 0], [5, 5, 5]], max_iter=0, random_state=0).fit(
        blobs
    )
    assert_allclose(model.means_, [[0, 0, 0], [5, 5, 5]])
    assert (model.n_iter_, model.converged_, model.lower_bounds_) == (0, False, [])


# --- collapse -------------------------------------------------------------------------------------


@pytest.fixture
def outlier():
    """Forty rows around zero, and one far away."""
    return np.vstack([np.random.default_rng(0).normal(size=(40, 2)), [[30.0, 30.0]]])


def test_a_component_held_by_the_regularisation_is_named(outlier):
    last = list(GaussianMixture(2, random_state=0).steps(outlier))[-1]
    small = int(np.argmin(last.weights))
    assert last.regularised == (small,)
    assert_allclose(last.covariances[small], 1e-6 * np.eye(2), atol=1e-12)
    assert_allclose(last.means[small], [30, 30])


def test_a_collapsed_component_starts_anew():
    # One row stands for each component, so at first every covariance is zero; later a component
    # shrinks to two rows.
    X = np.random.default_rng(1).normal(size=(40, 2))
    steps = list(GaussianMixture(3, init="random_from_data", reg_covar=0, random_state=6).steps(X))
    first, *later = [step for step in steps if step.phase == "reset"]
    assert first.reset == ((0, -1), (1, -1), (2, -1))
    assert_allclose(first.covariances, np.stack([np.cov(X.T, ddof=0)] * 3))
    before = steps[steps.index(first) - 1]
    assert_allclose(first.means, before.means)
    assert later, "this seed was chosen because a component collapses later"
    for step in later:
        ((component, row),) = step.reset
        assert_allclose(step.means[component], X[row])
        assert_allclose(step.covariances[component], np.cov(X.T, ddof=0))
    assert np.isfinite(steps[-1].log_likelihood)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_run_that_keeps_collapsing_ends(outlier):
    model = GaussianMixture(2, covariance_type="spherical", reg_covar=0, random_state=0)
    steps = list(model.steps(outlier))
    assert len([step for step in steps if step.phase == "reset" and step.iteration]) == 10
    assert steps[-1].reason.startswith("Stopped, because components collapsed 10 times.")
    assert not model.fit(outlier).converged_


def test_a_component_without_rows_stays():
    X = np.vstack([np.zeros((5, 2)), np.ones((5, 2))])
    model = GaussianMixture(4, random_state=0).fit(X)
    assert_allclose(np.sort(model.weights_), [0, 0, 0.5, 0.5], atol=1e-9)
    first = steps_of(GaussianMixture(4, random_state=0), X, "maximization")[0]
    assert len(first.lost) == 2


@pytest.mark.parametrize(
    ("X", "params", "sentence"),
    [
        (np.ones((4, 2)), {"n_components": 5}, "Expected n_samples >= n_components"),
        (
            np.c_[np.arange(9.0), np.ones(9)],
            {"n_components": 2, "reg_covar": 0},
            "a column is constant, or follows",
        ),
        (
            np.c_[np.arange(9.0), np.arange(9.0)],
            {"reg_covar": 0},
            "a column is constant, or follows",
        ),
        ([[1e200], [1.0], [2.0]], {}, "too large for a computer number"),
        (np.ones((4, 2)), {"n_components": 2, "init": np.ones((4, 2))}, "sum to 1 in each row"),
        (
            np.ones((4, 2)),
            {"n_components": 2, "init": [[1, 0], [0, 1]]},
            "should have the shape of",
        ),
        (np.ones((4, 2)), {"n_components": 2, "weights_init": [0.9, 0.9]}, "should be normalized"),
        (np.ones((4, 2)), {"n_components": 2, "weights_init": [1.5, -0.5]}, "in the range"),
        (
            np.ones((4, 2)),
            {"n_components": 1, "precisions_init": [[[1, 2], [2, 1]]]},
            "positive-definite",
        ),
        (
            np.ones((4, 2)),
            {"n_components": 2, "precisions_init": [-1.0, 1.0], "covariance_type": "spherical"},
            "should be positive",
        ),
    ],
)
def test_what_cannot_be_is_said(X, params, sentence):
    with pytest.raises(ValueError, match=sentence):
        GaussianMixture(**params).fit(X)


def test_constant_columns_are_carried_by_the_regularisation():
    X = np.c_[
        np.r_[np.zeros(5), np.full(5, 9.0)] + np.tile([0, 0.1, 0.2, 0.3, 0.4], 2), np.ones(10)
    ]
    model = GaussianMixture(2, random_state=0).fit(X)
    assert len(set(model.labels_[:5])) == len(set(model.labels_[5:])) == 1


def test_a_mixture_that_did_not_converge_warns():
    X = np.random.default_rng(0).normal(size=(60, 2))
    with pytest.warns(
        ConvergenceWarning, match="did not converge. The limit of 2 iterations was reached"
    ):
        assert not GaussianMixture(3, max_iter=2, random_state=0).fit(X).converged_
