"""Threshold graph clustering by networkx."""

from __future__ import annotations

import networkx as nx
import numpy as np

from dmlib.clustering.graph_clustering.algorithm import ThresholdGraphClustering
from dmlib.comparison import Answers
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import GraphProblem


def threshold_components(G: nx.Graph, threshold: float, similar: bool) -> Answers:
    """Find the components of the kept edges, and a spanning forest of all, by networkx."""
    import networkx as nx

    from dmlib.comparison import Answers

    # Of two directions between two nodes, the stronger edge comes last and stays.
    edges = sorted(
        G.edges(data="weight", default=1.0), key=lambda edge: edge[2], reverse=not similar
    )
    kept_edges = [
        (u, v) for u, v, weight in edges if weight == threshold or (weight > threshold) == similar
    ]
    graph, strong = nx.Graph(), nx.Graph(kept_edges)
    graph.add_weighted_edges_from(edges)
    strong.add_nodes_from(G)
    number = {node: i for i, node in enumerate(G)}
    clusters = sorted(
        nx.connected_components(strong),
        key=lambda nodes: (-len(nodes), min(number[node] for node in nodes)),
    )
    labels = np.empty(len(G), int)
    for label, nodes in enumerate(clusters):
        labels[[number[node] for node in nodes]] = label
    spanning_edges = nx.maximum_spanning_edges if similar else nx.minimum_spanning_edges
    weights = [data["weight"] for _, _, data in spanning_edges(graph)]
    values = {
        "labels_": labels,
        "n_clusters_": len(clusters),
        "largest_": len(clusters[0]),
        "n_kept_": len(kept_edges),
        "merge_weights_": np.array(sorted(weights, reverse=similar), float),
    }
    return Answers("networkx.connected_components", values)


def graph_clustering_reference(run: Run[GraphProblem, ThresholdGraphClustering]) -> Reference:
    """Return the same clusters by networkx."""
    model = run.model
    return Reference(
        threshold_components, "X", threshold=model.threshold, similar=model.weights == "similarity"
    )
