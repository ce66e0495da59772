import dashboard
from dmlib.neural import DeepMLPClassifier
from dmlib.neural.vanishing_gradients.figures.one_change import (
    CHANGES,
    one_change_data,
    plot_one_change,
)
from dmlib.neural.vanishing_gradients.questions import Rule, questions
from dmlib.neural.vanishing_gradients.reference import vanishing_gradients_reference
from dmlib.neural.vanishing_gradients.scene import vanishing_gradients_scene

TECHNIQUE = dashboard.Technique(
    slug="vanishing_gradients",
    methods={"Deep network": DeepMLPClassifier},
    labels={
        "Network": {
            "activation": "Activation",
            "n_hidden_layers": "Hidden layers",
            "init": "Initial weights",
            "batch_norm": "Batch normalisation",
            "n_units": "Units per layer",
        },
        "Learning": {
            "learning_rate": "Learning rate η",
            "max_iter": "Epochs",
            "momentum": "Momentum",
            "batch_size": "Batch size",
        },
    },
    data=dashboard.Table(
        "classes", {"source": "generator", "generator": "circles", "scaling": "z-score"}
    ),
    scene=vanishing_gradients_scene,
    check=dashboard.Check(vanishing_gradients_reference, ("predict_proba",)),
    results={"Epochs": "n_iter_"},
    figures=(
        dashboard.Sweep(
            "One change",
            one_change_data,
            plot_one_change,
            1 + len(CHANGES),
            "The same network with one change at a time, and its training error.",
        ),
        dashboard.confusion_matrix(),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(
        dashboard.OfferScaling(10.0, "The columns have large numbers, which saturate the units."),
        dashboard.Ask(),
    ),
    weights=("coefs", "intercepts", "scales", "shifts"),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
