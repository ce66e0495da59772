"""Questions about agglomerative clustering: answers from all pairs of rows, and from SciPy."""

import re

import numpy as np
import pytest
from scipy.cluster import hierarchy
from scipy.spatial.distance import pdist, squareform

from dmlib.clustering.hierarchical.questions import Rule, questions
from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from tests.rounds import of_topics, round_by_topic


@pytest.fixture(params=range(6))
def round_of_seed(request):
    return round_by_topic("hierarchical", request.param)


def clusters_after(tree, n_merges, n):
    clusters = {i: {i} for i in range(n)}
    for m in range(n_merges):
        first, second = tree[m, :2].astype(int)
        clusters[n + m] = clusters.pop(first) | clusters.pop(second)
    return list(clusters.values())


def distance(D, a, b, linkage):
    values = [D[i, j] for i in a for j in b]
    return {"single": min, "complete": max, "average": np.mean}[linkage](values)


@pytest.mark.parametrize("linkage", ["single", "complete", "average"])
def test_the_two_nearest_clusters_merge(round_of_seed, linkage):
    problem, model = round_of_seed[0].problem, round_of_seed[0].model
    run = Run.of(problem, model.set_params(linkage=linkage))
    D, n = squareform(pdist(problem.X)), len(problem.X)
    tree = hierarchy.linkage(problem.X, linkage)
    for question in questions(run):
        if question.topic == "merge":
            clusters = clusters_after(tree, question.step - 1, n)
            pairs = [(a, b) for k, a in enumerate(clusters) for b in clusters[:k]]
            a, b = min(pairs, key=lambda pair: distance(D, *pair, linkage))
            assert judge(question, sorted(row + 1 for row in a | b)).is_right
        elif question.topic == "new distance":
            a, b = (float(each) for each in re.findall(r"\d+\.\d+", question.prompt)[:2])
            n_a, n_b = (int(each) for each in re.findall(r"\((\d+) row", question.prompt))
            mean = (n_a * a + n_b * b) / (n_a + n_b)
            new = {"single": min(a, b), "complete": max(a, b), "average": mean}[linkage]
            assert judge(question, new).is_right


def test_a_cut_leaves_the_clusters_that_scipy_finds(round_of_seed):
    run, by_topic = round_of_seed
    tree = hierarchy.linkage(run.problem.X, "average")
    for question in of_topics(by_topic, "cut"):
        height = float(re.search(r"height ([\d.]+)", question.prompt)[1])
        n_clusters = int(hierarchy.fcluster(tree, height, "distance").max())
        assert judge(question, n_clusters).is_right
        assert judge(question, n_clusters - 1).rule is Rule.ABOVE


def test_rows_come_together_at_their_cophenetic_distance(round_of_seed):
    run, by_topic = round_of_seed
    joint = squareform(hierarchy.cophenet(hierarchy.linkage(run.problem.X, "average")))
    D = squareform(pdist(run.problem.X))
    for question in of_topics(by_topic, "dendrogram"):
        a, b = (row - 1 for row in question.about)
        assert judge(question, (1.0, joint[a, b])).is_right
        assert judge(question, (1.0, D[a, b])).rule is Rule.DISTANCE
