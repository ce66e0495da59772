"""Questions about nearest neighbours: the answers are measured and counted again."""

import numpy as np
import pandas as pd
import pytest

from dmlib.classification import PEBLS
from dmlib.classification.knn.questions import Rule, questions
from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.rounds import round_by_topic


@pytest.fixture(params=range(5))
def a_round(request):
    """Return a run, its questions, and its training rows from the nearest to the farthest."""
    run, by_topic = round_by_topic("knn", request.param)
    training = run.problem.training
    order = np.argsort(((training.X - run.current_query.x) ** 2).sum(axis=1))
    return run, by_topic, training, order


def test_the_row_that_joins_is_the_next_nearest_one(a_round):
    _, by_topic, training, order = a_round
    for question in by_topic["next neighbour"]:
        n = int(question.prompt.split()[-1].rstrip("?"))
        assert judge(question, [int(training.rows[order[n - 1]]) + 1]).is_right
        assert not judge(question, [int(training.rows[order[n - 2]]) + 1]).is_right


def test_the_majority_and_the_probabilities_are_counts_of_neighbours(a_round):
    run, by_topic, training, order = a_round
    names = list(run.problem.classes)
    for question in by_topic["majority"]:
        n = int(question.prompt.split()[1])
        votes = np.bincount(training.y[order[:n]], minlength=len(names))
        (leaders,) = np.nonzero(votes == votes.max())
        assert judge(question, int(leaders[0]) if len(leaders) == 1 else len(names)).is_right
        nearest = judge(question, int(training.y[order[0]]))
        assert nearest.is_right or nearest.rule is Rule.NEAREST
    for question in by_topic["probability"]:
        code = names.index(question.prompt.split()[-2])
        assert judge(question, float((training.y[order[:7]] == code).mean())).is_right


def test_pebls_asks_how_far_values_are_apart_and_what_a_row_weighs():
    frame = pd.DataFrame({"a": list("uuvvw"), "b": list("stsut"), "c": list("xxyyx")})
    problem = prepare(frame, ["a", "b"], target="c", labelled=True)
    run = Run.of(problem, PEBLS(), query=problem.query(sample=0))
    by_topic = {question.topic: question for question in questions(run)}
    # t: only x; u: only y
    assert judge(by_topic["distance of values"], 2.0).is_right
    (row,) = by_topic["weight"].about
    weight = (run.fitted.uses_[row - 1] + 1) / (run.fitted.correct_uses_[row - 1] + 1)
    assert judge(by_topic["weight"], weight).is_right
