import dashboard
from dmlib.clustering import ClusterValidity
from dmlib.clustering.cluster_validity.clusterings import TITLES
from dmlib.clustering.cluster_validity.figures import sweeps
from dmlib.clustering.cluster_validity.figures.side_by_side import side_by_side
from dmlib.clustering.cluster_validity.questions import Rule, questions
from dmlib.clustering.cluster_validity.reference import validity_reference
from dmlib.clustering.cluster_validity.scene import OPTIONS, cluster_validity_scene

ORDINALS = {"second": "Compare with", "third": "Third clustering", "fourth": "Fourth clustering"}
GROUPS = {
    "generator": "blobs",
    "blobs.n_samples": "150",
    "blobs.centers": "3",
    "blobs.spread": "1.2",
}

TECHNIQUE = dashboard.Technique(
    slug="cluster_validity",
    methods={"validity": ClusterValidity},
    labels={
        "Clustering": {
            "measure": "Measure",
            "clustering": "Clustering",
            "n_clusters": "Clusters k",
            "n_probes": "Probes",
            "n_neighbors": "Neighbours per row",
        }
    },
    data=dashboard.Table(
        start={"source": "generator"} | GROUPS, max_rows=600, row_limit=2000, known=True
    ),
    scene=cluster_validity_scene,
    check=dashboard.Check(validity_reference, ("value_",)),
    results={"Chosen measure": "value_"},
    figures=(
        dashboard.Plot(
            "Side by side",
            side_by_side,
            "Which clustering is best depends on the measure and on the shapes.",
        ),
        dashboard.Sweep(
            "Gap statistic",
            sweeps.gap_data,
            sweeps.plot_gap,
            11,
            "The log SSE against that of random rows.",
        ),
        dashboard.Sweep(
            "Stability",
            sweeps.stability_data,
            sweeps.plot_stability,
            20,
            "Which clusters recur in resamples.",
        ),
        dashboard.Sweep(
            "Random data",
            sweeps.random_data,
            sweeps.plot_random,
            30,
            "The measure for clusterings of random rows.",
        ),
        dashboard.silhouettes(),
        dashboard.known_classes(),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(
        *(
            dashboard.Setting(
                name,
                ORDINALS[name],
                *OPTIONS[name],
                "Another clustering of the same rows.",
                names=TITLES,
            )
            for name in OPTIONS
        ),
        dashboard.PickClustering("clustering"),
    ),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
