"""Growing a tree level by level, all nodes of a level at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats, Ints
from dmlib.trace import look
from dmlib.trees.best_splits import BestSplits
from dmlib.trees.chaid import intervals
from dmlib.trees.choices import ROOT, Choices
from dmlib.trees.estimated_error import estimated_errors
from dmlib.trees.frontier import Frontier, Table
from dmlib.trees.impurity import CRITERIA, TINY, impurity
from dmlib.trees.routing import Surrogate, find_surrogates, send
from dmlib.trees.rules import SLACK, Rules
from dmlib.trees.search import search
from dmlib.trees.splits import LEAF, Candidate, SplitTable

SPLIT, OPEN, PURE, EMPTY, DEEP, SMALL, NO_SPLIT, LITTLE, LIMIT, NO_FALL = range(10)
"""The fate of a node: split, not split yet, or why it is a leaf."""

ROUNDING = 1e-12
WITHOUT = SplitTable.of([None])  # of a node that is not split


@dataclass(frozen=True)
class Place:
    """The nodes of a level: their parents and their rows."""

    depth: int  # their distance from the root
    first: int  # the number of the first node; nodes are numbered level by level
    # (n_nodes,): the parent of each node, and which of its branches the node is; -1 for the root
    parents: Ints
    branches: Ints
    shares: Floats  # (n_nodes,): the fraction of the parent's rows with a value in it
    frontier: Frontier  # the rows in the nodes
    trees: Ints  # (n_nodes,): which tree each node belongs to, if several are grown together
    paths: tuple[str, ...] = ()  # of each node; empty unless splits are prescribed


@dataclass(frozen=True)
class Level:
    """One level of a growing tree."""

    place: Place  # the parents and rows of its nodes
    impurities: Floats  # (n_nodes,)
    fates: NDArray[np.int8]  # (n_nodes,): what became of each node
    searched: Ints  # (n_searched,): the nodes that were searched for a split
    best_splits: BestSplits  # of these, by column
    best: Ints  # (n_searched,): the column that the criterion prefers; -1 where there is none
    chosen: Mapping[int, Candidate]  # the prescribed splits, by the place among the searched nodes
    splits: SplitTable  # the splits of all nodes

    def candidate(self, i: int) -> Candidate:
        """Return the split that was made in a searched node."""
        if i in self.chosen:
            return self.chosen[i]
        return self.best_splits.candidate(i, int(self.best[i]))

    @property
    def scores(self) -> Floats:
        """The score of the split of each node, shape (n_nodes,); NaN for a node without one."""
        scores = np.full(len(self.fates), np.nan)
        split = np.flatnonzero(self.fates[self.searched] == SPLIT)
        scores[self.searched[split]] = self.best_splits.scores[split, self.best[split]]
        for i, candidate in self.chosen.items():
            scores[self.searched[i]] = candidate.score
        return scores

    @property
    def frontier(self) -> Frontier:
        """The rows in the nodes."""
        return self.place.frontier


@dataclass(frozen=True)
class Branching:
    """The children of a level."""

    # (n_nodes, n_branches): their numbers within the next level; -1 where there are none
    children: Ints
    shares: Floats  # (n_children,): the fraction of the parent's rows with a value in each child
    surrogates: dict[int, tuple[Surrogate, ...]] | None  # of the nodes that are split


def grow(
    table: Table,
    weights: Floats,
    rules: Rules,
    rng: Any = None,
    choices: Choices | None = None,
    all_candidates: bool = False,
) -> Iterator[tuple[Level, Branching]]:
    """Grow a tree and yield its levels.

    Where a node may choose among some of the columns only, ``rng`` draws them. Where splits are
    prescribed by ``choices``, the other nodes stay leaves. With ``all_candidates``, the levels have
    all candidate splits.

    With weights of shape (n_trees, n_samples), each of the same sum, and an ``rng`` for each,
    several trees are grown together, which is much faster than one after the other; see
    :func:`dmlib.trees.tree.build_all`.
    """
    frontier = Frontier.root(table, weights)
    trees, no_parents = np.arange(frontier.n_nodes), np.full(frontier.n_nodes, -1)
    rngs = rng if weights.ndim == 2 else [rng]
    if rules.criterion == "chaid":
        edges = {
            int(column): intervals(table.X[:, column], np.atleast_2d(weights).sum(axis=0))
            for column in table.numeric
        }
        table = replace(table, edges=edges)
    place = Place(
        0,
        0,
        no_parents,
        no_parents,
        np.ones(len(trees)),
        frontier,
        trees,
        () if choices is None else (ROOT,),
    )
    while place.frontier.n_nodes:
        look()
        level = _split(
            table, place, rules, weights.sum() / len(trees), rngs, choices, all_candidates
        )
        branching, following = _branch(table, level, rules)
        yield level, branching
        place = following


def _split(
    table: Table,
    place: Place,
    rules: Rules,
    total: float,
    rngs: Sequence[Any],
    choices: Choices | None,
    all_candidates: bool,
) -> Level:
    """Find the splits of a level."""
    frontier, n_nodes = place.frontier, place.frontier.n_nodes
    impurities = impurity(frontier.counts.T, CRITERIA[rules.criterion].measure)
    fates = _fates(place, impurities, rules)
    searched = np.flatnonzero(fates == SPLIT)
    index = np.full(n_nodes, -1, np.intp)
    index[searched] = np.arange(len(searched))
    part = frontier.part(fates[frontier.nodes] == SPLIT, index[frontier.nodes], len(searched))
    order = _column_order(place.trees[searched], table, rules, rngs)
    best_splits = search(table, part, rules, all_candidates or choices is not None, order)
    best = best_splits.choose()
    at = np.arange(len(best)), best
    decrease = best_splits.gains[at] * part.counts.sum(axis=1) / total
    scores_enough = best_splits.scores[at] >= rules.min_gain - ROUNDING
    gains_enough = decrease >= rules.min_impurity_decrease - ROUNDING
    split_or_little = np.where(scores_enough & gains_enough, SPLIT, LITTLE)
    fates[searched] = np.where(best < 0, NO_SPLIT, split_or_little)
    if rules.leaf_penalty is not None:
        for i in np.flatnonzero(fates[searched] == SPLIT):
            branches = best_splits.candidate(int(i), int(best[i])).counts
            as_leaf, as_split = estimated_errors(branches, rules.leaf_penalty)
            if as_split >= as_leaf - ROUNDING:
                fates[searched[i]] = NO_FALL
    chosen: dict[int, Candidate] = {}
    if choices is not None:
        chosen = _prescribed(place, best_splits, fates, searched, choices)
    columns = np.where(fates[searched] == SPLIT, best, LEAF)
    splits = best_splits.splits(columns, chosen)
    index[index < 0] = len(searched)
    splits = SplitTable.join([splits, WITHOUT]).take(index)
    return Level(place, impurities, fates, searched, best_splits, best, chosen, splits)


def _fates(place: Place, impurities: Floats, rules: Rules) -> NDArray[np.int8]:
    """Return which nodes are to be split, and why the others are not."""
    sizes = place.frontier.sizes
    small = sizes < max(rules.min_samples_split, 2 * rules.min_samples_leaf) - SLACK
    light = place.frontier.counts.sum(axis=1) < 2 * rules.min_weight_leaf - SLACK
    fates = np.where(small | light, SMALL, SPLIT).astype(np.int8)
    if place.depth >= rules.max_depth:
        fates[:] = DEEP
    fates[impurities <= ROUNDING] = PURE
    fates[sizes <= 0] = EMPTY
    return fates


def _column_order(trees: Ints, table: Table, rules: Rules, rngs: Sequence[Any]) -> Ints | None:
    """Return the random order of the columns in each node; None where nodes consider all.

    Its shape is (n_nodes, n_features). ``trees`` is the tree of each node, in ascending order: each
    tree has its own generator of random numbers.
    """
    n_features = len(table.n_values)
    if rules.max_features >= n_features:
        return None
    sizes = np.bincount(trees, minlength=len(rngs))
    lots = [
        rng.random_sample((size, n_features)) for rng, size in zip(rngs, sizes, strict=True) if size
    ]
    return np.concatenate([np.empty((0, n_features)), *lots]).argsort(axis=1)


def _prescribed(
    place: Place, best_splits: BestSplits, fates: NDArray[np.int8], searched: Ints, choices: Choices
) -> dict[int, Candidate]:
    """Return the prescribed splits; nodes without one stay open, unless the criterion decides."""
    automatic = [path for path, choice in choices.items() if choice is None]
    chosen = {}
    for i, node in enumerate(searched):
        path = place.paths[node]
        choice = choices.get(path)
        if choice is not None:
            chosen[i] = best_splits.prescribed(i, choice)
            fates[node] = SPLIT
        elif not any(f"{path}.".startswith(f"{automatic_path}.") for automatic_path in automatic):
            fates[node] = OPEN
    return chosen


def _branch(table: Table, level: Level, rules: Rules) -> tuple[Branching, Place]:
    """Send the rows of a level to the next."""
    place, frontier, splits = level.place, level.frontier, level.splits
    n_branches = splits.n_branches
    children = (np.cumsum(n_branches) - n_branches)[:, None] + np.arange(
        max(1, n_branches.max(initial=1))
    )
    children = np.where(np.arange(children.shape[1]) < n_branches[:, None], children, -1)
    parents, branches = np.nonzero(children >= 0)
    inner = np.flatnonzero(n_branches[frontier.nodes])
    rows, nodes = frontier.rows[inner], frontier.nodes[inner]
    branch_of_row = splits.branch(table.X, rows, nodes)
    is_sent = branch_of_row >= 0
    weights = np.bincount(
        children[nodes, branch_of_row][is_sent], frontier.weights[inner][is_sent], len(parents)
    )
    shares = weights / np.maximum(np.bincount(parents, weights, frontier.n_nodes)[parents], TINY)
    surrogates = None
    if rules.surrogates:
        everywhere = np.full(len(frontier.rows), -1, np.intp)
        everywhere[inner] = branch_of_row
        surrogates = find_surrogates(table, frontier, splits, everywhere)
    entries, child, parts = send(table.X, rows, nodes, branch_of_row, children, shares, surrogates)
    entries = inner[entries]
    following = Frontier(
        frontier.rows[entries],
        child,
        frontier.shares[entries] * parts,
        frontier.weights[entries] * parts,
        frontier.labels[entries],
        len(parents),
        frontier.n_labels,
    )
    paths = (
        tuple(f"{place.paths[p]}.{b}" for p, b in zip(parents, branches, strict=True))
        if place.paths
        else ()
    )
    first = place.first + frontier.n_nodes
    trees = place.trees[parents]
    below = Place(
        place.depth + 1, first, place.first + parents, branches, shares, following, trees, paths
    )
    return Branching(children, shares, surrogates), below
