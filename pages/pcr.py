import dashboard
from dmlib.regression import PLSRegression, PrincipalComponentRegression
from dmlib.regression.pcr.figures.errors import N_SPLITS, coefficients, error_data, plot_errors
from dmlib.regression.pcr.questions import Rule, questions
from dmlib.regression.pcr.reference import pcr_reference
from dmlib.regression.pcr.scene import pcr_scene

TECHNIQUE = dashboard.Technique(
    slug="pcr",
    methods={
        "Principal components": PrincipalComponentRegression,
        "Partial least squares": PLSRegression,
    },
    labels={"Components": {"n_components": "Components", "scale": "Scale the columns"}},
    data=dashboard.Table(
        "number",
        {"source": "library", "data": "mtcars", "columns": "cyl disp hp drat wt qsec", "test": "0"},
        plane=False,
    ),
    scene=pcr_scene,
    check=dashboard.Check(pcr_reference, ("coef_",)),
    results={
        "R²": "r2_",
        "Variance explained": dashboard.Result(
            "explained_variance_ratio_", dashboard.total, is_share=True
        ),
    },
    figures=(
        dashboard.Sweep(
            "Error by components",
            error_data,
            plot_errors,
            N_SPLITS,
            "Cross-validated errors by the number of components.",
        ),
        dashboard.Plot(
            "Coefficients",
            coefficients,
            "Coefficients of the original columns, by the number of components.",
        ),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(dashboard.Drag("n_components", within=True),),
    prepared=dashboard.Prepared(),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
