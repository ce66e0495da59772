import ui
from dmlib.classification import LogisticRegression
from dmlib.params import Choice
from dmlib.plots.c_path import c_path_data, plot_c_path
from dmlib.plots.odds_ratios import odds_data, plot_odds_ratios
from dmlib.plots.score_curve import plot_score_curve, score_curve_data
from dmlib.reference.logistic_regression import logistic_regression_code, logistic_regression_reference
from dmlib.scenes.logistic_regression import features_of, logistic_regression_scene, too_many_steps

ui.show(
    ui.Technique(
        slug="logistic_regression",
        algorithms={"Logistic regression": LogisticRegression},
        groups={
            "Algorithm": {"C": "C (∞: no penalty)", "solver": "Solver"},
            "Steps": {
                "max_iter": "Most iterations or epochs",
                "tol": "Tolerance",
                "learning_rate": "Learning rate",
                "batch_size": "Rows in a batch",
            },
            "Model": {"fit_intercept": "Intercept", "grouped": "Last column counts the rows"},
        },
        labelled=True,
        binary=True,
        query="always",
        start={"source": "library", "data": "penguins"},
        limits=too_many_steps,
        scene=lambda run: logistic_regression_scene(
            run.problem, run.trace, run.fitted, run.surface, run.query, **run.options
        ),
        options={
            "beside": ui.Option(
                "Small picture",
                Choice(("slopes", "intercept", "height")),
                "slopes",
                "The likelihood over two coefficients, the others held where the steps end; or its height.",
                {
                    "slopes": "Likelihood over two slopes",
                    "intercept": "Likelihood over intercept and slope",
                    "height": "Likelihood after each step",
                },
            ),
        },
        results={"Coefficients": "coef_", "Intercept": "intercept_"},
        equivalent=lambda run: logistic_regression_code(run.estimator()),
        reference=lambda run: logistic_regression_reference(
            run.estimator(), run.problem.training.data, run.problem.training.y
        ),
        compare=("coef_", "intercept_"),
        plots=(
            ui.confusion_matrix(
                "How often each class was taken for which, at the threshold P = 0.5; every row counts once."
            ),
            ui.Plot(
                "Odds ratios",
                lambda run: plot_odds_ratios(
                    odds_data(run.fitted, features_of(run.problem, run.fitted), run.problem.classes[1])
                ),
                "What one unit more of a column multiplies the odds by, with 95 % limits where C is ∞.",
            ),
            ui.Plot(
                "Observed and fitted",
                lambda run: plot_score_curve(score_curve_data(run.problem, run.fitted)),
                "Each disc is a group of rows: its share of the class should lie on the curve.",
            ),
            ui.Plot(
                "Choose C",
                lambda run: plot_c_path(c_path_data(run.problem, run.fitted, features_of(run.problem, run.fitted))),
                "How the penalty shrinks the coefficients, and what it does to the loss.",
            ),
        ),
        presets=(
            ui.Preset(
                "One column: the curve itself",
                "The probability that a bank is weak, over its loans. At the end β is −6.926 and 10.989: drag the "
                "query to see the odds multiply.",
                {"data": "banks", "banks.features": ["loans_to_assets"], "test": 0, "C": "inf"},
            ),
            ui.Preset(
                "Grouped data: 10,524 households",
                "Each row counts as often as its last column says. At the end, moving house multiplies the odds by "
                "2.70, and the ledger compares observed and fitted numbers of the eight groups.",
                {
                    "data": "telephone",
                    "telephone.features": ["college", "moved", "high_income", "households"],
                    "test": 0,
                    "C": "inf",
                    "grouped": True,
                },
            ),
            ui.Preset(
                "A perfect border",
                "Every step makes the probability steeper, and the small map has no top. Set C to 1: the penalty gives "
                "an answer.",
                {"data": "iris", "iris.positive": "setosa", "C": "inf"},
            ),
            ui.Preset(
                "Mixed only on the border",
                "Left of x = 5 all are of one class, right of it all of the other: the coefficient of x grows for "
                "ever, though some rows on the border stay wrong.",
                {
                    "source": "draw",
                    "points": "GQMgAJYlgAMg1IAPoZAASwJYAUArwAXwSwAZAiYAaQ4QAHg4QA4QNwB1InYByA2YBu4ZoBrwGQBqgrwBmwSw"
                    "BlgiYBkQ3AB5gcIBfQJYAfQSwBfQcIAfQlgBfQu4AfQ4QB",
                    "test": 0,
                    "C": "inf",
                },
            ),
            ui.Preset(
                "The zigzag",
                "In these units the gradient crosses a narrow ridge again and again, its step halved ten times and "
                "more. Set Scaling to z-score and the learning rate to 10: 37 steps reach the top.",
                {"data": "penguins", "solver": "gd"},
            ),
            ui.Preset(
                "A few rows at a time",
                "Each step follows the ringed rows only, so the path trembles on its way up, and less so in later "
                "epochs.",
                {"data": "penguins", "scaling": "z-score", "solver": "sgd", "max_iter": 10, "batch_size": 8},
            ),
            ui.Preset(
                "A penalty too strong",
                "All rows are called not Chinstrap, because both slopes are held near 0. Open Choose C below the "
                "picture.",
                {"data": "penguins", "scaling": "z-score", "C": 0.01},
            ),
            ui.Preset(
                "Two moons, one straight border",
                "The best straight border is wrong on the tips of both moons, whatever the solver.",
                {"source": "generator", "generator": "moons", "C": "inf"},
            ),
        ),
    )
)
