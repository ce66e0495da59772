import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import pairwise

from dmlib.classification.kernels import Kernel, cached_rows, finite

RNG = np.random.default_rng(0)
X, Z = RNG.normal(size=(7, 3)), RNG.normal(size=(4, 3))


@given(st.floats(0, 3), st.integers(1, 6), st.floats(-2, 2))
def test_kernels_are_those_of_the_library(gamma, degree, coef0):
    theirs = {
        "linear": pairwise.linear_kernel(X, Z),
        "poly": pairwise.polynomial_kernel(X, Z, degree=degree, gamma=gamma, coef0=coef0),
        "rbf": pairwise.rbf_kernel(X, Z, gamma=gamma),
        "sigmoid": pairwise.sigmoid_kernel(X, Z, gamma=gamma, coef0=coef0),
    }
    for name, expected in theirs.items():
        np.testing.assert_allclose(
            Kernel(name, gamma, degree, coef0)(X, Z), expected, rtol=1e-9, atol=1e-12
        )


@pytest.mark.parametrize("name", ["linear", "poly", "rbf", "sigmoid"])
def test_the_diagonal_and_the_rows_are_those_of_the_matrix(name):
    kernel = Kernel(name, 0.7, 3, 0.5)
    matrix = kernel(X, X)
    np.testing.assert_allclose(kernel.diagonal(X), np.diag(matrix))
    row = cached_rows(kernel, X, capacity=2)
    for i in (0, 3, 0, 6):
        np.testing.assert_allclose(row(i), matrix[i])


def test_distances_are_exact_far_from_zero():
    far = np.array([[1e8], [1e8 + 1]])
    assert Kernel("rbf", 1.0)(far, far)[0, 1] == pytest.approx(np.exp(-1))


def test_values_that_are_not_finite_are_refused():
    with pytest.raises(ValueError, match="Scale the columns"):
        finite(Kernel("poly", 1.0, 5)([[1e200]], [[1e200]]))
