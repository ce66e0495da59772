import dashboard
from dmlib.evaluation import BiasVariance
from dmlib.evaluation.bias_variance.families import FAMILIES
from dmlib.evaluation.bias_variance.figures import sweeps
from dmlib.evaluation.bias_variance.figures.target import targets
from dmlib.evaluation.bias_variance.questions import Rule, questions
from dmlib.evaluation.bias_variance.reference import bias_variance_reference
from dmlib.evaluation.bias_variance.scene import bias_variance_scene

TECHNIQUE = dashboard.Technique(
    slug="bias_variance",
    methods={"Simulation": BiasVariance},
    labels={
        "Model": {
            "model": "Model",
            "degree": "Degree",
            "n_neighbors": "Neighbours k",
            "max_depth": "Depth",
            "log_penalty": "log₁₀ of the penalty λ",
            "noise": "Noise",
        },
        "Simulation": {
            "loss": "Loss",
            "truth": "True curve",
            "n_samples": "Training set size",
            "n_sets": "Training sets",
        },
    },
    data=dashboard.Table(
        "number", {"source": "generator", "generator": "noisy_curve", "test": "0"}
    ),
    scene=bias_variance_scene,
    check=dashboard.Check(bias_variance_reference, ("mean_curve_", "bias_", "variance_")),
    results={"Bias²": "bias_", "Variance": "variance_", "Error": "error_"},
    figures=(
        dashboard.Plot("Target", targets),
        dashboard.Sweep(
            "Learning curve", sweeps.learning_data, sweeps.plot_learning, len(sweeps.SIZES)
        ),
        dashboard.Sweep(
            "Double descent", sweeps.descent_data, sweeps.plot_descent, len(sweeps.COLUMNS)
        ),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(
        dashboard.PickColumn("column", "x"),
        *(dashboard.Drag(family.parameter, within=True) for family in FAMILIES.values()),
    ),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
