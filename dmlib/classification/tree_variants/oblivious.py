"""Oblivious trees: all nodes of a level have the same test, so that the tree is a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

from dmlib.arrays import Floats, Ints
from dmlib.classification.tree_variants.linear_tree import LinearTree, middles
from dmlib.classification.tree_variants.ranges import variant_ranges
from dmlib.classification.tree_variants.variant import Rows, VariantStep, VariantTree
from dmlib.params import Choice, Integer, Number, Param, Ranges
from dmlib.trace import look
from dmlib.trees.impurity import impurity

MAX_LEVELS = 12


class ObliviousTree(VariantTree):
    r"""Classify by a tree with one test a level, the same at all its nodes.

    Each level has the test with the largest decrease of the mean impurity of the cells; for the
    entropy that is the conditional mutual information :math:`I(\text{class}; \text{test} \mid
    \text{cell})`. The growth ends where that is not significant.

    Parameters
    ----------
    criterion : {"entropy", "gini"}, default="entropy"
        How tests are compared.
    max_depth : int, default=4
        The largest number of levels.
    significance : float, default=0.05
        The largest p-value of a level, by the likelihood-ratio test within the cells.

    Attributes
    ----------
    tree_ : LinearTree
        The tree.
    classes_ : ndarray of shape (n_classes,)
        The classes.
    n_features_in_ : int
        The number of columns seen by ``fit``.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, if they were columns of a data frame.

    Notes
    -----
    A level costs O(n c k) for each term with n rows, c cells and k classes. Of a numeric column
    each threshold is a test, of a nominal one each value. Of equal tests the first is taken. An
    empty cell has the class frequencies of its parent. The p-value is that of one test, though
    the best of many was chosen.

    References
    ----------
    P. Langley and S. Sage (1994), Oblivious decision trees and abstract cases.
    H. Almuallim and T. G. Dietterich (1994), Learning Boolean concepts in the presence of many
    irrelevant features. L. Rokach and O. Maimon (2005), Decision trees, section 10.1.

    Examples
    --------
    >>> X, y = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]] * 5, [0, 1, 1, 0] * 5
    >>> model = ObliviousTree(significance=1.0).fit(X, y)
    >>> model.tree_.n_leaves, model.score(X, y)
    (4, 1.0)
    """

    RANGES: ClassVar[Ranges] = staticmethod(variant_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "criterion": Choice(("entropy", "gini")),
        "max_depth": Integer(1, MAX_LEVELS, shown=(1, 6)),
        "significance": Number(1e-300, 1.0, shown=(1e-6, 1.0), log=True),
    }

    def __init__(
        self, *, criterion: str = "entropy", max_depth: int = 4, significance: float = 0.05
    ) -> None:
        self.criterion = criterion
        self.max_depth = max_depth
        self.significance = significance

    def _grow(self, rows: Rows) -> Iterator[VariantStep]:
        tree = LinearTree.root(rows.X.shape[1], rows.indicator.sum(axis=0))
        cells, step = np.zeros(len(rows.X), np.intp), VariantStep("start", tree)
        yield step
        for level in range(self.max_depth):
            ranked, gain, term, threshold = self._best(rows, cells)
            if term < 0:
                break
            p = p_value(rows, cells, rows.X[:, term] <= threshold)
            unit = np.eye(rows.X.shape[1])[term]
            test = {
                "node": level,
                "weights": unit,
                "threshold": threshold,
                "gain": gain,
                "before": p,
                "ranked": ranked,
            }
            if p > self.significance:
                yield VariantStep("stop", tree, **test)
                break
            tree, cells = deeper(tree, rows, cells, term, threshold)
            yield VariantStep("level", tree, **test)
        yield VariantStep("done", tree)

    def _best(self, rows: Rows, cells: Ints) -> tuple[Floats, float, int, float]:
        """Return the best test of each term, and gain, term and threshold of the best of all."""
        n_terms = rows.X.shape[1]
        ranked = np.full((n_terms, 2), np.nan)
        for term in range(n_terms):
            look()
            places, scores = cell_gains(rows, cells, term, self.criterion)
            if len(places):
                best = int(np.flatnonzero(scores >= scores.max() - 1e-12)[0])
                ranked[term] = places[best], scores[best]
        gains = np.nan_to_num(ranked[:, 1], nan=-1.0)
        if gains.max() <= 1e-12 and not self._has_mixed_cell(rows, cells):
            return ranked, 0.0, -1, 0.0
        term = int(np.flatnonzero(gains >= gains.max() - 1e-12)[0])
        if np.isnan(ranked[term, 0]):
            return ranked, 0.0, -1, 0.0
        return ranked, float(ranked[term, 1]), term, float(ranked[term, 0])

    def _has_mixed_cell(self, rows: Rows, cells: Ints) -> bool:
        """Return whether a cell has several classes: a test without gain may help the next."""
        counts = cell_counts(rows, cells)
        return bool((np.count_nonzero(counts, axis=1) > 1).any())


def cell_counts(rows: Rows, cells: Ints) -> Floats:
    """Return the rows of each class in each cell, shape (n_cells, n_classes)."""
    n_classes = len(rows.classes)
    size = int(cells.max()) + 1
    counts = np.bincount(cells * n_classes + rows.codes, minlength=size * n_classes)
    return counts.reshape(size, n_classes).astype(float)


def cell_gains(rows: Rows, cells: Ints, term: int, criterion: str) -> tuple[Floats, Floats]:
    """Return the thresholds of a term, and the decrease of the cells' mean impurity by each."""
    z, n, n_classes = rows.X[:, term], len(rows.X), len(rows.classes)
    places = middles(z)
    if not len(places):
        return places, places
    used, place = np.unique(cells, return_inverse=True)
    order = np.argsort(z, kind="stable")
    ends = np.searchsorted(z[order], places, side="right")
    total = np.zeros((len(used), n_classes))
    np.add.at(total, (place, rows.codes), 1.0)
    scores = np.full(len(places), float((impurity(total.T, criterion) * total.sum(axis=1)).sum()))
    for cell in range(len(used)):
        look()
        inside = place[order] == cell
        indicator = np.eye(n_classes)[rows.codes[order]] * inside[:, None]
        sums = np.vstack([np.zeros(n_classes), indicator]).cumsum(axis=0)
        first = sums[ends]
        sides = first, total[cell] - first
        scores -= sum(impurity(side.T, criterion) * side.sum(axis=1) for side in sides)
    return places, scores / n


def p_value(rows: Rows, cells: Ints, first: NDArray[np.bool_]) -> float:
    """Return the p-value of 2 n ln 2 times the conditional mutual information of a test.

    Each cell adds (branches - 1)(classes - 1) degrees of freedom, of those that it has.
    """
    statistic, freedom = 0.0, 0
    for cell in np.unique(cells):
        inside = cells == cell
        table = np.zeros((2, len(rows.classes)))
        np.add.at(table, (first[inside].astype(int), rows.codes[inside]), 1.0)
        table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
        if min(table.shape) < 2:
            continue
        expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
        occurs = table > 0
        statistic += 2 * float((table[occurs] * np.log(table[occurs] / expected[occurs])).sum())
        freedom += table.shape[1] - 1
    return float(chi2.sf(statistic, freedom)) if freedom else 1.0


def deeper(
    tree: LinearTree, rows: Rows, cells: Ints, term: int, threshold: float
) -> tuple[LinearTree, Ints]:
    """Return the tree with one level more, and the cell of each row, counted from the left."""
    leaves = np.flatnonzero(tree.is_leaf)
    second, unit = rows.X[:, term] > threshold, np.eye(rows.X.shape[1])[term]
    indicator = rows.indicator
    for number, leaf in enumerate(leaves):
        inside = cells == number
        sides = inside & ~second, inside & second
        counts = np.array([indicator[side].sum(axis=0) for side in sides])
        tree = tree.split(int(leaf), unit, threshold, 0.0, counts)
    return tree, 2 * cells + second
