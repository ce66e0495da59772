"""Trees that are asked together say what each says alone."""

import numpy as np
import pytest

from dmlib.classification import BaggingClassifier, DecisionTreeClassifier, RandomForestClassifier
from dmlib.trees import several
from dmlib.trees.several import classify_each, predict_each

RNG = np.random.RandomState(0)
X = RNG.normal(size=(90, 4)).round(1)  # values that are equal to thresholds too
Y = RNG.randint(3, size=90)
HOLES = np.where(RNG.uniform(size=X.shape) < 0.1, np.nan, X)


@pytest.mark.parametrize("max_cells", [1, 200, several.MAX_CELLS])
@pytest.mark.parametrize("rows", [X, X[:1], X[:0], HOLES])
@pytest.mark.parametrize(
    "model",
    [
        RandomForestClassifier(12, random_state=0),
        RandomForestClassifier(7, max_depth=1, random_state=0),
        BaggingClassifier(n_estimators=9, max_features=2, random_state=0),
        BaggingClassifier(n_estimators=9, max_features=1, max_depth=2, random_state=0),
    ],
)
def test_together_they_say_what_each_says_alone(model, rows, max_cells, monkeypatch):
    monkeypatch.setattr(several, "MAX_CELLS", max_cells)
    model.fit(X, Y)
    trees = [tree.tree_ for tree in model.estimators_]
    by_batches = list(predict_each(trees, model.estimators_features_, rows))
    by_tree = [
        tree.predict(rows[:, columns])
        for tree, columns in zip(trees, model.estimators_features_, strict=True)
    ]
    np.testing.assert_array_equal(by_batches, by_tree)


def test_a_tree_without_a_split_may_be_among_them():
    tree = DecisionTreeClassifier().fit(X, Y).tree_
    trees = [tree.pruned(np.ones(tree.node_count, bool)), tree]
    assert trees[0].node_count == 1
    np.testing.assert_array_equal(
        list(predict_each(trees, [np.arange(4)] * 2, X)), [each.predict(X) for each in trees]
    )


@pytest.mark.parametrize("rows", [X, X[:0], HOLES])
def test_together_they_say_the_class_that_each_says_alone(rows):
    trees = [
        tree.tree_
        for tree in RandomForestClassifier(7, max_depth=2, random_state=0).fit(X, Y).estimators_
    ]
    np.testing.assert_array_equal(
        list(classify_each(trees, rows)), [tree.classify(rows) for tree in trees]
    )


def test_between_two_cuts_a_column_changes_no_answer():
    model = BaggingClassifier(n_estimators=5, max_features=3, random_state=0).fit(X, Y)
    cuts = model.cuts(1)
    rows = np.tile(X[0], (300, 1))
    rows[:, 1] = np.sort(RNG.normal(size=300))
    answers = model.predict_proba(rows)
    changed = np.flatnonzero((np.diff(answers, axis=0) != 0).any(axis=1))
    assert len(changed)
    for i in changed:
        assert ((rows[i, 1] <= cuts) & (cuts < rows[i + 1, 1])).any()
