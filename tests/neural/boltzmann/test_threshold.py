"""The threshold of a Boltzmann machine of Hebb's rule: energies by enumeration, and by hand."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlib.neural import BoltzmannMachine
from tests.visit import open_preset


@given(seed=st.integers(0, 30), threshold=st.floats(-1.0, 1.0), temperature=st.floats(0.3, 3.0))
def test_probabilities_are_those_of_all_states(seed, threshold, temperature):
    X = np.random.default_rng(seed).choice([-1.0, 1.0], size=(2, 4))
    model = BoltzmannMachine(
        threshold=threshold, temperature=temperature, n_iter=1, random_state=0
    ).fit(X)
    W = X.T @ X / 4 - np.diag(np.diag(X.T @ X / 4))
    energy = [
        -0.5 * np.array(s) @ W @ np.array(s) + threshold * sum(s)
        for s in product([-1.0, 1.0], repeat=4)
    ]
    weights = np.exp(-np.array(energy) / temperature)
    np.testing.assert_allclose(model.probabilities_, weights / weights.sum())


def test_opposites_are_equally_likely_without_a_threshold_alone():
    X = np.array([[1.0, 1.0, -1.0]])
    even = BoltzmannMachine(n_iter=1, random_state=0).fit(X).probabilities_
    np.testing.assert_allclose(even, even[::-1])
    tilted = BoltzmannMachine(threshold=0.3, n_iter=1, random_state=0).fit(X).probabilities_
    assert tilted[0] > tilted[-1]


def test_learned_biases_need_none():
    X = np.array([[1.0, -1.0], [1.0, 1.0]])
    params = {"learning": "likelihood", "n_learning": 5, "n_iter": 1, "random_state": 0}
    first, second = (BoltzmannMachine(threshold=t, **params).fit(X) for t in (0.0, 1.0))
    np.testing.assert_array_equal(first.intercept_, second.intercept_)


def test_two_units_by_hand():
    opened = open_preset("boltzmann", "Two units with a threshold")
    model = opened.run.fitted
    expected = np.exp([3.0, -1.0, -1.0, -1.0])
    np.testing.assert_allclose(model.probabilities_, expected / expected.sum())
    assert model.probabilities_[0] == pytest.approx(0.948, abs=5e-4)
    assert "θ = 0.5" in opened.scene["frames"][0]["caption"]
