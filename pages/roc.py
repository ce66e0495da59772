import ui
from dmlib.evaluation import ThresholdSweep
from dmlib.params import Choice, Number
from dmlib.plots.lift_tenths import lift_tenths_data, plot_lift_tenths
from dmlib.plots.roc_models import plot_roc_models, roc_models_data
from dmlib.reference.roc import roc_code, roc_reference
from dmlib.scene import Scene
from dmlib.scenes.roc import BESIDE, roc_scene

WORTH = Number(0.0, 1000.0, shown=(0.0, 20.0), step=0.5)


def scene(run: ui.Run) -> Scene:
    """Draw the run; rows that were not scored get a score from the model of all others."""
    unscored = run.problem.test is not None or run.params["scoring"] == "held_out"
    fitted = run.fitted if unscored else None
    return roc_scene(
        run.problem,
        run.trace,
        model=run.params["model"],
        column=run.params.get("column", 1),
        fitted=fitted,
        selected=run.selected,
        **run.options,
    )


ui.show(
    ui.Technique(
        slug="roc",
        algorithms={"ROC": ThresholdSweep},
        groups={
            "Scores": {
                "model": "Scores from",
                "scoring": "Rows are scored by",
                "folds": "Folds",
                "test_size": "Share held out to be scored",
            }
        },
        labelled=True,
        binary=True,
        plane=False,
        model="model",
        column=ui.ColumnChoice("column", "Column of the scores", "model", "column", ("scoring", "folds", "test_size")),
        start={"source": "library", "data": "heart_disease", "test": "0"},
        scene=scene,
        options={
            "prior": ui.Option(
                "Prior (0: as in the data)",
                Number(0.0, 0.99, step=0.01),
                0.0,
                "The share of positive rows where the classifier is used.",
            ),
            "benefit_tp": ui.Option("Benefit of a true positive", WORTH, 1.0, "What a true positive brings."),
            "cost_fp": ui.Option("Cost of a false positive", WORTH, 1.0, "What a false alarm costs."),
            "cost_fn": ui.Option("Cost of a false negative", WORTH, 0.0, "What a miss costs."),
            "benefit_tn": ui.Option("Benefit of a true negative", WORTH, 0.0, "What a true negative brings."),
            "beside": ui.Option("Beside ROC and scores", Choice(BESIDE), "all"),
        },
        results={"AUC": "auc_", "Average precision": "average_precision_"},
        equivalent=lambda run: roc_code(run.estimator()),
        reference=lambda run: roc_reference(run.estimator(), run.problem.training.data, run.problem.training.y),
        compare=("fpr_", "tpr_", "auc_", "average_precision_"),
        plots=(
            ui.Plot(
                "Models",
                lambda run: plot_roc_models(
                    roc_models_data(run.estimator(), run.problem.training.data, run.problem.training.y)
                ),
                "Every model on the same rows and folds. Curves that cross are no ranking: look where you would work.",
            ),
            ui.Plot(
                "Lift",
                lambda run: plot_lift_tenths(lift_tenths_data(run.fitted)),
                "How many times more positives the best scored rows hold than rows drawn by lot.",
            ),
        ),
        presets=(
            ui.Preset(
                "A good ROC curve, a poor precision",
                "Only 19 of 400 rows are positive. AUC is 0.97, yet to find all of them most alarms must be false.",
                {"source": "generator", "generator": "unequal_sizes", "unequal_sizes.n_samples": 400, "seed": 3}
                | {"unequal_sizes.centers": 2, "unequal_sizes.ratio": 20.0, "unequal_sizes.spread": 2.0},
            ),
            ui.Preset(
                "Scoring what was learned",
                "Neighbours that include the row itself: AUC 0.84. Choose cross validation, and it is 0.71.",
                {"data": "heart_disease", "model": "knn", "scoring": "training"},
            ),
            ui.Preset(
                "Few scores, few corners",
                "Five neighbours give six scores: rows pass in groups, up and to the right at once, in slanted pieces.",
                {"data": "heart_disease", "model": "knn"},
            ),
            ui.Preset(
                "A measurement as a score",
                "No model at all: the dip of the ECG under exercise is the score. AUC 0.74, as good as a model of two.",
                {"data": "heart_disease", "heart_disease.features": ["st_depression"], "model": "column"},
            ),
            ui.Preset(
                "Below the diagonal",
                "A high heart rate is a good sign, so AUC is 0.255. Turned round, the same score would reach 0.745.",
                {"data": "heart_disease", "heart_disease.features": ["max_heart_rate"], "model": "column"},
            ),
            ui.Preset(
                "A miss costs three alarms",
                "The line of equal cost gets flat, and the best threshold falls to 0.21. Set both costs to 1: 0.53.",
                {"data": "heart_disease", "benefit_tp": 0.0, "cost_fn": 3.0},
            ),
            ui.Preset(
                "Few will answer",
                "One in twenty is positive where letters are sent; an answer brings 9, a letter in vain costs 1. "
                "To all, a letter loses 0.5; down to a score of 0.55, it gains 0.08.",
                {"data": "heart_disease", "prior": 0.05, "benefit_tp": 9.0},
            ),
        ),
        sources=(
            "T. Fawcett (2006), An introduction to ROC analysis",
            "F. Provost and T. Fawcett (2001), Robust classification for imprecise environments",
        ),
    )
)
