"""Questions about OPTICS: the distances are worked out from a matrix, the order by scikit-learn."""

import numpy as np
import pytest
from sklearn.cluster import OPTICS, cluster_optics_dbscan

from dmlib.clustering.optics.questions import Rule
from dmlib.pictures.question import judge
from tests.rounds import of_topics, round_by_topic


@pytest.fixture(params=range(6))
def round_of_seed(request):
    run, by_topic = round_by_topic("optics", request.param)
    D = np.linalg.norm(run.problem.X[:, None] - run.problem.X, axis=2)
    return run, by_topic, D


def option(question, value):
    distances = [float(text) for text in question.answer.options]
    return int(np.argmin(np.abs(np.array(distances) - value)))


def test_the_core_distance_counts_the_row_itself(round_of_seed):
    run, by_topic, D = round_of_seed
    for question in of_topics(by_topic, "core distance"):
        distances = np.sort(D[question.about[0] - 1])
        right, beyond = distances[run.model.min_samples - 1 : run.model.min_samples + 1]
        assert judge(question, option(question, right)).is_right
        assert judge(question, option(question, beyond)).rule is Rule.OTHERS


def test_rows_come_in_the_order_and_with_the_reachabilities_of_scikit_learn(round_of_seed):
    run, by_topic, D = round_of_seed
    model = OPTICS(min_samples=run.model.min_samples).fit(run.problem.X)
    for question in of_topics(by_topic, "next row"):
        assert judge(question, [int(model.ordering_[question.step]) + 1]).is_right
    for question in of_topics(by_topic, "reachability"):
        row = question.about[0] - 1
        processed = model.ordering_[: question.step + 1]
        reached = [max(model.core_distances_[i], D[i, row]) for i in processed]
        assert judge(question, option(question, min(reached))).is_right


def test_noise_of_a_cut_is_that_of_scikit_learn(round_of_seed):
    run, by_topic, _ = round_of_seed
    model = OPTICS(min_samples=run.model.min_samples).fit(run.problem.X)
    for question in of_topics(by_topic, "noise"):
        labels = cluster_optics_dbscan(
            reachability=model.reachability_,
            core_distances=model.core_distances_,
            ordering=model.ordering_,
            eps=float(question.prompt.split()[-1].rstrip("?")),
        )
        assert judge(question, (np.flatnonzero(labels < 0) + 1).tolist()).is_right
        above = np.flatnonzero(model.reachability_ > float(question.prompt.split()[-1].rstrip("?")))
        assert judge(question, (above + 1).tolist()).rule in (Rule.ABOVE, None)
