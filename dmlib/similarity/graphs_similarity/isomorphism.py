"""Whether two graphs are isomorphic: relabelling, and where that tells nothing, with one node after another fixed."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import networkx as nx
import numpy as np

from dmlib.similarity.graphs_similarity.features import Round, wl_rounds
from dmlib.similarity.graphs_similarity.graphs import adjacency, check_graph, node_labels
from dmlib.trace import look

MOST_WORK = 200_000
"""How many nodes and edges a page relabels before it leaves the question open: some tenths of a
second."""


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
        Whether a mapping of the nodes keeps the edges, loops included.

    Raises
    ------
    ValueError
        If a graph has no nodes, or more than 500.

    Notes
    -----
    Nodes are relabelled by Weisfeiler and Lehman until nothing new is told apart. Where nodes share
    a label, one of them is fixed in turn with each of that label in the other graph, and
    relabelling goes on. It may take exponential time for strongly regular graphs.

    References
    ----------
    B. D. McKay (1981), Practical graph isomorphism, Congressus Numerantium 30.

    Examples
    --------
    >>> is_isomorphic(nx.path_graph(3), nx.star_graph(2)), is_isomorphic(nx.path_graph(4), nx.star_graph(3))
    (True, False)
    """
    return bool(decided(one, other, labels=labels))


def decided(
    one: nx.Graph, other: nx.Graph, *, labels: str = "equal", most: float = np.inf
) -> bool | None:
    """Return whether two graphs are isomorphic; None if more than ``most`` nodes and edges would be relabelled.

    Examples
    --------
    >>> ring = nx.cycle_graph(6)
    >>> decided(ring, nx.relabel_nodes(ring, {i: 5 - i for i in ring})), decided(ring, nx.cycle_graph(7))
    (True, False)
    """
    if len(check_graph(one)) != len(check_graph(other)) or one.is_directed() != other.is_directed():
        return False
    A, B = adjacency(one), adjacency(other)
    waiting: list[list[Sequence[Hashable]]] = [[node_labels(G, labels) for G in (one, other)]]
    work = 0
    while waiting and work <= most:
        look()
        work += len(A) + int(A.sum())
        found = _stable((one, other), waiting.pop())
        if found is None:
            continue
        first, second = (np.argsort(own, kind="stable") for own in found.labels)
        if (A[np.ix_(first, first)] == B[np.ix_(second, second)]).all():
            return True
        shared = {label: times for label, times in found.counts[0].items() if times > 1}
        if shared:
            label = int(min(shared, key=lambda name: shared[name]))
            fixed = _fixed(found.labels[0], found.labels[0].index(label))
            waiting += [
                [fixed, _fixed(found.labels[1], j)]
                for j, own in enumerate(found.labels[1])
                if own == label
            ]
    return None if waiting else False


def _stable(graphs: Sequence[nx.Graph], labels: Sequence[Sequence[Hashable]]) -> Round | None:
    """Relabel both graphs until nothing new is told apart; None if their counts differ on the way."""
    n_labels = 0
    for found in wl_rounds(graphs, labels, len(graphs[0])):
        if found.counts[0] != found.counts[1]:
            return None
        if len(found.counts[0]) == n_labels:
            break
        n_labels = len(found.counts[0])
    return found


def _fixed(labels: Sequence[int], node: int) -> list[int]:
    """Give one node a label of its own."""
    return [0 if i == node else label for i, label in enumerate(labels)]
