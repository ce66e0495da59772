import dashboard
from dmlib.classification import OneVsOneClassifier, OneVsRestClassifier, OutputCodeClassifier
from dmlib.classification.multiclass.figures.reductions import reductions
from dmlib.classification.multiclass.questions import Rule, questions
from dmlib.classification.multiclass.reference import multiclass_reference
from dmlib.classification.multiclass.scene import multiclass_scene

TECHNIQUE = dashboard.Technique(
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
    data=dashboard.Table("classes", {"source": "generator", "generator": "blobs"}),
    scene=multiclass_scene,
    check=dashboard.Check(multiclass_reference, ("predict",)),
    results={},
    figures=(
        dashboard.Plot(
            "Reductions",
            reductions,
            "Errors of the three reductions with the same binary classifier.",
        ),
        dashboard.confusion_matrix(),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(dashboard.PickModel("estimator"), dashboard.Ask(always=True)),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
