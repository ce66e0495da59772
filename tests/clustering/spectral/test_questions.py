"""Questions about spectral clustering: the matrices are built again by scikit-learn and NumPy."""

import re

import numpy as np
import pytest
from sklearn.neighbors import kneighbors_graph

from dmlib.clustering.spectral.questions import Rule
from dmlib.pictures.question import judge
from tests.rounds import of_topics, round_by_topic


@pytest.fixture(params=range(6))
def round_of_seed(request):
    run, by_topic = round_by_topic("spectral", request.param)
    graph = kneighbors_graph(run.problem.X, run.model.n_neighbors, include_self=True).toarray()
    W = (graph + graph.T) / 2
    np.fill_diagonal(W, 0)
    return run, by_topic, W


def test_degrees_and_entries_are_those_of_the_matrix(round_of_seed):
    _, by_topic, W = round_of_seed
    degrees = W.sum(axis=1)
    laplacian = np.eye(len(W)) - W / degrees[:, None]
    for question in of_topics(by_topic, "degree"):
        row = question.about[0] - 1
        assert judge(question, degrees[row]).is_right
        assert judge(question, int((W[row] > 0).sum())).rule in (Rule.COUNT, None)
    for question in of_topics(by_topic, "Laplacian"):
        found = re.search(r"line (\d+) and column (\d+)", question.prompt)
        i, j = int(found[1]) - 1, int(found[2]) - 1
        assert judge(question, laplacian[i, j]).is_right
        assert judge(question, -laplacian[i, j]).rule is Rule.POSITIVE


def test_as_many_eigenvalues_are_zero_as_the_matrix_has(round_of_seed):
    _, by_topic, W = round_of_seed
    values = np.linalg.eigvalsh(np.diag(W.sum(axis=1)) - W)
    for question in of_topics(by_topic, "eigenvalues"):
        assert judge(question, int((np.abs(values) < 1e-9).sum())).is_right


def test_the_cuts_are_sums_over_pairs_of_rows(round_of_seed):
    run, by_topic, W = round_of_seed
    labels = run.trace.steps[-1].labels
    differs = labels[:, None] != labels
    for question in of_topics(by_topic, "cut"):
        assert judge(question, (W * differs).sum() / 2).is_right
    parts = [
        (W * differs)[labels == k].sum() / W[labels == k].sum() for k in range(labels.max() + 1)
    ]
    for question in of_topics(by_topic, "normalised cut"):
        assert judge(question, float(np.mean(parts))).is_right
