import ui
from dmlib.regression import PLSRegression, PrincipalComponentRegression
from dmlib.regression.pcr.figures.errors import N_SPLITS, coefficients, error_data, plot_errors
from dmlib.regression.pcr.reference import pcr_reference
from dmlib.regression.pcr.scene import pcr_scene

ui.show(
    ui.Technique(
        slug="pcr",
        methods={
            "Principal components": PrincipalComponentRegression,
            "Partial least squares": PLSRegression,
        },
        labels={"Components": {"n_components": "Components", "scale": "Scale the columns"}},
        data=ui.Table(
            "number",
            {
                "source": "library",
                "data": "mtcars",
                "columns": "cyl disp hp drat wt qsec",
                "test": "0",
            },
            plane=False,
        ),
        scene=pcr_scene,
        check=ui.Check(pcr_reference, ("coef_",)),
        results={"R²": "r2_", "Variance explained": "explained_variance_ratio_"},
        figures=(
            ui.sweep(
                "Error by components",
                error_data,
                plot_errors,
                N_SPLITS,
                "Cross-validated errors by the number of components.",
            ),
            ui.Plot(
                "Coefficients",
                coefficients,
                "Coefficients of the original columns, by the number of components.",
            ),
        ),
        tools=(ui.Drag("n_components", within=True),),
        prepared=ui.Prepared(),
    )
)
