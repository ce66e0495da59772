"""Numbers of the lesson on boosting."""

from pathlib import Path

import numpy as np
import pytest

from dmlib.classification import AdaBoostClassifier, GradientBoostingClassifier
from dmlib.trace import run

TEXT = (Path(__file__).parents[3] / "assets" / "pages" / "adaboost" / "lesson.md").read_text(
    "utf-8"
)
X, Y = np.arange(10.0).reshape(-1, 1), np.array(list("AAABBBAAAB"))
HAND = TEXT.split("### By hand\n")[1].split("\n### ")[0]


def in_lesson(*numbers):
    return all(number in HAND for number in numbers)


def test_ten_points_take_three_stumps():
    _, first, second, third = run(AdaBoostClassifier(n_estimators=3), X, Y).steps
    codes = (Y == "B").astype(int)
    rounds = [(2.5, [6, 7, 8]), (8.5, [3, 4, 5]), (5.5, [0, 1, 2, 9])]
    for step, (cut, missed) in zip((first, second, third), rounds, strict=True):
        assert step.estimator.tree_.threshold[0] == cut
        assert np.flatnonzero(step.predicted != codes).tolist() == missed
    assert in_lesson(*(f"**{step.error:.4g}**" for step in (first, second, third)))
    assert in_lesson(*(f"**{step.factor:.4g}**" for step in (first, second, third)))
    assert in_lesson(*(f"**{2 * step.alpha:.4g}**" for step in (first, second, third)))
    assert in_lesson(
        *(f"**{weight:.4f}**" for weight in {*first.weights.round(4), *second.weights.round(4)})
    )
    a = 2 * (first.alpha + second.alpha)
    assert in_lesson(
        f"= {a:.3f}$", f"${2 * third.alpha:.3f}$", f"= {2 * (first.alpha + third.alpha):.3f}$"
    )
    assert in_lesson(f"= {2 * (first.alpha + third.alpha):.3f}$, A has ${2 * second.alpha:.3f}$")
    factors = np.array([first.bound, second.bound / first.bound, third.bound / second.bound])
    assert in_lesson(r" \cdot ".join(f"{z:.4f}" for z in factors) + f" =$ **{third.bound:.4f}**")
    assert (third.predictions == codes).all()


def test_ten_points_by_residuals():
    start, step = run(GradientBoostingClassifier(n_estimators=1), X, Y).steps
    (tree,) = step.trees
    assert in_lesson(f"**{start.init_score[0]:.4f}**".replace("-", "−"))
    assert step.residuals[[0, 3], 0].tolist() == pytest.approx([-0.4, 0.6])
    assert tree.tree.threshold[0] == 2.5
    np.testing.assert_allclose(tree.sums[1:], [-1.2, 1.2])
    np.testing.assert_allclose(tree.curvatures[1:], [0.72, 1.68])
    assert in_lesson(*(f"**{value:.4g}**".replace("-", "−") for value in tree.values[1:]))
    assert in_lesson(f"{step.raw[0, 0]:.4f}", f"{step.raw[9, 0]:.3f}")
