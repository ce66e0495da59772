import dashboard
from dmlib.neural import LSTM, NARX, ElmanNetwork
from dmlib.neural.rnn.figures.horizons import horizons
from dmlib.neural.rnn.figures.memory import KINDS, memory_data, plot_memory
from dmlib.neural.rnn.questions import Rule, questions
from dmlib.neural.rnn.reference import rnn_reference
from dmlib.neural.rnn.scene import OPTIONS, rnn_scene

TECHNIQUE = dashboard.Technique(
    slug="rnn",
    methods={"Elman": ElmanNetwork, "LSTM": LSTM, "NARX": NARX},
    labels={
        "Algorithm": {
            "n_hidden": "Hidden units",
            "delays": "Delays p",
            "truncation": "Truncation (steps)",
            "max_iter": "Epochs",
            "learning_rate": "Learning rate η",
            "horizon": "Forecast horizon",
        },
        "Optimiser": {
            "optimizer": "Optimiser",
            "clip": "Gradient clipping",
            "init": "Initial weights",
        },
    },
    data=dashboard.Sequences(start={"source": "task", "task": "sine_wave"}),
    scene=rnn_scene,
    check=dashboard.Check(rnn_reference, ("gradient_", "loss_", "test_error_", "naive_error_")),
    results={
        "Error, network": "test_error_",
        "Error, naive": "naive_error_",
        "Training loss": "loss_",
    },
    figures=(
        dashboard.Plot(
            "Forecast horizon", horizons, "The forecast error by the number of steps ahead."
        ),
        dashboard.Sweep(
            "Memory",
            memory_data,
            plot_memory,
            len(KINDS),
            "The gradient of the last error by earlier inputs, for all three networks.",
        ),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(
        dashboard.Drag("look"),
        dashboard.Setting(
            "look", "Step shown", *OPTIONS["look"], help="Its numbers are in the ledger."
        ),
        dashboard.Setting(
            "sequence",
            "Sequence shown",
            *OPTIONS["sequence"],
            help="One of those that are held out.",
        ),
        dashboard.Setting(
            "signal", "Signal shown", *OPTIONS["signal"], help="Of each unit.", methods=("LSTM",)
        ),
    ),
    selects="row",
    weights=("weights",),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
