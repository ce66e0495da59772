import dashboard
from dmlib.decomposition import PCA
from dmlib.decomposition.pca.figures.biplot import biplot, loadings, scores_3d
from dmlib.decomposition.pca.figures.reconstruction import reconstruction, rows_rebuilt
from dmlib.decomposition.pca.figures.retrieval import nearest_rows
from dmlib.decomposition.pca.figures.scree import scree
from dmlib.decomposition.pca.questions import Rule, questions
from dmlib.decomposition.pca.reference import pca_reference
from dmlib.decomposition.pca.scene import OPTIONS, pca_scene

MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec"
DECOMPOSITION = (
    "components_",
    "explained_variance_",
    "singular_values_",
    "mean_",
    "noise_variance_",
    "transform",
)
LABELS = {
    "Algorithm": {"n_components": "Components k", "whiten": "Whiten the scores"},
    "Computation": {
        "svd_solver": "Solver",
        "tol": "Tolerance (rad)",
        "max_iter": "Max. iterations per component",
    },
}
FIGURES = (
    dashboard.Plot(
        "Scree",
        scree,
        "The variance of each component. Rules of thumb for how many to keep need not agree.",
    ),
    dashboard.Plot(
        "Biplot",
        biplot,
        "Arrows in one direction: columns that rise together; at right angles: uncorrelated.",
    ),
    dashboard.Plot("Loadings", loadings, "The correlation of each column with each component."),
    dashboard.Plot("Scores in 3-D", scores_3d),
    dashboard.Plot(
        "Reconstruction", reconstruction, "What is lost when only k components are kept."
    ),
    dashboard.Plot(
        "Rows rebuilt",
        rows_rebuilt,
        "Some rows and their reconstruction from k components: try the presets on digits.",
    ),
    dashboard.Plot("Nearest rows", nearest_rows, "The row that is clicked, found by its scores."),
)
ANGLE = dashboard.Setting(
    "angle",
    "Your axis (°)",
    *OPTIONS["angle"],
    "Or drag its end in the picture, or the line beside it.",
)
NOISE = dashboard.Setting(
    "noise",
    "Added noise",
    *OPTIONS["noise"],
    "In standard deviations of the columns; for Reconstruction and Rows rebuilt.",
)

TECHNIQUE = dashboard.Technique(
    slug="pca",
    methods={"PCA": PCA},
    labels=LABELS,
    data=dashboard.Table(
        start={"source": "library", "data": "el_nino", "columns": MONTHS, "view": "pca"},
        weighs_columns=True,
    ),
    scene=pca_scene,
    check=dashboard.Check(pca_reference, DECOMPOSITION),
    results={
        "Variance, PC1 + PC2": dashboard.Result(
            "explained_variance_ratio_", dashboard.sum_of_two, is_share=True
        )
    },
    figures=FIGURES,
    prepared=dashboard.Prepared(),
    practice=dashboard.Practice(questions, Rule),
    tools=(ANGLE, NOISE, dashboard.Drag("axis", sets="angle"), dashboard.Drag("angle")),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
