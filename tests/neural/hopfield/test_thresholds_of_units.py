"""A threshold for each unit: by hand, by brute force, and as units 0 and 1 without any."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from dmlib.datasets import make
from dmlib.neural import Hopfield
from dmlib.neural.hopfield.algorithm import ORDERS
from dmlib.neural.hopfield.figures.resting_states import resting_states
from dmlib.neural.hopfield.questions import questions
from dmlib.neural.hopfield.reference import hopfield_reference
from dmlib.neural.hopfield.storage import RULES, store
from dmlib.neural.hopfield.thresholds import THRESHOLDS, midpoint
from dmlib.pictures.question import judge
from tests.contract.test_lessons import section, text_of
from tests.visit import open_preset, open_settings

OWN = [name for name in THRESHOLDS if name != "same"]
patterns = st.integers(0, 10_000).map(
    lambda seed: np.where(np.random.default_rng(seed).random((3, 9)) < 0.3, 1.0, -1.0)
)
HAND = np.array([[1, 0, 0, 0, 0, 0, 0, 0], [1, 1, 1, 0, 0, 0, 0, 0], [1, 1, 0, 1, 0, 0, 0, 0]])


def energy_of(W, state, thresholds):
    """Return the energy, pair by pair and unit by unit."""
    pairs = product(range(len(state)), repeat=2)
    interaction = sum(W[i, j] * state[i] * state[j] for i, j in pairs)
    return -interaction / 2 + sum(t * s for t, s in zip(thresholds, state, strict=True))


@given(
    patterns,
    st.floats(-1.0, 1.0),
    st.sampled_from(OWN),
    st.sampled_from(sorted(RULES)),
    st.sampled_from(ORDERS[:3]),
)
def test_one_by_one_the_energy_falls_with_every_flip(X, threshold, thresholds, rule, update):
    model = Hopfield(
        rule,
        update=update,
        noise=0.5,
        threshold=threshold,
        thresholds=thresholds,
        random_state=0,
        max_iter=100,
    )
    *_, last = run = [step for step in model.steps(X) if step.phase != "store"]
    moves = [step for step in run if step.phase in ("cue", "flip")]
    energies = [energy_of(step.weights, step.state, step.thresholds) for step in moves]
    assert_allclose([step.energy for step in moves], energies, atol=1e-9)
    assert (np.diff(energies) < 0).all()
    flipped = [np.where(np.arange(9) == i, -last.state, last.state) for i in range(9)]
    lowest = min(energy_of(last.weights, other, last.thresholds) for other in flipped)
    assert last.converged
    assert lowest >= last.energy - 1e-8


@given(patterns, st.sampled_from(OWN))
def test_all_at_once_ends_at_rest_or_in_a_cycle_of_two(X, thresholds):
    model = Hopfield(
        update="synchronous", noise=0.5, thresholds=thresholds, max_iter=1000, random_state=1
    )
    assert model.fit(X).outcome_ != "unfinished"


@given(patterns, st.sampled_from(sorted(RULES)), st.integers(0, 511))
def test_units_0_and_1_without_thresholds_do_the_same(X, rule, start):
    """Recall as Hopfield (1982) writes it: V is 0 or 1, and a unit is on if its sum is above 0."""
    model = Hopfield(rule, update="index", thresholds="binary", max_iter=50).fit(X)
    W = model.weights_
    V = np.array([start >> i & 1 for i in range(9)], float)
    state = 2 * V - 1
    for _ in range(50):
        for i in range(9):
            total = W[i] @ V
            if abs(total) > 1e-9:
                V[i] = float(total > 0)
    assert_allclose(model.predict([state]), [2 * V - 1])


@given(patterns, st.sampled_from(sorted(RULES)))
def test_the_midpoint_is_between_the_sums_of_each_unit(X, rule):
    W = store(X, rule)
    thresholds = midpoint(X, W)
    for i, column in enumerate((X @ W).T):
        on, off = column[X[:, i] > 0], column[X[:, i] < 0]
        both = len(on) and len(off)
        assert thresholds[i] == pytest.approx((on.mean() + off.mean()) / 2 if both else 0)


def test_few_cells_on_are_recalled_with_a_threshold_each_and_with_no_common_one():
    X = make("random_patterns", n_patterns=6, on=0.2).patterns.reshape(6, -1)
    common = [Hopfield(noise=0.0, threshold=t).fit(X).n_stable_ for t in np.linspace(-3, 3, 61)]
    assert max(common) == 1
    own = [
        Hopfield(noise=0.1, cue=p, thresholds="midpoint", random_state=0).fit(X)
        for p in range(1, 7)
    ]
    assert {model.n_stable_ for model in own} == {6}
    assert [model.n_wrong_ for model in own] == [0] * 6


def test_by_hand():
    model = Hopfield(update="index", noise=0.0, cue=2, flips=(0,), thresholds="midpoint")
    steps = list(model.steps(HAND))
    assert steps[2].thresholds.tolist() == [0, 0.5, -0.5, -0.5, 0, 0, 0, 0]
    assert steps[2].stable.all()
    moves = [step for step in steps if step.phase in ("cue", "flip")]
    assert [step.energy for step in moves] == [-0.75, -4]
    assert (moves[1].change.unit, moves[1].change.net) == (0, 1.625)
    assert steps[-1].outcome == "stored"
    same = Hopfield(update="index", noise=0.0, cue=2, flips=(0,)).fit(HAND)
    assert (same.n_stable_, same.n_wrong_) == (0, 1)
    assert np.flatnonzero(same.state_ > 0).tolist() == [0, 1]
    sums = np.where(HAND > 0, 1.0, -1.0) @ same.weights_
    assert sums[:, 1].tolist() == [0.375, 0.625, 0.625]
    assert sums[:, 2].tolist() == [-0.625, -0.375, -0.625]
    text = section(text_of("hopfield"), "By hand")
    assert "| 2 | 0.625 | 0.375 | 0.5 |" in text
    assert "| 3 | −0.375 | −0.625 | −0.5 |" in text
    assert "**−0.75**" in text
    assert "= 1.625$" in text


def test_the_preset_by_hand():
    run, scene, look_for = open_preset("hopfield", "Eight units with a threshold each")
    assert run.fitted.energy_ == -4
    assert run.fitted.thresholds_[1:4].tolist() == [0.5, -0.5, -0.5]
    assert "ends in the second at −4" in look_for
    flip = next(frame for frame in scene["frames"] if frame["phase"] == "flip")
    texts = [block["text"] for block in flip["ledger"] if "text" in block]
    assert texts[-1] == "θ of unit 1 = 0: it is the same in all patterns"
    last = [block["text"] for block in scene["frames"][-1]["ledger"] if "text" in block]
    assert last[-1] == "E = −½ sᵀWs + Σ θᵢ sᵢ = −4.5 + 0.5 = −4"


def test_the_preset_of_few_cells():
    run, *_ = open_preset("hopfield", "Few cells on: one threshold")
    assert (run.fitted.n_stable_, run.fitted.n_wrong_) == (0, 14)
    states = [
        Hopfield(noise=0.1, cue=p, random_state=0).fit(run.problem.data).state_ for p in range(1, 7)
    ]
    assert len(np.unique(states, axis=0)) == 2
    _, scene, _ = open_preset(
        "hopfield", "Few cells on: one threshold", **{"hopfield.thresholds": "midpoint"}
    )
    flip = next(frame for frame in scene["frames"] if frame["phase"] == "flip")
    texts = [block["text"] for block in flip["ledger"] if "text" in block]
    assert "between its mean sums on and off: ½ (" in texts[-1]


@pytest.mark.parametrize("thresholds", OWN)
def test_networkxs_cut_has_the_same_energy(thresholds):
    run, _ = open_settings("hopfield", thresholds=thresholds)
    answers = hopfield_reference(run).answer(run)
    assert answers.energy_ == pytest.approx(run.fitted.energy_)


@pytest.mark.parametrize("update", ORDERS)
def test_questions_and_attractors_know_the_thresholds(update):
    run, _ = open_settings(
        "hopfield",
        source="generator",
        generator="random_patterns",
        **{
            "random_patterns.n_patterns": "3",
            "random_patterns.side": "3",
            "random_patterns.on": "0.3",
        },
        update=update,
        noise=0.35,
        thresholds="midpoint",
    )
    W, theta = run.fitted.weights_, run.fitted.thresholds_
    n_judged = 0
    for question in questions(run):
        step, before = run.trace.steps[question.step], run.trace.steps[question.step - 1]
        if question.topic == "sum":
            unit = step.change.unit
            assert judge(question, float(W[unit] @ before.state) - theta[unit]).is_right
        elif question.topic == "energy":
            assert judge(question, energy_of(W, step.state, theta)).is_right
        elif question.topic == "update":
            now = np.where(W @ before.state > theta, 1.0, -1.0)
            changed = (np.flatnonzero(now != before.state) + 1).tolist()
            assert judge(question, changed).is_right
        n_judged += 1
    assert n_judged
    assert resting_states(run).data
