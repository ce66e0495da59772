import dashboard
from dmlib.classification import SVC, NuSVC
from dmlib.classification.svm.figures.lifted_space import lifted_space
from dmlib.classification.svm.figures.svm_sweep import svm_sweep
from dmlib.classification.svm.questions import Rule, questions
from dmlib.classification.svm.reference import svm_reference
from dmlib.classification.svm.scene import svm_scene

TECHNIQUE = dashboard.Technique(
    slug="svm",
    methods={"C-SVM": SVC, "ν-SVM": NuSVC},
    labels={
        "Algorithm": {
            "C": "C (∞: hard margin)",
            "nu": "ν",
            "kernel": "Kernel",
            "gamma": "γ (rbf, poly, sigmoid)",
            "degree": "Degree (poly)",
            "coef0": "Constant (poly, sigmoid)",
        },
        "Steps": {"tol": "Tolerance", "max_iter": "Max. iterations (−1: unlimited)"},
    },
    data=dashboard.Table("one class", {"source": "generator", "generator": "moons"}),
    opening="the-price-of-a-row",
    scene=svm_scene,
    check=dashboard.Check(svm_reference, ("decision_function", "intercept_", "n_support_")),
    results={"Support vectors": dashboard.Result("n_support_", dashboard.total)},
    figures=(
        dashboard.Plot(
            "Lifted space",
            lifted_space,
            "Feature map of the degree-2 polynomial kernel: squares and products.",
        ),
        dashboard.Plot(
            "Error against C, ν, γ",
            svm_sweep,
            "Choose by the test error: the training error falls with ever larger C and γ.",
        ),
        dashboard.confusion_matrix(
            "Which classes are confused, on each side of the boundary f(x) = 0."
        ),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(dashboard.Ask(), dashboard.CLASS_WEIGHTS),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
