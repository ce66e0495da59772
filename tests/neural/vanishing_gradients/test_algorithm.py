"""Deep networks against numerical gradients, other implementations, and the lesson's numbers."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_moons
from sklearn.exceptions import ConvergenceWarning

from dmlib.neural import DeepMLPClassifier, MLPClassifier
from dmlib.neural.activations import sigmoid
from dmlib.neural.batch_norm import normalise, normalise_as, normalise_backward
from dmlib.neural.gradients import numerical_gradient
from dmlib.neural.vanishing_gradients.deep import Weights, flow, loss_name, predict, targets

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
    passes = flow(weights, X, Y, activation, name)
    numerical = numerical_gradient(
        lambda: flow(weights, X, Y, activation, name).loss, weights.arrays, 1e-6
    )
    for gradient, expected in zip(passes.gradients, numerical, strict=True):
        np.testing.assert_allclose(gradient, expected, atol=2e-7)


def test_batch_normalisation_backwards_is_the_numerical_gradient():
    rng = np.random.default_rng(0)
    Z, delta = rng.normal(size=(2, 6, 3))
    gamma, beta = rng.normal(size=(2, 3))
    gradients = normalise_backward(delta, normalise(Z, gamma, beta), gamma)
    numerical = numerical_gradient(
        lambda: float((normalise(Z, gamma, beta).output * delta).sum()), [Z, gamma, beta]
    )
    for gradient, expected in zip(gradients, numerical, strict=True):
        np.testing.assert_allclose(gradient, expected, atol=1e-8)
    standard = normalise(Z, np.ones(3), np.zeros(3))
    np.testing.assert_allclose(standard.output.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(standard.output.std(axis=0), 1, atol=1e-4)
    output = normalise_as(Z, gamma, beta, standard.mean, standard.variance)
    np.testing.assert_allclose(output, normalise(Z, gamma, beta).output)


def test_without_normalisation_it_is_a_multilayer_perceptron():
    how = {"learning_rate": 0.02, "max_iter": 8, "random_state": 3}
    deep = DeepMLPClassifier(3, 5, "tanh", **how).fit(*IRIS)
    mlp = MLPClassifier((5, 5, 5), "tanh", **how).fit(*IRIS)
    weights = deep.coefs_ + deep.intercepts_
    for array, expected in zip(weights, mlp.coefs_ + mlp.intercepts_, strict=True):
        np.testing.assert_allclose(array, expected, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(deep.predict_proba(IRIS[0]), mlp.predict_proba(IRIS[0]))


def test_the_chain_of_the_lesson():
    intercepts = (np.zeros(1), *(-0.5 * np.ones(1),) * 3)  # so that all sums are 0
    weights = Weights((np.ones((1, 1)),) * 4, intercepts)
    passes = flow(weights, np.array([[0.0]]), np.array([[1.0]]), "sigmoid", "binary_log_loss")
    assert [a.item() for a in passes.activations[1:]] == [0.5] * 4
    by_sums = [gradient.item() for gradient in passes.gradients[4:8]]
    assert by_sums == [-0.0078125, -0.03125, -0.125, -0.5]
    assert pytest.approx(-0.00000763, abs=1e-8) == -0.5 * 0.25**8
    assert pytest.approx(5.96, abs=5e-3) == 1.25**8
    assert sigmoid(np.zeros(1)).item() == 0.5


def test_doubled_start_weights_of_relus_multiply_the_output():
    model = DeepMLPClassifier(8, 6, "relu", init="he")
    weights = model.draw(2, 3, np.random.RandomState(0))
    doubled = Weights(tuple(2 * W for W in weights.coefs), weights.intercepts)

    def centred_sums(weights):
        sums = np.log(predict(weights, MOONS[0], "relu", "log_loss", (), ()) + 1e-300)
        return sums - sums.mean(axis=1, keepdims=True)

    sums = centred_sums(doubled)
    expected = 512 * centred_sums(weights)
    np.testing.assert_allclose(sums, expected, rtol=1e-3, atol=1e-6 * np.abs(sums).max())


def test_sigmoids_lose_the_gradient_and_relus_keep_it():
    how = {"n_hidden_layers": 10, "max_iter": 1, "random_state": 0}
    sigmoids = DeepMLPClassifier(activation="sigmoid", init="glorot", **how).fit(*MOONS)
    relus = DeepMLPClassifier(activation="relu", init="he", **how).fit(*MOONS)
    assert sigmoids.gradient_ratio_ < 1e-6
    assert 0.01 < relus.gradient_ratio_ < 100


def test_with_normalisation_a_factor_of_the_weights_does_not_matter():
    X, Y = MOONS[0], targets(MOONS[1])
    weights = DeepMLPClassifier(4, 6, batch_norm=True).draw(2, 1, np.random.RandomState(0))
    larger = Weights(
        (*(7 * W for W in weights.coefs[:-1]), weights.coefs[-1]),
        weights.intercepts,
        weights.scales,
        weights.shifts,
    )
    output = flow(weights, X, Y, "sigmoid", "binary_log_loss").activations[-1]
    expected = flow(larger, X, Y, "sigmoid", "binary_log_loss").activations[-1]
    np.testing.assert_allclose(output, expected, atol=5e-3)


def test_the_error_comes_back_layer_by_layer():
    steps = list(DeepMLPClassifier(3, 4, max_iter=2, random_state=0).steps(*MOONS))
    stages = [(step.phase, step.layer) for step in steps]
    forward = [("forward", layer) for layer in (1, 2, 3, 4)]
    backward = [("backward", layer) for layer in (4, 3, 2, 1)]
    assert stages == [("start", 0), *forward, *backward, ("epoch", 0), ("epoch", 0), ("done", 0)]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_run_that_diverges_keeps_finite_weights():
    X, y = MOONS
    model = DeepMLPClassifier(6, 8, "relu", init="normal", learning_rate=1e4, random_state=0)
    reason = r"grow without bound in epoch \d+: the learning rate 10000"
    with pytest.warns(ConvergenceWarning, match=reason):
        model.fit(X * 10, y)
    assert not model.converged_
    assert all(np.isfinite(W).all() for W in model.coefs_)


def test_one_class_is_refused():
    with pytest.raises(ValueError, match="y has only one class"):
        DeepMLPClassifier().fit([[0.0], [1.0]], [1, 1])


def test_from_steps_is_fit():
    how = {"n_hidden_layers": 2, "batch_norm": True, "max_iter": 5, "random_state": 0}
    fitted = DeepMLPClassifier(**how).fit(*MOONS)
    model = DeepMLPClassifier(**how)
    from_steps = model.fit_from(list(model.steps(*MOONS)), *MOONS)
    shares = from_steps.predict_proba(MOONS[0])
    np.testing.assert_array_equal(shares, fitted.predict_proba(MOONS[0]))
    assert from_steps.loss_curve_ == fitted.loss_curve_
