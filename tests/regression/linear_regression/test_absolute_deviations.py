"""Least absolute deviations: by hand, by linear programming, and where rows tie."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linprog

from dmlib.comparison import Incomparable, compare
from dmlib.datasets import load
from dmlib.outputs.linear import linear_code, scores_of
from dmlib.pictures.marks import Line, Points
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from dmlib.regression import LeastAbsoluteDeviations, LinearRegression
from dmlib.regression.linear_regression.figures.absolute import (
    OF_SQUARES,
    coefficient_gaps,
    residual_sizes,
)
from dmlib.regression.linear_regression.figures.residuals import leverage_plot
from dmlib.regression.linear_regression.questions import questions
from dmlib.regression.linear_regression.reference import linear_regression_reference
from dmlib.regression.linear_regression.scene import linear_regression_scene
from tests.pictures.examples import at, marks, tables

X = np.array([[1.0], [2.0], [3.0], [4.0], [5.0]])
Y = np.array([3.0, 4.0, 7.0, 2.0, 9.0])
FRAME = pd.DataFrame({"x": X[:, 0], "y": Y})
HAND = Run.of(prepare(FRAME, ["x"], target="y", numeric_target=True), LeastAbsoluteDeviations())


def smallest_sum(X, y, weights=None, intercept=True):
    """Return the smallest sum of absolute residuals, by linear programming."""
    A = np.column_stack([np.ones(len(y)), X]) if intercept else X
    n, k = A.shape
    weights = np.ones(n) if weights is None else weights
    result = linprog(
        np.r_[np.zeros(k), weights, weights],
        A_eq=np.hstack([A, np.eye(n), -np.eye(n)]),
        b_eq=y,
        bounds=[(None, None)] * k + [(0, None)] * (2 * n),
    )
    return result.fun


def test_by_hand():
    steps = list(LeastAbsoluteDeviations().steps(X, Y))
    assert [step.phase for step in steps] == ["median", "turn", "turn", "done"]
    assert [step.rows for step in steps] == [(1,), (1, 4), (0, 4), (0, 4)]
    assert [step.sae for step in steps] == pytest.approx([11, 22 / 3, 7, 7])
    assert [step.coef[0] for step in steps] == pytest.approx([0, 5 / 3, 1.5, 1.5])
    slopes = steps[1].turn.steps
    assert slopes[[0, 2, 3, 4]] == pytest.approx([1, 3, -1, 5 / 3])
    assert steps[1].turn.weights.tolist() == [1, 0, 1, 2, 3]
    assert steps[-1].sse == pytest.approx(31.5)
    assert steps[-1].is_unique


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("kind", ["continuous", "whole numbers", "ties"])
@pytest.mark.parametrize("seed", range(8))
def test_no_sum_is_smaller(seed, kind, intercept):
    rng = np.random.default_rng(seed)
    n, p = int(rng.integers(3, 50)), int(rng.integers(1, 5))
    rows = rng.normal(size=(n, p)) if kind == "continuous" else rng.integers(0, 4, (n, p)) + 0.0
    y = rng.integers(0, 4, n) + 0.0 if kind == "ties" else rows.sum(1) + rng.standard_cauchy(n)
    model = LeastAbsoluteDeviations(fit_intercept=intercept).fit(rows, y)
    assert np.abs(y - model.predict(rows)).sum() == pytest.approx(model.sae_)
    assert model.sae_ == pytest.approx(smallest_sum(rows, y, intercept=intercept), abs=1e-8)


@given(arrays(float, (9, 3), elements=st.integers(-3, 3).map(float)))
@settings(max_examples=60, deadline=None)
def test_each_move_lowers_the_sum_to_the_smallest(table):
    rows, y = table[:, :2], table[:, 2]
    if not np.ptp(rows, axis=0).any():
        return
    steps = list(LeastAbsoluteDeviations().steps(rows, y))
    sums = [step.sae for step in steps]
    assert all(later <= sooner + 1e-9 for sooner, later in pairwise(sums))
    assert sums[-1] == pytest.approx(smallest_sum(rows, y), abs=1e-8)
    residuals = y - steps[-1].intercept - rows @ steps[-1].coef
    assert residuals[list(steps[-1].rows)] == pytest.approx(0, abs=1e-9)


def test_weights_count_rows_as_often():
    rng = np.random.default_rng(3)
    rows, y, weights = rng.normal(size=(12, 2)), rng.normal(size=12), rng.integers(1, 5, 12)
    weighted = LeastAbsoluteDeviations(weight_column=3).fit(np.column_stack([rows, weights]), y)
    repeated = LeastAbsoluteDeviations().fit(
        np.repeat(rows, weights, axis=0), np.repeat(y, weights)
    )
    assert weighted.coef_ == pytest.approx(repeated.coef_)
    assert weighted.sae_ == pytest.approx(repeated.sae_)


def test_a_row_on_its_side_of_the_line_may_move():
    far = np.array([3.0, 4.0, 70.0, 2.0, 9.0])
    assert LeastAbsoluteDeviations().fit(X, far).coef_ == pytest.approx([1.5])
    gap = LinearRegression().fit(X, far).intercept_ - LinearRegression().fit(X, Y).intercept_
    assert gap == pytest.approx(12.6)  # as the lesson says


@pytest.mark.parametrize("scale", [1e-8, 1e8])
def test_units_do_not_matter(scale):
    model = LeastAbsoluteDeviations().fit((1e6 + X) * scale, Y * scale)
    assert model.coef_ == pytest.approx([1.5])
    assert model.sae_ == pytest.approx(7 * scale)


def test_other_solutions_with_the_same_sum_are_found_out():
    square = np.array([[0.0], [0.0], [1.0], [1.0]])
    assert not LeastAbsoluteDeviations().fit(square, [0.0, 1.0, 0.0, 1.0]).is_unique_
    assert LeastAbsoluteDeviations().fit(X, Y).is_unique_


def test_repeated_columns_and_constant_targets():
    model = LeastAbsoluteDeviations().fit(np.hstack([X, 2 * X]), Y)
    assert model.coef_ == pytest.approx([1.5, 0])
    equal = LeastAbsoluteDeviations().fit(X, np.full(5, 3.0))
    assert equal.predict(X) == pytest.approx(3.0)
    two = LeastAbsoluteDeviations().fit(X[:2], Y[:2])
    assert two.sae_ == pytest.approx(0, abs=1e-12)
    one = LeastAbsoluteDeviations().fit([[2.0], [2.0]], [1.0, 5.0])
    assert one.coef_ == pytest.approx([0])


def test_nominal_columns():
    table = load("wages").frame
    data = prepare(table, ["education", "gender"], target="wage", numeric_target=True)
    model = Run.of(data, LeastAbsoluteDeviations()).fitted
    assert model.bases_ == {"gender": "female"}
    assert model.sae_ == pytest.approx(smallest_sum(model.design(data.data), data.y), rel=1e-9)


def test_scipy_finds_the_same():
    data = prepare(load("mtcars").frame, ["wt", "hp"], target="mpg", numeric_target=True)
    run = Run.of(data, LeastAbsoluteDeviations())
    answer = linear_regression_reference(run).answer(run)
    rows = compare(run.fitted, answer, ("coef_", "intercept_", "sae_", "r2_", "rmse_"), data.data)
    assert all(row.agrees for row in rows)


def test_what_scipy_may_answer_otherwise_is_not_compared():
    frame = pd.DataFrame({"x": [0.0, 0.0, 1.0, 1.0], "y": [0.0, 1.0, 0.0, 1.0]})
    data = prepare(frame, ["x"], target="y", numeric_target=True)
    run = Run.of(data, LeastAbsoluteDeviations())
    with pytest.raises(Incomparable, match="the same sum"):
        linear_regression_reference(run)
    assert linear_regression_scene(run).frames[-1].caption.endswith("have the same sum.")


def test_captions():
    assert [frame.caption for frame in linear_regression_scene(HAND).frames] == [
        "The median of y is that of row 2, 4: predicting it everywhere gives Σ|e| = 11.",
        "Turned around row 2 up to row 5, the line has slope 1.667, and Σ|e| falls from 11 to 7.333.",  # noqa: E501
        "Turned around row 5 up to row 1, the line has slope 1.5, and Σ|e| falls from 7.333 to 7.",
        "Least absolute deviations, through rows 1 and 5: Σ|e| = 7, that of least squares is 8.",
    ]


def test_the_weighted_median_and_both_sums_are_in_the_ledger():
    turn, *_, last = linear_regression_scene(HAND).frames[1:]
    rows = tables(turn)["Weighted median of the slopes to row 2"].rows
    assert [row[0] for row in rows] == [4, 1, 5, 3]
    assert [row[3] for row in rows] == [2, 3, 6, 7]
    (ours, squares) = tables(last)["Both sums"].rows
    assert ours[1:] == pytest.approx((7, 31.5))
    assert squares[1:] == pytest.approx((8, 24))


def test_rings_and_curve():
    scene = linear_regression_scene(HAND)
    (rings,) = [mark for mark in marks(scene, Points) if mark.size is not None and mark.hollow]
    assert sorted(at(rings.x, 3).tolist()) == [1, 5]
    (curve,) = marks(scene, Line, panel="beside")
    assert not np.isfinite(at(curve.y, 0)).any()
    for frame in (1, 2, 3):
        slopes, sums = at(curve.x, frame), at(curve.y, frame)
        pivot = (2.0, 4.0) if frame == 1 else (5.0, 9.0)
        brute = [np.abs(Y - pivot[1] - slope * (X[:, 0] - pivot[0])).sum() for slope in slopes]
        assert sums == pytest.approx(brute, rel=1e-6)
        assert sums.min() == pytest.approx(HAND.trace.steps[frame].sae, rel=1e-6)


def test_questions_have_the_answers_of_the_steps():
    row, slope, further, end, far_row = questions(HAND)
    assert row.answer.right == [[5]]
    assert slope.answer.value == pytest.approx(1.5)
    assert (further.answer.right, end.answer.right) == ([0], [1])
    assert far_row.answer.right == [0]  # where it is now


def test_figures():
    assert "of 5 rows have a smaller residual" in residual_sizes(HAND).layout.title.text
    assert "x differs most: 1.5" in coefficient_gaps(HAND).layout.title.text
    with pytest.raises(ValueError, match=OF_SQUARES):
        leverage_plot(HAND)


def test_it_leaves_the_house_as_a_formula_and_as_code():
    table = load("wages").frame
    data = prepare(
        table, ["education", "gender"], target="wage", numeric_target=True, scaling="z-score"
    )
    model = Run.of(data, LeastAbsoluteDeviations()).fitted
    (score,) = scores_of(model, data)
    assert "[gender = male]" in score.formula
    namespace = {}
    exec(linear_code(model, data), namespace)
    predicted = [namespace["predict"](row) for row in table.to_dict("records")]
    assert predicted == pytest.approx(model.predict(data.data).tolist())


def test_several_columns():
    data = prepare(load("mtcars").frame, ["wt", "hp"], target="mpg", numeric_target=True)
    scene = linear_regression_scene(Run.of(data, LeastAbsoluteDeviations()))
    assert scene.panels[0].equal
    assert scene.frames[-1].caption.startswith(
        "Least absolute deviations, through rows 15, 26 and 29: Σ|e| = 59.67"
    )
    assert not list(questions(Run.of(data, LeastAbsoluteDeviations())))
