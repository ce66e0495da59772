import dashboard
from dmlib.classification import LinearDiscriminantAnalysis
from dmlib.decomposition.lda_projection.figures.two_planes import two_planes
from dmlib.decomposition.lda_projection.questions import Rule, questions
from dmlib.decomposition.lda_projection.reference import lda_projection_reference
from dmlib.decomposition.lda_projection.scene import OPTIONS, lda_projection_scene

TECHNIQUE = dashboard.Technique(
    slug="lda_projection",
    methods={"Discriminant projection": LinearDiscriminantAnalysis},
    labels={"Algorithm": {"n_components": "Axes"}},
    data=dashboard.Table(
        "classes",
        {
            "source": "library",
            "data": "penguins",
            "columns": "bill_length_mm bill_depth_mm",
            "test": "0",
        },
    ),
    scene=lda_projection_scene,
    check=dashboard.Check(
        lda_projection_reference, ("explained_variance_ratio_", "scalings_", "transform")
    ),
    results={
        "Fisher's ratio": dashboard.Result("eigenvalues_", dashboard.first),
        "Share of w1": dashboard.Result(
            "explained_variance_ratio_", dashboard.first, is_share=True
        ),
    },
    figures=(
        dashboard.Plot(
            "Axes and components",
            two_planes,
            "The rows on discriminant axes and principal components.",
        ),
        dashboard.confusion_matrix(),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(
        dashboard.Setting(
            "angle",
            "Your axis (°)",
            *OPTIONS["angle"],
            "Or drag its end in the picture, or the line.",
        ),
        dashboard.Drag("axis", sets="angle"),
        dashboard.Drag("angle"),
    ),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
