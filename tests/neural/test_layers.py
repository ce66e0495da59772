"""Layers: derivatives against differences, losses and optimisers against scikit-learn."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import log_loss
from sklearn.neural_network._base import LOSS_FUNCTIONS
from sklearn.neural_network._stochastic_optimizers import AdamOptimizer, SGDOptimizer

from dmlib.neural import GradientDescent
from dmlib.neural.activations import ACTIVATIONS, softmax
from dmlib.neural.gradients import numerical_gradient
from dmlib.neural.initialisers import INITIALISERS
from dmlib.neural.layers import backward, dense_backward, drop, forward, mean_loss
from dmlib.neural.losses import LOSSES
from dmlib.neural.optimizers import SGD, AdaGrad, Adam, RMSProp


def network(seed, sizes, rows=7):
    rng = np.random.RandomState(seed)
    coefs = [rng.normal(0, 0.7, shape) for shape in pairwise(sizes)]
    intercepts = [rng.normal(0, 0.7, size) for size in sizes[1:]]
    X = rng.normal(size=(rows, sizes[0]))
    if sizes[-1] > 1:
        Y = np.eye(sizes[-1])[rng.randint(sizes[-1], size=rows)]
    else:
        Y = rng.randint(2, size=(rows, 1)) * 1.0
    return coefs, intercepts, X, Y


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_a_derivative_is_the_slope(name):
    f = ACTIVATIONS[name]
    z = np.array([-30.0, -2.0, -0.5, 0.3, 1.0, 4.0, 30.0])
    slope = (f.function(z + 1e-6) - f.function(z - 1e-6)) / 2e-6
    np.testing.assert_allclose(f.derivative(z, f.function(z)), slope, atol=1e-8)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_no_sum_is_too_large(name):
    f = ACTIVATIONS[name]
    z = np.array([-1e300, -1e4, 1e4, 1e300])
    a = f.function(z)
    assert np.isfinite(a).all()
    assert np.isfinite(f.derivative(z, a)).all()
    assert np.isfinite(softmax(z[None, 1:3])).all()


@pytest.mark.parametrize("sizes", [(2, 3), (2, 1), (3, 4, 2), (2, 5, 4, 3), (1, 3, 3, 3, 1)])
@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("loss", LOSSES)
def test_backpropagation_is_the_numerical_gradient(sizes, activation, loss):
    f, cost = ACTIVATIONS[activation], LOSSES[loss]
    coefs, intercepts, X, Y = network(3, sizes)

    def value():
        return mean_loss(forward(X, coefs, intercepts, f, cost), Y, coefs, cost, 0.3)

    if loss == "log_loss" and sizes[-1] == 1:  # the share of a single class is 1, whatever its sum
        Y = np.ones_like(Y)
    passed = forward(X, coefs, intercepts, f, cost)
    by_coefs, by_intercepts, _ = backward(passed, Y, coefs, f, cost, 0.3)
    numerical = numerical_gradient(value, [*coefs, *intercepts])
    for gradient, expected in zip(by_coefs + by_intercepts, numerical, strict=True):
        np.testing.assert_allclose(gradient, expected, atol=1e-7)


@pytest.mark.parametrize("activation", ["tanh", "relu", "sigmoid", "softplus"])
def test_backpropagation_through_dropped_units(activation):
    f, cost = ACTIVATIONS[activation], LOSSES["log_loss"]
    coefs, intercepts, X, Y = network(5, (2, 6, 5, 3))

    def passed():
        return forward(X, coefs, intercepts, f, cost, dropout=0.4, rng=np.random.RandomState(1))

    by_coefs, by_intercepts, _ = backward(passed(), Y, coefs, f, cost)
    weights = [*coefs, *intercepts]
    numerical = numerical_gradient(lambda: mean_loss(passed(), Y, coefs, cost), weights)
    for gradient, expected in zip(by_coefs + by_intercepts, numerical, strict=True):
        np.testing.assert_allclose(gradient, expected, atol=1e-7)


@settings(deadline=None, max_examples=30)
@given(st.floats(0.0, 0.9), st.integers(0, 1000))
def test_dropout_keeps_the_mean(rate, seed):
    mask = drop(np.random.RandomState(seed), (4000,), rate)
    assert set(np.unique(mask).round(9)) <= {0.0, round(1 / (1 - rate), 9)}
    assert mask.mean() == pytest.approx(1.0, abs=0.3)


def test_the_way_back_through_a_layer_is_the_transpose():
    rng = np.random.default_rng(0)
    A, W, delta = rng.normal(size=(5, 3)), rng.normal(size=(3, 2)), rng.normal(size=(5, 2))
    by_W, by_b, by_A = dense_backward(delta, A, W)
    value = numerical_gradient(lambda: float(((A @ W) * delta).sum()), [W, A])
    np.testing.assert_allclose(by_W, value[0], atol=1e-8)
    np.testing.assert_allclose(by_A, value[1], atol=1e-8)
    np.testing.assert_allclose(by_b, delta.sum(axis=0))


def test_losses_are_those_of_scikit_learn():
    rng = np.random.RandomState(0)
    S, codes = rng.normal(size=(40, 3)), rng.randint(3, size=40)
    Y = np.eye(3)[codes]
    P = LOSSES["log_loss"].output(S)
    assert LOSSES["log_loss"].loss(P, Y).mean() == pytest.approx(log_loss(codes, P), rel=1e-12)
    S, Y = S[:, :1], (codes[:, None] > 0) * 1.0
    P = LOSSES["binary_log_loss"].output(S)
    for name, output in (("binary_log_loss", P), ("squared_error", S)):
        expected = LOSS_FUNCTIONS[name](Y, output, None)
        assert LOSSES[name].loss(output, Y).mean() == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("nesterov", [False, True])
@pytest.mark.parametrize("momentum", [0.0, 0.9])
def test_sgd_goes_where_that_of_scikit_learn_goes(nesterov, momentum):
    assert_same_path(
        lambda params: SGD(params, 0.1, momentum, nesterov),
        lambda params: SGDOptimizer(params, 0.1, "constant", momentum, nesterov),
    )


def test_adam_goes_where_that_of_scikit_learn_goes():
    assert_same_path(lambda params: Adam(params, 0.01), lambda params: AdamOptimizer(params, 0.01))


def assert_same_path(ours, theirs):
    rng = np.random.RandomState(0)
    our_weights = [rng.normal(size=(3, 2)), rng.normal(size=2)]
    their_weights = [array.copy() for array in our_weights]
    rule, reference = ours(our_weights), theirs(their_weights)
    for _ in range(20):
        gradients = [rng.normal(size=array.shape) for array in our_weights]
        for array, update in zip(our_weights, rule.updates(gradients), strict=True):
            np.add(array, update, out=array)
        reference.update_params(their_weights, gradients)
    for array, expected in zip(our_weights, their_weights, strict=True):
        np.testing.assert_allclose(array, expected, rtol=1e-12)


def test_epsilon_of_adam_is_added_before_the_correction():
    """The first step is η r g / (r |g| + ε) with r = √(1 − β₂), not η g / (|g| + ε)."""
    g, root = 1e-8, np.sqrt(1 - 0.999)
    by_hand = -0.1 * g / (root * g + 1e-8)
    (update,) = Adam([np.zeros(1)], 0.1).updates([np.array([g])])
    (theirs,) = AdamOptimizer([np.zeros(1)], 0.1)._get_updates([np.array([g])])
    assert update == pytest.approx(by_hand * root, rel=1e-9)
    assert update == pytest.approx(theirs, rel=1e-12)
    assert update != pytest.approx(-0.1 * g / (g + 1e-8), rel=0.1)
    assert "before this is corrected" in " ".join((Adam.__doc__ or "").split())
    assert "added to the corrected root" in " ".join((GradientDescent.__doc__ or "").split())


@pytest.mark.parametrize("rule", [AdaGrad, RMSProp, Adam])
def test_steps_of_adaptive_rules_do_not_depend_on_the_scale_of_the_gradient(rule):
    gradient = np.array([1.0, -2.0])
    (step,) = rule([np.zeros(2)], 0.1).updates([gradient])
    (large_step,) = rule([np.zeros(2)], 0.1).updates([1e3 * gradient])
    np.testing.assert_allclose(step, large_step, rtol=1e-6)
    assert (np.sign(step) == [-1, 1]).all()


@pytest.mark.parametrize(
    ("name", "variance"),
    [("glorot", 2 / 500), ("he", 2 / 300), ("lecun", 1 / 300), ("normal", 1.0), ("small", 1e-4)],
)
def test_start_weights_have_their_variance(name, variance):
    W = INITIALISERS[name](np.random.RandomState(0), 300, 200)
    assert W.shape == (300, 200)
    assert W.var() == pytest.approx(variance, rel=0.03)
    assert abs(W.mean()) < 4 * np.sqrt(variance / W.size)
