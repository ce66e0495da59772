"""The lesson on discriminant analysis says what the algorithm computes."""

from pathlib import Path

import numpy as np
import pytest

from dmlib.classification import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

TEXT = (Path(__file__).parents[3] / "assets" / "pages" / "lda_classifier" / "lesson.md").read_text(
    encoding="utf-8"
)
A = np.array([[1, 1], [3, 3], [2, 1], [2, 3]], float)
X, Y = np.vstack([A, np.add(A, [4, 1])]), np.repeat(["A", "B"], 4)


def section(title):
    return TEXT.split(f"### {title}\n")[1].split("\n### ")[0]


def test_by_hand():
    text = section("By hand")
    *_, last = LinearDiscriminantAnalysis().steps(X, Y)
    assert last.pooled.tolist() == [[0.5, 0.5], [0.5, 1.0]]
    assert last.inverses[0] == pytest.approx(np.array([[4, -2], [-2, 2]]))
    assert last.weights == pytest.approx(np.array([[4, 0], [18, -6]]), abs=1e-9)
    for value in last.constants:
        assert f"**{value:.3f}**" in text
    assert last.coef[0] == pytest.approx([14, -6])
    assert last.intercept == pytest.approx([-41])
    model = LinearDiscriminantAnalysis().fit(X, Y)
    assert model.decision_function([[4, 2.5]]) == pytest.approx([0], abs=1e-9)
    assert model.decision_function([[4, 2]]) == pytest.approx([3])
    assert f"**{model.predict_proba([[4, 2]])[0, 1]:.4f}**" in text


def test_the_answers():
    text = section("Answers")
    model = LinearDiscriminantAnalysis(priors=[0.1, 0.9]).fit(X, Y)
    assert f"**{-model.intercept_[0]:.2f}**" in text
    column = LinearDiscriminantAnalysis().fit([[-2.0], [2], [2], [6]], [0, 0, 1, 1])
    assert column.coef_[0] == pytest.approx([1])
    assert column.intercept_ == pytest.approx([-2])
    assert f"**{column.predict_proba([[3.0]])[0, 1]:.3f}**" in text
    assert (10 * 11 // 2, 3 * 10 * 11 // 2) == (55, 165)
    inner = np.array([[1, 0], [-1, 0], [0, 1], [0, -1]]) * 2**0.5
    circle = QuadraticDiscriminantAnalysis().fit(
        np.vstack([inner, 2 * inner]), np.repeat([0, 1], 4)
    )
    turned = np.linspace(0, 2 * np.pi, 9)
    scores = circle.decision_function(np.column_stack([np.cos(turned), np.sin(turned)]) * 1.5)
    assert scores == pytest.approx(np.full(9, scores[0]))
