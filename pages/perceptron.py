import ui
from dmlib.neural import Adaline, Perceptron
from dmlib.neural.perceptron.figures.boolean_functions import boolean_functions
from dmlib.neural.perceptron.reference import perceptron_reference
from dmlib.neural.perceptron.scene import perceptron_scene

ui.show(
    ui.Technique(
        slug="perceptron",
        methods={"Perceptron": Perceptron, "Adaline": Adaline},
        labels={
            "Algorithm": {"keep": "Weights used", "learning_rate": "Learning rate η"},
            "Steps": {
                "max_iter": "Max. epochs",
                "shuffle": "Shuffle in each epoch",
                "init": "Initial weights",
            },
            "Model": {"fit_intercept": "Intercept"},
        },
        data=ui.Table("one class", {"source": "library", "data": "penguins", "scaling": "z-score"}),
        scene=perceptron_scene,
        check=ui.Check(perceptron_reference, ("coef_", "intercept_")),
        results={"Weights": "coef_", "Intercept": "intercept_"},
        figures=(
            ui.Plot(
                "Boolean functions",
                boolean_functions,
                "A perceptron learns each linearly separable function.",
            ),
            ui.confusion_matrix("Which classes are confused, on each side of the boundary."),
        ),
        tools=(
            ui.OfferScaling(
                10.0, "The columns have large numbers, and the largest decides each update."
            ),
            ui.Ask(),
        ),
        weights=("intercept", "coef"),
    )
)
