"""Ranges of numbers of nodes."""

from __future__ import annotations

from typing import Any

import networkx as nx

from dmlib.params import Range


def node_ranges(model: Any, G: nx.Graph, y: Any = None) -> dict[str, Range]:
    """Return how many nodes there are to choose from.

    Examples
    --------
    >>> node_ranges(None, nx.path_graph(3))
    {'origin': (1, 3), 'target': (1, 3)}
    """
    if len(G) < 2:
        return dict.fromkeys(("origin", "target"), "There is only one node.")
    return dict.fromkeys(("origin", "target"), (1, len(G)))
