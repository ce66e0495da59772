"""A tree that stops by its estimated error, and the sorted scan of a number, by definition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dmlib.classification import DecisionTreeClassifier
from tests.visit import open_preset, open_settings

TABLES = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 3), st.integers(0, 2)), min_size=2, max_size=40
)


def errors(labels):
    return len(labels) - np.bincount(labels).max(initial=0)


def allowed(nodes, y, penalty, node=0):
    """Return the nodes that are split: each split lowers errors plus a penalty for each leaf."""
    step = nodes[node]
    below = [errors(y[nodes[child].rows]) for child in step.children]
    is_split = below and sum(below) + penalty * len(below) < errors(y[step.rows]) + penalty
    if not is_split:
        return set()
    return {step.path}.union(*(allowed(nodes, y, penalty, child) for child in step.children))


@settings(max_examples=60, deadline=None)
@given(TABLES, st.sampled_from([0.0, 0.5, 1.0, 2.0]), st.sampled_from(["gini", "entropy"]))
def test_a_node_is_split_only_if_the_estimate_falls(rows, penalty, criterion):
    table = np.array(rows)
    X, y = table[:, :2].astype(float), np.unique(table[:, 2], return_inverse=True)[1]
    full = list(DecisionTreeClassifier(criterion=criterion).steps(X, y))
    nodes = {step.node: step for step in full if step.phase != "done"}
    model = DecisionTreeClassifier(criterion=criterion, leaf_penalty=penalty)
    steps = list(model.steps(X, y))
    assert {step.path for step in steps if step.phase == "split"} == allowed(nodes, y, penalty)


def test_a_large_penalty_leaves_the_root_and_none_changes_nothing():
    X = np.arange(8.0)[:, None]
    y = [0, 1] * 4
    assert DecisionTreeClassifier(leaf_penalty=1e6).fit(X, y).get_n_leaves() == 1
    assert DecisionTreeClassifier(leaf_penalty=None).fit(X, y).get_n_leaves() == 8


def test_rows_without_a_value_are_in_neither_sum():
    X = np.array([[0.0], [0.0], [1.0], [1.0], [np.nan], [np.nan]])
    y = [0, 0, 1, 1, 0, 0]
    # 2 + 0.9 as a leaf of the four known rows, 0 + 2 * 0.9 as two; with 2 no longer
    assert DecisionTreeClassifier(leaf_penalty=0.9).fit(X, y).get_n_leaves() == 2
    assert DecisionTreeClassifier(leaf_penalty=2.0).fit(X, y).get_n_leaves() == 1


def test_the_ledger_has_both_sums():
    run, scene, look_for = open_preset("decision_tree", "The estimate stops too early")
    frame = scene["frames"][1]
    texts = [block["text"] for block in frame["ledger"] if "text" in block]
    assert "estimated errors as a leaf, Ω = 0.5: 3 + Ω = 3.5" in texts
    assert "estimated errors with the split: 3 + 0 + 2 Ω = 4, not lower" in texts
    assert "its best split does not lower the estimated errors" in frame["caption"]
    assert "3.5 estimated errors, with its best split 4" in look_for
    X, y = run.problem.training.data, run.problem.training.y
    full_tree = DecisionTreeClassifier().fit(X, y)
    assert (full_tree.predict(X) == y).all()
    assert full_tree.get_n_leaves() * 0.5 == 2  # of the whole tree
    assert (~full_tree.tree_.is_leaf).sum() == 3  # splits


def test_a_scan_has_every_threshold_in_order():
    _, scene, look_for = open_preset("decision_tree", "Ten incomes in order")
    (title,) = (name for name in tables_of(scene["frames"][1]) if name.startswith("Sorted scan"))
    rows = tables_of(scene["frames"][1])[title]["rows"]
    incomes = np.array([60, 70, 75, 85, 90, 95, 100, 120, 125, 220])
    evaded = np.isin(incomes, [85, 90, 95])
    for (threshold, no, yes, gini), cut in zip(
        rows, incomes[:-1] + np.diff(incomes) / 2, strict=True
    ):
        below = incomes <= cut
        sides = [(side & ~evaded).sum() for side in (below, ~below)]
        sides_yes = [(side & evaded).sum() for side in (below, ~below)]
        assert (threshold, no, yes) == (cut, "{} | {}".format(*sides), "{} | {}".format(*sides_yes))
        mean = sum(
            side.mean() * (1 - evaded[side].mean() ** 2 - (1 - evaded[side].mean()) ** 2)
            for side in (below, ~below)
        )
        assert gini == pytest.approx(mean, abs=5e-5)
    assert "the mean gini is 0.3, the smallest of 9" in look_for


def tables_of(frame):
    return {block["title"]: block for block in frame["ledger"] if "rows" in block}


@pytest.mark.parametrize(
    "settings",
    [
        {"data": "heart_disease", "max_depth": 1},  # long columns
        {"data": "penguins", "max_depth": 1, "missing": "category"},
        {"data": "iris", "criterion": "quest"},
    ],
    ids=str,
)
def test_a_scan_that_would_not_be_whole_is_left_out(settings):
    _, scene = open_settings("decision_tree", **settings)
    titles = [title for frame in scene["frames"] for title in tables_of(frame)]
    assert not any(title.startswith("Sorted scan") for title in titles)


def test_the_measures_of_complexity():
    _, scene = open_settings(
        "decision_tree",
        data="tax",
        test=0,
        **{"tax.features": ["refund", "marital_status", "income"]},
    )
    (caption,) = (f["caption"] for f in scene["frames"] if f["phase"] == "done")
    assert "7 nodes, 4 leaves, depth 3, 3 columns tested" in caption
