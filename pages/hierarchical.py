import dashboard
from dmlib.clustering import AgglomerativeClustering, DivisiveClustering
from dmlib.clustering.hierarchical.agglomerative_scene import OPTIONS, shown_clusters
from dmlib.clustering.hierarchical.figures.shepard import shepard
from dmlib.clustering.hierarchical.figures.tree_sweep import tree_sweep
from dmlib.clustering.hierarchical.questions import Rule, questions
from dmlib.clustering.hierarchical.reference import hierarchical_reference
from dmlib.clustering.hierarchical.scene import hierarchical_scene

TECHNIQUE = dashboard.Technique(
    slug="hierarchical",
    methods={"agglomerative": AgglomerativeClustering, "divisive": DivisiveClustering},
    labels={"Algorithm": {"linkage": "Linkage", "metric": "Metric", "n_clusters": "Clusters k"}},
    data=dashboard.Table(max_rows=150, row_limit=1000),
    opening="a-wide-gap-in-the-tree",
    scene=hierarchical_scene,
    check=dashboard.Check(hierarchical_reference, ("children_", "distances_", "labels_")),
    results={"Clusters": "n_clusters_"},
    answer=shown_clusters,
    figures=(
        dashboard.Plot(
            "Choose k",
            tree_sweep,
            "A long way to the next merge: the clusters before it lie well apart.",
        ),
        dashboard.Plot(
            "Cophenetic distances",
            shepard,
            "One point per pair of rows: their distance, and the height that joins them.",
        ),
        dashboard.silhouettes(shown_clusters),
        dashboard.known_classes(shown_clusters),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(
        dashboard.Setting(
            "height",
            "Cut height",
            *OPTIONS["height"],
            "Drag the line in the dendrogram. "
            "auto: the cut leaves as many clusters as are chosen above.",
            range="distance_threshold",
        ),
        dashboard.Drag("cut", sets="height"),
    ),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
