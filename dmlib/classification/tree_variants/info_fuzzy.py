"""Info-fuzzy networks: a column a layer, and a branch for each value where that is significant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import log
from typing import Any, ClassVar, NamedTuple

import numpy as np
from scipy.stats import chi2

from dmlib.arrays import Floats, Ints
from dmlib.classification.columns import Columns, read_classes
from dmlib.classification.tree_variants.linear_tree import Terms, middles
from dmlib.classification.tree_variants.ranges import network_ranges
from dmlib.classification.tree_variants.variant import Rows, VariantStep, VariantTree
from dmlib.params import Integer, Number, Param, Ranges, check_params
from dmlib.trace import look
from dmlib.trees.impurity import MEASURES, impurity
from dmlib.trees.splits import Split, SplitTable
from dmlib.trees.tree import NO_CHILD, Tree

MAX_THRESHOLDS = 31
"""A column has at most so many: with a lenient significance each of its values would have one."""

CLOSE, ROUNDING = 1e-12, 1e-9
LN2 = log(2)


class NodeTest(NamedTuple):
    """The likelihood-ratio test of a column and the class in one node.

    Attributes
    ----------
    node : int
        The node.
    counts : ndarray of shape (n_values, n_classes)
        Its rows by the value, or interval, of the column and by class.
    bits : float
        Its part of the conditional mutual information: that within the node times its share of all
        rows.
    statistic : float
        2 ln 2 times the number of all rows times ``bits``.
    freedom : int
        (values - 1)(classes - 1), of those that occur in the node.
    p : float
        The p-value; 1 without a degree of freedom.
    is_significant : bool
        Whether the node is split.
    """

    node: int
    counts: Floats
    bits: float
    statistic: float
    freedom: int
    p: float
    is_significant: bool


@dataclass(frozen=True)
class Layer:
    """A column as a layer of the network: its thresholds, and its test in each open node.

    Attributes
    ----------
    column : int
        The column.
    thresholds : tuple of float
        Those of a numeric column, ascending; its intervals are its values.
    tests : tuple of NodeTest
        The tests in the nodes of the layer before that are split.
    """

    column: int
    thresholds: tuple[float, ...]
    tests: tuple[NodeTest, ...]

    @property
    def bits(self) -> float:
        """The conditional mutual information, summed over the nodes where it is significant."""
        return sum(test.bits for test in self.tests if test.is_significant)


class InfoFuzzyNetwork(VariantTree):
    r"""Classify by an oblivious tree with a column a layer and a branch for each of its values.

    Each layer is the column that tells most about the class, given the nodes so far: the sum of
    :math:`I(\text{class}; \text{column} \mid \text{node})` over those nodes z where

    .. math:: G^2 = 2 \ln 2 \cdot n \cdot P(z) \, I(\text{class}; \text{column} \mid z)

    is significant. These nodes are split; the others become terminal and stay as they are. The
    growth ends when no column that is left is significant anywhere.

    Parameters
    ----------
    significance : float, default=0.001
        The largest p-value of a node that is split, and of a node that counts for a threshold.
    max_depth : int or None, default=None
        The largest number of layers; None for as many as there are columns.

    Attributes
    ----------
    tree_ : Tree
        The network as a tree; its leaves are the terminal nodes.
    classes_ : ndarray of shape (n_classes,)
        The classes.
    n_features_in_ : int
        The number of columns seen by ``fit``.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, if they were columns of a data frame.

    Notes
    -----
    A numeric column is cut anew for each layer: at the threshold with the largest sum over the
    nodes where it is significant, then again within both parts, as long as there is one; at most 31
    times. A layer costs O(n log n) for each threshold and column with n rows. Of equal
    columns and thresholds the first is taken. A terminal node predicts its class shares; a row
    with a value that a node has not seen goes down all its branches, weighted by their rows; an
    interval without rows in a node predicts the shares of that node.

    References
    ----------
    M. Last, O. Maimon and E. Minkov (2002), Improving stability of decision trees. O. Maimon and M.
    Last (2000), Knowledge discovery and data mining: the info-fuzzy network (IFN) methodology.

    Examples
    --------
    >>> X = [[float(x), float(x % 2)] for x in range(24)]
    >>> model = InfoFuzzyNetwork().fit(X, [x > 9 and x % 2 for x in range(24)])
    >>> model.tree_.splits.columns.tolist(), model.tree_.threshold[0]
    ([1, -2, 0, -2, -2], np.float64(0.5))
    """

    RANGES: ClassVar[Ranges] = staticmethod(network_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "significance": Number(1e-300, 1.0, shown=(1e-6, 0.5), log=True),
        "max_depth": Integer(1, 2**31 - 1, shown=(1, 8), none="no limit"),
    }

    def __init__(self, *, significance: float = 0.001, max_depth: int | None = None) -> None:
        self.significance = significance
        self.max_depth = max_depth

    def connection_weights(self) -> Floats:
        r"""Return the weights of the connections from nodes to classes.

        They are :math:`P(z, c) \log_2 (P(c \mid z) / P(c))` for the node z and the class c, of
        shape (node_count, n_classes); those of the terminal nodes add up to the mutual information
        of network and class.

        Examples
        --------
        >>> model = InfoFuzzyNetwork().fit([[0.0]] * 8 + [[1.0]] * 8, [0] * 8 + [1] * 8)
        >>> model.connection_weights()[1:].tolist()
        [[0.5, 0.0], [0.0, 0.5]]
        """
        return connection_weights(self.tree_)

    def _read(self, X: Any, y: Any) -> Rows:
        check_params(self.PARAMS, self.get_params())
        columns, matrix = Columns.read(X)
        classes, codes = read_classes(y, matrix)
        n = len(columns.names)
        terms = Terms(columns, tuple(range(n)), (-1,) * n)
        return Rows(terms, terms.of(matrix), codes, classes)

    def _grow(self, rows: Rows) -> Iterator[VariantStep]:
        network, unused = GrowingNetwork(rows), list(range(rows.X.shape[1]))
        yield VariantStep("start", network.tree)
        while unused and network.open and rows.X.shape[1] - len(unused) < self._limit:
            layers = tuple(self._layer(rows, network, column) for column in unused)
            bits = np.array([layer.bits for layer in layers])
            layer = layers[int(np.flatnonzero(bits >= bits.max() - CLOSE)[0])]
            number = rows.X.shape[1] - len(unused)
            found: dict[str, Any] = {"gain": layer.bits, "layers": (layer, *layers)}
            if layer.bits <= CLOSE:
                yield VariantStep("stop", network.tree, number, **found)
                break
            network.add(layer)
            unused.remove(layer.column)
            yield VariantStep("layer", network.tree, number, **found)
        yield VariantStep("done", network.tree)

    @property
    def _limit(self) -> float:
        return np.inf if self.max_depth is None else self.max_depth

    def _layer(self, rows: Rows, network: GrowingNetwork, column: int) -> Layer:
        """Return a column as the next layer."""
        look()
        is_open = np.isin(network.node_of_row, network.open)
        z, codes, nodes = rows.X[is_open, column], rows.codes[is_open], network.node_of_row[is_open]
        thresholds: tuple[float, ...] = ()
        names = rows.terms.columns.categories[column]
        if names is None:
            n_classes = len(rows.classes)
            thresholds = recursive_thresholds(z, codes, nodes, n_classes, self.significance)
            values, size = np.searchsorted(thresholds, z, side="left"), len(thresholds) + 1
        else:
            values, size = z.astype(np.intp), len(names)
        counts = np.zeros((len(network.open), size, len(rows.classes)))
        np.add.at(counts, (np.searchsorted(network.open, nodes), values, codes), 1.0)
        tests = [
            node_test(node, table, len(rows.X), self.significance)
            for node, table in zip(network.open, counts, strict=True)
        ]
        return Layer(column, thresholds, tuple(tests))


def node_test(node: int, counts: Floats, n_rows: int, significance: float) -> NodeTest:
    """Test whether value and class are independent in a node, by the likelihood ratio.

    ``counts`` are its rows by value and class, shape (n_values, n_classes); ``n_rows`` are those of
    the whole network.

    Examples
    --------
    >>> test = node_test(0, np.array([[8.0, 0.0], [0.0, 8.0]]), 32, 0.05)
    >>> test.bits, round(test.statistic, 3), test.freedom, test.is_significant
    (0.5, 22.181, 1, True)
    """
    present = (counts.sum(axis=1) > 0).sum(), (counts.sum(axis=0) > 0).sum()
    freedom = int((present[0] - 1) * (present[1] - 1)) if counts.any() else 0
    bits = max(float(rows_times_bits(counts)), 0.0)
    statistic = 2 * LN2 * bits
    p = float(chi2.sf(statistic, freedom)) if freedom else 1.0
    is_significant = bool(freedom and bits > CLOSE and p <= significance)
    return NodeTest(node, counts, bits / n_rows, statistic, freedom, p, is_significant)


def rows_times_bits(counts: Floats) -> Any:
    """Return the rows of tables times the mutual information of their rows and columns in bits.

    ``counts`` has the shape (n_values, n_classes, ...).
    """
    entropy = MEASURES["entropy"]
    return entropy(counts.sum(axis=0)) - sum(entropy(row) for row in counts)


def recursive_thresholds(
    z: Floats, codes: Ints, nodes: Ints, n_classes: int, significance: float
) -> tuple[float, ...]:
    """Return the thresholds of a numeric column: the best one, and again within both parts.

    Parameters
    ----------
    z : ndarray of shape (n_samples,)
        The values of the rows in open nodes.
    codes, nodes : ndarray of shape (n_samples,)
        Their classes and their nodes.
    n_classes : int
        The number of classes.
    significance : float
        The largest p-value of a node that counts.

    Examples
    --------
    >>> z, codes = np.arange(24.0), np.repeat([0, 1, 0], 8)
    >>> recursive_thresholds(z, codes, np.zeros(24, int), 2, 0.05)
    (7.5, 15.5)
    """
    thresholds: list[float] = []
    waiting = [np.arange(len(z))]
    while waiting and len(thresholds) < MAX_THRESHOLDS:
        rows = waiting.pop(0)
        threshold = best_threshold(z[rows], codes[rows], nodes[rows], n_classes, significance)
        if threshold is not None:
            thresholds.append(threshold)
            waiting += [rows[z[rows] <= threshold], rows[z[rows] > threshold]]
    return tuple(sorted(thresholds))


def best_threshold(
    z: Floats, codes: Ints, nodes: Ints, n_classes: int, significance: float
) -> float | None:
    """Return the threshold that tells most in the nodes where it is significant; None without one.

    The arguments are those of :func:`recursive_thresholds`.
    """
    places, order = middles(z), np.argsort(z, kind="stable")
    if not len(places):
        return None
    codes, nodes = codes[order], nodes[order]
    enough = chi2.isf(significance, np.arange(1, n_classes)) / (2 * LN2)
    changes, by_node = np.zeros(len(z) + 1), np.argsort(nodes, kind="stable")
    for rows in np.split(by_node, np.flatnonzero(np.diff(nodes[by_node])) + 1):
        look()
        first = np.eye(n_classes)[codes[rows]].cumsum(axis=0)
        freedom = int((first[-1] > 0).sum()) - 1
        if freedom:
            bits = rows_times_bits(np.stack([first.T, (first[-1] - first).T]))
            bits = np.where(bits >= max(enough[freedom - 1], CLOSE), bits, 0.0)
            changes[rows + 1] += np.diff(bits, prepend=0.0)
    told = changes.cumsum()[np.searchsorted(z[order], places, side="right")]
    if told.max() <= ROUNDING:
        return None
    return float(places[np.flatnonzero(told >= told.max() - ROUNDING)[0]])


class GrowingNetwork:
    """A network while it grows, layer by layer.

    Parameters
    ----------
    rows : Rows
        The training rows.

    Attributes
    ----------
    open : list of int
        The nodes that the next layer may split, ascending.
    node_of_row : ndarray of shape (n_samples,)
        The node of each row.
    """

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.open, self.node_of_row = [0], np.zeros(len(rows.X), np.intp)
        self._splits: list[Split | None] = [None]
        self._children: list[list[int]] = [[]]
        self._counts: list[Floats] = [rows.indicator.sum(axis=0)]

    def add(self, layer: Layer) -> None:
        """Split the nodes where a layer is significant; the others are terminal from now on."""
        opened: list[int] = []
        for test in layer.tests:
            if test.is_significant:
                opened += self._divide(layer, test)
        self.open = opened

    def _divide(self, layer: Layer, test: NodeTest) -> list[int]:
        """Split a node, and return its children that have rows."""
        sizes = test.counts.sum(axis=1)
        occurs, first = sizes > 0, len(self._counts)
        split = Split(layer.column, layer.thresholds)
        if not layer.thresholds:
            branches = np.where(occurs, occurs.cumsum() - 1, -1)
            split = Split(layer.column, branches=tuple(branches.tolist()))
        kept = test.counts if layer.thresholds else test.counts[occurs]
        children = list(range(first, first + len(kept)))
        self._splits[test.node], self._children[test.node] = split, children
        self._splits += [None] * len(kept)
        self._children += [[] for _ in kept]
        self._counts += list(kept)
        inside = np.flatnonzero(self.node_of_row == test.node)
        self.node_of_row[inside] = first + split.branch(self.rows.X[inside, layer.column])
        return [child for child in children if self._counts[child].any()]

    @property
    def tree(self) -> Tree:
        """The network so far as a tree, its nodes numbered layer by layer."""
        counts, width = np.array(self._counts), max(2, *map(len, self._children))
        children = np.full((len(counts), width), NO_CHILD, np.intp)
        parents = np.full(len(counts), -1, np.intp)
        for node, below in enumerate(self._children):
            children[node, : len(below)] = below
            parents[below] = node
        sizes = counts.sum(axis=1)
        value = counts / np.maximum(sizes, 1)[:, None]
        for node in np.flatnonzero(sizes == 0).tolist():
            value[node] = value[parents[node]]
        return Tree(
            SplitTable.of(self._splits),
            children,
            np.where(parents < 0, 1.0, sizes / np.maximum(sizes[parents], 1)),
            value[:, None],
            impurity(counts.T, "entropy"),
            sizes.astype(np.int64),
            sizes,
            np.arange(len(counts)),
        )


def connection_weights(tree: Tree) -> Floats:
    """Return the weights of :meth:`InfoFuzzyNetwork.connection_weights`."""
    counts = tree.counts
    joint, shares = counts / counts[0].sum(), tree.value[:, 0]
    ratio = np.divide(shares, shares[0], out=np.ones_like(shares), where=counts > 0)
    weights: Floats = joint * np.log2(ratio)
    return weights
