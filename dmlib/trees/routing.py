"""The branches of rows whose value is missing: by surrogates, or all in parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.trees.frontier import Frontier, Table
from dmlib.trees.rules import Rules
from dmlib.trees.search import search
from dmlib.trees.splits import Candidate, Split, SplitTable


@dataclass(frozen=True)
class Surrogate:
    """A split of another column that sends most rows where the split of a node sends them."""

    split: Split
    swapped: bool  # whether its first branch stands for the second of the node
    # the fraction of the rows that it sends to the same branch, among those that the node's split
    # can send
    agreement: float
    # the same, on a scale from 0 for the larger branch to 1 for full agreement
    adjusted: float

    def branch(self, X: Floats, rows: Ints) -> Ints:
        """Return the branch that it sends rows to; -1 where its value is missing as well."""
        branches = self.split.branch(X[rows, self.split.column])
        return np.where(branches < 0, -1, 1 - branches) if self.swapped else branches


Surrogates = Mapping[int, tuple[Surrogate, ...]]


def find_surrogates(
    table: Table, frontier: Frontier, splits: SplitTable, branches: Ints
) -> dict[int, tuple[Surrogate, ...]]:
    """Return the surrogates of the splits of a level, best first.

    As in rpart, a surrogate must agree more often than always taking the larger branch does, and
    send two rows either way; a row that it cannot send counts as disagreement. All splits have two
    branches; ``branches`` has that of each entry, -1 where its value is missing.
    """
    nodes = np.flatnonzero(splits.n_branches)
    index = np.full(frontier.n_nodes, -1, np.intp)
    index[nodes] = np.arange(len(nodes))
    used = (branches >= 0) & (index[frontier.nodes] >= 0)
    rows, within = frontier.rows[used], index[frontier.nodes[used]]
    part = Frontier(
        rows, within, frontier.shares[used], frontier.weights[used], branches[used], len(nodes), 2
    )
    best_splits = search(table, part, Rules(criterion="agreement", min_samples_leaf=2.0))
    larger = part.counts.max(axis=1) / part.counts.sum(axis=1)
    out = {}
    for i, node in enumerate(nodes):
        eligible = [
            column
            for column in np.argsort(-best_splits.scores[i], kind="stable")
            if column != splits.columns[node] and best_splits.scores[i, column] > larger[i] + 1e-12
        ]
        out[int(node)] = tuple(
            _surrogate(best_splits.candidate(i, int(column)), float(larger[i]))
            for column in eligible
        )
    return out


def _surrogate(candidate: Candidate, larger: float) -> Surrogate:
    (first, first_swapped), (second_swapped, second) = candidate.counts
    adjusted = (candidate.score - larger) / (1 - larger)
    swapped = bool(first + second < first_swapped + second_swapped)
    return Surrogate(candidate.split, swapped, candidate.score, adjusted)


def send(
    X: Floats,
    rows: Ints,
    nodes: Ints,
    branches: Ints,
    children: Ints,
    shares: Floats,
    surrogates: Surrogates | None,
) -> tuple[Ints, Ints, Floats]:
    """Send rows from their nodes to the children.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The values.
    rows, nodes, branches : ndarray of shape (n_entries,)
        Rows, their nodes, and the branches that they take; -1 where the value is missing.
    children : ndarray of shape (n_nodes, n_branches)
        The numbers of the children.
    shares : ndarray
        For each child, the fraction of the rows with a value that went to it.
    surrogates : mapping of int to tuple of Surrogate, or None
        The surrogates of each node. Rows that none of them can send take the largest branch. None:
        such rows go to all children, in parts.

    Returns
    -------
    entries, children : ndarray of shape (n_sent,)
        Which entry has gone to which child.
    parts : ndarray of shape (n_sent,)
        The fraction of it.
    """
    if surrogates is not None and (branches < 0).any():
        branches = _by_surrogates(X, rows, nodes, branches, children, shares, surrogates)
    is_sent = np.flatnonzero(branches >= 0)
    if len(is_sent) == len(branches):
        return is_sent, children[nodes, branches], np.ones(len(branches))
    is_missing = np.flatnonzero(branches < 0)
    fans = children[nodes[is_missing]]
    parts = np.where(fans >= 0, shares[fans], 0.0)
    which, branch = np.nonzero(parts > 0)
    return (
        np.concatenate([is_sent, is_missing[which]]),
        np.concatenate([children[nodes[is_sent], branches[is_sent]], fans[which, branch]]),
        np.concatenate([np.ones(len(is_sent)), parts[which, branch]]),
    )


def _by_surrogates(
    X: Floats,
    rows: Ints,
    nodes: Ints,
    branches: Ints,
    children: Ints,
    shares: Floats,
    surrogates: Surrogates,
) -> Ints:
    branches = branches.copy()
    for node in np.unique(nodes[branches < 0]):
        for surrogate in surrogates[int(node)]:
            entries = np.flatnonzero((branches < 0) & (nodes == node))
            branches[entries] = surrogate.branch(X, rows[entries])
        fan = children[node][children[node] >= 0]
        branches[(branches < 0) & (nodes == node)] = shares[fan].argmax()
    return branches
