"""Questions about cluster validity: the measures are those of scikit-learn, or counted."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn import metrics

from dmlib.clustering import ClusterValidity
from dmlib.clustering.cluster_validity.questions import Rule, questions
from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from tests.rounds import of_topics, round_by_topic


@pytest.fixture(params=range(6))
def round_of_seed(request):
    run, by_topic = round_by_topic("cluster_validity", request.param)
    labels = run.trace.steps[0].labels
    return run, by_topic, labels, metrics.silhouette_samples(run.problem.X, labels)


def test_silhouettes_are_those_of_scikit_learn(round_of_seed):
    run, by_topic, labels, s = round_of_seed
    for question in of_topics(by_topic, "silhouette"):
        row = question.about[0] - 1
        assert judge(question, s[row]).is_right
        D = cdist(run.problem.X, run.problem.X)[row]
        a = D[labels == labels[row]].sum() / max((labels == labels[row]).sum() - 1, 1)
        b = min(D[labels == j].mean() for j in set(labels) - {labels[row]})
        assert judge(question, b - a).rule in (Rule.DIFFERENCE, None)
    for question in of_topics(by_topic, "smallest silhouette"):
        members = np.array(question.answer.among) - 1
        assert judge(question, [int(members[s[members].argmin()]) + 1]).is_right
    for question in of_topics(by_topic, "mean silhouette"):
        assert judge(question, float(s.mean())).is_right


def purity(y, labels):
    return sum(np.bincount(y[labels == label]).max() for label in set(labels)) / len(y)


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("calinski_harabasz", lambda X, labels, y: metrics.calinski_harabasz_score(X, labels)),
        ("rand", lambda X, labels, y: metrics.rand_score(y, labels)),
        (
            "purity",
            lambda X, labels, y: (
                metrics.cluster.contingency_matrix(y, labels).max(0).sum() / len(y)
            ),
        ),
    ],
)
def test_other_measures_are_put_together_as_scikit_learn_does(round_of_seed, measure, expected):
    problem, labels = round_of_seed[0].problem, round_of_seed[2]
    y = problem.arguments[1]
    run = Run.of(problem, ClusterValidity("kmeans", 3, measure=measure, random_state=0))
    (question,) = questions(run)
    labels = run.trace.steps[0].labels
    assert judge(question, expected(problem.X, labels, y)).is_right
