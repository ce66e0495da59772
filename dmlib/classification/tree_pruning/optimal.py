"""Optimal pruning: of all subtrees with the same root, the smallest that is right often enough."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.tree_pruning.cutting import Comparison, Cutting
from dmlib.trace import look


def fewest_errors(cutting: Cutting) -> list[Floats]:
    """Return for each node how few training errors a subtree of 1, 2, 3, ... leaves makes there.

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
        together = best[children[0]]
        for child in children[1:]:
            together = divided(together, best[child])
        together = np.append(np.full(len(children) - 1, np.inf), together)
        together[0] = own
        best[node] = together
    return best


def divided(first: Floats, second: Floats) -> Floats:
    """Return the least sum for 2, 3, ... leaves that two subtrees share, from what 1, 2, 3, ... cost in each.

    Examples
    --------
    >>> divided(np.array([4.0, 1.0]), np.array([3.0, 2.0])).tolist()
    [7.0, 4.0, 3.0]
    """
    out = np.full(len(first) + len(second) - 1, np.inf)
    for i, errors in enumerate(first):
        place = slice(i, i + len(second))
        out[place] = np.minimum(out[place], errors + second)
    return out


def shared(node: int, n_leaves: int, cutting: Cutting, best: list[Floats]) -> list[tuple[int, int]]:
    """Return how many of so many leaves each child of a node gets."""
    children = cutting.below[node]
    running = [best[children[0]]]
    for child in children[1:]:
        running.append(divided(running[-1], best[child]))
    given, left = [], n_leaves
    for number in range(len(children) - 1, 0, -1):
        before, own = running[number - 1], best[children[number]]
        # sums for i leaves here and left - i in the children before; the fewest here of equally
        # good ones
        options = [
            (before[left - i - number] + own[i - 1], i)
            for i in range(1, min(len(own), left - number) + 1)
            if 0 <= left - i - number < len(before)
        ]
        chosen = min(options)[1]
        given.append((children[number], chosen))
        left -= chosen
    return [(children[0], left), *reversed(given)]


def optimal_size(best: Floats, n: float, accuracy: float) -> int:
    """Return the fewest leaves with which so large a share of n rows is right; if none has, those with least errors.

    Examples
    --------
    >>> optimal_size(np.array([5.0, 3.0, np.inf, 0.0]), 10.0, 0.7), optimal_size(np.array([5.0, 3.0]), 10.0, 1.0)
    (2, 2)
    """
    allowed = max((1 - accuracy) * n, float(best[np.isfinite(best)].min())) + 1e-9
    return int(np.flatnonzero(best <= allowed)[0]) + 1


def optimal(cutting: Cutting, accuracy: float) -> Iterator[Comparison]:
    """Cut down to the smallest subtree that is right so often, from the root down."""
    best = fewest_errors(cutting)
    allotted = {0: optimal_size(best[0], float(cutting.sizes[0]), accuracy)}

    def compare(node: int) -> Comparison:
        n_leaves, own = allotted[node], float(cutting.errors[node])
        if n_leaves == 1:
            leaves = cutting.leaves(node)
            return cutting.compare(node, own, own, leaves, cutting.errors[leaves])
        some = dict(shared(node, n_leaves, cutting, best))
        allotted.update(some)
        children = np.array(list(some), np.intp)
        measures = np.array([best[child][size - 1] for child, size in some.items()])
        reason = f"{n_leaves} of its leaves are here"
        return cutting.compare(
            node, own, float(best[node][n_leaves - 1]), children, measures, reason=reason
        )

    return cutting.top_down(compare)
