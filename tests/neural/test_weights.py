"""Runs that start from given weights: as arrays, or as JSON has them."""

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose

from dmlib.neural import (
    LSTM,
    NARX,
    Adaline,
    BoltzmannMachine,
    ConvNet,
    DeepMLPClassifier,
    ElmanNetwork,
    Hopfield,
    MLPClassifier,
    Perceptron,
    RestrictedBoltzmannMachine,
)
from dmlib.neural.weights import weights_code, weights_json
from tests.visit import technique

RNG = np.random.RandomState(0)
ROWS, CLASSES = RNG.normal(size=(30, 2)), RNG.randint(2, size=30)
IMAGES = RNG.uniform(size=(20, 6, 6))
BITS = RNG.randint(2, size=(12, 5))
WAVE = np.sin(np.arange(60) / 3)

LAYERS, MACHINE = ("coefs", "intercepts"), ("components", "intercept_hidden", "intercept_visible")
NETWORKS = {
    "mlp": (MLPClassifier((3,), max_iter=3), LAYERS, (ROWS, CLASSES)),
    "deep": (DeepMLPClassifier(2, 3, max_iter=3), (*LAYERS, "scales", "shifts"), (ROWS, CLASSES)),
    "normalised": (
        DeepMLPClassifier(2, 3, batch_norm=True, max_iter=3),
        (*LAYERS, "scales", "shifts"),
        (ROWS, CLASSES),
    ),
    "cnn": (ConvNet(2, max_iter=2), LAYERS, (IMAGES, CLASSES[:20])),
    "restricted": (RestrictedBoltzmannMachine(3, n_iter=2), MACHINE, (BITS,)),
}
RECURRENT = {
    "elman": ElmanNetwork(3, max_iter=3, horizon=5),
    "lstm": LSTM(3, max_iter=3, horizon=5),
    "narx": NARX(3, delays=2, max_iter=3, horizon=5),
}


def learned(model, names):
    return {name: getattr(model, f"{name}_") for name in names}


def start_of(model, data):
    """Return the weights of the first step, one after the other."""
    step = next(iter(model.steps(*data)))
    for name in ("weights", "parameters", "network"):
        weights = getattr(step, name, None)
        if weights is not None:
            break
    else:
        weights = {"coefs": step.coefs, "intercepts": step.intercepts}
    if hasattr(weights, "arrays"):
        return flat(weights.arrays)
    return flat(weights if isinstance(weights, dict | np.ndarray) else vars(weights))


def flat(weights):
    """Return all numbers, sorted: parts may come in another order."""
    if isinstance(weights, dict):
        weights = list(weights.values())
    if isinstance(weights, list | tuple):
        return np.sort(np.concatenate([flat(part) for part in weights])) if weights else np.empty(0)
    return np.sort(np.ravel(weights))


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("form", ["arrays", "in their order", "JSON"])
def test_a_run_starts_from_what_another_has_learned(name, form):
    model, names, data = NETWORKS[name]
    weights = learned(model.set_params(random_state=0, init=type(model)().init).fit(*data), names)
    init = {
        "arrays": weights,
        "in their order": tuple(weights.values()),
        "JSON": json.loads(json.dumps(weights, default=np.ndarray.tolist)),
    }[form]
    assert_allclose(start_of(model.set_params(init=init), data), flat(weights), rtol=1e-15)


@pytest.mark.parametrize("name", RECURRENT)
def test_a_recurrent_network_starts_from_what_another_has_learned(name):
    model = RECURRENT[name].set_params(random_state=0, init="glorot").fit(WAVE)
    init = json.loads(json.dumps(model.weights_, default=np.ndarray.tolist))
    start = start_of(model.set_params(init=init), (WAVE,))
    assert_allclose(start, flat(model.weights_), rtol=1e-15)


def test_a_series_is_learned_on_from_where_it_stood():
    how = {"optimizer": "sgd", "horizon": 5, "random_state": 0}
    full = ElmanNetwork(3, max_iter=10, **how).fit(WAVE)
    half = ElmanNetwork(3, max_iter=5, **how).fit(WAVE)
    continued = ElmanNetwork(3, max_iter=5, init=half.weights_, **how).fit(WAVE)
    assert_allclose(continued.forecast_, full.forecast_, rtol=1e-12)


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize(
    "damage",
    [
        lambda weights: {},
        lambda weights: {"other": 1},
        lambda weights: [*weights.values(), [1.0]],
        lambda weights: {key: [np.zeros((9, 9))] for key in weights},
        lambda weights: {
            key: [np.full_like(part, np.nan) for part in value] for key, value in weights.items()
        },
    ],
    ids=["nothing", "other names", "more", "other shapes", "no numbers"],
)
def test_weights_of_another_network_are_refused(name, damage):
    model, names, data = NETWORKS[name]
    weights = learned(model.set_params(random_state=0, init=type(model)().init).fit(*data), names)
    with pytest.raises(ValueError, match="init must be"):
        model.set_params(init=damage(weights)).fit(*data)


def test_exported_weights_start_a_run():
    model = MLPClassifier((3,), max_iter=3, random_state=0).fit(ROWS, CLASSES)
    space = {"model": model}
    exec(weights_code(model, ["coefs", "intercepts"]), space)
    start = start_of(MLPClassifier((3,), init=json.loads(space["weights"])), (ROWS, CLASSES))
    assert_allclose(start, flat(model.coefs_ + model.intercepts_))


@pytest.mark.parametrize(
    "algorithm", [ElmanNetwork, LSTM, NARX, ConvNet], ids=lambda algorithm: algorithm.__name__
)
def test_every_start_learns_or_stays_finite(algorithm):
    for init in algorithm.PARAMS["init"].options:
        model = algorithm(max_iter=2, init=init, random_state=0)
        model.fit(*((IMAGES, CLASSES[:20]) if algorithm is ConvNet else (WAVE,)))
        assert np.isfinite(model.loss_)


PAGES = {
    "mlp": [NETWORKS["mlp"]],
    "vanishing_gradients": [NETWORKS["deep"], NETWORKS["normalised"]],
    "cnn": [NETWORKS["cnn"]],
    "rnn": [(model, (), (WAVE,)) for model in RECURRENT.values()],
    "boltzmann": [
        NETWORKS["restricted"],
        (BoltzmannMachine(learning="likelihood", n_iter=2, n_learning=3), (), (BITS,)),
    ],
    "hopfield": [(Hopfield("storkey", noise=0.0), (), (BITS,))],
    "perceptron": [
        (Perceptron(max_iter=2), (), (ROWS, CLASSES)),
        (Adaline(max_iter=2), (), (ROWS, CLASSES)),
    ],
}


@pytest.mark.parametrize("slug", PAGES)
def test_the_file_of_weights_that_a_page_offers_starts_a_run(slug):
    for model, _, data in PAGES[slug]:
        fitted = model.set_params(random_state=0, init=type(model)().init).fit(*data)
        init = json.loads(weights_json(fitted, technique(slug).weights))
        continued = type(model)(**{**model.get_params(), "init": init})
        continued.fit(*data)  # takes it
        stores_first = isinstance(model, Hopfield | BoltzmannMachine)  # in its first step
        if not stores_first:
            assert_allclose(start_of(continued, data), flat(init), rtol=1e-9)


@pytest.mark.parametrize("rule", ["hebb", "storkey"])
def test_more_patterns_are_stored_beside_those_that_are(rule):
    full = Hopfield(rule).fit(BITS)
    half = Hopfield(rule).fit(BITS[:5])
    continued = Hopfield(rule, init={"weights": half.weights_}).fit(BITS[5:])
    assert_allclose(continued.weights_, full.weights_, atol=1e-15)


def test_the_pseudo_inverse_cannot_go_on_from_weights():
    half = Hopfield("pseudo_inverse").fit(BITS[:5])
    with pytest.raises(ValueError, match="needs all patterns at once"):
        Hopfield("pseudo_inverse", init=half.weights_).fit(BITS[5:])


@pytest.mark.parametrize(
    "W", [[[0, 1], [2, 0]], [[1, 0], [0, 0]]], ids=["one way only", "with itself"]
)
@pytest.mark.parametrize(
    "model", [Hopfield(), BoltzmannMachine(n_iter=1)], ids=["Hopfield", "Boltzmann"]
)
def test_weights_with_which_the_energy_could_rise_are_refused(model, W):
    init = W if isinstance(model, Hopfield) else (W, [0, 0])
    with pytest.raises(ValueError, match="symmetric weights"):
        model.set_params(init=init).fit([[1, 0], [0, 1]])


def test_a_machine_learns_on_from_where_it_stood():
    how = {"learning": "likelihood", "n_iter": 1, "random_state": 0}
    full = BoltzmannMachine(n_learning=20, **how).fit(BITS)
    half = BoltzmannMachine(n_learning=8, **how).fit(BITS)
    init = half.weights_, half.intercept_
    continued = BoltzmannMachine(n_learning=12, init=init, **how).fit(BITS)
    assert_allclose(continued.weights_, full.weights_, rtol=1e-12)
    assert_allclose(continued.intercept_, full.intercept_, rtol=1e-12)


@pytest.mark.parametrize(
    "init", [{"coef": [[1.0]]}, {"coef": ["a", "b"]}, [1.0], ["x", "y", "z"], [np.nan] * 3]
)
def test_a_unit_refuses_other_weights(init):
    with pytest.raises(ValueError, match="init must have 3 finite initial weights"):
        Perceptron(init=init).fit(ROWS, CLASSES)
