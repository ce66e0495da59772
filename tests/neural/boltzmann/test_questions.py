"""Questions about a restricted Boltzmann machine: sums and updates, term by term."""

import math
import re

import numpy as np
import pytest

from dmlib.neural import BoltzmannMachine
from dmlib.neural.boltzmann.questions import Rule, StackRule, questions
from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from dmlib.problem import prepare_patterns
from tests.rounds import round_by_topic, step_of

ETA = 0.5


@pytest.mark.parametrize("seed", range(5))
def test_sums_and_probabilities(seed):
    run, by_topic = round_by_topic("boltzmann", seed)
    for question in [*by_topic["sum"], *by_topic["probability"]]:
        step, _ = step_of(run, question)
        unit = question.about[0] - 1
        v, weights = step.sampled.v_pos, step.parameters.components[unit]
        z = step.parameters.hidden[unit] + sum(w for w, on in zip(weights, v, strict=True) if on)
        is_sum = question.topic == "sum"
        assert judge(question, z if is_sum else 1 / (1 + math.exp(-z))).is_right
        if not is_sum:
            assert judge(question, float(z > 0)).rule is Rule.THRESHOLD


@pytest.mark.parametrize("seed", range(5))
def test_updates_are_those_of_the_parameters(seed):
    run, by_topic = round_by_topic("boltzmann", seed)
    for question in by_topic["weight"]:
        step, before = step_of(run, question)
        cell = question.about[0] - 1
        unit = int(re.search(r"hidden unit (\d)", question.prompt)[1]) - 1
        change = step.parameters.components - before.parameters.components
        assert judge(question, change[unit, cell]).is_right
    for question in by_topic["intercepts"]:
        step, before = step_of(run, question)
        falls = step.parameters.visible < before.parameters.visible - 1e-12
        assert judge(question, (np.flatnonzero(falls) + 1).tolist()).is_right


def test_a_machine_without_hidden_units_asks_for_probabilities_and_energies():
    problem = prepare_patterns([[[1, 1], [0, 0]], [[1, 0], [1, 0]]])
    run = Run.of(problem, BoltzmannMachine(temperature=0.5, n_iter=3, random_state=0))
    for question in questions(run):
        step, _ = step_of(run, question)
        is_energy = question.topic == "energy"
        assert judge(question, step.energy if is_energy else step.draw.probability).is_right


def sigmoid(z):
    return 1 / (1 + np.exp(-np.asarray(z)))


@pytest.mark.parametrize("seed", range(4))
def test_the_second_machine_learns_from_probabilities(seed):
    run, by_topic = round_by_topic("boltzmann", seed, 2)
    (size,) = by_topic["size"]
    assert judge(size, run.fitted.coefs_[1].size).is_right
    assert judge(size, 9 * 2).rule is StackRule.PIXELS
    for question in [*by_topic["input of layer 2"], *by_topic["sum of layer 2"]]:
        step, before = step_of(run, question)
        np.testing.assert_array_equal(step.coefs[0], before.coefs[0])
        sums = run.problem.data[0] @ step.coefs[0] + step.intercepts[0]
        unit = question.about[0] - 1
        if question.topic == "input of layer 2":
            right, binary, linear = sigmoid(sums[unit]), float(sums[unit] > 0), sums[unit]
        else:
            w, b = step.coefs[1][:, unit - 3], step.intercepts[1][unit - 3]
            right, binary, linear = (b + v @ w for v in (sigmoid(sums), sums > 0, sums))
        assert judge(question, right).is_right
        errors = {error.rule: error.answer for error in question.errors}
        for rule, answer in ((StackRule.BINARY, binary), (StackRule.LINEAR, linear)):
            if rule in errors:
                assert errors[rule] == pytest.approx(answer)
        assert errors
