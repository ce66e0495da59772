"""The lesson on Fisher's projection says what the algorithm computes."""

from pathlib import Path

import numpy as np
import pytest

from dmlib.classification import LinearDiscriminantAnalysis
from dmlib.datasets import load
from dmlib.decomposition.lda_projection.fisher import Scatter, angle_between, unit
from dmlib.pictures.words import percent

TEXT = (Path(__file__).parents[3] / "assets" / "pages" / "lda_projection" / "lesson.md").read_text(
    encoding="utf-8"
)
A = np.array([[1, 1], [3, 3], [2, 1], [2, 3]], float)
X, Y = np.vstack([A, np.add(A, [4, 1])]), np.repeat(["A", "B"], 4)


def section(title):
    return TEXT.split(f"### {title}\n")[1].split("\n### ")[0]


def test_by_hand():
    text = section("By hand")
    *_, last = LinearDiscriminantAnalysis().steps(X, Y)
    scatter = Scatter.of(last)
    assert scatter.mean.tolist() == [4, 2.5]
    assert scatter.within.tolist() == [[0.5, 0.5], [0.5, 1.0]]
    assert scatter.between.tolist() == [[4, 1], [1, 0.25]]
    assert [scatter.ratio(axis) for axis in np.eye(2)] == [8, 0.25]
    w = np.array([14.0, -6.0])
    assert scatter.along(w) == pytest.approx((625, 50))
    assert scatter.ratio(w) == pytest.approx(last.eigenvalues[0]) == pytest.approx(12.5)
    assert angle_between(w, last.scalings[:, 0]) == pytest.approx(0, abs=1e-5)
    assert f"(**{unit(w)[0]:.3f}**, **{unit(w)[1]:.3f}**)" in text
    assert f"72.25 / 13 = **{scatter.ratio(np.array([4.0, 1.0])):.3f}**" in text
    axis, share = scatter.component
    assert f"({axis[0]:.3f}, {axis[1]:.3f}), holds {percent(share)} of the variance" in text
    assert (
        f"the ratio **{scatter.ratio(axis):.3f}**; it is **{angle_between(w, axis):.1f}°** away"
        in text
    )


def test_iris():
    iris = load("iris").frame
    model = LinearDiscriminantAnalysis().fit(iris.iloc[:, :4], iris["species"])
    first, second = model.eigenvalues_
    assert f"**{first:.2f}** and **{second:.4f}**" in section("LDA or PCA?")
    assert f"**{percent(model.explained_variance_ratio_[0])}**" in section("LDA or PCA?")


def test_the_answers():
    millimetres = X * [10, 1]
    *_, last = LinearDiscriminantAnalysis().steps(millimetres, Y)
    assert last.eigenvalues == pytest.approx([12.5])
    assert angle_between(Scatter.of(last).component[0], np.array([1.0, 0.0])) < 3
    wide, classes = np.random.default_rng(0).normal(size=(40, 4)), np.arange(40) % 10
    assert LinearDiscriminantAnalysis().fit(wide, classes).transform(wide).shape == (40, 4)
