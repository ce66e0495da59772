"""Questions about distances in many columns: computed again from all columns so far."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from dashboard.rounds import practice_settings, questions_of, view_of
from dmlib.pictures.question import judge
from dmlib.similarity.curse_of_dimensionality.questions import Rule
from tests.visit import technique


@pytest.mark.parametrize("seed", range(4))
def test_distances_are_those_in_all_columns_so_far(seed):
    page = technique("curse_of_dimensionality")
    view = view_of(page, practice_settings(page, seed))
    steps = view.run.trace.steps
    for each in questions_of(view):
        question, d = each.question, each.question.step
        X = np.column_stack([step.values for step in steps[1 : d + 1]])
        lengths = cdist(X[:1], X)[0]
        if question.topic == "distance":
            other = question.about[1] - 1
            assert judge(question, float(lengths[other])).is_right
            gap = float(abs(X[0, -1] - X[other, -1]))
            assert judge(question, gap).rule in (Rule.NEWEST, None)
        elif question.topic == "nearest row":
            assert judge(question, [int(np.argmin(lengths[1:])) + 2]).is_right
        elif question.topic == "contrast":
            near, far = float(lengths[1:].min()), float(lengths.max())
            assert judge(question, far / near - 1).is_right
            assert judge(question, far / near).rule is Rule.RATIO


def test_the_rim_of_a_cube_is_what_random_points_find():
    page = technique("curse_of_dimensionality")
    view = view_of(page, practice_settings(page, 0))
    points = np.random.default_rng(0).random((40_000, 6))
    for each in questions_of(view):
        if each.question.topic == "rim of the cube":
            inside = points[:, : each.question.step]
            share = (np.minimum(inside, 1 - inside).min(axis=1) < 0.05).mean()
            assert abs(100 * share - each.question.answer.value) < 1
