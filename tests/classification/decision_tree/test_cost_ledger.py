"""Costs on the page: which class a leaf predicts, and the numbers that say why."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from dmlib.classification import DecisionTreeClassifier
from dmlib.classification.decision_tree.cost_ledger import CostLedger
from dmlib.classification.decision_tree.scene import decision_tree_scene
from dmlib.pictures.marks import Points, Rects, Texts
from dmlib.pictures.regions import decide
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.visit import open_preset, panel, picture, reopened, sound, stage, turn, visit

SLUG = "decision_tree"
NAMES = ["a", "b", "c"]
CHEAP_C = np.array([[0.0, 9, 1], [9, 0, 1], [1, 1, 0]])
"""Whoever predicts c risks 1, whoever confuses a and b 9."""


def problem_of(counts, test_size=0.0):
    frame = pd.DataFrame(
        {"x": np.repeat(1.0, sum(counts)), "y": 0.0, "class": np.repeat(NAMES, counts)}
    )
    return prepare(frame, ["x", "y"], target="class", labelled=True, test_size=test_size)


def scene_of(problem, costs, query=None):
    return decision_tree_scene(Run.of(problem, DecisionTreeClassifier(costs=costs), query=query))


def table(frame, title):
    (found,) = (block for block in frame.ledger if title in getattr(block, "title", ""))
    return found


def test_a_leaf_predicts_the_cheapest_class_everywhere():
    """Of 5 a, 4 b and 1 c: a costs 37, b 46, c 9; the most frequent class is a."""
    problem = problem_of([5, 4, 1])
    scene = scene_of(problem, CHEAP_C)
    start, leaf = scene.frames[:2]
    assert "a single leaf predicts c, at a cost of 9." in start.caption
    assert "predicts c" in leaf.caption
    costs = table(leaf, "Costs of the predictions of the root")
    assert [row[0] for row in costs.rows] == NAMES
    assert [row[2] for row in costs.rows] == [37.0, 46.0, 9.0]
    assert [row[1] for row in costs.rows] == ["4 · 9 + 1 · 1", "5 · 9 + 1 · 1", "5 · 1 + 4 · 1"]
    assert list(costs.emphasis) == [2]
    done = next(frame for frame in scene.frames if frame.phase == "done")
    assert "9 of 10 training rows misclassified, at a cost of 9." in done.caption
    assert "c has the least expected cost, 0.9." in scene.frames[-1].caption


def test_words_nodes_and_regions_have_the_class_of_the_leaf():
    marks = scene_of(problem_of([5, 4, 1]), CHEAP_C).marks
    regions, *_ = (mark for mark in marks if isinstance(mark, Rects))
    (nodes,) = (mark for mark in marks if isinstance(mark, Points) and mark.of == "node")
    (words,) = (mark for mark in marks if isinstance(mark, Texts))
    colors = [row for mark in (regions, nodes) for row in mark.color.rows]
    assert np.unique(np.concatenate(colors)).tolist() == [2]
    assert list(words.text) == ["c"]


def test_the_picture_of_other_planes_has_the_cheapest_class():
    problem = problem_of([5, 4, 1])
    model = DecisionTreeClassifier(costs=CHEAP_C).fit(problem.X, problem.y)
    winner, _ = decide(model, problem.X[:1])
    assert winner.tolist() == [2] == model.predict(problem.X[:1]).tolist()
    free = DecisionTreeClassifier().fit(problem.X, problem.y)
    assert decide(free, problem.X[:1])[0].tolist() == [0]


@pytest.mark.parametrize("seed", range(6))
def test_rows_and_costs_come_back_from_the_altered_weights(seed):
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 20, 3)
    costs = rng.integers(1, 9, (3, 3)) * (1.0 - np.eye(3))
    problem = problem_of(counts)
    model = DecisionTreeClassifier(costs=costs)
    root = next(model.steps(problem.X, problem.y)).counts
    ledger = CostLedger(problem, [0, 1, 2], costs, root)
    assert_allclose(ledger.rows(root), counts)
    assert_allclose(ledger.totals, counts)
    expected = [sum(counts[i] * costs[i, j] for i in range(3)) for j in range(3)]
    assert_allclose(ledger.expected(root), expected)
    assert ledger.total(model.fit(problem.X, problem.y), problem) == pytest.approx(min(expected))


def test_a_class_without_training_rows_costs_one():
    problem = problem_of([5, 4, 1])
    ledger = CostLedger(problem, [0, 1], np.array([[0.0, 3], [1, 0]]), np.array([7.0, 2]))
    model = DecisionTreeClassifier().fit(problem.X, problem.y)
    assert ledger.total(model, problem) == 4 * 1 + 1


def test_the_control_of_each_error():
    link = {"data": "heart_disease", f"{SLUG}.max_depth": "2"}
    page = sound(visit(SLUG, **link))
    controls = panel(page)
    assert controls[f"{SLUG}.costs_of"]["label"] == "Misclassification costs"
    page = sound(turn(page, f"{SLUG}.costs_of", "yes, predicted no"))
    assert picture(page) == picture(sound(visit(SLUG, **link)))
    page = sound(turn(page, f"{SLUG}.costs.yes, predicted no", 5))
    slider = panel(page)[f"{SLUG}.costs.yes, predicted no"]
    assert slider["value"] in [place for place, _ in slider["options"]]
    assert "at a cost of" in stage(page)["frames"][0]["caption"]
    assert picture(reopened(page)) == picture(page)
    titles = [block.get("title") for block in stage(page)["frames"][0]["ledger"]]
    assert "Costs of a row of each class" in titles


def test_the_missed_patients_of_the_preset():
    opened = open_preset(SLUG, "A missed patient costs five")
    model, problem = opened.run.fitted, opened.run.problem
    assert model.costs == {(1, 0): 5.0}
    testing = problem.testing
    free = DecisionTreeClassifier(max_depth=2).fit(problem.training.data, problem.training.y)
    for tree, missed, errors in ((model, 2, 30), (free, 18, 25)):
        predicted = tree.predict(testing.data)
        assert ((testing.y == 1) & (predicted == 0)).sum() == missed
        assert (testing.y != predicted).sum() == errors


def test_rules_have_the_rows_of_their_leaves():
    problem = problem_of([5, 4, 1])
    model = DecisionTreeClassifier(costs=CHEAP_C).fit(problem.X, problem.y)
    assert model.export_rules() == ["if anything then 2 (10/9)"]
    rng = np.random.default_rng(4)
    X, y = rng.integers(0, 3, (60, 1)), rng.integers(0, 3, 60)
    model.fit(X, y)
    tree, leaves = model.tree_, model.apply(X)
    for leaf in np.flatnonzero(tree.is_leaf):
        assert_allclose(tree.plain_counts[leaf], np.bincount(y[leaves == leaf], minlength=3))
