"""Questions about variants of k-means: sums of squares and BICs are worked out again."""

import numpy as np
import pytest
from scipy.stats import norm

from dmlib.clustering import XMeans
from dmlib.clustering.kmeans_variants.questions import Rule, questions
from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from tests.rounds import of_topics, round_by_topic


@pytest.fixture(params=range(6))
def round_of_seed(request):
    return round_by_topic("kmeans_variants", request.param)


def sse(rows):
    return float(((rows - rows.mean(axis=0)) ** 2).sum())


def test_the_cluster_with_the_largest_sse_is_cut_and_its_parts_take_its_place(round_of_seed):
    run, by_topic = round_of_seed
    for question in of_topics(by_topic, "next cut", "SSE"):
        step = run.trace.steps[question.step]
        parts = [sse(run.problem.X[step.labels == j]) for j in range(len(step.centers))]
        if question.topic == "next cut":
            assert judge(question, int(np.argmax(parts))).is_right
        else:
            labels = np.where(step.child_labels == 1, 99, step.labels)
            total = sum(sse(run.problem.X[labels == j]) for j in np.unique(labels))
            assert judge(question, total).is_right


def test_rows_that_an_earlier_cut_holds_back_are_nearer_to_another_centre(round_of_seed):
    run, by_topic = round_of_seed
    labels = run.trace.steps[-1].labels
    centers = [run.problem.X[labels == j].mean(axis=0) for j in range(labels.max() + 1)]
    D = np.array([np.linalg.norm(run.problem.X - center, axis=1) for center in centers])
    crossed = (np.flatnonzero(D.argmin(axis=0) != labels) + 1).tolist()
    for question in of_topics(by_topic, "nearest centre"):
        assert judge(question, crossed).is_right
        assert judge(question, []).rule in (Rule.NEAREST, None)


def test_the_gain_of_a_cut_is_that_of_round_normal_densities(round_of_seed):
    problem = round_of_seed[0].problem
    run = Run.of(problem, XMeans(1, random_state=0))
    topics = {question.topic: question for question in reversed(list(questions(run)))}
    step = run.trace.steps[topics["gain in BIC"].step]
    rows = problem.X[step.child_labels >= 0]
    halves = step.child_labels[step.child_labels >= 0]
    n, d = rows.shape

    def bic(labels):
        groups = [rows[labels == j] for j in np.unique(labels)]
        k, v = len(groups), sum(map(sse, groups)) / (d * (n - len(groups)))
        terms = [
            np.log(len(g) / n) * len(g) + norm.logpdf(g - g.mean(axis=0), scale=v**0.5).sum()
            for g in groups
        ]
        return sum(terms) - (k - 1 + k * d + 1) / 2 * np.log(n)

    assert judge(topics["gain in BIC"], bic(halves) - bic(np.zeros(n))).is_right
    assert judge(topics["variance"], sse(rows) / (d * (n - 1))).is_right
    assert judge(topics["parameters"], 1 + 2 * d + 1).is_right
