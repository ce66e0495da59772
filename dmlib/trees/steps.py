"""The steps of growing and pruning a tree."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

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


@dataclass(frozen=True)
class DecisionTreeStep:
    """One step of growing or pruning a tree.

    Attributes
    ----------
    phase : {"split", "leaf", "open", "keep", "prune", "raise", "done"}
        What was done: a node was split; it stays a leaf; it waits for a prescribed split; pruning
        keeps its subtree, makes it a leaf, or puts its largest branch in its place; the end.
    node : int
        The node. Nodes are numbered level by level, from 0.
    path : str
        The branches that lead to it: "r" for the root, "r.1.0" for branch 0 of its branch 1.
    parent, branch : int
        Its parent and which of its branches it is; -1 for the root.
    depth : int
        Its distance from the root.
    rows, shares : ndarray of shape (n_entries,)
        The rows in the node, and which part of each; parts other than 1 come from missing values.
    counts : ndarray of shape (n_classes,)
        The weight of each class.
    impurity : float
        How mixed the classes are.
    candidates : Candidates or None
        All splits that the node might have, ranked; None if none was looked for.
    best, chosen : Candidate or None
        The split that the criterion prefers, and the one that was made.
    children : tuple of int
        The numbers of its children.
    n_leaves : int
        How many leaves the tree has after the step.
    surrogates : tuple of Surrogate
        What rows without a value follow.
    link : Link or None
        What cost-complexity pruning compared.
    comparison : Comparison or None
        What error-based pruning compared.
    tree : Tree or None
        On "done" the tree.
    reason : str
        Why the node stays a leaf, as a sentence.
    """

    phase: str
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
        """By how much the score of the split is lower than that of the best one."""
        return self.best.score - self.chosen.score if self.best and self.chosen else 0.0


REASONS = {
    growth.OPEN: "No split is chosen yet.",
    growth.PURE: "All its rows belong to one class.",
    growth.EMPTY: "No training row reaches it, so it predicts the class of its parent.",
    growth.DEEP: "The maximum depth is reached.",
    growth.SMALL: "It has fewer rows than the minimum for a split.",
    growth.NO_SPLIT: "No split leaves two branches with the minimum number of rows.",
    growth.LITTLE: "No split reaches the required score.",
    growth.LIMIT: "The maximum number of leaves is reached.",
}
"""Why a node stays a leaf."""


def growing(
    levels: Iterable[tuple[Level, Branching]], kept: Collection[int] | None = None
) -> Iterator[DecisionTreeStep]:
    """Yield what became of each node; of a tree with a limited number of leaves, of the nodes that are ``kept``."""
    paths, n_leaves = {-1: ""}, 1
    for level, branching in levels:
        place, frontier = level.place, level.frontier
        order = np.argsort(frontier.nodes, kind="stable")
        ends = np.searchsorted(frontier.nodes[order], np.arange(frontier.n_nodes + 1))
        ranked = level.found.candidates()
        searched = {int(node): i for i, node in enumerate(level.searched)}
        for node in range(frontier.n_nodes):
            number, parent, branch = (
                place.first + node,
                int(place.parents[node]),
                int(place.branches[node]),
            )
            if kept is not None and number not in kept:
                continue
            paths[number] = f"{paths[parent]}.{branch}" if parent >= 0 else ROOT
            entries = order[ends[node] : ends[node + 1]]
            below = (
                branching.children[node][branching.children[node] >= 0]
                + place.first
                + frontier.n_nodes
            )
            limited = kept is not None and len(below) > 0 and int(below[0]) not in kept
            children = () if limited else tuple(below.tolist())
            n_leaves += max(0, len(children) - 1)
            fate = growth.LIMIT if limited else int(level.fates[node])
            i = searched.get(node)
            yield DecisionTreeStep(
                {growth.SPLIT: "split", growth.OPEN: "open"}.get(fate, "leaf"),
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
                None if i is None else ranked[i],
                None
                if i is None or level.best[i] < 0
                else level.found.candidate(i, int(level.best[i])),
                level.candidate(i) if i is not None and fate == growth.SPLIT else None,
                children,
                (branching.surrogates or {}).get(node, ()),
                reason=REASONS.get(fate, ""),
            )


PHASES = {"keep": "keep", "collapse": "prune", "leaf": "prune", "raise": "raise"}


def pruning(
    nodes: Mapping[int, DecisionTreeStep],
    tree: Tree,
    compared: Generator[Link | Comparison, None, Tree],
) -> Iterator[DecisionTreeStep]:
    """Yield what pruning did with each node that it looked at, and the end.

    ``nodes`` has for each node the step that made it; what is ``compared`` ends with the tree after
    pruning.
    """
    while True:
        try:
            one = next(compared)
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
        made = nodes[int(tree.numbers[one.node])]
        phase = PHASES[one.action]
        children = {"prune": (), "raise": made.children[one.branch : one.branch + 1]}.get(
            phase, made.children
        )
        yield replace(
            made,
            phase=phase,
            n_leaves=one.total_leaves,
            children=children,
            candidates=None,
            link=one if isinstance(one, Link) else None,
            comparison=one if isinstance(one, Comparison) else None,
        )
