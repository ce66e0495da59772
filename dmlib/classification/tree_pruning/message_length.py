"""Minimum message length: the code of Wallace and Patrick for a tree and the classes."""

from __future__ import annotations

from collections.abc import Iterator
from math import lgamma, log, log2

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.classification.tree_pruning.cutting import Comparison, Cutting
from dmlib.classification.tree_pruning.estimates import split_bits
from dmlib.trees.tree import Tree


def class_bits(counts: Floats) -> float:
    r"""Return the bits of the classes of the rows in a leaf by an adaptive code.

    A row has class c with probability (i_c + 1) / (j + k), if i_c of the j rows before it have it.
    Whatever their order, that takes

    .. math:: \log_2 \frac{(n + k - 1)!}{(k - 1)! \, \prod_c n_c!}

    bits for n rows of k classes; 0 without rows.

    References
    ----------
    C. S. Wallace and J. D. Patrick (1993), Coding decision trees. Machine Learning 11, 7-22. Their
    parameter alpha is 1 here.

    Examples
    --------
    >>> round(class_bits(np.array([2.0, 1.0])), 4), round(class_bits(np.array([3.0, 0.0])), 4)
    (3.585, 2.0)
    """
    n, k = float(counts.sum()), len(counts)
    cells = sum(lgamma(float(count) + 1) for count in counts)
    return (lgamma(n + k) - lgamma(k) - cells) / log(2)


def structure_bits(arity: int) -> tuple[float, float]:
    """Return the bits that say that a node is a leaf, and that it is split.

    Of ``arity`` branches of the parent one is expected to be split: the probability is 1 / arity.
    The root, of arity 0, takes one bit.

    Examples
    --------
    >>> structure_bits(2), structure_bits(4)[1]
    ((1.0, 1.0), 2.0)
    """
    branches = max(arity, 2)
    return log2(branches / (branches - 1)), log2(branches)


def arities(tree: Tree) -> Ints:
    """Return the number of branches of the parent of each node; 0 for the root.

    Examples
    --------
    >>> from dmlib.classification import DecisionTreeClassifier
    >>> arities(DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1]).tree_).tolist()
    [0, 2, 2]
    """
    n_branches = (tree.children >= 0).sum(axis=1)
    return np.where(tree.parents < 0, 0, n_branches[tree.parents])


def columns_left(tree: Tree, n_features: int) -> Ints:
    """Return the number of columns that each node may test.

    A nominal column whose values all have branches of their own is not tested again below them.

    Examples
    --------
    >>> from dmlib.classification import DecisionTreeClassifier
    >>> columns_left(DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1]).tree_, 3).tolist()
    [3, 3, 3]
    """
    n_columns = np.full(tree.node_count, n_features)
    for node in range(tree.node_count):
        split = tree.splits.split(node)
        if split is None:
            continue
        n_values = sum(branch >= 0 for branch in split.branches)
        is_used_up = not split.thresholds and n_values == split.n_branches
        children = tree.children[node][tree.children[node] >= 0]
        n_columns[children] = max(n_columns[node] - is_used_up, 1)
    return n_columns


def message_length(cutting: Cutting, n_features: int) -> Iterator[Comparison]:
    """Prune bottom-up where the message of a leaf is no longer than that of the subtree.

    A leaf is said to be one, and its classes follow; a split node is said to be one, its test
    follows, of :func:`split_bits`, and the messages of its branches.
    """
    tree, sizes = cutting.tree, cutting.sizes
    as_leaf, as_split = np.array([structure_bits(int(arity)) for arity in arities(tree)]).T
    n_columns = columns_left(tree, n_features)
    own = as_leaf + np.array([class_bits(counts) for counts in tree.counts])
    best = own.copy()

    def compare(node: int) -> Comparison:
        children, split = np.array(cutting.below[node], np.intp), tree.splits.split(node)
        assert split is not None
        test = split_bits(split, float(sizes[node]), int(n_columns[node]))
        subtree = float(as_split[node]) + test + float(best[children].sum())
        comparison = cutting.compare(node, float(own[node]), subtree, children, best[children])
        best[node] = own[node] if comparison.action == "prune" else subtree
        return comparison

    return cutting.bottom_up(compare)
