"""Questions about principal components: the answers are computed again with NumPy."""

import numpy as np
import pytest

from dashboard.rounds import practice_settings, questions_of, view_of
from dmlib.decomposition.pca.questions import Rule
from dmlib.pictures.question import judge
from tests.visit import technique


@pytest.fixture(params=range(4))
def questions(request):
    """Return the rows of a round, its steps, and its questions by topic."""
    page = technique("pca")
    view = view_of(page, practice_settings(page, request.param))
    by_topic = {}
    for each in questions_of(view):
        by_topic.setdefault(each.question.topic, []).append(each.question)
    return view.run.problem.X, view.run.trace.steps, by_topic


def angle(axis):
    return float(np.degrees(np.arctan2(axis[1], axis[0])))


def test_the_axis_turns_towards_the_covariance_matrix_times_the_axis(questions):
    X, steps, by_topic = questions
    for question in by_topic.get("turn", []):
        before = steps[question.step - 1]
        if before.component == 0:
            assert judge(question, angle(np.cov(X.T) @ before.axis)).is_right


def test_components_are_eigenvectors_and_their_variances_eigenvalues(questions):
    X, _, by_topic = questions
    values, vectors = np.linalg.eigh(np.cov(X.T))
    first, second = by_topic["explained variance"]
    assert judge(first, 100 * values[1] / values.sum()).is_right
    assert judge(second, 100 * values[0] / values.sum()).is_right
    (direction,) = by_topic["second component"]
    assert judge(direction, angle(vectors[:, 0])).is_right
    (deflated,) = by_topic["deflation"]
    remaining = np.cov(X.T) - values[1] * np.outer(vectors[:, 1], vectors[:, 1])
    assert judge(deflated, float(remaining[1, 1])).is_right


def test_a_score_is_no_distance(questions):
    X, steps, by_topic = questions
    for question in by_topic["score"]:
        (row,) = question.about
        difference = X[row - 1] - X.mean(axis=0)
        assert judge(question, float(difference @ steps[question.step].axis)).is_right
        distance = float(np.linalg.norm(difference))
        assert judge(question, distance).rule in (Rule.DISTANCE, None)
