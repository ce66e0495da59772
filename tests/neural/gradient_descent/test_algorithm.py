"""Walkers in lock-step: batches, starts, why one stops, and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.exceptions import ConvergenceWarning

from dmlib.comparison import Incomparable
from dmlib.datasets import load
from dmlib.neural import GradientDescent
from dmlib.neural.gradient_descent.figures.step_sizes import step_sizes_data
from dmlib.neural.gradient_descent.figures.surface_3d import surface_3d, surface_3d_data
from dmlib.neural.gradient_descent.optimizers import OPTIMIZERS
from dmlib.neural.gradient_descent.reference import gradient_descent_reference
from dmlib.pictures.run import Run
from dmlib.problem import prepare_loss, prepare_surface
from tests.visit import technique

ALL = ",".join(OPTIMIZERS)


def surface_of(name):
    data = load(name)
    if data.loss:
        return prepare_loss(data.rows, data.loss, data.domain)
    return prepare_surface(data.formula, data.domain)


def last_of(surface, **params):
    return list(GradientDescent(**params).steps(surface))[-1]


def test_a_race_is_each_walk_by_itself():
    surface = surface_of("himmelblau")
    race = last_of(surface, optimizer=ALL, n_starts=3, random_state=1)
    walks = [last_of(surface, optimizer=name, n_starts=3, random_state=1) for name in OPTIMIZERS]
    assert_allclose(race.places, np.vstack([walk.places for walk in walks]), atol=1e-12)


@given(curvature=st.floats(0.1, 50.0), share=st.floats(0.05, 0.95))
def test_below_two_over_lambda_each_step_leads_down(curvature, share):
    surface = prepare_surface(f"{curvature}*x^2/2 + 0.05*y^2", (-4, 4, -4, 4))
    rate = share * 2 / max(curvature, 0.1)
    steps = list(GradientDescent("gradient", learning_rate=rate, max_iter=30).steps(surface))
    assert (np.diff([step.values[0] for step in steps]) <= 1e-12).all()


def test_batches_go_through_all_rows_in_each_epoch():
    surface = surface_of("geyser_line_standardised")
    model = GradientDescent("gradient,newton", batch_size=50, max_iter=12, tol=0.0, random_state=0)
    steps = list(model.steps(surface))[1:-1]
    for epoch in (steps[:6], steps[6:]):
        assert sorted(np.concatenate([step.batch for step in epoch])) == list(range(272))
    for step in steps:
        move = step.moves[0]
        assert_allclose(move.gradient, surface.gradient(move.at, step.batch))
    # Newton takes all rows, and is at the minimum at once:
    assert_allclose(steps[0].places[1], [0, 0.900811], atol=1e-6)


def test_of_all_rows_or_none_there_is_no_batch():
    for name, size in (("geyser_line", 500), ("geyser_line", None), ("bowl", 3)):
        steps = GradientDescent(batch_size=size, max_iter=3).steps(surface_of(name))
        assert all(step.batch is None for step in steps)


def test_a_step_size_that_is_too_large_is_reported_with_the_step():
    surface = surface_of("ravine")
    with pytest.warns(ConvergenceWarning, match="Gradient descent diverges"):
        model = GradientDescent("gradient", learning_rate=0.105).fit(surface)
    assert np.isfinite(model.places_).all()
    assert not model.converged_[0]
    steps = list(GradientDescent("gradient", learning_rate=1e3).steps(surface))
    assert steps[1].status == ("diverged",)
    assert [step.phase for step in steps] == ["start", "stop", "done"]


def test_where_the_function_has_no_value_a_walker_stops_before():
    surface = prepare_surface("log(x) + y^2", (0.1, 4, -2, 2))
    last = last_of(surface, optimizer="gradient", learning_rate=0.9)
    assert last.status == ("undefined",)
    assert np.isfinite(last.values).all()
    reason = r"no value or no slope at the start \(-1, 0\). Move the start."
    with pytest.raises(ValueError, match=reason):
        last_of(prepare_surface("log(x) + y^2", (-4, 4, -2, 2)), init=[-1.0, 0.0])


def test_newton_stops_where_the_hessian_has_no_inverse():
    assert last_of(prepare_surface("x + y^2"), optimizer="newton").status == ("singular",)


def test_newton_rests_on_a_saddle_and_gradient_descent_falls_off():
    last = last_of(surface_of("saddle"), optimizer="gradient,newton", init=[-1.5, 0.01])
    assert last.status == ("unbounded", "rest")
    assert_allclose(last.places[1], 0, atol=1e-8)


def test_flat_and_steep_surfaces_have_steps_too():
    assert last_of(prepare_surface("3"), optimizer=ALL).status == ("rest",) * len(ALL.split(","))
    for formula in ("exp(20*x)", "abs(x) + abs(y)", "1/x", "x^9"):
        last = last_of(prepare_surface(formula), optimizer=ALL, n_starts=4, random_state=0)
        assert np.isfinite(last.values).all(), formula
        assert np.isfinite(last.places).all(), formula


def test_starts_have_a_height_and_begin_with_the_given_one():
    model = GradientDescent("gradient", n_starts=8, init=[1.0, 0.5], random_state=0)
    start = next(iter(model.steps(prepare_surface("log(x)", (-4, 4, 0, 1)))))
    assert start.places[0].tolist() == [1.0, 0.5]
    assert (start.places[:, 0] > 0).all()
    assert len(np.unique(start.places, axis=0)) == 8


@pytest.mark.parametrize("init", [[1.0], [np.nan, 0.0], [[1.0, 2.0]]])
def test_a_start_is_two_numbers(init):
    with pytest.raises(ValueError, match="init must have two finite numbers"):
        last_of(surface_of("bowl"), init=init)


@pytest.mark.parametrize("names", ["", "adam,adam", "adam, momentum", "sgd"])
def test_unknown_optimisers_are_refused(names):
    with pytest.raises(ValueError, match="optimizer must be some of gradient, momentum"):
        last_of(surface_of("bowl"), optimizer=names)


@pytest.mark.parametrize("name", ["himmelblau", "geyser_line_standardised"])
def test_the_check_walks_the_same_way(name):
    model = GradientDescent(
        "gradient,momentum,nesterov,adam",
        batch_size=20,
        n_starts=3,
        decay=0.02,
        max_iter=40,
        random_state=2,
    )
    run = Run.of(surface_of(name), model)
    names = {"X": run.problem, "model": run.fitted}
    exec(gradient_descent_reference(run).code, names)
    for reference in (gradient_descent_reference(run).answer(run), names["reference"]):
        assert_allclose(run.fitted.places_, reference.places_, rtol=1e-8, atol=1e-9)


def test_optimisers_that_scikit_learn_has_not_are_named():
    run = Run.of(surface_of("bowl"), GradientDescent("adam,rmsprop,newton"))
    with pytest.raises(Incomparable, match="no RMSProp and no Newton"):
        gradient_descent_reference(run)
    names = {"X": run.problem, "model": run.fitted}
    exec(technique("gradient_descent").check.code(run), names)
    assert_allclose(names["reference"].places_, run.fitted.places_)


def test_the_figure_of_rates_turns_at_the_largest_stable_one():
    model = GradientDescent("gradient,adam", max_iter=200)
    data = step_sizes_data(Run.of(surface_of("ravine"), model))
    assert data.stable == pytest.approx(0.1)
    assert list(data.heights) == ["gradient"]
    diverges = np.isnan(data.heights["gradient"])
    assert (data.rates[diverges] > data.stable).all()
    assert diverges[data.rates > 1.2 * data.stable].all()
    with pytest.raises(ValueError, match="No curvature is positive"):
        step_sizes_data(Run.of(prepare_surface("-x^2 - y^2"), GradientDescent("gradient")))


def test_the_solid_figure_has_a_path_for_each_walker():
    model = GradientDescent("gradient,adam", n_starts=2, random_state=0)
    run = Run.of(surface_of("rosenbrock"), model)
    data = surface_3d_data(run)
    assert [title for title, _, _ in data.paths] == ["Gradient descent"] * 2 + ["Adam"] * 2
    for _, _, path in data.paths:
        visible = path[np.isfinite(path).all(axis=1)]
        assert_allclose(visible[:, 2], run.problem.value(visible[:, :2]))
    assert len(surface_3d(run).data) == 5
