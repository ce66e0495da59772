"""Graphs as a picture: paths and centralities in one, kernels and edits of two, many at once."""

from __future__ import annotations

from typing import Any

from dmlib.pictures.data import first_scene
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Scene
from dmlib.problem import GraphProblem
from dmlib.similarity.graphs_similarity.centrality import NodeCentrality
from dmlib.similarity.graphs_similarity.centrality_scene import centrality_scene
from dmlib.similarity.graphs_similarity.classifier_scene import classifier_scene
from dmlib.similarity.graphs_similarity.edit_distance import GraphEditDistance
from dmlib.similarity.graphs_similarity.edit_scene import edit_scene
from dmlib.similarity.graphs_similarity.graph_classifier import GraphKernelClassifier
from dmlib.similarity.graphs_similarity.graph_kernel import GraphKernel
from dmlib.similarity.graphs_similarity.kernel_scene import kernel_scene
from dmlib.similarity.graphs_similarity.paths_scene import paths_scene
from dmlib.similarity.graphs_similarity.search_scene import search_scene
from dmlib.similarity.graphs_similarity.single_source import SingleSourcePaths


def graphs_similarity_scene(run: Run[GraphProblem, Any]) -> Scene:
    """Draw a run on graphs.

    Parameters
    ----------
    run : Run
        Steps of one of the methods of the page.

    Returns
    -------
    Scene
        Its frames; of a run that was stopped, the graph alone.

    Examples
    --------
    >>> import networkx as nx
    >>> from dmlib.problem import prepare_graph
    >>> from dmlib.similarity import ShortestPaths
    >>> scene = graphs_similarity_scene(Run.of(prepare_graph(nx.path_graph(2)), ShortestPaths()))
    >>> scene.frames[-1].caption
    'Done. The shortest path from 0 to 1 has 1 edge and the length 1.'
    """
    steps = run.trace.steps
    if not steps or steps[-1].phase != "done":
        return first_scene(run.problem)
    scenes = {
        GraphKernel: kernel_scene,
        GraphKernelClassifier: classifier_scene,
        GraphEditDistance: edit_scene,
        NodeCentrality: centrality_scene,
        SingleSourcePaths: search_scene,
    }
    return scenes.get(type(run.model), paths_scene)(run)
