"""Error-based pruning as in C4.5: bottom-up, by pessimistic estimates of the errors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtri

from dmlib.arrays import Floats, Ints
from dmlib.trees.frontier import sums
from dmlib.trees.impurity import TINY, impurity
from dmlib.trees.routing import Surrogate, send
from dmlib.trees.tree import Tree, renumbered

SLACK = 0.1
"""A simpler tree is preferred unless its expected errors exceed the others by more."""

Entries = tuple[Ints, Floats]
"""Rows, and the fraction of each."""


def added_errors(n: float, errors: float, confidence: float) -> float:
    """Return the expected errors of a leaf beyond its training errors.

    Together they are the upper limit of a confidence interval for the errors of n rows; the
    interval is exact for none, and by the normal approximation with continuity correction from one
    on.

    Parameters
    ----------
    n : float
        The weight of the rows in the leaf.
    errors : float
        The weight of those that have another class than the leaf.
    confidence : float
        The probability of yet more errors: the smaller, the more pessimistic, up to 0.5.

    References
    ----------
    J. R. Quinlan (1993), C4.5: programs for machine learning, chapter 4.

    Examples
    --------
    >>> round(added_errors(6, 0, 0.25), 3), round(added_errors(16, 1, 0.25), 3)
    (1.238, 1.476)
    """
    if n <= 0:
        return 0.0
    if errors < 1:
        at_zero = float(n * (1 - confidence ** (1 / n)))
        return (
            at_zero + errors * (added_errors(n, 1.0, confidence) - at_zero) if errors else at_zero
        )
    if errors + 0.5 >= n:
        return max(n - errors, 0.0)
    z, f = ndtri(1 - confidence), (errors + 0.5) / n
    limit = (f + z * z / (2 * n) + z * np.sqrt(f / n - f * f / n + z * z / (4 * n * n))) / (
        1 + z * z / n
    )
    return float(limit * n - errors)


@dataclass(frozen=True)
class Comparison:
    """The choices at a node, and the expected errors of each."""

    node: int
    # "collapse": made a leaf, which makes no more errors on the training rows; "keep": left as it
    # is; "leaf": made a leaf; "raise": replaced by its largest branch
    action: str
    # the expected errors as a leaf, with the subtree, and with the largest branch in its place; for
    # "collapse" those on the training rows
    leaf_errors: float
    subtree_errors: float
    branch_errors: float
    branch: int  # the largest branch
    total_leaves: int  # the leaves of the whole tree after the choice


class ErrorBasedPruning:
    """Prune a tree by its expected errors.

    Parameters
    ----------
    tree : Tree
        The tree as it was grown.
    X : ndarray of shape (n_samples, n_features)
        The rows that it was grown from.
    y : ndarray of shape (n_samples,)
        The codes of their classes.
    weights : ndarray of shape (n_samples,)
        Their weights.
    confidence : float
        See :func:`added_errors`.
    measure : str
        The impurity of the nodes.
    cases : ndarray of shape (n_samples,) or None, default=None
        How many rows each of them stands for; None: one.
    """

    def __init__(
        self,
        tree: Tree,
        X: Floats,
        y: Ints,
        weights: Floats,
        confidence: float,
        measure: str,
        cases: Floats | None = None,
    ) -> None:
        self.tree, self.X, self.y, self.weights = tree, X, y, weights
        self.cases = np.ones(len(y)) if cases is None else cases
        self.confidence, self.measure = confidence, measure
        self.children = [[int(child) for child in row if child >= 0] for row in tree.children]
        self.source = list(range(tree.node_count))  # whose split a node has
        self.counts, self.shares = tree.counts, tree.shares.copy()
        self.sizes = tree.n_node_samples.astype(float)
        rows = np.flatnonzero(weights > 0)
        self.entries: dict[int, Entries] = {0: (rows, np.ones(len(rows)))}

    def run(self) -> Iterator[Comparison]:
        """Prune, and yield the comparison at each inner node."""
        self._fill(0)
        yield from self._collapse()
        yield from self._prune(0)

    def result(self) -> Tree:
        """Return the pruned tree."""
        width = self.tree.children.shape[1]
        children = np.array([row + [-1] * (width - len(row)) for row in self.children], np.intp)
        value = self.counts / np.maximum(self.counts.sum(axis=1), TINY)[:, None]
        for node in self._below(0):
            for child in self.children[node]:
                if self.counts[child].sum() <= 0:
                    value[child] = value[node]
        has_whole_rows = bool((self.sizes == np.rint(self.sizes)).all())
        raised = replace(
            self.tree,
            splits=self.tree.splits.take(np.array(self.source)),
            shares=self.shares,
            value=value[:, None],
            impurity=impurity(self.counts.T, self.measure),
            n_node_samples=self.sizes.astype(np.int64) if has_whole_rows else self.sizes,
            weighted_n_node_samples=self.counts.sum(axis=1),
            surrogates=self._surrogates(),
            scores=None if self.tree.scores is None else self.tree.scores[self.source],
        )
        return renumbered(raised, children)

    def _surrogates(self) -> dict[int, tuple[Surrogate, ...]] | None:
        of = self.tree.surrogates
        if of is None:
            return None
        return {node: of[self.source[node]] for node in self._below(0) if self.children[node]}

    def _below(self, node: int) -> list[int]:
        """Return the nodes of a subtree, each before its children."""
        nodes, waiting = [], [node]
        while waiting:
            nodes.append(waiting.pop())
            waiting += reversed(self.children[nodes[-1]])
        return nodes

    def _distribute(self, node: int, entries: Entries) -> tuple[list[Entries], Floats]:
        """Return the entries of each branch of a node, and the shares of the branches."""
        rows, parts = entries
        splits, source, n_branches = self.tree.splits, self.source[node], len(self.children[node])
        branches = splits.branch(self.X, rows, np.full(len(rows), source))
        is_sent = branches >= 0
        weights = np.bincount(branches[is_sent], (parts * self.weights[rows])[is_sent], n_branches)
        shares = weights / max(weights.sum(), TINY)
        node_index = np.zeros(len(rows), np.intp)
        surrogates = None if self.tree.surrogates is None else {0: self.tree.surrogates[source]}
        sent, branch, factors = send(
            self.X, rows, node_index, branches, np.arange(n_branches)[None], shares, surrogates
        )
        return [
            (rows[sent[branch == b]], (parts[sent] * factors)[branch == b])
            for b in range(n_branches)
        ], shares

    def _count(self, entries: Entries) -> Floats:
        rows, parts = entries
        return sums(self.y[rows], parts * self.weights[rows], self.counts.shape[1])

    def _fill(self, node: int) -> None:
        """Send the entries of a node down its subtree, and count them."""
        for inner in self._below(node):
            self.counts[inner] = self._count(self.entries[inner])
            rows, parts = self.entries[inner]
            self.sizes[inner] = (parts * self.cases[rows]).sum()
            if self.children[inner]:
                branches, shares = self._distribute(inner, self.entries[inner])
                for child, entries, share in zip(
                    self.children[inner], branches, shares, strict=True
                ):
                    self.entries[child], self.shares[child] = entries, share

    def _collapse(self) -> Iterator[Comparison]:
        """Make leaves of the nodes whose subtree makes no fewer training errors."""
        below = self.counts.sum(axis=1) - self.counts.max(axis=1)
        own, order = below.copy(), self._below(0)
        for node in reversed(order):
            if self.children[node]:
                below[node] = below[self.children[node]].sum()
        removed: set[int] = set()
        for node in order:
            if node not in removed and self.children[node] and below[node] >= own[node] - 1e-3:
                removed.update(self._below(node))
                self.children[node] = []
                errors = float(own[node]), float(below[node]), np.nan
                yield Comparison(node, "collapse", *errors, 0, self._n_leaves())

    def _n_leaves(self) -> int:
        return sum(not self.children[node] for node in self._below(0))

    def _expected(self, counts: Floats) -> float:
        n, errors = float(counts.sum()), float(counts.sum() - counts.max())
        return errors + added_errors(n, errors, self.confidence)

    def _subtree_errors(self, node: int) -> float:
        return sum(
            self._expected(self.counts[leaf])
            for leaf in self._below(node)
            if not self.children[leaf]
        )

    def _branch_errors(self, node: int, entries: Entries) -> float:
        """Return the expected errors of a subtree for the given entries."""
        waiting, errors = [(node, entries)], 0.0
        while waiting:
            inner, inner_entries = waiting.pop()
            if self.children[inner]:
                branches, _ = self._distribute(inner, inner_entries)
                waiting += zip(self.children[inner], branches, strict=True)
            else:
                errors += self._expected(self._count(inner_entries))
        return errors

    def _prune(self, top: int) -> Iterator[Comparison]:
        for node in reversed(self._below(top)):
            if self.children[node]:
                yield from self._compare(node)

    def _compare(self, node: int) -> Iterator[Comparison]:
        """Keep the subtree of a node, make the node a leaf, or replace it by its largest branch."""
        children = self.children[node]
        largest = int(np.argmax([self.counts[child].sum() for child in children]))
        leaf, subtree = self._expected(self.counts[node]), self._subtree_errors(node)
        branch = self._branch_errors(children[largest], self.entries[node])
        action = "keep"
        if leaf <= min(subtree, branch) + SLACK + 1e-6:
            action, self.children[node] = "leaf", []
        elif branch <= subtree + SLACK + 1e-6:
            action, top = "raise", children[largest]
            self.source[node], self.children[node] = self.source[top], self.children[top]
            self._fill(node)
        yield Comparison(node, action, leaf, subtree, branch, largest, self._n_leaves())
        if action == "raise":
            yield from self._prune(node)
