"""Cost-complexity pruning: the weakest links, one by one, and cross-validation of the subtrees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats, Ints
from dmlib.trees.tree import Tree


@dataclass(frozen=True)
class Link:
    """The weakest link of a tree: the subtree with the smallest cost per leaf."""

    node: int  # the root of the subtree, which becomes a leaf
    alpha: float  # (leaf_cost - subtree_cost) / (n_leaves - 1)
    leaf_cost: float  # the cost of the node as a leaf
    subtree_cost: float  # the total cost of the leaves of its subtree
    n_leaves: int  # the number of these
    total_cost: float  # the cost of the pruned tree
    total_leaves: int  # the number of its leaves

    action = "leaf"
    branch = 0


def leaf_costs(tree: Tree, cost: str) -> Floats:
    """Return the cost of each node as a leaf: its fraction of the weight times impurity or error.

    Parameters
    ----------
    tree : Tree
        The tree.
    cost : {"impurity", "error"}
        The impurity by which the tree was grown, as in scikit-learn, or the cost of the training
        errors, as in Breiman et al. (1984) and rpart.
    """
    share = tree.weighted_n_node_samples / tree.weighted_n_node_samples[0]
    costs: Floats = share * (tree.impurity if cost == "impurity" else tree.risks)
    return costs


def weakest_links(tree: Tree, cost: str = "impurity") -> Iterator[Link]:
    """Yield the weakest links of a tree, one after the other, down to its root.

    ``cost`` is that of :func:`leaf_costs`.

    Notes
    -----
    Of equally weak links the first in preorder is cut, as in scikit-learn. O(n) per cut.
    """
    own, parents = leaf_costs(tree, cost), tree.parents
    below = own.copy()
    leaves, size = np.ones((2, tree.node_count), np.intp)
    for node in range(tree.node_count - 1, -1, -1):
        children = tree.children[node][tree.children[node] >= 0]
        if len(children):
            below[node] = below[children].sum()
            leaves[node] = leaves[children].sum()
            size[node] = 1 + size[children].sum()
    alphas = np.full(tree.node_count, np.inf)
    inner = np.flatnonzero(~tree.is_leaf)
    alphas[inner] = (own[inner] - below[inner]) / (leaves[inner] - 1)
    while np.isfinite(alphas[0]):
        node = int(alphas.argmin())
        alpha = float(alphas[node])
        saved, raised = leaves[node] - 1, own[node] - below[node]
        comparison = float(own[node]), float(below[node]), int(leaves[node])
        alphas[node : node + size[node]] = np.inf  # in preorder a subtree is a run of nodes
        above = node
        while above >= 0:
            leaves[above] -= saved
            below[above] += raised
            if above != node:
                alphas[above] = (own[above] - below[above]) / (leaves[above] - 1)
            above = int(parents[above])
        yield Link(node, max(alpha, 0.0), *comparison, float(below[0]), int(leaves[0]))


def alphas_and_costs(tree: Tree, cost: str = "impurity") -> tuple[Floats, Floats]:
    """Return the effective alphas of the nested subtrees, from 0, and their costs."""
    links = list(weakest_links(tree, cost))
    unpruned_cost = float(leaf_costs(tree, cost)[tree.is_leaf].sum())
    alphas = [0.0, *(link.alpha for link in links)]
    costs = [unpruned_cost, *(link.total_cost for link in links)]
    return np.array(alphas), np.array(costs)


def collapse_alphas(tree: Tree, cost: str = "impurity") -> Floats:
    """Return the alpha from which on each node is a leaf or pruned; inf for a leaf of the tree."""
    alphas, last = np.full(tree.node_count, np.inf), 0.0
    for link in weakest_links(tree, cost):
        last = max(last, link.alpha)  # rounding can make a link a little weaker than the one before
        alphas[link.node] = last
    return alphas


def prune(tree: Tree, ccp_alpha: float, cost: str = "impurity") -> Tree:
    """Return the smallest subtree that minimises cost + alpha times its number of leaves."""
    return tree.pruned(collapse_alphas(tree, cost) <= ccp_alpha) if ccp_alpha > 0 else tree


@dataclass(frozen=True)
class PruningPath:
    """The nested subtrees of cost-complexity pruning, with their cross-validated error."""

    alphas: Floats  # (n_trees,): the smallest alpha for which each tree is optimal, ascending
    n_leaves: Ints  # (n_trees,): its leaves
    # (n_trees,): its cost and its error rate on the training rows
    costs: Floats
    errors: Floats
    # (n_trees,): the cross-validated error rate, and its standard error
    cv_errors: Floats
    cv_spread: Floats
    best: int  # the tree with the smallest cross-validated error, the smallest of equals
    simplest: int  # the smallest tree whose error is within one standard error of that

    @property
    def middles(self) -> Floats:
        """A typical alpha for each tree: the geometric mean of the ends of its interval."""
        return between(self.alphas)


def between(alphas: Floats) -> Floats:
    """Return the geometric means of neighbouring ascending alphas; inf after the last."""
    return np.append(np.sqrt(alphas[:-1] * alphas[1:]), np.inf)


def pruning_path(
    grow: Callable[[NDArray[np.bool_]], Iterable[Tree]],
    X: Floats,
    y: Ints,
    folds: Ints,
    cost: str = "impurity",
    cases: Floats | None = None,
) -> PruningPath:
    """Prune the tree of all rows, and evaluate each alpha by cross-validation.

    ``grow`` makes the trees of the rows in masks, shape (n_trees, n_samples); ``folds`` has the
    fold of each row, and ``cases`` how many rows it stands for, if not one.
    """
    outside = folds == np.unique(folds)[:, None]
    tree, *fold_trees = grow(np.vstack([np.ones(len(y), bool), ~outside]))
    alphas, n_leaves = [0.0], [tree.n_leaves]
    costs = [float(leaf_costs(tree, cost)[tree.is_leaf].sum())]
    for link in weakest_links(tree, cost):
        if link.alpha > alphas[-1] + 1e-12:
            alphas.append(link.alpha)
            n_leaves.append(link.total_leaves)
            costs.append(link.total_cost)
        else:
            n_leaves[-1], costs[-1] = link.total_leaves, link.total_cost
    steps = np.array(alphas)
    is_wrong_in_training = predict_along(tree, X, steps + 1e-12, cost) != y[:, None]
    errors = np.average(is_wrong_in_training, axis=0, weights=cases)
    is_wrong = np.empty((len(y), len(steps)), bool)
    for out, fold_tree in zip(outside, fold_trees, strict=True):
        is_wrong[out] = predict_along(fold_tree, X[out], between(steps), cost) != y[out, None]
    rates = np.average(is_wrong, axis=0, weights=cases)
    n_cases = len(y) if cases is None else cases.sum()
    spread = np.sqrt(rates * (1 - rates) / n_cases)
    best = int(np.flatnonzero(rates <= rates.min() + 1e-12)[-1])
    simplest = int(np.flatnonzero(rates <= rates[best] + spread[best] + 1e-12)[-1])
    return PruningPath(
        steps, np.array(n_leaves), np.array(costs), errors, rates, spread, best, simplest
    )


def stratified_folds(y: Ints, cv: int, rng: Any) -> Ints:
    """Return a fold for each row, stratified by class.

    Raises
    ------
    ValueError
        If there are fewer rows than folds.
    """
    n = len(y)
    if not 2 <= cv <= n:
        raise ValueError(
            f"cv must be a whole number from 2 to the number of rows, {n}; it was {cv!r}."
        )
    order, folds = rng.permutation(n), np.empty(n, np.intp)
    folds[order[np.argsort(y[order], kind="stable")]] = np.arange(n) % cv
    return folds


def predict_along(tree: Tree, X: Floats, alphas: Floats, cost: str = "impurity") -> Ints:
    """Return the predictions of the tree pruned with each of ascending alphas.

    Their shape is (n_samples, n_alphas).
    """
    collapse = np.where(tree.is_leaf, -np.inf, collapse_alphas(tree, cost))
    out = np.zeros((len(X), len(alphas), tree.value.shape[2]))
    rows, nodes, parts = np.arange(len(X)), np.zeros(len(X), np.intp), np.ones(len(X))
    going = np.ones((len(X), len(alphas)), bool)
    while len(rows):
        at_end = going & (collapse[nodes][:, None] <= alphas)
        np.add.at(out, rows, (parts[:, None] * tree.value[nodes, 0])[:, None] * at_end[:, :, None])
        going &= ~at_end
        is_inside = going.any(axis=1)
        entries, nodes, factors = tree.step(X, rows[is_inside], nodes[is_inside])
        rows, parts, going = (
            rows[is_inside][entries],
            parts[is_inside][entries] * factors,
            going[is_inside][entries],
        )
    return tree.decide(out)
