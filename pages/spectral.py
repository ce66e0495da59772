import ui
from dmlib.clustering import SpectralClustering
from dmlib.params import Choice
from dmlib.plots.cuts_compared import cuts_compared_data, plot_cuts_compared
from dmlib.plots.similarity_matrix import plot_similarity_matrix, similarity_matrix_data
from dmlib.reference.spectral import spectral_code, spectral_reference
from dmlib.scenes.spectral import AUTO, AXES, spectral_scene

ui.show(
    ui.Technique(
        slug="spectral",
        algorithms={"spectral clustering": SpectralClustering},
        groups={
            "Algorithm": {
                "n_clusters": "Clusters, k",
                "affinity": "Similarity graph",
                "gamma": "Gamma (rbf)",
                "n_neighbors": "Neighbours (knn)",
                "eps": "Largest distance, eps (epsilon)",
                "laplacian": "Laplacian",
            },
            "k-means": {"n_init": "Restarts"},
        },
        scene=lambda run: spectral_scene(
            run.problem,
            run.trace,
            affinity=run.params["affinity"],
            gamma=run.params["gamma"],
            n_neighbors=run.params["n_neighbors"],
            eps=run.params["eps"],
            laplacian=run.params["laplacian"],
            axes=run.options["axes"],
            selected=run.selected,
        ),
        options={
            "axes": ui.Option(
                "Eigenvectors on the axes",
                Choice(tuple(AXES)),
                AUTO,
                "Of the embedding. auto: the first two that are not constant. k-means counts all of them anyway.",
            )
        },
        results={"Connected parts": "n_connected_components_"},
        equivalent=lambda run: spectral_code(run.estimator()),
        reference=lambda run: spectral_reference(run.estimator(), run.problem.X),
        compare=("eigenvalues_", "labels_"),
        handles={"n_clusters": "n_clusters"},
        max_rows=400,
        plots=(
            ui.Plot(
                "Cuts compared",
                lambda run: plot_cuts_compared(cuts_compared_data(run.fitted, run.problem.X, run.problem.y)),
                "The same graph cut in other ways. The smallest cut is often a single row; the other two punish that.",
            ),
            ui.Plot(
                "Similarity matrix",
                lambda run: plot_similarity_matrix(
                    similarity_matrix_data(run.fitted.affinity_matrix_, run.fitted.labels_)
                ),
                "Rows in the order of their clusters: a good partition has its weight in squares on the diagonal.",
            ),
            ui.known_classes(),
        ),
        presets=(
            ui.Preset(
                "A ring in a ring",
                "In the embedding the rings are two heaps. Set gamma to 0.1: edges reach across, and each ring is cut.",
                {"source": "generator", "generator": "circles"}
                | {"circles.n_samples": 200, "circles.factor": 0.3, "circles.noise": 0.2},
            ),
            ui.Preset(
                "Two moons, one edge cut",
                "The cut is one edge of weight ½. Set Neighbours to 20: edges bridge the moons, and the cut misses.",
                {"source": "generator", "generator": "moons", "affinity": "knn"}
                | {"moons.n_samples": 200, "moons.noise": 0.15},
            ),
            ui.Preset(
                "A graph in two parts",
                "The moons are not joined: 0 is an eigenvalue twice, and the embedding has only two places.",
                {"source": "generator", "generator": "moons", "affinity": "knn", "n_neighbors": 8}
                | {"moons.n_samples": 200, "moons.noise": 0.15},
            ),
            ui.Preset(
                "More parts than clusters",
                "Four parts, two clusters, nothing is cut: which parts go together is chance. With 8 neighbours: two.",
                {"source": "generator", "generator": "moons", "affinity": "knn", "n_neighbors": 5}
                | {"moons.n_samples": 200, "moons.noise": 0.15},
            ),
            ui.Preset(
                "A gap after four",
                "Four eigenvalues are near 0, the fifth is 0.69. Drag the dashed line to 3 or 5 and compare the cuts.",
                {"source": "generator", "n_clusters": 4}
                | {"blobs.n_samples": 150, "blobs.centers": 4, "blobs.spread": 0.4},
            ),
            ui.Preset(
                "An outlier is cut off",
                "One row alone has a tiny ratio cut. Set Laplacian to random walk: both groups stay whole.",
                {"source": "generator", "seed": 4, "laplacian": "unnormalised"}
                | {"blobs.n_samples": 120, "blobs.centers": 2, "blobs.spread": 0.8, "blobs.n_outliers": 3},
            ),
            ui.Preset(
                "Two spirals",
                "Each arm is one cluster, though its ends are far apart; k-means would cut straight through both.",
                {"source": "generator", "generator": "spirals", "affinity": "knn"},
            ),
            ui.Preset(
                "No gap in pure noise",
                "The eigenvalues climb without a gap after 4, yet there are four clusters.",
                {"source": "generator", "generator": "uniform_noise", "seed": 1, "n_clusters": 4}
                | {"uniform_noise.n_samples": 150},
            ),
        ),
        sources=("U. von Luxburg (2007), A tutorial on spectral clustering",),
    )
)
