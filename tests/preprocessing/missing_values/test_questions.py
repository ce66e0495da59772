"""Questions about missing values: neighbours and values are found again by hand."""

import numpy as np
import pandas as pd
import pytest
from sklearn.impute import KNNImputer

from dashboard.rounds import practice_settings, questions_of, view_of
from dmlib.pictures.answers import Place
from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from dmlib.preprocessing import Imputer
from dmlib.preprocessing.missing_values.algorithm import STRATEGIES
from dmlib.preprocessing.missing_values.questions import Rule, questions
from dmlib.problem import prepare
from tests.visit import technique


@pytest.mark.parametrize("seed", range(4))
def test_values_are_means_of_the_nearest_rows_that_know_them(seed):
    page = technique("missing_values")
    view = view_of(page, practice_settings(page, seed))
    X = view.run.problem.X
    filled = KNNImputer(n_neighbors=3).fit_transform(X)
    for each in questions_of(view):
        question = each.question
        row = question.about[0] - 1
        known = np.flatnonzero(~np.isnan(X[:, 0]))
        gaps = np.abs(X[known, 1] - X[row, 1])
        if question.topic == "neighbours":
            nearest = known[np.argsort(gaps, kind="stable")[:3]] + 1
            assert judge(question, nearest.tolist()).is_right
        elif question.topic == "known values":
            assert judge(question, len(known)).is_right
            assert judge(question, len(X) - 1).rule in (Rule.DONORS, Rule.SERIAL)
        elif len(set(np.sort(gaps)[2:4])) == 2:  # no tie, which scikit-learn breaks in its own way
            value = float(filled[row, 0])
            is_place = isinstance(question.answer, Place)
            assert judge(question, [0.0, value] if is_place else value).is_right


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_method_has_answers_of_its_own_steps(strategy):
    table = pd.DataFrame(
        {"a": [1.0, 2.0, 4.0, 7.0, None], "b": [2.0, None, 6.0, 9.0, 3.0], "c": [*"xxyy", None]}
    )
    problem = prepare(table, ["a", "b", "c"], holes="keep")
    for question in questions(Run.of(problem, Imputer(strategy))):
        assert judge(question, question.answer.right[0]).is_right


def test_means_shrink_the_spread():
    table = pd.DataFrame({"a": [1.0, 2.0, 4.0, 7.0], "b": [2.0, None, 6.0, 9.0]})
    problem = prepare(table, ["a", "b"], holes="keep")
    *_, value, spread = questions(Run.of(problem, Imputer("mean")))
    assert judge(value, 17 / 3).is_right
    assert judge(spread, 0).is_right
