"""Whether two graphs are isomorphic: relabelling first, then a search for a mapping."""

from __future__ import annotations

import networkx as nx
import numpy as np

from dmlib.similarity.graphs_similarity.features import wl_rounds
from dmlib.similarity.graphs_similarity.graphs import adjacency
from dmlib.trace import look

MOST_MAPPINGS = 2_000
"""What a page extends before it leaves the question open: about a fifth of a second."""


def is_isomorphic(one: nx.Graph, other: nx.Graph, *, labels: str = "equal") -> bool:
    """Return whether one graph is the other with other names of its nodes.

    Parameters
    ----------
    one, other : networkx.Graph
        The graphs.
    labels : {"equal", "class"}
        As in :class:`GraphEditDistance`.

    Returns
    -------
    bool
        Whether their edit distance is 0.

    Notes
    -----
    Nodes are relabelled by Weisfeiler and Lehman until nothing new is told apart; a search with backtracking maps nodes
    of equal labels. It takes exponential time only where relabelling fails, as in regular graphs.

    Examples
    --------
    >>> is_isomorphic(nx.path_graph(3), nx.star_graph(2)), is_isomorphic(nx.path_graph(4), nx.star_graph(3))
    (True, False)
    """
    return bool(decided(one, other, labels=labels))


def decided(one: nx.Graph, other: nx.Graph, *, labels: str = "equal", most: float = np.inf) -> bool | None:
    """Return whether two graphs are isomorphic; None if more than ``most`` mappings would have to be extended.

    Examples
    --------
    >>> ring = nx.cycle_graph(6)
    >>> decided(ring, nx.relabel_nodes(ring, {i: 5 - i for i in ring})), decided(ring, ring, most=3)
    (True, None)
    """
    if len(one) != len(other) or one.is_directed() != other.is_directed():
        return False
    n_labels = 0
    for found in wl_rounds([one, other], labels, len(one)):
        if found.counts[0] != found.counts[1]:
            return False
        if len(found.counts[0]) == n_labels:
            break
        n_labels = len(found.counts[0])
    mine, its = map(np.array, found.labels)
    A, B = adjacency(one), adjacency(other)
    order = sorted(range(len(one)), key=lambda i: found.counts[0][str(mine[i])])
    stack: list[tuple[int, ...]] = [()]
    n_extended = 0
    while stack and n_extended <= most:
        look()
        mapping = stack.pop()
        if len(mapping) == len(order):
            return True
        n_extended += 1
        i, done, used = order[len(mapping)], order[: len(mapping)], list(mapping)
        fits = (its == mine[i]) & (B[:, used] == A[i, done]).all(axis=1) & (A[done, i] == B[used].T).all(axis=1)
        fits[used] = False
        stack += [(*mapping, int(j)) for j in np.flatnonzero(fits)]
    return None if stack else False
