"""The lesson on k nearest neighbours says what the algorithm computes."""

from pathlib import Path

import numpy as np
import pytest

from dmlib.classification import PEBLS, KNeighborsClassifier, error_curve
from dmlib.datasets import load

TEXT = (Path(__file__).parents[3] / "assets" / "pages" / "knn" / "lesson.md").read_text(
    encoding="utf-8"
)
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
    sentence = ", ".join(
        f"of {name} **{bound_of_row:.3f}**"
        for name, bound_of_row in zip("BCDE", bound.bounds[1:], strict=True)
    )
    assert sentence.replace(" **", " is at least **", 1) in text
    assert np.flatnonzero(np.isfinite(measure.distances)).tolist() == [0, 1, 2]
    _, measure, *_ = KNeighborsClassifier(1).fit(ROWS, CLASSES).explain_steps(PLACE)
    assert np.flatnonzero(np.isfinite(measure.distances)).tolist() == [0]


def test_leave_one_out():
    curve = error_curve(KNeighborsClassifier(), ROWS, CLASSES, n_neighbors=[1])
    assert (curve.train[0], curve.leave_one_out[0]) == (0, pytest.approx(2 / 5))
    wrong = KNeighborsClassifier(1).fit(ROWS, CLASSES).predict(None) != np.array(CLASSES)
    assert np.flatnonzero(wrong).tolist() == [0, 1]


def test_the_answers():
    distances, indices = (
        KNeighborsClassifier(2, metric="manhattan").fit(ROWS, CLASSES).kneighbors([PLACE])
    )
    assert (indices.tolist(), distances.tolist()) == ([[0, 2]], [[2, 2]])
    distance = KNeighborsClassifier(1).fit([["a", "x"]], [0]).kneighbors([["b", "y"]])[0]
    assert distance[0, 0] == pytest.approx(np.sqrt(2))


def test_pebls():
    text = section("PEBLS: distances of nominal values")
    weather = load("weather_nominal").frame
    model = PEBLS().fit(weather.drop(columns="play"), weather["play"])
    values = model.categories_[0]
    yes = model.classes_.tolist().index("yes")
    counted = zip(values, model.value_counts_[0], strict=True)
    shares = {value: f"{counts[yes]:g} of {counts.sum():g}" for value, counts in counted}
    assert (
        f"sunny goes with yes on {shares['sunny']} days, overcast on {shares['overcast']}" in text
    )
    assert f"rainy on {shares['rainy']}" in text
    distance = model.value_distances_[0][values.index("sunny")]
    assert f"= **{distance[values.index('overcast')]:.4g}**, that of\nsunny and rainy" in text
    assert f"= **{distance[values.index('rainy')]:.4g}**. Row 6" in text
    assert (model.uses_[5], model.correct_uses_[5]) == (2, 0)
    assert f"(2 + 1) / (0 + 1) = **{model.exemplar_weights_[5]:g}**" in text
