"""Questions about DBSCAN: the answers come from a matrix of distances, and from scikit-learn."""

import numpy as np
import pytest
from sklearn.cluster import DBSCAN

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
