"""The presets' numbers, and what the page says and draws."""

import numpy as np
import pandas as pd
import pytest

from dashboard.presets import link_of, presets
from dmlib.datasets import make
from dmlib.pictures.marks import Points, Segments
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from dmlib.regression import LocalRegression, NaturalSpline, PolynomialRegression
from dmlib.regression.polynomial_regression.figures.errors import error_data, plot_errors
from dmlib.regression.polynomial_regression.scene import polynomial_regression_scene
from tests.pictures.examples import at, marks, tables
from tests.visit import stage, visit

SLUG = "polynomial_regression"


def frames(title, **settings):
    (preset,) = (preset for preset in presets(SLUG) if preset.title == title)
    return stage(visit(SLUG, **{**link_of(SLUG, preset), **settings}))["frames"]


@pytest.mark.parametrize(
    ("title", "settings", "text"),
    [
        ("Drag the degree", {}, "error is 0.7577 with degree 5: the minimum"),
        ("Drag the degree", {f"{SLUG}.degree": "9"}, "error is 2.201"),
        ("High degrees swing at the ends", {}, "RMSE 0.4231. The leave-one-out error is 26.96"),
        ("A penalty tames degree 15", {}, "error is 0.9344"),
        ("A spline does not swing", {}, "error is 0.8055"),
        (
            "Horsepower and miles",
            {},
            "RMSE 2.93. The leave-one-out error is 3.25 with degree 2: the minimum",
        ),
        ("Horsepower and miles", {f"{SLUG}.degree": "1"}, "RMSE 3.74"),
    ],
)
def test_a_preset_shows_what_it_says(title, settings, text):
    assert text in frames(title, **settings)[-1]["caption"]


def test_rows_far_off_are_counted():
    assert frames("Rows far off lose their weight")[0]["caption"].startswith(
        "4 rows far from the curve"
    )


def test_the_visitor_chooses_which_column_is_x():
    cars = {
        "source": "library",
        "data": "mtcars",
        "mtcars.features": ["hp", "wt", "qsec"],
        "test": "0",
    }
    first = stage(visit(SLUG, **cars))
    assert first["panels"][0]["x"]["label"] == "hp"
    chosen = stage(visit(SLUG, **cars, **{f"{SLUG}.column": "wt", f"{SLUG}.degree": "2"}))
    assert chosen["panels"][0]["x"]["label"] == "wt"
    single = stage(visit(SLUG, **{**cars, "mtcars.features": ["wt"], f"{SLUG}.degree": "2"}))
    assert chosen["frames"][-1]["caption"] == single["frames"][-1]["caption"]


@pytest.mark.parametrize("model", [PolynomialRegression(2), NaturalSpline(), LocalRegression()])
def test_a_column_is_learned_from_alone(model):
    X = np.random.default_rng(0).normal(size=(30, 3))
    y = X[:, 1] ** 2
    np.testing.assert_allclose(
        model.set_params(column=2).fit(X, y).predict(X),
        type(model)(**{**model.get_params(), "column": 1}).fit(X[:, 1:2], y).predict(X[:, 1:2]),
    )
    with pytest.raises(ValueError, match="column is 4, but it must be"):
        model.set_params(column=4).fit(X, y)


def run_of(model):
    return Run.of(prepare(make("noisy_curve").frame, ["x"], target="y", numeric_target=True), model)


@pytest.mark.parametrize(
    "model", [PolynomialRegression(4, alpha=1.0), NaturalSpline(5), LocalRegression(n_iter=2)]
)
def test_the_last_curve_is_that_of_the_model(model):
    curve_run = run_of(model)
    scene = polynomial_regression_scene(curve_run)
    line = next(mark for mark in reversed(scene.marks) if mark.panel == "data")
    x, y = at(line.x, -1), at(line.y, -1)
    inside = (x > curve_run.problem.X.min()) & (x < curve_run.problem.X.max())
    np.testing.assert_allclose(y[inside], curve_run.fitted.predict(x[inside][:, None]))


def test_curves_are_cross_validated_on_the_same_folds():
    data = error_data(run_of(PolynomialRegression()), lambda task: None)
    assert {name: len(errors) for name, errors in data.errors.items()} == dict.fromkeys(
        data.errors, 8
    )
    assert data.levels["degree"][:4].tolist() == [0, 1, 2, 3]
    figure = plot_errors(data)
    assert [trace.name for trace in figure.data] == ["polynomial", "natural spline", "local lines"]
    assert "natural spline" in figure.layout.title.text.replace("<br>", " ")


@pytest.mark.parametrize("model", [PolynomialRegression(2), NaturalSpline(6), LocalRegression(0.5)])
def test_rounding_is_no_error(model):
    """The curve of a constant target has no error, although rounding leaves one."""
    frame = pd.DataFrame({"x": np.linspace(0, 1, 30), "y": 0.3})
    run = Run.of(prepare(frame, ["x"], target="y", numeric_target=True), model)
    caption = polynomial_regression_scene(run).frames[-1].caption
    assert "RMSE 0. The leave-one-out error is 0 with" in caption
    assert caption.endswith(": the minimum.")


def test_a_knot_answers_to_where_it_stands():
    problem = prepare(make("noisy_curve").frame, ["x"], target="y", numeric_target=True)
    scene = polynomial_regression_scene(Run.of(problem, NaturalSpline(5)))
    for i, frame in enumerate(scene.frames):
        table = tables(frame)["Knots, at quantiles of the rows"]
        (lines,), (dots,) = (
            marks(scene, Segments, of=table.by),
            marks(scene, Points, "part", of=table.by),
        )
        for knot, x, height in table.rows:
            line, dot = (at(mark.numbers, i).tolist().index(knot) for mark in (lines, dots))
            assert at(lines.x0, i)[line] == at(dots.x, i)[dot] == pytest.approx(x, rel=1e-3)
            assert at(lines.y1, i)[line] == pytest.approx(height, rel=1e-3)
