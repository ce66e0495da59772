import dashboard
from dmlib.clustering import FuzzyCMeans, KernelKMeans
from dmlib.clustering.kernel_kmeans.figures.relaxation import relaxation
from dmlib.clustering.kernel_kmeans.figures.soft_sweep import choose_k
from dmlib.clustering.kernel_kmeans.questions import Rule, questions
from dmlib.clustering.kernel_kmeans.reference import kernel_kmeans_reference
from dmlib.clustering.kernel_kmeans.scene import kernel_kmeans_scene

RINGS = {
    "generator": "circles",
    "circles.n_samples": "200",
    "circles.factor": "0.25",
    "circles.noise": "0.2",
}

TECHNIQUE = dashboard.Technique(
    slug="kernel_kmeans",
    methods={"kernel k-means": KernelKMeans, "fuzzy c-means": FuzzyCMeans},
    labels={
        "Algorithm": {
            "n_clusters": "Clusters k",
            "kernel": "Kernel",
            "gamma": "γ",
            "degree": "Degree",
            "coef0": "Constant c",
            "m": "Fuzzifier m",
            "weighting": "Row weights",
            "init": "Initial centres",
            "n_init": "Restarts",
        },
        "Stopping": {"max_iter": "Max. iterations", "tol": "Tolerance"},
    },
    data=dashboard.Table(start={"source": "generator"} | RINGS, max_rows=600, row_limit=2000),
    scene=kernel_kmeans_scene,
    check=dashboard.Check(kernel_kmeans_reference, ("inertia_", "labels_")),
    results={"Objective": "inertia_"},
    figures=(
        dashboard.Plot(
            "Choose k", choose_k, "The objective for each k; also the fuzzy partition coefficient."
        ),
        dashboard.Plot(
            "Eigenvalues",
            relaxation,
            "The link to spectral clustering: eigenvectors solve the relaxed problem.",
        ),
        dashboard.silhouettes(
            note=(
                "By distances in the columns, not in feature space: "
                "a ring may be right and below 0."
            )
        ),
        dashboard.known_classes(),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(
        dashboard.PlaceCenters(
            parameter="init",
            option="points",
            count="n_clusters",
            label="Place centres",
            hint=(
                "Click on the picture to place the initial centres; "
                "a click on a point takes that row."
            ),
        ),
    ),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
