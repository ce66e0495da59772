import ui
from dmlib.evaluation import BiasVariance
from dmlib.evaluation.bias_variance.families import FAMILIES
from dmlib.evaluation.bias_variance.figures import sweeps
from dmlib.evaluation.bias_variance.reference import bias_variance_reference
from dmlib.evaluation.bias_variance.scene import bias_variance_scene

ui.show(
    ui.Technique(
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
        data=ui.Table("number", {"source": "generator", "generator": "noisy_curve", "test": "0"}),
        scene=bias_variance_scene,
        check=ui.Check(bias_variance_reference, ("mean_curve_", "bias_", "variance_")),
        results={"Bias term": "bias_", "Variance": "variance_", "Error": "error_"},
        figures=(
            ui.sweep(
                "Learning curve", sweeps.learning_data, sweeps.plot_learning, len(sweeps.SIZES)
            ),
            ui.sweep(
                "Double descent", sweeps.descent_data, sweeps.plot_descent, len(sweeps.COLUMNS)
            ),
        ),
        tools=(
            ui.PickColumn("column", "x"),
            *(ui.Drag(family.parameter, within=True) for family in FAMILIES.values()),
        ),
    )
)
