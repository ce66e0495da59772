"""Questions about a network: both passes are computed again, unit by unit, from the weights."""

import math

import numpy as np
import pytest

from dmlib.neural.mlp.questions import Rule
from dmlib.pictures.question import judge
from tests.rounds import round_by_topic, step_of


def passes(run, step):
    """Return hidden sums, hidden activations and outputs of all rows, and their targets."""
    (W, V), (b, c) = step.coefs, step.intercepts
    sums = np.array([[sum(x * W[:, j]) + b[j] for j in range(3)] for x in run.problem.X])
    hidden = np.maximum(sums, 0)
    outputs = np.array([1 / (1 + math.exp(-(sum(a * V[:, 0]) + c[0]))) for a in hidden])
    return sums, hidden, outputs, np.asarray(run.problem.y, float)


@pytest.mark.parametrize("seed", range(5))
def test_the_way_forward_and_the_loss(seed):
    run, by_topic = round_by_topic("mlp", seed)
    for question in by_topic["forward"]:
        sums, hidden, _, _ = passes(run, step_of(run, question)[1])
        row, unit = question.step % 8, question.step % 3
        assert judge(question, hidden[row, unit]).is_right
        if sums[row, unit] < -0.1:
            assert judge(question, sums[row, unit]).rule is Rule.LINEAR
    for question in by_topic["loss"]:
        _, _, p, y = passes(run, step_of(run, question)[1])
        row = list(run.problem.rows + 1).index(question.about[0])
        assert judge(question, -math.log(p[row] if y[row] else 1 - p[row])).is_right
    for question in by_topic["largest error"]:
        _, _, p, y = passes(run, step_of(run, question)[1])
        assert judge(question, [int(run.problem.rows[np.abs(p - y).argmax()]) + 1]).is_right


@pytest.mark.parametrize("seed", range(5))
def test_the_way_back_and_the_update_by_differences(seed):
    run, by_topic = round_by_topic("mlp", seed)
    for question in by_topic["backward"]:
        step = step_of(run, question)[1]
        sums, _, p, y = passes(run, step)
        row, unit = question.step % 8, (question.step + 1) % 3
        slope = float(sums[row, unit] > 0)
        delta = slope * step.coefs[1][unit, 0] * (p[row] - y[row])
        assert judge(question, delta).is_right
    for question in by_topic["update"]:
        before = step_of(run, question)[1]
        _, hidden, p, y = passes(run, before)
        gradient = hidden.T @ (p - y) / 8
        unit = np.abs(gradient).argmax()
        old = before.coefs[1][unit, 0]
        assert judge(question, old - gradient[unit]).is_right
        assert judge(question, old + gradient[unit]).rule is Rule.UPHILL
