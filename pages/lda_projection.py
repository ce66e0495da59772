import ui
from dmlib.classification import LinearDiscriminantAnalysis
from dmlib.decomposition.lda_projection.figures.two_planes import two_planes
from dmlib.decomposition.lda_projection.reference import lda_projection_reference
from dmlib.decomposition.lda_projection.scene import OPTIONS, lda_projection_scene

ui.show(
    ui.Technique(
        slug="lda_projection",
        methods={"Discriminant projection": LinearDiscriminantAnalysis},
        labels={"Algorithm": {"n_components": "Axes"}},
        data=ui.Table(
            "classes",
            {
                "source": "library",
                "data": "penguins",
                "columns": "bill_length_mm bill_depth_mm",
                "test": "0",
            },
        ),
        scene=lda_projection_scene,
        check=ui.Check(
            lda_projection_reference, ("explained_variance_ratio_", "scalings_", "transform")
        ),
        results={"Fisher's ratio": "eigenvalues_", "Share": "explained_variance_ratio_"},
        figures=(
            ui.Plot(
                "Axes and components",
                two_planes,
                "The rows on discriminant axes and principal components.",
            ),
            ui.confusion_matrix(),
        ),
        tools=(
            ui.Setting(
                "angle",
                "Your axis (°)",
                *OPTIONS["angle"],
                "Or drag its end in the picture, or the line.",
            ),
            ui.Drag("axis", sets="angle"),
            ui.Drag("angle"),
        ),
    )
)
