"""Cost-complexity pruning: cut the weakest link, again and again, and let cross-validation say when to stop."""

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
    """The weakest link of a tree: the subtree whose removal costs least per leaf that it saves."""

    node: int  # the root of the subtree, which becomes a leaf
    alpha: float  # (leaf_cost - subtree_cost) / (n_leaves - 1)
    # what the node costs as a leaf, and what the leaves of its subtree cost together
    leaf_cost: float
    subtree_cost: float
    n_leaves: int  # how many these are
    total_cost: float  # what the whole tree costs once this is done
    total_leaves: int  # how many leaves it then has

    action = "leaf"
    branch = 0


def leaf_costs(tree: Tree, cost: str) -> Floats:
    """Return what each node costs as a leaf: its share of all weight times its impurity or its error.

    Parameters
    ----------
    tree : Tree
        The tree.
    cost : {"impurity", "error"}
        What is counted: the impurity by which the tree was grown, as scikit-learn does, or what the
        errors on the training rows cost, as Breiman et al. (1984) and rpart do.
    """
    share = tree.weighted_n_node_samples / tree.weighted_n_node_samples[0]
    costs: Floats = share * (tree.impurity if cost == "impurity" else tree.risks)
    return costs


def weakest_links(tree: Tree, cost: str = "impurity") -> Iterator[Link]:
    """Yield the weakest links of a tree, one after the other, down to its root; ``cost`` is that of :func:`leaf_costs`.

    Notes
    -----
    Of equally weak links the first in preorder is cut, as in scikit-learn. O(n) per cut.
    """
    own, parents = leaf_costs(tree, cost), tree.parents
    below, leaves, size = (
        own.copy(),
        np.ones(tree.node_count, np.intp),
        np.ones(tree.node_count, np.intp),
    )
    for node in range(tree.node_count - 1, -1, -1):
        children = tree.children[node][tree.children[node] >= 0]
        if len(children):
            below[node], leaves[node], size[node] = (
                below[children].sum(),
                leaves[children].sum(),
                1 + size[children].sum(),
            )
    alphas = np.full(tree.node_count, np.inf)
    inner = np.flatnonzero(~tree.is_leaf)
    alphas[inner] = (own[inner] - below[inner]) / (leaves[inner] - 1)
    while np.isfinite(alphas[0]):
        node = int(alphas.argmin())
        alpha, saved, raised = float(alphas[node]), leaves[node] - 1, own[node] - below[node]
        before = float(own[node]), float(below[node]), int(leaves[node])
        alphas[node : node + size[node]] = np.inf  # in preorder a subtree is a run of nodes
        above = node
        while above >= 0:
            leaves[above] -= saved
            below[above] += raised
            if above != node:
                alphas[above] = (own[above] - below[above]) / (leaves[above] - 1)
            above = int(parents[above])
        yield Link(node, max(alpha, 0.0), *before, float(below[0]), int(leaves[0]))


def alphas_and_costs(tree: Tree, cost: str = "impurity") -> tuple[Floats, Floats]:
    """Return the alphas at which pruning takes away something, from 0, and what the trees that it leaves cost."""
    links = list(weakest_links(tree, cost))
    whole = float(leaf_costs(tree, cost)[tree.is_leaf].sum())
    return np.array([0.0, *(link.alpha for link in links)]), np.array(
        [whole, *(link.total_cost for link in links)]
    )


def collapse_alphas(tree: Tree, cost: str = "impurity") -> Floats:
    """Return from which alpha on each node is a leaf or cut off; inf for a leaf of the whole tree."""
    alphas, last = np.full(tree.node_count, np.inf), 0.0
    for link in weakest_links(tree, cost):
        last = max(last, link.alpha)  # rounding can make a link a little weaker than the one before
        alphas[link.node] = last
    return alphas


def prune(tree: Tree, ccp_alpha: float, cost: str = "impurity") -> Tree:
    """Return the smallest subtree whose cost + alpha times its number of leaves is least."""
    return tree.pruned(collapse_alphas(tree, cost) <= ccp_alpha) if ccp_alpha > 0 else tree


@dataclass(frozen=True)
class PruningPath:
    """The trees that cost-complexity pruning leaves, and how well they classify rows that they have not seen."""

    alphas: Floats  # (n_trees,): from which alpha on each tree is the best one, ascending
    n_leaves: Ints  # (n_trees,): its leaves
    # (n_trees,): what it costs, and its share of errors on the rows that it was grown from
    costs: Floats
    errors: Floats
    # (n_trees,): the share of errors in cross-validation, and its standard error
    cv_errors: Floats
    cv_spread: Floats
    best: int  # the tree with the smallest error in cross-validation, the smallest of equals
    simplest: int  # the smallest tree whose error is within one standard error of that

    @property
    def middles(self) -> Floats:
        """The alphas that stand for the trees: the geometric mean of where each begins and ends to be the best."""
        return between(self.alphas)


def between(alphas: Floats) -> Floats:
    """Return the geometric means of neighbouring alphas, which ascend; inf after the last."""
    return np.append(np.sqrt(alphas[:-1] * alphas[1:]), np.inf)


def pruning_path(
    grow: Callable[[NDArray[np.bool_]], Iterable[Tree]],
    X: Floats,
    y: Ints,
    folds: Ints,
    cost: str = "impurity",
) -> PruningPath:
    """Prune the tree of all rows, and judge each alpha by trees that are grown without one of the folds.

    ``grow`` makes the trees of the rows in masks, shape (n_trees, n_samples); ``folds`` has the
    fold of each row.
    """
    outside = folds == np.unique(folds)[:, None]
    tree, *others = grow(np.vstack([np.ones(len(y), bool), ~outside]))
    alphas, n_leaves, costs = (
        [0.0],
        [tree.n_leaves],
        [float(leaf_costs(tree, cost)[tree.is_leaf].sum())],
    )
    for link in weakest_links(tree, cost):
        if link.alpha > alphas[-1] + 1e-12:
            alphas.append(link.alpha)
            n_leaves.append(link.total_leaves)
            costs.append(link.total_cost)
        else:
            n_leaves[-1], costs[-1] = link.total_leaves, link.total_cost
    steps = np.array(alphas)
    errors = (predict_along(tree, X, steps + 1e-12, cost) != y[:, None]).mean(axis=0)
    wrong = np.empty((len(y), len(steps)), bool)
    for out, other in zip(outside, others, strict=True):
        wrong[out] = predict_along(other, X[out], between(steps), cost) != y[out, None]
    rates = wrong.mean(axis=0)
    spread = np.sqrt(rates * (1 - rates) / len(y))
    best = int(np.flatnonzero(rates <= rates.min() + 1e-12)[-1])
    simplest = int(np.flatnonzero(rates <= rates[best] + spread[best] + 1e-12)[-1])
    return PruningPath(
        steps, np.array(n_leaves), np.array(costs), errors, rates, spread, best, simplest
    )


def stratified_folds(y: Ints, cv: int, rng: Any) -> Ints:
    """Return a fold for each row, so that each fold has about the same share of every class.

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
    """Return the class that each row gets from the tree pruned with each alpha, shape (n_samples, n_alphas).

    The alphas ascend.
    """
    collapse = np.where(tree.is_leaf, -np.inf, collapse_alphas(tree, cost))
    out = np.zeros((len(X), len(alphas), tree.value.shape[2]))
    rows, nodes, parts = np.arange(len(X)), np.zeros(len(X), np.intp), np.ones(len(X))
    going = np.ones((len(X), len(alphas)), bool)
    while len(rows):
        ends = going & (collapse[nodes][:, None] <= alphas)
        np.add.at(out, rows, (parts[:, None] * tree.value[nodes, 0])[:, None] * ends[:, :, None])
        going &= ~ends
        left = going.any(axis=1)
        entries, nodes, factors = tree.step(X, rows[left], nodes[left])
        rows, parts, going = (
            rows[left][entries],
            parts[left][entries] * factors,
            going[left][entries],
        )
    return tree.decide(out)
