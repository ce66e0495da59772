"""Logistic regression against R, published tables, scikit-learn and its own definition."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import check_grad, minimize
from sklearn import linear_model
from sklearn.datasets import load_digits, load_iris, make_classification
from sklearn.exceptions import ConvergenceWarning

from dmlib.classification import LogisticRegression, binomial_rows, separation
from dmlib.classification.logistic_regression.likelihood import Likelihood
from dmlib.trace import run

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # many runs are cut short

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "logistic_regression.json").read_text())
PIMA, BANKS, TELEPHONE = GOLDEN["pima"], GOLDEN["banks"], GOLDEN["telephone"]
FREE = LogisticRegression(C=np.inf)


def pima():
    rows = np.array(PIMA["rows"], float)
    return rows[:, :-1], rows[:, -1].astype(int)


def all_coef(model):
    return np.append(model.intercept_, model.coef_[0])


def noisy(n=200, n_features=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, n_features))
    return X, (X @ np.arange(1, n_features + 1) + rng.logistic(size=n) > 0.5).astype(int)


def likelihood(n_classes, seed=0):
    rng = np.random.default_rng(seed)
    Z = np.column_stack([np.ones(40), rng.normal(size=(40, 2))])
    return Likelihood(Z, rng.integers(n_classes, size=40), n_classes, rng.uniform(0.5, 2, 40), np.array([0.0, 2, 2]))


# --- R and published tables -------------------------------------------------------------------------------------------


def test_r_glm():
    X, y = pima()
    model = LogisticRegression(C=np.inf).fit(X, y)
    for found, expected in (
        (all_coef(model), PIMA["coef"]),
        (model.standard_errors_, PIMA["se"]),
        (model.z_values_, PIMA["z"]),
        (model.p_values_, PIMA["p_two_sided_normal"]),
        (model.covariance_, PIMA["vcov"]),
        (model.deviance_, PIMA["deviance"]),
        (model.null_deviance_, PIMA["null_deviance"]),
        (model.log_likelihood_, PIMA["loglik"]),
        (model.predict_proba(X[:5])[:, 1], PIMA["fitted_first5"]),
    ):
        assert_allclose(found, expected, rtol=2e-9)
    assert model.converged_
    assert model.separation_ == "none"
    table = [[int(((y == a) & (model.predict(X) == b)).sum()) for b in (0, 1)] for a in (0, 1)]
    assert table == PIMA["training_confusion_rows_truth_cut_05"]


def test_newton_takes_the_steps_of_r():
    steps = list(FREE.steps(*pima()))
    told = [step for step in steps if step.phase in ("start", "newton")]
    n = len(PIMA["coef_newton_from_zero_first_6"])
    assert_allclose([step.coef[0] for step in told[:n]], PIMA["coef_newton_from_zero_first_6"][: len(told)], rtol=2e-9)
    assert_allclose([-2 * s.log_likelihood for s in told], PIMA["deviance_newton_from_zero"][: len(told)], rtol=2e-9)


def test_banks():
    rows = np.array(BANKS["rows"])
    model = LogisticRegression(C=np.inf).fit(rows[:, [1]], rows[:, 0])
    assert_allclose(all_coef(model), BANKS["coef"], rtol=1e-8)
    assert_allclose(model.standard_errors_, BANKS["standard_error"], rtol=1e-8)
    assert_allclose(model.log_likelihood_, BANKS["log_likelihood"])
    model.fit(rows[:, [2]], rows[:, 0])
    assert_allclose(all_coef(model), [-9.587, 94.345], rtol=1e-4)


def test_grouped_data():
    rows = np.array(TELEPHONE["rows"], float)
    model = LogisticRegression(C=np.inf).fit(*binomial_rows(rows[:, :3], rows[:, 4], rows[:, 3]))
    assert_allclose(all_coef(model), TELEPHONE["coef"])
    assert_allclose(model.standard_errors_, TELEPHONE["standard_error"])
    assert_allclose(model.odds_ratios_, TELEPHONE["odds"])
    assert_allclose(model.odds_ratio_intervals_, TELEPHONE["odds_95"])
    assert_allclose(model.predict_proba(rows[:, :3])[:, 1] * rows[:, 3], TELEPHONE["fitted_adopters"])


def test_counts_are_rows_repeated():
    X, won, tried = np.array([[0.0], [1.0], [2.0]]), [1, 3, 4], [4, 5, 6]
    repeated = np.repeat(np.vstack([X, X]), [1, 3, 4, 3, 2, 2], axis=0), np.repeat([1, 0], [8, 7])
    one, other = LogisticRegression(C=2).fit(*binomial_rows(X, won, tried)), LogisticRegression(C=2).fit(*repeated)
    assert_allclose(all_coef(one), all_coef(other))


def test_counts_in_the_last_column():
    rows = np.array(TELEPHONE["rows"], float)
    X, y, counts = binomial_rows(rows[:, :3], rows[:, 4], rows[:, 3])
    grouped = np.column_stack([X, counts])
    model = LogisticRegression(C=np.inf, grouped=True).fit(grouped, y)
    assert_allclose(all_coef(model), TELEPHONE["coef"])
    assert_allclose(model.standard_errors_, TELEPHONE["standard_error"])
    assert_allclose(model.predict_proba(grouped[:8])[:, 1] * rows[:, 3], TELEPHONE["fitted_adopters"])
    *_, last = LogisticRegression(C=np.inf, grouped=True).steps(grouped, y)
    assert_allclose(last.coef[0], TELEPHONE["coef"])


@pytest.mark.parametrize("X", [[[1.0, -1.0], [2.0, 1.0]], [[1.0], [2.0]]])
def test_counts_must_be_there_and_not_negative(X):
    with pytest.raises(ValueError, match="a number from 0"):
        LogisticRegression(grouped=True).fit(X, [0, 1])


@pytest.mark.parametrize(("won", "tried"), [([3], [2]), ([-1], [2]), ([1, 1], [2, 2])])
def test_counts_that_cannot_be(won, tried):
    with pytest.raises(ValueError, match="number of successes from 0 to the trials"):
        binomial_rows([[0.0]], won, tried)


def test_a_table_of_two_by_two():
    # odds 1 / 3 and 3 / 1: the odds ratio is 9, and the variance of its logarithm the sum of the reciprocal counts
    model = LogisticRegression(C=np.inf, tol=1e-8).fit(*binomial_rows([[0], [1]], [10, 30], [40, 40]))
    assert_allclose(model.odds_ratios_, [1 / 3, 9])
    assert_allclose(model.standard_errors_[1], np.sqrt(1 / 10 + 1 / 30 + 1 / 30 + 1 / 10))
    low, high = np.log(9) + np.array([-1, 1]) * 1.959963984540054 * model.standard_errors_[1]
    assert_allclose(model.confidence_intervals_[1], [low, high])
    assert_allclose(model.odds_ratio_intervals_[1], np.exp([low, high]))


# --- scikit-learn -----------------------------------------------------------------------------------------------------


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
    theirs = linear_model.LogisticRegression(class_weight=class_weight, tol=1e-10, solver="newton-cholesky")
    assert_allclose(ours.coef_, theirs.fit(X, names).coef_, rtol=1e-6)


def test_many_classes():
    X, y = load_digits(return_X_y=True)
    X, y = X[:300, ::3], y[:300]
    assert LogisticRegression().fit(X, y).score(X, y) > 0.99


def test_probabilities_stay_accurate_far_out():
    model = LogisticRegression().fit([[0.0], [1.0]], [0, 1])
    far = np.array([[-1e6], [1e6]])
    assert_allclose(model.predict_log_proba(far)[[0, 1], [1, 0]], [1, -1] * model.decision_function(far))


# --- the objective ----------------------------------------------------------------------------------------------------


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
    information = objective.information(objective.probabilities(objective.scores(at.reshape(shape))))
    for j, axis in enumerate(np.eye(len(at)) * 1e-5):
        assert_allclose(information[j], (gradient(at - axis) - gradient(at + axis)) / 2e-5, atol=1e-6)


def test_every_solver_climbs_to_the_same_top():
    X, y = noisy()
    best = LogisticRegression(C=0.5, tol=1e-10).fit(X, y)
    y_sign = 2 * y - 1
    found = minimize(
        lambda b: 0.5 * b[1:] @ b[1:] + 0.5 * np.logaddexp(0, -y_sign * (b[0] + X @ b[1:])).sum(),
        np.zeros(4),
        tol=1e-12,
    )
    assert_allclose(all_coef(best), found.x, atol=1e-5)
    steady = LogisticRegression(C=0.5, solver="gd", tol=1e-8, max_iter=10_000).fit(X, y)
    assert_allclose(all_coef(steady), all_coef(best), atol=1e-6)
    # batches of all rows are gradient steps; smaller ones come near
    whole = LogisticRegression(C=0.5, solver="sgd", batch_size=200, max_iter=500, learning_rate=4, random_state=0).fit(
        X, y
    )
    assert_allclose(all_coef(whole), all_coef(best), atol=2e-2)
    few = LogisticRegression(C=0.5, solver="sgd", batch_size=16, max_iter=300, random_state=0).fit(X, y)
    assert_allclose(all_coef(few), all_coef(best), atol=0.15)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), solver=st.sampled_from(["newton", "gd"]), scale=st.sampled_from([0.01, 1.0, 300.0]))
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
    steps = list(LogisticRegression(C=2.0, solver="sgd", batch_size=20, max_iter=3, random_state=0).steps(X, y))
    batches = [step for step in steps if step.phase == "batch"]
    assert [len(step.rows) for step in batches] == [20, 20, 10] * 3
    assert sorted(np.concatenate([step.rows for step in batches[:3]])) == list(range(50))
    Z = np.column_stack([np.ones(50), X])
    for before, step in zip(steps, batches, strict=False):
        r = y[step.rows] - 1 / (1 + np.exp(-Z[step.rows] @ before.coef[0]))
        gradient = 50 / len(step.rows) * Z[step.rows].T @ r - np.array([0, 0.5, 0.5]) * before.coef[0]
        assert_allclose(step.gradient[0], gradient)
        assert_allclose(step.coef[0], before.coef[0] + 0.5 / np.sqrt(step.iteration) * gradient / 50)


@pytest.mark.parametrize("solver", ["newton", "gd", "sgd"])
@pytest.mark.parametrize("data", [noisy(), load_iris(return_X_y=True)], ids=["two classes", "three classes"])
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
    trace = run(LogisticRegression(C=1e-3, solver="sgd", learning_rate=100.0, random_state=0), *noisy())
    assert "smaller learning rate" in trace.steps[-1].reason
    assert np.isfinite(trace.steps[-1].coef).all()


# --- separation and collinearity --------------------------------------------------------------------------------------


def brute_force_separation(X, y):
    """The definition in the plane: try every direction through pairs of points, and a little to either side."""
    sign = 2 * y - 1
    kinds = {"none"}
    ends = [X[i] - X[j] for i in range(len(X)) for j in range(i)]
    angles = [
        np.arctan2(*d[::-1]) + turn + nudge for d in ends for turn in (0, np.pi / 2) for nudge in (-1e-6, 0, 1e-6)
    ]
    for a in [b for angle in angles for b in (angle, angle + np.pi)]:
        u = X @ [np.cos(a), np.sin(a)]
        low, high = u[y == 1].min(), u[y == 0].max()
        if low > high + 1e-9:
            kinds.add("complete")
        elif low > high - 1e-9 and (u > u.min() + 1e-9).any():
            margins = sign * (u - low)
            kinds.add("quasi-complete" if margins.max() > 1e-9 else "none")
    return "complete" if "complete" in kinds else "quasi-complete" if "quasi-complete" in kinds else "none"


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.booleans()), min_size=4, max_size=9))
def test_separation_is_what_brute_force_finds(points):
    X, y = np.array([p[:2] for p in points], float), np.array([p[2] for p in points], int)
    if len(set(y)) < 2:
        return
    found = separation(X, y)
    assert found.kind == brute_force_separation(X, y)
    margins = (2 * y - 1) * (found.coef[0, 0] + X @ found.coef[0, 1:])
    assert (margins > -1e-6).all()
    assert_array_equal(margins > 1e-6, found.apart)
    assert LogisticRegression(C=np.inf).fit(X, y).separation_ == found.kind


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
    *_, held = LogisticRegression(C=1.0).steps(X, y)
    assert held.separation.kind == kind
    assert ("only the penalty" in "".join(held.warnings)) == (kind != "none")


def test_rows_that_do_not_count_separate_nothing():
    X, y = [[1], [2], [3], [4], [0]], [0, 0, 1, 1, 1]
    model = LogisticRegression(C=np.inf)
    assert model.fit(X, y).separation_ == "none"
    assert model.fit(X, y, [1, 1, 1, 1, 0]).separation_ == "complete"
    assert model.fit(X, y, [1, 1, 0, 0, 0]).separation_ == "complete"


def test_columns_that_say_nothing_new_are_held_at_zero():
    X, y = noisy(60, 2)
    more = np.column_stack([X[:, 0], np.ones(60), X[:, 1], X[:, 0] - 3 * X[:, 1] + 7])
    *_, last = FREE.steps(more, y)
    assert last.aliased == (1, 3)
    assert "column 2, column 4" in last.warnings[0]
    model, plain = LogisticRegression(C=np.inf).fit(more, y), LogisticRegression(C=np.inf).fit(X, y)
    assert_allclose(model.coef_[0], [plain.coef_[0, 0], 0, plain.coef_[0, 1], 0])
    assert_allclose(model.standard_errors_, np.insert(plain.standard_errors_, [2, 3], np.nan))
    assert LogisticRegression(C=np.inf, fit_intercept=False).fit(more, y).aliased_ == (3,)
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
    near = LogisticRegression(C=C, tol=1e-10).fit(X, y)
    for offset in (1e6, 1e7, 1e9):
        rows = X + np.array([offset, -3 * offset])
        far = LogisticRegression(C=C, tol=1e-10).fit(rows, y)
        assert far.converged_
        assert_allclose(far.coef_, near.coef_, rtol=1e-6)
        assert far.log_likelihood_ == pytest.approx(near.log_likelihood_, rel=1e-9)
        assert_allclose(far.predict_proba(rows), near.predict_proba(X), atol=1e-5)
        if np.isinf(C):
            assert (far.separation_, far.aliased_) == ("none", ())
        if np.isinf(C) and n_classes == 2:
            assert_allclose(far.standard_errors_[1:], near.standard_errors_[1:], rtol=1e-6)
            away = np.array([1, -offset, 3 * offset])
            assert far.standard_errors_[0] == pytest.approx(np.sqrt(away @ near.covariance_ @ away), rel=1e-6)


@pytest.mark.parametrize(
    ("model", "y", "sentence"),
    [
        (LogisticRegression(max_iter=1), [0, 1, 0, 1, 1], "Not converged. The limit of 1 iterations was reached"),
        (LogisticRegression(solver="gd", max_iter=2), [0, 1, 0, 1, 1], "Not converged. The limit of 2 iterations"),
        (LogisticRegression(C=np.inf), [0, 0, 0, 1, 1], "separates the classes completely: the likelihood rises"),
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
        found = separation(X + offset, [0, 0, 0, 0, 1, 1, 1, 1])
        assert found.kind == "complete"
        assert ((found.coef[0, 0] + found.coef[0, 1] * (X[:, 0] + offset) > 0) == (X[:, 0] > 3.5)).all()


# --- bad input --------------------------------------------------------------------------------------------------------


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
    assert LogisticRegression().fit([[1.0], [1.0]], [0, 1]).predict_proba([[3.0]]).tolist() == [[0.5, 0.5]]
