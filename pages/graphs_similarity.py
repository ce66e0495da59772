import dashboard
from dmlib.similarity import (
    GraphEditDistance,
    GraphKernel,
    GraphKernelClassifier,
    NodeCentrality,
    ShortestPaths,
    SingleSourcePaths,
)
from dmlib.similarity.graphs_similarity.figures.clusters import clusters
from dmlib.similarity.graphs_similarity.figures.from_one_source import from_one_source
from dmlib.similarity.graphs_similarity.questions import Rule, questions
from dmlib.similarity.graphs_similarity.reference import graphs_similarity_reference
from dmlib.similarity.graphs_similarity.scene import graphs_similarity_scene

NODES = "GQiYAXwiYAGQQQAXwQQAXwwwAIwzQBlgNwA4QNwBu4aQAu4lgA3AvgApQzQB"
EDGES = "ABOEACDICDDIBDEsBEBkEFGQGHH0GIDIHIDIIJEsJKBkKLGQ"

TECHNIQUE = dashboard.Technique(
    slug="graphs_similarity",
    methods={
        "Graph kernel": GraphKernel,
        "Shortest paths": ShortestPaths,
        "Paths from one node": SingleSourcePaths,
        "Edit distance": GraphEditDistance,
        "Centrality": NodeCentrality,
        "Classification": GraphKernelClassifier,
    },
    labels={
        "Algorithm": {
            "kernel": "Kernel",
            "n_iter": "Rounds (n_iter)",
            "decay": "Decay per edge",
            "decay_share": "Decay, of its bound",
            "size": "Graphlet size",
            "labels": "Initial labels",
            "edge_labels": "Labels of edges",
            "normalize": "Normalise the kernel",
            "n_neighbors": "Neighbours k",
            "search": "Search",
            "origin": "First node (origin)",
            "target": "Last node (target)",
            "weighted": "Weights are lengths",
            "node_cost": "Node cost",
            "edge_cost": "Edge cost",
            "beam": "Mappings kept (beam)",
            "measure": "Centrality",
            "damping": "Damping",
            "max_iter": "Max. rounds (max_iter)",
        }
    },
    data=dashboard.Graph(
        start={"source": "draw"},
        first=f"{NODES}..{EDGES}",
        directions=True,
        pairs=("Graph kernel", "Edit distance"),
        singles=("Shortest paths", "Paths from one node", "Centrality"),
    ),
    data_by_method={
        "Classification": dashboard.Graph({"source": "generator", "generator": "rings_and_trees"})
    },
    scene=graphs_similarity_scene,
    check=dashboard.Check(
        graphs_similarity_reference, ("value_", "distances_", "matrix_", "scores_")
    ),
    results={"Kernel": "value_"},
    results_by_method={
        "Shortest paths": {"Distance": "value_"},
        "Paths from one node": {"Distance": "value_"},
        "Edit distance": {"Edit distance": "value_"},
        "Centrality": {"Largest centrality": "value_"},
        "Classification": {"Leave-one-out errors": "n_errors_"},
    },
    figures=(
        dashboard.Plot(
            "From one source", from_one_source, "Dijkstra and breadth-first search from one node."
        ),
        dashboard.Plot(
            "Clusters", clusters, "Many graphs: a dendrogram and kernel k-means by their kernel."
        ),
    ),
    practice=dashboard.Practice(questions, Rule),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
