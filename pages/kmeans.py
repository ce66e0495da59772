import dashboard
from dmlib.clustering import KCentroids, KMeans
from dmlib.clustering.kmeans.figures.k_sweep import choose_k
from dmlib.clustering.kmeans.figures.restarts import restarts
from dmlib.clustering.kmeans.questions import Rule, questions
from dmlib.clustering.kmeans.reference import kmeans_reference
from dmlib.clustering.kmeans.scene import kmeans_scene

TECHNIQUE = dashboard.Technique(
    slug="kmeans",
    methods={"k-means": KMeans, "k-medians, spherical": KCentroids},
    labels={
        "Algorithm": {
            "n_clusters": "Clusters k",
            "metric": "Metric",
            "init": "Initial centres",
            "n_init": "Restarts",
        },
        "Stopping": {
            "max_iter": "Max. iterations",
            "tol": "Tolerance",
            "change_tol": "Tolerated changes of cluster",
        },
    },
    opening="a-bad-start-and-better-ones",
    scene=kmeans_scene,
    check=dashboard.Check(kmeans_reference, ("cluster_centers_", "labels_", "inertia_", "n_iter_")),
    results={"SSE": "inertia_", "Iterations": "n_iter_"},
    results_by_method={
        "k-medians, spherical": {"Sum of distances": "inertia_", "Iterations": "n_iter_"}
    },
    figures=(
        dashboard.Plot(
            "Choose k",
            choose_k,
            "The SSE always falls: look for the elbow, and for the largest silhouette.",
        ),
        dashboard.silhouettes(),
        dashboard.Plot(
            "Restarts", restarts, "The SSE by half-step in each restart, and the final SSE."
        ),
        dashboard.known_classes(),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(
        dashboard.PlaceCenters(
            parameter="init",
            option="points",
            count="n_clusters",
            label="Place centres",
            hint=(
                "Click on the picture to place the initial centres; "
                "a click on a point takes that row."
            ),
        ),
    ),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
