"""Questions about kernel k-means and fuzzy c-means: sums over pairs of rows, by hand."""

import re

import numpy as np
import pytest
from sklearn.metrics.pairwise import rbf_kernel

from dmlib.clustering import FuzzyCMeans
from dmlib.clustering.kernel_kmeans.questions import Rule, questions
from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from tests.rounds import of_topics, round_by_topic


@pytest.fixture(params=range(6))
def round_of_seed(request):
    run, by_topic = round_by_topic("kernel_kmeans", request.param)
    return run, by_topic, rbf_kernel(run.problem.X, gamma=run.model.gamma)


def square(K, row, members):
    """Return the squared distance of a row to the mean of others in feature space."""
    return K[row, row] - 2 * K[row, members].mean() + K[np.ix_(members, members)].mean()


def test_distances_are_those_to_means_in_feature_space(round_of_seed):
    run, by_topic, K = round_of_seed
    for question in of_topics(by_topic, "distance"):
        labels = run.trace.steps[question.step - 1].labels
        cluster = int(re.search(r"rows of cluster (\d+)", question.prompt)[1]) - 1
        right = square(K, question.about[0] - 1, np.flatnonzero(labels == cluster))
        assert judge(question, right).is_right
    for question in of_topics(by_topic, "within"):
        members = np.array(question.about) - 1
        assert judge(question, K[np.ix_(members, members)].mean()).is_right
        pairs = [K[i, j] for i in members for j in members if i < j]
        assert judge(question, np.mean(pairs)).rule is Rule.PAIRS


def test_rows_move_to_the_nearest_mean(round_of_seed):
    run, by_topic, K = round_of_seed
    for question in of_topics(by_topic, "assignment", "nearest centre"):
        before = run.trace.steps[question.step - 1]
        groups = [np.flatnonzero(before.centers[:, j]) for j in range(before.centers.shape[1])]
        nearest = [int(np.argmin([square(K, i, g) for g in groups])) for i in range(len(K))]
        if question.topic == "nearest centre":
            assert judge(question, nearest[question.about[0] - 1]).is_right
        else:
            changed = [i + 1 for i, label in enumerate(before.labels) if nearest[i] != label]
            assert judge(question, changed).is_right


@pytest.mark.parametrize("m", [1.5, 2.0])
def test_memberships_and_centres_of_fuzzy_c_means(round_of_seed, m):
    problem = round_of_seed[0].problem
    run = Run.of(problem, FuzzyCMeans(2, m=m, random_state=0))
    for question in questions(run):
        step = run.trace.steps[question.step]
        if question.topic == "membership":
            cluster = int(re.search(r"in cluster (\d+)", question.prompt)[1]) - 1
            d = np.linalg.norm(problem.X[question.about[0] - 1] - step.centers, axis=1)
            assert judge(question, 1 / sum((d[cluster] / d) ** (2 / (m - 1)))).is_right
        else:
            weights = step.memberships[:, question.about[0]] ** m
            center = np.average(problem.X, axis=0, weights=weights)
            assert judge(question, center.tolist()).is_right
