"""Each optimiser against scikit-learn's, or against a loop written down from its paper."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.neural_network._stochastic_optimizers import AdamOptimizer, SGDOptimizer

from dmlib.datasets import load
from dmlib.neural import GradientDescent
from dmlib.neural.gradient_descent.optimizers import OPTIMIZERS
from dmlib.problem import prepare_surface

START = np.array([-1.2, 0.7])
N = 25


@pytest.fixture
def surface():
    return prepare_surface("x^2 + 3*y^2 + sin(x*y)", (-3, 3, -3, 3))


def places(surface, name, **params):
    model = GradientDescent(name, init=START, max_iter=N, tol=0.0, **params)
    return np.array([step.places[0] for step in model.steps(surface)][:-1])


def sklearns(surface, optimizer, place):
    places = [place.copy()]
    for _ in range(N):
        optimizer.update_params([place], [surface.gradient(place)])
        places.append(place.copy())
    return np.array(places)


def test_gradient_and_momentum_are_scikit_learns(surface):
    for name, momentum in (("gradient", 0.0), ("momentum", 0.8)):
        place = START.copy()
        optimizer = SGDOptimizer([place], 0.05, momentum=momentum, nesterov=False)
        expected = sklearns(surface, optimizer, place)
        walked = places(surface, name, learning_rate=0.05, momentum=0.8)
        assert_allclose(walked, expected, rtol=1e-12)


def test_nesterov_looks_ahead_where_scikit_learn_stands(surface):
    """Scikit-learn keeps p + μ v, the place at which the gradient is taken, in place of p."""
    place = START.copy()
    expected = sklearns(surface, SGDOptimizer([place], 0.05, momentum=0.8, nesterov=True), place)
    model = GradientDescent(
        "nesterov", init=START, max_iter=N, tol=0.0, learning_rate=0.05, momentum=0.8
    )
    ahead = [step.moves[0].at[0] for step in model.steps(surface) if step.moves]
    assert_allclose(ahead, expected[:-1], rtol=1e-12)


def test_adam_is_scikit_learns(surface):
    place = START.copy()
    optimizer = AdamOptimizer([place], 0.1, 0.8, 0.99)
    expected = [place.copy()]
    for t in range(1, N + 1):
        optimizer.epsilon = 1e-8 * np.sqrt(1 - 0.99**t)  # added before the correction, ours after
        optimizer.update_params([place], [surface.gradient(place)])
        expected.append(place.copy())
    walked = places(surface, "adam", adaptive_rate=0.1, beta_1=0.8, beta_2=0.99)
    assert_allclose(walked, expected, rtol=1e-9)


def test_adagrad_and_rmsprop_are_their_papers(surface):
    for name in ("adagrad", "rmsprop"):
        place, squares, expected = START.copy(), [0.0, 0.0], [START.copy()]
        for _ in range(N):
            g = surface.gradient(place)
            for j in range(2):
                if name == "adagrad":
                    squares[j] += g[j] ** 2
                else:
                    squares[j] = 0.7 * squares[j] + 0.3 * g[j] ** 2
                place[j] -= 0.1 * g[j] / (squares[j] ** 0.5 + 1e-8)
            expected.append(place.copy())
        walked = places(surface, name, adaptive_rate=0.1, rho=0.7)
        assert_allclose(walked, expected, rtol=1e-9, atol=1e-12)


def test_newton_is_at_the_minimum_of_a_quadratic_function_at_once():
    walked = places(prepare_surface("x^2 + 3*y^2 + x*y - 4*x", (-3, 3, -3, 3)), "newton")
    assert_allclose(walked[1], np.linalg.solve([[2, 1], [1, 6]], [4, 0]), atol=1e-8)


@pytest.mark.parametrize("name", ["adagrad", "adam"])
def test_the_first_step_has_the_length_of_the_rate_in_each_variable(surface, name):
    walked = places(surface, name, adaptive_rate=0.25)
    assert_allclose(np.abs(walked[1] - walked[0]), 0.25, rtol=1e-6)


@pytest.mark.parametrize("name", ["gradient", "momentum", "nesterov"])
@pytest.mark.parametrize("mu", [0.3, 0.9])
def test_the_largest_stable_rate_is_where_a_quadratic_function_turns_unstable(name, mu):
    surface = prepare_surface("10*x^2 + 10*y^2", (-4, 4, -4, 4))
    limit = OPTIMIZERS[name](0.1, *([] if name == "gradient" else [mu])).limit(20.0)
    ends = [
        GradientDescent(
            name, learning_rate=limit * share, momentum=mu, max_iter=1500, init=[1.0, 1.0], tol=1e-6
        )
        for share in (0.98, 1.02)
    ]
    statuses = [list(model.steps(surface))[-1].status for model in ends]
    assert statuses == [("rest",), ("diverged",)]


def test_a_rate_that_decays(surface):
    walked, g = places(surface, "gradient", learning_rate=0.1, decay=0.5), surface.gradient
    for t in (1, 2, 7):
        step = -0.1 / (1 + 0.5 * (t - 1)) * g(walked[t - 1])
        assert_allclose(walked[t] - walked[t - 1], step, rtol=1e-9)


def test_the_auto_rates():
    data = load("ravine")
    surface = prepare_surface(data.formula, data.domain)
    optimizers = GradientDescent(",".join(OPTIMIZERS)).optimizers(surface, np.zeros(2))
    assert optimizers["gradient"].rate == pytest.approx(0.9 * 2 / 20)
    assert optimizers["momentum"].rate == pytest.approx(0.9 * 2 / 20)
    assert optimizers["nesterov"].rate == pytest.approx(0.9 * 2 * 1.9 / (2.8 * 20))
    assert optimizers["adam"].rate == pytest.approx(4 / 30)
    assert optimizers["newton"].rate == 1
