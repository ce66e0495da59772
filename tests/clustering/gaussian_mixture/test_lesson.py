"""The numbers of the lesson on Gaussian mixtures, computed again."""

import numpy as np
import pytest

from dmlib.clustering import GaussianMixture, mixture_sweep
from dmlib.clustering.gaussian_mixture.gaussians import COVARIANCE_TYPES, Mixture
from dmlib.datasets import load
from tests.contract.test_lessons import section, text_of

VALUES = np.array([[0.0], [2.0], [6.0]])
SHARES = [[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]]


def steps(phase):
    model = GaussianMixture(2, init=SHARES, reg_covar=0, max_iter=8)
    return [step for step in model.steps(VALUES) if step.phase == phase]


@pytest.fixture
def by_hand():
    return section(text_of("gaussian_mixture"), "By hand")


def test_the_first_half_steps(by_hand):
    first, second = steps("maximization")[:2]
    assert first.weights.tolist() == [0.5, 0.5]
    for mean, variance in zip(first.means.ravel(), first.covariances.ravel(), strict=True):
        assert f"**{mean:.3f}**" in by_hand
        assert f"**{variance:.3f}**" in by_hand
    expected = steps("expectation")
    assert expected[0].responsibilities[1] == pytest.approx([2 / 3, 1 / 3])
    assert expected[0].responsibilities[0] == pytest.approx([0.971, 0.029], abs=5e-4)
    assert "{:.3f} and {:.3f}, means **{:.3f}** and **{:.3f}**, variances {:.3f} and {:.3f}".format(
        *second.weights, *second.means.ravel(), *second.covariances.ravel()
    ) in by_hand.replace("\n", " ")
    assert "has {:.3f} and {:.3f}".format(*expected[1].responsibilities[1]) in by_hand
    for step in expected[:2]:
        assert f"**{step.log_likelihood:.3f}**" in by_hand


def test_the_collapse(by_hand):
    likelihoods = [f"{step.log_likelihood:.3f}" for step in steps("expectation")[2:5]]
    assert f"{likelihoods[0]}, {likelihoods[1]} and {likelihoods[2]}" in by_hand
    variances = [f"{step.covariances[1].item():.3f}" for step in steps("maximization")[:5]]
    assert ", ".join(variances[:4]) in by_hand
    assert variances[4] in by_hand
    assert steps("reset")[0].reset[0][0] == 1


def test_the_criteria_of_old_faithful():
    X = load("faithful").frame.to_numpy(float)
    sweep = mixture_sweep(X, range(1, 4), covariance_types=["full"], random_state=0)
    text = section(text_of("gaussian_mixture"), "Choosing k").replace("\n", " ")
    first, second, third = (f"{value:.1f}" for value in sweep.bic[0])
    assert f"$p = {sweep.n_parameters[0, 1]:.0f}$ and BIC = **{second}**" in text
    assert f"with one, {first}; with three, {third}" in text


def test_the_numbers_of_parameters():
    k, d = 3, 4
    free = {"spherical": k, "diag": k * d, "tied": d * (d + 1) / 2, "full": k * d * (d + 1) / 2}
    shapes = {"spherical": (k,), "diag": (k, d), "tied": (d, d), "full": (k, d, d)}
    for kind in COVARIANCE_TYPES:
        mixture = Mixture(kind, np.ones(k) / k, np.zeros((k, d)), np.ones(shapes[kind]))
        assert mixture.n_parameters == k - 1 + k * d + free[kind]
    assert "3 times 10 in the covariances: 44" in section(text_of("gaussian_mixture"), "Answers")
    assert k - 1 + k * d + free["full"] == 44


def test_the_shares_of_question_1():
    joint = np.array([0.2 * 0.3, 0.8 * 0.1])
    assert joint / joint.sum() == pytest.approx([3 / 7, 4 / 7])
    assert "3/7 and 4/7" in section(text_of("gaussian_mixture"), "Answers")
