import re

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit

from dmlib.classification import LogisticRegression
from dmlib.classification.logistic_regression.scene import logistic_regression_scene, too_many_steps
from dmlib.classification.logistic_regression.surface_scene import surface_of
from dmlib.datasets import load
from dmlib.pictures.encode import encode
from dmlib.pictures.marks import Line, Points, Raster
from dmlib.pictures.plane import across
from dmlib.pictures.regions import surface
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel
from dmlib.problem import prepare
from dmlib.trace import run
from tests.pictures.examples import at, formulas, marks, result, tables
from tests.runs import stopped

pytestmark = pytest.mark.filterwarnings(
    "ignore::sklearn.exceptions.ConvergenceWarning"
)  # many runs are cut short

PENGUINS, TELEPHONE = load("penguins").frame, load("telephone").frame
CLOUD = np.random.default_rng(4).normal(size=(60, 5))
NOISY = pd.DataFrame(CLOUD[:, :4], columns=list("abcd")).assign(
    group=np.where(CLOUD[:, :4] @ [1, -2, 0.5, 0] + CLOUD[:, 4] > 0, "yes", "no")
)


def noisy(columns="ab", **options):
    return prepare(NOISY, list(columns), target="group", labelled=True, positive="yes", **options)


def grouped():
    columns = ["college", "moved", "high_income", "households"]
    return prepare(TELEPHONE, columns, target="adopted", labelled=True, positive="yes")


def drawn_scene(problem, query=None, small_picture="slopes", **params):
    run = Run.of(
        problem,
        LogisticRegression(random_state=0, **params),
        query=query,
        options={"beside": small_picture},
    )
    return logistic_regression_scene(run), run.trace.steps, run.fitted


def number(text):
    return float(text.replace("−", "-").strip("()"))


@pytest.mark.parametrize("columns", ["a", "ab", "abcd"])
@pytest.mark.parametrize("solver", ["newton", "gd", "sgd"])
@pytest.mark.parametrize("C", [1.0, np.inf])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_a_frame_for_every_step(columns, solver, C, fit_intercept):
    problem = noisy(columns)
    scene, steps, _ = drawn_scene(
        problem, problem.query(), solver=solver, C=C, fit_intercept=fit_intercept, max_iter=12
    )
    assert [frame.phase for frame in scene.frames] == [step.phase for step in steps]
    assert len(encode(scene)) < 150_000


def test_of_many_steps_every_few_are_drawn():
    scene, steps, _ = drawn_scene(noisy(), solver="gd", tol=0, max_iter=200)
    numbers = [
        int(match[1])
        for frame in scene.frames
        if (match := re.match(r"Gradient step (\d+)", frame.caption))
    ]
    assert numbers == list(range(6, 200, 6))
    assert scene.frames[-1].phase == "done"
    assert "Long run: every 6th step is shown." in scene.notes
    path = marks(scene, Line, "surface")[0]
    path_x = at(path.x, -1)
    assert_allclose(path_x, [step.coef[0, 1] for step in steps])


def test_each_frame_of_a_long_run_has_its_image_and_the_path_until_it():
    scene, steps, _ = drawn_scene(noisy(), solver="gd", tol=0, max_iter=200)
    coarse, _ = marks(scene, Raster)
    path = marks(scene, Line, "surface")[0]
    n = len(scene.frames)
    assert [at(coarse.pixels, i).size > 0 for i in range(n)] == [True] * (n - 1) + [False]
    assert_allclose(at(path.x, 2), [step.coef[0, 1] for step in steps[:13]])


def test_any_part_of_a_trace_can_be_drawn():
    problem = noisy()
    run = Run.of(problem, LogisticRegression())
    for n in range(len(run.trace.steps) + 1):
        short = stopped(run, n)
        assert len(logistic_regression_scene(short).frames) == (n or 1)
        assert ("fitted" in vars(short)) == (n == len(run.trace.steps))


@pytest.mark.parametrize("C", [0.5, np.inf])
def test_a_step_of_newton_is_recomputed(C):
    problem = noisy()
    scene, *_ = drawn_scene(problem, C=C)
    Z = np.column_stack([np.ones(len(problem.X)), problem.X])
    penalty = np.diag([0, 1 / C, 1 / C])
    for frame in scene.frames:
        if frame.phase == "newton":
            step = np.array([row[1:] for row in tables(frame)["The step"].rows], float)
            old, gradient, direction, new = step.T
            chance = expit(Z @ old)
            value = np.array([row[1:] for row in tables(frame)["Hessian H before the step"].rows])
            hessian = -(Z.T * (chance * (1 - chance))) @ Z - penalty
            assert_allclose(value, hessian, rtol=2e-3)
            assert_allclose(gradient, Z.T @ (problem.y - chance) - penalty @ old, atol=0.02)
            assert_allclose(direction, np.linalg.solve(-value, gradient), rtol=2e-3)
            assert_allclose(new, old + direction, atol=2e-3)


@pytest.mark.parametrize("solver", ["gd", "sgd"])
def test_a_step_along_the_gradient_is_recomputed(solver):
    scene, *_ = drawn_scene(noisy(), solver=solver, max_iter=3, batch_size=10)
    for frame in scene.frames[1:-1]:
        old, gradient, direction, new = np.array(
            [row[1:] for row in tables(frame)["The step"].rows], float
        ).T
        assert_allclose(direction, gradient / 60, rtol=1e-3)
        length = number(re.search(r" \+ (\S+) · ", formulas(frame)[0])[1])
        assert_allclose(new, old + length * direction, atol=1e-3)


def test_the_sum_of_the_step_comes_out():
    for frame in drawn_scene(noisy())[0].frames[1:-1]:
        value = formulas(frame)[0].split(": ")[1]
        old, length, direction, new = map(
            number, re.fullmatch(r"(\S+) \+ (\S+) · (\S+) = (\S+)", value).groups()
        )
        assert new == pytest.approx(old + length * direction, abs=1e-5)


def test_the_objective_falls_apart_into_likelihood_and_penalty():
    problem = noisy()
    scene, steps, _ = drawn_scene(problem, C=0.3)
    for frame, step in zip(scene.frames[:-1], steps, strict=False):
        parts = re.search(r"= (\S+) − (\S+) = (\S+)$", formulas(frame)[-1])
        height, cost, objective = map(number, parts.groups())
        assert objective == pytest.approx(height - cost, abs=1e-3)
        assert cost == pytest.approx((step.coef[0, 1:] ** 2).sum() / 0.6, rel=1e-4, abs=1e-9)


@pytest.mark.parametrize("columns", ["ab", "abcd"])
def test_what_is_asked_about_gets_the_probability_of_the_model(columns):
    problem = noisy(columns)
    for query in (problem.query((0.4, -0.2)), problem.query(sample=5)):
        scene, _, model = drawn_scene(problem, query)
        last = scene.frames[-1]
        rows = tables(last)[f"Asked about: {problem.name(query)}"].rows
        assert_allclose([row[1] for row in rows[1:]], query.x)
        score, chance = formulas(last)[:2]
        assert result(score) == pytest.approx(sum(row[3] for row in rows), rel=1e-4)
        value = number(re.search(r"\)\) = ([^;]+);", chance)[1])
        assert value == pytest.approx(model.predict_proba(query.x[None])[0, 1], rel=1e-4)
        assert result(chance) == pytest.approx(value / (1 - value), rel=1e-4)


def test_inference_in_the_ledger_is_that_of_the_model():
    scene, _, model = drawn_scene(noisy("abc"), C=np.inf)
    ledger = tables(scene.frames[-1])
    table = np.array([row[1:] for row in ledger["Coefficients with standard errors"].rows])
    coef = np.append(model.intercept_, model.coef_[0])
    for column, values in zip(
        table.T, (coef, model.standard_errors_, model.z_values_, model.p_values_), strict=True
    ):
        assert_allclose(column, values, rtol=1e-3)
    odds = np.array([row[1:] for row in ledger["Odds ratios with 95 % limits"].rows])
    assert_allclose(
        odds, np.column_stack([model.odds_ratios_, model.odds_ratio_intervals_]), rtol=1e-3
    )
    deviance = next(text for text in formulas(scene.frames[-1]) if text.startswith("deviance"))
    value = re.search(r"= (\S+); without columns (\S+); fall (\S+) with 3", deviance)
    assert_allclose(
        [number(text) for text in value.groups()[:2]],
        [model.deviance_, model.null_deviance_],
        rtol=1e-5,
    )


def test_a_penalty_has_no_standard_errors_and_says_so():
    frame = drawn_scene(noisy())[0].frames[-1]
    assert next(iter(tables(frame))) == "Coefficients"
    assert "A penalty biases the coefficients on purpose; standard errors need C = ∞." in formulas(
        frame
    )


def test_lines_have_the_probabilities_that_they_name():
    problem = noisy("abcd", test_size=0.3)
    scene, _, model = drawn_scene(problem)
    last = len(scene.frames) - 1
    lines = marks(scene, Line)
    assert len(lines) == 3
    for line, p in zip(lines, (0.1, 0.5, 0.9), strict=True):
        ends = np.column_stack([at(line.x, last), at(line.y, last)])
        assert_allclose(model.predict_proba(problem.plane.lift(ends))[:, 1], p)


def test_a_line_ends_at_the_edges_of_the_panel():
    panel = Panel("data", Axis("x", -1, 3), Axis("y", 10, 20))
    for slopes in ([1, 0], [0, 1], [2, 0.7], [-0.4, 0.2]):
        ends = across(1 - 14 * slopes[1], np.array(slopes, float), 1.5, panel)
        assert_allclose(ends @ slopes + 1 - 14 * slopes[1], 1.5)
        on_edge = (
            np.isclose(ends[:, 0], -1) | np.isclose(ends[:, 0], 3) | np.isclose(ends[:, 1], 10)
        )
        assert (on_edge | np.isclose(ends[:, 1], 20)).all()
    assert np.isnan(across(0.0, np.array([0.0, 0.0]), 0.0, panel)).all()
    assert np.isnan(across(100.0, np.array([1.0, 1.0]), 0.0, panel)).all()


@pytest.mark.parametrize(("C", "constant"), [(np.inf, True), (0.5, True), (np.inf, False)])
def test_the_map_holds_the_heights_of_the_likelihood(C, constant):
    problem = noisy("abc")
    model = LogisticRegression(C=C, fit_intercept=constant).fit(problem.X, problem.y)
    steps = run(LogisticRegression(C=C, fit_intercept=constant), problem.X, problem.y).steps
    path = np.array([step.coef[0] for step in steps])
    likelihood = model.likelihood(problem.X, problem.y)
    terms = (1, 2) if constant else (0, 1)
    shape = surface_of(likelihood, path, terms, constant)
    mean = problem.X.mean(axis=0)
    for row, column in ((0, 0), (4, 9), (20, 3)):
        coef = path[-1].copy()
        coef[list(terms)] = shape.x[column], shape.y[row]
        if constant:  # the score of the mean row stays where the steps end
            coef[0] += (path[-1][1:] - coef[1:]) @ mean
        height = likelihood.log_likelihood(likelihood.scores(coef[None])) - likelihood.cost(
            coef[None]
        )
        assert shape.heights[row, column] == pytest.approx(height)
    best = np.unravel_index(shape.heights.argmax(), shape.heights.shape)
    assert abs(shape.x[best[1]] - path[-1][terms[0]]) <= shape.x[1] - shape.x[0]
    assert abs(shape.y[best[0]] - path[-1][terms[1]]) <= shape.y[1] - shape.y[0]


def test_the_small_picture_can_be_chosen():
    axes = {"slopes": "β, a; β, b", "intercept": "β, intercept; β, a", "height": "step; height"}
    for small_picture, labels in axes.items():
        panel = drawn_scene(noisy("abc"), small_picture=small_picture)[0].panels[1]
        assert f"{panel.x.label}; {panel.y.label}" == labels
    scene, steps, _ = drawn_scene(noisy("abc"), small_picture="height")
    line = marks(scene, Line, "height")[0]
    assert_allclose(at(line.y, len(steps) - 1), [step.objective for step in steps])


def test_the_image_is_coarse_on_the_way_and_fine_at_the_end():
    problem = noisy()
    scene, _, model = drawn_scene(problem)
    coarse, fine = marks(scene, Raster)
    n = len(scene.frames)
    assert [at(coarse.pixels, i).size > 0 for i in range(n)] == [True] * (n - 1) + [False]
    assert [at(fine.pixels, i).size > 0 for i in range(n)] == [False] * (n - 1) + [True]
    np.testing.assert_array_equal(at(fine.pixels, n - 1), surface(problem, model).pixels)


def test_a_single_column_is_drawn_as_a_curve():
    problem = noisy("a")
    query = problem.query((0.5, 0.0))
    scene, _, model = drawn_scene(problem, query)
    curve = marks(scene, Line, color="accent")[0]
    last = len(scene.frames) - 1
    assert_allclose(at(curve.y, last), model.predict_proba(at(curve.x, last)[:, None])[:, 1])
    (rows,) = marks(scene, Points, data=True)
    np.testing.assert_array_equal(at(rows.y, last), problem.y)
    assert scene.handles[0].y == pytest.approx(model.predict_proba([[0.5]])[0, 1])


def test_the_rows_of_a_batch_are_ringed_and_named():
    problem = noisy("ab", test_size=0.3)
    scene, steps, _ = drawn_scene(problem, solver="sgd", max_iter=1, batch_size=9)
    rings = next(mark for mark in marks(scene, Points) if not mark.data)
    for i, (frame, step) in enumerate(zip(scene.frames, steps, strict=True)):
        if step.phase == "batch":
            assert_allclose(np.sort(at(rings.x, i)), np.sort(problem.training.X[step.rows, 0]))
            first = min(problem.training.rows[step.rows]) + 1
            assert f"over rows {first}, " in frame.caption
        else:
            assert at(rings.x, i).size == 0


def test_groups_are_counted_and_compared():
    scene, *_ = drawn_scene(grouped(), grouped=True, C=np.inf)
    frame = scene.frames[-1]
    rows = tables(frame)["Groups of equal rows: observed and fitted"].rows
    counts = TELEPHONE.groupby(["college", "moved", "high_income"])
    assert [row[3] for row in rows] == counts["households"].sum().tolist()
    won = TELEPHONE[TELEPHONE["adopted"] == "yes"].set_index(["college", "moved", "high_income"])[
        "households"
    ]
    assert [row[4] for row in rows] == won.sort_index().tolist()
    for *_, n, s, share, chance, expected in rows:
        assert share == pytest.approx(s / n)
        assert expected == pytest.approx(n * chance)
    assert sum(row[-1] for row in rows) == pytest.approx(
        won.sum()
    )  # as the gradient of the intercept is zero
    cases = tables(frame)["Errors"].rows[0]
    assert cases[1] == TELEPHONE["households"].sum()
    assert cases[2] == won.sum()
    (points,) = marks(scene, Points, data=True)
    order = np.argsort(TELEPHONE["households"], kind="stable")
    assert (np.diff(at(points.size, -1)[order]) >= 0).all()
    assert (
        "The column households says how often each row counts; the symbols are as large."
        in scene.notes
    )


@pytest.mark.parametrize(
    ("x", "C", "value"),
    [
        ([1, 2, 8, 9], np.inf, "separates the classes completely: the likelihood rises for ever"),
        ([1, 5, 5, 9], np.inf, "except for rows on the boundary itself: the likelihood rises"),
        ([1, 2, 8, 9], 1.0, "completely: only the penalty keeps the coefficients finite."),
    ],
)
def test_separation_is_told(x, C, value):
    frame = pd.DataFrame({"x": np.array(x, float), "group": ["no", "no", "yes", "yes"]})
    scene, *_ = drawn_scene(
        prepare(frame, ["x"], target="group", labelled=True, positive="yes"), C=C
    )
    assert value in scene.frames[-1].caption
    if np.isinf(C):
        assert "There are standard errors only at the maximum of the likelihood." in formulas(
            scene.frames[-1]
        )


def test_columns_that_others_determine_are_told():
    frame = NOISY.assign(e=2 * NOISY["a"] - 1)
    scene, *_ = drawn_scene(
        prepare(frame, ["a", "b", "e"], target="group", labelled=True, positive="yes"), C=np.inf
    )
    assert (
        "The preceding columns determine e, so its coefficient is held at 0."
        in scene.frames[-1].caption
    )


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"solver": "newton", "max_iter": 10**6, "batch_size": 1}, ""),
        ({"solver": "gd", "max_iter": 4000, "batch_size": 1}, ""),
        (
            {"solver": "gd", "max_iter": 4001, "batch_size": 1},
            "4001 iterations are too many steps, and at most 4000",
        ),
        (
            {"solver": "sgd", "max_iter": 41, "batch_size": 2},
            "41 epochs of 100 batches are 4100 steps, and at most 4000",
        ),
    ],
    ids=["newton", "gd", "too long", "too small batches"],
)
def test_more_steps_than_can_be_kept_are_refused(params, sentence):
    value = too_many_steps(200, 2, params)
    assert value.startswith(sentence) if sentence else not value


@pytest.mark.parametrize("small_picture", ["slopes", "intercept"])
def test_coefficients_answer_to_the_mark_that_stands_at_them(small_picture):
    """Of four columns, two are at the mark on the likelihood: the others are no place on it."""
    scene, *_ = drawn_scene(noisy("abcd"), small_picture=small_picture)
    panel = next(panel for panel in scene.panels if panel.name == "surface")
    (point,) = marks(scene, Points, "surface", of="coefficients")
    for i in (1, -1):
        table = next(block for block in tables(scene.frames[i]).values() if block.by)
        values = {row[0]: row[-1 if i == 1 else 1] for row in table.rows}
        lit = [
            row[0]
            for row, each in zip(table.rows, table.numbers, strict=True)
            if each in at(point.numbers, i)
        ]
        assert [f"β, {name}" for name in lit] == [panel.x.label, panel.y.label]
        assert [at(point.x, i)[0], at(point.y, i)[0]] == pytest.approx(
            [values[name] for name in lit], rel=1e-3
        )


def test_all_coefficients_answer_to_the_curve_of_one_column():
    scene, *_ = drawn_scene(noisy("a"), small_picture="height")
    (curve,) = marks(scene, Line, of="coefficients")
    table = next(block for block in tables(scene.frames[-1]).values() if block.by)
    assert [row[0] for row in table.rows] == ["intercept", "a"]
    assert set(table.numbers) == set(at(curve.numbers, -1))
    scene, *_ = drawn_scene(noisy(), small_picture="height")
    assert not marks(scene, (Line, Points), of="coefficients")
    assert {each for block in tables(scene.frames[-1]).values() for each in block.numbers} == {None}
