"""Ranges of threshold graph clustering that fit the graph."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from dmlib.params import Range

MAX_POSITIONS = 200  # weights that are positions of their own


def graph_clustering_ranges(model: Any, G: nx.Graph, y: Any = None) -> dict[str, Range]:
    """Return the weights of the edges: only there does a threshold keep others.

    Examples
    --------
    >>> from dmlib.clustering import ThresholdGraphClustering
    >>> graph = nx.Graph([("a", "b", {"weight": 2}), ("b", "c", {"weight": 5})])
    >>> graph_clustering_ranges(ThresholdGraphClustering(), graph)
    {'threshold': (0.0, 2.0, 5.0)}
    """
    distinct = {float(weight) for *_, weight in G.edges(data="weight", default=1.0)}
    weights = sorted({0.0, *(weight for weight in distinct if np.isfinite(weight) and weight >= 0)})
    if len(weights) < 2:
        return {"threshold": "No edge has a weight above 0."}
    return {
        "threshold": tuple(weights) if len(weights) <= MAX_POSITIONS else (weights[0], weights[-1])
    }
