"""Questions about reductions: rows are counted, and scikit-learn decodes the same classes."""

import re
from itertools import combinations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsOneClassifier

from dashboard.rounds import questions_of, view_of
from dashboard.settings import Settings
from dmlib.classification.multiclass.questions import Rule
from dmlib.pictures.question import judge
from tests.rounds import round_by_topic
from tests.visit import technique


@pytest.mark.parametrize("seed", range(5))
def test_rows_votes_and_classes_are_those_of_the_pairs(seed):
    run, by_topic = round_by_topic("multiclass", seed)
    X, y = run.problem.X, np.asarray(run.problem.y)
    pairs = list(combinations(range(4), 2))
    for question in by_topic["rows"]:
        pair = pairs[question.step]
        assert judge(question, int(np.isin(y, pair).sum())).is_right
        assert judge(question, len(y)).rule is Rule.ALL
    for question in by_topic["votes"]:
        votes = np.zeros(4)
        for pair in pairs[: question.step + 1]:
            rows = np.isin(y, pair)
            winner = LogisticRegression(tol=1e-8).fit(X[rows], y[rows])
            votes[winner.predict(run.current_query.x[None])[0]] += 1
        (leaders,) = np.nonzero(votes == votes.max())
        assert judge(question, int(leaders[0]) if len(leaders) == 1 else 4).is_right
    model = OneVsOneClassifier(LogisticRegression(tol=1e-8)).fit(X, y)
    for question in by_topic["prediction"]:
        row = question.about[0] - 1
        assert judge(question, int(model.predict(X[[row]])[0])).is_right


@pytest.mark.parametrize("method", ["One-versus-rest", "Output code"])
def test_the_other_reductions_have_questions_too(method):
    page = technique("multiclass")
    settings = Settings.from_query({"method": [method]}, page.opening_link)
    view = view_of(page, settings)
    questions = [each.question for each in questions_of(view)]
    predictions = [question for question in questions if question.topic == "prediction"]
    for question in predictions:
        row = int(re.search(r"row (\d+)", question.prompt)[1]) - 1
        code = view.run.fitted.predict(view.run.problem.X[[row]])[0]
        assert judge(question, int(code)).is_right
    assert predictions
