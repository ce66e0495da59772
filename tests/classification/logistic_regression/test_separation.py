"""Logistic regression where classes separate, columns say nothing new, or lie far from zero."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import ConvergenceWarning

from dmlib.classification import LogisticRegression, separation
from tests.classification.logistic_regression.data import FREE, noisy

pytestmark = pytest.mark.filterwarnings(
    "ignore::sklearn.exceptions.ConvergenceWarning"
)  # many runs are cut short


def brute_force_separation(X, y):
    """The definition in the plane: every direction through two points, and a bit to either side."""
    sign = 2 * y - 1
    kinds = {"none"}
    ends = [X[i] - X[j] for i in range(len(X)) for j in range(i)]
    angles = [
        np.arctan2(*d[::-1]) + turn + nudge
        for d in ends
        for turn in (0, np.pi / 2)
        for nudge in (-1e-6, 0, 1e-6)
    ]
    for a in [b for angle in angles for b in (angle, angle + np.pi)]:
        u = X @ [np.cos(a), np.sin(a)]
        low, high = u[y == 1].min(), u[y == 0].max()
        if low > high + 1e-9:
            kinds.add("complete")
        elif low > high - 1e-9 and (u > u.min() + 1e-9).any():
            margins = sign * (u - low)
            kinds.add("quasi-complete" if margins.max() > 1e-9 else "none")
    return (
        "complete"
        if "complete" in kinds
        else "quasi-complete"
        if "quasi-complete" in kinds
        else "none"
    )


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.booleans()), min_size=4, max_size=9)
)
def test_separation_is_what_brute_force_finds(points):
    X, y = np.array([p[:2] for p in points], float), np.array([p[2] for p in points], int)
    if len(set(y)) < 2:
        return
    answer = separation(X, y)
    assert answer.kind == brute_force_separation(X, y)
    margins = (2 * y - 1) * (answer.coef[0, 0] + X @ answer.coef[0, 1:])
    assert (margins > -1e-6).all()
    assert_array_equal(margins > 1e-6, answer.is_separated)
    assert LogisticRegression(C=np.inf).fit(X, y).separation_ == answer.kind


@pytest.mark.parametrize(
    ("X", "y", "kind"),
    [
        ([[1], [2], [3], [4]], [0, 0, 1, 1], "complete"),
        ([[1], [2], [2], [3]], [0, 0, 1, 1], "quasi-complete"),
        ([[1], [2], [3], [4]], [0, 1, 0, 1], "none"),
        ([[1], [2], [3], [4], [5], [6]], [0, 0, 1, 1, 2, 2], "complete"),
        ([[1], [2], [2], [3], [2.5], [1.5], [2.6]], [0, 0, 1, 2, 0, 1, 2], "quasi-complete"),
        ([[1], [2], [3], [1], [2], [3], [1], [2], [3]], [0, 0, 0, 1, 1, 1, 2, 2, 2], "none"),
    ],
)
def test_separation_is_told_and_stops_the_claim_of_convergence(X, y, kind):
    assert separation(X, y).kind == kind
    *_, last = LogisticRegression(C=np.inf).steps(X, y)
    assert last.separation.kind == kind
    assert last.converged == (kind == "none")
    assert ("choose a finite C" in "".join(last.warnings)) == (kind != "none")
    *_, penalised = LogisticRegression(C=1.0).steps(X, y)
    assert penalised.separation.kind == kind
    assert ("only the penalty" in "".join(penalised.warnings)) == (kind != "none")


def test_rows_that_do_not_count_separate_nothing():
    X, y = [[1], [2], [3], [4], [0]], [0, 0, 1, 1, 1]
    model = LogisticRegression(C=np.inf)
    assert model.fit(X, y).separation_ == "none"
    assert model.fit(X, y, [1, 1, 1, 1, 0]).separation_ == "complete"
    assert model.fit(X, y, [1, 1, 0, 0, 0]).separation_ == "complete"


def test_columns_that_say_nothing_new_are_held_at_zero():
    X, y = noisy(60, 2)
    columns = np.column_stack([X[:, 0], np.ones(60), X[:, 1], X[:, 0] - 3 * X[:, 1] + 7])
    *_, last = FREE.steps(columns, y)
    assert last.aliased == (1, 3)
    assert "column 2, column 4" in last.warnings[0]
    model, plain = (
        LogisticRegression(C=np.inf).fit(columns, y),
        LogisticRegression(C=np.inf).fit(X, y),
    )
    assert_allclose(model.coef_[0], [plain.coef_[0, 0], 0, plain.coef_[0, 1], 0])
    assert_allclose(model.standard_errors_, np.insert(plain.standard_errors_, [2, 3], np.nan))
    assert LogisticRegression(C=np.inf, fit_intercept=False).fit(columns, y).aliased_ == (3,)
    assert_allclose(LogisticRegression().fit(np.ones((60, 2)), y).coef_, 0, atol=1e-12)


def test_far_and_narrow_columns_are_not_taken_for_constants():
    X, y = noisy(200, 2)
    model = LogisticRegression(C=np.inf, tol=1e-8).fit(X, y)
    moved = LogisticRegression(C=np.inf, tol=1e-8).fit(X * 0.1 + 1000, y)
    assert moved.aliased_ == ()
    assert_allclose(moved.coef_ / 10, model.coef_, rtol=1e-6)
    assert_allclose(moved.standard_errors_[1:] / 10, model.standard_errors_[1:], rtol=1e-6)


@pytest.mark.parametrize("C", [1.0, np.inf])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_columns_far_from_zero_lose_no_digits(C, n_classes):
    X, y = noisy(200, 2)
    X = np.round(X * 64) / 64  # so that adding an offset rounds nothing
    y = y + (n_classes == 3) * (X[:, 0] > 1)
    centred = LogisticRegression(C=C, tol=1e-10).fit(X, y)
    for offset in (1e6, 1e7, 1e9):
        rows = X + np.array([offset, -3 * offset])
        far = LogisticRegression(C=C, tol=1e-10).fit(rows, y)
        assert far.converged_
        assert_allclose(far.coef_, centred.coef_, rtol=1e-6)
        assert far.log_likelihood_ == pytest.approx(centred.log_likelihood_, rel=1e-9)
        assert_allclose(far.predict_proba(rows), centred.predict_proba(X), atol=1e-5)
        if np.isinf(C):
            assert (far.separation_, far.aliased_) == ("none", ())
        if np.isinf(C) and n_classes == 2:
            assert_allclose(far.standard_errors_[1:], centred.standard_errors_[1:], rtol=1e-6)
            away = np.array([1, -offset, 3 * offset])
            assert far.standard_errors_[0] == pytest.approx(
                np.sqrt(away @ centred.covariance_ @ away), rel=1e-6
            )


@pytest.mark.parametrize(
    ("model", "y", "sentence"),
    [
        (
            LogisticRegression(max_iter=1),
            [0, 1, 0, 1, 1],
            "Not converged. The limit of 1 iterations was reached",
        ),
        (
            LogisticRegression(solver="gd", max_iter=2),
            [0, 1, 0, 1, 1],
            "Not converged. The limit of 2 iterations",
        ),
        (
            LogisticRegression(C=np.inf),
            [0, 0, 0, 1, 1],
            "separates the classes completely: the likelihood rises",
        ),
    ],
)
def test_what_did_not_converge_warns(model, y, sentence):
    with pytest.warns(ConvergenceWarning, match=sentence):
        assert not model.fit(np.arange(5.0)[:, None], y).converged_


def test_gradient_steps_that_drown_in_an_offset_are_no_convergence():
    X, y = noisy(50, 1)
    *_, done = LogisticRegression(solver="gd", max_iter=1000).steps(X + 1e9, y)
    assert not done.converged


def test_separation_is_found_far_from_zero():
    X = np.arange(8.0)[:, None]
    for offset in (0, 1e9):
        mixed = separation(X + offset, [0, 1, 0, 1, 0, 1, 0, 1])
        assert mixed.kind == "none"
        answer = separation(X + offset, [0, 0, 0, 0, 1, 1, 1, 1])
        assert answer.kind == "complete"
        assert (
            (answer.coef[0, 0] + answer.coef[0, 1] * (X[:, 0] + offset) > 0) == (X[:, 0] > 3.5)
        ).all()
