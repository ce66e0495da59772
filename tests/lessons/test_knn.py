"""The lesson on k nearest neighbours says what the algorithm computes."""

from pathlib import Path

import numpy as np
import pytest

from dmlib.classification import KNeighborsClassifier, error_curve

TEXT = (Path(__file__).parents[2] / "assets" / "lessons" / "knn.md").read_text(encoding="utf-8")
ROWS = [[1.0, 1.0], [2.0, 5.0], [4.0, 2.0], [5.0, 4.0], [7.0, 5.0]]
CLASSES = ["red", "red", "blue", "blue", "blue"]
PLACE = [2.0, 2.0]


def section(title):
    return TEXT.split(f"### {title}\n")[1].split("\n### ")[0]


def votes(k, **params):
    *_, last = KNeighborsClassifier(k, **params).fit(ROWS, CLASSES).explain_steps(PLACE)
    blue, red = last.votes
    return red, blue


def test_distances_and_votes():
    text = section("By hand")
    distances, indices = KNeighborsClassifier(5).fit(ROWS, CLASSES).kneighbors([PLACE])
    by_row = np.empty(5)
    by_row[indices[0]] = distances[0]
    assert "| distance | " + " | ".join(f"{d:.4g}" for d in by_row) + " |" in text
    assert [votes(1), votes(3), votes(5)] == [(1, 0), (2, 1), (2, 3)]
    red, blue = votes(5, weights="distance")
    assert f"= **{red:.3f}**, blue" in text
    assert f"= **{blue:.3f}**: red" in text


def test_what_need_not_be_measured():
    text = section("By hand")
    model = KNeighborsClassifier(3).fit(ROWS, CLASSES)
    bound, measure, *_ = model.explain_steps(PLACE)
    assert bound.pivot == 0
    for name, least in zip("BCDE", bound.bounds[1:], strict=True):
        assert f"{name} at least **{least:.3f}**" in text
    assert np.flatnonzero(np.isfinite(measure.distances)).tolist() == [0, 1, 2]
    _, measure, *_ = KNeighborsClassifier(1).fit(ROWS, CLASSES).explain_steps(PLACE)
    assert np.flatnonzero(np.isfinite(measure.distances)).tolist() == [0]


def test_leave_one_out():
    curve = error_curve(KNeighborsClassifier(), ROWS, CLASSES, n_neighbors=[1])
    assert (curve.train[0], curve.leave_one_out[0]) == (0, pytest.approx(2 / 5))
    wrong = KNeighborsClassifier(1).fit(ROWS, CLASSES).predict(None) != np.array(CLASSES)
    assert np.flatnonzero(wrong).tolist() == [0, 1]


def test_the_answers():
    distances, indices = KNeighborsClassifier(2, metric="manhattan").fit(ROWS, CLASSES).kneighbors([PLACE])
    assert (indices.tolist(), distances.tolist()) == ([[0, 2]], [[2, 2]])
    apart = KNeighborsClassifier(1).fit([["a", "x"]], [0]).kneighbors([["b", "y"]])[0]
    assert apart[0, 0] == pytest.approx(np.sqrt(2))
