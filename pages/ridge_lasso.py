import dashboard
from dmlib.regression import ElasticNet, Lasso, Ridge
from dmlib.regression.ridge_lasso.figures.choice import FOLDS, errors_by_alpha, plot_choice
from dmlib.regression.ridge_lasso.figures.methods import side_by_side
from dmlib.regression.ridge_lasso.questions import Rule, questions
from dmlib.regression.ridge_lasso.reference import ridge_lasso_reference
from dmlib.regression.ridge_lasso.scene import OPTIONS, SIDE_PICTURES, ridge_lasso_scene

TECHNIQUE = dashboard.Technique(
    slug="ridge_lasso",
    methods={"Lasso": Lasso, "Ridge": Ridge, "Elastic net": ElasticNet},
    labels={
        "Algorithm": {
            "alpha": "Penalty λ",
            "l1_ratio": "L1 ratio ρ",
            "standardize": "Standardise columns",
        },
        "Coordinate descent": {
            "fit_intercept": "Intercept",
            "max_iter": "Max. sweeps",
            "tol": "Tolerance",
        },
    },
    data=dashboard.Table(
        "number",
        {"source": "library", "data": "mtcars", "test": "0", "columns": "wt hp"},
        plane=False,
    ),
    scene=ridge_lasso_scene,
    check=dashboard.Check(ridge_lasso_reference, ("coef_", "intercept_", "rmse_")),
    results={"R²": "r2_", "Non-zero coefficients": dashboard.Result("coef_", dashboard.n_nonzero)},
    figures=(
        dashboard.Sweep(
            "Choice of λ",
            errors_by_alpha,
            plot_choice,
            FOLDS,
            "Cross-validation and one-standard-error rule.",
        ),
        dashboard.Plot(
            "All side by side",
            side_by_side,
            "Least squares, ridge, elastic net and lasso with this λ.",
        ),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(
        dashboard.ShowColumn("across", "Horizontal axis", "Largest coefficient", "Coefficient of"),
        dashboard.ShowColumn("up", "Vertical axis", "Next largest", "Coefficient of"),
        dashboard.Setting("beside", "Small picture", *OPTIONS["beside"], names=SIDE_PICTURES),
        dashboard.Drag("alpha", within=True, log=True),
    ),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
