"""Boltzmann machines against scikit-learn, sums over states, numerical gradients, and theory."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.optimize import approx_fprime
from sklearn.neural_network import BernoulliRBM

from dmlib.datasets import load
from dmlib.neural import BoltzmannMachine, Hopfield, RestrictedBoltzmannMachine
from dmlib.neural.boltzmann.parameters import Parameters
from dmlib.neural.boltzmann.reference import fit_contrastive
from dmlib.neural.boltzmann.states import all_states, energies, number_of, probabilities

BARS = load("small_bars").patterns.reshape(14, 9).astype(float)
LEARNED = ("components_", "intercept_hidden_", "intercept_visible_")


def rows(seed, n=37, d=6):
    return (np.random.default_rng(seed).random((n, d)) < 0.4).astype(float)


def machine(seed, d=5, h=3):
    rng = np.random.default_rng(seed)
    return Parameters(rng.normal(size=(h, d)), rng.normal(size=h), rng.normal(size=d))


def joint(p):
    """Return -E(v, h) for all v and h, shape (2^d, 2^h), by the definition."""
    v, h = all_states(len(p.visible)), all_states(len(p.hidden))
    return (v @ p.visible)[:, None] + h @ p.hidden + v @ p.components.T @ h.T


# --- the restricted machine -----------------------------------------------------------------------


@pytest.mark.parametrize("batch_size", [1, 10, 37, 50])
def test_persistent_chains_learn_scikit_learns_weights(batch_size):
    X = rows(0)
    params = {"n_components": 4, "batch_size": batch_size, "n_iter": 7, "random_state": 3}
    ours = RestrictedBoltzmannMachine(chains="persistent", **params).fit(X)
    theirs = BernoulliRBM(**params).fit(X)
    for name in LEARNED:
        assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-9, atol=1e-12)
    # Theirs estimates it by one random cell:
    scores = [theirs.set_params(random_state=seed).score_samples(X) for seed in range(3000)]
    assert_allclose(ours.score_samples(X), np.mean(scores, axis=0), rtol=0.1)
    assert_allclose(ours.transform(X), theirs.transform(X), rtol=1e-9)
    assert_allclose(ours.free_energy(X), theirs._free_energy(X), rtol=1e-9)


@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize("batch_size", [5, 37])
def test_contrastive_divergence_is_scikit_learns_update_from_the_data(k, batch_size):
    X = rows(1)
    ours = RestrictedBoltzmannMachine(4, k=k, batch_size=batch_size, n_iter=5, random_state=7)
    ours.fit(X)
    params = {"n_components": 4, "learning_rate": ours.learning_rate, "batch_size": batch_size}
    theirs = fit_contrastive(X, ours, **params)
    for name in LEARNED:
        assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-9, atol=1e-12)


@given(st.integers(0, 999))
def test_free_energy_and_likelihood_are_sums_over_all_states(seed):
    p, X = machine(seed), rows(seed, 8, 5)
    table = np.exp(joint(p))
    by_state = -np.log(table.sum(axis=1))
    numbers = [number_of(2 * x - 1) for x in X]
    assert_allclose(p.free_energy(X), by_state[numbers], rtol=1e-9)
    log_shares = np.log(table.sum(axis=1) / table.sum())
    assert p.log_likelihood(X) == pytest.approx(log_shares[numbers].mean())
    transposed = Parameters(p.components.T, p.visible, p.hidden)  # the layers change their places
    H = rows(seed, 8, 3)
    numbers = [number_of(2 * h - 1) for h in H]
    log_shares = np.log(table.sum(axis=0) / table.sum())
    assert transposed.log_likelihood(H) == pytest.approx(log_shares[numbers].mean())


@given(st.integers(0, 99))
def test_conditional_means_are_those_of_the_joint_distribution(seed):
    p = machine(seed)
    table = np.exp(joint(p))
    given_v = table / table.sum(axis=1, keepdims=True)
    assert_allclose(p.means_hidden(all_states(5)), given_v @ all_states(3), rtol=1e-9)
    given_h = table / table.sum(axis=0, keepdims=True)
    assert_allclose(p.means_visible(all_states(3)), given_h.T @ all_states(5), rtol=1e-9)


def test_many_steps_of_divergence_climb_the_numerical_gradient():
    X = rows(2, 4000, 3)
    start = machine(5, 3, 2)
    h_pos = start.means_hidden(X)
    v_neg = start.dream(X, 60, np.random.RandomState(0))
    update = (h_pos.T @ X - start.means_hidden(v_neg).T @ v_neg) / len(X)

    def likelihood(flat):
        return Parameters(flat.reshape(2, 3), start.hidden, start.visible).log_likelihood(X)

    gradient = approx_fprime(start.components.ravel(), likelihood, 1e-6)
    assert_allclose(update.ravel(), gradient, atol=0.03)
    cosine = float(update.ravel() @ gradient) / np.linalg.norm(update) / np.linalg.norm(gradient)
    assert cosine > 0.98


def test_it_learns_bars():
    params = {"k": 10, "n_iter": 1000, "learning_rate": 0.3, "batch_size": 14, "random_state": 0}
    model = RestrictedBoltzmannMachine(10, **params).fit(BARS)
    assert model.log_likelihood_ > -9 * np.log(2) + 2
    # No distribution gives 14 different rows more:
    assert model.log_likelihood_ < -np.log(14) + 1e-9
    noise = rows(3, 200, 9)
    assert model.free_energy(BARS).mean() < model.free_energy(noise).mean() - 1


def test_dreams_are_visited_as_often_as_they_are_probable():
    p = machine(1, 3, 2)
    exact = np.exp(joint(p)).sum(axis=1)
    dreams = p.dream(np.zeros((20_000, 3)), 30, np.random.RandomState(0))
    visits = np.bincount([number_of(2 * v - 1) for v in dreams], minlength=8)
    assert_allclose(visits / len(dreams), exact / exact.sum(), atol=0.015)


# --- the machine with temperature -----------------------------------------------------------------


@pytest.mark.parametrize("temperature", [0.7, 2.0])
def test_states_are_visited_as_often_as_the_exact_distribution_says(temperature):
    X = BARS[[0, 2, 5], :6]
    model = BoltzmannMachine(temperature=temperature, n_iter=8000, random_state=1).fit(X)
    assert model.probabilities_.sum() == pytest.approx(1)
    assert model.visits_.sum() == 8000
    assert np.abs(model.visits_ / 8000 - model.probabilities_).sum() / 2 < 0.06
    mean = model.probabilities_ @ energies(2 * all_states(6) - 1, model.weights_, model.intercept_)
    assert model.mean_energy_ == pytest.approx(mean, abs=0.08)


def test_hebbs_weights_and_energies_are_those_of_the_hopfield_network():
    hopfield = Hopfield(noise=0.3, random_state=0).fit(BARS[:3])
    model = BoltzmannMachine(n_iter=1, random_state=0).fit(BARS[:3])
    assert_allclose(model.weights_, hopfield.weights_)
    (energy,) = energies(hopfield.state_[None], model.weights_, model.intercept_)
    assert energy == pytest.approx(hopfield.energy_)


def test_near_zero_the_energy_never_rises():
    steps = list(BoltzmannMachine(temperature=0.01, n_iter=20, random_state=4).steps(BARS[:4]))
    sampled = [step.energy for step in steps if step.phase in ("start", "unit", "sweep")]
    assert (np.diff(sampled) <= 1e-9).all()


def test_annealing_finds_the_deepest_valley_more_often():
    X = load("more_letters").patterns.reshape(7, 64)

    def last_energy(cooling, seed):
        model = BoltzmannMachine(temperature=0.05, cooling=cooling, n_iter=60, random_state=seed)
        return model.fit(X).energy_

    cold = np.array([last_energy(1, seed) for seed in range(12)])
    annealed = np.array([last_energy(200, seed) for seed in range(12)])
    assert annealed.mean() < cold.mean()
    assert annealed.min() <= cold.min() + 1e-9


def test_the_temperature_falls_by_one_factor_to_the_last():
    model = BoltzmannMachine(temperature=0.5, cooling=16, n_iter=5, random_state=0)
    temperatures = [step.temperature for step in model.steps(BARS) if step.phase == "sweep"]
    assert_allclose(temperatures, [8, 4, 2, 1, 0.5])


def test_learning_climbs_to_the_means_and_products_of_the_data():
    X = rows(4, 60, 5)
    model = BoltzmannMachine(learning="likelihood", n_learning=900, n_iter=1)
    steps = [step for step in model.steps(X) if step.phase == "learn"]
    likelihoods = [step.log_likelihood for step in steps]
    assert (np.diff(likelihoods) > -1e-12).all()
    states, last = 2 * all_states(5) - 1, steps[-1]
    p = probabilities(energies(states, last.weights, last.bias), 1.0)
    S = 2 * X - 1
    assert_allclose(p @ states, S.mean(axis=0), atol=2e-3)
    assert_allclose(states.T @ (p[:, None] * states), S.T @ S / len(S), atol=2e-3)


def test_the_first_move_is_the_numerical_gradient():
    X, rate = rows(5, 30, 3), 0.01
    step = next(BoltzmannMachine(learning="likelihood", learning_rate=rate).steps(X))
    assert step.phase == "learn"
    S, states = 2 * X - 1, 2 * all_states(3) - 1
    i, j = np.triu_indices(3, 1)

    def likelihood(flat):
        W = np.zeros((3, 3))
        W[i, j] = W[j, i] = flat[:3]
        values = -energies(states, W, flat[3:])
        return float(-energies(S, W, flat[3:]).mean() - np.log(np.exp(values).sum()))

    gradient = approx_fprime(np.zeros(6), likelihood, 1e-7)
    assert_allclose(np.append(step.weights[i, j], step.bias) / rate, gradient, atol=1e-5)


def test_more_units_learn_by_sampling():
    X = load("letters").patterns.reshape(4, 64)
    model = BoltzmannMachine(
        learning="likelihood", temperature=0.2, cooling=20, n_iter=60, random_state=0
    ).fit(X)
    S = np.where(X, 1, -1)
    assert np.abs(S @ model.state_ / 64).max() > 0.8
    assert model.probabilities_.size == 0
    assert np.isnan(model.log_likelihood_)


# --- odd data -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "X", [np.zeros((1, 4)), np.ones((3, 4)), np.zeros((1, 1)), np.eye(13)], ids=str
)
@pytest.mark.parametrize(
    "model",
    [
        BoltzmannMachine(n_iter=5),
        BoltzmannMachine(learning="likelihood", n_iter=5),
        RestrictedBoltzmannMachine(n_iter=3),
    ],
    ids=lambda model: str(model)[:24],
)
def test_empty_full_equal_and_single_patterns(model, X):
    model.fit(X)
    assert np.isfinite(model.mean_energy_)
    assert np.isfinite(model.score_samples(X)).all()


def test_a_temperature_far_from_the_energies_gives_no_nan():
    for temperature in (0.01, 1000.0):
        model = BoltzmannMachine(temperature=temperature, n_iter=5).fit(BARS)
        assert np.isfinite(model.log_likelihood_)
        assert np.isfinite(model.mean_energy_)
        assert np.isfinite(model.probabilities_).all()
