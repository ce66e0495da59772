import ui
from dmlib.clustering import BisectingKMeans, KMeans, XMeans
from dmlib.plots.k_sweep import k_sweep_data, plot_k_sweep
from dmlib.reference.kmeans_variants import variant_code, variant_reference
from dmlib.scenes.kmeans_variants import kmeans_variants_scene


def plain_kmeans(run: ui.Run) -> KMeans:
    """Return k-means with as many clusters as were found, to compare with."""
    return KMeans(len(run.fitted.cluster_centers_), n_init=run.params["n_init"], random_state=run.seed)


ui.show(
    ui.Technique(
        slug="kmeans_variants",
        algorithms={"Bisecting k-means": BisectingKMeans, "X-means": XMeans},
        groups={
            "Algorithm": {
                "n_clusters": "Clusters, k",
                "bisecting_strategy": "Cut next",
                "min_clusters": "Clusters at first",
                "max_clusters": "Clusters at most",
                "init": "Starting centres",
                "n_init": "Trials of each cut",
            },
            "Stopping of each 2-means": {"max_iter": "Most iterations", "tol": "Tolerance"},
        },
        scene=lambda run: kmeans_variants_scene(run.problem, run.trace, selected=run.selected),
        results={"SSE": "inertia_"},
        equivalent=lambda run: variant_code(run.estimator()),
        reference=lambda run: variant_reference(run.estimator(), run.problem.X),
        compare=("cluster_centers_", "labels_", "inertia_"),
        plots=(
            ui.silhouettes(),
            ui.Plot(
                "Plain k-means",
                lambda run: plot_k_sweep(k_sweep_data(plain_kmeans(run), run.problem.X)),
                "What k-means over all rows reaches for each k, and the k that two rules of thumb would choose.",
            ),
            ui.known_classes(),
        ),
        presets=(
            ui.Preset(
                "X-means finds five groups",
                "Both first cuts are kept. Of the four clusters then, one is cut; after that every cut is refused.",
                {"method": "X-means", "source": "generator", "blobs.n_samples": 200, "blobs.centers": 5}
                | {"blobs.spread": 0.5, "seed": 4, "n_init": 5},
            ),
            ui.Preset(
                "A square that no cut pays",
                "Four groups, but the first cut is refused, so one cluster is left. Start from 2: all four are found.",
                {"method": "X-means", "source": "generator", "generator": "xor", "xor.n_samples": 200}
                | {"xor.noise": 0.3, "min_clusters": 1, "n_init": 5},
            ),
            ui.Preset(
                "One long group becomes seven",
                "A single stretched group is cut again and again: the model behind the BIC knows only round clouds.",
                {"method": "X-means", "source": "generator", "generator": "anisotropic", "anisotropic.n_samples": 200}
                | {"anisotropic.centers": 1, "anisotropic.stretch": 6.0, "anisotropic.spread": 0.4}
                | {"min_clusters": 1, "max_clusters": 12, "n_init": 5},
            ),
            ui.Preset(
                "An early cut is final",
                "The first cut goes through a group, whose halves never meet again. With one trial the end is better!",
                {"source": "generator", "blobs.n_samples": 200, "blobs.centers": 5, "blobs.spread": 0.4, "seed": 12}
                | {"n_clusters": 5, "n_init": 10},
            ),
            ui.Preset(
                "Scale decides the number",
                "Standardised, there are two kinds of eruption. Set Scaling to none: X-means goes to its limit of 10.",
                {"method": "X-means", "data": "faithful", "scaling": "z-score", "n_init": 5},
            ),
        ),
        sources=(
            "M. Steinbach, G. Karypis and V. Kumar (2000), A comparison of document clustering techniques",
            (
                "D. Pelleg and A. Moore (2000), X-means: extending k-means with efficient estimation of the "
                "number of clusters"
            ),
        ),
    )
)
