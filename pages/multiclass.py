import ui
from dmlib.classification import OneVsOneClassifier, OneVsRestClassifier, OutputCodeClassifier
from dmlib.classification.multiclass.figures.reductions import reductions
from dmlib.classification.multiclass.reference import multiclass_reference
from dmlib.classification.multiclass.scene import multiclass_scene

ui.show(
    ui.Technique(
        slug="multiclass",
        methods={
            "One-versus-rest": OneVsRestClassifier,
            "One-versus-one": OneVsOneClassifier,
            "Output code": OutputCodeClassifier,
        },
        labels={
            "Binary problems": {
                "estimator": "Binary classifier",
                "code": "Code",
                "code_size": "Code length / classes",
                "decoding": "Distance of code words",
            }
        },
        data=ui.Table("classes", {"source": "generator", "generator": "blobs"}),
        scene=multiclass_scene,
        check=ui.Check(multiclass_reference, ("predict",)),
        results={},
        figures=(
            ui.Plot(
                "Reductions",
                reductions,
                "Errors of the three reductions with the same binary classifier.",
            ),
            ui.confusion_matrix(),
        ),
        tools=(ui.PickModel("estimator"), ui.Ask(always=True)),
    )
)
