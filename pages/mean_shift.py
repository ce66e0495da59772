import dashboard
from dmlib.clustering import MeanShift
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
    data=dashboard.Table(start={"source": "generator", "generator": "blobs"}),
    scene=mean_shift_scene,
    check=dashboard.Check(mean_shift_reference, ("cluster_centers_", "labels_", "n_iter_")),
    results={"Clusters": "n_clusters_", "Iterations": "n_iter_", "Bandwidth": "bandwidth_"},
    figures=(dashboard.silhouettes(), dashboard.known_classes()),
    tools=(dashboard.Drag("bandwidth"),),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
