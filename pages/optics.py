import ui
from dmlib.clustering import OPTICS
from dmlib.params import Choice, Number
from dmlib.plots.eps_sweep import cut_sweep_data, plot_eps_sweep
from dmlib.reference.optics import optics_code, optics_reference
from dmlib.scenes.optics import optics_clusters, optics_scene

ui.show(
    ui.Technique(
        slug="optics",
        algorithms={"OPTICS": OPTICS},
        groups={
            "Algorithm": {
                "min_samples": "Rows that make a core point",
                "max_eps": "Largest radius, max_eps",
                "metric": "Distance (minkowski: Euclidean)",
            },
            "Steep flanks": {
                "xi": "Steepness, xi",
                "min_cluster_size": "Smallest cluster",
                "predecessor_correction": "Leave out rows reached from outside",
            },
        },
        options={
            "cut": ui.Option(
                "Cut at",
                Number(0.0, 1e150, shown=(0.01, 1000.0), log=True, names=("auto",)),
                "auto",
                "The height of the cut; auto: amid the widest range with the same number of clusters. Drag it.",
            ),
            "clusters": ui.Option(
                "Colour clusters by",
                Choice(("cut", "xi")),
                "cut",
                "cut: the clusters below the cut; xi: those that steep flanks of the plot bound.",
            ),
        },
        handles={"cut": "cut"},
        scene=lambda run: optics_scene(
            run.problem,
            run.trace,
            max_eps=run.params["max_eps"],
            metric=run.params["metric"],
            cut=run.options["cut"],
            clusters=run.options["clusters"],
            selected=run.selected,
        ),
        labels=lambda run: optics_clusters(run.fitted, **run.options),
        results={"Clusters by xi": "n_clusters_", "Noise": "n_noise_"},
        equivalent=lambda run: optics_code(run.fitted, run.options["cut"]),
        reference=lambda run: optics_reference(run.estimator(), run.problem.X),
        compare=("ordering_", "predecessor_", "labels_"),
        plots=(
            ui.Plot(
                "All cuts",
                lambda run: plot_eps_sweep(cut_sweep_data(run.fitted, run.options["cut"])),
                "How many clusters a cut at each height gives, and how much noise.",
            ),
            ui.silhouettes(
                lambda run: optics_clusters(run.fitted, **run.options),
                "Silhouettes favour round groups: a good clustering of other shapes may have low ones.",
            ),
            ui.known_classes(
                lambda run: optics_clusters(run.fitted, **run.options),
                "How the coloured clusters and the noise share out classes that the clustering did not see.",
            ),
        ),
        presets=(
            ui.Preset(
                "Two moons, two valleys",
                "Each valley is a moon. Drag the cut down to 0.5: it cuts ten pieces. Up to 0.9: both moons are one.",
                {"source": "generator", "generator": "moons", "moons.n_samples": 150, "moons.noise": 0.2},
            ),
            ui.Preset(
                "Three densities: flanks, not cuts",
                "Steep flanks bound all three groups. Colour by cut and drag it: no height finds all three.",
                {"source": "generator", "generator": "unequal_densities", "unequal_densities.n_samples": 150}
                | {"unequal_densities.ratio": 8.0, "unequal_densities.spread": 0.3, "seed": 24, "min_samples": 15}
                | {"clusters": "xi", "cut": 1.2},
            ),
            ui.Preset(
                "Clusters within clusters",
                "Six groups. At the end, lines over the bars show the larger clusters that hold them.",
                {
                    "source": "generator",
                    "generator": "blobs",
                    "blobs.n_samples": 150,
                    "blobs.centers": 6,
                    "blobs.spread": 0.4,
                    "seed": 1,
                }
                | {"min_samples": 15, "clusters": "xi"},
            ),
            ui.Preset(
                "Outliers are the peaks",
                "Four valleys, and 14 rows of noise at the high bars between and after them.",
                {
                    "source": "generator",
                    "generator": "blobs",
                    "blobs.n_samples": 130,
                    "blobs.spread": 0.4,
                    "blobs.n_outliers": 20,
                }
                | {"seed": 1, "min_samples": 10},
            ),
            ui.Preset(
                "A rough curve",
                "With min_samples = 2 every dent is a valley. Raise it to 15: the curve gets smooth and higher.",
                {"source": "generator", "generator": "moons", "moons.n_samples": 150, "moons.noise": 0.2}
                | {"min_samples": 2},
            ),
            ui.Preset(
                "A short radius",
                "Beyond max_eps nobody looks: the walk starts 29 times, and every start is a bar without end.",
                {
                    "source": "generator",
                    "generator": "blobs",
                    "blobs.n_samples": 150,
                    "blobs.spread": 0.6,
                    "max_eps": 0.5,
                },
            ),
            ui.Preset(
                "Pure noise",
                "No valley stands out. Cuts from 0.7 to 1.1 give seven to eleven clusters, and none means anything.",
                {"source": "generator", "generator": "uniform_noise", "uniform_noise.n_samples": 150, "cut": 0.9},
            ),
        ),
        start={"source": "generator", "generator": "moons"},
        sources=(
            "M. Ankerst, M. M. Breunig, H.-P. Kriegel and J. Sander (1999), OPTICS: ordering points",
            "E. Schubert and M. Gertz (2018), Improving the cluster structure extracted from OPTICS plots",
        ),
    )
)
