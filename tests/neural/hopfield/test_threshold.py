"""The threshold of a Hopfield network: energies by loops, recalls by brute force, and by hand."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from dmlib.neural import Hopfield
from dmlib.neural.hopfield.algorithm import ORDERS
from dmlib.neural.hopfield.figures.resting_states import resting_states
from dmlib.neural.hopfield.questions import questions
from dmlib.neural.hopfield.reference import hopfield_reference
from dmlib.neural.hopfield.storage import RULES
from dmlib.pictures.question import judge
from tests.contract.test_lessons import section, text_of
from tests.visit import open_preset, open_settings

patterns = st.integers(0, 10_000).map(
    lambda seed: np.random.default_rng(seed).choice([-1.0, 1.0], (3, 9))
)
thresholds = st.floats(-2.0, 2.0)


def energy_of(W, state, threshold):
    """Return the energy, pair by pair and unit by unit."""
    pairs = product(range(len(state)), repeat=2)
    interaction = sum(W[i, j] * state[i] * state[j] for i, j in pairs)
    return -interaction / 2 + sum(threshold * s for s in state)


@given(patterns, thresholds, st.sampled_from(sorted(RULES)), st.sampled_from(ORDERS[:3]))
def test_one_by_one_the_energy_falls_with_every_flip(X, threshold, rule, update):
    model = Hopfield(rule, update=update, noise=0.5, threshold=threshold, random_state=0)
    steps = [step for step in model.steps(X) if step.phase in ("cue", "flip")]
    energies = [energy_of(step.weights, step.state, threshold) for step in steps]
    assert_allclose([step.energy for step in steps], energies, atol=1e-9)
    assert (np.diff(energies) < 0).all()


@given(patterns, thresholds, st.sampled_from(sorted(RULES)))
def test_recall_ends_where_no_single_flip_lowers_the_energy(X, threshold, rule):
    model = Hopfield(rule, threshold=threshold, random_state=0, max_iter=100).fit(X)
    W, state = model.weights_, model.state_
    flipped = [np.where(np.arange(9) == i, -state, state) for i in range(9)]
    lowest = min(energy_of(W, other, threshold) for other in flipped)
    assert model.converged_
    assert lowest >= model.energy_ - 1e-8
    assert_allclose(model.predict([state]), [state])


@given(patterns, thresholds, st.sampled_from(sorted(RULES)))
def test_all_at_once_ends_at_rest_or_in_a_cycle_of_two(X, threshold, rule):
    model = Hopfield(
        rule, update="synchronous", noise=0.5, threshold=threshold, max_iter=1000, random_state=1
    )
    assert model.fit(X).outcome_ != "unfinished"


@given(patterns, thresholds)
def test_the_inverse_network_has_the_opposite_threshold(X, threshold):
    """Where all states are inverted, Hebb's weights stay and the threshold changes its sign."""
    model = Hopfield(update="index", noise=0.0, threshold=threshold).fit(X)
    inverse = Hopfield(update="index", noise=0.0, threshold=-threshold).fit(-X)
    assert_allclose(inverse.state_, -model.state_)
    assert inverse.energy_ == pytest.approx(model.energy_)
    assert (inverse.stable_ == model.stable_).all()


@pytest.mark.parametrize(("threshold", "state"), [(100.0, -1.0), (-100.0, 1.0)])
@pytest.mark.parametrize("update", ORDERS)
def test_a_threshold_beyond_all_sums_switches_every_unit(threshold, state, update):
    X = np.random.default_rng(0).choice([-1.0, 1.0], (3, 9))
    model = Hopfield(update=update, threshold=threshold, random_state=0).fit(X)
    assert (model.state_ == state).all()
    assert model.converged_


def test_a_stable_pattern_has_every_sum_beyond_the_threshold():
    X = np.random.default_rng(3).choice([-1.0, 1.0], (3, 30))
    for threshold in (0.0, 0.5, 0.9, 1.5):
        model = Hopfield(noise=0.0, threshold=threshold, random_state=0).fit(X)
        sums = X @ model.weights_
        expected = [
            bool(((row > threshold) == (x > 0)).all()) for row, x in zip(sums, X, strict=True)
        ]
        assert model.stable_.tolist() == expected


def test_eight_units_with_a_threshold_are_those_of_the_lesson():
    run, scene, look_for = open_preset("hopfield", "Eight units with a threshold")
    flips = [step for step in run.trace.steps if step.phase == "flip"]
    assert [(step.change.unit, step.change.net, step.energy) for step in flips] == [
        (2, -1.0, -3.0),
        (7, -0.5, -4.0),
    ]
    assert (run.fitted.state_ > 0).sum() == 2
    text = section(text_of("hopfield"), "By hand")
    for number in ("$h = -0.25 - 0.75 = -1$", "**−3**; unit 8", "**−4**"):
        assert number in text
    assert "less 0.75 = −1" in look_for
    formulas = [block["text"] for block in scene["frames"][-1]["ledger"] if "text" in block]
    assert formulas[-1] == "E = −½ sᵀWs + θ Σ sᵢ = −1 + 0.75 · (−4) = −4"
    flip = next(frame for frame in scene["frames"] if frame["phase"] == "flip")
    sums = [block["text"] for block in flip["ledger"] if "text" in block]
    assert sums[0].endswith("− 0.75 = −1")
    assert "has h = −0.25 − 0.75 = −1 and switches off" in flip["caption"]


@pytest.mark.parametrize("threshold", [-0.6, 0.0, 0.4])
def test_networkxs_cut_has_the_same_energy(threshold):
    run, _ = open_settings("hopfield", threshold=threshold)
    answers = hopfield_reference(run).answer(run)
    assert answers.energy_ == pytest.approx(run.fitted.energy_)


def test_fewer_units_on_by_a_threshold():
    run, *_ = open_preset("hopfield", "Fewer units on by a threshold")
    model = run.fitted
    assert (model.n_wrong_, model.energy_, model.stable_.all()) == (8, -28.0, True)
    assert energy_of(model.weights_, model.patterns_[0], 0.5) == -24.0
    assert (model.state_ <= model.patterns_[0]).all()
    assert Hopfield(noise=0.2, random_state=0).fit(run.problem.data).energy_ == -32.0


@pytest.mark.parametrize("update", ORDERS)
def test_questions_and_attractors_know_the_threshold(update):
    run, _ = open_settings(
        "hopfield",
        source="generator",
        generator="random_patterns",
        **{"random_patterns.n_patterns": "3", "random_patterns.side": "3"},
        update=update,
        noise=0.35,
        threshold=0.4,
    )
    theta, W = 0.4, run.fitted.weights_
    n_judged = 0
    for question in questions(run):
        step, before = run.trace.steps[question.step], run.trace.steps[question.step - 1]
        if question.topic == "sum":
            assert judge(question, float(W[step.change.unit] @ before.state) - theta).is_right
            assert "θ (0.4)" in question.prompt
        elif question.topic == "energy":
            assert judge(question, energy_of(W, step.state, theta)).is_right
        elif question.topic == "update":
            now = np.where(W @ before.state > theta, 1.0, -1.0)
            changed = (np.flatnonzero(now != before.state) + 1).tolist()
            assert judge(question, changed).is_right
        n_judged += 1
    assert n_judged
    assert resting_states(run).data
