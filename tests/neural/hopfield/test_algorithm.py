"""The Hopfield network against R, scikit-learn, SciPy, networkx, brute force, and theory."""

import json
from itertools import product
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.linalg import pinv

from dmlib.neural import Hopfield
from dmlib.neural.hopfield.algorithm import ORDERS
from dmlib.neural.hopfield.recall import energy, fixed_points, signs
from dmlib.neural.hopfield.storage import RULES, store

ORACLE = json.loads((Path(__file__).parents[2] / "golden/hopfield.json").read_text("utf-8"))
PATTERNS = np.array(ORACLE["parameters"]["patterns"], float)
N = PATTERNS.shape[1]


def random(seed, n_patterns=3, n_units=12):
    return np.where(np.random.default_rng(seed).random((n_patterns, n_units)) < 0.5, 1.0, -1.0)


patterns = st.integers(0, 10_000).map(random)


# --- R --------------------------------------------------------------------------------------------


def test_hebbs_weights_are_those_of_r():
    W = store(PATTERNS, "hebb")
    assert_allclose(N * W, ORACLE["expected"]["weights"])
    assert [N * energy(W, x) for x in PATTERNS] == ORACLE["expected"]["energy_of_patterns"]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_recall_flips_as_r_does(number):
    expected = ORACLE["expected"][f"start_{number}"]
    start = np.array(ORACLE["parameters"]["starts"][number - 1])
    flips = tuple(np.flatnonzero(start != PATTERNS[0]).tolist())
    steps = list(Hopfield(update="index", noise=0.0, flips=flips).steps(PATTERNS))
    changes = [
        {
            "sweep": step.n_iter,
            "unit": step.change.unit + 1,
            "net": N * step.change.net,
            "energy": N * step.energy,
        }
        for step in steps
        if step.phase == "flip"
    ]
    assert changes == expected["flips"]
    ends = [step for step in steps if step.phase in ("cue", "sweep")]
    assert [N * step.energy for step in ends] == expected["energy_after_each_sweep_start_first"]
    assert [step.state.tolist() for step in ends] == expected["state_after_each_sweep_start_first"]
    assert steps[-1].n_iter == expected["sweeps_including_quiet_one"]
    assert steps[-1].outcome == "stored"


# --- libraries and brute force --------------------------------------------------------------------


@given(patterns)
def test_the_pseudo_inverse_is_scipys(X):
    projection = X.T @ pinv(X.T)
    expected = projection - np.diag(np.diag(projection))
    assert_allclose(store(X, "pseudo_inverse"), expected, atol=1e-9)


@given(patterns)
def test_storkeys_rule_is_his_sum_written_out(X):
    n = X.shape[1]
    W = np.zeros((n, n))
    for x in X:
        old = W.copy()
        for i, j in product(range(n), repeat=2):
            if i == j:
                continue
            h_ij = sum(old[i, k] * x[k] for k in range(n) if k not in (i, j))
            h_ji = sum(old[j, k] * x[k] for k in range(n) if k not in (i, j))
            W[i, j] = old[i, j] + (x[i] * x[j] - x[i] * h_ji - h_ij * x[j]) / n
    assert_allclose(store(X, "storkey"), W, atol=1e-12)


@given(patterns, st.sampled_from(sorted(RULES)))
def test_networkxs_exchange_cannot_improve_the_cut_of_a_state_at_rest(X, rule):
    """With negated weights, low energy is a large cut, which no exchange of a node enlarges."""
    model = Hopfield(rule, update="steepest", noise=0.4, max_iter=100, random_state=0).fit(X)
    G, on = nx.from_numpy_array(-model.weights_), set(np.flatnonzero(model.state_ > 0))
    cut, _ = nx.approximation.one_exchange(G, initial_cut=on, weight="weight")
    assert -model.weights_.sum() / 2 - 2 * cut == pytest.approx(model.energy_, abs=1e-9)


@given(patterns, st.sampled_from(sorted(RULES)))
def test_recall_ends_in_a_minimum_that_brute_force_finds_too(X, rule):
    model = Hopfield(rule, random_state=0, max_iter=100).fit(X)
    W, state = model.weights_, model.state_
    units = np.arange(len(state))
    energies = [energy(W, np.where(units == i, -state, state)) for i in units]
    assert model.converged_
    assert min(energies) >= model.energy_ - 1e-9


# --- what theory says -----------------------------------------------------------------------------


@given(patterns, st.sampled_from(sorted(RULES)), st.sampled_from(ORDERS[:3]), st.integers(0, 99))
def test_one_by_one_the_energy_falls_with_every_flip(X, rule, update, seed):
    steps = list(Hopfield(rule, update=update, noise=0.5, random_state=seed).steps(X))
    energies = [step.energy for step in steps if step.phase in ("cue", "flip")]
    assert (np.diff(energies) < 0).all()
    nets = [-2 * abs(step.change.net) for step in steps if step.phase == "flip"]
    assert_allclose(np.diff(energies), nets, atol=1e-9)


@given(patterns, st.sampled_from(sorted(RULES)))
def test_all_at_once_ends_at_rest_or_in_a_cycle_of_two(X, rule):
    model = Hopfield(rule, update="synchronous", noise=0.5, max_iter=1000, random_state=1).fit(X)
    assert model.outcome_ != "unfinished"
    assert model.converged_ == (model.outcome_ != "cycle")
    updated = signs(model.weights_ @ model.state_, model.state_)
    assert np.array_equal(updated, model.state_) == model.converged_
    assert np.array_equal(signs(model.weights_ @ updated, updated), model.state_)


@given(patterns)
def test_the_pseudo_inverse_keeps_independent_patterns_and_their_inverses(X):
    if np.linalg.matrix_rank(X) < len(X):
        return
    model = Hopfield("pseudo_inverse", noise=0.0).fit(X)
    assert model.stable_.all()
    assert_allclose(model.predict(-X), -X)


def test_a_stored_pattern_is_recalled():
    model = Hopfield(noise=0.125, random_state=3).fit(PATTERNS)
    assert model.outcome_ == "stored"
    assert model.n_wrong_ == 0
    assert model.energy_ == -3.0
    assert model.n_stable_ == 2
    assert Hopfield(noise=1.0, random_state=0).fit(PATTERNS).outcome_ == "inverse"
    assert_allclose(model.predict(PATTERNS), PATTERNS)


def test_many_recalls_end_in_fixed_points():
    X = random(5, 2, 30)
    W, starts = store(X, "hebb"), random(6, 20, 30)
    ends = fixed_points(W, starts, 100, np.random.RandomState(0))
    assert (signs(ends @ W, ends) == ends).all()


def test_a_mixture_of_three_is_a_spurious_state():
    X = random(0, 3, 1000)
    mixture = np.sign(X.sum(axis=0))
    flips = tuple(np.flatnonzero(mixture > 0).tolist())
    model = Hopfield(cue=0, noise=0.0, flips=flips, random_state=0).fit(X)
    assert model.outcome_ == "spurious"
    assert float(np.mean(model.state_ == mixture)) > 0.95


def test_two_units_that_disagree_swap_for_ever_together():
    model = Hopfield(update="synchronous", cue=1, noise=0.0, flips=(0,)).fit([[1, 1]])
    assert (model.outcome_, model.converged_) == ("cycle", False)


# --- odd data -------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", sorted(RULES))
@pytest.mark.parametrize(
    "X", [np.zeros((1, 9)), np.ones((3, 9)), np.zeros((1, 1)), np.eye(4)], ids=str
)
def test_empty_full_equal_and_single_patterns(rule, X):
    model = Hopfield(rule, noise=0.0, random_state=0).fit(X)
    assert np.isfinite(model.weights_).all()
    assert set(model.state_) <= {-1, 1}
    assert model.outcome_ in ("stored", "spurious")


def test_a_missing_pattern_or_cell_is_refused_in_a_sentence():
    reason = "There are 2 patterns: cue is the number of one of them or 0, not 3"
    with pytest.raises(ValueError, match=reason):
        Hopfield(cue=3).fit(PATTERNS)
    with pytest.raises(ValueError, match="flips are numbers from 0 to 7"):
        Hopfield(flips=(8,)).fit(PATTERNS)


def test_a_limit_of_sweeps_is_an_outcome():
    model = Hopfield(update="synchronous", noise=0.3, max_iter=1, random_state=1)
    model.fit(random(0, 2, 40))
    assert model.outcome_ == "unfinished"
