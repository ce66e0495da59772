"""Questions about EM: the answers come from SciPy's densities and plain weighted sums."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from dmlib.clustering.gaussian_mixture.questions import Rule
from dmlib.pictures.question import judge
from tests.rounds import of_topics, round_by_topic


@pytest.fixture(params=range(6))
def round_of_seed(request):
    return round_by_topic("gaussian_mixture", request.param)


def responsibilities(X, mixture):
    joint = [
        weight * multivariate_normal(mean, matrix).pdf(X)
        for weight, mean, matrix in zip(
            mixture.weights, mixture.means, mixture.matrices(), strict=True
        )
    ]
    return np.array(joint).T / np.sum(joint, axis=0)[:, None]


def test_the_largest_share_is_that_of_weight_times_density(round_of_seed):
    run, by_topic = round_of_seed
    for question in of_topics(by_topic, "most probable", "responsibility"):
        mixture = run.trace.steps[question.step - 1].mixture
        row = question.about[0] - 1
        shares = responsibilities(run.problem.X, mixture)[row]
        if question.topic == "most probable":
            assert judge(question, int(shares.argmax())).is_right
        else:
            component = int(question.prompt.split("component ")[1].split()[0]) - 1
            assert judge(question, shares[component]).is_right


def test_weights_and_means_count_rows_by_their_responsibilities(round_of_seed):
    run, by_topic = round_of_seed
    for question in of_topics(by_topic, "weight", "mean"):
        shares = run.trace.steps[question.step - 1].responsibilities[:, question.about[0]]
        if question.topic == "weight":
            assert judge(question, sum(shares) / len(shares)).is_right
        else:
            mean = sum(r * x for r, x in zip(shares, run.problem.X, strict=True)) / sum(shares)
            assert judge(question, mean.tolist()).is_right


def test_a_learner_who_counts_whole_rows_is_told_so(round_of_seed):
    run, by_topic = round_of_seed
    for question in of_topics(by_topic, "weight"):
        shares = run.trace.steps[question.step - 1].responsibilities
        n = int((shares.argmax(axis=1) == question.about[0]).sum())
        assert judge(question, n / len(shares)).rule in (Rule.HARD, None)
