import dashboard
from dmlib.clustering import SpectralClustering, SpectralGraphClustering
from dmlib.clustering.spectral.embedding_scene import OPTIONS
from dmlib.clustering.spectral.figures.cuts_compared import cuts_compared
from dmlib.clustering.spectral.figures.similarity_matrix import similarity_matrix
from dmlib.clustering.spectral.questions import Rule, questions
from dmlib.clustering.spectral.reference import spectral_reference
from dmlib.clustering.spectral.scene import spectral_scene

TECHNIQUE = dashboard.Technique(
    slug="spectral",
    methods={
        "spectral clustering": SpectralClustering,
        "spectral, of a graph": SpectralGraphClustering,
    },
    labels={
        "Algorithm": {
            "n_clusters": "Clusters k",
            "affinity": "Similarity graph",
            "weighted": "Weighted edges",
            "gamma": "γ (RBF)",
            "n_neighbors": "Neighbours k",
            "eps": "Neighbourhood radius ε (eps)",
            "laplacian": "Laplacian",
        },
        "Embedding, k-means": {
            "n_components": "Eigenvectors r",
            "row_normalisation": "Rows scaled to length 1",
            "n_init": "Restarts",
        },
    },
    data=dashboard.Table(max_rows=400, row_limit=2000),
    data_by_method={
        "spectral, of a graph": dashboard.Graph({"source": "library", "data": "karate_club"})
    },
    opening="two-moons-one-edge-cut",
    scene=spectral_scene,
    check=dashboard.Check(spectral_reference, ("eigenvalues_", "labels_")),
    results={"Connected components": "n_connected_components_"},
    results_by_method={
        "spectral, of a graph": {"Ratio cut": "ratio_cut_", "Normalised cut": "normalized_cut_"}
    },
    figures=(
        dashboard.Plot(
            "Cuts compared",
            cuts_compared,
            "The minimum cut is often a single row; ratio cut and normalised cut penalise that.",
        ),
        dashboard.Plot(
            "Similarity matrix",
            similarity_matrix,
            "By cluster; a good cut has its weight on the diagonal.",
        ),
        dashboard.known_classes(),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(
        dashboard.Setting(
            "axes",
            "Eigenvectors on the axes",
            *OPTIONS["axes"],
            "Of the embedding. auto: the first two that are not constant. "
            "k-means uses all of them anyway.",
        ),
        dashboard.Drag("n_clusters"),
    ),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
