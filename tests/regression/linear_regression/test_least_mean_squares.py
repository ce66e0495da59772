"""Least mean squares: by hand, by scikit-learn, on a line that drifts, and where it diverges."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import SGDRegressor

from dmlib.comparison import Incomparable, compare
from dmlib.datasets import load, make
from dmlib.outputs.linear import scores_of
from dmlib.pictures.marks import Line, Points, Segments
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from dmlib.regression import LeastMeanSquares, LinearRegression
from dmlib.regression.linear_regression.figures.absolute import (
    OF_SQUARES,
    coefficient_gaps,
    residual_sizes,
)
from dmlib.regression.linear_regression.figures.residuals import leverage_plot
from dmlib.regression.linear_regression.questions import questions
from dmlib.regression.linear_regression.reference import linear_regression_reference
from dmlib.regression.linear_regression.scene import linear_regression_scene
from tests.contract.test_lessons import section, text_of
from tests.pictures.examples import at, marks, tables

X = np.array([[1.0], [2.0], [3.0], [4.0]])
Y = np.array([2.0, 3.0, 3.0, 5.0])
FRAME = pd.DataFrame({"x": X[:, 0], "y": Y})
MODEL = LeastMeanSquares(learning_rate=0.1, max_iter=1)
HAND = Run.of(prepare(FRAME, ["x"], target="y", numeric_target=True), MODEL)


def drifting(**params):
    table = make("drift", **params)
    return prepare(table.frame, ["x"], target="y", numeric_target=True)


def test_by_hand():
    start, *rows, done = MODEL.steps(X, Y)
    assert (start.phase, done.phase) == ("start", "done")
    assert [step.error for step in rows] == pytest.approx([2, 2.4, 0.52, 1.164])
    assert [step.intercept for step in rows] == pytest.approx([0.2, 0.44, 0.492, 0.6084])
    assert [step.coef[0] for step in rows] == pytest.approx([0.2, 0.68, 0.836, 1.3016])
    assert rows[-1].recent == pytest.approx((4 + 2.4**2 + 0.52**2 + 1.164**2) / 4)
    assert done.coef.tolist() == rows[-1].coef.tolist()
    squares = LinearRegression().fit(X, Y)
    assert (squares.intercept_, squares.coef_[0]) == pytest.approx((1, 0.9))


def test_the_lesson_has_the_numbers_of_the_steps():
    text = section(text_of("linear_regression"), "By hand")
    _, *rows, _ = MODEL.steps(X, Y)
    for number, step in enumerate(rows, 1):
        left = Y[number - 1] - step.intercept - step.coef[0] * X[number - 1, 0]
        values = [f"{v:.4f}" for v in (step.predicted, step.error, step.gain)]
        weights = f"{step.intercept:.4f}, {step.coef[0]:.4f}"
        cells = [str(number), *values, weights, f"{left + 0:.4f}".replace("-0.0000", "0.0000")]
        assert f"| {' | '.join(cells)} |".replace("-", "−") in text


def descended(rows, y, rate, passes, intercept, weights):
    """Return the weights of the rule in its barest form."""
    A = np.column_stack([np.ones(len(y)), rows]) if intercept else rows
    w = np.zeros(A.shape[1])
    for _ in range(passes):
        for x, target, weight in zip(A, y, weights, strict=True):
            w = w + rate * weight * (target - w @ x) * x
    return w


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_a_loop_and_scikit_learn_find_the_same(seed, intercept, weighted):
    rng = np.random.default_rng(seed)
    n, p, passes = int(rng.integers(5, 60)), int(rng.integers(1, 5)), int(rng.integers(1, 6))
    rows, weights = rng.normal(size=(n, p)), rng.uniform(0.5, 2, n) if weighted else np.ones(n)
    y = rows.sum(axis=1) + rng.normal(size=n)
    columns = np.column_stack([rows, weights]) if weighted else rows
    model = LeastMeanSquares(
        learning_rate=0.03,
        max_iter=passes,
        fit_intercept=intercept,
        weight_column=p + 1 if weighted else 0,
    ).fit(columns, y)
    ours = [*[model.intercept_] * intercept, *model.coef_]
    assert ours == pytest.approx(descended(rows, y, 0.03, passes, intercept, weights))
    theirs = SGDRegressor(
        alpha=0,
        penalty=None,
        learning_rate="constant",
        eta0=0.03,
        shuffle=False,
        max_iter=passes,
        tol=None,
        fit_intercept=intercept,
    ).fit(rows, y, sample_weight=weights)
    assert model.coef_ == pytest.approx(theirs.coef_)
    assert model.intercept_ == pytest.approx(theirs.intercept_[0])


def test_the_page_compares_it_with_scikit_learn():
    data = prepare(load("mtcars").frame, ["wt", "gear"], target="mpg", numeric_target=True)
    run = Run.of(data, LeastMeanSquares(max_iter=5))
    answer = linear_regression_reference(run).answer(run)
    rows = compare(run.fitted, answer, ("coef_", "intercept_", "r2_", "rmse_"), data.data)
    assert all(row.agrees for row in rows)
    with pytest.raises(Incomparable, match="another order"):
        linear_regression_reference(Run.of(data, LeastMeanSquares(order="random")))


@given(arrays(float, (8, 3), elements=st.integers(-4, 4).map(float)), st.floats(1e-3, 0.99))
@settings(max_examples=60, deadline=None)
def test_below_the_safe_step_no_correction_makes_its_error_larger(table, share):
    rows, y = table[:, :2], table[:, 2]
    safe = 2 / (1 + (rows**2).sum(axis=1)).max()
    start, *corrections, done = LeastMeanSquares(learning_rate=share * safe, max_iter=3).steps(
        rows, y
    )
    assert start.safe_step == pytest.approx(safe)
    for step in corrections:
        left = y[step.row] - step.intercept - rows[step.row] @ step.coef
        assert abs(left) <= abs(step.error) + 1e-9
        length = 1 + rows[step.row] @ rows[step.row]
        assert left == pytest.approx(step.error * (1 - share * safe * length), abs=1e-9)
    assert done.converged


def test_the_bound_of_convergence_on_average():
    """Many rows that are drawn again and again: the mean of w behaves as gradient descent."""
    rng = np.random.default_rng(1)
    rows = np.array([[1.0], [-1.0], [0.5], [-0.5]])  # with an intercept: λ are 1 and 0.625
    start = next(LeastMeanSquares().steps(rows, rng.normal(size=4)))
    A = np.column_stack([np.ones(4), rows])
    assert start.largest_step == pytest.approx(2 / np.linalg.eigvalsh(A.T @ A / 4).max())
    assert start.largest_step == pytest.approx(2)


def test_a_small_rate_comes_close_to_least_squares():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(50, 2))
    y = rows @ [2.0, -1.0] + 3 + rng.normal(size=50)
    squares = LinearRegression().fit(rows, y)
    gaps = []
    for rate in (0.1, 0.01, 0.001):
        model = LeastMeanSquares(
            learning_rate=rate, max_iter=400, order="random", random_state=0
        ).fit(rows, y)
        gaps.append(np.abs(model.coef_ - squares.coef_).max())
    assert gaps[0] > gaps[1] > gaps[2]
    assert gaps[2] < 0.02


def test_it_follows_a_line_that_drifts():
    data = drifting()
    run = Run.of(data, LeastMeanSquares(learning_rate=0.1, max_iter=1))
    true = data.unused_column("slope")
    assert true[[0, -1]].tolist() == [1, -1]
    later = [(step.coef[0], true[step.row]) for step in run.trace.steps[31:-1]]
    slopes, truth = np.array(later).T
    assert np.abs(slopes - truth).mean() < 0.2
    squares = LinearRegression().fit(*data.arguments)
    assert np.abs(squares.coef_[0] - truth).mean() > 0.4
    scene = linear_regression_scene(run)
    panel = next(panel for panel in scene.panels if panel.name == "slopes")
    assert panel.y.low < -1
    lines = [line for line in marks(scene, Line, panel="slopes") if line.label == "true"]
    assert lines[0].y == pytest.approx(true)


def test_the_true_slope_is_in_the_units_of_the_picture():
    table = make("drift")
    data = prepare(table.frame, ["x"], target="y", numeric_target=True, scaling="z-score")
    scene = linear_regression_scene(Run.of(data, LeastMeanSquares(max_iter=1)))
    (line,) = [line for line in marks(scene, Line, panel="slopes") if line.label == "true"]
    assert line.y[0] == pytest.approx(table.frame["x"].std())


def test_it_diverges_with_a_sentence_and_nothing_else():
    data = prepare(load("mtcars").frame, ["wt"], target="mpg", numeric_target=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        run = Run.of(data, LeastMeanSquares(learning_rate=0.2))
        with pytest.warns(ConvergenceWarning, match="Not converged.*below 2/max‖x‖² = 0.06575"):
            model = LeastMeanSquares(learning_rate=0.2).fit(*data.arguments)
        scene = linear_regression_scene(run)
    assert not model.converged_
    assert np.isfinite(model.predict(data.data)).all()
    assert scene.frames[-1].caption == run.trace.steps[-1].reason
    with pytest.raises(Incomparable, match="without bound"):
        linear_regression_reference(run)


@pytest.mark.parametrize("size", [1e-40, 1e40])
def test_numbers_of_any_size(size):
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)
        for rate in (1e-12, 1.0, 1e12):
            steps = list(LeastMeanSquares(learning_rate=rate, max_iter=3).steps(X * size, Y * size))
            assert np.isfinite(steps[-1].coef).all()


@pytest.mark.parametrize(("n", "n_alone"), [(100, 250), (600, 600), (1200, 1000)])
def test_of_many_rows_each_pass_is_a_step(n, n_alone):
    frame = make("noisy_line", n_samples=n).frame
    model = LeastMeanSquares(learning_rate=1e-3, max_iter=4)
    steps = list(model.steps(frame[["x"]], frame["y"]))
    phases = [step.phase for step in steps]
    assert phases.count("correct") == n_alone
    assert phases.count("pass") == sum(number * n > n_alone for number in (1, 2, 3, 4))
    assert steps[-1].n_seen == 4 * n


def test_shuffled_passes_depend_on_the_seed_alone():
    def coefficients(seed):
        model = LeastMeanSquares(order="random", random_state=seed, max_iter=2)
        return model.fit(X, Y).coef_.tolist()

    assert coefficients(1) == coefficients(1) != coefficients(2)


def test_equal_targets_and_a_single_row():
    equal = LeastMeanSquares(learning_rate=0.1, max_iter=500).fit(X, np.full(4, 3.0))
    assert equal.predict(X) == pytest.approx(3, abs=1e-3)
    assert np.isnan(equal.r2_)
    zero = LeastMeanSquares().fit(X, np.zeros(4))
    assert zero.coef_.tolist() == [0]


def test_captions_and_ledger():
    frames = linear_regression_scene(HAND).frames
    assert [frame.caption for frame in frames] == [
        "The neuron starts with all weights at 0, so it predicts 0 for every row.",
        "Row 1 has the error e = 2 − 0 = 2; its correction leaves 1.6 of it.",
        "Row 2 has the error e = 3 − 0.6 = 2.4; its correction leaves 1.2 of it.",
        "Row 3 has the error e = 3 − 2.48 = 0.52; its correction leaves 0 of it.",
        "Row 4 has the error e = 5 − 3.836 = 1.164; its correction leaves −0.8148 of it.",
        "After 1 pass of 4 rows, RMSE = 0.867; the least squares of all rows together has 0.4183.",
    ]
    rows = tables(frames[2])["w ← w + η e x"].rows
    assert rows[0][1:] == pytest.approx((0.2, 1, 0.24, 0.44))
    assert rows[1][1:] == pytest.approx((0.2, 2, 0.48, 0.68))


def test_the_error_is_drawn_to_the_line_before():
    scene = linear_regression_scene(HAND)
    (residual,) = marks(scene, Segments)
    assert at(residual.y0, 2) == pytest.approx([3])
    assert at(residual.y1, 2) == pytest.approx([0.6])
    (ring,) = [mark for mark in marks(scene, Points) if mark.hollow is not None and mark.numbers]
    assert at(ring.numbers, 2).tolist() == [2]


def test_questions_have_the_answers_of_the_steps():
    asked = list(questions(HAND))
    assert [question.topic for question in asked[:3]] == [
        "error",
        "corrected slope",
        "what is left",
    ]
    errors = [q.answer.value for q in asked if q.topic == "error"]
    assert errors == pytest.approx([2, 2.4, 0.52, 1.164])
    slopes = [q.answer.value for q in asked if q.topic == "corrected slope"]
    assert slopes == pytest.approx([0.2, 0.68, 0.836, 1.3016])
    assert [q.answer.right for q in asked if q.topic == "what is left"] == [[0], [0], [1]]


def test_figures():
    assert "rows have a smaller residual" in residual_sizes(HAND).layout.title.text
    assert "x differs most" in coefficient_gaps(HAND).layout.title.text
    with pytest.raises(ValueError, match=OF_SQUARES):
        leverage_plot(HAND)


def test_nominal_columns_and_its_formula():
    data = prepare(
        load("wages").frame,
        ["education", "gender"],
        target="wage",
        numeric_target=True,
        scaling="z-score",
    )
    run = Run.of(data, LeastMeanSquares(max_iter=2))
    assert run.fitted.bases_ == {"gender": "female"}
    (score,) = scores_of(run.fitted, data)
    assert "[gender = male]" in score.formula
    assert linear_regression_scene(run).panels[0].equal
