"""Questions about gradient descent: x² + 3y² is differentiated by hand."""

import numpy as np
import pytest

from dmlib.neural.gradient_descent.questions import Rule
from dmlib.pictures.question import judge
from tests.rounds import round_by_topic, step_of

ETA, MU = 0.1, 0.7


def gradient(place):
    """Return the gradient of x² + 3y²."""
    return np.array([2 * place[0], 6 * place[1]])


@pytest.mark.parametrize("seed", range(5))
def test_walkers_move_by_the_gradient_and_the_velocity(seed):
    run, by_topic = round_by_topic("gradient_descent", seed)
    for question in by_topic["gradient"]:
        walker = question.about[0] - 1
        place = step_of(run, question)[1].places[walker]
        assert judge(question, (place - ETA * gradient(place)).tolist()).is_right
        assert judge(question, (place + ETA * gradient(place)).tolist()).rule is Rule.UPHILL
    for question in by_topic["momentum"]:
        walker = question.about[0] - 1
        steps = run.trace.steps[: question.step]
        velocity = np.zeros(2)
        for step in steps[:-1]:
            velocity = MU * velocity - ETA * gradient(step.places[walker])
        place = steps[-1].places[walker]
        new = place + MU * velocity - ETA * gradient(place)
        assert judge(question, new.tolist()).is_right


@pytest.mark.parametrize("seed", range(3))
def test_the_walker_with_the_lowest_value_and_the_longest_step(seed):
    run, by_topic = round_by_topic("gradient_descent", seed)
    for question in [*by_topic["lowest"], *by_topic["longest step"]]:
        step, before = step_of(run, question)
        heights = step.places**2 @ [1, 3]
        lengths = np.hypot(*(step.places - before.places).T)
        values = lengths if question.topic == "longest step" else -heights
        assert judge(question, [int(values.argmax()) + 1]).is_right
        assert not judge(question, [int(values.argmin()) + 1]).is_right
