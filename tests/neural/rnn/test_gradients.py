"""Backpropagation through time against central differences, for every cell, loss and truncation."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from dmlib.neural import LSTM, NARX, ElmanNetwork
from dmlib.neural.gradients import numerical_gradient
from dmlib.neural.initialisers import glorot
from dmlib.neural.rnn.network import mean_loss

NETWORKS = [ElmanNetwork(3), LSTM(3), NARX(3, delays=4)]
B, T, D = 2, 7, 2


def random_task(loss, seed=0):
    rng = np.random.RandomState(seed)
    X, mask = rng.normal(size=(B, T, D)), (rng.random_sample((B, T)) < 0.7).astype(float)
    Y = np.eye(3)[rng.randint(3, size=(B, T))] if loss == "log_loss" else rng.normal(size=(B, T, 3))
    return X, Y, mask


def weights_of(model, seed=1):
    rng = np.random.RandomState(seed)
    weights = model.cell.initial_weights(rng, D, glorot) | {
        "V": glorot(rng, 3, 3),
        "a": rng.normal(size=3),
    }
    return {name: weight + 0.3 * rng.normal(size=weight.shape) for name, weight in weights.items()}


@pytest.mark.parametrize("loss", ["squared_error", "log_loss"])
@pytest.mark.parametrize("model", NETWORKS, ids=lambda model: type(model).__name__)
@pytest.mark.parametrize("later", [False, True])
def test_gradients_are_those_of_differences(model, loss, later):
    X, Y, mask = random_task(loss)
    weights = weights_of(model)
    state = None
    if later:  # a span that goes on from a state, which gets no part of the error
        state = model.answers(weights, X)[2]
        state = tuple(np.array(part) for part in state)
    gradients, _ = model.gradients(weights, X, Y, mask, loss, state)

    def error():
        return mean_loss(model.answers(weights, X, state)[0], Y, mask, loss)

    numerical = numerical_gradient(error, list(weights.values()))
    for name, expected in zip(weights, numerical, strict=True):
        assert_allclose(gradients[name], expected, atol=1e-8, err_msg=name)


@pytest.mark.parametrize("model", NETWORKS, ids=lambda model: type(model).__name__)
def test_the_reach_is_the_derivative_by_the_inputs(model):
    X, Y, _ = random_task("squared_error")
    X, Y, weights = X[:1], Y[:1], weights_of(model)
    last = np.zeros((1, T))
    last[0, -1] = 1

    def error():
        return mean_loss(model.answers(weights, X)[0], Y, last, "squared_error")

    (expected,) = numerical_gradient(error, [X])
    effects = model.reach(weights, X, Y, "squared_error")
    assert_allclose(effects, np.linalg.norm(expected[0], axis=1), atol=1e-8)


@pytest.mark.parametrize("model", NETWORKS, ids=lambda model: type(model).__name__)
def test_a_walk_in_two_parts_is_the_walk(model):
    X, weights = random_task("squared_error")[0], weights_of(model)
    expected = model.answers(weights, X)[0]
    first, _, state = model.answers(weights, X[:, :3])
    second = model.answers(weights, X[:, 3:], state)[0]
    assert_allclose(np.concatenate([first, second], axis=1), expected, atol=1e-12)


def test_one_step_of_each_cell_by_hand():
    x, unit = np.array([[[2.0]]]), np.ones((1, 1))
    output = {"V": unit, "a": np.zeros(1)}
    elman = {"W": 0.5 * unit, "U": unit, "b": np.zeros(1), **output}
    assert ElmanNetwork(1).answers(elman, x)[0].item() == pytest.approx(np.tanh(1.0))
    W = np.array([[0.0, 0.0, 0.0, 0.5]])
    lstm = {"W": W, "U": np.zeros((1, 4)), "b": np.zeros(4), **output}
    c = 0.5 * np.tanh(1.0)
    assert LSTM(1).answers(lstm, x)[0].item() == pytest.approx(0.5 * np.tanh(c))
    state = (np.zeros((1, 1)), np.array([[0.8]]))
    assert LSTM(1).answers(lstm, x, state)[2][1].item() == pytest.approx(0.5 * 0.8 + c)
