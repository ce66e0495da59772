"""Questions about a recurrent network: an Elman network of two units is unrolled by hand."""

import math
import re

import numpy as np
import pytest

from dmlib.neural.rnn.questions import Rule
from dmlib.pictures.question import judge
from tests.rounds import round_by_topic, step_of


def states(weights, z):
    """Return the hidden units after each value of a series, and the output of the last."""
    h, hidden = np.zeros(2), []
    for x in z:
        sums = [x * weights["W"][0, j] + h @ weights["U"][:, j] + weights["b"][j] for j in (0, 1)]
        h = np.array([math.tanh(value) for value in sums])
        hidden.append(h)
    return np.array(hidden), float(h @ weights["V"][:, 0] + weights["a"][0])


@pytest.mark.parametrize("seed", range(4))
def test_units_ways_back_and_forecasts(seed):
    run, by_topic = round_by_topic("rnn", seed)
    series = run.problem.values[0]
    training = series[:-8]
    z = (training - training.mean()) / training.std()
    for question in [*by_topic["unit"], *by_topic["way back"]]:
        weights = step_of(run, question)[1].weights
        hidden, _ = states(weights, z)
        t = int(re.search(r"time step (\d+)", question.prompt)[1]) - 1
        j = question.step % 2
        h = hidden[t, j]
        factor = weights["U"][j, j] * (1 - h * h)
        assert judge(question, h if question.topic == "unit" else factor).is_right
    for question in by_topic["forecast"]:
        _, output = states(step_of(run, question)[1].weights, z)
        assert judge(question, output).is_right
        wrong = (series[-8] - training.mean()) / training.std()
        assert judge(question, wrong).rule is Rule.TRUE


@pytest.mark.parametrize("seed", range(4))
def test_the_length_of_a_clipped_update_is_that_of_the_weights(seed):
    run, by_topic = round_by_topic("rnn", seed)
    for question in by_topic["clipping"]:
        step, before = step_of(run, question)
        moved = [step.weights[name] - before.weights[name] for name in step.weights]
        length = math.sqrt(sum((part**2).sum() for part in moved))
        assert judge(question, length).is_right
    for question in by_topic["target"]:
        assert judge(question, [question.about[0] + 1]).is_right
