"""Questions about mean shift: means of rows in a window, and scikit-learn's modes."""

import re

import numpy as np
import pytest
from sklearn.cluster import MeanShift

from dmlib.clustering.mean_shift.questions import Rule
from dmlib.pictures.question import judge
from tests.rounds import of_topics, round_by_topic


@pytest.fixture(params=range(6))
def round_of_seed(request):
    return round_by_topic("mean_shift", request.param)


def rows_within(run, place):
    return [
        i for i, row in enumerate(run.problem.X) if np.hypot(*(row - place)) <= run.model.bandwidth
    ]


def test_a_window_is_around_the_present_place_of_the_seed(round_of_seed):
    run, by_topic = round_of_seed
    for question in of_topics(by_topic, "window"):
        (seed,) = question.about
        rows = rows_within(run, run.trace.steps[question.step - 1].places[seed - 1])
        assert judge(question, [row + 1 for row in rows]).is_right
        start = [row + 1 for row in rows_within(run, run.problem.X[seed - 1])]
        assert judge(question, start).rule in (Rule.START, None)


def test_a_seed_moves_to_the_mean_of_the_rows_in_its_window(round_of_seed):
    run, by_topic = round_of_seed
    for question in of_topics(by_topic, "shift"):
        (seed,) = question.about
        place = run.trace.steps[question.step - 1].places[seed - 1]
        rows = run.problem.X[rows_within(run, place)]
        assert judge(question, rows.mean(axis=0).tolist()).is_right
        middle = (rows.min(axis=0) + rows.max(axis=0)) / 2
        assert judge(question, middle.tolist()).rule in (Rule.MIDDLE, Rule.SEEDS, None)


def test_the_modes_are_those_of_scikit_learn(round_of_seed):
    run, by_topic = round_of_seed
    model = MeanShift(bandwidth=run.model.bandwidth).fit(run.problem.X)
    for question in of_topics(by_topic, "modes"):
        assert re.search("h = 2 ", question.prompt)
        assert judge(question, len(model.cluster_centers_)).is_right
