"""Kernel matrices: scikit-learn's kernels, NumPy's eigenvalues, Mercer's condition, closure."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose
from sklearn.metrics.pairwise import pairwise_kernels

from dmlib.classification import KernelMatrix, kernel_matrix, polynomial_features
from dmlib.classification.kernel_matrices.closure import OPERATIONS
from dmlib.classification.kernel_matrices.reference import kernels_reference
from dmlib.classification.kernels import KERNELS, Kernel
from dmlib.comparison import compare
from tests.runs import run_of

X = np.random.default_rng(0).normal(size=(25, 3))
MERCER = ("linear", "poly", "rbf", "laplacian")
rows = arrays(
    float,
    st.tuples(st.integers(1, 8), st.integers(1, 3)),
    elements=st.floats(-3, 3).map(lambda x: round(x, 3)),
)


@pytest.mark.parametrize("name", KERNELS)
def test_the_values_are_those_of_scikit_learn(name):
    ours = kernel_matrix(name, X, X[:4], gamma=0.3, degree=3, coef0=0.5)
    options = {"gamma": 0.3, "degree": 3, "coef0": 0.5}
    assert_allclose(
        ours, pairwise_kernels(X, X[:4], metric=name, filter_params=True, **options), rtol=1e-12
    )
    kernel = Kernel(name, 0.3, 3, 0.5)
    assert_allclose(kernel.diagonal(X), np.diag(kernel(X, X)), rtol=1e-12)


def test_an_unknown_kernel_is_refused():
    with pytest.raises(
        ValueError, match="name must be one of linear, poly, rbf, sigmoid, laplacian"
    ):
        kernel_matrix("cosine", X)


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("name", KERNELS)
def test_the_reference_and_its_code_agree(name, operation):
    model = KernelMatrix(name, operation=operation, second="laplacian", factor=-1.5).fit(X)
    run = run_of(model, X)
    names = {"model": model, "X": X}
    exec(kernels_reference(run).code, names)
    for reference in (kernels_reference(run).answer(run), names["reference"]):
        rows = compare(model, reference, ["kernel_matrix_", "eigenvalues_"])
        assert all(row.agrees for row in rows)
        assert_allclose(reference.kernel_matrix_, model.kernel_matrix_, rtol=1e-9, atol=1e-12)
        assert_allclose(reference.effective_dimension_, model.effective_dimension_, rtol=1e-9)
        assert_allclose(reference.smallest_eigenvalue_, model.smallest_eigenvalue_, atol=1e-9)


@settings(max_examples=30)
@given(
    rows,
    st.sampled_from(MERCER),
    st.sampled_from(MERCER),
    st.sampled_from(OPERATIONS),
    st.floats(0.01, 3),
)
def test_closure(X, first, second, operation, gamma):
    model = KernelMatrix(first, gamma=gamma, operation=operation, second=second).fit(X)
    assert model.positive_semidefinite_
    assert (model.kernel_matrix_ == model.kernel_matrix_.T).all()
    assert model.eigenvalues_.sum() == pytest.approx(
        np.trace(model.kernel_matrix_), rel=1e-9, abs=1e-9
    )


@settings(max_examples=30)
@given(rows, st.integers(1, 4), st.sampled_from([0.0, 0.5, 2.0]), st.floats(0.01, 3))
def test_the_feature_map_has_the_kernels_inner_products(X, degree, coef0, gamma):
    lifted = polynomial_features(X, gamma, coef0, degree=degree)
    assert_allclose(
        lifted @ lifted.T, Kernel("poly", gamma, degree, coef0)(X, X), rtol=1e-9, atol=1e-9
    )


def test_a_kernel_that_is_none():
    model = KernelMatrix("sigmoid", gamma=1.0, coef0=-1.0).fit(
        [[1.0, 0.0], [2.0, 1.0], [0.0, 2.0], [1.0, 3.0]]
    )
    assert model.smallest_eigenvalue_ == pytest.approx(-0.9656822, abs=1e-6)
    assert not model.positive_semidefinite_
    assert not KernelMatrix("poly", operation="constant", factor=-1.0).fit(X).positive_semidefinite_


@pytest.mark.parametrize(
    "X", [[[3.0]], [[0.0, 0.0]] * 4, [[1e-200], [2e-200]]], ids=["one row", "equal", "tiny"]
)
def test_degenerate_rows(X):
    assert KernelMatrix().fit(X).kernel_matrix_ == pytest.approx(np.ones((len(X), len(X))))


def test_what_is_too_large_is_refused():
    with pytest.raises(ValueError, match="Scale the columns"):
        KernelMatrix("linear").fit([[1e200], [1.0]])
