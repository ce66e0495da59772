"""Graph isomorphism by relabelling, with a search where relabelling does not decide."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from dmlib.similarity.graphs_similarity.features import Round, wl_rounds
from dmlib.similarity.graphs_similarity.graphs import adjacency_by_label, check_graph, node_labels
from dmlib.trace import look

MAX_WORK = 200_000
"""The most nodes and edges that a page relabels before it leaves the question open: some tenths of
a second."""


def is_isomorphic(
    G1: nx.Graph, G2: nx.Graph, *, labels: str = "equal", edge_labels: bool = False
) -> bool:
    """Return whether two graphs differ only in the names of their nodes.

    Parameters
    ----------
    G1, G2 : networkx.Graph
        The graphs.
    labels : {"equal", "class"}
        As in :class:`GraphEditDistance`.
    edge_labels : bool
        Whether the mapping preserves the labels of the edges too.

    Returns
    -------
    bool
        Whether a mapping of the nodes preserves the edges, loops included.

    Raises
    ------
    ValueError
        If a graph has no nodes, or more than 500.

    Notes
    -----
    Nodes are relabelled by Weisfeiler and Lehman until the labels are stable. Where nodes share a
    label, one of them is fixed in turn with each node of that label in the other graph, and
    relabelling continues. It may take exponential time for strongly regular graphs.

    References
    ----------
    B. D. McKay (1981), Practical graph isomorphism, Congressus Numerantium 30.

    Examples
    --------
    >>> path, star = nx.path_graph(4), nx.star_graph(3)
    >>> is_isomorphic(path, star), is_isomorphic(path, nx.relabel_nodes(path, {0: 4}))
    (False, True)
    """
    return bool(decided(G1, G2, labels=labels, edge_labels=edge_labels))


def decided(
    G1: nx.Graph,
    G2: nx.Graph,
    *,
    labels: str = "equal",
    edge_labels: bool = False,
    max_work: float = np.inf,
) -> bool | None:
    """Return whether two graphs are isomorphic; None where this takes more than ``max_work``.

    The work is the number of nodes and edges that are relabelled.

    Examples
    --------
    >>> ring = nx.cycle_graph(6)
    >>> mirrored = nx.relabel_nodes(ring, {i: 5 - i for i in ring})
    >>> decided(ring, mirrored), decided(ring, nx.cycle_graph(7))
    (True, False)
    """
    if len(check_graph(G1)) != len(check_graph(G2)) or G1.is_directed() != G2.is_directed():
        return False
    A, B = (_edge_codes(G, edge_labels) for G in (G1, G2))
    stack: list[list[Sequence[Hashable]]] = [[node_labels(G, labels) for G in (G1, G2)]]
    work = 0
    while stack and work <= max_work:
        look()
        work += len(A) + int((A != "").sum())
        stable = _stable((G1, G2), stack.pop(), edge_labels)
        if stable is None:
            continue
        first, second = (np.argsort(numbers, kind="stable") for numbers in stable.labels)
        if (A[np.ix_(first, first)] == B[np.ix_(second, second)]).all():
            return True
        shared = {label: times for label, times in stable.counts[0].items() if times > 1}
        if shared:
            label = int(min(shared, key=lambda name: shared[name]))
            fixed = _fixed(stable.labels[0], stable.labels[0].index(label))
            candidates = np.flatnonzero(np.array(stable.labels[1]) == label).tolist()
            stack += [[fixed, _fixed(stable.labels[1], j)] for j in candidates]
    return None if stack else False


def _edge_codes(G: nx.Graph, edge_labels: bool) -> NDArray[np.object_]:
    """Return the label of the edge between each two nodes after an e; "" for none."""
    matrices = adjacency_by_label(G, edge_labels=edge_labels).items()
    codes = np.full((len(G), len(G)), "", object)
    for text, A in matrices:
        codes[A] = f"e{text}"
    return codes


def _stable(
    graphs: Sequence[nx.Graph], labels: Sequence[Sequence[Hashable]], edge_labels: bool
) -> Round | None:
    """Return the stable labels of both graphs; None if their counts differ in a round."""
    n_labels = 0
    for round_ in wl_rounds(graphs, labels, len(graphs[0]), edge_labels=edge_labels):
        if round_.counts[0] != round_.counts[1]:
            return None
        if len(round_.counts[0]) == n_labels:
            break
        n_labels = len(round_.counts[0])
    return round_


def _fixed(labels: Sequence[int], node: int) -> list[int]:
    """Return labels of which that of a node is unique."""
    return [0 if i == node else label for i, label in enumerate(labels)]
