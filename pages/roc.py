import dashboard
from dmlib.evaluation import ThresholdSweep
from dmlib.evaluation.roc.figures.lift_tenths import lift_tenths
from dmlib.evaluation.roc.figures.mailing_profit import MAILING, mailing_profit
from dmlib.evaluation.roc.figures.roc_models import roc_models
from dmlib.evaluation.roc.questions import Rule, questions
from dmlib.evaluation.roc.reference import roc_reference
from dmlib.evaluation.roc.scene import OPTIONS, SIDE_CURVES, roc_scene
from dmlib.params import Choice, Flag, Number

PRIOR = Number(0.0, 0.99, step=0.01)
PAYOFF = Number(0.0, 1000.0, shown=(0.0, 20.0), step=0.5)

TECHNIQUE = dashboard.Technique(
    slug="roc",
    methods={"ROC": ThresholdSweep},
    labels={
        "Scores": {
            "model": "Classifier",
            "scoring": "Evaluate with",
            "folds": "Folds",
            "test_size": "Test fraction",
        }
    },
    data=dashboard.Table(
        "one class", {"source": "library", "data": "heart_disease", "test": "0"}, plane=False
    ),
    opening="the-threshold-that-costs-least",
    scene=roc_scene,
    check=dashboard.Check(roc_reference, ("fpr_", "tpr_", "auc_", "average_precision_")),
    results={
        "AUC": dashboard.Result("auc_", is_sum=True),
        "Average precision": dashboard.Result("average_precision_", is_sum=True),
    },
    figures=(
        dashboard.Plot(
            "Models",
            roc_models,
            "Every model on the same folds. Curves that cross are no ranking: compare them at"
            " your threshold.",
        ),
        dashboard.Plot(
            "Lift",
            lift_tenths,
            "How many times more positives the best tenths hold than random tenths.",
        ),
        dashboard.Plot(
            "Mailing", mailing_profit, "UnitB · MaxR · gain(X) − UnitCost · N · X / 100, in money."
        ),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(
        dashboard.MainSetting("cost_fp", "False positive cost", PAYOFF, OPTIONS["cost_fp"]),
        dashboard.MainSetting("cost_fn", "False negative cost", PAYOFF, OPTIONS["cost_fn"]),
        dashboard.MainSetting(
            "beside",
            "Small panels",
            Choice(SIDE_CURVES),
            OPTIONS["beside"],
            "A single curve is as large as these, in a lecture room too.",
        ),
        dashboard.PickColumn(
            "column", "Column of the scores", "model", "column", ("scoring", "folds", "test_size")
        ),
        dashboard.Setting("benefit_tp", "True positive benefit", PAYOFF, OPTIONS["benefit_tp"]),
        dashboard.Setting("benefit_tn", "True negative benefit", PAYOFF, OPTIONS["benefit_tn"]),
        dashboard.Setting(
            "prior",
            "Prior (0: as in the data)",
            PRIOR,
            OPTIONS["prior"],
            "The fraction of positives in use.",
        ),
        dashboard.Setting(
            "play_folds",
            "Play folds",
            Flag(),
            OPTIONS["play_folds"],
            "Off: it starts at the scores.",
        ),
        *(dashboard.Setting(name, *setting, "Tab *Mailing*.") for name, setting in MAILING.items()),
        dashboard.PickModel("model"),
    ),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
