"""Regression on components against R's pls and scikit-learn, by hand, and what its page says."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cross_decomposition import PLSRegression as TheirPLS
from sklearn.decomposition import PCA
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold

from dmlib.datasets import load
from dmlib.pictures.marks import Rects
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from dmlib.regression import PLSRegression, PrincipalComponentRegression
from dmlib.regression.pcr.figures.errors import coefficients, error_data, plot_errors
from dmlib.regression.pcr.scene import pcr_scene
from tests.pictures.examples import at, marks, tables
from tests.visit import say, sound, stage, visit

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "pcr_mtcars.json").read_text("utf-8"))
both_methods = pytest.mark.parametrize("algorithm", [PrincipalComponentRegression, PLSRegression])
HAND = [[0.0, 0.0], [1.0, 2.0], [2.0, 1.0], [3.0, 3.0]], [0.0, 1.0, 2.0, 3.0]


def columns(name, target, *features):
    frame = load(name).frame
    return frame[list(features)].to_numpy(float), frame[target].to_numpy(float)


def random_data(seed, n=20, p=5):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, p)) @ rng.normal(size=(p, p)), rng.normal(size=n)


def test_r_gives_the_same_for_each_number_of_components():
    X, y = columns("mtcars", "mpg", *GOLDEN["columns"])
    model = PrincipalComponentRegression(6).fit(X, y)
    np.testing.assert_allclose(model.coefs_, GOLDEN["coef"], rtol=1e-8)
    np.testing.assert_allclose(
        100 * model.explained_variance_ratio_.cumsum(), GOLDEN["variance_percent"], rtol=1e-8
    )
    steps = [
        step for step in PrincipalComponentRegression(6).steps(X, y) if step.phase == "component"
    ]
    np.testing.assert_allclose([step.intercept for step in steps], GOLDEN["intercept"], rtol=1e-8)
    np.testing.assert_allclose(
        [np.sqrt(step.sse / len(y)) for step in steps], GOLDEN["rmse"], rtol=1e-8
    )


@given(st.integers(0, 50), st.integers(1, 5), st.booleans())
def test_scikit_learn_gives_the_same(seed, k, scale):
    X, y = random_data(seed)
    ours = PrincipalComponentRegression(k, scale=scale).fit(X, y)
    Z = (X - X.mean(0)) / (X.std(0, ddof=1) if scale else 1.0)
    components = PCA(k, svd_solver="full").fit(Z)
    slopes = LinearRegression().fit(components.transform(Z), y)
    np.testing.assert_allclose(ours.predict(X), slopes.predict(components.transform(Z)), atol=1e-8)
    np.testing.assert_allclose(
        np.abs(ours.transform(X)), np.abs(components.transform(Z)), atol=1e-8
    )
    pls, theirs = PLSRegression(k, scale=scale).fit(X, y), TheirPLS(k, scale=scale).fit(X, y)
    np.testing.assert_allclose(pls.coef_, theirs.coef_.ravel(), atol=1e-8)
    np.testing.assert_allclose(np.abs(pls.transform(X)), np.abs(theirs.transform(X)), atol=1e-8)


@both_methods
@given(seed=st.integers(0, 30))
def test_sse_never_rises_and_ends_at_least_squares(algorithm, seed):
    X, y = random_data(seed)
    steps = list(algorithm(5).steps(X, y))
    assert (np.diff([step.sse for step in steps]) <= 1e-9).all()
    assert all(0 <= step.share <= 1 + 1e-12 for step in steps)
    np.testing.assert_allclose(steps[-1].coef, LinearRegression().fit(X, y).coef_, atol=1e-6)


@both_methods
def test_scores_are_uncorrelated(algorithm):
    X, y = random_data(1)
    scores = algorithm(5).fit(X, y).transform(X)
    np.testing.assert_allclose(np.corrcoef(scores.T), np.eye(5), atol=1e-8)


def test_four_rows_by_hand():
    steps = list(PrincipalComponentRegression(2, scale=False).steps(*HAND))
    assert [step.phase for step in steps] == ["centre", "component", "component", "done"]
    assert [step.sse for step in steps] == pytest.approx([5, 0.5, 0, 0], abs=1e-12)
    np.testing.assert_allclose(steps[1].coef, [0.5, 0.5])
    np.testing.assert_allclose(steps[2].coef, [1, 0], atol=1e-12)
    assert steps[1].share == pytest.approx(0.9)


@both_methods
def test_constant_and_equal_columns_and_targets(algorithm):
    x = np.arange(6.0)
    X = np.column_stack([x, x, np.full(6, 7.0)])
    model = algorithm(3).fit(X, 2 * x)
    assert model.n_components_ == 1
    np.testing.assert_allclose(model.coef_, [1, 1, 0], atol=1e-12)
    flat = algorithm(2).fit(np.ones((4, 2)), [1.0, 2.0, 3.0, 4.0])
    assert flat.n_components_ == 0
    assert flat.predict(np.ones((1, 2))).tolist() == [2.5]
    assert np.isnan(algorithm(1).fit(X, np.ones(6)).r2_)
    with pytest.raises(ValueError, match="beyond 1e\\+100"):
        algorithm().fit([[1e200], [0.0]], [0.0, 1.0])


def run_of(algorithm, k):
    table = load("mtcars")
    problem = prepare(table.frame, GOLDEN["columns"], target="mpg", numeric_target=True)
    return Run.of(problem, algorithm(k))


def test_errors_by_components_are_those_of_each_fold():
    pcr_run = run_of(PrincipalComponentRegression, 2)
    data = error_data(pcr_run, lambda task: None)
    X, y = pcr_run.problem.X, pcr_run.problem.y
    folds = KFold(10, shuffle=True, random_state=0).split(X)
    for i, (train, test) in enumerate(folds):
        for algorithm, errors in zip(
            (PrincipalComponentRegression, PLSRegression), data.errors.values(), strict=True
        ):
            model = algorithm(2).fit(X[train], y[train])
            assert errors[i, 2] == pytest.approx(((y[test] - model.predict(X[test])) ** 2).mean())
    assert "principal components have the smallest error" in plot_errors(
        data
    ).layout.title.text.replace("<br>", " ")
    lines = coefficients(pcr_run).data
    assert len(lines) == 6
    assert lines[0].y[1] == pytest.approx(pcr_run.fitted.coef_[0] * X[:, 0].std())
    few_rows = prepare(load("mtcars").frame[:5], ["hp", "wt"], target="mpg", numeric_target=True)
    run_of_few_rows = Run.of(few_rows, PrincipalComponentRegression(1))
    with pytest.raises(ValueError, match="at least 6 rows"):
        error_data(run_of_few_rows, lambda task: None)


def test_what_the_presets_say():
    cars = PrincipalComponentRegression(2).fit(*columns("mtcars", "mpg", *GOLDEN["columns"]))
    assert (round(cars.r2_, 4), round(cars.explained_variance_ratio_.sum(), 3)) == (0.8154, 0.899)
    X, y = columns("wages", "wage", "education", "experience", "age")
    first = PrincipalComponentRegression(1).fit(X, y)
    assert (round(first.r2_, 4), round(first.explained_variance_ratio_[0], 3)) == (0.0016, 0.698)
    assert round(PrincipalComponentRegression(2).fit(X, y).r2_, 2) == 0.2
    pls = PLSRegression(1).fit(X, y)
    assert (round(pls.r2_, 3), round(pls.explained_variance_ratio_[0], 3)) == (0.199, 0.318)
    years = ("deflator", "gnp", "unemployed", "armed_forces", "population", "year")
    economy = PrincipalComponentRegression(3).fit(*columns("longley", "employed", *years))
    assert round(economy.explained_variance_ratio_.sum(), 3) == 0.997


def test_the_line_among_the_components_says_how_many_are_taken():
    page = visit("pcr", **{"pcr.n_components": "3"})
    (handle,) = stage(page)["handles"]
    assert (handle["name"], handle["panel"], handle["x"]) == ("n_components", "shares", 3)
    page = sound(say(page, moved={"name": "n_components", "x": 4.6}))
    assert "5 components" in stage(page)["frames"][-1]["caption"]
    assert (
        "6 components"
        in stage(say(page, moved={"name": "n_components", "x": 99.0}))["frames"][-1]["caption"]
    )


@both_methods
def test_a_column_answers_to_its_bar(algorithm):
    scene = pcr_scene(run_of(algorithm, 2))
    table = tables(scene.frames[-1])["Coefficients of the columns"]
    (bars,) = marks(scene, Rects, "sizes", of=table.by)
    (panel,) = (panel for panel in scene.panels if panel.name == "sizes")
    parts = at(bars.numbers, -1).tolist()
    for number, (name, _, b, _) in zip(table.numbers, table.rows, strict=True):
        part = parts.index(number)
        middle = (at(bars.y0, -1)[part] + at(bars.y1, -1)[part]) / 2
        assert panel.y.ticks[round(middle)] == name
        assert np.sign(at(bars.x1, -1)[part]) == np.sign(b)
