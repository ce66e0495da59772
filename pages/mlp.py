import dashboard
from dmlib import neural
from dmlib.neural.mlp.figures.misclassified import misclassified
from dmlib.neural.mlp.figures.predictions import predictions
from dmlib.neural.mlp.figures.settings_sweep import TASKS, plot_sweep, sweep_data
from dmlib.neural.mlp.figures.weights import weights
from dmlib.neural.mlp.questions import RULES, questions
from dmlib.neural.mlp.reference import mlp_reference
from dmlib.neural.mlp.scene import OPTIONS, VIEW_NAMES, mlp_scene

CLASSES, NUMBERS = "Classification", "Regression"

TECHNIQUE = dashboard.Technique(
    slug="mlp",
    methods={
        CLASSES: neural.MLPClassifier,
        NUMBERS: neural.MLPRegressor,
        "Pruning": neural.PrunedMLPClassifier,
        "Growing": neural.CascadeCorrelationClassifier,
    },
    labels={
        "Learning": {
            "activation": "Activation",
            "max_units": "Hidden units at most",
            "n_candidates": "Candidates",
            "tol": "Error to stop at",
            "criterion": "Criterion",
            "n_removed": "Connections to remove",
            "n_retrain": "Epochs of retraining",
            "learning_rate": "Learning rate η",
            "max_iter": "Epochs",
        },
        "Update": {
            "loss": "Loss",
            "batch_size": "Batch size",
            "solver": "Solver",
            "momentum": "Momentum",
        },
        "Schedule and shuffling": {"decay": "Learning-rate decay", "shuffle": "Shuffle the rows"},
        "Regularisation": {
            "alpha": "Weight decay α",
            "dropout": "Dropout",
            "early_stopping": "Early stopping",
            "validation_fraction": "Validation fraction",
            "n_iter_no_change": "Patience in epochs",
        },
        "Start": {"init": "Initial weights", "scale_target": "Standardise the target"},
    },
    data=dashboard.Table(
        "classes",
        {"source": "generator", "generator": "xor", "scaling": "z-score"},
        targets={NUMBERS: "number"},
    ),
    scene=mlp_scene,
    check=dashboard.Check(mlp_reference, ("predict", "loss_curve_")),
    results={"Loss": "loss_", "Epochs": "n_iter_"},
    figures=(
        dashboard.Plot("Errors", misclassified, "Misclassified rows, or largest residuals."),
        dashboard.Plot("Weights", weights, "Weights of every layer; those of pixels as pictures."),
        dashboard.Plot("Predictions", predictions, "Confusions, or predicted against observed."),
        dashboard.Sweep(
            "Choose the settings",
            sweep_data,
            plot_sweep,
            len(TASKS),
            "Units, learning rate and weight decay, each by cross-validation.",
        ),
    ),
    practice=dashboard.Practice(questions, RULES),
    tools=(
        dashboard.Layers(),
        dashboard.OfferScaling(10.0, "The columns have large numbers, which saturate the units."),
        dashboard.Ask(),
        dashboard.Setting(
            "show",
            "Look inside",
            *OPTIONS["show"],
            names=VIEW_NAMES,
            idle={"epochs": ("at",)},
            methods=(CLASSES, NUMBERS),
        ),
        dashboard.Setting("at", "Weights of epoch", *OPTIONS["at"], methods=(CLASSES, NUMBERS)),
    ),
    weights=("coefs", "intercepts"),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
