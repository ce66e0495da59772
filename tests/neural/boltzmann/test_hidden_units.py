"""Hidden units of a Boltzmann machine: sums by hand and by enumeration, gradients, XOR."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import approx_fprime

from dmlib.neural import BoltzmannMachine, RestrictedBoltzmannMachine
from dmlib.neural.boltzmann.figures.completion import completion_data
from dmlib.neural.boltzmann.figures.dreams import dreams_data
from dmlib.neural.boltzmann.figures.free_energies import free_energies_data
from dmlib.neural.boltzmann.likelihood import (
    clamped_means,
    free_energies,
    log_likelihood,
    random_hidden_weights,
    widest_pair,
)
from dmlib.neural.boltzmann.questions import LearningRule, questions
from dmlib.neural.boltzmann.ranges import too_much_work
from dmlib.neural.boltzmann.scene import boltzmann_scene
from dmlib.pictures.marks import Points
from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from dmlib.problem import prepare_patterns
from tests.pictures.examples import at
from tests.rounds import round_by_topic, step_of
from tests.visit import open_preset

XOR = np.array([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]], float)
TITLE = "Parity needs a hidden unit"


def weights_of(seed, n):
    rng = np.random.default_rng(seed)
    W = np.triu(rng.normal(size=(n, n)), 1)
    return W + W.T, rng.normal(size=n)


def rows_of(seed, n_rows, n):
    return np.random.default_rng(seed).choice([-1.0, 1.0], size=(n_rows, n))


def factor(state, W, b, temperature=1.0):
    """Return exp(-E / T) of a state, by sums over pairs."""
    n = len(state)
    pairs = sum(W[i][j] * state[i] * state[j] for i in range(n) for j in range(i + 1, n))
    return np.exp((pairs + sum(b[i] * state[i] for i in range(n))) / temperature)


def learned(X, **params):
    params = {"learning": "likelihood", "n_iter": 1, "random_state": 0} | params
    return BoltzmannMachine(**params).fit(X)


# --- sums over hidden units -----------------------------------------------------------------------


def test_two_visible_units_and_a_hidden_one_by_hand():
    # One pattern, both on; the hidden unit is joined to each by ln(2) / 2, and nothing else is.
    w = np.log(2) / 2
    W = np.array([[0, 0, w], [0, 0, w], [w, w, 0]])
    X = np.array([[1.0, 1.0]])
    # e^(-E) is 2 with the hidden unit on, 1/2 off: p(h = 1 | v) = 0.8, its mean 0.6.
    means, products = clamped_means(X, W, np.zeros(3))
    assert_allclose(means, [1, 1, 0.6])
    assert_allclose(products[:, 2], [0.6, 0.6, 1.0])
    # Equal visible units have the sum 2 + 1/2, different ones 1 + 1: p = 2.5 / 9.
    assert log_likelihood(X, W, np.zeros(3), 1.0) == pytest.approx(np.log(2.5 / 9))
    assert free_energies(X, W, np.zeros(3), 1.0)[0] == pytest.approx(-np.log(2.5))


@given(seed=st.integers(0, 50), n_hidden=st.integers(1, 3))
def test_the_clamped_means_are_those_of_enumeration(seed, n_hidden):
    W, b = weights_of(seed, 3 + n_hidden)
    X = rows_of(seed, 4, 3)
    means, products = np.zeros(len(b)), np.zeros_like(W)
    for row in X:
        states = [(*row, *h) for h in product([-1.0, 1.0], repeat=n_hidden)]
        shares = np.array([factor(state, W, b) for state in states])
        for state, share in zip(states, shares / shares.sum(), strict=True):
            means += share * np.array(state) / len(X)
            products += share * np.outer(state, state) / len(X)
    ours = clamped_means(X, W, b)
    assert_allclose(ours[0], means, atol=1e-12)
    upper = np.triu_indices(len(b), 1)  # a product of a unit with itself is no pair
    assert_allclose(ours[1][upper], products[upper], atol=1e-12)
    assert_allclose(ours[1], ours[1].T)


@pytest.mark.parametrize("temperature", [0.6, 1.0, 2.5])
def test_attributes_are_about_visible_units_and_sum_out_the_hidden_ones(temperature):
    W, b = weights_of(3, 5)
    init = {"weights": W.tolist(), "intercept": b.tolist()}
    X = (rows_of(1, 6, 3) + 1) / 2
    params = {"n_hidden": 2, "n_learning": 1, "learning_rate": 1e-4, "n_iter": 7}
    model = learned(X, init=init, temperature=temperature, **params)
    assert np.abs(model.weights_ - W).max() < 1e-3
    p = {}
    for v in product([-1.0, 1.0], repeat=3):
        hidden = product([-1.0, 1.0], repeat=2)
        p[v] = sum(factor((*v, *h), model.weights_, model.intercept_, temperature) for h in hidden)
    total = sum(p.values())
    assert_allclose(model.probabilities_, np.array(list(p.values())) / total)
    rows = [tuple(row) for row in 2 * X - 1]
    assert model.log_likelihood_ == pytest.approx(np.mean([np.log(p[v] / total) for v in rows]))
    assert model.visits_.shape == (8,)
    assert model.visits_.sum() == 7
    assert (model.n_features_in_, len(model.state_)) == (3, 5)
    scores = []
    for v in rows:
        flipped = [tuple(-s if i == j else s for j, s in enumerate(v)) for i in range(3)]
        scores.append(sum(np.log(p[v] / (p[v] + p[other])) for other in flipped))
    assert_allclose(model.score_samples(X), scores)


# --- learning -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n_visible", "n_hidden"), [(2, 1), (3, 1), (3, 2)])
def test_a_move_is_the_numerical_gradient_of_the_likelihood(n_visible, n_hidden):
    n, rate = n_visible + n_hidden, 1e-3
    W, b = weights_of(7, n)
    X = (rows_of(2, 5, n_visible) + 1) / 2
    model = BoltzmannMachine(
        learning="likelihood", n_hidden=n_hidden, learning_rate=rate, init=(W, b)
    )
    step = next(model.steps(X))
    upper = np.triu_indices(n, 1)

    def likelihood(flat):
        V = np.zeros((n, n))
        V[upper] = flat[: len(upper[0])]
        return log_likelihood(2 * X - 1, V + V.T, flat[len(upper[0]) :], 1.0)

    flat = np.append(W[upper], b)
    gradient = approx_fprime(flat, likelihood, 1e-6)
    move = np.append(step.weights[upper] - W[upper], step.bias - b) / rate
    assert_allclose(move, gradient, atol=1e-4)


@pytest.mark.parametrize("seed", range(3))
def test_small_moves_never_lower_the_likelihood(seed):
    X = (rows_of(seed, 8, 4) + 1) / 2
    model = BoltzmannMachine(
        learning="likelihood",
        n_hidden=2,
        learning_rate=0.02,
        n_learning=200,
        n_iter=1,
        random_state=seed,
    )
    likelihoods = [step.log_likelihood for step in model.steps(X) if step.phase == "learn"]
    assert (np.diff(likelihoods) > -1e-12).all()
    assert likelihoods[-1] > likelihoods[0] + 0.1


@pytest.mark.parametrize("seed", range(4))
def test_one_hidden_unit_learns_parity_and_none_learns_nothing(seed):
    params = {"learning_rate": 0.5, "n_learning": 1000, "random_state": seed}
    with_unit, without = learned(XOR, n_hidden=1, **params), learned(XOR, **params)
    assert -2 * np.log(2) - 0.02 < with_unit.log_likelihood_ < -2 * np.log(2)
    assert without.log_likelihood_ == pytest.approx(-3 * np.log(2))
    assert_array_equal(without.weights_, 0.0)
    even = [0, 3, 5, 6]
    assert with_unit.probabilities_[even].min() > 0.24


def test_hidden_units_of_zero_weights_never_learn():
    zeros = (np.zeros((4, 4)), np.zeros(4))
    model = learned(XOR[:2], n_hidden=1, init=zeros)
    assert_array_equal(model.weights_[3], 0.0)
    assert model.weights_[1, 2] > 0


def test_random_weights_are_those_of_hidden_units():
    W, b = random_hidden_weights(np.ones((5, 5)), np.ones(5), 2, np.random.RandomState(0))
    assert_array_equal(W, W.T)
    assert_array_equal(W[:3, :3], 1.0)
    assert_array_equal(b[:3], 1.0)
    assert (W[3:, :3] != 1).all()
    assert W[3, 4] != 1
    assert_array_equal(np.diag(W), 1.0)
    # Of many units the sums of squares of a row are about 1.
    W, _ = random_hidden_weights(np.zeros((400, 400)), np.zeros(400), 4, np.random.RandomState(0))
    assert_allclose((W[396:] ** 2).sum(axis=1), 1.0, atol=0.25)


def test_the_pair_that_is_told_is_the_first_of_the_largest_difference():
    data = np.array([[1, 0.5, 0.2], [0.5, 1, -0.6], [0.2, -0.6, 1]])
    pair = widest_pair(data, np.eye(3))
    assert (pair.units, pair.data, pair.machine) == ((1, 2), -0.6, 0.0)
    assert widest_pair(np.eye(3), np.eye(3)).units == (0, 1)
    assert widest_pair(np.eye(1), np.eye(1)) is None


def test_more_units_than_can_be_listed_learn_by_chains():
    X = (rows_of(0, 6, 12) + 1) / 2
    model = learned(X, n_hidden=2, n_iter=5)
    assert np.isnan(model.log_likelihood_)
    assert model.probabilities_.size == model.visits_.size == 0
    assert np.isfinite(model.score_samples(X)).all()
    # Visible and hidden units count together: eleven and one are listed.
    assert np.isfinite(learned(X[:, :11], n_hidden=1).log_likelihood_)


# --- none of them, and what is refused ------------------------------------------------------------


def test_hebbs_rule_has_no_hidden_units():
    params = {"n_iter": 9, "random_state": 4}
    with_unit, without = (BoltzmannMachine(n_hidden=m, **params).fit(XOR) for m in (1, 0))
    assert_array_equal(with_unit.weights_, without.weights_)
    assert_array_equal(with_unit.visits_, without.visits_)
    assert len(with_unit.state_) == 3


def test_without_hidden_units_learning_is_what_it_was():
    X = (rows_of(5, 7, 4) + 1) / 2
    S = 2 * X - 1
    W, b = np.zeros((4, 4)), np.zeros(4)
    states = np.array(list(product([-1.0, 1.0], repeat=4)))
    for _ in range(20):
        p = np.array([factor(state, W, b) for state in states])
        p /= p.sum()
        by_W, by_b = S.T @ S / 7 - states.T @ (p[:, None] * states), S.mean(0) - p @ states
        np.fill_diagonal(by_W, 0.0)
        W, b = W + 0.1 * by_W, b + 0.1 * by_b
    model = learned(X, n_learning=20)
    assert_allclose(model.weights_, W, atol=1e-12)
    assert_allclose(model.intercept_, b, atol=1e-12)


@pytest.mark.parametrize("n_hidden", [-1, 9, 0.5, None])
def test_a_wrong_number_of_hidden_units_is_refused(n_hidden):
    with pytest.raises(ValueError, match="n_hidden must be a whole number from 0 to 8"):
        learned(XOR, n_hidden=n_hidden)


def test_weights_for_other_units_are_refused():
    with pytest.raises(ValueError, match=r"the parts weights \(4, 4\); intercept \(4,\)"):
        learned(XOR, n_hidden=1, init=(np.zeros((3, 3)), np.zeros(3)))


def test_too_many_states_of_hidden_units_are_refused():
    problem = prepare_patterns(np.ones((1000, 10, 10), bool))
    params = BoltzmannMachine(learning="likelihood", n_learning=1000).get_params()
    assert too_much_work(problem, params) == ""
    assert "Choose fewer sweeps and iterations" in too_much_work(problem, params | {"n_hidden": 8})
    assert too_much_work(problem, params | {"n_hidden": 8, "learning": "hebb"}) == ""


# --- the page -------------------------------------------------------------------------------------


def test_parity_needs_a_hidden_unit():
    run, _, look_for = open_preset("boltzmann", TITLE)
    without, *_ = open_preset("boltzmann", TITLE, n_hidden=0)
    assert_array_equal(run.problem.data, XOR)
    assert f"log-likelihood −{-without.fitted.log_likelihood_:.2f}" in look_for
    assert f"with one it is −{-run.fitted.log_likelihood_:.2f}" in look_for
    assert f"of −{2 * np.log(2):.2f} at best" in look_for
    S = 2 * XOR - 1
    assert_array_equal(S.mean(axis=0), 0.0)
    assert_array_equal(S.T @ S / 4, np.eye(3))


def test_the_ledger_has_both_means_of_the_widest_pair_and_the_hidden_unit():
    run, scene, _ = open_preset("boltzmann", TITLE)
    first, step = scene["frames"][0], run.trace.steps[0]
    lines = [block["text"] for block in first["ledger"] if "text" in block]
    i, j = (unit + 1 for unit in step.pair.units)
    (line,) = (line for line in lines if line.startswith(f"units {i} ("))
    assert f"and {j} (" in line
    change = 0.5 * (step.pair.data - step.pair.machine)
    assert line.endswith(f"= {change:.4g}".replace("-", "−"))
    assert abs(step.pair.data - step.pair.machine) <= step.gap + 1e-9
    table = first["ledger"][-1]
    assert [row[1] for row in table["rows"]][-1] == "hidden"
    assert "visible units are clamped" in first["caption"]
    drawn = [frame["caption"] for frame in scene["frames"] if frame["phase"] == "unit"]
    assert sum(caption.startswith("Unit 4 (hidden)") for caption in drawn) == 1
    last = scene["frames"][-1]["ledger"][1]
    assert last["rows"][0][3] == pytest.approx(run.fitted.probabilities_.max(), abs=1e-3)
    assert sum(row[3] for row in last["rows"]) == pytest.approx(1, abs=0.01)


def test_hidden_units_are_drawn_below_the_cells_as_they_are():
    model = BoltzmannMachine(
        learning="likelihood", n_hidden=3, n_learning=2, n_iter=4, random_state=1
    )
    run = Run.of(prepare_patterns(XOR.reshape(4, 1, 3)), model)
    scene = boltzmann_scene(run)
    (units,) = (
        mark
        for mark in scene.marks
        if isinstance(mark, Points) and mark.of == "unit" and not mark.data
    )
    for i, frame in enumerate(scene.frames):
        assert (at(units.y, i) < 0).all()
        assert at(units.numbers, i).tolist() == [4, 5, 6]
        if frame.step.state is not None:
            assert_array_equal(at(units.hollow, i) == 0, frame.step.state[3:] > 0)
    assert {"hidden unit, on", "hidden unit, off"} <= {key.text for key in scene.legend}
    without = boltzmann_scene(Run.of(run.problem, model.set_params(n_hidden=0)))
    assert not {"hidden unit, on"} & {key.text for key in without.legend}


def test_too_many_units_are_drawn_with_a_note_that_counts_the_hidden_ones():
    problem = prepare_patterns((rows_of(0, 3, 12) > 0).reshape(3, 3, 4))
    model = BoltzmannMachine(
        learning="likelihood", n_hidden=1, n_learning=1, n_iter=1, random_state=0
    )
    scene = boltzmann_scene(Run.of(problem, model))
    limit = "choose patterns of at most 11 cells"
    assert scene.notes[0] == f"The distribution of 13 units cannot be listed: {limit}."
    captions = [frame.caption for frame in scene.frames if frame.phase == "unit"]
    assert sum(caption.startswith("Unit 13 (hidden)") for caption in captions) == 1


@pytest.mark.parametrize("n_hidden", [0, 1])
def test_outputs_follow_from_inputs_by_hidden_units(n_hidden):
    run, *_ = open_preset("boltzmann", TITLE, n_hidden=n_hidden)
    data = completion_data(run)
    assert data.probabilities.shape == (4, 1, 3)
    assert data.share_right == n_hidden
    p, expected = run.fitted.probabilities_, np.empty((4, 3))
    for row, bits in enumerate(XOR.astype(int)):
        for i in range(3):
            on, off = (int(np.where(np.arange(3) == i, s, bits) @ [4, 2, 1]) for s in (1, 0))
            expected[row, i] = p[on] / (p[on] + p[off])
    assert_allclose(data.probabilities.reshape(4, 3), expected)


def test_completions_of_a_restricted_machine_make_its_pseudo_likelihood():
    problem = prepare_patterns((rows_of(4, 5, 6) > 0).reshape(5, 2, 3))
    run = Run.of(problem, RestrictedBoltzmannMachine(3, n_iter=5, random_state=0))
    data = completion_data(run)
    p = np.where(data.patterns > 0.5, data.probabilities, 1 - data.probabilities)
    scores = run.fitted.score_samples(problem.data)
    assert_allclose(np.log(p).sum(axis=(1, 2)), scores)


def test_figures_show_visible_units():
    run, *_ = open_preset("boltzmann", TITLE)
    samples = dreams_data(run).samples
    assert samples.shape[1:] == (8, 1, 3)
    # After 1000 sweeps chains are at patterns: an even number of units is on.
    assert (samples[-1].sum(axis=(1, 2)) % 2 == 0).mean() >= 0.75
    energies = free_energies_data(run)
    assert energies.free
    W, b = run.fitted.weights_, run.fitted.intercept_
    assert_allclose(energies.values[0], free_energies(2 * XOR - 1, W, b, 1.0))


# --- questions ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_questions_of_learning(seed):
    run, by_topic = round_by_topic("boltzmann", seed, 1)
    for question in by_topic["weight of a pair"]:
        step, before = step_of(run, question)
        i, j = (unit - 1 for unit in question.about)
        change = step.weights[i, j] - before.weights[i, j]
        assert judge(question, change).is_right
        assert judge(question, -change).rule is LearningRule.ATTRACTED
    S = 2 * run.problem.data - 1
    for question in by_topic["mean of the data"]:
        _, before = step_of(run, question)
        visible, hidden = (unit - 1 for unit in question.about)
        s = S[question.step % len(S)]
        net = before.weights[hidden, :4] @ s + before.bias[hidden]  # one hidden unit
        assert judge(question, s[visible] * np.tanh(net)).is_right
        wrong = 1 / (1 + np.exp(-2 * net)) if s[visible] > 0 else 0.0
        assert judge(question, wrong).rule is LearningRule.ZERO


def test_without_hidden_units_changes_of_weights_are_asked_for():
    problem = prepare_patterns([[[1, 1], [0, 0]], [[1, 0], [1, 0]]])
    model = BoltzmannMachine(learning="likelihood", n_learning=4, n_iter=2, random_state=0)
    topics = {question.topic for question in questions(Run.of(problem, model))}
    assert "weight of a pair" in topics
    assert "mean of the data" not in topics
