"""The lesson on support vector machines computes by hand as the algorithm does."""

from pathlib import Path

import numpy as np
import pytest

from dmlib.classification import SVC, NuSVC
from dmlib.classification.kernels import Kernel
from dmlib.trace import run

TEXT = (Path(__file__).parents[3] / "assets" / "pages" / "svm" / "lesson.md").read_text("utf-8")
X, Y = np.array([[3.0, 3.0], [4.0, 3.0], [1.0, 1.0]]), np.array([1, 1, -1])
XOR = np.array([[1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]])


def section(title):
    return TEXT.split(f"### {title}\n")[1].split("\n### ")[0]


def test_three_rows_take_one_pair():
    steps = run(SVC(kernel="linear"), X, Y).steps
    (pair,) = [step for step in steps if step.phase == "pair"]
    assert pair.rows[[pair.move.i, pair.move.j]].tolist() == [0, 2]
    assert pair.move.eta == 8
    assert pair.box == (0, 1)
    assert pair.alpha.tolist() == [0.25, 0, 0.25]
    assert pair.objective == 0.25
    model = SVC(kernel="linear").fit(X, Y)
    assert model.coef_.tolist() == [[0.5, 0.5]]
    assert model.intercept_.tolist() == [-2]
    assert model.decision_function(X).tolist() == [1, 1.5, -1]
    width = 2 / np.linalg.norm(model.coef_)
    assert width == pytest.approx(np.linalg.norm(X[0] - X[2]))
    text = section("By hand")
    assert f"**{width:.3f}**" in text
    assert all(number in text for number in ("**8**", "**0.25**", "**(0.5, 0.5)**", "**-2**"))


def test_a_low_price_puts_a_row_on_the_wrong_side():
    model = SVC(kernel="linear", C=0.1).fit(X, Y)
    np.testing.assert_allclose(model.coef_, [[0.2, 0.2]])
    assert model.intercept_ == pytest.approx([-0.3])
    slack = np.maximum(0, 1 - Y * model.decision_function(X))
    assert slack == pytest.approx([0.1, 0, 1.1])
    dual = run(SVC(kernel="linear", C=0.1), X, Y).steps[-1].objective
    for b in (-0.4, -0.3, -0.2):
        primal = 0.04 + 0.1 * np.maximum(0, 1 - Y * (X @ [0.2, 0.2] + b)).sum()
        assert primal == pytest.approx(dual)
    text = section("By hand")
    assert all(f"**{number:g}**" in text for number in (slack[0], slack[2], dual))


def test_xor_is_one_product():
    kernel = Kernel("poly", gamma=1.0, degree=2, coef0=1.0)
    np.testing.assert_array_equal(kernel(XOR, XOR), 1 + 8 * np.eye(4))
    model = SVC(kernel="poly", degree=2, gamma=1.0, coef0=1.0).fit(XOR, [1, 1, 0, 0])
    np.testing.assert_allclose(np.abs(model.dual_coef_), 0.125)
    places = np.random.default_rng(0).normal(size=(20, 2))
    np.testing.assert_allclose(model.decision_function(places), places.prod(axis=1), atol=1e-12)


def test_answers():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 50)
    rows = rng.normal(size=(100, 2)) + 2 * y[:, None]
    before = SVC(kernel="linear").fit(rows, y)
    away = int(np.abs(before.decision_function(rows)).argmax())
    moved = rows.copy()
    moved[away] += 3 * (2 * y[away] - 1)
    np.testing.assert_allclose(SVC(kernel="linear").fit(moved, y).coef_, before.coef_, rtol=1e-6)
    assert NuSVC(nu=0.3).fit(rows, y).n_support_.sum() >= 30
    with pytest.raises(ValueError, match=r"nu at most 0\.4"):
        NuSVC(nu=0.5).fit(rows[30:], np.repeat([0, 1], [14, 56]))


def test_the_quadratic_kernel_is_an_inner_product_of_three_numbers():
    lifted = np.column_stack([X[:, 0] ** 2, np.sqrt(2) * X[:, 0] * X[:, 1], X[:, 1] ** 2])
    np.testing.assert_allclose(Kernel("poly", degree=2)(X, X), lifted @ lifted.T)
