"""Shallow trees of columns that were sorted once are those that grow level by level."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from dmlib.trees.frontier import Table
from dmlib.trees.growth import grow
from dmlib.trees.presorted import MAX_DEPTH, Presorted
from dmlib.trees.rules import Rules
from dmlib.trees.tree import build


@given(
    st.integers(0, 10**6),
    st.integers(1, 40),
    st.integers(1, 4),
    st.integers(1, 8),
    st.integers(1, MAX_DEPTH),
    st.sampled_from(["gini", "entropy", "error"]),
    st.booleans(),
)
def test_they_are_the_trees_that_grow_level_by_level(
    seed, n, n_classes, n_values, depth, criterion, bootstrap
):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, n_values, (n, 3)).astype(float), rng.integers(0, n_classes, n)
    weights = rng.integers(0, 3, n).astype(float) if bootstrap else rng.random(n) + 1e-3
    weights[0] += 1.0
    table, class_weights = Table(X, y, n_classes, (0, 0, 0)), np.zeros((n_classes, n))
    class_weights[y, np.arange(n)] = weights
    tree, leaves = Presorted.of(table, depth).grow(class_weights, depth, criterion)
    expected = build(list(grow(table, weights, Rules(criterion, max_depth=depth))))
    assert_array_equal(tree.feature, expected.feature)
    assert_array_equal(tree.children_left, expected.children_left)
    assert_array_equal(tree.children_right, expected.children_right)
    for name in ("shares", "value", "impurity", "n_node_samples", "weighted_n_node_samples"):
        assert_allclose(getattr(tree, name), getattr(expected, name), atol=1e-12)
    assert_allclose(tree.threshold, expected.threshold)
    assert_array_equal(leaves, expected.apply(X))


def test_other_columns_and_deeper_trees_are_not_sorted_beforehand():
    X, y = np.array([[0.0], [1.0]]), np.array([0, 1])
    assert Presorted.of(Table(X, y, 2, (0,)), 2) is not None
    assert Presorted.of(Table(X, y, 2, (2,)), 2) is None
    assert Presorted.of(Table(np.array([[0.0], [np.nan]]), y, 2, (0,)), 2) is None
    assert Presorted.of(Table(X, y, 2, (0,)), None) is None
    assert Presorted.of(Table(X, y, 2, (0,)), MAX_DEPTH + 1) is None
