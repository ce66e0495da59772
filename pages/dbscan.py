import ui
from dmlib.clustering import DBSCAN
from dmlib.plots.eps_sweep import eps_sweep_data, plot_eps_sweep
from dmlib.reference.dbscan import dbscan_code, dbscan_reference
from dmlib.scenes.dbscan import dbscan_scene

ui.show(
    ui.Technique(
        slug="dbscan",
        algorithms={"DBSCAN": DBSCAN},
        groups={
            "Algorithm": {
                "eps": "Radius, eps",
                "min_samples": "Rows that make a core point",
                "metric": "Distance",
                "order": "Visit the rows",
            },
        },
        scene=lambda run: dbscan_scene(
            run.problem,
            run.trace,
            eps=run.params["eps"],
            min_samples=run.params["min_samples"],
            metric=run.params["metric"],
            selected=run.selected,
        ),
        results={"Clusters": "n_clusters_", "Noise": "n_noise_"},
        equivalent=lambda run: dbscan_code(run.estimator()),
        reference=lambda run: dbscan_reference(run.estimator(), run.problem.X),
        compare=("labels_", "core_sample_indices_", "components_"),
        handles={"eps": "eps"},
        plots=(
            ui.Plot(
                "Choose eps",
                lambda run: plot_eps_sweep(eps_sweep_data(run.estimator(), run.problem.X)),
                "How many clusters each radius gives, and how much noise. Look for a wide range with the same number.",
            ),
            ui.silhouettes(
                note="Silhouettes favour round groups: a good clustering of other shapes may have low ones."
            ),
            ui.known_classes(note="How the clusters and the noise share out classes that the clustering did not see."),
        ),
        presets=(
            ui.Preset(
                "Two moons, two clusters",
                "Each moon is one cluster. Drag eps down to 0.5: ten pieces. Up to 0.9: both moons are one cluster.",
                {"source": "generator", "generator": "moons", "moons.n_samples": 150, "moons.noise": 0.2, "eps": 0.7},
            ),
            ui.Preset(
                "Outliers stay outside",
                "Four groups, and 18 grey crosses in none of them: most of the 20 points that were strewn in.",
                {
                    "source": "generator",
                    "generator": "blobs",
                    "blobs.n_samples": 130,
                    "blobs.spread": 0.4,
                    "blobs.n_outliers": 20,
                }
                | {"eps": 0.6},
            ),
            ui.Preset(
                "Order decides at the border",
                "Three ringed points go to the group that is found first. Visit in reverse: the other one has them.",
                {
                    "source": "generator",
                    "generator": "blobs",
                    "blobs.n_samples": 150,
                    "blobs.centers": 3,
                    "blobs.spread": 1.1,
                    "seed": 32,
                }
                | {"eps": 0.8, "min_samples": 6},
            ),
            ui.Preset(
                "One radius, two densities",
                "The loose group is lost as noise. At eps = 1.7 it is found, but the dense ones run together.",
                {"source": "generator", "generator": "unequal_densities", "unequal_densities.n_samples": 150}
                | {"unequal_densities.ratio": 8.0, "unequal_densities.spread": 0.3, "seed": 24}
                | {"eps": 1.2, "min_samples": 15},
            ),
            ui.Preset(
                "A chain joins two groups",
                "Few rows between two groups make them one cluster. Raise min_samples from 3 to 7: they come apart.",
                {
                    "source": "generator",
                    "generator": "blobs",
                    "blobs.n_samples": 150,
                    "blobs.centers": 2,
                    "blobs.spread": 1.0,
                    "seed": 14,
                }
                | {"eps": 0.8, "min_samples": 3},
            ),
            ui.Preset(
                "Scale decides",
                "Two kinds of eruption and 8 rows of noise. Set Scaling to none: 18 clusters, 133 rows of noise.",
                {"source": "library", "data": "faithful", "scaling": "z-score", "eps": 0.3},
            ),
            ui.Preset(
                "Many columns, no knee",
                "In 16 columns all rows are about equally far. At eps = 10 most are noise, at 12 almost none.",
                {"source": "generator", "generator": "uniform_noise", "uniform_noise.n_samples": 150}
                | {"uniform_noise.n_features": 16, "eps": 11.0},
            ),
            ui.Preset(
                "Clusters in pure noise",
                "Eight clusters, and no group at all. The curve of distances falls evenly: there is no bend.",
                {"source": "generator", "generator": "uniform_noise", "uniform_noise.n_samples": 150, "eps": 0.9},
            ),
        ),
        start={"source": "generator", "generator": "moons"},
        sources=(
            "M. Ester, H.-P. Kriegel, J. Sander and X. Xu (1996), A density-based algorithm for discovering clusters",
            "E. Schubert et al. (2017), DBSCAN revisited, revisited",
        ),
    )
)
