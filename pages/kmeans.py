import ui
from dmlib.clustering import KMeans
from dmlib.clustering.reference import kmeans_code, kmeans_reference
from dmlib.scenes.kmeans import kmeans_scene

ui.show(
    ui.Technique(
        slug="kmeans",
        algorithms={"k-means": KMeans},
        groups={
            "Algorithm": {"n_clusters": "Clusters, k", "init": "Starting centres", "n_init": "Restarts"},
            "Stopping": {"max_iter": "Most iterations", "tol": "Tolerance"},
        },
        scene=lambda run: kmeans_scene(run.problem, run.trace, selected=run.selected, restart=run.restart),
        results={"SSE": "inertia_", "Iterations": "n_iter_"},
        equivalent=lambda run: kmeans_code(run.estimator()),
        reference=lambda run: kmeans_reference(run.estimator(), run.problem.X),
        compare=("cluster_centers_", "labels_", "inertia_", "n_iter_"),
        placing=ui.Placing("init", "points", "n_clusters", "Place centres"),
    )
)
