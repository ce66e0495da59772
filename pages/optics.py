import dashboard
from dmlib.clustering import OPTICS
from dmlib.clustering.optics.figures.cut_sweep import cut_sweep
from dmlib.clustering.optics.questions import Rule, questions
from dmlib.clustering.optics.reference import optics_reference
from dmlib.clustering.optics.scene import OPTIONS, optics_scene, shown_clusters

TECHNIQUE = dashboard.Technique(
    slug="optics",
    methods={"OPTICS": OPTICS},
    labels={
        "Algorithm": {
            "min_samples": "Minimum points (min_samples)",
            "max_eps": "Maximum radius (max_eps)",
            "metric": "Metric",
        },
        "Steep areas": {
            "xi": "Steepness ξ (xi)",
            "min_cluster_size": "Minimum cluster size",
            "predecessor_correction": "Predecessor correction",
        },
    },
    data=dashboard.Table(start={"source": "generator", "generator": "unequal_densities"}),
    scene=optics_scene,
    check=dashboard.Check(optics_reference, ("ordering_", "predecessor_", "labels_")),
    results={"Clusters": "n_clusters_", "Noise points": "n_noise_"},
    answer=shown_clusters,
    figures=(
        dashboard.Plot(
            "All cuts",
            cut_sweep,
            "How many clusters a cut at each height gives, and how much noise.",
        ),
        dashboard.silhouettes(
            shown_clusters,
            "Silhouettes favour round clusters; good ones of other shapes may be low.",
        ),
        dashboard.known_classes(
            shown_clusters, "How the known classes are distributed over clusters and noise."
        ),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(
        dashboard.Setting(
            "cut",
            "Cut height",
            *OPTIONS["cut"],
            "auto: amid the widest range with the same number.",
            range="eps",
        ),
        dashboard.Setting(
            "clusters",
            "Clusters by",
            *OPTIONS["clusters"],
            "cut: the clusters below the cut; xi: those between steep areas of the plot.",
            idle={"cut": ("xi", "min_cluster_size", "predecessor_correction"), "xi": ("cut",)},
        ),
        dashboard.Drag("cut"),
    ),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
