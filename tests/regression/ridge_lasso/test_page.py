"""The page of ridge and lasso: presets and lesson say what the picture shows."""

import re

import numpy as np
import pytest

from dmlib.comparison import Incomparable, compare
from dmlib.datasets import load
from dmlib.pictures.marks import Line, Points
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from dmlib.regression import ElasticNet, Lasso, LinearRegression, Ridge, regularization_path
from dmlib.regression.ridge_lasso.figures.choice import errors_by_alpha, plot_choice
from dmlib.regression.ridge_lasso.figures.methods import coefficients_of_all, side_by_side
from dmlib.regression.ridge_lasso.reference import ridge_lasso_reference
from dmlib.regression.ridge_lasso.scene import ridge_lasso_scene
from tests.contract.test_lessons import section, text_of
from tests.pictures.examples import at, formulas, marks, tables
from tests.visit import open_preset, say, sound, stage, technique, visit

SLUG = "ridge_lasso"
SIX = ["cyl", "disp", "hp", "drat", "wt", "qsec"]


def cars(*columns, **settings):
    return prepare(
        load("mtcars").frame, list(columns), target="mpg", numeric_target=True, **settings
    )


def open_run(title):
    """Open a preset; return the fitted model and what to look for, on one line."""
    run, _, look_for = open_preset(SLUG, title)
    return run, " ".join(look_for.split())


def decimals(value, digits=3):
    return f"{value:.{digits}f}".replace("-", "−")


def test_corner():
    run, words = open_run("The corner of the lasso")
    assert run.fitted.standardized_coef_[1] == 0 > run.fitted.standardized_coef_[0]
    knots = regularization_path(run.problem.X, run.problem.y).knots
    assert f"λ = {knots[1][0]:.1f}" in words


def test_ridge_is_never_0():
    run, words = open_run("Ridge is never 0")
    wt, hp = run.fitted.standardized_coef_
    assert f"{decimals(wt)} and {decimals(hp)}" in words
    assert f"R² is {run.fitted.r2_:.2f}" in words


def test_columns_come_in_one_by_one():
    run, words = open_run("Columns come in one by one")
    assert np.count_nonzero(run.fitted.coef_) == 3
    knots = regularization_path(run.problem.X, run.problem.y).knots
    names = run.problem.features
    first = [
        f"{names[j]} {'enters ' if not i else ''}at {value:.1f}"
        for i, (value, j, _) in enumerate(knots[:4])
    ]
    assert ", ".join(first) in words


def test_one_for_all():
    run, words = open_run("One for all")
    selected = {name for name, b in zip(run.problem.features, run.fitted.coef_, strict=True) if b}
    assert selected == {"unemployed", "armed_forces", "year"}
    assert f"R² is {run.fitted.r2_:.3f}" in words


def test_correlated_columns_share():
    run, words = open_run("Correlated columns share")
    columns = [
        run.problem.features.index(name) for name in ("deflator", "gnp", "population", "year")
    ]
    shared = run.fitted.standardized_coef_[columns]
    assert f"from {shared.min():.0f} to {shared.max():.0f}" in words
    usual = (
        LinearRegression().fit(run.problem.X, run.problem.y).coef_ * run.problem.X.std(axis=0)
    )[columns]
    assert "{}, {}, {} and {}".format(*(decimals(b, 0) for b in usual)) in words


def test_units_decide():
    run, _ = open_run("Units decide")
    assert (run.fitted.coef_ != 0).tolist() == [False, True]


def test_by_hand():
    run, words = open_run("One column by hand")
    text = section(text_of(SLUG), "By hand")
    X, y = run.problem.X, run.problem.y
    product = float(run.fitted.penalised(X, y).moments[0])
    assert f"= **{product:.3f}**" in text
    assert f"c is {product:.3f}" in words
    for number, model in ((2, Lasso(alpha=10)), (3, Ridge(alpha=11))):
        fitted = model.fit(X, y)
        line = re.search(rf"^{number}\. .*$", text, re.MULTILINE).group()
        assert f"**{fitted.standardized_coef_[0]:.3f}**, slope {fitted.coef_[0]:.3f}" in line
    largest = 2 * product
    assert f"**{largest:.2f}**" in text
    assert f"has still {Ridge(alpha=largest).fit(X, y).standardized_coef_[0]:.3f}" in text
    assert Lasso(alpha=largest + 1e-6).fit(X, y).coef_[0] == 0


# --- the picture ----------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [Lasso(alpha=60), Ridge(alpha=60), ElasticNet(alpha=60)])
def test_contour_and_ball_touch(model):
    """All of the ball lies outside the contour of the answer, and both go through it."""
    problem = cars("wt", "hp")
    run = Run.of(problem, model)
    lines = [
        m
        for m in ridge_lasso_scene(run).marks
        if isinstance(m, Line) and m.panel == "data" and m.color in (0, 1) and m.width > 1
    ]
    contour, ball = (np.column_stack([at(mark.x, -1), at(mark.y, -1)]) for mark in lines)
    penalised = run.fitted.penalised(problem.X, problem.y)
    answer = run.fitted.standardized_coef_
    np.testing.assert_allclose(
        [penalised.sse(b) for b in contour], penalised.sse(answer), rtol=1e-6
    )
    np.testing.assert_allclose(
        [penalised.penalty(b) for b in ball], penalised.penalty(answer), rtol=1e-6
    )
    assert min(penalised.sse(b) for b in ball) >= penalised.sse(answer) * (1 - 1e-9)


def test_columns_in_their_own_units_are_not_called_standardised():
    """Coefficients of pounds and horsepower differ by magnitudes: each axis has its own length."""
    run = Run.of(cars("wt", "hp"), Lasso(alpha=250, standardize=False))
    scene = ridge_lasso_scene(run)
    panel = scene.panels[0]
    assert (panel.x.label, panel.y.label, panel.equal) == ("b of wt", "b of hp", False)
    assert 20 * panel.y.high < panel.x.high
    table = next(
        block for block in scene.frames[-1].ledger if getattr(block, "title", "") == "Coefficients"
    )
    assert table.head == ("", "b")
    usual = ridge_lasso_scene(Run.of(cars("wt", "hp"), Lasso(alpha=250))).panels[0]
    assert (usual.x.label, usual.equal) == ("b of wt (standardised)", True)


def test_the_soft_threshold_has_its_numbers():
    scene = ridge_lasso_scene(Run.of(cars("wt", "hp"), Lasso(alpha=50)))
    assert "S(c, λ / 2 = 25) = −164.703 + 25 = −139.703" in formulas(scene.frames[2])
    assert (
        scene.frames[2].caption
        == "Sweep 1: b of wt goes from 0 to −4.366; the objective falls from 1126 to 516.1."
    )


@pytest.mark.parametrize(
    "model", [Lasso(alpha=0.0), Ridge(alpha=0.0), Lasso(alpha=1e12), Ridge(alpha=1e12)]
)
@pytest.mark.parametrize("columns", [["wt"], ["wt", "hp"], SIX])
def test_pictures_at_the_ends(model, columns):
    assert ridge_lasso_scene(Run.of(cars(*columns), model)).frames[-1].phase == "done"


# --- figures, reference ---------------------------------------------------------------------------


def test_choice():
    run = Run.of(cars(*SIX), Lasso())
    choice = errors_by_alpha(run)
    title = plot_choice(choice).layout.title.text
    assert f"{choice.path.alphas[choice.path.best]:.4g}" in title
    assert f"{choice.path.alphas[choice.path.one_se]:.4g}" in title


def test_side_by_side():
    run = Run.of(cars(*SIX), Lasso())
    coefficients = coefficients_of_all(run)
    np.testing.assert_allclose(coefficients["lasso"], run.fitted.standardized_coef_)
    assert "sets 3 of 6" in side_by_side(run).layout.title.text.replace("<br>", " ")


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("method", [Lasso, Ridge, ElasticNet])
def test_scikit_learn_agrees(method, intercept):
    run = Run.of(cars(*SIX, test_size=0.2), method(fit_intercept=intercept))
    reference = ridge_lasso_reference(run).answer(run)
    rows = compare(run.fitted, reference, technique(SLUG).check.compare, run.problem.data)
    assert all(row.agrees for row in rows), rows


def test_says_why_not():
    with pytest.raises(Incomparable, match="λ is 0"):
        ridge_lasso_reference(Run.of(cars("wt", "hp"), Lasso(alpha=0.0)))


def test_the_line_on_the_paths_is_the_penalty():
    page = visit(SLUG, **{"ridge_lasso.alpha": "100"})
    (handle,) = stage(page)["handles"]
    assert (handle["name"], handle["panel"], handle["kind"]) == ("alpha", "beside", "x")
    assert handle["x"] == pytest.approx(2.0)
    page = sound(say(page, moved={"name": "alpha", "x": 1.5, "y": None}))
    assert page.query_params[f"{SLUG}.alpha"] == "31.62"
    assert stage(page)["handles"][0]["x"] == pytest.approx(1.5, abs=1e-4)
    scene = ridge_lasso_scene(Run.of(cars("wt", "hp"), Lasso()))
    panel, drawn = scene.panels[1], [m for m in scene.marks if m.panel == "beside"]
    lines = [m for m in drawn if isinstance(m, Line) and m.color != "muted"]
    assert lines
    highest = max(np.nanmax(at(line.y, 0)) for line in lines)
    assert highest <= panel.y.low + 0.8 * panel.size[1]  # above them stands the name of the line
    far = sound(say(page, moved={"name": "alpha", "x": 400.0}))
    assert stage(far)["handles"][0]["x"] <= stage(far)["panels"][1]["x"]["high"]


@pytest.mark.parametrize("side_picture", ["path", "bars"])
def test_a_term_answers_to_its_coefficient(side_picture):
    model = Lasso(alpha=30.0)
    scene = ridge_lasso_scene(Run.of(cars(*SIX), model, options={"beside": side_picture}))
    table = tables(scene.frames[-1])["Coefficients"]
    dots = marks(scene, Points, "beside", of=table.by)[-1]
    paths = {at(line.numbers, -1)[0]: line for line in marks(scene, Line, "beside", of=table.by)}
    parts = at(dots.numbers, -1).tolist()
    for number, (name, b, _) in zip(table.numbers, table.rows, strict=True):
        part = parts.index(number)
        assert at(dots.y, -1)[part] == pytest.approx(b, rel=1e-4)
        if side_picture == "bars":
            (panel,) = (panel for panel in scene.panels if panel.name == "beside")
            assert panel.x.ticks[int(at(dots.x, -1)[part])] == name
        else:
            line = paths[number]
            assert np.interp(
                -at(dots.x, -1)[part], -at(line.x, -1), at(line.y, -1)
            ) == pytest.approx(b, abs=0.05)
