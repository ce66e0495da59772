"""The picture of linear regression: line, bands, residuals, partial residuals and ledger."""

import numpy as np
import pandas as pd
import pytest

from dmlib.datasets import load
from dmlib.pictures.encode import encode
from dmlib.pictures.marks import Line, PerFrame, Points, Rects, Segments
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from dmlib.regression import LinearRegression, influence
from dmlib.regression.linear_regression.scene import linear_regression_scene
from tests.pictures.examples import at, formulas, marks, result, tables
from tests.runs import stopped

HAND = prepare(
    pd.DataFrame({"x": [1.0, 2.0, 3.0, 6.0], "y": [2.0, 3.0, 7.0, 8.0]}),
    ["x"],
    target="y",
    numeric_target=True,
)
CARS = prepare(load("mtcars").frame, ["wt", "hp", "qsec"], target="mpg", numeric_target=True)
WAGES = prepare(
    load("wages").frame, ["occupation"], target="wage", numeric_target=True, test_size=0.3
)


def scene_of(problem, model=None, query=None, **options):
    return linear_regression_scene(
        Run.of(problem, model or LinearRegression(), options=options, query=query)
    )


def captions(scene):
    return [frame.caption for frame in scene.frames]


def test_captions_of_the_normal_equations():
    assert captions(scene_of(HAND)) == [
        "The mean of y in 4 rows is 5; predicting it everywhere leaves SSE = 26.",
        "The sums of products around the means are X'X and X'y: 14 and 17.",
        "The equations X'X b = X'y give slope 1.214, and SSE falls from 26 to 5.357.",
        "Least squares: R² = 0.794, RMSE = 1.157, F(1, 2) = 7.707 with p = 0.109.",
    ]


def test_the_line_goes_from_the_mean_to_least_squares():
    scene = scene_of(HAND)
    line, beyond = [mark for mark in marks(scene, Line) if mark.width == 2.5]
    assert at(line.x, 0).tolist() == [1, 6]
    assert at(line.y, 0).tolist() == [5, 5]
    assert at(line.y, 3) == pytest.approx([19 / 14 + 17 / 14, 19 / 14 + 6 * 17 / 14])
    assert beyond.dash
    panel = scene.panels[0]
    assert at(beyond.x, 3)[[0, 1, 3, 4]].tolist() == [panel.x.low, 1, 6, panel.x.high]


def test_bands_are_the_limits_of_the_answer_only():
    scene = scene_of(HAND)
    bands = [mark for mark in marks(scene, Line) if mark.width == 1.2]
    assert [mark.dash for mark in bands] == [False, False, True, True]
    model = LinearRegression().fit(HAND.X, HAND.y)
    for mark, observation, side in zip(
        bands, (False, False, True, True), (0, 1, 0, 1), strict=True
    ):
        assert not at(mark.y, 2).size
        limits = model.intervals(at(mark.x, 3)[:, None], observation=observation)[:, side]
        np.testing.assert_allclose(at(mark.y, 3), limits)
    assert not [mark for mark in marks(scene_of(HAND, bands=False), Line) if mark.width == 1.2]


def test_residuals_are_segments_or_squares():
    (segments,) = marks(scene_of(HAND), Segments)
    heights = at(segments.y0, 3) - at(segments.y1, 3)
    assert heights == pytest.approx(HAND.y - LinearRegression().fit(HAND.X, HAND.y).predict(HAND.X))
    scene = scene_of(HAND, residuals="squares")
    (squares,) = marks(scene, Rects)
    panel = scene.panels[0]
    unit = (panel.x.high - panel.x.low) / (panel.y.high - panel.y.low) / 1.6
    assert np.abs(at(squares.x1, 3) - at(squares.x0, 3)) == pytest.approx(np.abs(heights) * unit)
    assert not marks(scene_of(HAND, residuals="none"), (Segments, Rects))


def test_held_out_rows_have_no_residual_and_their_own_error():
    scene = scene_of(WAGES, residuals="segments")
    assert not marks(scene, Segments)  # too many rows
    assert any("Residuals are drawn for at most" in note for note in scene.notes)
    cars = prepare(load("mtcars").frame, ["wt"], target="mpg", numeric_target=True, test_size=0.25)
    scene = scene_of(cars)
    (segments,) = marks(scene, Segments)
    assert len(at(segments.x0, 0)) == 24
    model = LinearRegression().fit(cars.training.X, cars.training.y)
    error = float(np.sqrt(np.mean((cars.testing.y - model.predict(cars.testing.X)) ** 2)))
    (test_error,) = [text for text in formulas(scene.frames[-1]) if text.startswith("test set")]
    assert float(test_error.split(" = ")[1].split()[0]) == pytest.approx(error, rel=1e-5)


def test_ledger_of_the_answer():
    frame = scene_of(CARS).frames[-1]
    inference = LinearRegression().fit(CARS.X, CARS.y).inference_
    rows = tables(frame)["Coefficients and standard errors"].rows
    assert [row[0] for row in rows] == ["intercept", "wt", "hp", "qsec"]
    assert [row[2] for row in rows] == pytest.approx(inference.standard_errors.tolist(), rel=1e-4)
    tests = tables(frame)["t tests, and variance inflation"].rows
    for row, t, p in zip(tests, inference.t, inference.p, strict=True):
        assert row[1:3] == pytest.approx([t, p], rel=1e-4)
    assert [row[3] for row in tests[1:]] == pytest.approx(inference.vif.tolist(), rel=1e-4)
    assert tests[0][3] is None
    model, residual, total = tables(frame)["ANOVA"].rows
    assert model[1] + residual[1] == pytest.approx(total[1], rel=1e-4)
    (f,) = [text for text in formulas(frame) if text.startswith("F = ")]
    assert result(f) == pytest.approx(inference.f_p, rel=1e-5)
    assert model[3] / residual[3] == pytest.approx(inference.f, rel=1e-4)
    (r2,) = [text for text in formulas(frame) if text.startswith("R²")]
    assert result(r2) == pytest.approx(0.834768, rel=1e-5)


def test_fitted_against_observed():
    scene = scene_of(CARS)
    (points,) = marks(scene, Points, data=True)
    model = LinearRegression().fit(CARS.X, CARS.y)
    assert at(points.x, 3) == pytest.approx(model.predict(CARS.X))
    assert at(points.y, 3) == pytest.approx(CARS.y)
    (segments,) = marks(scene, Segments)
    assert at(segments.y1, 3) == pytest.approx(model.predict(CARS.X))
    assert scene.panels[0].equal


def test_partial_residuals_have_the_slope_of_the_coefficient():
    scene = scene_of(CARS, column=2)
    (points,) = marks(scene, Points, data=True)
    slope = np.polyfit(at(points.x, 3), at(points.y, 3), 1)[0]
    assert slope == pytest.approx(LinearRegression().fit(CARS.X, CARS.y).coef_[1])
    assert scene.panels[0].x.label == "hp"


def test_levels_have_their_own_pieces_of_line():
    scene = scene_of(WAGES)
    (line,) = [mark for mark in marks(scene, Line) if mark.width == 2.5]
    means = [WAGES.training.y[WAGES.training.X[:, 0] == code].mean() for code in range(6)]
    assert at(line.y, 3)[::3] == pytest.approx(means)
    assert any("base levels: occupation: " in text for text in formulas(scene.frames[-1]))


def test_a_query_is_predicted_with_its_limits():
    scene = scene_of(HAND, query=HAND.query((4.0, 0.0)))
    (handle,) = scene.handles
    assert (handle.x, handle.y) == (4.0, pytest.approx(19 / 14 + 4 * 17 / 14))
    texts = formulas(scene.frames[-1])
    assert result(texts[0]) == pytest.approx(6.214, abs=1e-3)
    low, high = LinearRegression().fit(HAND.X, HAND.y).intervals([[4.0]])[0]
    assert texts[1] == f"95 % limits of mean: {low:.6g} to {high:.6g}".replace("-", "−")


def test_a_selected_row_has_its_influence():
    scene = scene_of(CARS, query=CARS.query(sample=16))
    model = LinearRegression().fit(CARS.X, CARS.y)
    weight = influence(model, CARS.X, CARS.y).cooks_distance[16]
    (distance,) = [text for text in formulas(scene.frames[-1]) if text.startswith("Cook")]
    assert result(distance) == pytest.approx(weight, rel=1e-5)


def test_sse_beside_the_picture():
    scene = scene_of(CARS, LinearRegression(solver="svd"), beside="sse")
    (line,) = marks(scene, Line, panel="beside")
    sse = [step.sse for step in LinearRegression(solver="svd").steps(CARS.X, CARS.y)]
    assert at(line.y, -1) == pytest.approx(sse)


def test_divergence_is_told_and_stays_near_the_panel():
    model = LinearRegression(solver="gd", learning_rate=1.0)
    scene = scene_of(HAND, model)
    assert "diverges: the learning rate 1 is above 2/λmax = " in captions(scene)[-1]
    for mark in scene.marks:
        for name in mark.CHANNELS:
            channel = getattr(mark, name)
            for row in (
                channel.rows
                if isinstance(channel, PerFrame)
                else []
                if channel is None
                else [channel]
            ):
                assert np.abs(np.nan_to_num(np.asarray(row, float))).max(initial=0) < 1e4


@pytest.mark.parametrize("column", [0, 1])
def test_long_descents_are_thinned_and_light(column):
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(2000, 3)), columns=list("abc"))
    problem = prepare(frame, ["a", "b"], target="c", numeric_target=True)
    scene = scene_of(
        problem, LinearRegression(solver="gd", learning_rate=0.01, max_iter=3000), column=column
    )
    assert len(encode(scene)) < 150_000
    assert scene.frames[-1].phase == "done"
    assert any("steps are shown" in note for note in scene.notes)


def test_a_run_that_was_stopped_shows_its_steps():
    run = stopped(
        Run.of(
            HAND, LinearRegression(solver="gd", learning_rate=0.01), query=HAND.query((4.0, 0.0))
        ),
        3,
    )
    scene = linear_regression_scene(run)
    assert [frame.phase for frame in scene.frames] == ["start", "gradient", "gradient"]
    last = run.trace.steps[-1]
    assert scene.handles[0].y == pytest.approx(
        max(last.intercept + 4 * last.coef[0], scene.panels[0].y.low)
    )


def test_dependent_terms_are_named():
    frame = pd.DataFrame({"a": [1.0, 2, 3, 5], "b": [2.0, 4, 6, 10], "y": [1.0, 2, 2, 4]})
    scene = scene_of(prepare(frame, ["a", "b"], target="y", numeric_target=True))
    assert captions(scene)[-1].endswith("; b depends on other terms and is held at 0.")


def test_without_an_intercept():
    scene = scene_of(HAND, LinearRegression(fit_intercept=False))
    assert (
        captions(scene)[0]
        == "Without an intercept the prediction starts at 0; the squares of y sum to 126."
    )
    assert captions(scene)[2].startswith("The equations X'X b = X'y give slope 1.54")  # 77 / 50


@pytest.mark.parametrize(
    ("problem", "column", "solver", "title", "step"),
    [
        (HAND, 1, "normal", "Coefficients and standard errors", -1),
        (CARS, 2, "svd", "t tests, and variance inflation", -1),
        (CARS, 3, "svd", "b = Σ v (u'y) / s", -2),
        (HAND, 1, "gd", "Gradient of SSE / 2n", 1),
    ],
)
def test_a_coefficient_answers_to_the_line_that_it_makes(problem, column, solver, title, step):
    """A line stands for one column: no other term, and not the intercept, has to do with it."""
    scene = scene_of(problem, LinearRegression(solver=solver), column=column)
    blocks = scene.frames[step].ledger
    block = next(block for block in blocks if getattr(block, "title", "") == title)
    line = marks(scene, Line, of=block.by)[0]
    (row,) = (
        row
        for row, each in zip(block.rows, block.numbers, strict=True)
        if each in at(line.numbers, step)
    )
    assert row[0] == problem.features[column - 1]
    if "b" in block.head:
        (x0, x1), (y0, y1) = at(line.x, step), at(line.y, step)
        assert (y1 - y0) / (x1 - x0) == pytest.approx(row[block.head.index("b")], rel=1e-3)


def test_all_levels_of_a_column_answer_to_its_line():
    scene = scene_of(WAGES)
    table = tables(scene.frames[-1])["Coefficients and standard errors"]
    (line,) = marks(scene, Line, of=table.by)
    assert table.numbers == [None, *[at(line.numbers, -1)[0]] * (len(WAGES.categories[0]) - 1)]


def test_fitted_against_observed_is_the_line_of_no_column():
    scene = scene_of(CARS)
    assert not marks(scene, Line, of="column")
    assert {number for table in tables(scene.frames[-1]).values() for number in table.numbers} == {
        None
    }


def parts_of(scene):
    """Return the heights of the thick lines at the last step: (from, to) of both parts."""
    thick = [mark for mark in marks(scene, Line) if mark.width == 5.0]
    return {mark.label: sorted(at(mark.y, -1).tolist()) for mark in thick}


@pytest.mark.parametrize("row", range(4))
def test_the_parts_of_a_row(row):
    """From the mean to the line, and from there to the row; both add up to the whole distance."""
    x, y = HAND.X[row, 0], float(HAND.y[row])
    fitted = 19 / 14 + 17 / 14 * x
    scene = scene_of(HAND, query=HAND.query(sample=row))
    expected = {"explained": sorted([5, fitted]), "unexplained": sorted([fitted, y])}
    for name, heights in parts_of(scene).items():
        assert heights == pytest.approx(expected.pop(name))
    assert not expected
    texts = formulas(scene.frames[-1])
    (both,) = (text for text in texts if text.startswith("together"))
    numbers = [float(n.strip("()").replace("−", "-")) for n in both.split(" = ")[-1].split(" + ")]
    assert numbers == pytest.approx([fitted - 5, y - fitted], abs=1e-4)
    assert sum(numbers) == pytest.approx(y - 5, abs=1e-4)


def test_a_place_or_a_line_through_the_origin_has_no_parts():
    place = scene_of(HAND)
    origin = scene_of(HAND, LinearRegression(fit_intercept=False), HAND.query(sample=0))
    assert parts_of(place) == parts_of(origin) == {}
    assert not any("together" in text for text in formulas(origin.frames[-1]))


def test_the_squares_of_the_parts_add_up_over_the_rows():
    x, y = HAND.X[:, 0], np.asarray(HAND.y, float)
    fitted = 19 / 14 + 17 / 14 * x
    assert ((fitted - 5) ** 2).sum() + ((y - fitted) ** 2).sum() == pytest.approx(26)
