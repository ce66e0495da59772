import ui
from dmlib.clustering import KMeans
from dmlib.plots.k_sweep import k_sweep_data, plot_k_sweep
from dmlib.plots.restarts import plot_restarts, restarts_data
from dmlib.reference.kmeans import kmeans_code, kmeans_reference
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
        placing=ui.Placing(
            parameter="init",
            option="points",
            count="n_clusters",
            label="Place centres",
            hint="Click on the picture to place the starting centres; a click on a point takes that row.",
        ),
        plots=(
            ui.Plot(
                "Choose k",
                lambda run: plot_k_sweep(k_sweep_data(run.estimator(), run.problem.X)),
                "The SSE always falls; look for the k after which it falls slowly, and for the largest silhouette.",
            ),
            ui.silhouettes(),
            ui.Plot(
                "Restarts",
                lambda run: plot_restarts(restarts_data(run.trace)),
                "How the SSE falls in each restart, and where it ends.",
            ),
            ui.known_classes(),
        ),
        presets=(
            ui.Preset(
                "A bad start, and better ones",
                "Two centres share a group, and one straddles two. Set Restarts to 10: the best finds all six.",
                {
                    "source": "generator",
                    "blobs.centers": 6,
                    "blobs.spread": 0.4,
                    "seed": 4,
                    "n_clusters": 6,
                    "init": "random",
                },
            ),
            ui.Preset(
                "Seeding by squared distance",
                "The larger a mark, the likelier it becomes the next centre. Compare with random starting centres.",
                {"source": "generator", "blobs.centers": 7, "blobs.spread": 0.35, "n_clusters": 7},
            ),
            ui.Preset(
                "A large group is cut up",
                "The large group is cut in two and the small ones share a centre: that has the smaller SSE.",
                {
                    "source": "generator",
                    "generator": "unequal_sizes",
                    "unequal_sizes.n_samples": 300,
                    "seed": 17,
                    "n_init": 10,
                }
                | {"unequal_sizes.centers": 3, "unequal_sizes.ratio": 20.0, "unequal_sizes.spread": 0.9},
            ),
            ui.Preset(
                "Two moons, one straight border",
                "The border between two centres is a straight line, so each moon is cut.",
                {"source": "generator", "generator": "moons", "n_clusters": 2},
            ),
            ui.Preset(
                "An outlier takes a centre",
                "The point in the corner is a cluster of its own, and two groups share a centre.",
                {"source": "generator", "blobs.n_samples": 16, "blobs.centers": 3, "blobs.spread": 0.4, "seed": 27}
                | {"blobs.n_outliers": 1, "n_init": 10},
            ),
            ui.Preset(
                "An empty cluster",
                "At first the centre in the corner wins no row; the update gives it a far row. The SSE still falls.",
                {"source": "generator", "blobs.n_samples": 120, "blobs.centers": 3, "blobs.spread": 0.5, "seed": 2}
                | {"init": "points", "places": "4,5;6,5;0,0"},
            ),
            ui.Preset(
                "Scale decides",
                "Proline is in hundreds and decides alone. Set Scaling to z-score: the clusters follow the cultivars.",
                {
                    "data": "wine",
                    "wine.features": ["alcohol", "flavanoids", "color_intensity", "proline"],
                    "n_init": 10,
                },
            ),
            ui.Preset(
                "Clusters in pure noise",
                "There is no group at all, yet k-means draws neat cells. Look at the silhouettes for every k.",
                {"source": "generator", "generator": "uniform_noise", "n_clusters": 4, "n_init": 10},
            ),
        ),
    )
)
