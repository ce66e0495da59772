"""Many graphs clustered by their kernel."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from dmlib.pictures.run import Run
from dmlib.problem import GraphProblem
from dmlib.similarity.graphs_similarity.graph_classifier import GraphKernelClassifier, graph_classes
from dmlib.similarity.graphs_similarity.graphs import graph_list
from dmlib.similarity.kernel_figures import kernel_clusters_data, plot_kernel_clusters


def clusters(run: Run[GraphProblem, Any]) -> go.Figure:
    """Draw the graphs of a run by its kernel matrix.

    Raises
    ------
    ValueError
        If the method does not compare many graphs.
    """
    if not isinstance(run.model, GraphKernelClassifier):
        raise ValueError("Choose the method Classification: it has many graphs to cluster.")
    names = [f"graph {name}" for name in graph_list(run.problem.graph)[1]]
    classes, codes = graph_classes(run.problem.graph)
    data = kernel_clusters_data(run.fitted.matrix_, names, classes[codes].tolist())
    return plot_kernel_clusters(data, "graphs")
