import dashboard
from dmlib.neural import ConvNet
from dmlib.neural.cnn.filters import FILTERS
from dmlib.neural.cnn.picture_scene import CELLS, FILTER_ONLY, OPTIONS, START_CELLS, shows_network
from dmlib.neural.cnn.questions import Rule, questions
from dmlib.neural.cnn.reference import cnn_reference
from dmlib.neural.cnn.scene import cnn_scene

TECHNIQUE = dashboard.Technique(
    slug="cnn",
    methods={"Convolutional network": ConvNet},
    labels={
        "Network": {
            "n_filters": "Filters",
            "kernel_size": "Filter side (pixels)",
            "pool_size": "Pooling window",
            "activation": "Activation",
        },
        "Training": {
            "max_iter": "Epochs",
            "learning_rate": "Learning rate",
            "batch_size": "Batch size",
            "alpha": "Weight decay",
            "init": "Initial weights",
            "validation_fraction": "Fraction held out",
        },
    },
    data=dashboard.Digits(start={"source": "library", "data": "digit_three"}),
    scene=cnn_scene,
    check=dashboard.Check(cnn_reference, ("loss_", "validation_score_", "n_parameters_")),
    results={
        "Validation accuracy": dashboard.Result("validation_score_", is_share=True),
        "Loss": "loss_",
        "Parameters": "n_parameters_",
    },
    has_results=shows_network,
    figures=(
        dashboard.confusion_matrix(
            "Which digits are confused: those of the training set, and 500 others."
        ),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(
        dashboard.Setting(
            "view",
            "View",
            *OPTIONS["view"],
            idle={"filter": ("square", *ConvNet.PARAMS), "network": FILTER_ONLY},
        ),
        dashboard.Setting(
            "drawn",
            "Draw the picture",
            *OPTIONS["drawn"],
            help="Press on the cells of the picture.",
        ),
        dashboard.Setting(
            "kernel", "Filter", *OPTIONS["kernel"], idle=dict.fromkeys(FILTERS, ("number",))
        ),
        dashboard.Setting("number", "Learned filter", *OPTIONS["number"]),
        dashboard.Setting("stride", "Stride", *OPTIONS["stride"]),
        dashboard.Setting("padding", "Padding", *OPTIONS["padding"]),
        dashboard.Setting("dilation", "Dilation", *OPTIONS["dilation"]),
        dashboard.Setting("pool", "Pooling", *OPTIONS["pool"], idle={"none": ("window",)}),
        dashboard.Setting("window", "Pooling window", *OPTIONS["window"]),
        dashboard.Setting("square", "Occluding square", *OPTIONS["square"]),
        dashboard.DrawDigit(CELLS, "drawn", START_CELLS),
    ),
    weights=("coefs", "intercepts"),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
