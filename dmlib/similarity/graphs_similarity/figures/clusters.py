"""Many graphs clustered by their kernel."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from dmlib.datasets import make
from dmlib.pictures.run import Run
from dmlib.problem import GraphProblem
from dmlib.similarity.graphs_similarity.graph_classifier import GraphKernelClassifier, graph_classes
from dmlib.similarity.graphs_similarity.graph_kernel import GraphKernel
from dmlib.similarity.graphs_similarity.graphs import graph_list
from dmlib.similarity.kernel_figures import (
    KernelClusters,
    kernel_clusters_data,
    plot_kernel_clusters,
)

STAND_IN = "Rings and trees of the generator stand in: the method Classification has many graphs."


def clusters(run: Run[GraphProblem, Any]) -> go.Figure:
    """Draw the graphs of a run by its kernel; for other methods some of a generator stand in."""
    if isinstance(run.model, GraphKernelClassifier):
        return plot_kernel_clusters(clusters_data(run.fitted, run.problem.graph), "graphs")
    is_kernel = isinstance(run.model, GraphKernel)
    params = run.model.get_params() | {"normalize": True} if is_kernel else {}
    graph = make("rings_and_trees").graph
    data = clusters_data(GraphKernelClassifier(**params).fit(graph), graph)
    return plot_kernel_clusters(data, "graphs", STAND_IN)


def clusters_data(model: GraphKernelClassifier, G: Any) -> KernelClusters:
    """Cluster the graphs that one graph holds by the kernel matrix of a fitted model.

    Examples
    --------
    >>> G = make("rings_and_trees", n_graphs=4).graph
    >>> clusters_data(GraphKernelClassifier().fit(G), G).names
    ['graph 1', 'graph 2', 'graph 3', 'graph 4']
    """
    classes, codes = graph_classes(G)
    names = [f"graph {name}" for name in graph_list(G)[1]]
    return kernel_clusters_data(model.matrix_, names, classes[codes].tolist())
