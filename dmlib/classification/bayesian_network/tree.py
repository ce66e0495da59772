"""The tree of TAN: conditional mutual information of columns, and Kruskal's spanning tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.trace import look

Indices = NDArray[np.intp]
Pair = tuple[int, int]

MAX_COUNTERS = 1_000_000
"""Combinations of more values than this are sorted to be counted."""


class Verdict(NamedTuple):
    """A pair that Kruskal's algorithm has looked at.

    Attributes
    ----------
    pair : tuple of (int, int)
        The two columns.
    is_edge : bool
        Whether it becomes an edge; if not, the two are connected already.
    """

    pair: Pair
    is_edge: bool


def conditional_mutual_information(first: Indices, second: Indices, classes: Indices) -> float:
    """Return I(A; B | C) in bits, of the rows in which both columns have a value.

    Parameters
    ----------
    first, second : ndarray of int, shape (n_samples,)
        The codes of the values of two columns; -1 for a missing one.
    classes : ndarray of int, shape (n_samples,)
        The class of each row.

    Examples
    --------
    >>> a, b = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    >>> conditional_mutual_information(a, b, a ^ b), conditional_mutual_information(a, b, 0 * a)
    (1.0, 0.0)
    """
    both = (first >= 0) & (second >= 0)
    a, b, c = first[both], second[both], classes[both]
    n = len(c)
    if not n:
        return 0.0
    n_a, n_b = int(a.max()) + 1, int(b.max()) + 1
    cells, n_abc = _counts((c * n_a + a) * n_b + b)
    ca, b = np.divmod(cells, n_b)
    c, a = np.divmod(ca, n_a)
    n_ac, n_bc, n_c = (np.bincount(codes, n_abc)[codes] for codes in (c * n_a + a, c * n_b + b, c))
    bits = n_abc / n * np.log2(n_abc * n_c / (n_ac * n_bc))
    # The sum is never negative; what rounding leaves below 0 is none.
    return max(0.0, float(bits.sum()))


def _counts(codes: Indices) -> tuple[Indices, Indices]:
    """Return the codes that occur, and how often."""
    if codes.max() > MAX_COUNTERS:
        return np.unique(codes, return_counts=True)
    counts = np.bincount(codes)  # much faster than sorting
    present = np.flatnonzero(counts)
    return present, counts[present]


def ranked(pairs: Sequence[Pair], information: Floats) -> list[Pair]:
    """Return pairs by descending information; equal ones, up to rounding, in their order.

    Examples
    --------
    >>> ranked([(0, 1), (0, 2), (1, 2)], np.array([0.1, 0.3, 0.3 + 1e-16]))
    [(0, 2), (1, 2), (0, 1)]
    """
    order = np.argsort(-np.round(information, 12), kind="stable")
    return [pairs[place] for place in order]


def kruskal(pairs: Sequence[Pair], n_nodes: int) -> Iterator[Verdict]:
    """Yield what becomes of each pair, the best first, until all nodes are connected.

    Examples
    --------
    >>> [verdict.is_edge for verdict in kruskal([(0, 1), (1, 2), (0, 2), (2, 3), (0, 3)], 4)]
    [True, True, False, True]
    """
    component = np.arange(n_nodes)
    n_edges = 0
    for first, second in pairs:
        look()
        if n_edges == n_nodes - 1:
            return
        is_edge = bool(component[first] != component[second])
        if is_edge:
            component[component == component[second]] = component[first]
            n_edges += 1
        yield Verdict((first, second), is_edge)


def directed(edges: Sequence[Pair], n_nodes: int, root: int) -> tuple[int, ...]:
    """Return the parent of each node of a tree, -1 of the root and of what it is not joined to.

    Examples
    --------
    >>> directed([(0, 1), (1, 2)], 3, 0), directed([(0, 1), (1, 2)], 3, 1)
    ((-1, 0, 1), (1, -1, 1))
    """
    graph = nx.Graph(edges)
    graph.add_nodes_from(range(n_nodes))
    parents = dict(nx.bfs_predecessors(graph, root))
    return tuple(parents.get(node, -1) for node in range(n_nodes))


def leaves_first(parents: Sequence[int]) -> list[int]:
    """Return the nodes of a forest, children before their parents; equally deep ones in order.

    Examples
    --------
    >>> leaves_first([-1, 0, 1, 0])
    [2, 1, 3, 0]
    """
    depths = []
    for node in range(len(parents)):
        depth = 0
        while (node := parents[node]) >= 0:
            depth += 1
        depths.append(depth)
    return sorted(range(len(parents)), key=lambda node: -depths[node])


def information_terms(
    a: Indices, b: Indices, classes: Indices
) -> list[tuple[int, int, int, int, int, int, int, float]]:
    """Return the terms of the conditional mutual information, the largest first.

    Each has the values of both columns, the class, the counts n(a,b,c), n(a,c), n(b,c) and n(c),
    and the bits.

    Examples
    --------
    >>> information_terms(np.array([0, 1]), np.array([0, 1]), np.array([0, 0]))
    [(0, 0, 0, 1, 1, 1, 2, 0.5), (1, 1, 0, 1, 1, 1, 2, 0.5)]
    """
    is_known = (a >= 0) & (b >= 0)
    a, b, classes = a[is_known], b[is_known], classes[is_known]
    triples, n_abc = np.unique(np.column_stack([a, b, classes]), axis=0, return_counts=True)
    rows = []
    for (i, j, c), n in zip(triples.tolist(), n_abc.tolist(), strict=True):
        n_ac = int(((a == i) & (classes == c)).sum())
        n_bc = int(((b == j) & (classes == c)).sum())
        n_c = int((classes == c).sum())
        bits = n / len(a) * float(np.log2(n * n_c / (n_ac * n_bc)))
        rows.append((i, j, c, n, n_ac, n_bc, n_c, bits))
    return sorted(rows, key=lambda row: -row[-1])


def path_between(edges: Sequence[Pair], start: int, end: int) -> list[int]:
    """Return the nodes of the path of a forest from one node to another.

    Examples
    --------
    >>> path_between([(0, 1), (1, 2), (0, 3)], 3, 2)
    [3, 0, 1, 2]
    """
    path: list[int] = nx.shortest_path(nx.Graph(edges), start, end)
    return path
