import dashboard
from dmlib.classification import AdaBoostClassifier, GradientBoostingClassifier
from dmlib.classification.adaboost.figures.error_by_round import error_by_round
from dmlib.classification.adaboost.figures.importance import importance
from dmlib.classification.adaboost.figures.margins import margins
from dmlib.classification.adaboost.questions import Rule, questions
from dmlib.classification.adaboost.reference import adaboost_reference
from dmlib.classification.adaboost.scene import adaboost_scene

TECHNIQUE = dashboard.Technique(
    slug="adaboost",
    methods={"AdaBoost": AdaBoostClassifier, "gradient boosting": GradientBoostingClassifier},
    labels={
        "Algorithm": {
            "estimator": "Base learner",
            "n_estimators": "Rounds (n_estimators)",
            "max_depth": "Maximum depth",
            "learning_rate": "Learning rate",
            "resample": "Resample by weight",
        },
        "Trees and classes": {
            "criterion": "Split criterion",
            "multiclass": "More than two classes",
        },
    },
    data=dashboard.Table("classes", {"source": "generator", "generator": "moons"}),
    scene=adaboost_scene,
    check=dashboard.Check(adaboost_reference, ("decision_function", "predict_proba")),
    results={},
    figures=(
        dashboard.Plot(
            "Error by round",
            error_by_round,
            "Choose the rounds by cross-validated, not training error.",
        ),
        dashboard.Plot("Margins", margins, "Margins go on growing after the training error is 0."),
        dashboard.Plot(
            "Importance", importance, "The columns by the impurity decrease of their splits."
        ),
        dashboard.confusion_matrix(),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(dashboard.Ask(),),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
