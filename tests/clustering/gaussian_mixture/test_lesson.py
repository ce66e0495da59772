"""The numbers of the lesson on Gaussian mixtures, computed again."""

import numpy as np
import pytest

from dmlib.clustering import GaussianMixture, mixture_sweep
from dmlib.clustering.gaussian_mixture.gaussians import COVARIANCE_TYPES, Mixture
from dmlib.datasets import load
from tests.contract.test_lessons import section, text_of

POINTS = np.array([(1, 3), (3, 3), (5, 6), (6, 3), (8, 3), (10, 6)], float)
HALVES = [[1.0, 0.0]] * 3 + [[0.0, 1.0]] * 3


def steps(phase):
    model = GaussianMixture(2, covariance_type="spherical", init=HALVES, reg_covar=0)
    return [step for step in model.steps(POINTS) if step.phase == phase]


@pytest.fixture
def by_hand():
    return section(text_of("gaussian_mixture"), "By hand")


def test_the_half_steps(by_hand):
    first, second = steps("maximization")[:2]
    assert first.weights.tolist() == [0.5, 0.5]
    assert first.means.tolist() == [[3, 4], [8, 4]]
    assert f"**{first.covariances[0]:.3f}**" in by_hand
    assert first.covariances[0] == pytest.approx(first.covariances[1])
    assert second.weights == pytest.approx([0.5, 0.5])
    assert "**({:.3f}, {:.3f})** and **({:.3f}, {:.3f})**".format(*second.means.ravel()) in by_hand
    assert "variances **{:.3f}** and **{:.3f}**".format(*second.covariances) in by_hand
    expected = steps("expectation")
    near, far = expected[0].responsibilities[2]
    assert f"**{near:.3f}** and **{far:.3f}**" in by_hand
    assert expected[0].responsibilities[3] == pytest.approx([far, near])
    told = [f"{step.log_likelihood:.3f}" for step in expected]
    assert f"**{told[0]}**" in by_hand
    assert "**{}**; the next values are {}, {} and {}".format(*told[1:5]) in by_hand


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
