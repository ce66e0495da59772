"""Critical value pruning against its definition, applied to the grown tree node by node."""

from math import log

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2_contingency
from sklearn import tree as library

from dmlib.classification import DecisionTreeClassifier, PrunedTreeClassifier, prune
from dmlib.classification.tree_pruning.critical import critical_series, highest_values
from dmlib.classification.tree_pruning.cutting import counts_of
from dmlib.classification.tree_pruning.judgement_questions import JudgementRule
from dmlib.classification.tree_pruning.questions import questions
from dmlib.classification.tree_pruning.scene import tree_pruning_scene
from dmlib.datasets import load
from dmlib.pictures.marks import Line
from dmlib.pictures.question import judge
from dmlib.trace import run as run_steps
from tests.classification.tree_pruning.test_algorithm import leaves, noisy
from tests.classification.tree_pruning.test_lesson import HAND
from tests.classification.tree_pruning.test_scene import MOONS, marks, run_of, texts
from tests.visit import open_preset

CRITERIA = ("gini", "entropy", "error", "g2", "chi2", "gain_ratio")


def entropy(counts):
    shares = counts[counts > 0] / counts.sum()
    return -(shares * np.log2(shares)).sum()


IMPURITY = {
    "gini": lambda counts: 1 - ((counts / counts.sum()) ** 2).sum(),
    "entropy": entropy,
    "error": lambda counts: 1 - counts.max() / counts.sum(),
}


def value_of(criterion, table):
    """Return the value of a split by the textbook; ``table`` has the classes of its branches."""
    if criterion in ("g2", "chi2"):
        rows = table[:, table.sum(axis=0) > 0]
        power = "log-likelihood" if criterion == "g2" else "pearson"
        return chi2_contingency(rows, correction=False, lambda_=power).statistic
    impurity = IMPURITY["entropy" if criterion == "gain_ratio" else criterion]
    shares = table.sum(axis=1) / table.sum()
    after = sum(share * impurity(branch) for share, branch in zip(shares, table, strict=True))
    gain = impurity(table.sum(axis=0)) - after
    return gain / entropy(table.sum(axis=1)) if criterion == "gain_ratio" else gain


def table_at(model, X, y, node, rows):
    """Return the classes in the branches of a node that some rows have reached."""
    tree = model.tree_
    sides = X[rows, tree.feature[node]] > tree.threshold[node]
    codes = np.searchsorted(model.classes_, y[rows])
    n = len(model.classes_)
    return np.array([np.bincount(codes[sides == side], minlength=n) for side in (False, True)])


def pruned_leaves(model, X, y, criterion, critical_value):
    """Return the leaves of the pruned tree by the definition, recursively, from the rows alone."""
    tree = model.tree_

    def cut(node, rows):
        if tree.is_leaf[node]:
            return False, (node,)
        value = value_of(criterion, table_at(model, X, y, node, rows))
        sides = X[rows, tree.feature[node]] > tree.threshold[node]
        below = [
            cut(int(child), rows[sides == side])
            for side, child in enumerate(tree.children[node][:2])
        ]
        reached = value >= critical_value or any(is_reached for is_reached, _ in below)
        return reached, sum((part for _, part in below), ()) if reached else (node,)

    return tuple(sorted(cut(0, np.arange(len(X)))[1]))


@pytest.mark.parametrize("criterion", CRITERIA)
@given(st.integers(0, 10_000), st.floats(0.0, 1.2))
@settings(max_examples=12, deadline=None)
def test_a_node_goes_unless_it_or_a_node_below_reaches_the_value(criterion, seed, share):
    X, y = noisy(seed, 60, 3)
    grown = DecisionTreeClassifier(criterion=criterion).fit(X, y)
    highest = highest_values(grown.tree_)
    critical_value = share * float(highest[0]) + 1e-7  # apart from all values
    pruned, steps = prune(grown, method="critical_value", critical_value=critical_value)
    expected = pruned_leaves(grown, X, y, criterion, critical_value)
    assert leaves(pruned.tree_, grown.tree_) == expected
    for step in steps[1:-1]:
        is_kept = step.comparison.leaf_side >= critical_value or step.comparison.reason
        assert step.phase == ("keep" if is_kept else "prune")


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_values_are_the_decreases_of_scikit_learn(criterion):
    X, y = noisy(2, 150, 3)
    X = X + 0.01 * np.random.default_rng(0).standard_normal(X.shape).astype(np.float32)
    theirs = library.DecisionTreeClassifier(criterion=criterion, random_state=0).fit(X, y).tree_
    inner = np.flatnonzero(theirs.children_left >= 0)
    left, right = theirs.children_left[inner], theirs.children_right[inner]
    n, impurity = theirs.weighted_n_node_samples, theirs.impurity
    after = (n[left] * impurity[left] + n[right] * impurity[right]) / n[inner]
    scores = DecisionTreeClassifier(criterion=criterion).fit(X, y).tree_.scores
    ours = np.sort(scores[~np.isnan(scores)])
    np.testing.assert_allclose(ours[-1], (impurity[inner] - after).max(), atol=1e-9)
    np.testing.assert_allclose(scores[0], impurity[0] - after[0], atol=1e-9)


@given(st.integers(0, 10_000), st.sampled_from(CRITERIA))
@settings(max_examples=15, deadline=None)
def test_the_series_has_every_tree_that_some_value_leaves(seed, criterion):
    X, y = noisy(seed, 50)
    grown = DecisionTreeClassifier(criterion=criterion).fit(X, y)
    other, classes = noisy(seed + 1, 40)
    series = critical_series(grown.tree_, counts_of(grown.tree_, other, classes))
    assert (np.diff(series.n_leaves) < 0).all()  # each tree is smaller than the one before
    assert (series.n_leaves[0], series.n_leaves[-1]) == (grown.get_n_leaves(), 1)
    trees = [
        prune(grown, method="critical_value", critical_value=value).tree for value in series.values
    ]
    assert [tree.get_n_leaves() for tree in trees] == series.n_leaves.tolist()
    wrong = [round((1 - tree.score(other, classes)) * 40) for tree in trees]
    assert wrong == series.errors.tolist()
    probes = np.linspace(0, 1.1 * float(series.limits[-1]), 40)
    sizes = {
        prune(grown, method="critical_value", critical_value=probe).tree.get_n_leaves()
        for probe in probes
    }
    assert sizes <= set(series.n_leaves.tolist())
    chosen = prune(grown, other, classes, method="critical_value").tree
    best = min(wrong)
    assert chosen.get_n_leaves() == min(
        n for n, errors in zip(series.n_leaves, wrong, strict=True) if errors == best
    )


def test_a_value_that_is_equal_is_reached():
    grown = DecisionTreeClassifier().fit([[0.0], [1.0], [2.0], [3.0]], list("aabb"))
    assert grown.tree_.scores[0] == 0.5
    for value, n_leaves in ((0.5, 2), (0.5 + 1e-6, 1), (0.0, 2)):
        pruned = prune(grown, method="critical_value", critical_value=value).tree
        assert pruned.get_n_leaves() == n_leaves


def test_values_are_those_of_the_rows_that_have_one():
    frame = load("heart_disease").frame
    X, y = frame.iloc[:, :-1], frame.iloc[:, -1]
    X = X.mask(np.random.default_rng(0).random(X.shape) < 0.2)
    model = DecisionTreeClassifier(criterion="g2", splitter="multiway").fit(X, y)
    steps = [step for step in run_steps(model, X, y).steps if step.chosen is not None]
    scores = {int(n): s for n, s in zip(model.tree_.numbers, model.tree_.scores, strict=True)}
    assert len(steps) > 20
    assert all(scores[step.node] == step.chosen.score for step in steps)
    pruned = PrunedTreeClassifier("critical_value", criterion="g2", random_state=0).fit(X, y)
    assert 1 < pruned.n_leaves_ < pruned.grown_.get_n_leaves()


def test_limited_and_raised_trees_keep_their_values():
    X, y = noisy(7, 120, 3)
    grown = DecisionTreeClassifier(max_leaf_nodes=9).fit(X, y)
    assert (np.isnan(grown.tree_.scores) == grown.tree_.is_leaf).all()
    raised = prune(grown, X, y, method="error_based").tree.tree_
    assert (np.isnan(raised.scores) == raised.is_leaf).all()


def test_the_series_is_in_the_ledger_and_on_the_picture():
    model = PrunedTreeClassifier("critical_value", criterion="g2", random_state=0)
    run = run_of(model, MOONS, "class", test_size=0.3)
    scene, fitted = tree_pruning_scene(run), run.fitted
    series, limits = fitted.series_, fitted.series_.limits
    table = next(
        block
        for block in scene.frames[0].ledger
        if getattr(block, "title", "").startswith("Trees by the critical value")
    )
    assert list(table.emphasis) == [series.best]
    assert [row[1] for row in table.rows] == series.n_leaves.tolist()
    assert fitted.n_leaves_ == series.n_leaves[series.best]
    low, high = limits[series.best : series.best + 2]
    assert fitted.critical_value_ == pytest.approx((low + high) / 2)
    dashed = [mark for mark in marks(scene, Line, "size") if mark.label == "pruning set"]
    rates = series.errors / len(fitted.validation_rows_)
    np.testing.assert_allclose(np.asarray(dashed[0].y), rates, rtol=1e-6)
    assert any("dashed those of increasing critical values" in note for note in scene.notes)
    by_hand = tree_pruning_scene(
        run_of(
            PrunedTreeClassifier("critical_value", critical_value=0.2),
            MOONS,
            "class",
            test_size=0.3,
        )
    )
    assert not [mark for mark in marks(by_hand, Line, "size") if mark.label == "pruning set"]


def test_the_arithmetic_of_a_split_is_that_of_its_criterion():
    opened = open_preset("tree_pruning", "A weak split above a strong one")
    scene = tree_pruning_scene(opened.run)
    captions = [frame.caption for frame in scene.frames]
    exception = "the critical value, but a split below it reaches it"
    assert captions[1:4] == [
        "Node 5 keeps its subtree: G² 3.819 ≥ 2, the critical value.",
        f"Node 2 keeps its subtree: G² 1.588 < 2, {exception}.",
        "The root keeps its subtree: G² 8.456 ≥ 2, the critical value.",
    ]
    assert "G² = 2 · ln 2 · 3 · 0.9183 = 3.819" in texts(scene.frames[1])
    node = "1.588 and does not reach 2, but node 5 below it does, with 3.819"
    assert node in opened.look_for.replace("\n", " ")
    assert opened.run.fitted.n_leaves_ == 4
    raised = open_preset("tree_pruning", "A weak split above a strong one", critical_value=3.82)
    assert raised.run.fitted.n_leaves_ == 2
    for value in (8.456, 1.588, 3.819):
        assert f"**{value}**" in HAND
    assert 2 * log(2) * 3 * entropy(np.array([2, 1])) == pytest.approx(3.819, abs=5e-4)


@pytest.mark.parametrize(
    ("title", "n_leaves", "error"),
    [("Splits that reach a value", 9, "18.9 %"), ("Two rows reach every value", 19, "24.4 %")],
)
def test_presets(title, n_leaves, error):
    opened = open_preset("tree_pruning", title)
    assert (opened.run.fitted.grown_.get_n_leaves(), opened.run.fitted.n_leaves_) == (23, n_leaves)
    assert f"test error {error}" in opened.scene["frames"][-1]["caption"]
    assert f"{n_leaves} of 23 leaves stay, with {error} test error" in opened.look_for
    series = opened.run.fitted.series_
    if title == "Splits that reach a value":
        assert (len(series.limits), round(opened.run.fitted.critical_value_, 3)) == (12, 7.006)
    else:
        assert series.limits[-1] == 0.5


def test_questions_tell_the_largest_value_of_a_subtree():
    run = open_preset("tree_pruning", "A weak split above a strong one").run
    asked = {(each.step, each.topic): each for each in questions(run)}
    second = asked[2, "critical value"]
    assert "1.588 at node 2, 3.819 at node 5" in second.prompt
    assert second.answer.options == ["1.588", "3.819"]
    assert judge(second, 1).is_right
    assert judge(second, 0).rule is JudgementRule.OWN
    assert (1, "critical value") not in asked  # a split alone
    assert "The value of its split and the critical value" in asked[2, "comparison"].proof


def test_without_a_pruning_set_a_value_has_to_be_given():
    X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]
    model = PrunedTreeClassifier("critical_value", validation_fraction=0.0)
    with pytest.raises(ValueError, match="pruning set"):
        model.fit(X, y)
    assert model.set_params(critical_value=0.3).fit(X, y).critical_value_ == 0.3
    with pytest.raises(ValueError, match="chosen by the pruning set: give X and y"):
        prune(DecisionTreeClassifier().fit(X, y), method="critical_value")
    table = pd.DataFrame({"x": ["a", "b", "b"]})
    single = PrunedTreeClassifier("critical_value", critical_value=5.0, validation_fraction=0.0)
    assert single.fit(table, list("uvv")).n_leaves_ == 1
