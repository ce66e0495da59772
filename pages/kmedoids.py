import ui
from dmlib.clustering import CLARA, KMedoids
from dmlib.clustering.kmedoids.reference import kmedoids_code, kmedoids_reference
from dmlib.clustering.kmedoids.scene import kmedoids_scene

ui.show(
    ui.Technique(
        slug="kmedoids",
        methods={"k-medoids": KMedoids, "CLARA": CLARA},
        labels={
            "Algorithm": {
                "n_clusters": "Clusters k",
                "method": "Search",
                "metric": "Metric",
                "init": "Initial medoids",
                "n_sampling": "Sample size",
                "n_sampling_iter": "Samples",
            },
            "Stopping": {"max_iter": "Max. iterations"},
        },
        data=ui.Table(start={"source": "generator", "generator": "blobs"}),
        scene=kmedoids_scene,
        check=ui.Check(kmedoids_reference, ("inertia_",), kmedoids_code),
        results={"Total deviation": "inertia_", "Iterations": "n_iter_"},
        figures=(
            ui.silhouettes(),
            ui.known_classes(),
        ),
        tools=(
            ui.PlaceCenters(
                parameter="init",
                option="points",
                count="n_clusters",
                label="Choose medoids",
                hint="Click on points to choose the initial medoids; any other click takes the nearest row.",
            ),
        ),
    )
)
