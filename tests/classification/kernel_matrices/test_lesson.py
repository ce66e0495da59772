"""The lesson on kernels says what the algorithm computes."""

from math import comb
from pathlib import Path

import numpy as np
import pytest

from dmlib.classification import KernelMatrix, polynomial_features

TEXT = (Path(__file__).parents[3] / "assets" / "pages" / "kernels" / "lesson.md").read_text(
    encoding="utf-8"
)
X = np.array([[1, 0], [2, 1], [0, 2], [1, 3]], float)


def section(title):
    return TEXT.split(f"### {title}\n")[1].split("\n### ")[0]


def matrix(K):
    return r" \\ ".join(" & ".join(f"{value:g}" for value in row) for row in K)


def test_by_hand():
    text = section("By hand")
    linear, squared = (
        KernelMatrix("linear").fit(X),
        KernelMatrix("poly", gamma=1.0, coef0=0.0).fit(X),
    )
    for model, rank in ((linear, 2), (squared, 3)):
        assert matrix(model.kernel_matrix_) in text
        assert model.rank_ == rank
        assert all(f"**{value:.4g}**" in text for value in model.eigenvalues_[:rank])
    lifted = polynomial_features(X)
    assert lifted[2] == pytest.approx([0, 4, 0])
    assert lifted[3] == pytest.approx([1, 9, 3 * np.sqrt(2)])
    assert lifted[2] @ lifted[3] == pytest.approx(36)
    sigmoid = KernelMatrix("sigmoid", gamma=1.0, coef0=-1.0).fit(X)
    assert f"**{sigmoid.smallest_eigenvalue_:.4f}**".replace("-", "−") in text


def test_the_answers():
    assert polynomial_features(X, coef0=1.0, degree=3).shape[1] == comb(5, 3) == 10
    assert KernelMatrix("linear").fit(np.random.default_rng(0).normal(size=(100, 4))).rank_ == 4
