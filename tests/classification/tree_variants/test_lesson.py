"""Numbers of the lesson on other trees."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chi2

from dmlib.classification import FuzzyTree, ObliviousTree
from dmlib.classification.tree_variants.linear_tree import best_cut, first_branch
from dmlib.classification.tree_variants.planes import linear_programme
from dmlib.datasets import load
from dmlib.trace import run

TEXT = (Path(__file__).parents[3] / "assets" / "pages" / "tree_variants" / "lesson.md").read_text(
    "utf-8"
)
HAND = TEXT.split("### By hand\n")[1].split("\n### ")[0]
X, Y = np.arange(1.0, 9.0)[:, None], np.array(list("AAABABBB"))


def in_lesson(*values):
    return all(f"**{value:.4g}**" in HAND for value in values)


def test_eight_points():
    step = next(s for s in run(FuzzyTree(max_depth=1), X, Y).steps if s.phase == "split")
    assert in_lesson(step.width, step.threshold, step.gain, step.counts[0, 0])
    assert in_lesson(*(first_branch(np.array([4.0, 5.0]), step.threshold, step.width).round(3)))
    assert step.counts[0].tolist() == pytest.approx(step.counts[1][::-1].tolist())
    assert in_lesson(1 - step.gain)
    crisp = best_cut(X[:, 0], np.eye(2)[(Y == "B").astype(int)], "entropy")
    at_half = [3, 1]
    h = -sum(c / 4 * np.log2(c / 4) for c in at_half)
    assert in_lesson(1 - h)
    assert crisp.gain >= 1 - h


def test_a_linear_programme():
    X = np.array([[1.0], [2], [3], [6], [4], [7], [8], [9]])
    plane = linear_programme(X, np.repeat(np.eye(2), 4, axis=0))
    w, gamma = plane.weights[0] / plane.margin, plane.threshold / plane.margin
    assert in_lesson(w, gamma, plane.slacks.max(), plane.objective)
    slacks = np.maximum(1 + np.repeat([1, -1], 4) * (2 * X[:, 0] - 7), 0)  # margins at 3 and 4
    assert slacks.tolist() == [0, 0, 0, 6, 0, 0, 0, 0]


def test_the_weather():
    table = load("weather_nominal").frame
    step = run(ObliviousTree(), table.drop(columns="play"), table["play"]).steps[1]
    statistic = 2 * 14 * np.log(2) * step.gain
    assert in_lesson(round(step.gain, 4), statistic, chi2.sf(statistic, 1))
    assert step.before == pytest.approx(chi2.sf(statistic, 1))
    assert in_lesson(0.9403)
    assert f"{step.before:.4g}" in HAND
