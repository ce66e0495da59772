import dashboard
from dmlib.clustering import MeanShift
from dmlib.clustering.mean_shift.figures.bandwidth_sweep import (
    N_BANDWIDTHS,
    bandwidth_sweep_data,
    plot_bandwidth_sweep,
)
from dmlib.clustering.mean_shift.questions import Rule, questions
from dmlib.clustering.mean_shift.reference import mean_shift_reference
from dmlib.clustering.mean_shift.scene import mean_shift_scene

TECHNIQUE = dashboard.Technique(
    slug="mean_shift",
    methods={"Mean shift": MeanShift},
    labels={
        "Kernel": {"bandwidth": "Bandwidth h", "kernel": "Kernel"},
        "Seeds": {
            "bin_seeding": "Bin seeding",
            "min_bin_freq": "Min. rows per bin",
            "max_iter": "Max. iterations",
        },
        "Clusters": {"cluster_all": "Cluster all rows"},
    },
    data=dashboard.Table(row_limit=5000),
    opening="four-hills-four-modes",
    scene=mean_shift_scene,
    check=dashboard.Check(mean_shift_reference, ("cluster_centers_", "labels_", "n_iter_")),
    results={"Clusters": "n_clusters_", "Iterations": "n_iter_", "Bandwidth": "bandwidth_"},
    figures=(
        dashboard.Sweep(
            "Choose the bandwidth",
            bandwidth_sweep_data,
            plot_bandwidth_sweep,
            N_BANDWIDTHS,
            "Clusters and orphans for each bandwidth: look for a wide range with the same number.",
        ),
        dashboard.silhouettes(),
        dashboard.known_classes(),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(dashboard.Drag("bandwidth"),),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
