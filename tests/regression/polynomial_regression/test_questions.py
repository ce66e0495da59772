"""Questions about polynomials: the answers are computed again with numpy's polyfit."""

import numpy as np
import pytest

from dashboard.rounds import questions_of, view_of
from dashboard.settings import Settings
from dmlib.pictures.question import judge
from dmlib.regression.polynomial_regression.questions import Rule
from tests.rounds import round_by_topic
from tests.visit import technique


@pytest.mark.parametrize("seed", range(5))
def test_each_degree_is_that_of_polyfit(seed):
    run, by_topic = round_by_topic("polynomial_regression", seed)
    x, y = run.problem.X[:, 0], np.asarray(run.problem.y)
    rows = run.problem.rows + 1
    for question in [one for topic in by_topic.values() for one in topic]:
        degree = question.step  # the first step is the constant
        residuals = y - np.polyval(np.polyfit(x, y, degree), x)
        sse = float(residuals @ residuals)
        answers = {
            "SSE": sse,
            "RMSE": np.sqrt(sse / len(x)),
            "left end": [x.min(), y[x.argmin()] - residuals[x.argmin()]],
            "residual": [int(rows[np.abs(residuals).argmax()])],
            "coefficients": degree + 1,
            "scale": 2 * (x[list(rows).index((*question.about, 1)[0])] - x.min()) / np.ptp(x) - 1,
        }
        assert judge(question, answers[question.topic]).is_right, question.prompt
        if question.topic == "RMSE":
            wrong = np.sqrt(sse / (len(x) - degree - 1))
            assert judge(question, wrong).rule is Rule.FREEDOM


@pytest.mark.parametrize("method", ["Natural cubic spline", "Local regression"])
def test_other_curves_ask_too(method):
    page = technique("polynomial_regression")
    link = {"polynomial_regression.method": [method]}
    view = view_of(page, Settings.from_query(link, page.opening_link))
    questions = [each.question for each in questions_of(view)]
    assert questions
    assert all(judge(each, each.answer.right[0]).is_right for each in questions)
