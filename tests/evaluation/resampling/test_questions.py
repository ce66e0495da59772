"""Questions about resampling: rows out of the bag, and errors, from the splits again."""

import numpy as np
import pandas as pd
import pytest

from dashboard.rounds import practice_settings, questions_of, view_of
from dmlib.evaluation import RegressorResampling
from dmlib.evaluation.resampling.questions import Rule, questions
from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.visit import technique


@pytest.fixture(params=range(4))
def parts(request):
    """Return the run of a round and its questions."""
    page = technique("resampling")
    view = view_of(page, practice_settings(page, request.param))
    return view.run, [each.question for each in questions_of(view)]


def test_rows_out_of_the_bag_test(parts):
    run, all_questions = parts
    for question in (each for each in all_questions if each.topic == "test rows"):
        drawn = set((run.trace.steps[question.step].split.train + 1).tolist())
        assert judge(question, sorted(set(range(1, 11)) - drawn)).is_right
        assert judge(question, sorted(drawn)).rule is Rule.DRAWN


def test_errors_are_means_and_the_estimate_is_weighted(parts):
    run, all_questions = parts
    steps = run.trace.steps
    errors = [np.mean(step.losses) for step in steps if step.phase == "fold"]
    training = next(np.mean(step.losses) for step in steps if step.phase == "training")
    for question in all_questions:
        if question.topic == "mean error":
            n = steps[question.step].index + 1
            assert judge(question, sum(errors[:n]) / n).is_right
        elif question.topic == "training error":
            place = int(np.sign(training - np.mean(errors))) + 1
            assert judge(question, place).is_right
        elif question.topic == "estimate":
            assert judge(question, 0.368 * training + 0.632 * np.mean(errors)).is_right
            if not np.isclose(training, np.mean(errors), atol=0.1):
                half = (training + np.mean(errors)) / 2
                assert judge(question, half).rule is Rule.HALF


def test_the_last_fold_tests_the_rows_that_are_left():
    frame = pd.DataFrame({"a": range(9), "b": [1.0, 2.0, 0.0] * 3})
    problem = prepare(frame, ["a"], target="b", labelled=True, numeric_target=True)
    run = Run.of(problem, RegressorResampling("mean", folds=3, random_state=0))
    (question,) = [each for each in questions(run) if each.topic == "test rows"]
    left = set(range(9)).difference(*(split.test for split in run.trace.steps[0].splits[:2]))
    assert judge(question, [int(row) + 1 for row in left]).is_right
