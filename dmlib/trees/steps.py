"""The steps of growing and pruning a tree."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.trees import growth
from dmlib.trees.choices import ROOT
from dmlib.trees.cost_complexity import Link
from dmlib.trees.error_based import Comparison
from dmlib.trees.growth import Branching, Level
from dmlib.trees.routing import Surrogate
from dmlib.trees.splits import Candidate, Candidates
from dmlib.trees.tree import Tree

Phase = Literal["split", "leaf", "open", "keep", "prune", "raise", "done"]


@dataclass(frozen=True)
class DecisionTreeStep:
    """One step of growing or pruning a tree.

    Attributes
    ----------
    phase : {"split", "leaf", "open", "keep", "prune", "raise", "done"}
        A node was split; it stays a leaf; it waits for a prescribed split; pruning keeps its
        subtree, makes it a leaf, or replaces it by its largest branch; the end.
    node : int
        The node. Nodes are numbered level by level, from 0.
    path : str
        The branches that lead to it: "r" for the root, "r.1.0" for branch 0 of its branch 1.
    parent, branch : int
        Its parent and which of its branches it is; -1 for the root.
    depth : int
        Its distance from the root.
    rows, shares : ndarray of shape (n_entries,)
        The rows in the node, and the fraction of each; below 1 because of missing values.
    counts : ndarray of shape (n_classes,)
        The weight of each class.
    impurity : float
        Its impurity.
    candidates : Candidates or None
        All candidate splits of the node, ranked; None if it was not searched.
    best, chosen : Candidate or None
        The split that the criterion prefers, and the one that was made.
    children : tuple of int
        The numbers of its children.
    n_leaves : int
        The number of leaves after the step.
    surrogates : tuple of Surrogate
        The surrogate splits for rows with a missing value.
    link : Link or None
        The comparison of cost-complexity pruning.
    comparison : Comparison or None
        The comparison of error-based pruning.
    tree : Tree or None
        On "done" the tree.
    reason : str
        Why the node stays a leaf, as a sentence.
    """

    phase: Phase
    node: int
    path: str
    parent: int
    branch: int
    depth: int
    rows: Ints
    shares: Floats
    counts: Floats
    impurity: float
    n_leaves: int
    candidates: Candidates | None = None
    best: Candidate | None = None
    chosen: Candidate | None = None
    children: tuple[int, ...] = ()
    surrogates: tuple[Surrogate, ...] = ()
    link: Link | None = None
    comparison: Comparison | None = None
    tree: Tree | None = None
    reason: str = ""

    @property
    def loss(self) -> float:
        """The score of the best split minus that of the chosen one."""
        return self.best.score - self.chosen.score if self.best and self.chosen else 0.0


FATES: dict[int, Phase] = {growth.SPLIT: "split", growth.OPEN: "open"}
"""The phases of nodes that are no leaves."""

REASONS = {
    growth.OPEN: "No split is chosen yet.",
    growth.PURE: "All its rows belong to one class.",
    growth.EMPTY: "No training row reaches it, so it predicts the class of its parent.",
    growth.DEEP: "The maximum depth is reached.",
    growth.SMALL: "It has fewer rows than the minimum for a split.",
    growth.NO_SPLIT: "No split leaves two branches with the minimum number of rows.",
    growth.LITTLE: "No split reaches the required score.",
    growth.NO_FALL: "Its best split does not lower the estimated errors.",
    growth.LIMIT: "The maximum number of leaves is reached.",
}
"""Why a node stays a leaf."""


def growing(
    levels: Iterable[tuple[Level, Branching]], remaining: Collection[int] | None = None
) -> Iterator[DecisionTreeStep]:
    """Yield a step for each node; with a limited number of leaves, for the ``remaining`` nodes."""
    paths = {-1: ""}
    n_leaves = 1
    for level, branching in levels:
        place, frontier = level.place, level.frontier
        order = np.argsort(frontier.nodes, kind="stable")
        ends = np.searchsorted(frontier.nodes[order], np.arange(frontier.n_nodes + 1))
        searches, n_branches = _searches(level), level.splits.n_branches
        next_first = place.first + frontier.n_nodes
        for node in range(frontier.n_nodes):
            number = place.first + node
            parent, branch = int(place.parents[node]), int(place.branches[node])
            if remaining is not None and number not in remaining:
                continue
            paths[number] = f"{paths[parent]}.{branch}" if parent >= 0 else ROOT
            entries = order[ends[node] : ends[node + 1]]
            children = tuple((branching.children[node] + next_first)[: n_branches[node]].tolist())
            fate = int(level.fates[node])
            if remaining is not None and children and children[0] not in remaining:
                children, fate = (), growth.LIMIT
            n_leaves += max(0, len(children) - 1)
            searched = searches.get(node, _Search())
            yield DecisionTreeStep(
                FATES.get(fate, "leaf"),
                number,
                paths[number],
                parent,
                branch,
                place.depth,
                frontier.rows[entries],
                frontier.shares[entries],
                frontier.counts[node],
                float(level.impurities[node]),
                n_leaves,
                searched.candidates,
                searched.best,
                searched.chosen if fate == growth.SPLIT else None,
                children,
                (branching.surrogates or {}).get(node, ()),
                reason=REASONS.get(fate, ""),
            )


class _Search(NamedTuple):
    """The splits that a node was searched for."""

    candidates: Candidates | None = None
    best: Candidate | None = None
    chosen: Candidate | None = None


def _searches(level: Level) -> dict[int, _Search]:
    """Return the splits of the searched nodes of a level, by node."""
    searches = {}
    for i, (node, ranked) in enumerate(
        zip(level.searched.tolist(), level.best_splits.candidates(), strict=True)
    ):
        column = int(level.best[i])
        best = level.best_splits.candidate(i, column) if column >= 0 else None
        searches[node] = _Search(ranked, best, level.chosen.get(i, best))
    return searches


PHASES: dict[str, Phase] = {"keep": "keep", "collapse": "prune", "leaf": "prune", "raise": "raise"}


def pruning(
    nodes: Mapping[int, DecisionTreeStep],
    tree: Tree,
    compared: Generator[Link | Comparison, None, Tree],
) -> Iterator[DecisionTreeStep]:
    """Yield a step for each comparison of pruning, and the end.

    ``nodes`` has the growth step of each node; ``compared`` returns the tree after pruning.
    """
    while True:
        try:
            comparison = next(compared)
        except StopIteration as end:
            pruned: Tree = end.value
            yield replace(
                nodes[0],
                phase="done",
                n_leaves=pruned.n_leaves,
                candidates=None,
                tree=pruned,
                reason="",
            )
            return
        growth_step = nodes[int(tree.numbers[comparison.node])]
        phase = PHASES[comparison.action]
        children = growth_step.children
        if phase == "prune":
            children = ()
        elif phase == "raise":
            children = (children[comparison.branch],)
        yield replace(
            growth_step,
            phase=phase,
            n_leaves=comparison.total_leaves,
            children=children,
            candidates=None,
            link=comparison if isinstance(comparison, Link) else None,
            comparison=comparison if isinstance(comparison, Comparison) else None,
        )
