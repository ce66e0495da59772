import ui
from dmlib.evaluation import ClassifierReport
from dmlib.plots.class_rates import class_rates_data, plot_class_rates
from dmlib.plots.metric_models import metric_models_data, plot_metric_models
from dmlib.plots.threshold_measures import plot_threshold_measures, threshold_measures_data
from dmlib.reference.classifier_metrics import metrics_code, metrics_reference
from dmlib.scene import Scene
from dmlib.scenes.classifier_metrics import classifier_metrics_scene

SIZES = [f"{how}_{what}" for how in ("mean", "worst") for what in ("radius", "perimeter", "area")]
SIZES += ["radius_error", "perimeter_error", "area_error"]


def scene(run: ui.Run) -> Scene:
    """Draw the run; rows that are held out are classified by the model of all others."""
    return classifier_metrics_scene(
        run.problem,
        run.trace,
        model=run.params["model"],
        column=run.params.get("column", 1),
        threshold=run.params["threshold"],
        fitted=None if run.problem.test is None else run.fitted,
        selected=run.selected,
    )


ui.show(
    ui.Technique(
        slug="classifier_metrics",
        algorithms={"Report": ClassifierReport},
        groups={
            "Decision": {
                "model": "What is measured",
                "threshold": "Threshold of two classes",
                "cost_fp": "Cost of a false positive",
                "cost_fn": "Cost of a false negative",
            },
            "Scores": {
                "scoring": "Rows are scored by",
                "folds": "Folds",
                "test_size": "Share held out to be scored",
            },
        },
        labelled=True,
        plane=False,
        positive="positive",
        model="model",
        column=ui.ColumnChoice("column", "Column of the scores", "model", "column", ("scoring", "folds", "test_size")),
        start={"source": "library", "data": "heart_disease", "test": "0"},
        handles={"threshold": "threshold"},
        scene=scene,
        results={"Accuracy": "accuracy_", "Balanced accuracy": "balanced_accuracy_", "Kappa": "kappa_"},
        equivalent=lambda run: metrics_code(run.estimator()),
        reference=lambda run: metrics_reference(run.estimator(), run.problem.training.data, run.problem.training.y),
        compare=(
            "confusion_",
            "accuracy_",
            "balanced_accuracy_",
            "class_rates_",
            "kappa_",
            "quadratic_loss_",
            "informational_loss_",
        ),
        plots=(
            ui.Plot(
                "Every threshold",
                lambda run: plot_threshold_measures(
                    threshold_measures_data(run.fitted, run.problem.training.y, run.problem.classes)
                ),
                "No threshold is best in everything. Change the costs, and see where the cheapest one moves.",
            ),
            ui.Plot(
                "Each class",
                lambda run: plot_class_rates(class_rates_data(run.fitted.confusion_, run.problem.classes)),
                "Each class against all the rest. Where the macro and weighted means differ, rare classes fare apart.",
            ),
            ui.Plot(
                "Models",
                lambda run: plot_metric_models(
                    metric_models_data(run.estimator(), run.problem.training.data, run.problem.training.y)
                ),
                "A model that is not clearly better than ZeroR, which looks at no column, has learned nothing of use.",
            ),
        ),
        presets=(
            ui.Preset(
                "Accuracy says nothing",
                "381 rows are A, 19 are B. The model is right in 95.25% and so is ZeroR, which finds no B at all. "
                "This one finds 6: recall 0.32, kappa 0.36.",
                {"source": "generator", "generator": "unequal_sizes", "unequal_sizes.n_samples": 400, "seed": 3}
                | {"unequal_sizes.centers": 2, "unequal_sizes.ratio": 20.0, "unequal_sizes.spread": 2.5},
            ),
            ui.Preset(
                "A model that looks at nothing",
                "ZeroR calls all 303 patients healthy: right in 54%, kappa 0. Precision is 0/0: nobody is called ill.",
                {"model": "zero_r"},
            ),
            ui.Preset(
                "A miss costs ten alarms",
                "At 0.5 a row costs 0.89. Drag the threshold to 0.12: 0.36, though fewer answers are right.",
                {"data": "breast_cancer", "positive": "malignant", "cost_fn": 10.0},
            ),
            ui.Preset(
                "Right, but far too sure",
                "Nine columns say the same, the size. 90.5% are right, yet the loss, 1.25 bits, is more than the "
                "0.95 of who knows only the classes' shares. Choose logistic regression: 0.22.",
                {"data": "breast_cancer", "breast_cancer.features": SIZES},
            ),
            ui.Preset(
                "One sure mistake is infinitely bad",
                "Only 5 of 150 are wrong. But a pure leaf gives the true class of a mistake the probability 0: "
                "the informational loss is infinite, the quadratic one 0.07.",
                {"data": "iris", "model": "decision_tree"},
            ),
            ui.Preset(
                "Rare classes vanish in the mean",
                "All 11 mistakes are called mammals, three of four amphibians among them. "
                "Accuracy 0.89, but the mean recall of the seven classes is 0.75.",
                {"data": "zoo"},
            ),
            ui.Preset(
                "Scored on what was learned",
                "A tree recites: 98% are right. Let it be scored by cross validation: 57%, hardly more than ZeroR.",
                {"model": "decision_tree", "scoring": "training"},
            ),
            ui.Preset(
                "A measurement as the answer",
                "No model: whose ECG dips by at least 1 is called ill. 70% are right, kappa is 0.39.",
                {"heart_disease.features": ["st_depression"], "model": "column", "threshold": 1.0},
            ),
        ),
        sources=(
            "I. H. Witten, E. Frank and M. A. Hall (2011), Data mining, chapter 5",
            "P.-N. Tan, M. Steinbach and V. Kumar (2006), Introduction to data mining, section 5.7",
            "J. Cohen (1960), A coefficient of agreement for nominal scales",
        ),
    )
)
