import dashboard
from dmlib.classification import LogisticRegression
from dmlib.classification.logistic_regression.figures.c_path import c_path
from dmlib.classification.logistic_regression.figures.odds_ratios import odds_ratios
from dmlib.classification.logistic_regression.figures.score_curve import score_curve
from dmlib.classification.logistic_regression.questions import Rule, questions
from dmlib.classification.logistic_regression.reference import logistic_regression_reference
from dmlib.classification.logistic_regression.scene import (
    OPTIONS,
    SMALL_PICTURES,
    logistic_regression_scene,
    too_many_steps,
)

TECHNIQUE = dashboard.Technique(
    slug="logistic_regression",
    methods={"Logistic regression": LogisticRegression},
    labels={
        "Algorithm": {"C": "C (∞: no penalty)", "solver": "Solver"},
        "Steps": {
            "max_iter": "Max. iterations or epochs",
            "tol": "Tolerance",
            "learning_rate": "Learning rate",
            "batch_size": "Batch size",
        },
        "Model": {"fit_intercept": "Intercept", "grouped": "Last column counts rows"},
    },
    data=dashboard.Table(
        "one class", {"source": "library", "data": "penguins"}, limits=too_many_steps
    ),
    scene=logistic_regression_scene,
    check=dashboard.Check(logistic_regression_reference, ("coef_", "intercept_")),
    results={"Log-likelihood": "log_likelihood_"},
    figures=(
        dashboard.confusion_matrix(
            "Which classes are confused at the threshold P = 0.5; every row counts once."
        ),
        dashboard.Plot(
            "Odds ratios",
            odds_ratios,
            "The factor of the odds for one unit more, with 95 % limits where C is ∞.",
        ),
        dashboard.Plot(
            "Observed and fitted",
            score_curve,
            "Each disc is a group of rows: its class fraction should lie on the curve.",
        ),
        dashboard.Plot("Choose C", c_path, "Coefficients and mean log-loss for each penalty."),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(
        dashboard.Ask(always=True),
        dashboard.CLASS_WEIGHTS,
        dashboard.Setting(
            "beside",
            "Small picture",
            *OPTIONS["beside"],
            "The likelihood over two coefficients, the others "
            "fixed at the last step; or after each step.",
            SMALL_PICTURES,
        ),
    ),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
