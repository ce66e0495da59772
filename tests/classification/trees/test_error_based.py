"""Pessimistic errors, and the subtrees that error-based pruning cuts, against a recursive version."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import binom
from sklearn.datasets import make_classification

from dmlib.classification import C45, DecisionTreeClassifier
from dmlib.classification.trees.error_based import added_errors


@given(st.integers(1, 200))
def test_without_errors_the_limit_is_exact(n):
    rate = added_errors(n, 0, 0.25) / n
    assert_allclose(binom.cdf(0, n, rate), 0.25)


@given(st.integers(2, 200), st.floats(0.01, 0.5))
def test_more_errors_mean_more_pessimism_in_all_and_never_more_than_the_rows(n, confidence):
    limits = [errors + added_errors(n, errors, confidence) for errors in np.arange(0, n + 1, 0.5)]
    assert (np.diff(limits) >= -1e-9).all()
    assert limits[-1] <= n + 1e-9


def test_an_empty_leaf_adds_nothing():
    assert added_errors(0, 0, 0.25) == 0


def reference(model, X, y):
    """C4.5's pruning by recursion over lists of rows; returns the rows of the leaves with their class."""
    tree, confidence = model.tree_, 0.25

    def expected(rows):
        counts = np.bincount(y[rows], minlength=2)
        errors = counts.sum() - counts.max()
        return errors + added_errors(counts.sum(), errors, confidence)

    def grow(node):
        split = tree.splits.split(node)
        return None if split is None else (split, [grow(child) for child in tree.children[node] if child >= 0])

    def parts(split, rows):
        branch = split.branch(X[rows, split.column])
        return [rows[branch == b] for b in range(split.n_branches)]

    def errors(node, rows, of):
        if node is None:
            return of(rows)
        return sum(errors(child, part, of) for child, part in zip(node[1], parts(node[0], rows), strict=True))

    def wrong(rows):
        return len(rows) - np.bincount(y[rows], minlength=2).max()

    def collapse(node, rows):
        if node is None or errors(node, rows, wrong) >= wrong(rows) - 1e-3:
            return None
        return node[0], [collapse(child, part) for child, part in zip(node[1], parts(node[0], rows), strict=True)]

    def prune(node, rows):
        if node is None:
            return None
        split, children = node
        node = split, [prune(child, part) for child, part in zip(children, parts(split, rows), strict=True)]
        largest = node[1][int(np.argmax([len(part) for part in parts(split, rows)]))]
        leaf, tree_errors, branch = expected(rows), errors(node, rows, expected), errors(largest, rows, expected)
        if leaf <= tree_errors + 0.1 + 1e-6 and leaf <= branch + 0.1 + 1e-6:
            return None
        return prune(largest, rows) if branch <= tree_errors + 0.1 + 1e-6 else node

    def leaves(node, rows):
        if node is None:
            return [rows]
        return [leaf for child, part in zip(node[1], parts(node[0], rows), strict=True) for leaf in leaves(child, part)]

    rows = np.arange(len(y))
    return leaves(prune(collapse(grow(0), rows), rows), rows)


@pytest.mark.parametrize("seed", range(6))
def test_pruning_is_that_of_the_recursion(seed):
    X, y = make_classification(250, 5, flip_y=0.25, random_state=seed)
    whole = DecisionTreeClassifier(**C45 | {"pruning": "cost_complexity"}).fit(X, y)
    pruned = DecisionTreeClassifier(**C45).fit(X, y)
    wanted = sorted(leaf.tolist() for leaf in reference(whole, X, y) if len(leaf))
    places = pruned.apply(X)
    got = sorted(np.flatnonzero(places == leaf).tolist() for leaf in np.unique(places))
    assert got == wanted
    assert pruned.get_n_leaves() < whole.get_n_leaves()


def test_a_branch_is_raised():
    phases = set()
    for seed in range(12):
        X, y = make_classification(200, 4, flip_y=0.3, random_state=seed)
        phases |= {step.phase for step in DecisionTreeClassifier(**C45).steps(X, y)}
    assert {"keep", "prune", "raise"} <= phases
