import dashboard
from dmlib.neural import Hopfield
from dmlib.neural.hopfield.figures.capacity import LOADS, capacity_beside, plot_capacity
from dmlib.neural.hopfield.figures.resting_states import resting_states
from dmlib.neural.hopfield.figures.weights import weights
from dmlib.neural.hopfield.questions import Rule, questions
from dmlib.neural.hopfield.ranges import too_many_weights
from dmlib.neural.hopfield.reference import hopfield_reference
from dmlib.neural.hopfield.scene import hopfield_scene

TECHNIQUE = dashboard.Technique(
    slug="hopfield",
    methods={"Hopfield network": Hopfield},
    labels={
        "Recall": {
            "cue": "Pattern of the cue",
            "noise": "Noise",
            "update": "Update order",
            "threshold": "Threshold θ",
            "thresholds": "Threshold of each unit",
        },
        "Storage": {"rule": "Learning rule"},
        "Steps": {"max_iter": "Max. sweeps (max_iter)"},
    },
    data=dashboard.Patterns(
        start={"source": "library", "data": "letters"}, limits=too_many_weights
    ),
    scene=hopfield_scene,
    check=dashboard.Check(hopfield_reference, ("weights_", "energy_", "n_wrong_")),
    results={"Wrong cells": "n_wrong_", "Energy": "energy_"},
    figures=(
        dashboard.Sweep(
            "Capacity",
            capacity_beside,
            plot_capacity,
            len(LOADS),
            "The measured capacity of each rule for random patterns.",
        ),
        dashboard.Plot(
            "Resting states",
            resting_states,
            "Attractors reached from random starts: patterns, inverses, mixtures, others.",
        ),
        dashboard.Plot("Weights", weights, "The weight between each pair of units."),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(dashboard.SwitchCells("flips", "noisy_cue"),),
    selects="unit",
    weights=("weights",),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
