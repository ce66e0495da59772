"""Questions about the relational neighbour classifier: sweeps over the graph, node by node."""

import re

import numpy as np
import pytest

from dmlib.classification.relational_neighbour.questions import Rule
from dmlib.pictures.question import judge
from tests.rounds import round_by_topic


def sweeps(run, n):
    """Return the probabilities of the first class before the first sweep, and after each."""
    graph, labels = run.problem.graph, np.asarray(run.problem.training.y)
    known = labels >= 0
    p = np.where(known, labels == 0, (labels[known] == 0).mean()).astype(float)
    history = [p]
    nodes = list(graph)
    for _ in range(n):
        new = p.copy()
        for i, node in enumerate(nodes):
            votes = {other: graph[node][other].get("weight", 1) for other in graph[node]}
            if not known[i] and votes:
                total = sum(w * p[nodes.index(other)] for other, w in votes.items())
                new[i] = total / sum(votes.values())
        p = new
        history.append(p)
    return history


@pytest.mark.parametrize("seed", range(6))
def test_votes_are_means_of_neighbours(seed):
    run, by_topic = round_by_topic("relational_neighbour", seed)
    history = sweeps(run, 6)
    for question in by_topic["vote"]:
        assert judge(question, float(history[question.step][question.about[0] - 1])).is_right
    for question in by_topic["reached"]:
        changed = np.flatnonzero(~np.isclose(history[0], history[1]))
        assert judge(question, [int(i) + 1 for i in changed]).is_right
    for question in by_topic["change of class"]:
        before, after = history[question.step - 1], history[question.step]
        flipped = np.flatnonzero((before > 0.5) != (after >= 0.5 - 1e-12))
        assert judge(question, [int(i) + 1 for i in flipped]).is_right


def test_who_lets_neighbours_outvote_a_label_is_told_so():
    _, by_topic = round_by_topic("relational_neighbour", 1)
    (question,) = by_topic["known label"]
    vote = float(re.search(r"vote ([\d.]+)", question.proof)[1])
    wrong = [error.answer for error in question.errors]
    assert wrong == [pytest.approx(vote, abs=1e-3)]
    assert judge(question, wrong[0]).rule is Rule.OUTVOTED
