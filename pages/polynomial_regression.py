import dashboard
from dmlib.regression import LocalRegression, NaturalSpline, PolynomialRegression
from dmlib.regression.polynomial_regression.figures.errors import N_SPLITS, error_data, plot_errors
from dmlib.regression.polynomial_regression.questions import Rule, questions
from dmlib.regression.polynomial_regression.reference import polynomial_regression_reference
from dmlib.regression.polynomial_regression.scene import polynomial_regression_scene

TECHNIQUE = dashboard.Technique(
    slug="polynomial_regression",
    methods={
        "Polynomial": PolynomialRegression,
        "Natural cubic spline": NaturalSpline,
        "Local regression": LocalRegression,
    },
    labels={
        "Curve": {
            "degree": "Degree",
            "alpha": "Penalty λ",
            "n_knots": "Knots",
            "span": "Span",
            "n_iter": "Robust rounds",
        }
    },
    data=dashboard.Table(
        "number", {"source": "generator", "generator": "noisy_curve", "test": "0.3"}
    ),
    opening="drag-the-degree",
    scene=polynomial_regression_scene,
    check=dashboard.Check(polynomial_regression_reference, ("fitted_", "rmse_")),
    results={"R²": "r2_"},
    figures=(
        dashboard.Sweep(
            "Which curve",
            error_data,
            plot_errors,
            N_SPLITS,
            "Cross-validated errors of all three methods.",
        ),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(
        dashboard.PickColumn("column", "x"),
        *(dashboard.Drag(name, within=True) for name in ("degree", "n_knots", "span")),
    ),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
