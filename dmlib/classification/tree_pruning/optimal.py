"""Optimal pruning: the smallest subtree with the same root and a required accuracy."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.tree_pruning.cutting import Comparison, Cutting
from dmlib.trace import look


def fewest_errors(cutting: Cutting) -> list[Floats]:
    """Return the fewest training errors of subtrees with 1, 2, 3, ... leaves, by node.

    Infinite where no subtree has so many leaves. A subtree of a node with two branches has i leaves
    in the first and j in the second; the best division is taken.

    Notes
    -----
    O(L^2) in all for L leaves (Bohanec and Bratko 1994).
    """
    best: list[Floats] = [np.empty(0)] * cutting.tree.node_count
    for node in range(cutting.tree.node_count - 1, -1, -1):
        look()
        own, children = cutting.errors[node], cutting.below[node]
        if not children:
            best[node] = np.array([own])
            continue
        errors = best[children[0]]
        for child in children[1:]:
            errors = min_sums(errors, best[child])
        errors = np.append(np.full(len(children) - 1, np.inf), errors)
        errors[0] = own
        best[node] = errors
    return best


def min_sums(first: Floats, second: Floats) -> Floats:
    """Return the smallest total cost of 2, 3, ... leaves in two subtrees.

    Each argument has the costs of 1, 2, 3, ... leaves in one of them.

    Examples
    --------
    >>> min_sums(np.array([4.0, 1.0]), np.array([3.0, 2.0])).tolist()
    [7.0, 4.0, 3.0]
    """
    out = np.full(len(first) + len(second) - 1, np.inf)
    for i, errors in enumerate(first):
        place = slice(i, i + len(second))
        out[place] = np.minimum(out[place], errors + second)
    return out


def allot_leaves(
    node: int, n_leaves: int, cutting: Cutting, best: list[Floats]
) -> list[tuple[int, int]]:
    """Return how ``n_leaves`` are best divided among the children of a node."""
    children = cutting.below[node]
    running = [best[children[0]]]
    for child in children[1:]:
        running.append(min_sums(running[-1], best[child]))
    allotted, n_remaining = [], n_leaves
    for number in range(len(children) - 1, 0, -1):
        previous, own = running[number - 1], best[children[number]]
        # errors with i leaves in this child, and the number of leaves: of equally good ones the
        # smallest is taken
        options = [
            (previous[n_remaining - i - number] + own[i - 1], i)
            for i in range(1, min(len(own), n_remaining - number) + 1)
            if 0 <= n_remaining - i - number < len(previous)
        ]
        chosen = min(options)[1]
        allotted.append((children[number], chosen))
        n_remaining -= chosen
    return [(children[0], n_remaining), *reversed(allotted)]


def optimal_size(best: Floats, n: float, accuracy: float) -> int:
    """Return the fewest leaves with an accuracy on n rows; if none has it, with fewest errors.

    Examples
    --------
    >>> optimal_size(np.array([5.0, 3.0, np.inf, 0.0]), 10.0, 0.7)
    2
    >>> optimal_size(np.array([5.0, 3.0]), 10.0, 1.0)
    2
    """
    allowed = max((1 - accuracy) * n, float(best[np.isfinite(best)].min())) + 1e-9
    return int(np.flatnonzero(best <= allowed)[0]) + 1


def optimal(cutting: Cutting, accuracy: float) -> Iterator[Comparison]:
    """Prune top-down to the smallest subtree with an accuracy."""
    best = fewest_errors(cutting)
    allotted = {0: optimal_size(best[0], float(cutting.sizes[0]), accuracy)}

    def compare(node: int) -> Comparison:
        n_leaves, own = allotted[node], float(cutting.errors[node])
        if n_leaves == 1:
            leaves = cutting.leaves(node)
            return cutting.compare(node, own, own, leaves, cutting.errors[leaves])
        sizes = dict(allot_leaves(node, n_leaves, cutting, best))
        allotted.update(sizes)
        children = np.array(list(sizes), np.intp)
        measures = np.array([best[child][size - 1] for child, size in sizes.items()])
        reason = f"{n_leaves} of its leaves are here"
        fewest = float(best[node][n_leaves - 1])
        return cutting.compare(node, own, fewest, children, measures, reason=reason)

    return cutting.top_down(compare)
