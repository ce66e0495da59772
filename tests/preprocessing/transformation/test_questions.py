"""Questions about transformations: scales, samples and groups are computed again."""

import numpy as np
import pandas as pd
import pytest
from sklearn.preprocessing import StandardScaler

from dashboard.rounds import practice_settings, questions_of, view_of
from dmlib.pictures.answers import Place
from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from dmlib.preprocessing import Aggregator, Sampler
from dmlib.preprocessing.transformation.questions import Rule, questions
from dmlib.problem import prepare
from tests.visit import technique


@pytest.mark.parametrize("seed", range(4))
def test_scaled_values_are_z_scores(seed):
    page = technique("transformation")
    view = view_of(page, practice_settings(page, seed))
    problem, steps = view.run.problem, view.run.trace.steps
    Z = StandardScaler().fit_transform(problem.X)
    for each in questions_of(view):
        question, j = each.question, steps[each.question.step].column
        if question.topic == "scaled value":
            (row,) = np.flatnonzero(problem.rows + 1 == question.about[0])
            z, x = float(Z[row, j]), float(problem.X[row, j])
            is_place = isinstance(question.answer, Place)
            assert judge(question, [z, 0.0] if is_place else z).is_right
            uncentred = x / float(problem.X[:, j].std())
            given = [uncentred, 0.0] if is_place else uncentred
            assert judge(question, given).rule is Rule.UNCENTRED
        elif question.topic == "centre":
            assert judge(question, sum(problem.X[:, j]) / len(problem.X)).is_right


def test_a_stratified_sample_has_the_shares_of_the_classes():
    frame = pd.DataFrame({"a": np.arange(12.0), "c": list("xxxxxxxxyyyy")})
    problem = prepare(frame, ["a"], target="c", labelled=True)
    model = Sampler("stratified", n_rows=6, random_state=0)
    (question,) = questions(Run.of(problem, model))
    assert judge(question, 4).is_right


@pytest.mark.parametrize("strategy", ["random", "replacement", "reservoir", "progressive"])
def test_probabilities_are_those_of_the_steps(strategy):
    problem = prepare(pd.DataFrame({"a": np.arange(12.0)}), ["a"])
    run = Run.of(problem, Sampler(strategy, n_rows=3, random_state=0))
    chances = {"random": [1 / 12, 1 / 11, 1 / 10], "replacement": [1 / 12] * 3}
    chances["reservoir"] = [1.0] * 3 + [3 / i for i in range(4, 13)]
    chances["progressive"] = [6]
    for question, value in zip(questions(run), chances[strategy], strict=True):
        assert judge(question, value).is_right


def test_groups_are_rows_alike_in_the_first_column():
    problem = prepare(pd.DataFrame({"a": [5.0, 1.0, 9.0, 2.0]}), ["a"])
    by_topic = {}
    for question in questions(Run.of(problem, Aggregator(size=2))):
        by_topic.setdefault(question.topic, question)
    assert judge(by_topic["group"], [2, 4]).is_right
    assert judge(by_topic["representative"], 1.5).is_right
