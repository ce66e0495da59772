"""Support vector machines beside e1071, scikit-learn and the conditions that the optimum has."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import svm
from sklearn.datasets import load_iris, make_blobs, make_classification, make_moons
from sklearn.exceptions import ConvergenceWarning

from dmlib.classification import SVC, NuSVC
from dmlib.classification.kernels import Kernel
from dmlib.trace import run

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "svm.json").read_text("utf-8"))
XOR = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), np.array([0, 1, 1, 0])


@pytest.mark.parametrize("name", ["linear", "rbf"])
def test_e1071_gives_the_same_machine(name):
    rows, expected = np.array(GOLDEN[name]["rows"]), GOLDEN[name]["expected"]
    X, y = rows[:, :2], rows[:, 2].astype(int)
    model = SVC(kernel=name, gamma=0.5).fit(X, y)
    assert sorted(model.support_ + 1) == expected["support_rows"]
    alpha = dict(zip(model.support_ + 1, np.abs(model.dual_coef_[0]), strict=True))
    np.testing.assert_allclose(
        [alpha[i] for i in expected["support_rows"]], expected["alpha_by_support_row"], 1e-8
    )
    at_bound = [i for i in expected["support_rows"] if alpha[i] == 1]
    assert at_bound == expected["bounded_support_rows_alpha_equals_C"]
    assert model.intercept_[0] == pytest.approx(expected["b"], rel=1e-8)
    decision = model.decision_function(X)
    np.testing.assert_allclose(decision, expected["decision_values"], rtol=1e-7, atol=1e-8)
    assert (model.predict(X) != y).sum() == expected["training_errors"]
    assert np.maximum(0, 1 - y * decision).sum() == pytest.approx(expected["sum_of_slacks"])
    done = run(SVC(kernel=name, gamma=0.5), X, y).steps[-1]
    assert done.objective == pytest.approx(expected["dual_objective"])
    if name == "linear":
        np.testing.assert_allclose(model.coef_[0], expected["w"], rtol=1e-8)
        assert 2 / np.linalg.norm(model.coef_) == pytest.approx(
            expected["margin_width_2_over_norm_w"]
        )


def noisy(seed, n=60, n_classes=2):
    return make_classification(
        n,
        6,
        n_informative=4,
        n_classes=n_classes,
        n_clusters_per_class=1,
        flip_y=0.1,
        random_state=seed,
    )


@settings(deadline=None, max_examples=30)
@given(
    st.integers(0, 10**6),
    st.floats(0.01, 100),
    st.sampled_from(
        [
            ("linear", {}),
            ("rbf", {}),
            ("poly", {"coef0": 1.0, "degree": 2}),
            ("rbf", {"gamma": "auto"}),
        ]
    ),
    st.sampled_from([2, 3]),
)
def test_the_library_gives_the_same_decisions(seed, C, kernel, n_classes):
    X, y = noisy(seed, n_classes=n_classes)
    name, params = kernel
    ours = SVC(C=C, kernel=name, decision_function_shape="ovo", tol=1e-6, **params).fit(X, y)
    theirs = svm.SVC(C=C, kernel=name, decision_function_shape="ovo", tol=1e-6, **params).fit(X, y)
    scale = np.abs(theirs.decision_function(X)).max()
    np.testing.assert_allclose(
        ours.decision_function(X), theirs.decision_function(X), atol=1e-3 * scale
    )


@settings(deadline=None, max_examples=20)
@given(
    st.integers(0, 10**6), st.sampled_from([0.31, 0.417, 0.55]), st.sampled_from(["linear", "rbf"])
)
def test_the_library_gives_the_same_decisions_for_nu(seed, nu, kernel):
    X, y = make_blobs(60, 2, centers=[[0, 0], [5, 5]], cluster_std=1.5, random_state=seed)
    ours = NuSVC(nu=nu, kernel=kernel, tol=1e-8).fit(X, y)
    theirs = svm.NuSVC(nu=nu, kernel=kernel, tol=1e-8).fit(X, y)
    scale = np.abs(theirs.decision_function(X)).max()
    np.testing.assert_allclose(
        ours.decision_function(X), theirs.decision_function(X), atol=1e-3 * scale
    )
    assert np.mean(np.isin(np.arange(60), ours.support_)) >= nu - 1e-9
    assert np.mean(np.where(y == 1, 1, -1) * ours.decision_function(X) < 1 - 1e-6) <= nu + 1e-9


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10**6), st.floats(0.01, 1000), st.sampled_from(["linear", "rbf", "poly"]))
def test_every_row_meets_its_condition(seed, C, kernel):
    X, y = noisy(seed)
    model = SVC(C=C, kernel=kernel).fit(X, y)
    alpha = np.zeros(len(X))
    alpha[model.support_] = np.abs(model.dual_coef_[0])
    margin = np.where(y == 1, 1, -1) * model.decision_function(X)
    assert model.dual_coef_.sum() == pytest.approx(0, abs=1e-9 * C)
    assert (margin[alpha == 0] >= 1 - 1e-3).all()
    assert (margin[alpha == C] <= 1 + 1e-3).all()
    np.testing.assert_allclose(margin[(alpha > 0) & (alpha < C)], 1, atol=1e-3)


def test_nu_is_the_machine_of_some_c():
    X, y = make_blobs(80, 2, centers=2, cluster_std=2.0, random_state=1)
    nu = NuSVC(nu=0.3).fit(X, y)
    same = SVC(C=np.abs(nu.dual_coef_).max()).fit(X, y)
    np.testing.assert_allclose(same.decision_function(X), nu.decision_function(X), atol=1e-6)


# --- shapes ---------------------------------------------------------------------------------------


def test_more_classes_have_the_attributes_of_the_library():
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    ours, theirs = (
        SVC(kernel="linear", tol=1e-8).fit(X, names),
        svm.SVC(kernel="linear", tol=1e-8).fit(X, names),
    )
    np.testing.assert_array_equal(ours.support_, theirs.support_)
    np.testing.assert_array_equal(ours.n_support_, theirs.n_support_)
    np.testing.assert_allclose(ours.dual_coef_, theirs.dual_coef_, atol=1e-3)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-3)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-3)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    assert ours.n_iter_.shape == (3,)


def test_a_kernel_may_be_a_matrix_or_a_function():
    X, y = make_moons(50, noise=0.2, random_state=0)
    rbf = Kernel("rbf", 2.0)
    by_name = SVC(gamma=2.0).fit(X, y)
    by_matrix = SVC(kernel="precomputed").fit(rbf(X, X), y)
    by_function = SVC(kernel=rbf).fit(X, y)
    for model, rows in ((by_matrix, rbf(X, X)), (by_function, X)):
        np.testing.assert_allclose(
            model.decision_function(rows), by_name.decision_function(X), atol=1e-6
        )
    assert not hasattr(by_name, "coef_")


def test_weights_repeat_rows():
    X, y = make_moons(40, noise=0.3, random_state=1)
    weight = np.tile([0, 1, 2, 3], 10)
    weighted = SVC().fit(X, y, sample_weight=weight).decision_function(X)
    repeated = SVC().fit(np.repeat(X, weight, axis=0), np.repeat(y, weight)).decision_function(X)
    np.testing.assert_allclose(weighted, repeated, atol=1e-7)


# --- steps ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "estimator", [SVC(C=5.0), SVC(kernel="linear", C=0.1), NuSVC(nu=0.3)], ids=str
)
def test_fit_is_where_the_steps_end(estimator):
    X, y = make_moons(60, noise=0.3, random_state=2)
    steps = run(estimator, X, y).steps
    model = estimator.fit(X, y)
    done = steps[-1]
    assert [steps[0].phase, done.phase] == ["start", "done"]
    beta = np.zeros(len(X))
    beta[done.rows] = done.sign * done.alpha / done.margin
    np.testing.assert_array_equal(np.flatnonzero(beta), np.sort(model.support_))
    np.testing.assert_array_equal(beta[model.support_], model.dual_coef_[0])
    assert done.b / done.margin == model.intercept_[0]
    assert done.iteration == model.n_iter_[0]
    assert all(a.objective <= b.objective + 1e-12 for a, b in pairwise(steps))


def test_a_pair_is_moved_within_its_box():
    X, y = make_moons(60, noise=0.3, random_state=2)
    C = 2.0
    for before, step in pairwise(run(SVC(C=C), X, y).steps):
        if step.phase != "pair":
            continue
        i, j = step.move.i, step.move.j
        first, second = before.alpha[[i, j]]
        if step.sign[i] == step.sign[j]:
            box = max(0, first + second - C), min(C, first + second)
        else:
            box = max(0, second - first), min(C, C + second - first)
        assert step.box == pytest.approx(box)
        unclipped = second - step.sign[j] * step.move.unclipped
        assert step.alpha[j] == pytest.approx(np.clip(unclipped, *box))
        assert step.alpha[i] == pytest.approx(
            first + step.sign[i] * step.sign[j] * (second - step.alpha[j])
        )


def test_a_pair_of_nu_is_of_one_class():
    X, y = make_moons(60, noise=0.3, random_state=2)
    steps = run(NuSVC(nu=0.4), X, y).steps
    for step in steps:
        assert step.alpha[step.sign > 0].sum() == pytest.approx(0.4 * 60 / 2)
        assert step.alpha[step.sign < 0].sum() == pytest.approx(0.4 * 60 / 2)
        if step.phase == "pair":
            assert step.sign[step.move.i] == step.sign[step.move.j]


# --- special and bad data -------------------------------------------------------------------------


def test_xor_needs_a_kernel():
    X, y = XOR
    assert SVC(kernel="linear", C=1e6).fit(X, y).score(X, y) <= 0.75
    assert SVC(kernel="poly", degree=2, gamma=1.0, coef0=1.0, C=1e6).fit(X, y).score(X, y) == 1
    assert SVC(kernel="rbf", C=1e6).fit(X, y).score(X, y) == 1


def test_a_hard_margin_holds_no_row():
    X, y = make_blobs(60, 2, centers=[[0, 0], [6, 6]], random_state=0)
    model = SVC(C=np.inf, kernel="linear").fit(X, y)
    assert (np.where(y == 1, 1, -1) * model.decision_function(X)).min() == pytest.approx(1)
    large = SVC(C=1e8, kernel="linear").fit(X, y)
    np.testing.assert_allclose(model.coef_, large.coef_, rtol=1e-6)


@pytest.mark.parametrize(("n", "noise"), [(100, 0.4), (60, 0.5), (20, 1.0)])
def test_classes_that_overlap_have_no_hard_margin(n, noise):
    X, y = make_moons(n, noise=noise, random_state=0)
    done = run(SVC(C=np.inf, kernel="linear"), X, y, max_steps=100_000).steps[-1]
    assert done.phase == "done"
    assert (
        done.reason
        == "The objective grows without end: no boundary keeps every row out of the margin."
    )


def test_classes_that_overlap_too_much_for_nu_are_told():
    X, y = make_moons(100, noise=0.4, random_state=0)
    model = NuSVC(nu=0.05, kernel="linear")
    assert run(model, X, y).steps[-1].reason.startswith("No boundary has a margin here")
    with pytest.warns(ConvergenceWarning, match="No boundary has a margin here"):
        assert np.isfinite(model.fit(X, y).decision_function(X)).all()


def test_a_hard_margin_does_not_depend_on_the_unit_of_the_columns():
    X, y = make_blobs(60, 2, centers=[[0, 0], [6, 6]], random_state=0)
    model = SVC(C=np.inf, kernel="linear", tol=1e-8).fit(X, y)
    for unit in (1e-12, 1e-6, 1e6):
        rescaled = SVC(C=np.inf, kernel="linear", tol=1e-8).fit(X * unit, y)
        np.testing.assert_allclose(rescaled.coef_ * unit, model.coef_, rtol=1e-6)
        soft = SVC(C=10 / unit**2, kernel="linear", tol=1e-8).fit(X * unit, y)  # may be beyond 1e10
        np.testing.assert_allclose(
            soft.decision_function(X * unit),
            SVC(C=10, kernel="linear", tol=1e-8).fit(X, y).decision_function(X),
        )


def test_a_machine_that_did_not_converge_warns():
    X, y = make_moons(60, noise=0.3, random_state=0)
    for model in (SVC(max_iter=3), NuSVC(max_iter=3)):
        with pytest.warns(
            ConvergenceWarning, match="classes 1 and 0: The limit of 3 moves was reached"
        ):
            assert model.fit(X, y).fit_status_ == 1
    with pytest.warns(ConvergenceWarning, match="Nor did 2 other machines"):
        SVC(max_iter=3).fit(*load_iris(return_X_y=True))
    enough = int(SVC().fit(X, y).n_iter_[0])
    assert SVC(max_iter=enough).fit(X, y).fit_status_ == 0  # the limit was met, but by the answer


def test_a_price_beyond_all_digits_is_told():
    X, y = make_moons(40, noise=0.5, random_state=0)
    with pytest.warns(ConvergenceWarning, match="C is too large|too coarse|limit of"):
        model = SVC(C=1e300, kernel="linear").fit(X, y)
    assert np.isfinite(model.coef_).all()


def test_rows_of_both_classes_that_coincide_are_undecided():
    X = np.repeat([[0.0, 0.0], [1.0, 1.0]], 10, axis=0)
    y = np.tile([0, 1], 10)
    np.testing.assert_allclose(SVC().fit(X, y).decision_function(X), 0, atol=1e-9)
    np.testing.assert_allclose(
        SVC().fit(np.ones((20, 2)), y).decision_function(np.ones((1, 2))), 0, atol=1e-9
    )


def test_a_constant_column_changes_nothing():
    X, y = make_moons(60, noise=0.2, random_state=3)
    wide = np.column_stack([X, np.full(60, 7.0)])
    np.testing.assert_allclose(
        SVC(gamma=1.0).fit(wide, y).decision_function(wide),
        SVC(gamma=1.0).fit(X, y).decision_function(X),
        atol=1e-8,
    )


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("C", [1e-12, 1e-3, 1e6, 1e12])
@pytest.mark.parametrize("gamma", [0.0, 1e-9, 1e9, "scale"])
def test_extremes_give_finite_decisions(C, gamma):
    X, y = make_moons(40, noise=0.2, random_state=4)
    model = SVC(C=C, gamma=gamma, max_iter=20_000).fit(X, y)
    assert np.isfinite(model.decision_function(X)).all()


SPECKLED = make_blobs([45, 5], 2, random_state=0)


@pytest.mark.parametrize(
    ("estimator", "X", "y", "sentence"),
    [
        (SVC(), [[0.0], [1.0]], ["a", "a"], "The number of classes has to be greater than one"),
        (SVC(), [[1e300], [-1e300]], [0, 1], "Scale the columns"),
        (SVC(), [[1e-160], [-1e-160]], [0, 1], "too little to be squared. Scale the columns"),
        (SVC(kernel="linear"), [[1e-160], [-1e-160]], [0, 1], "too little|too small"),
        (
            SVC(kernel="linear", gamma="auto"),
            [[1e-160], [-1e-160]],
            [0, 1],
            "too small for this kernel",
        ),
        (
            SVC(kernel="precomputed"),
            [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]],
            [0, 1, 1],
            "a square matrix",
        ),
        (NuSVC(nu=0.5), *SPECKLED, "Make nu at most 0.2"),
        (NuSVC(), np.ones((8, 1)), [0, 1] * 4, "No boundary has a margin"),
        (
            SVC(gamma="wide"),
            [[0.0], [1.0]],
            [0, 1],
            "gamma must be a number from 0 to inf or scale or auto",
        ),
        (
            SVC(kernel="cubic"),
            [[0.0], [1.0]],
            [0, 1],
            "kernel must be one of linear, poly, rbf, sigmoid",
        ),
    ],
)
def test_what_cannot_be_done_is_said(estimator, X, y, sentence):
    with pytest.raises(ValueError, match=sentence):
        estimator.fit(X, y)


def test_too_many_rows_are_refused_before_any_kernel_is_computed():
    def never(X, Z):
        raise AssertionError

    with pytest.raises(ValueError, match="at most 20000 rows"):
        SVC(kernel=never).fit(np.zeros((20_001, 1)), np.arange(20_001) % 2)


def test_weights_that_leave_no_problem_are_refused():
    X, y = [[0.0], [1.0]], [0, 1]
    with pytest.raises(ValueError, match="all samples have zero or negative weights"):
        SVC().fit(X, y, sample_weight=[0, -1])
    with pytest.raises(ValueError, match="belong to the same class"):
        SVC().fit(X, y, sample_weight=[0, 1])
