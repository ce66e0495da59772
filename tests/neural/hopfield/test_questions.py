"""Questions about a Hopfield network: weights and sums are added up again, term by term."""

import numpy as np
import pytest

from dmlib.neural.hopfield.questions import Rule
from dmlib.pictures.question import judge
from tests.rounds import round_by_topic, step_of


def hebb(patterns):
    """Return the weights of Hebb's rule, pair by pair."""
    n = len(patterns[0])
    return [
        [0.0 if i == j else sum(x[i] * x[j] for x in patterns) / n for j in range(n)]
        for i in range(n)
    ]


@pytest.mark.parametrize("seed", range(6))
def test_sums_flips_and_energies(seed):
    run, by_topic = round_by_topic("hopfield", seed)
    patterns = np.where(run.problem.data > 0, 1, -1)
    W = np.array(hebb(patterns))
    for question in [*by_topic["sum"], *by_topic["energy"], *by_topic["flip"]]:
        step, before = step_of(run, question)
        (unit,) = np.flatnonzero(step.state != before.state)
        answers = {
            "sum": W[unit] @ before.state,
            "energy": -0.5 * step.state @ W @ step.state,
            "flip": [int(unit) + 1],
        }
        assert judge(question, answers[question.topic]).is_right
        if question.topic == "sum":
            wrong = (W + 3 / 9 * np.eye(9))[unit] @ before.state
            assert judge(question, wrong).rule is Rule.ITSELF


@pytest.mark.parametrize("seed", range(6))
def test_weights_and_the_end(seed):
    run, by_topic = round_by_topic("hopfield", seed)
    patterns = np.where(run.problem.data > 0, 1, -1)
    for question in by_topic["weight"]:
        i, j = (unit - 1 for unit in question.about)
        assert judge(question, hebb(patterns[: question.step + 1])[i][j]).is_right
    (question,) = by_topic["end"]
    state = run.trace.steps[-1].state.astype(int).tolist()
    kinds = [patterns.tolist(), (-patterns).tolist()]
    right = next((i for i, kind in enumerate(kinds) if state in kind), 2)
    assert judge(question, right).is_right


@pytest.mark.parametrize("seed", range(6))
def test_a_threshold_is_taken_from_the_sum_of_its_unit(seed):
    run, by_topic = round_by_topic("hopfield", seed, 1)
    patterns = np.where(run.problem.data > 0, 1, -1)
    W = np.array(hebb(patterns))
    theta = np.zeros(9)
    for i, sums in enumerate((patterns @ W).T):
        on = patterns[:, i] > 0
        if 0 < on.sum() < len(on):
            theta[i] = (sums[on].mean() + sums[~on].mean()) / 2
    for question in [*by_topic["sum"], *by_topic["flip"]]:
        step, before = step_of(run, question)
        (unit,) = np.flatnonzero(step.state != before.state)
        h = W @ before.state
        if question.topic == "flip":
            assert (h - theta)[unit] * before.state[unit] < 0
            assert judge(question, [int(unit) + 1]).is_right
            continue
        assert judge(question, h[unit] - theta[unit]).is_right
        for wrong, rule in ((h, Rule.NO_THRESHOLD), (h + theta, Rule.ADDED)):
            verdict = judge(question, wrong[unit])
            assert verdict.rule is rule if abs(theta[unit]) > 0.01 else verdict.is_right
