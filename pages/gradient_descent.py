import dashboard
from dmlib.neural import GradientDescent
from dmlib.neural.gradient_descent.figures.step_sizes import step_sizes
from dmlib.neural.gradient_descent.figures.surface_3d import surface_3d
from dmlib.neural.gradient_descent.questions import Rule, questions
from dmlib.neural.gradient_descent.reference import gradient_descent_reference
from dmlib.neural.gradient_descent.scene import OPTIONS, gradient_descent_scene

TECHNIQUE = dashboard.Technique(
    slug="gradient_descent",
    methods={"Gradient descent": GradientDescent},
    labels={
        "Algorithm": {
            "optimizer": "Optimisers",
            "learning_rate": "Learning rate η",
            "momentum": "Momentum μ",
            "adaptive_rate": "Adaptive rate η",
            "newton_rate": "Newton step η",
            "batch_size": "Batch size",
        },
        "Steps, starts and decay": {
            "max_iter": "Max. steps",
            "n_starts": "Starts",
            "rho": "RMSProp decay rate ρ",
            "beta_1": "Adam decay rate β₁",
            "beta_2": "Adam decay rate β₂",
            "decay": "Learning rate decay",
            "tol": "Tolerance",
        },
    },
    data=dashboard.Surface(start={"source": "library", "data": "geyser_line"}),
    scene=gradient_descent_scene,
    check=dashboard.Check(gradient_descent_reference, ("places_", "values_")),
    results={
        "Lowest f": dashboard.Result("best_value_", dashboard.smallest, field="values"),
        "Stable rate 2/λ": "stable_rate_",
    },
    figures=(
        dashboard.Plot(
            "Surface in 3-D",
            surface_3d,
            "The surface with the paths of all walkers; drag to turn it.",
        ),
        dashboard.Plot(
            "Choose the rate", step_sizes, "The value of f reached with each learning rate."
        ),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(
        dashboard.PlaceStart("init"),
        dashboard.Setting(
            "turn", "View angle", *OPTIONS["turn"], help="The azimuth of the view, in degrees."
        ),
    ),
    selects="walker",
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
