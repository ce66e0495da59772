"""The page of the Hopfield network: its presets and its lesson say what happens; its tools."""

from functools import partial

import numpy as np
import pytest

from dmlib.datasets.drawn.patterns import decode_cells, encode_cells
from dmlib.neural import Hopfield
from dmlib.neural.hopfield.figures.capacity import LOADS, UNITS, capacity_data
from dmlib.neural.hopfield.figures.resting_states import KINDS, resting_states_data
from dmlib.neural.hopfield.ranges import MAX_WEIGHTS
from dmlib.neural.hopfield.storage import store
from tests.contract.test_lessons import section, text_of
from tests.gestures import move
from tests.visit import open_preset, open_settings, sentences_of, technique, visit

open_link = partial(open_settings, "hopfield")
run_of = partial(open_preset, "hopfield")


def formulas(frame):
    return [block["text"] for block in frame["ledger"] if "text" in block]


def test_a_letter_out_of_noise():
    run, scene, look_for = run_of("A letter out of noise")
    cue = next(step for step in run.trace.steps if step.phase == "cue")
    assert (cue.n_wrong, run.fitted.n_wrong_, run.fitted.n_iter_) == (13, 0, 2)
    assert "Thirteen cells" in look_for
    expected = "Done after 2 sweeps: pattern A is recalled, at the energy −32."
    assert scene["frames"][-1]["caption"] == expected


def test_by_hand_is_in_the_lesson():
    run, scene, _ = run_of("Eight units by hand")
    text = section(text_of("hopfield"), "By hand")
    flips = [frame for frame in scene["frames"] if frame["phase"] == "flip"]
    first, second = map(formulas, flips)
    assert first[0].endswith("0.5 + (−0.5) − 2/8 · (−1) = 0.25")
    assert second[0].endswith("(−0.75) + 0.25 − 2/8 · 1 = −0.75")
    assert (first[-1], second[-1]) == ("E: −1 − 2 · |0.25| = −1.5", "E: −1.5 − 2 · |−0.75| = −3")
    for result in ("**−1**", "= 0.25$", "**−1.5**", "= -0.75$", "**−3**"):
        assert result in text
    assert run.fitted.outcome_ == "stored"


def test_all_at_once_for_ever():
    run, scene, _ = run_of("All at once, for ever")
    assert run.fitted.outcome_ == "cycle"
    assert "never converge" in scene["frames"][-1]["caption"]


def test_half_of_a_letter():
    run, _, look_for = run_of("Half of a letter")
    assert (run.fitted.outcome_, run.fitted.target_, len(run.model.flips)) == ("stored", 0, 24)
    assert "24 cells" in look_for


def test_letters_that_are_too_much_alike():
    run, _, look_for = run_of("Letters that are too much alike")
    assert (run.fitted.n_stable_, run.fitted.n_wrong_) == (2, 15)
    assert "keeps two stable" in look_for
    assert "15 cells away" in look_for
    run, *_ = run_of("Letters that are too much alike", rule="pseudo_inverse")
    assert (run.fitted.n_stable_, run.fitted.n_wrong_) == (7, 0)


def test_ten_digits():
    run, _, look_for = run_of("Ten digits by the pseudo-inverse")
    assert (run.fitted.n_stable_, run.fitted.outcome_, run.fitted.target_) == (10, "stored", 3)
    run, *_ = run_of("Ten digits by the pseudo-inverse", rule="hebb")
    assert (run.fitted.n_stable_, run.fitted.n_wrong_) == (0, 14)
    assert "14 cells away" in look_for


def test_the_inverse_is_stored_too():
    run, scene, _ = run_of("The inverse is stored too")
    assert run.fitted.outcome_ == "inverse"
    assert "an attractor of the same energy" in scene["frames"][-1]["caption"]


def test_beyond_the_capacity():
    run, _, look_for = run_of("Beyond the capacity")
    assert run.problem.data.shape == (12, 64)
    assert run.fitted.n_stable_ == 6
    assert run.fitted.n_wrong_ > 0
    assert f"{12 / 64:.2g} n" in look_for
    assert "only six are stable" in look_for


# --- figures --------------------------------------------------------------------------------------


def test_hebbs_capacity_is_where_theory_says():
    errors = capacity_data().errors
    by_load = dict(zip(LOADS, errors["hebb"], strict=True))
    text = section(text_of("hopfield"), "Capacity and spurious states")
    assert f"in {UNITS} units, {by_load[0.12]:.1%}".replace("%", " %") in text
    assert f"{by_load[0.18]:.0%} at 0.18 n".replace("%", " %") in text
    assert by_load[0.12] < 0.01
    assert by_load[0.15] > 0.02
    assert (errors["pseudo_inverse"] == 0).all()
    assert errors["storkey"][LOADS.index(0.3)] < 0.01 < by_load[0.3]


def test_resting_states_are_what_they_are_called():
    X = np.where(np.random.default_rng(1).random((3, 60)) < 0.5, 1.0, -1.0)
    W = store(X, "hebb")
    attractors = resting_states_data(X, W)
    states = attractors.states
    assert (Hopfield(noise=0.0).fit(X).predict(states) == states).all()
    assert attractors.counts.sum() == 300
    for state, kind in zip(states, attractors.kinds, strict=True):
        overlaps = X @ state / X.shape[1]
        assert (overlaps.max() == 1) == (KINDS[kind] == "stored pattern")
        assert (overlaps.min() == -1) == (KINDS[kind] == "inverse of a pattern")
        if KINDS[kind] == "mixture of three":
            assert (np.abs(overlaps) > 0.3).all()


# --- drawing on the picture -----------------------------------------------------------------------


def grids(scene):
    return {handle["name"]: handle for handle in scene["handles"]}


def test_the_cue_can_be_drawn_on_and_patterns_that_are_drawn_too():
    _, scene = open_link()
    assert set(grids(scene)) == {"flips"}
    _, scene = open_link(source="draw")
    assert set(grids(scene)) == {"flips", "patterns"}
    patterns = grids(scene)["patterns"]
    assert len(patterns["cells"]) == 3 * 36 == len(patterns["places"]) * 36


def test_cells_that_the_browser_sends_are_switched_or_ignored():
    page = technique("hopfield")
    assert move({"name": "noise", "x": 1}, page) == {}
    assert move({"name": "flips"}, page) == {}
    switched = np.zeros((1, 8, 8), bool)
    switched[0, 2, 3] = True
    run, _ = open_link(**{"hopfield.flips": encode_cells(switched)})
    assert run.model.flips == (19,)
    assert decode_cells(encode_cells(switched), 8, 8).tolist() == switched.tolist()


def test_cells_of_other_data_are_not_switched():
    run, _ = open_link(data="bars", **{"hopfield.flips": "AAAAAP__w8M"})
    assert run.model.flips == ()


def test_too_many_weights_are_refused_with_their_number():
    link = {
        "generator": "random_patterns",
        "random_patterns.n_patterns": "500",
        "random_patterns.side": "20",
    }
    (sentence,) = sentences_of(visit("hopfield", source="generator", **link))
    assert f"{500 * 400**2:,} weights; the limit is {MAX_WEIGHTS:,}" in sentence


@pytest.mark.parametrize("rule", ["hebb", "pseudo_inverse", "storkey"])
@pytest.mark.parametrize("update", ["random", "index", "steepest", "synchronous"])
def test_each_way_has_its_scene_with_a_unit_asked_about(rule, update):
    run, scene = open_link(rule=rule, update=update, point=10)
    assert scene["selected"] == 9
    assert "unit 10" in scene["frames"][-1]["ledger"][0]["title"]
    assert len(scene["frames"]) == len(run.trace.steps)
