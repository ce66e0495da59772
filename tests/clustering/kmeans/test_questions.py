"""Questions about k-means: the answers are read from the rows and centres again, by hand."""

import numpy as np
import pytest

from dashboard.rounds import practice_settings, questions_of, view_of
from dmlib.clustering.kmeans.questions import Rule
from dmlib.pictures.question import judge
from tests.visit import technique


@pytest.fixture(params=range(6))
def questions(request):
    """Return the run of a round, and its questions by topic."""
    page = technique("kmeans")
    view = view_of(page, practice_settings(page, request.param))
    by_topic = {}
    for each in questions_of(view):
        by_topic.setdefault(each.question.topic, []).append(each.question)
    return view.run, by_topic


def test_a_centre_moves_to_the_mean_of_the_rows_that_are_assigned_to_it(questions):
    run, by_topic = questions
    for question in by_topic["update"]:
        before = run.trace.steps[question.step - 1]
        (cluster,) = question.about
        rows = [
            row for row, label in zip(run.problem.X, before.labels, strict=True) if label == cluster
        ]
        mean = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
        assert judge(question, mean).is_right
        middle = [(min(column) + max(column)) / 2 for column in zip(*rows, strict=True)]
        assert judge(question, middle).rule in (Rule.MIDDLE, None)


def test_rows_that_change_are_those_with_another_nearest_centre(questions):
    run, by_topic = questions
    for question in by_topic["assignment"]:
        before = run.trace.steps[question.step - 1]
        nearest = [
            int(np.argmin([sum((row - center) ** 2) for center in before.centers]))
            for row in run.problem.X
        ]
        changed = [i + 1 for i, label in enumerate(before.labels) if nearest[i] != label]
        assert judge(question, changed).is_right
        assert not judge(question, [*changed, 99]).is_right
