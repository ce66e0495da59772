import ui
from dmlib.regression import ElasticNet, Lasso, Ridge
from dmlib.regression.ridge_lasso.figures.prices import (
    N_SPLITS,
    cross_validation_data,
    paths,
    plot_cross_validation,
    shrinkage,
)
from dmlib.regression.ridge_lasso.reference import ridge_lasso_code, ridge_lasso_reference
from dmlib.regression.ridge_lasso.scene import ridge_lasso_scene

ui.show(
    ui.Technique(
        slug="ridge_lasso",
        methods={"Lasso": Lasso, "Ridge": Ridge, "Elastic net": ElasticNet},
        labels={
            "Penalty": {"alpha": "Price α", "l1_ratio": "Share of |b|, ρ"},
            "Stopping": {"max_iter": "Max. passes", "tol": "Tolerance"},
        },
        data=ui.Table(
            "number",
            {"source": "library", "data": "mtcars", "columns": "hp qsec", "scaling": "z-score", "test": "0"},
            weighs_columns=True,
        ),
        scene=ridge_lasso_scene,
        check=ui.Check(ridge_lasso_reference, ("coef_", "intercept_", "predict"), ridge_lasso_code),
        results={"R²": "r2_", "Coefficients ≠ 0": "n_nonzero_", "SSE": "sse_"},
        figures=(
            ui.Plot("Paths", paths, "All coefficients as the price falls."),
            ui.sweep(
                "Cross-validation",
                cross_validation_data,
                plot_cross_validation,
                N_SPLITS,
                "The price that errs least, and the highest price that errs hardly more.",
            ),
            ui.Plot("Shrinkage", shrinkage, "What a ridge leaves of each direction of the columns."),
        ),
        tools=(
            ui.ShowColumn("across", "Across", "the first column", ""),
            ui.ShowColumn("up", "Up", "the second column", ""),
        ),
    )
)
