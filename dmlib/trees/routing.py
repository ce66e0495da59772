"""Where rows go at a split when the value that it tests is missing."""

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
    # the share of the rows, among those that the node's split can send, that it sends to the same
    # branch
    agreement: float
    adjusted: (
        float  # how much of the way from always taking the larger branch to full agreement it goes
    )

    def branch(self, X: Floats, rows: Ints) -> Ints:
        """Return the branch that it sends rows to; -1 where its value is missing as well."""
        taken = self.split.branch(X[rows, self.split.column])
        return np.where(taken < 0, -1, 1 - taken) if self.swapped else taken


Surrogates = Mapping[int, tuple[Surrogate, ...]]


def find_surrogates(
    table: Table, frontier: Frontier, splits: SplitTable, taken: Ints
) -> dict[int, tuple[Surrogate, ...]]:
    """Return the surrogates of the splits of a level, best first.

    As in rpart, a surrogate must agree more often than always taking the larger branch does, and
    send two rows either way; a row that it cannot send counts as disagreement. All splits have two
    branches; ``taken`` is the branch of each entry, -1 where it is not known.
    """
    nodes = np.flatnonzero(splits.n_branches)
    index = np.full(frontier.n_nodes, -1, np.intp)
    index[nodes] = np.arange(len(nodes))
    used = (taken >= 0) & (index[frontier.nodes] >= 0)
    rows, within = frontier.rows[used], index[frontier.nodes[used]]
    part = Frontier(
        rows, within, frontier.shares[used], frontier.weights[used], taken[used], len(nodes), 2
    )
    found = search(table, part, Rules(criterion="agreement", min_samples_leaf=2.0))
    larger = part.counts.max(axis=1) / part.counts.sum(axis=1)
    out = {}
    for i, node in enumerate(nodes):
        good = [
            column
            for column in np.argsort(-found.scores[i], kind="stable")
            if column != splits.columns[node] and found.scores[i, column] > larger[i] + 1e-12
        ]
        out[int(node)] = tuple(
            _surrogate(found.candidate(i, int(column)), float(larger[i])) for column in good
        )
    return out


def _surrogate(candidate: Candidate, larger: float) -> Surrogate:
    (same, other), (wrong, right) = candidate.counts
    adjusted = (candidate.score - larger) / (1 - larger)
    return Surrogate(candidate.split, bool(same + right < other + wrong), candidate.score, adjusted)


def send(
    X: Floats,
    rows: Ints,
    nodes: Ints,
    taken: Ints,
    children: Ints,
    shares: Floats,
    surrogates: Surrogates | None,
) -> tuple[Ints, Ints, Floats]:
    """Send rows from their nodes to the children.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The values.
    rows, nodes, taken : ndarray of shape (n_entries,)
        Rows, the nodes that they are in, and the branches that they take; -1 where the value is
        missing.
    children : ndarray of shape (n_nodes, n_branches)
        The numbers of the children.
    shares : ndarray
        For each child, which share of the rows with a value has gone to it.
    surrogates : mapping of int to tuple of Surrogate, or None
        The surrogates of each node. Rows that none of them can send take the largest branch. None:
        such rows go to all children, in parts.

    Returns
    -------
    entries, children : ndarray of shape (n_sent,)
        Which entry has gone to which child.
    parts : ndarray of shape (n_sent,)
        Which part of it.
    """
    if surrogates is not None and (taken < 0).any():
        taken = _by_surrogates(X, rows, nodes, taken, children, shares, surrogates)
    known = np.flatnonzero(taken >= 0)
    if len(known) == len(taken):
        return known, children[nodes, taken], np.ones(len(taken))
    lost = np.flatnonzero(taken < 0)
    fans = children[nodes[lost]]
    parts = np.where(fans >= 0, shares[fans], 0.0)
    which, branch = np.nonzero(parts > 0)
    return (
        np.concatenate([known, lost[which]]),
        np.concatenate([children[nodes[known], taken[known]], fans[which, branch]]),
        np.concatenate([np.ones(len(known)), parts[which, branch]]),
    )


def _by_surrogates(
    X: Floats,
    rows: Ints,
    nodes: Ints,
    taken: Ints,
    children: Ints,
    shares: Floats,
    surrogates: Surrogates,
) -> Ints:
    taken = taken.copy()
    for node in np.unique(nodes[taken < 0]):
        for surrogate in surrogates[int(node)]:
            lost = np.flatnonzero((taken < 0) & (nodes == node))
            taken[lost] = surrogate.branch(X, rows[lost])
        fan = children[node][children[node] >= 0]
        taken[(taken < 0) & (nodes == node)] = shares[fan].argmax()
    return taken
