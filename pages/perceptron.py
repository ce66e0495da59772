import dashboard
from dmlib.neural import Adaline, KernelPerceptron, Perceptron, VotedPerceptron
from dmlib.neural.perceptron.figures.boolean_functions import boolean_functions
from dmlib.neural.perceptron.questions import Rule, questions
from dmlib.neural.perceptron.reference import perceptron_reference
from dmlib.neural.perceptron.scene import perceptron_scene

TECHNIQUE = dashboard.Technique(
    slug="perceptron",
    methods={
        "Perceptron": Perceptron,
        "Adaline": Adaline,
        "Voted perceptron": VotedPerceptron,
        "Kernel perceptron": KernelPerceptron,
    },
    labels={
        "Algorithm": {
            "kernel": "Kernel",
            "gamma": "γ (gamma)",
            "degree": "Degree p",
            "coef0": "Constant c (coef0)",
            "keep": "Weights used",
            "learning_rate": "Learning rate η",
        },
        "Steps": {
            "max_iter": "Max. epochs",
            "shuffle": "Shuffle in each epoch",
            "init": "Initial weights",
        },
        "Model": {"fit_intercept": "Intercept"},
    },
    data=dashboard.Table(
        "one class", {"source": "library", "data": "penguins", "scaling": "z-score"}
    ),
    scene=perceptron_scene,
    check=dashboard.Check(perceptron_reference, ("coef_", "intercept_", "decision_function")),
    results={"Mistakes": "n_mistakes_"},
    figures=(
        dashboard.Plot(
            "Boolean functions",
            boolean_functions,
            "A perceptron learns each linearly separable function.",
        ),
        dashboard.confusion_matrix("Which classes are confused, on each side of the boundary."),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(
        dashboard.OfferScaling(
            10.0, "The columns have large numbers, and the largest decides each update."
        ),
        dashboard.Ask(),
    ),
    weights=("intercept", "coef"),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
