"""Deep networks against numerical gradients, against other implementations, and against the lesson's numbers."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_moons
from sklearn.exceptions import ConvergenceWarning

from dmlib.neural import DeepMLPClassifier, MLPClassifier
from dmlib.neural.activations import sigmoid
from dmlib.neural.batch_norm import normalise, normalise_as, normalise_backward
from dmlib.neural.gradients import numerical_gradient
from dmlib.neural.vanishing_gradients.algorithm import loss_name, targets
from dmlib.neural.vanishing_gradients.deep import Weights, flow, predict

MOONS = make_moons(120, noise=0.1, random_state=0)
IRIS = load_iris(return_X_y=True)


@pytest.mark.parametrize("data", [MOONS, IRIS], ids=["two classes", "three classes"])
@pytest.mark.parametrize("batch_norm", [False, True])
@pytest.mark.parametrize("activation", ["sigmoid", "tanh", "relu"])
def test_the_gradient_is_the_numerical_one(activation, batch_norm, data):
    X, y = data[0][::5], data[1][::5]
    model = DeepMLPClassifier(3, 4, activation, init="he", batch_norm=batch_norm)
    Y = targets(y)
    weights = model.draw(X.shape[1], Y.shape[1], np.random.RandomState(2))
    for array in (*weights.scales, *weights.intercepts):  # a sum of exactly 0 has no slope
        np.add(array, 0.3, out=array)
    name = loss_name(Y.shape[1])
    found = flow(weights, X, Y, activation, name)
    expected = numerical_gradient(
        lambda: flow(weights, X, Y, activation, name).loss, weights.arrays, 1e-6
    )
    for one, other in zip(found.gradients, expected, strict=True):
        np.testing.assert_allclose(one, other, atol=2e-7)


def test_batch_normalisation_backwards_is_the_numerical_gradient():
    rng = np.random.default_rng(0)
    Z, gamma, beta, delta = (
        rng.normal(size=(6, 3)),
        rng.normal(size=3),
        rng.normal(size=3),
        rng.normal(size=(6, 3)),
    )
    by_Z, by_gamma, by_beta = normalise_backward(delta, normalise(Z, gamma, beta), gamma)
    expected = numerical_gradient(
        lambda: float((normalise(Z, gamma, beta).output * delta).sum()), [Z, gamma, beta]
    )
    for one, other in zip((by_Z, by_gamma, by_beta), expected, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-8)
    seen = normalise(Z, np.ones(3), np.zeros(3))
    np.testing.assert_allclose(seen.output.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(seen.output.std(axis=0), 1, atol=1e-4)
    np.testing.assert_allclose(
        normalise_as(Z, gamma, beta, seen.mean, seen.variance), normalise(Z, gamma, beta).output
    )


def test_without_normalisation_it_is_a_multilayer_perceptron():
    deep = DeepMLPClassifier(3, 5, "tanh", learning_rate=0.02, max_iter=8, random_state=3).fit(
        *IRIS
    )
    other = MLPClassifier((5, 5, 5), "tanh", learning_rate=0.02, max_iter=8, random_state=3).fit(
        *IRIS
    )
    for one, two in zip(
        deep.coefs_ + deep.intercepts_, other.coefs_ + other.intercepts_, strict=True
    ):
        np.testing.assert_allclose(one, two, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(deep.predict_proba(IRIS[0]), other.predict_proba(IRIS[0]))


def test_the_chain_of_the_lesson():
    weights = Weights(
        (np.ones((1, 1)),) * 4, (np.zeros(1), *(-0.5 * np.ones(1),) * 3)
    )  # every sum is 0
    found = flow(weights, np.array([[0.0]]), np.array([[1.0]]), "sigmoid", "binary_log_loss")
    assert [a.item() for a in found.activations[1:]] == [0.5] * 4
    by_sums = [gradient.item() for gradient in found.gradients[4:8]]
    assert by_sums == [-0.0078125, -0.03125, -0.125, -0.5]
    assert pytest.approx(-0.00000763, abs=1e-8) == -0.5 * 0.25**8
    assert pytest.approx(5.96, abs=5e-3) == 1.25**8
    assert sigmoid(np.zeros(1)).item() == 0.5


def test_doubled_start_weights_of_relus_multiply_the_output():
    model = DeepMLPClassifier(8, 6, "relu", init="he")
    weights = model.draw(2, 3, np.random.RandomState(0))
    double = Weights(tuple(2 * W for W in weights.coefs), weights.intercepts)
    sums = [
        np.log(predict(each, MOONS[0], "relu", "log_loss", (), ()) + 1e-300)
        for each in (weights, double)
    ]
    one, other = (each - each.mean(axis=1, keepdims=True) for each in sums)
    np.testing.assert_allclose(other, 512 * one, rtol=1e-3, atol=1e-6 * np.abs(other).max())


def test_sigmoids_lose_the_gradient_and_relus_keep_it():
    ratios = [
        DeepMLPClassifier(10, 8, name, init=init, max_iter=1, random_state=0)
        .fit(*MOONS)
        .gradient_ratio_
        for name, init in (("sigmoid", "glorot"), ("relu", "he"))
    ]
    assert ratios[0] < 1e-6
    assert 0.01 < ratios[1] < 100


def test_with_normalisation_a_factor_of_the_weights_does_not_matter():
    X, Y = MOONS[0], targets(MOONS[1])
    weights = DeepMLPClassifier(4, 6, batch_norm=True).draw(2, 1, np.random.RandomState(0))
    larger = Weights(
        (*(7 * W for W in weights.coefs[:-1]), weights.coefs[-1]),
        weights.intercepts,
        weights.scales,
        weights.shifts,
    )
    one, other = (flow(each, X, Y, "sigmoid", "binary_log_loss") for each in (weights, larger))
    np.testing.assert_allclose(one.activations[-1], other.activations[-1], atol=5e-3)


def test_the_error_comes_back_layer_by_layer():
    steps = list(DeepMLPClassifier(3, 4, max_iter=2, random_state=0).steps(*MOONS))
    stages = [(step.phase, step.layer) for step in steps]
    assert stages == [
        ("start", 0),
        ("forward", 1),
        ("forward", 2),
        ("forward", 3),
        ("forward", 4),
        ("backward", 4),
        ("backward", 3),
        ("backward", 2),
        ("backward", 1),
        ("epoch", 0),
        ("epoch", 0),
        ("done", 0),
    ]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_run_that_diverges_keeps_finite_weights():
    X, y = MOONS
    with pytest.warns(
        ConvergenceWarning, match=r"grow without bound in epoch \d+: the learning rate 10000"
    ):
        model = DeepMLPClassifier(
            6, 8, "relu", init="normal", learning_rate=1e4, random_state=0
        ).fit(X * 10, y)
    assert not model.converged_
    assert all(np.isfinite(W).all() for W in model.coefs_)


def test_one_class_is_refused():
    with pytest.raises(ValueError, match="y has only one class"):
        DeepMLPClassifier().fit([[0.0], [1.0]], [1, 1])


def test_from_steps_is_fit():
    how = {"n_hidden_layers": 2, "batch_norm": True, "max_iter": 5, "random_state": 0}
    fitted = DeepMLPClassifier(**how).fit(*MOONS)
    model = DeepMLPClassifier(**how)
    taken = model.fit_from(list(model.steps(*MOONS)), *MOONS)
    np.testing.assert_array_equal(taken.predict_proba(MOONS[0]), fitted.predict_proba(MOONS[0]))
    assert taken.loss_curve_ == fitted.loss_curve_
