"""Questions about a chain of sigmoids: the error goes back by hand, the changes are measured."""

import math

import numpy as np
import pytest

from dmlib.neural.vanishing_gradients.questions import Rule
from dmlib.pictures.question import judge
from tests.rounds import round_by_topic, step_of


def chain(step, x, y):
    """Return the activations of a row in a chain of single units, and the errors from the end."""
    a = [x]
    for W, b in zip(step.weights.coefs, step.weights.intercepts, strict=True):
        a.append(1 / (1 + np.exp(-(np.atleast_1d(a[-1]) @ W[:, 0] + b[0]))))
    errors = [a[-1] - y]
    for layer in reversed(range(1, len(step.weights.coefs))):
        slope = a[layer] * (1 - a[layer])
        errors.insert(0, errors[0] * step.weights.coefs[layer][0, 0] * slope)
    return a, errors


@pytest.mark.parametrize("seed", range(5))
def test_slopes_and_errors(seed):
    run, by_topic = round_by_topic("vanishing_gradients", seed)
    X, y = run.problem.X, np.asarray(run.problem.y, float)
    for question in [*by_topic["slope"], *by_topic["error"]]:
        step, _ = step_of(run, question)
        row = step.layer % len(X)
        a, errors = chain(step, X[row], y[row])
        slope = a[step.layer] * (1 - a[step.layer])
        right = slope if question.topic == "slope" else errors[step.layer - 1]
        assert judge(question, float(right)).is_right
        if question.topic == "error":
            wrong = float(errors[step.layer] * step.weights.coefs[step.layer][0, 0])
            assert judge(question, wrong).rule is Rule.NO_SLOPE


@pytest.mark.parametrize("seed", range(5))
def test_depth_and_changes(seed):
    run, by_topic = round_by_topic("vanishing_gradients", seed)
    for question in by_topic.get("depth", []):
        norms = step_of(run, question)[0].gradient_norms
        assert judge(question, math.exp(2 * math.log(norms[0] / norms[-1]))).is_right
    for question in by_topic["largest change"]:
        step, before = step_of(run, question)
        pairs = zip(step.weights.coefs, before.weights.coefs, strict=True)
        changes = [np.linalg.norm(new - old) / math.sqrt(new.size) for new, old in pairs]
        assert judge(question, [int(np.argmax(changes)) + 1]).is_right
