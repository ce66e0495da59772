"""The same question put to networkx, and the code that puts it."""

from __future__ import annotations

from inspect import getsource

import networkx as nx
import numpy as np

from dmlib.comparison import Answers
from dmlib.pictures.run import Run


def threshold_components(G: nx.Graph, threshold: float, *, similar: bool) -> Answers:
    """Ask networkx for the components of the kept edges, and for the spanning forest of all."""
    ordered = sorted(
        G.edges(data="weight", default=1.0), key=lambda edge: edge[2], reverse=not similar
    )
    kept = [edge for edge in ordered if (edge[2] >= threshold if similar else edge[2] <= threshold)]
    left, whole = nx.Graph(), nx.Graph()
    left.add_nodes_from(G)
    left.add_weighted_edges_from(kept)
    whole.add_weighted_edges_from(
        ordered
    )  # of two directions between two nodes, the stronger stays
    number = {node: i for i, node in enumerate(G)}
    clusters = sorted(
        nx.connected_components(left),
        key=lambda some: (-len(some), min(number[node] for node in some)),
    )
    cluster = {node: i for i, some in enumerate(clusters) for node in some}
    spanning = nx.maximum_spanning_edges if similar else nx.minimum_spanning_edges
    answers = {
        "labels_": np.array([cluster[node] for node in G]),
        "n_clusters_": len(clusters),
        "largest_": len(clusters[0]),
        "n_kept_": len(kept),
        "merge_weights_": np.array(
            sorted((edge[2]["weight"] for edge in spanning(whole)), reverse=similar), float
        ),
    }
    return Answers("networkx.connected_components", answers)


def graph_clustering_reference(run: Run) -> Answers:
    """Return networkx's components of the graph without its weak edges, and its spanning forest."""
    model = run.model
    return threshold_components(
        run.problem.graph, model.threshold, similar=model.weights == "similarity"
    )


def graph_clustering_code(run: Run) -> str:
    """Return code that asks networkx as ``reference`` for the components of ``X``."""
    return f"""
# The same with networkx
import networkx as nx
import numpy as np
from dmlib.comparison import Answers

{getsource(threshold_components)}
reference = threshold_components(X, {run.model.threshold!r}, similar={run.model.weights == "similarity"})
"""
