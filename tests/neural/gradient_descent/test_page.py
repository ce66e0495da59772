"""The page of gradient descent: its presets and its lesson show what they say; its tools."""

from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose

from dashboard.runs import digest
from dmlib.neural import GradientDescent
from dmlib.neural.gradient_descent.paths_scene import MAX_CORNERS
from dmlib.neural.gradient_descent.scene import gradient_descent_scene
from dmlib.params import Several
from dmlib.pictures.marks import Line
from dmlib.pictures.run import Run
from dmlib.problem import prepare_loss, prepare_surface
from tests.contract.test_lessons import section, text_of
from tests.pictures.examples import marks
from tests.visit import open_preset, panel, say, sentences_of, sound, stage, turn, visit

SLUG = "gradient_descent"

run_of = partial(open_preset, SLUG)


def last(run):
    return run.trace.steps[-1]


def test_a_line_finds_its_coefficients():
    run, _, look_for = run_of("A line finds its coefficients")
    large, small = last(run).curvature
    assert f"{large / small:.0f} times as curved" in look_for
    gradient, momentum, adam = last(run).values
    assert max(momentum, adam) < 17.5
    assert gradient > 39


def test_long_paths_of_many_walkers_keep_their_ends_and_not_each_corner():
    model = GradientDescent(
        "gradient,momentum", n_starts=25, max_iter=1000, tol=0.0, random_state=0
    )
    run = Run.of(prepare_surface("x^2 + 3*y^2"), model)
    *_, first, second = marks(gradient_descent_scene(run), Line, "data")
    x = np.concatenate([np.asarray(line.x.rows[-1]) for line in (first, second)])
    assert len(x) < 3 * MAX_CORNERS  # and those at which a frame ends
    assert np.isin(last(run).places[:, 0], x).all()
    assert np.isin(run.trace.steps[0].places[:, 0], x).all()


def test_by_hand_is_in_the_lesson():
    run, scene, look_for = run_of("Three steps by hand")
    places = np.array([step.places for step in run.trace.steps[1:-1]])
    assert_allclose(places[:, 0], [(2, -1), (1, 0.5), (0.5, -0.25)])
    assert_allclose(places[:, 1], [(2, -1), (0, -1), (-1, 0.5)])
    lesson = section(text_of(SLUG), "By hand")
    for place in places.reshape(-1, 2):
        text = f"({place[0]:g}, {place[1]:g})".replace("-", "−")
        assert f"**{text}**" in lesson
        assert text in look_for
    assert "$f = 0.4375$" in lesson
    assert last(run).values[0] == 0.4375
    assert "$2/6 = 0.333$" in lesson
    assert last(run).stable_rate == pytest.approx(1 / 3)
    texts = [block["text"] for block in scene["frames"][2]["ledger"] if "text" in block]
    assert "Δ = −η g = −0.25 · 4 = −1" in texts
    assert "Δ = v = μ v − η g = 0.5 · (−2) − 0.25 · 4 = −2" in texts


def test_the_step_is_too_large():
    run, scene, look_for = run_of("The step is too large")
    (step,) = [step for step in run.trace.steps if step.phase == "stop"]
    assert f"at step {step.iteration}" in look_for
    assert last(run).status == ("diverged", "moving")
    assert last(run).curvature[0] == pytest.approx(20)
    reason = "Gradient descent diverges: f increases with each step."
    assert reason in scene["frames"][-1]["caption"]
    run, *_ = run_of("The step is too large", learning_rate=0.09)
    assert last(run).status[0] == "moving"


def test_standardised_columns_need_one_step():
    run, *_ = run_of("Standardise, and the ravine is round")
    assert_allclose(last(run).curvature, 1)
    assert (last(run).iteration, last(run).status) == (1, ("rest",))


def test_a_decay_lets_a_swarm_settle():
    decayed, _, look_for = run_of("Few rows, noisy steps")
    constant, *_ = run_of("Few rows, noisy steps", decay=0.0)
    assert (len(decayed.trace.steps[1].batch), decayed.problem.n_rows) == (5, 272)
    assert "5 of 272 rows" in look_for
    lowest = 0.0942696
    gaps = [
        np.mean([step.values for step in run.trace.steps[-60:]], axis=0) - lowest
        for run in (decayed, constant)
    ]
    assert (gaps[0] < 0.5 * gaps[1]).all()


def test_a_saddle_holds_newton():
    run, *_ = run_of("A saddle holds Newton")
    assert last(run).status == ("unbounded", "unbounded", "rest")
    assert_allclose(run.trace.steps[1].places[2], 0, atol=1e-8)


def test_twelve_starts_find_four_minima():
    run, _, look_for = run_of("Twelve starts, four minima")
    places, counts = np.unique(last(run).places.round(3), axis=0, return_counts=True)
    n_walkers = dict(zip(map(tuple, places.tolist()), counts.tolist(), strict=True))
    assert n_walkers[3.0, 2.0] == 6
    assert n_walkers[-2.805, 3.131] == 4
    assert sorted(n_walkers.values()) == [1, 1, 4, 6]
    assert "six walkers end at (3, 2), four at (−2.805, 3.131), and one each" in look_for


def test_rosenbrocks_valley():
    run, _, look_for = run_of("The valley of Rosenbrock")
    gradient, _, adam, _ = last(run).values
    assert f"Adam is at f = {adam:.4g} and gradient descent at {gradient:.4g}" in look_for
    assert_allclose(last(run).places[3], 1, atol=1e-6)


def test_the_answers_of_the_lesson():
    assert 0.95**45 < 0.1 < 0.95**44


def test_the_start_is_dragged_and_stays_in_the_link():
    page = sound(visit(SLUG, data="ravine"))
    page = say(page, moved={"name": "init", "x": 1.5, "y": -99.0})
    assert page.query_params[f"{SLUG}.start"] == "1.5,-2"
    (handle,) = stage(page)["handles"]
    assert (handle["x"], handle["y"]) == (1.5, -2)
    page = sound(say(page, moved={"name": "init", "x": float("nan"), "y": 1}))
    assert page.query_params[f"{SLUG}.start"] == "1.5,-2"


def test_a_start_of_another_surface_is_forgotten():
    (handle,) = stage(visit(SLUG, data="bowl", **{f"{SLUG}.start": "50,0"}))["handles"]
    assert handle["x"] == pytest.approx(-3.2)


def test_optimisers_are_switched_on_and_off():
    page = sound(visit(SLUG, data="ravine"))
    name = f"{SLUG}.optimizer"
    page = turn(page, name, ["newton", "gradient"])
    assert page.query_params[name] == "gradient,newton"
    assert panel(page)[name]["value"] == ["gradient", "newton"]
    assert f"{SLUG}.adaptive_rate" not in panel(page)
    assert turn(page, name, []).query_params[name] == "gradient,newton"
    assert turn(page, name, ["sgd"]).query_params[name] == "gradient,newton"


def test_some_names_are_in_any_order_but_once():
    spec = Several(("a", "b"))
    assert spec.parse("b,a") == "b,a"
    for text in ("", "a,a", "c", "a, b"):
        with pytest.raises(ValueError, match="some of a, b"):
            spec.parse(text)


@pytest.mark.parametrize(
    ("formula", "sentence"),
    [
        ("import os", "cannot be read"),
        ("__import__('os')", "may not use"),
        ("log(-1 - x^2)", "no value anywhere"),
        ("log(x) + y^2", "no value or no slope at the start"),
    ],
)
def test_a_formula_that_cannot_be_walked_on_says_why(formula, sentence):
    assert sentence in " ".join(sentences_of(sound(visit(SLUG, source="draw", formula=formula))))


@pytest.mark.parametrize(
    "formula", ["1/x", "exp(9*x)", "abs(x)+abs(y)", "x*y", "0*x", "tan(x)", "x^0.5 + y^0.5"]
)
def test_no_formula_puts_nan_on_the_screen(formula):
    link = {f"{SLUG}.start": "3,2", f"{SLUG}.n_starts": "3"}
    scene = stage(sound(visit(SLUG, source="draw", formula=formula, **link)))
    text = " ".join(frame["caption"] for frame in scene["frames"]) + str(scene["results"])
    assert "nan" not in text.split()
    for frame in scene["frames"]:
        assert "'nan'" not in str(frame["ledger"])


def test_a_change_in_the_middle_of_many_rows_is_another_run():
    rows = np.random.RandomState(0).normal(size=(3000, 2))
    changed = rows.copy()
    changed[1500] += 1  # numpy leaves it out where it prints the rows

    def key(rows):
        return digest(GradientDescent(), prepare_loss(rows, "squared", (-1, 1, -1, 1)))

    assert key(rows) != key(changed)
