"""Ranges of the numbers of nodes."""

from __future__ import annotations

from typing import Any

import networkx as nx

from dmlib.params import Range


def node_ranges(model: Any, G: nx.Graph, y: Any = None) -> dict[str, Range]:
    """Return the range of the numbers of nodes.

    Examples
    --------
    >>> node_ranges(None, nx.path_graph(3))
    {'origin': (1, 3), 'target': (1, 3)}
    """
    if len(G) < 2:
        return dict.fromkeys(("origin", "target"), "There is only one node.")
    return dict.fromkeys(("origin", "target"), (1, len(G)))


def check_ends(origin: int, target: int, n_nodes: int) -> None:
    """Raise a ValueError if a number is larger than that of the nodes.

    Examples
    --------
    >>> check_ends(1, 2, 2)
    """
    if max(origin, target) > n_nodes:
        nodes = "is 1 node" if n_nodes == 1 else f"are {n_nodes} nodes"
        raise ValueError(f"There {nodes}. Choose numbers up to {n_nodes}.")
