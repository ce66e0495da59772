import ui
from dmlib.neural import ConvNet
from dmlib.neural.cnn.filters import FILTERS
from dmlib.neural.cnn.picture_scene import CELLS, FILTER_ONLY, OPTIONS, START_CELLS
from dmlib.neural.cnn.reference import cnn_reference
from dmlib.neural.cnn.scene import cnn_scene

ui.show(
    ui.Technique(
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
        data=ui.Digits(start={"source": "library", "data": "digit_three"}),
        scene=cnn_scene,
        check=ui.Check(cnn_reference, ("loss_", "validation_score_", "n_parameters_")),
        results={
            "Validation accuracy": "validation_score_",
            "Loss": "loss_",
            "Parameters": "n_parameters_",
        },
        figures=(
            ui.confusion_matrix(
                "Which digits are confused: those of the training set, and 500 others."
            ),
        ),
        tools=(
            ui.Setting(
                "view",
                "View",
                *OPTIONS["view"],
                idle={"filter": ("square", *ConvNet.PARAMS), "network": FILTER_ONLY},
            ),
            ui.Setting(
                "drawn",
                "Draw the picture",
                *OPTIONS["drawn"],
                help="Press on the cells of the picture.",
            ),
            ui.Setting(
                "kernel", "Filter", *OPTIONS["kernel"], idle=dict.fromkeys(FILTERS, ("number",))
            ),
            ui.Setting("number", "Learned filter", *OPTIONS["number"]),
            ui.Setting("stride", "Stride", *OPTIONS["stride"]),
            ui.Setting("padding", "Padding", *OPTIONS["padding"]),
            ui.Setting("dilation", "Dilation", *OPTIONS["dilation"]),
            ui.Setting("pool", "Pooling", *OPTIONS["pool"], idle={"none": ("window",)}),
            ui.Setting("window", "Pooling window", *OPTIONS["window"]),
            ui.Setting("square", "Occluding square", *OPTIONS["square"]),
            ui.DrawDigit(CELLS, "drawn", START_CELLS),
        ),
        weights=("coefs", "intercepts"),
    )
)
