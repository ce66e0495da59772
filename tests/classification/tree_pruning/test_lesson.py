"""The numbers that the lesson on pruning computes by hand."""

from pathlib import Path

import numpy as np
from scipy.stats import chi2

from dmlib.classification import DecisionTreeClassifier, prune

TEXT = (Path(__file__).parents[3] / "assets" / "pages" / "tree_pruning" / "lesson.md").read_text(
    "utf-8"
)
HAND = TEXT.split("### By hand\n")[1].split("\n### ")[0]
X, Y = np.arange(10.0).reshape(-1, 1), np.array(list("AAABAABBBB"))
X = np.column_stack([X, np.full(10, 5.0)])
GROWN = DecisionTreeClassifier().fit(X, Y)


def compared(method, **how):
    """Return both sides at each node, by the number that the page gives it."""
    steps = prune(GROWN, X, Y, method=method, **how).steps[1:-1]
    return {
        int(GROWN.tree_.numbers[step.comparison.node]) + 1: (
            step.comparison.leaf_side,
            step.comparison.subtree_side,
            step.phase,
        )
        for step in steps
    }


def in_lesson(*values):
    return all(f"**{value:.4g}**" in HAND for value in values)


def test_the_tree():
    assert GROWN.get_n_leaves() == 4
    tests = dict(
        zip((GROWN.tree_.numbers + 1).tolist(), GROWN.tree_.threshold.tolist(), strict=True)
    )
    assert (tests[1], tests[2], tests[5]) == (5.5, 2.5, 3.5)


def test_cost_complexity():
    sides = compared("cost_complexity", cost="error", ccp_alpha=0.06)
    assert np.isclose(sides[2][0], 0.05)
    assert np.isclose(sides[1][0], 0.4)
    assert in_lesson(0.05, 0.4, 0.1, 0.5 / 3)


def test_pessimistic():
    sides = compared("pessimistic")
    assert sides[1][2] == "keep"
    assert sides[2][2] == "prune"
    assert in_lesson(*sides[1][:2], *sides[2][:2])


def test_minimum_error():
    sides = compared("minimum_error", m=2.0)
    assert sides[5][2] == "keep"
    assert in_lesson(*sides[5][:2])


def test_chi_squared():
    sides = compared("chi2")
    assert [sides[node][2] for node in (5, 2, 1)] == ["prune", "prune", "keep"]
    assert in_lesson(sides[5][0], sides[2][0], sides[1][0], chi2.isf(0.05, 1))


def test_the_shortest_message():
    sides = compared("mdl", encoding="mml")
    assert [sides[node][2] for node in (5, 2, 1)] == ["prune"] * 3
    assert in_lesson(*sides[5][:2], *sides[2][:2], *sides[1][:2])


def test_bits():
    sides = compared("mdl")
    assert [sides[node][2] for node in (5, 2, 1)] == ["prune"] * 3
    assert in_lesson(*sides[5][:2])
