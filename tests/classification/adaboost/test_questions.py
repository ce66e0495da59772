"""Questions about boosting: weights, errors and votes are computed again from the trees alone."""

import numpy as np
import pandas as pd
import pytest

from dmlib.classification import GradientBoostingClassifier
from dmlib.classification.adaboost.questions import Rule, questions
from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.rounds import round_by_topic


@pytest.mark.parametrize("seed", range(5))
def test_weights_and_votes_are_those_of_the_trees(seed):
    run, by_topic = round_by_topic("adaboost", seed)
    y, n = np.asarray(run.problem.y), len(run.problem.y)
    asked = [question for topic in by_topic.values() for question in topic]
    weights, totals = np.full(n, 1 / n), np.zeros((n, 2))
    for number, step in enumerate(run.trace.steps[1:], 1):
        is_wrong = step.predicted != y
        error = weights[is_wrong].sum()
        new = np.where(is_wrong, weights * (1 - error) / error, weights)
        new /= new.sum()
        totals[np.arange(n), step.predicted] += np.log((1 - error) / error)
        for question in asked:
            if question.step != number:
                continue
            row = question.about[0] - 1 if question.about else 0
            answers = {
                "error": float(error),
                "vote": float(np.log((1 - error) / error)),
                "new weight": float(new[row]),
                "largest weight": [int(new.argmax()) + 1],
                "prediction": int(totals[row].argmax()),
            }
            assert judge(question, answers[question.topic]).is_right
        weights = new


def test_who_counts_misclassified_rows_is_told_so():
    run, by_topic = round_by_topic("adaboost", 0)
    question = by_topic["error"][0]
    share = float((run.trace.steps[question.step].predicted != run.problem.y).mean())
    assert judge(question, share).rule is Rule.COUNT


def test_gradient_boosting_asks_for_residuals():
    frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0], "c": list("xxxy")})
    problem = prepare(frame, ["a"], target="c", labelled=True)
    asked = next(questions(Run.of(problem, GradientBoostingClassifier(n_estimators=2))))
    # the prior of y is 1/4, and row 4 is y
    assert asked.about == [4]
    assert judge(asked, 0.75).is_right
