import dashboard
from dmlib.regression import LeastAbsoluteDeviations, LeastMeanSquares, LinearRegression
from dmlib.regression.linear_regression.figures.added_variables import added_variables
from dmlib.regression.linear_regression.figures.coefficients import coefficients
from dmlib.regression.linear_regression.figures.residuals import (
    leverage_plot,
    normal_quantiles,
    residuals_against_fitted,
)
from dmlib.regression.linear_regression.questions import RULES, questions
from dmlib.regression.linear_regression.reference import linear_regression_reference
from dmlib.regression.linear_regression.scene import (
    OPTIONS,
    RESIDUALS,
    SIDE_PICTURES,
    linear_regression_scene,
)

SQUARES = ("Least squares",)
TESTS = ("standard_errors_", "t_values_", "p_values_", "f_", "f_p_")

TECHNIQUE = dashboard.Technique(
    slug="linear_regression",
    methods={
        "Least squares": LinearRegression,
        "Least absolute deviations": LeastAbsoluteDeviations,
        "Least mean squares": LeastMeanSquares,
    },
    labels={
        "Algorithm": {
            "solver": "Solver",
            "confidence_level": "Confidence level",
            "fit_intercept": "Intercept",
            "order": "Order of the rows",
        },
        "Gradient descent": {
            "learning_rate": "Learning rate",
            "max_iter": "Max. iterations",
            "tol": "Tolerance",
        },
    },
    data=dashboard.Table("number", {"source": "library", "data": "mtcars", "test": "0"}),
    scene=linear_regression_scene,
    check=dashboard.Check(
        linear_regression_reference, ("coef_", "intercept_", *TESTS, "r2_", "rmse_")
    ),
    results={"R²": "r2_"},
    figures=(
        dashboard.Plot(
            "Coefficients", coefficients, "Standard errors, t tests and variance inflation."
        ),
        dashboard.Plot(
            "Residuals",
            residuals_against_fitted,
            "They should lie around 0 without a pattern.",
            rows=True,
        ),
        dashboard.Plot(
            "Normal Q-Q", normal_quantiles, "Whether the errors look normal.", rows=True
        ),
        dashboard.Plot("Leverage", leverage_plot, "High leverage and a large residual.", rows=True),
        dashboard.Plot(
            "Added variables", added_variables, "Coefficients as slopes of lines.", rows=True
        ),
    ),
    practice=dashboard.Practice(questions, RULES),
    tools=(
        dashboard.Ask(always=True),
        dashboard.PickColumn("weight_column", "Weights", none="none"),
        dashboard.ShowColumn(
            "column", "Large picture", "Fitted against observed", "Partial residuals of"
        ),
        dashboard.ShowTarget("second", "Second target", "none", SQUARES),
        dashboard.Setting("residuals", "Residuals", *OPTIONS["residuals"], names=RESIDUALS),
        dashboard.Setting(
            "bands", "Confidence and prediction bands", *OPTIONS["bands"], methods=SQUARES
        ),
        dashboard.Setting(
            "beside", "Small picture", *OPTIONS["beside"], names=SIDE_PICTURES, methods=SQUARES
        ),
    ),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
