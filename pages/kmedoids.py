import dashboard
from dmlib.clustering import KMedoids
from dmlib.clustering.kmedoids.figures.kmeans_compared import kmeans_compared
from dmlib.clustering.kmedoids.figures.medoid_sweep import choose_k, distances
from dmlib.clustering.kmedoids.questions import Rule, questions
from dmlib.clustering.kmedoids.reference import kmedoids_reference
from dmlib.clustering.kmedoids.scene import kmedoids_scene

TECHNIQUE = dashboard.Technique(
    slug="kmedoids",
    methods={"k-medoids": KMedoids},
    labels={
        "Algorithm": {
            "n_clusters": "Clusters k",
            "method": "Search",
            "metric": "Metric",
            "init": "Initial medoids",
        },
        "CLARA": {"n_sampling": "Sample size", "n_sampling_iter": "Samples"},
        "Stopping": {"max_iter": "Max. iterations"},
    },
    data=dashboard.Table(
        start={"source": "generator", "generator": "blobs"}, numbers_first=True, row_limit=5000
    ),
    scene=kmedoids_scene,
    check=dashboard.Check(kmedoids_reference, ("inertia_",)),
    results={"Total deviation": dashboard.Result("inertia_", field="total")},
    figures=(
        dashboard.Plot(
            "Choose k",
            choose_k,
            "The total deviation always falls: look for the largest silhouette.",
        ),
        dashboard.silhouettes(
            note=(
                "One bar per row, by the chosen metric: below 0 it is nearer to another cluster."
            ),
            distances=distances,
        ),
        dashboard.Plot(
            "k-means",
            kmeans_compared,
            "Outliers shift a mean; a medoid stays among the points of its cluster.",
        ),
        dashboard.known_classes(),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(
        dashboard.PlaceCenters(
            parameter="init",
            option="points",
            count="n_clusters",
            label="Choose medoids",
            hint=(
                "Click on points to choose the initial medoids; "
                "any other click takes the nearest row."
            ),
        ),
    ),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
