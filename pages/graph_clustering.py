import dashboard
from dmlib.clustering import ThresholdGraphClustering
from dmlib.clustering.graph_clustering.figures.component_sizes import component_sizes
from dmlib.clustering.graph_clustering.questions import Rule, questions
from dmlib.clustering.graph_clustering.reference import graph_clustering_reference
from dmlib.clustering.graph_clustering.scene import graph_clustering_scene

TECHNIQUE = dashboard.Technique(
    slug="graph_clustering",
    methods={"Threshold graph clustering": ThresholdGraphClustering},
    labels={"Algorithm": {"threshold": "Threshold", "weights": "Meaning of weights (weights)"}},
    scene=graph_clustering_scene,
    check=dashboard.Check(
        graph_clustering_reference, ("labels_", "n_clusters_", "n_kept_", "merge_weights_")
    ),
    results={"Clusters": "n_clusters_", "Largest cluster": "largest_", "Kept edges": "n_kept_"},
    data=dashboard.PointsGraph(start={"source": "library", "data": "karate_club"}),
    figures=(
        dashboard.Plot(
            "Choose the threshold", component_sizes, "Sizes of the clusters for each threshold."
        ),
        dashboard.known_classes(note="How the known classes are distributed over the clusters."),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(dashboard.Drag("threshold"),),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
