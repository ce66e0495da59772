import dashboard
from dmlib.clustering import DBSCAN
from dmlib.clustering.dbscan.figures.eps_sweep import eps_sweep
from dmlib.clustering.dbscan.questions import RULES, questions
from dmlib.clustering.dbscan.reference import dbscan_reference
from dmlib.clustering.dbscan.scene import dbscan_scene

TECHNIQUE = dashboard.Technique(
    slug="dbscan",
    methods={"DBSCAN": DBSCAN},
    labels={
        "Algorithm": {
            "eps": "Neighbourhood radius ε (eps)",
            "min_samples": "Minimum points (min_samples)",
            "metric": "Metric",
            "gamma": "γ",
            "degree": "Degree",
            "coef0": "Constant c",
            "order": "Visiting order",
        }
    },
    data=dashboard.Table(start={"source": "generator", "generator": "moons"}),
    opening="two-moons-two-clusters",
    scene=dbscan_scene,
    check=dashboard.Check(dbscan_reference, ("labels_", "core_sample_indices_", "components_")),
    results={"Clusters": "n_clusters_", "Noise points": "n_noise_"},
    figures=(
        dashboard.Plot(
            "Choose eps",
            eps_sweep,
            "Clusters and noise for each radius: look for a wide range with the same number.",
        ),
        dashboard.silhouettes(
            note=(
                "Silhouettes favour round clusters: "
                "good clusters of other shapes may have low ones."
            )
        ),
        dashboard.known_classes(
            note="How the known classes are distributed over clusters and noise."
        ),
    ),
    practice=dashboard.Practice(questions, RULES),
    tools=(dashboard.Drag("eps"),),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
