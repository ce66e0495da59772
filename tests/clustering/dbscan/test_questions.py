"""Questions about DBSCAN: the answers come from a matrix of distances, and from scikit-learn."""

import numpy as np
import pytest
from sklearn.cluster import DBSCAN

from dmlib.clustering.dbscan.kernel_questions import KernelRule
from dmlib.clustering.dbscan.questions import Rule
from dmlib.pictures.question import judge
from tests.rounds import of_topics, round_by_topic


@pytest.fixture(params=range(6))
def round_of_seed(request):
    run, by_topic = round_by_topic("dbscan", request.param)
    D = np.linalg.norm(run.problem.X[:, None] - run.problem.X, axis=2)
    return run, by_topic, run.model.eps >= D


def test_a_neighbourhood_counts_the_row_itself(round_of_seed):
    run, by_topic, near = round_of_seed
    for question in of_topics(by_topic, "neighbourhood"):
        n = near[question.about[0] - 1].sum()
        assert judge(question, int(n)).is_right
        assert judge(question, int(n) - 1).rule is Rule.OTHERS
    for question in of_topics(by_topic, "kind of point"):
        is_core = near[question.about[0] - 1].sum() >= run.model.min_samples
        assert judge(question, 2 if is_core else 1).is_right


def test_rows_near_a_core_point_join_unless_they_are_in_a_cluster(round_of_seed):
    run, by_topic, near = round_of_seed
    for question in of_topics(by_topic, "expansion"):
        row = question.about[0] - 1
        before = run.trace.steps[question.step - 1].labels
        joins = near[row] & (before < 0) & (near[row].sum() >= run.model.min_samples)
        assert judge(question, [int(i) + 1 for i in np.flatnonzero(joins)]).is_right


def test_the_order_decides_about_the_rows_whose_cluster_differs_in_another(round_of_seed):
    run, by_topic, near = round_of_seed
    labels = DBSCAN(eps=run.model.eps, min_samples=run.model.min_samples).fit(run.problem.X).labels_
    core = near.sum(axis=1) >= run.model.min_samples
    claims = [set(labels[near[i] & core]) for i in range(len(labels))]
    contested = [i + 1 for i, each in enumerate(claims) if len(each) > 1]
    for question in of_topics(by_topic, "border"):
        assert judge(question, contested).is_right


@pytest.mark.parametrize("seed", range(6))
def test_distances_in_the_feature_space_of_a_kernel(seed):
    run, by_topic = round_by_topic("dbscan", seed, 1)
    X, eps = run.problem.X, run.model.eps
    for question in of_topics(by_topic, "kernel distance", "within ε"):
        x, y = (X[row - 1] for row in question.about)
        k = np.exp(-0.2 * ((x - y) ** 2).sum())
        d = np.sqrt(2 - 2 * k)
        if question.topic == "kernel distance":
            assert judge(question, d).is_right
            assert judge(question, 2 - 2 * k).rule is KernelRule.SQUARE
            assert judge(question, np.linalg.norm(x - y)).rule is KernelRule.PLANE
            assert judge(question, np.sqrt(2 - k)).rule is KernelRule.CROSS
        else:
            assert judge(question, int(d > eps)).is_right
            if (np.linalg.norm(x - y) > eps) != (d > eps):
                assert judge(question, int(d <= eps)).rule is KernelRule.PLANE
