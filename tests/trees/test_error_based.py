"""Pessimistic errors, and error-based pruning against a recursive version."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import binom
from sklearn.datasets import make_classification

from dmlib.classification import C45, DecisionTreeClassifier
from dmlib.trees.error_based import added_errors
from tests.classification.decision_tree.data import params_of


@given(st.integers(1, 200))
def test_without_errors_the_limit_is_exact(n):
    rate = added_errors(n, 0, 0.25) / n
    assert_allclose(binom.cdf(0, n, rate), 0.25)


@given(st.integers(2, 200), st.floats(0.01, 0.5))
def test_more_errors_mean_more_pessimism_in_all_and_never_more_than_the_rows(n, confidence):
    limits = [errors + added_errors(n, errors, confidence) for errors in np.arange(0, n + 0.5, 0.5)]
    assert (np.diff(limits) >= -1e-9).all()
    assert limits[-1] <= n + 1e-9


def test_an_empty_leaf_adds_nothing():
    assert added_errors(0, 0, 0.25) == 0


class Recursion:
    """C4.5's pruning by recursion over lists of rows.

    A node is None, a leaf, or its split and its children.
    """

    def __init__(self, tree, X, y, confidence=0.25):
        self.tree, self.X, self.y, self.confidence = tree, X, y, confidence

    def training_errors(self, rows):
        return len(rows) - np.bincount(self.y[rows], minlength=2).max()

    def expected(self, rows):
        return self.training_errors(rows) + added_errors(
            len(rows), self.training_errors(rows), self.confidence
        )

    def grow(self, node=0):
        split = self.tree.splits.split(node)
        return split and (
            split,
            [self.grow(child) for child in self.tree.children[node] if child >= 0],
        )

    def branches(self, node, rows):
        split, children = node
        branch = split.branch(self.X[rows, split.column])
        return [(child, rows[branch == b]) for b, child in enumerate(children)]

    def errors(self, node, rows, of):
        if node is None:
            return of(rows)
        return sum(self.errors(*part, of) for part in self.branches(node, rows))

    def collapse(self, node, rows):
        if (
            node is None
            or self.errors(node, rows, self.training_errors) >= self.training_errors(rows) - 1e-3
        ):
            return None
        return node[0], [self.collapse(*part) for part in self.branches(node, rows)]

    def prune(self, node, rows):
        if node is None:
            return None
        node = node[0], [self.prune(*part) for part in self.branches(node, rows)]
        largest, _ = max(self.branches(node, rows), key=lambda part: len(part[1]))
        leaf, subtree, branch = (
            self.errors(subtree_or_leaf, rows, self.expected)
            for subtree_or_leaf in (None, node, largest)
        )
        if leaf <= min(subtree, branch) + 0.1 + 1e-6:
            return None
        return self.prune(largest, rows) if branch <= subtree + 0.1 + 1e-6 else node

    def leaves(self, node, rows):
        if node is None:
            return [rows]
        return [leaf for part in self.branches(node, rows) for leaf in self.leaves(*part)]


def reference(model, X, y):
    """Return the rows of the leaves."""
    recursion, rows = Recursion(model.tree_, X, y), np.arange(len(y))
    return recursion.leaves(recursion.prune(recursion.collapse(recursion.grow(), rows), rows), rows)


@pytest.mark.parametrize("seed", range(6))
def test_pruning_is_that_of_the_recursion(seed):
    X, y = make_classification(250, 5, flip_y=0.25, random_state=seed)
    grown = DecisionTreeClassifier(**params_of(C45) | {"pruning": "cost_complexity"}).fit(X, y)
    pruned = C45().fit(X, y)
    expected = sorted(leaf.tolist() for leaf in reference(grown, X, y) if len(leaf))
    places = pruned.apply(X)
    got = sorted(np.flatnonzero(places == leaf).tolist() for leaf in np.unique(places))
    assert got == expected
    assert pruned.get_n_leaves() <= grown.get_n_leaves()


def test_a_branch_is_raised():
    phases = set()
    for seed in range(4):
        X, y = make_classification(400, 4, flip_y=0.1, random_state=seed)
        phases |= {step.phase for step in C45().steps(X, y)}
    assert {"keep", "prune", "raise"} <= phases
