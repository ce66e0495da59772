"""Ranges of the relational neighbour classifier that fit the graph."""

from __future__ import annotations

from typing import Any

import networkx as nx

from dmlib.params import Range


def relational_neighbour_ranges(model: Any, G: nx.Graph, y: Any = None) -> dict[str, Range]:
    """Return why weights have no effect, where all edges have the same one.

    Examples
    --------
    >>> relational_neighbour_ranges(None, nx.path_graph(3))
    {'weighted': 'All edges have the same weight.'}
    """
    weights = {weight for *_, weight in G.edges(data="weight", default=1.0)}
    return {} if len(weights) > 1 else {"weighted": "All edges have the same weight."}
