import dashboard
from dmlib.evaluation import ClassifierReport
from dmlib.evaluation.classifier_metrics.figures.class_rates import class_rates
from dmlib.evaluation.classifier_metrics.figures.metric_models import metric_models
from dmlib.evaluation.classifier_metrics.figures.threshold_measures import threshold_measures
from dmlib.evaluation.classifier_metrics.questions import Rule, questions
from dmlib.evaluation.classifier_metrics.reference import metrics_reference
from dmlib.evaluation.classifier_metrics.scene import classifier_metrics_scene
from dmlib.params import Number

COMPARED = ("confusion_", "accuracy_", "balanced_accuracy_", "class_rates_", "kappa_")
USUAL = "usual"
COST = Number(-1e6, 1e6, shown=(-20.0, 100.0), step=0.5, names=(USUAL,))
WEIGHT = Number(0.0, 1e6, shown=(0.0, 20.0), step=0.5, names=(USUAL,))
LOSSES = ("quadratic_loss_", "informational_loss_")

TECHNIQUE = dashboard.Technique(
    slug="classifier_metrics",
    methods={"Report": ClassifierReport},
    labels={
        "Decision": {
            "model": "Classifier",
            "threshold": "Decision threshold",
            "cost_fp": "False positive cost",
            "cost_fn": "False negative cost",
        },
        "Scores": {"scoring": "Evaluate with", "folds": "Folds", "test_size": "Test fraction"},
    },
    data=dashboard.Table(
        "classes",
        {"source": "library", "data": "heart_disease", "test": "0"},
        plane=False,
        purpose="decisions",
    ),
    scene=classifier_metrics_scene,
    check=dashboard.Check(metrics_reference, (*COMPARED, *LOSSES)),
    results={
        "Accuracy": dashboard.Result("accuracy_", is_share=True),
        "Balanced accuracy": dashboard.Result("balanced_accuracy_", is_share=True),
        "Kappa": "kappa_",
    },
    figures=(
        dashboard.Plot(
            "Every threshold",
            threshold_measures,
            "No threshold is optimal for every measure: change the costs.",
        ),
        dashboard.Plot(
            "Each class",
            class_rates,
            "Where macro and weighted means differ, rare classes are predicted differently.",
        ),
        dashboard.Plot(
            "Models",
            metric_models,
            "A model no better than ZeroR, which uses no column, is of no use.",
        ),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(
        dashboard.PickColumn(
            "column", "Column of the scores", "model", "column", ("scoring", "folds", "test_size")
        ),
        dashboard.PickClass("positive"),
        dashboard.PickModel("model"),
        dashboard.Drag("threshold"),
        dashboard.OwnValues("costs", "cells", "Cell with its own cost", "Cost of", COST, USUAL),
        dashboard.OwnValues(
            "weights", "cells", "Cell with its own weight", "Weight of", WEIGHT, USUAL
        ),
    ),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
