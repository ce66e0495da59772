"""Questions about logistic regression: scikit-learn's model, and probabilities by the formula."""

import re

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from dmlib.classification.logistic_regression.questions import Rule
from dmlib.pictures.question import judge
from tests.rounds import round_by_topic


def probabilities(run, number):
    """Return the probability of class 1 of each row after a step."""
    b, *w = run.trace.steps[number].coef[0]
    return 1 / (1 + np.exp(-(run.problem.X @ np.array(w) + b)))


@pytest.mark.parametrize("seed", range(5))
def test_probabilities_and_residuals_are_those_of_the_coefficients(seed):
    run, by_topic = round_by_topic("logistic_regression", seed)
    for question in by_topic["probability"]:
        p = probabilities(run, question.step)[question.about[0] - 1]
        assert judge(question, float(p)).is_right
    for question in by_topic["residual"]:
        row = question.about[0] - 1
        p = probabilities(run, question.step - 1)[row]
        assert judge(question, float(run.problem.y[row] - p)).is_right
        assert judge(question, 0.0).rule is Rule.ONLY
    for question in by_topic["largest residual"]:
        residuals = np.abs(run.problem.y - probabilities(run, question.step - 1))
        assert judge(question, [int(residuals.argmax()) + 1]).is_right


@pytest.mark.parametrize("seed", range(5))
def test_the_odds_change_as_in_scikit_learn(seed):
    run, by_topic = round_by_topic("logistic_regression", seed)
    model = LogisticRegression(tol=1e-8).fit(run.problem.X, run.problem.y)
    (question,) = by_topic["odds"]
    column = re.search(r"coefficient of (\w+)", question.prompt)[1]
    slope = model.coef_[0, run.problem.features.index(column)]
    assert judge(question, float(np.exp(slope))).is_right
