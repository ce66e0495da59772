import dashboard
from dmlib.evaluation import ClassifierResampling, RegressorResampling
from dmlib.evaluation.models import algorithms
from dmlib.evaluation.resampling.figures import learning, sweeps
from dmlib.evaluation.resampling.figures.comparisons import optimism_of_tuning, two_models
from dmlib.evaluation.resampling.questions import Rule, questions
from dmlib.evaluation.resampling.reference import resampling_reference
from dmlib.evaluation.resampling.scene import NAMES, OPTIONS, resampling_scene
from dmlib.evaluation.resampling.splitting import GROUPED

MOONS = {"generator": "moons", "moons.n_samples": "80", "moons.noise": "0.4"}
RIVAL = "Another model on the same splits."
RIVALS = {"Classifier": "rival", "Regression": "rival_number"}

TECHNIQUE = dashboard.Technique(
    slug="resampling",
    methods={"Classifier": ClassifierResampling, "Regression": RegressorResampling},
    labels={
        "Splits": {
            "scheme": "Splits",
            "model": "Model",
            "folds": "Folds",
            "n_repeats": "Repetitions",
            "test_size": "Test fraction",
            "group_size": "Group size",
            "inner_folds": "Inner folds",
        }
    },
    data=dashboard.Table(
        "classes",
        {"source": "generator", "test": "0", **MOONS},
        targets={"Regression": "number"},
        max_rows=600,
    ),
    scene=resampling_scene,
    check=dashboard.Check(resampling_reference, ("errors_",)),
    results={
        "Estimated error": "estimate_",
        "Training error": "training_error_",
        "Std. dev. of splits": "spread_",
    },
    figures=(
        dashboard.Plot(
            "Two models", two_models, "Folds share training rows: a plain t test has too small p."
        ),
        dashboard.Sweep(
            "200 repetitions",
            sweeps.repetitions_data,
            sweeps.plot_repetitions,
            sweeps.N_REPETITIONS,
        ),
        dashboard.Sweep(
            "Learning curve", learning.learning_data, learning.plot_learning, learning.N_SPLITS
        ),
        dashboard.Sweep("Leakage", sweeps.leakage_data, sweeps.plot_leakage, sweeps.LEAK_TASKS),
        dashboard.Sweep(
            "Leakage on this table",
            sweeps.table_leakage_data,
            sweeps.plot_table_leakage,
            sweeps.TABLE_TASKS,
        ),
        dashboard.Plot(
            "Tuning",
            optimism_of_tuning,
            "The error of a test set that chose the model is optimistic.",
        ),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(
        dashboard.PickModel("model", algorithms=algorithms),
        dashboard.PickColumn(
            "group_column",
            "Groups",
            "scheme",
            GROUPED,
            ("group_size",),
            nominal=True,
            none="rows in a row",
        ),
        *(
            dashboard.Setting(rival, "Compare with", *OPTIONS[rival], RIVAL, NAMES, (method,))
            for method, rival in RIVALS.items()
        ),
    ),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
