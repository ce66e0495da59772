import dashboard
from dmlib.clustering import BisectingKMeans, XMeans
from dmlib.clustering.kmeans.figures.k_sweep import choose_plain_k
from dmlib.clustering.kmeans_variants.questions import Rule, questions
from dmlib.clustering.kmeans_variants.reference import variant_reference
from dmlib.clustering.kmeans_variants.scene import kmeans_variants_scene

TECHNIQUE = dashboard.Technique(
    slug="kmeans_variants",
    methods={"Bisecting k-means": BisectingKMeans, "X-means": XMeans},
    labels={
        "Algorithm": {
            "n_clusters": "Clusters k",
            "omega": "Largest SSE to keep ω",
            "bisecting_strategy": "Cluster to split next",
            "min_clusters": "Min. clusters",
            "max_clusters": "Max. clusters",
            "init": "Initial centres",
            "n_init": "Trials of each split",
            "refine": "Final k-means",
        },
        "Stopping of each 2-means": {"max_iter": "Max. iterations", "tol": "Tolerance"},
    },
    data=dashboard.Table(start={"source": "generator", "generator": "blobs"}),
    scene=kmeans_variants_scene,
    check=dashboard.Check(variant_reference, ("cluster_centers_", "labels_", "inertia_")),
    results={"SSE": "inertia_"},
    figures=(
        dashboard.silhouettes(),
        dashboard.Plot(
            "Plain k-means",
            choose_plain_k,
            "What k-means reaches for each k, and the k that two rules of thumb choose.",
        ),
        dashboard.known_classes(),
    ),
    practice=dashboard.Practice(questions, Rule),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
