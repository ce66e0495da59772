import ui
from dmlib.clustering import AgglomerativeClustering
from dmlib.params import Number
from dmlib.plots.shepard import plot_shepard, shepard_data
from dmlib.plots.tree_sweep import plot_tree_sweep, tree_sweep_data
from dmlib.reference.hierarchical import hierarchical_code, hierarchical_reference
from dmlib.scenes.hierarchical import AUTO, hierarchical_scene, shown_labels


def labels(run):
    """Return the clusters in the picture."""
    return shown_labels(run.fitted, run.options["height"])


ui.show(
    ui.Technique(
        slug="hierarchical",
        algorithms={"agglomerative": AgglomerativeClustering},
        groups={"Algorithm": {"linkage": "Linkage", "metric": "Distance of two rows", "n_clusters": "Clusters"}},
        options={
            "height": ui.Option(
                "Cut at height",
                Number(0.0, 1e30, shown=(0.01, 100.0), log=True, names=(AUTO,)),
                AUTO,
                "Drag the line in the dendrogram. auto: the line leaves as many clusters as are chosen above.",
            )
        },
        handles={"cut": "height"},
        scene=lambda run: hierarchical_scene(
            run.problem,
            run.trace,
            linkage=run.params["linkage"],
            metric=run.params["metric"],
            height=run.options["height"],
            selected=run.selected,
        ),
        results={"Clusters": "n_clusters_"},
        equivalent=lambda run: hierarchical_code(run.estimator(), run.options["height"]),
        reference=lambda run: hierarchical_reference(run.estimator(), run.problem.X),
        compare=("children_", "distances_", "labels_"),
        max_rows=150,
        plots=(
            ui.Plot(
                "Choose k",
                lambda run: plot_tree_sweep(tree_sweep_data(run.fitted, run.problem.X, len(set(labels(run))))),
                "A long way from one merge to the next says that the clusters before it lie well apart.",
            ),
            ui.Plot(
                "Distances kept",
                lambda run: plot_shepard(shepard_data(run.fitted, run.problem.X)),
                "One point per pair of rows: how far apart they are, and at which height the tree joins them.",
            ),
            ui.silhouettes(labels),
            ui.known_classes(labels),
        ),
        presets=(
            ui.Preset(
                "A wide gap in the tree",
                "Drag the dashed line: anywhere from 1.7 to 4 it leaves the same four groups.",
                {"source": "generator", "seed": 2, "linkage": "average", "n_clusters": 4}
                | {"blobs.n_samples": 60, "blobs.centers": 4, "blobs.spread": 0.5},
            ),
            ui.Preset(
                "Single linkage follows two moons",
                "The links run along each moon. Set Linkage to ward: compact pieces, and neither moon stays whole.",
                {"source": "generator", "generator": "moons", "linkage": "single"}
                | {"moons.n_samples": 120, "moons.noise": 0.15},
            ),
            ui.Preset(
                "Single linkage chains",
                "One cluster has 117 of the 120 rows: neighbour by neighbour, it runs through all three bands.",
                {"source": "generator", "generator": "anisotropic", "seed": 1, "linkage": "single", "n_clusters": 3}
                | {"anisotropic.n_samples": 120},
            ),
            ui.Preset(
                "Ward cuts a large group",
                "The large group is cut, the smallest joins a part of it. Set Linkage to average: all three are found.",
                {"source": "generator", "generator": "unequal_sizes", "seed": 5, "n_clusters": 3}
                | {"unequal_sizes.n_samples": 150, "unequal_sizes.ratio": 30.0, "unequal_sizes.spread": 0.7},
            ),
            ui.Preset(
                "Centroids come nearer",
                "Each triangle merges at 2 and then at 1.8: the second bracket lies lower. No other linkage does that.",
                {"source": "draw", "points": "GQMgASwMgAMgXwAlgfQByAfQBrwqgB", "linkage": "centroid"},
            ),
            ui.Preset(
                "Scale decides",
                "The crime rate is in hundreds and decides alone. Set Scaling to z-score: poverty counts as much.",
                {"data": "us_crime", "n_clusters": 3},
            ),
            ui.Preset(
                "A tree of pure noise",
                "There is no group, yet there is a tree, and four neat clusters. Look at the heights and silhouettes.",
                {"source": "generator", "generator": "uniform_noise", "seed": 1, "n_clusters": 4}
                | {"uniform_noise.n_samples": 100},
            ),
        ),
    )
)
