import dashboard
from dmlib.neural import BoltzmannMachine, DeepBeliefNetwork, RestrictedBoltzmannMachine
from dmlib.neural.boltzmann.figures.completion import completion
from dmlib.neural.boltzmann.figures.dreams import dreams
from dmlib.neural.boltzmann.figures.free_energies import free_energies
from dmlib.neural.boltzmann.questions import RULES, questions
from dmlib.neural.boltzmann.ranges import too_much_work
from dmlib.neural.boltzmann.reference import boltzmann_reference
from dmlib.neural.boltzmann.scene import boltzmann_scene
from dmlib.params import Integer

RESTRICTED, STACK = "Restricted machine", "Stack of machines"

TECHNIQUE = dashboard.Technique(
    slug="boltzmann",
    methods={
        RESTRICTED: RestrictedBoltzmannMachine,
        "Boltzmann machine": BoltzmannMachine,
        STACK: DeepBeliefNetwork,
    },
    labels={
        "Machine": {
            "n_components": "Hidden units (n_components)",
            "n_second": "Units of layer 2",
            "k": "Gibbs steps k",
            "learning": "Weights",
            "n_hidden": "Hidden units",
            "threshold": "Threshold θ",
            "temperature": "Temperature T",
            "cooling": "Annealing factor",
            "chains": "Chains start at",
            "learning_rate": "Learning rate η",
        },
        "Steps": {
            "n_iter": "Epochs or sweeps (n_iter)",
            "batch_size": "Batch size (batch_size)",
            "n_learning": "Iterations of learning",
            "init": "Initial weights",
        },
        "Back-propagation": {
            "fine_tuning": "Tune all layers",
            "tuning_rate": "Rate of tuning",
            "max_iter": "Epochs of tuning",
        },
    },
    data=dashboard.Patterns(
        start={"source": "library", "data": "many_digits"},
        limits=too_much_work,
        classified=(STACK,),
    ),
    scene=boltzmann_scene,
    check=dashboard.Check(
        boltzmann_reference, ("score_samples", "log_likelihood_", "mean_energy_", "predict_proba")
    ),
    results={"Log-likelihood": "log_likelihood_", "Mean (free) energy": "mean_energy_"},
    results_by_method={STACK: {"Loss": "loss_", "Loss, random start": "random_loss_"}},
    figures=(
        dashboard.Plot(
            "Free energy", free_energies, "Free energies of patterns, noisy patterns and noise."
        ),
        dashboard.Plot(
            "Dreams",
            dreams,
            "Gibbs samples of chains started from noise, after more and more steps.",
        ),
        dashboard.Plot(
            "Completion", completion, "Each cell as an output, given all other cells as inputs."
        ),
    ),
    practice=dashboard.Practice(questions, RULES),
    tools=(
        dashboard.Setting(
            "cue", "Pattern shown", Integer(0, 1000, shown=(0, 10)), 1, methods=(RESTRICTED, STACK)
        ),
        dashboard.SwitchCells("flips", "cue", methods=(RESTRICTED,)),
    ),
    selects="unit",
    weights=("components", "intercept_hidden", "intercept_visible", "weights", "intercept"),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
