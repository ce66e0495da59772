"""Discriminant analysis against R's MASS, scikit-learn and brute force; limits and refusals."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import linalg, stats
from sklearn import discriminant_analysis
from sklearn.datasets import load_iris, make_blobs
from sklearn.naive_bayes import GaussianNB

from dmlib.classification import (
    DiagonalDiscriminantAnalysis,
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
    RegularizedDiscriminantAnalysis,
)
from dmlib.classification.lda_classifier.equality import box_m

MASS = json.loads((Path(__file__).parents[2] / "golden" / "lda_iris.json").read_text("utf-8"))
X, Y = load_iris(return_X_y=True)
ROWS = np.array(MASS["rows"]) - 1
ALL = (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
    RegularizedDiscriminantAnalysis,
    DiagonalDiscriminantAnalysis,
)
seeds = st.integers(0, 10_000)


def data(seed, n_classes=3, n_features=3):
    return make_blobs(60, n_features, centers=n_classes, cluster_std=4.0, random_state=seed)


def test_mass():
    model = LinearDiscriminantAnalysis(store_covariance=True).fit(X, Y)
    *_, last = model.steps(X, Y)
    ratio = 147 / 150  # MASS divides by n - k, scikit-learn and we by n
    assert_allclose(model.means_, MASS["means"], rtol=1e-9)
    assert_allclose(
        model.covariance_, ratio * np.array(MASS["pooled_covariance_div_147"]), rtol=1e-8
    )
    assert_allclose(
        np.abs(model.scalings_) * ratio**0.5, np.abs(MASS["scaling_columns_LD1_LD2"]), rtol=1e-7
    )
    assert_allclose(model.explained_variance_ratio_, MASS["proportion_of_trace"], rtol=1e-8)
    assert_allclose(model.eigenvalues_, MASS["eigenvalues_Sw_inv_Sb"], rtol=1e-8)
    assert_allclose(
        np.abs(model.transform(X[ROWS])) * ratio**0.5,
        np.abs(MASS["scores_rows"]),
        rtol=1e-6,
        atol=1e-8,
    )
    assert_allclose(
        model.predict_proba(X[ROWS]), MASS["posterior_rows_covariance_div_n"], rtol=1e-6, atol=1e-12
    )
    confusion = [
        [int(((a == Y) & (model.predict(X) == b)).sum()) for b in range(3)] for a in range(3)
    ]
    assert confusion == MASS["training_confusion_rows_truth"]
    assert_allclose(last.weights * ratio, MASS["linear_scores"]["coef_by_class"], rtol=1e-7)
    constants = (last.constants - np.log(1 / 3)) * ratio + np.log(1 / 3)
    assert_allclose(constants, MASS["linear_scores"]["intercept_by_class"], rtol=1e-7)


@settings(deadline=None, max_examples=20)
@given(
    seeds,
    st.sampled_from(
        [("svd", None), ("lsqr", None), ("lsqr", 0.3), ("eigen", "auto"), ("eigen", 0.6)]
    ),
)
def test_linear_is_that_of_scikit_learn(seed, how):
    rows, classes = data(seed)
    ours, theirs = (
        module(*how).fit(rows, classes)
        for module in (LinearDiscriminantAnalysis, discriminant_analysis.LinearDiscriminantAnalysis)
    )
    assert_allclose(ours.coef_, theirs.coef_, rtol=1e-6, atol=1e-8)
    assert_allclose(ours.predict_proba(rows), theirs.predict_proba(rows), rtol=1e-6, atol=1e-10)


@settings(deadline=None, max_examples=20)
@given(seeds, st.sampled_from([{}, {"reg_param": 0.4}, {"solver": "eigen", "shrinkage": "auto"}]))
def test_quadratic_is_that_of_scikit_learn(seed, how):
    rows, classes = data(seed)
    ours = QuadraticDiscriminantAnalysis(**how).fit(rows, classes)
    theirs = discriminant_analysis.QuadraticDiscriminantAnalysis(**how).fit(rows, classes)
    assert_allclose(
        ours.decision_function(rows), theirs.decision_function(rows), rtol=1e-6, atol=1e-8
    )


@settings(deadline=None, max_examples=15)
@given(seeds, st.floats(0.0, 1.0))
def test_regularised_lies_between_quadratic_and_linear(seed, share):
    rows, classes = data(seed)
    ends = (
        (0.0, QuadraticDiscriminantAnalysis(solver="eigen", shrinkage=share)),
        (1.0, LinearDiscriminantAnalysis("eigen", share)),
    )
    for pooling, limit in ends:
        model = RegularizedDiscriminantAnalysis(pooling, share).fit(rows, classes)
        assert_allclose(
            model.predict_proba(rows),
            limit.fit(rows, classes).predict_proba(rows),
            rtol=1e-6,
            atol=1e-10,
        )


@settings(deadline=None, max_examples=15)
@given(seeds, st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_friedmans_matrices_by_his_formula(seed, pooling, gamma):
    rows, classes = data(seed, 2, 2)
    groups = [rows[classes == k][: 10 + 5 * k] for k in (0, 1)]
    rows, classes = np.vstack(groups), np.repeat([0, 1], [len(group) for group in groups])
    model = RegularizedDiscriminantAnalysis(pooling, gamma, store_covariance=True).fit(
        rows, classes
    )
    scatters = [(group - group.mean(axis=0)).T @ (group - group.mean(axis=0)) for group in groups]
    for matrix, scatter, n in zip(model.covariance_, scatters, map(len, groups), strict=True):
        mixed = ((1 - pooling) * scatter + pooling * sum(scatters)) / (
            (1 - pooling) * n + pooling * len(rows)
        )
        expected = (1 - gamma) * mixed + gamma * np.trace(mixed) / 2 * np.eye(2)
        assert_allclose(matrix, expected, rtol=1e-9)


@settings(deadline=None, max_examples=15)
@given(seeds)
def test_diagonal_is_naive_bayes_or_shares_its_variances(seed):
    rows, classes = data(seed)
    own = DiagonalDiscriminantAnalysis(pooled=False).fit(rows, classes)
    assert_allclose(
        own.predict_proba(rows),
        GaussianNB(var_smoothing=0.0).fit(rows, classes).predict_proba(rows),
        atol=1e-9,
    )
    pooled = DiagonalDiscriminantAnalysis().fit(rows, classes)
    within = rows - pooled.means_[classes]
    density = stats.multivariate_normal(pooled.means_[0], np.diag((within**2).mean(axis=0))).logpdf(
        rows
    )
    constant = rows.shape[1] / 2 * np.log(2 * np.pi)
    assert_allclose(pooled._scores(rows)[:, 0], density + constant + np.log(np.mean(classes == 0)))


@settings(deadline=None, max_examples=15)
@given(seeds)
def test_axes_are_generalised_eigenvectors(seed):
    rows, classes = data(seed, 4, 5)
    model = LinearDiscriminantAnalysis(store_covariance=True).fit(rows, classes)
    within = model.covariance_
    between = np.cov(rows.T, bias=True) - within
    values = linalg.eigvalsh(between, within)[::-1]
    assert_allclose(model.eigenvalues_, values[:3], rtol=1e-7)
    assert_allclose(values[3:], 0, atol=1e-9)
    assert_allclose(
        between @ model.scalings_,
        within @ model.scalings_ * model.eigenvalues_,
        rtol=1e-6,
        atol=1e-8,
    )
    assert_allclose(model.scalings_.T @ within @ model.scalings_, np.eye(3), atol=1e-9)


@settings(deadline=None, max_examples=15)
@given(seeds, st.floats(0.01, 100.0), st.floats(-50.0, 50.0))
def test_units_and_mixtures_of_columns_do_not_matter(seed, factor, shift):
    rows, classes = data(seed)
    mixed = rows @ (np.eye(3) + np.diag([0.5, 0.5], 1)) * [factor, 1.0, 1.0] + shift
    for model in (LinearDiscriminantAnalysis(), QuadraticDiscriminantAnalysis()):
        before = model.fit(rows, classes).predict_proba(rows)
        assert_allclose(model.fit(mixed, classes).predict_proba(mixed), before, atol=1e-6)


def test_box_m_of_iris_and_by_its_formula():
    groups = [X[k == Y] for k in range(3)]
    test = box_m([np.cov(group.T, bias=True) for group in groups], np.array([50, 50, 50]))
    own = [np.cov(group.T) for group in groups]
    pooled = sum(own) / 3
    statistic = 147 * np.log(linalg.det(pooled)) - 49 * sum(
        np.log(linalg.det(matrix)) for matrix in own
    )
    assert test.statistic == pytest.approx(statistic)
    assert (test.degrees, round(test.chi2, 2)) == (20, 140.94)  # heplots::boxM in R
    assert box_m([np.eye(2), np.diag([1.0, 0.0])], np.array([9, 9])) is None


@pytest.mark.parametrize("model", [each() for each in ALL], ids=lambda model: type(model).__name__)
@pytest.mark.parametrize(
    ("rows", "classes", "says"),
    [
        (
            [[0.0], [1.0], [2.0]],
            [1, 1, 1],
            "y has only one class, 1; a discriminant needs at least two.",
        ),
        (
            [[0.0], [1.0]],
            [0, 1],
            "The number of samples must be more than the number of classes, 2",
        ),
        ([[0.0], [1e200], [2.0]], [0, 1, 1], "too large for a computer number"),
    ],
)
def test_what_cannot_be_done_is_said(model, rows, classes, says):
    with pytest.raises(ValueError, match=says):
        model.fit(rows, classes)


def test_a_class_of_one_row_and_constant_columns_have_a_remedy():
    rows, classes = np.array([[0.0, 1], [1, 2], [2, 1], [9, 9]]), [0, 0, 0, 1]
    with pytest.raises(ValueError, match="give it more rows, or pool"):
        QuadraticDiscriminantAnalysis().fit(rows, classes)
    for model in (LinearDiscriminantAnalysis(), RegularizedDiscriminantAnalysis()):
        assert model.fit(rows, classes).predict([[9.0, 9.0]]) == [1]
    constant = np.column_stack([X[:, 0], np.full(len(X), 0.1)])
    for model, says in (
        (
            QuadraticDiscriminantAnalysis(),
            "class 0 is not full rank. Increase reg_param, or leave out",
        ),
        (
            RegularizedDiscriminantAnalysis(gamma=0),
            "Increase pooling or gamma, or leave out columns",
        ),
        (
            LinearDiscriminantAnalysis("eigen"),
            r"singular \(rank 1 of 2\). Set shrinkage, or choose the solver svd",
        ),
    ):
        with pytest.raises(ValueError, match=says):
            model.fit(constant, Y)
    with_class = np.column_stack([X[:, 0], Y])
    for model, says in (
        (DiagonalDiscriminantAnalysis(), "Column 2 is constant within the classes"),
        (DiagonalDiscriminantAnalysis(pooled=False), "Leave it out, or pool the variances"),
    ):
        with pytest.raises(ValueError, match=says):
            model.fit(with_class, Y)
    for model in (LinearDiscriminantAnalysis(), DiagonalDiscriminantAnalysis()):
        single = model.fit(X[:, :1], Y).predict_proba(X[:, :1])
        assert_allclose(model.fit(constant, Y).predict_proba(constant), single)


def test_more_columns_than_rows():
    rng = np.random.default_rng(0)
    rows, classes = rng.normal(size=(20, 50)), np.repeat([0, 1], 10)
    model = LinearDiscriminantAnalysis().fit(rows[:, :18], classes)
    assert model.score(rows[:, :18], classes) == 1  # of pure noise
    model.fit(rows, classes)
    *_, last = model.steps(rows, classes)
    assert "in 18 of 50 directions only" in last.reason
    assert RegularizedDiscriminantAnalysis(1.0, "auto").fit(rows, classes).predict(rows).shape == (
        20,
    )
    with pytest.raises(ValueError, match="more rows \\(10\\) than columns \\(50\\)"):
        QuadraticDiscriminantAnalysis().fit(rows, classes)
    with pytest.raises(ValueError, match="there are no more axes"):
        LinearDiscriminantAnalysis(n_components=2).fit(rows, classes)


def test_steps_tell_the_scores():
    """The scores added up by hand are those compared, but for what is common to all classes."""
    for model in (each() for each in ALL):
        *_, last = model.fit(X, Y).steps(X, Y)
        linear = last.matrices[0] is last.matrices[1] or np.array_equal(*last.matrices[:2])
        bent = np.array(
            [0.0 if linear else X[70] @ inverse @ X[70] / 2 for inverse in last.inverses]
        )
        scores = last.weights @ X[70] + last.constants - bent
        shares = np.exp(scores - scores.max())
        assert_allclose(shares / shares.sum(), model.predict_proba(X[70:71])[0], rtol=1e-6)
