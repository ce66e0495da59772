"""Logistic regression against scikit-learn and its own definition."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import check_grad, minimize
from sklearn import linear_model
from sklearn.datasets import load_digits, load_iris, make_classification

from dmlib.classification import LogisticRegression, separation
from dmlib.trace import run
from tests.classification.logistic_regression.data import FREE, all_coef, likelihood, noisy

pytestmark = pytest.mark.filterwarnings(
    "ignore::sklearn.exceptions.ConvergenceWarning"
)  # many runs are cut short


# --- scikit-learn ---------------------------------------------------------------------------------


@pytest.mark.parametrize("C", [1e-3, 0.1, 1.0, 100.0, np.inf])
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_scikit_learn(C, fit_intercept, n_classes):
    X, y = make_classification(
        300, 5, n_informative=4, n_redundant=0, n_classes=n_classes, class_sep=0.5, random_state=3
    )
    weights = np.random.default_rng(0).integers(1, 4, len(y))
    ours = LogisticRegression(C=C, fit_intercept=fit_intercept, tol=1e-8).fit(X, y, weights)
    theirs = linear_model.LogisticRegression(
        C=C, fit_intercept=fit_intercept, solver="newton-cholesky", tol=1e-10, max_iter=500
    ).fit(X, y, weights)
    assert ours.coef_.shape == theirs.coef_.shape
    assert ours.n_iter_.shape == theirs.n_iter_.shape
    assert_allclose(ours.coef_, theirs.coef_, atol=1e-7)
    assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-7)
    for method in ("decision_function", "predict_proba", "predict_log_proba"):
        assert_allclose(getattr(ours, method)(X), getattr(theirs, method)(X), atol=1e-6)
    assert_array_equal(ours.predict(X), theirs.predict(X))


@pytest.mark.parametrize("class_weight", ["balanced", {"a": 2, "b": 0.5}])
def test_class_weights(class_weight):
    X, y = noisy()
    names = np.array(["a", "b"])[y]
    ours = LogisticRegression(class_weight=class_weight, tol=1e-8).fit(X, names)
    theirs = linear_model.LogisticRegression(
        class_weight=class_weight, tol=1e-10, solver="newton-cholesky"
    )
    assert_allclose(ours.coef_, theirs.fit(X, names).coef_, rtol=1e-6)


def test_many_classes():
    X, y = load_digits(return_X_y=True)
    X, y = X[:300, ::3], y[:300]
    assert LogisticRegression().fit(X, y).score(X, y) > 0.99


def test_probabilities_stay_accurate_far_out():
    model = LogisticRegression().fit([[0.0], [1.0]], [0, 1])
    far = np.array([[-1e6], [1e6]])
    assert_allclose(
        model.predict_log_proba(far)[[0, 1], [1, 0]], [1, -1] * model.decision_function(far)
    )


# --- the objective --------------------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [2, 3])
def test_derivatives(n_classes):
    objective = likelihood(n_classes)
    shape = objective.n_logits, 3

    def value(flat):
        coef = flat.reshape(shape)
        return objective.log_likelihood(objective.scores(coef)) - objective.cost(coef)

    def gradient(flat):
        coef = flat.reshape(shape)
        return objective.gradient(objective.probabilities(objective.scores(coef)), coef).ravel()

    at = np.random.default_rng(1).normal(size=shape[0] * 3)
    assert check_grad(value, gradient, at) < 1e-5
    information = objective.information(
        objective.probabilities(objective.scores(at.reshape(shape)))
    )
    for j, axis in enumerate(np.eye(len(at)) * 1e-5):
        assert_allclose(
            information[j], (gradient(at - axis) - gradient(at + axis)) / 2e-5, atol=1e-6
        )


def test_every_solver_climbs_to_the_same_top():
    X, y = noisy()
    best = LogisticRegression(C=0.5, tol=1e-10).fit(X, y)
    y_sign = 2 * y - 1
    optimum = minimize(
        lambda b: 0.5 * b[1:] @ b[1:] + 0.5 * np.logaddexp(0, -y_sign * (b[0] + X @ b[1:])).sum(),
        np.zeros(4),
        tol=1e-12,
    )
    assert_allclose(all_coef(best), optimum.x, atol=1e-5)
    steady = LogisticRegression(C=0.5, solver="gd", tol=1e-8, max_iter=10_000).fit(X, y)
    assert_allclose(all_coef(steady), all_coef(best), atol=1e-6)
    # batches of all rows are gradient steps; smaller ones come near
    full_batches = LogisticRegression(
        C=0.5, solver="sgd", batch_size=200, max_iter=500, learning_rate=4, random_state=0
    ).fit(X, y)
    assert_allclose(all_coef(full_batches), all_coef(best), atol=2e-2)
    small_batches = LogisticRegression(
        C=0.5, solver="sgd", batch_size=16, max_iter=300, random_state=0
    ).fit(X, y)
    assert_allclose(all_coef(small_batches), all_coef(best), atol=0.15)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    solver=st.sampled_from(["newton", "gd"]),
    scale=st.sampled_from([0.01, 1.0, 300.0]),
)
def test_the_objective_never_falls(seed, solver, scale):
    X, y = noisy(30, 2, seed)
    if len(set(y)) < 2:
        return
    steps = list(LogisticRegression(C=10, solver=solver, max_iter=30).steps(X * scale, y))
    values = np.array([step.objective for step in steps])
    assert (np.diff(values) >= -1e-9 * np.abs(values[:-1])).all()
    for before, step in pairwise(steps):
        if step.direction is not None:
            assert_allclose(step.coef, before.coef + step.length * step.direction)


def test_newton_is_halved_where_it_overshoots():
    X, y = noisy()
    model = LogisticRegression(warm_start=True).fit(X, y)
    best = all_coef(model)
    model.coef_ = 30 * model.coef_
    steps = [step for step in model.steps(X, y) if step.phase == "newton"]
    assert max(step.halvings for step in steps) > 0
    assert all(step.length == 0.5**step.halvings for step in steps)
    assert_allclose(steps[-1].coef[0], best, rtol=1e-6)


def test_steps_show_their_arithmetic():
    X, y = noisy()
    start, first, *_, done = FREE.steps(X, y)
    Z = np.column_stack([np.ones(len(X)), X])
    assert (start.phase, first.phase, done.phase) == ("start", "newton", "done")
    assert start.log_likelihood == pytest.approx(len(y) * np.log(0.5))
    assert_allclose(first.gradient[0], Z.T @ (y - 0.5))
    assert_allclose(first.hessian, -Z.T @ Z / 4)
    assert_allclose(first.direction[0], np.linalg.solve(Z.T @ Z / 4, Z.T @ (y - 0.5)))
    p = 1 / (1 + np.exp(-Z @ done.coef[0]))
    assert_allclose(done.gradient[0], Z.T @ (y - p), atol=1e-6)
    assert_allclose(done.hessian, -(Z.T * p * (1 - p)) @ Z)
    assert done.log_likelihood == pytest.approx(np.log(np.where(y == 1, p, 1 - p)).sum())


def test_batches_are_gradient_steps_on_their_rows():
    X, y = noisy(50, 2)
    steps = list(
        LogisticRegression(C=2.0, solver="sgd", batch_size=20, max_iter=3, random_state=0).steps(
            X, y
        )
    )
    batches = [step for step in steps if step.phase == "batch"]
    assert [len(step.rows) for step in batches] == [20, 20, 10] * 3
    assert sorted(np.concatenate([step.rows for step in batches[:3]])) == list(range(50))
    Z = np.column_stack([np.ones(50), X])
    for before, step in zip(steps, batches, strict=False):
        r = y[step.rows] - 1 / (1 + np.exp(-Z[step.rows] @ before.coef[0]))
        gradient = (
            50 / len(step.rows) * Z[step.rows].T @ r - np.array([0, 0.5, 0.5]) * before.coef[0]
        )
        assert_allclose(step.gradient[0], gradient)
        assert_allclose(
            step.coef[0], before.coef[0] + 0.5 / np.sqrt(step.iteration) * gradient / 50
        )


@pytest.mark.parametrize("solver", ["newton", "gd", "sgd"])
@pytest.mark.parametrize(
    "data", [noisy(), load_iris(return_X_y=True)], ids=["two classes", "three classes"]
)
def test_the_last_step_is_the_answer(solver, data):
    model = LogisticRegression(solver=solver, max_iter=20, random_state=0)
    *_, last = model.steps(*data)
    model.fit(*data)
    assert_array_equal(last.coef, np.column_stack([model.intercept_, model.coef_]))
    assert (last.iteration, last.converged) == (model.n_iter_[0], model.converged_)
    assert last.log_likelihood == model.log_likelihood_


def test_warm_start_goes_on():
    X, y = noisy()
    once = LogisticRegression(max_iter=2).fit(X, y)
    twice = LogisticRegression(max_iter=1, warm_start=True).fit(X, y).fit(X, y)
    assert_allclose(all_coef(twice), all_coef(once))
    assert LogisticRegression(max_iter=0).fit(X, y).predict_proba(X[:1]).tolist() == [[0.5, 0.5]]


def test_a_rate_that_is_too_large_is_told():
    trace = run(
        LogisticRegression(C=1e-3, solver="sgd", learning_rate=100.0, random_state=0), *noisy()
    )
    assert "smaller learning rate" in trace.steps[-1].reason
    assert np.isfinite(trace.steps[-1].coef).all()


# --- bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("X", "y", "weights", "sentence"),
    [
        ([[1.0], [2.0]], [1, 1], None, "y has only one class, 1"),
        ([[1e200], [2.0]], [0, 1], None, "rescale its columns"),
        ([[1e-160], [2e-160]], [0, 1], None, "rescale its columns"),
        ([[1.0], [2.0]], [0, 1], [0, 0], "at least one non-zero"),
        ([[1.0], [2.0]], [0, 1], [1, -1], "[Nn]egative"),
        ([[1.0], [2.0]], [0.5, 1.25], None, "[Uu]nknown label type"),
        ([["x"], ["y"]], [0, 1], None, "could not convert"),
    ],
)
def test_bad_input_is_refused_with_a_sentence(X, y, weights, sentence):
    with pytest.raises(ValueError, match=sentence):
        LogisticRegression().fit(X, y, weights)
    with pytest.raises(ValueError, match=sentence):
        list(LogisticRegression().steps(X, y, weights))


def test_a_weight_of_zero_for_every_class_is_refused():
    with pytest.raises(ValueError, match="at least one row must count"):
        LogisticRegression(class_weight={0: 0, 1: 0}).fit([[1.0], [2.0]], [0, 1])


def test_separation_needs_two_classes():
    with pytest.raises(ValueError, match="at least two"):
        separation([[1.0], [2.0]], [0, 0])


@pytest.mark.parametrize("C", [1e-12, 1e30, np.inf])
def test_extreme_penalties(C):
    X, y = noisy(40, 3)
    for solver in ("newton", "gd"):
        model = LogisticRegression(C=C, solver=solver).fit(X, y)
        assert np.isfinite(all_coef(model)).all()
    if C < 1:
        assert_allclose(model.coef_, 0, atol=1e-9)


def test_more_columns_than_rows():
    X, y = np.random.default_rng(0).normal(size=(8, 20)), np.array([0, 1] * 4)
    for C in (1.0, 1e30, np.inf):
        model = LogisticRegression(C=C).fit(X, y)
        assert model.score(X, y) == 1
    assert model.separation_ == "complete"


def test_one_row_per_class():
    assert LogisticRegression(C=np.inf).fit([[0.0], [1.0]], [0, 1]).separation_ == "complete"
    assert LogisticRegression().fit([[1.0], [1.0]], [0, 1]).predict_proba([[3.0]]).tolist() == [
        [0.5, 0.5]
    ]
