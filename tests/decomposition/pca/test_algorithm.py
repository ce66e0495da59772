"""Principal components against R, scikit-learn, numpy's eigenvalues and their own definition."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import decomposition
from sklearn.datasets import load_digits, load_iris, load_wine

from dmlib.decomposition import PCA

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "pca_usarrests.json").read_text())
SOLVERS = ("full", "covariance_eigh", "power")
each_solver = pytest.mark.parametrize("svd_solver", SOLVERS)

ATTRIBUTES = (
    "components_",
    "explained_variance_",
    "explained_variance_ratio_",
    "singular_values_",
    "mean_",
)


@pytest.fixture
def arrests():
    return np.array(GOLDEN["rows"])


def same_axes(ours, theirs, **tolerance):
    """Equal but for the sign of each row."""
    signs = np.sign(np.einsum("ij,ij->i", ours, theirs))
    assert_allclose(ours * signs[:, None], theirs, **tolerance)


# --- R --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("svd_solver", ["full", "covariance_eigh"])
def test_prcomp(arrests, svd_solver):
    model = PCA(scale=True, svd_solver=svd_solver).fit(arrests)
    assert_allclose(model.mean_, GOLDEN["center"])
    assert_allclose(model.scale_, GOLDEN["scale"], rtol=1e-8)
    assert_allclose(model.explained_variance_, GOLDEN["eigenvalues"], rtol=1e-8)
    assert_allclose(np.sqrt(model.explained_variance_), GOLDEN["sdev"], rtol=1e-8)
    assert_allclose(model.explained_variance_ratio_, GOLDEN["pve"], rtol=1e-8)
    assert_allclose(model.explained_variance_ratio_.cumsum(), GOLDEN["cumulative_pve"], rtol=1e-8)
    rotation = np.array(GOLDEN["rotation_columns_are_components"]).T
    same_axes(model.components_, rotation, rtol=1e-8, atol=1e-9)
    scores = model.transform(arrests)[np.array(GOLDEN["scored_rows"]) - 1]
    signs = np.sign(np.einsum("ij,ij->i", model.components_, rotation))
    assert_allclose(scores * signs, GOLDEN["scores"], rtol=1e-8, atol=1e-9)


def test_reconstruction_errors_of_prcomp(arrests):
    standardised = (arrests - arrests.mean(axis=0)) / arrests.std(axis=0, ddof=1)
    for k, error in enumerate(GOLDEN["reconstruction_sse_by_n_components"]):
        model = PCA(k, scale=True).fit(arrests)
        back = (model.inverse_transform(model.transform(arrests)) - model.mean_) / model.scale_
        assert_allclose(((standardised - back) ** 2).sum(), error, rtol=1e-8, atol=1e-9)


# --- scikit-learn and numpy -----------------------------------------------------------------------


@each_solver
@pytest.mark.parametrize("n_components", [1, 2, 4, None, 0.9])
@pytest.mark.parametrize("whiten", [False, True])
def test_the_answer_of_scikit_learn(svd_solver, n_components, whiten):
    X = load_iris().data
    model = PCA(n_components, svd_solver=svd_solver, whiten=whiten, tol=1e-12, random_state=0)
    theirs = decomposition.PCA(n_components, whiten=whiten, svd_solver="full").fit(X)
    assert_allclose(model.fit_transform(X), theirs.transform(X), atol=1e-8)
    for name in ATTRIBUTES:
        assert_allclose(getattr(model, name), getattr(theirs, name), atol=1e-9, err_msg=name)
    assert (model.n_components_, model.n_samples_) == (theirs.n_components_, theirs.n_samples_)
    assert_allclose(model.noise_variance_, theirs.noise_variance_, atol=1e-12)
    back = theirs.inverse_transform(theirs.transform(X))
    assert_allclose(model.inverse_transform(model.transform(X)), back, atol=1e-8)
    assert_array_equal(
        model.get_feature_names_out(), [f"pca{i}" for i in range(model.n_components_)]
    )


def test_standardising_is_a_scaler_before():
    X = load_wine().data
    model = PCA(3, scale=True).fit(X)
    standardised = (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)
    theirs = decomposition.PCA(3).fit(standardised)
    assert_allclose(model.components_, theirs.components_)
    assert_allclose(model.transform(X), theirs.transform(standardised), atol=1e-12)
    assert_allclose(model.explained_variance_, np.linalg.eigvalsh(np.corrcoef(X.T))[:-4:-1])
    assert_allclose(
        model.get_covariance(), theirs.get_covariance() * np.outer(model.scale_, model.scale_)
    )


@pytest.mark.parametrize("k", [1, 2, 4])
def test_the_normal_model_of_scikit_learn(k):
    X = load_iris().data
    ours, theirs = PCA(k).fit(X), decomposition.PCA(k).fit(X)
    assert_allclose(ours.get_covariance(), theirs.get_covariance())
    assert_allclose(ours.get_precision(), theirs.get_precision())
    assert_allclose(ours.score_samples(X), theirs.score_samples(X))
    assert_allclose(ours.score(X), theirs.score(X))


def test_the_covariance_matrix_comes_back_from_all_components():
    X = load_iris().data
    assert_allclose(PCA().fit(X).get_covariance(), np.cov(X.T))
    assert_allclose(PCA(scale=True).fit(X).get_covariance(), np.cov(X.T))


@each_solver
@pytest.mark.parametrize("seed", range(3))
def test_eigenvalues_of_numpy(svd_solver, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 6)) @ rng.normal(size=(6, 6)) + 100
    model = PCA(svd_solver=svd_solver, tol=1e-12, max_iter=100_000, random_state=seed).fit(X)
    assert_allclose(model.explained_variance_, np.linalg.eigvalsh(np.cov(X.T))[::-1], rtol=1e-8)
    assert_allclose(model.components_ @ model.components_.T, np.eye(6), atol=1e-9)
    largest = abs(model.components_).argmax(axis=1)
    assert (model.components_[np.arange(6), largest] > 0).all()


def test_many_columns_and_few_components():
    X = np.random.default_rng(0).normal(size=(300, 80)) * np.linspace(1, 3, 80)
    auto, full = PCA(5).fit(X), PCA(5, svd_solver="full").fit(X)
    assert_allclose(auto.components_, full.components_, atol=1e-9)
    assert_allclose(auto.explained_variance_ratio_, full.explained_variance_ratio_)
    assert_allclose(auto.noise_variance_, full.noise_variance_)


def test_more_rows_than_a_block_and_far_from_zero():
    X = np.random.default_rng(0).normal(size=(20_000, 3)) * [1, 2, 3] + 1e6
    assert_allclose(
        PCA().fit(X).explained_variance_, np.linalg.eigvalsh(np.cov(X.T))[::-1], rtol=1e-9
    )


def test_single_precision_stays():
    X = load_iris().data.astype(np.float32)
    for svd_solver in SOLVERS:
        model = PCA(2, svd_solver=svd_solver, random_state=0).fit(X)
        assert model.components_.dtype == model.transform(X).dtype == np.float32


# --- data that are short, wide or flat ------------------------------------------------------------


@each_solver
def test_wide_data(svd_solver):
    X = np.random.default_rng(0).normal(size=(5, 12))
    model = PCA(svd_solver=svd_solver, tol=1e-12, max_iter=10_000, random_state=0).fit(X)
    assert model.components_.shape == (5, 12)
    assert_allclose(model.explained_variance_[-1], 0, atol=1e-12)
    assert_allclose(model.inverse_transform(model.transform(X)), X, atol=1e-8)
    assert_allclose(model.components_ @ model.components_.T, np.eye(5), atol=1e-8)


@each_solver
@pytest.mark.parametrize("scale", [False, True])
def test_a_constant_column_has_no_part(svd_solver, scale):
    X = np.column_stack([load_iris().data, np.full(150, 0.1)])
    model = PCA(svd_solver=svd_solver, scale=scale, tol=1e-12, random_state=0).fit(X)
    assert_allclose(model.components_[:4, 4], 0, atol=1e-9)
    assert_allclose(model.explained_variance_[4], 0, atol=1e-12)
    assert model.scale_[4] == 1


@pytest.mark.parametrize(
    ("X", "params", "sentence"),
    [
        (np.eye(3), {"n_components": 4}, r"must be between 0 and min\(n_samples, n_features\)=3"),
        (np.eye(3)[:, :2], {"n_components": 0, "svd_solver": "power"}, "must be between 1 and"),
        (np.eye(3), {"n_components": 1.5}, "a whole number, a share from 0 to 1, or None"),
        (np.eye(3), {"n_components": "mle"}, "a whole number, a share from 0 to 1, or None"),
        (np.full((4, 2), 0.1), {}, "No column varies"),
        (np.full((4, 2), 0.1), {"svd_solver": "full"}, "No column varies"),
        ([[1e200, 0], [-1e200, 1]], {}, "too large for a computer number"),
        (
            [[1e200, 0], [-1e200, 1]],
            {"svd_solver": "covariance_eigh"},
            "too large for a computer number",
        ),
    ],
)
def test_what_cannot_be_is_said(X, params, sentence):
    with pytest.raises(ValueError, match=sentence):
        PCA(**params).fit(X)


def test_no_component_is_the_mean():
    X = load_iris().data
    model = PCA(0).fit(X)
    assert model.transform(X).shape == (150, 0)
    assert_allclose(model.inverse_transform(model.transform(X)), np.tile(X.mean(axis=0), (150, 1)))


# --- steps ----------------------------------------------------------------------------------------


def test_turns_by_hand():
    # S = [[10, 6], [6, 10]] / 3: eigenvalues 16 / 3 and 4 / 3, along (1, 1) and (1, -1)
    X = np.array([[2, 2], [-2, -2], [1, -1], [-1, 1]])
    steps = list(PCA(tol=1e-6, random_state=0).steps(X))
    assert_allclose(steps[0].covariance, [[10 / 3, 2], [2, 10 / 3]])
    for before, after in pairwise(steps):
        if after.phase == "turn":
            image = before.covariance @ before.axis
            assert_allclose(after.axis, image / np.linalg.norm(image), atol=1e-5)
            assert_allclose(after.variance, after.axis @ after.covariance @ after.axis)
            assert_allclose(np.cos(after.turned), before.axis @ after.axis)
    first, second = [step for step in steps if step.phase == "found"]
    assert_allclose(first.variance, 16 / 3)
    assert_allclose(first.axis, np.sqrt([0.5, 0.5]), atol=1e-6)
    assert_allclose(second.covariance, [[2 / 3, -2 / 3], [-2 / 3, 2 / 3]], atol=1e-5)
    assert_allclose(second.variance, 4 / 3)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 5), st.integers(2, 30))
def test_the_projected_variance_never_falls(seed, n_features, n_samples):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, n_features)) * rng.uniform(0.1, 10, n_features)
    for before, after in pairwise(PCA(random_state=seed).steps(X)):
        if after.phase == "turn":
            assert after.variance >= before.variance * (1 - 1e-12)
            rows = X - X.mean(axis=0)
            assert_allclose(after.variance, (rows @ after.axis).var(ddof=1), rtol=1e-6, atol=1e-9)
            assert_allclose(after.components @ after.axis, 0, atol=1e-9)


@each_solver
def test_the_last_step_is_the_answer(svd_solver):
    X = load_wine().data
    model = PCA(3, scale=True, svd_solver=svd_solver, random_state=0)
    *_, last = model.steps(X)
    model.fit(X)
    assert last.phase == "done"
    assert_allclose(last.components, model.components_, atol=1e-12)
    assert_allclose(last.variances, model.explained_variance_)
    *_, last_found = (step for step in model.steps(X) if step.phase == "found")
    same_axes(last_found.components, model.components_, atol=1e-6)


def test_why_an_axis_is_accepted():
    line = [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]
    reasons = {step.reason for step in PCA(svd_solver="power", random_state=0).steps(line)}
    assert "No variance is left, so any axis orthogonal to the others is a component." in reasons
    assert any(
        s.reason == "The limit of 1 iterations was reached."
        for s in PCA(max_iter=1).steps(load_iris().data)
    )


def test_a_share_of_the_variance():
    X = load_digits().data
    for share in (0.3, 0.85, 0.9):
        model = PCA(share).fit(X)
        assert model.explained_variance_ratio_.sum() > share
        assert model.explained_variance_ratio_[:-1].sum() <= share
        assert (
            model.n_components_ == decomposition.PCA(share, svd_solver="full").fit(X).n_components_
        )
