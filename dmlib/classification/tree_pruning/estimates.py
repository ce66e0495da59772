"""Minimum error, pessimistic and reduced error pruning, MDL and chi-squared."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, lgamma, log, log2, pi, sqrt

import numpy as np
from scipy.stats import chi2

from dmlib.arrays import Floats
from dmlib.classification.tree_pruning.cutting import Comparison, Cutting
from dmlib.trees.splits import Split
from dmlib.trees.tree import Tree

LN2 = log(2)


def reduced_error(cutting: Cutting, counts: Floats) -> Iterator[Comparison]:
    """Prune bottom-up where a leaf makes no more errors on the pruning set (Quinlan 1987).

    ``counts`` are those of the pruning set, shape (node_count, n_classes).
    """
    errors = counts.sum(axis=1) - counts[np.arange(len(counts)), cutting.tree.predictions]

    def compare(node: int) -> Comparison:
        leaves = cutting.leaves(node)
        subtree_errors = float(errors[leaves].sum())
        return cutting.compare(node, float(errors[node]), subtree_errors, leaves, errors[leaves])

    return cutting.bottom_up(compare)


def m_estimate(counts: Floats, priors: Floats, m: float) -> float:
    """Return the expected error rate of a leaf by the m-estimate.

    That is 1 - max over the classes of (n_c + m p_c) / (n + m).

    Examples
    --------
    >>> round(m_estimate(np.array([3.0, 1.0]), np.array([0.5, 0.5]), 2.0), 4)
    0.3333
    """
    shares = counts + m * priors
    total = float(shares.sum())
    return 1 - float(shares.max()) / total if total > 0 else 1 - float(priors.max())


def minimum_error(cutting: Cutting, m: float) -> Iterator[Comparison]:
    """Prune bottom-up where the expected error of a leaf is at most the mean of its branches'."""
    counts, sizes = cutting.tree.counts, cutting.sizes
    priors = counts[0] / counts[0].sum()
    own = np.array([m_estimate(each, priors, m) for each in counts])
    backed_up = own.copy()

    def compare(node: int) -> Comparison:
        children = np.array(cutting.below[node], np.intp)
        subtree = float(sizes[children] @ backed_up[children] / sizes[node])
        comparison = cutting.compare(node, float(own[node]), subtree, children, backed_up[children])
        backed_up[node] = own[node] if comparison.action == "prune" else subtree
        return comparison

    return cutting.bottom_up(compare)


def pessimistic(
    cutting: Cutting, standard_errors: float, leaf_penalty: float = 0.5
) -> Iterator[Comparison]:
    """Prune top-down where a leaf's errors are within ``standard_errors`` of the subtree's.

    ``leaf_penalty`` errors are added for each leaf; half an error is the continuity correction of
    the binomial distribution.
    """
    errors, sizes = cutting.errors, cutting.sizes

    def compare(node: int) -> Comparison:
        leaves = cutting.leaves(node)
        below, n = float(errors[leaves].sum()) + leaf_penalty * len(leaves), float(sizes[node])
        spread = sqrt(max(below * (n - below), 0.0) / n)
        allowed = below + standard_errors * spread
        leaf = float(errors[node]) + leaf_penalty
        return cutting.compare(node, leaf, allowed, leaves, errors[leaves])

    return cutting.top_down(compare)


def data_bits(counts: Floats) -> float:
    r"""Return the description length of the classes of the rows in a leaf, in bits.

    .. math:: \sum_c n_c \log_2 \frac{n}{n_c} + \frac{k - 1}{2} \log_2 \frac{n}{2}
        + \log_2 \frac{\pi^{k/2}}{\Gamma(k/2)}

    for n rows of k classes; 0 without rows.

    References
    ----------
    M. Mehta, J. Rissanen and R. Agrawal (1995), MDL-based decision tree pruning, equation 2.

    Examples
    --------
    >>> round(data_bits(np.array([4.0, 4.0])), 4), round(data_bits(np.array([8.0, 0.0])), 4)
    (10.6515, 2.6515)
    """
    n, k = float(counts.sum()), len(counts)
    if n <= 0:
        return 0.0
    positive = counts[counts > 0]
    classes = float((positive * np.log2(n / positive)).sum())
    return classes + (k - 1) / 2 * (log(n / 2) / LN2) + (k / 2 * log(pi) - lgamma(k / 2)) / LN2


def split_bits(split: Split, n: float, n_features: int) -> float:
    """Return the description length of a split: its column, and its threshold or grouping.

    A threshold lies in one of n - 1 gaps between n rows; v values make 2^(v - 1) - 1 groups of two.

    Examples
    --------
    >>> split_bits(Split(0, (1.5,)), 9.0, 2), split_bits(Split(0, branches=(0, 1, 2)), 9.0, 2)
    (4.0, 1.0)
    """
    column = log(n_features) / LN2
    if split.thresholds:
        return column + len(split.thresholds) * log(max(n - 1, 1.0)) / LN2
    values = sum(branch >= 0 for branch in split.branches)
    if split.n_branches == values:
        return column
    return column + log(max(2.0 ** (values - 1) - 1, 1.0)) / LN2


def description_length(cutting: Cutting, n_features: int) -> Iterator[Comparison]:
    """Prune bottom-up where a leaf takes no more bits than the split and its branches."""
    tree, sizes = cutting.tree, cutting.sizes
    own = np.array([1 + data_bits(each) for each in tree.counts])
    best = own.copy()

    def compare(node: int) -> Comparison:
        children, split = np.array(cutting.below[node], np.intp), tree.splits.split(node)
        assert split is not None
        bits = split_bits(split, float(sizes[node]), n_features)
        subtree = 1 + bits + float(best[children].sum())
        comparison = cutting.compare(node, float(own[node]), subtree, children, best[children])
        best[node] = own[node] if comparison.action == "prune" else subtree
        return comparison

    return cutting.bottom_up(compare)


def name_bits(n_names: float) -> int:
    """Return the whole bits that tell one of so many names from the others.

    Examples
    --------
    >>> name_bits(16), name_bits(3), name_bits(1)
    (4, 2, 0)
    """
    return ceil(log2(n_names)) if n_names > 1 else 0


def code_length(tree: Tree, n_features: int) -> float:
    """Return the bits of a tree and of its training errors, where names alone are coded.

    Each inner node names its column, each leaf its class, each error its row.

    References
    ----------
    P.-N. Tan, M. Steinbach and V. Kumar (2006), Introduction to data mining, section 4.4.4.

    Examples
    --------
    >>> from dmlib.classification import DecisionTreeClassifier
    >>> grown = DecisionTreeClassifier().fit([[0.0], [1.0], [2.0], [3.0]], list("aaba"))
    >>> code_length(grown.tree_, 4)  # 2 inner nodes, 3 leaves
    7.0
    """
    counts, is_leaf = tree.counts, np.asarray(tree.is_leaf)
    errors = float((counts.sum(axis=1) - counts.max(axis=1))[is_leaf].sum())
    n_leaves = int(is_leaf.sum())
    inner = (len(is_leaf) - n_leaves) * name_bits(n_features)
    return inner + n_leaves * name_bits(counts.shape[1]) + errors * name_bits(counts[0].sum())


def names_length(cutting: Cutting, n_features: int) -> Iterator[Comparison]:
    """Prune bottom-up where a leaf takes no more bits of :func:`code_length` than its subtree."""
    of_column, of_class = name_bits(n_features), name_bits(cutting.tree.counts.shape[1])
    own = of_class + cutting.errors * name_bits(float(cutting.sizes[0]))
    best = np.array(own, float)

    def compare(node: int) -> Comparison:
        children = np.array(cutting.below[node], np.intp)
        subtree = of_column + float(best[children].sum())
        comparison = cutting.compare(node, float(own[node]), subtree, children, best[children])
        best[node] = own[node] if comparison.action == "prune" else subtree
        return comparison

    return cutting.bottom_up(compare)


def expected_counts(counts: Floats) -> Floats:
    """Return the expected cells of a table under independence, shape (n_rows, n_columns).

    Examples
    --------
    >>> expected_counts(np.array([[3.0, 1.0], [1.0, 3.0]])).tolist()
    [[2.0, 2.0], [2.0, 2.0]]
    """
    product: Floats = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    return product


def chi_squared(counts: Floats) -> tuple[float, int]:
    """Return Pearson's statistic of a table, and its degrees of freedom.

    Empty rows and columns do not count.

    Examples
    --------
    >>> chi_squared(np.array([[3.0, 1.0], [1.0, 3.0], [0.0, 0.0]]))
    (2.0, 1)
    """
    table = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0]
    if min(table.shape) < 2:
        return 0.0, 0
    expected = expected_counts(table)
    degrees = (table.shape[0] - 1) * (table.shape[1] - 1)
    return float(((table - expected) ** 2 / expected).sum()), degrees


def significance_test(cutting: Cutting, significance: float) -> Iterator[Comparison]:
    """Prune bottom-up splits that are not significant by Pearson's test.

    A split with a significant one in its subtree stays.
    """
    counts = cutting.tree.counts

    def compare(node: int) -> Comparison:
        children = np.array(cutting.below[node], np.intp)
        statistic, freedom = chi_squared(counts[children])
        critical = float(chi2.isf(significance, freedom)) if freedom else 0.0
        reason = "" if cutting.leaf[children].all() else "a split below it is significant"
        sizes = cutting.sizes[children]
        return cutting.compare(node, statistic, critical, children, sizes, reason=reason)

    return cutting.bottom_up(compare)
