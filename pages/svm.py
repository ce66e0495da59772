import ui
from dmlib.classification import SVC, NuSVC
from dmlib.plots.confusion_matrix import confusion_data, plot_confusion_matrix
from dmlib.plots.lifted_space import lifted_space_data, plot_lifted_space
from dmlib.plots.svm_sweep import plot_svm_sweep, svm_sweep_data
from dmlib.reference.svm import svm_code, svm_reference
from dmlib.scenes.svm import svm_scene


def scene(run: ui.Run):
    """Draw the run; one that was cut off has no answer."""
    if not run.trace.complete:
        return svm_scene(run.problem, run.trace, run.estimator(), None, run.query)
    return svm_scene(run.problem, run.trace, run.fitted, run.surface, run.query)


ui.show(
    ui.Technique(
        slug="svm",
        algorithms={"SVC: a price C": SVC, "NuSVC: a share ν": NuSVC},
        groups={
            "Algorithm": {
                "C": "C (∞: hard margin)",
                "nu": "ν",
                "kernel": "Kernel",
                "gamma": "γ of rbf, poly, sigmoid",
                "degree": "Degree of poly",
                "coef0": "Constant of poly, sigmoid",
            },
            "Steps": {"tol": "Tolerance", "max_iter": "Most pairs (−1: no limit)"},
        },
        labelled=True,
        binary=True,
        query="asked",
        start={"source": "generator", "generator": "moons"},
        scene=scene,
        results={"Support vectors": "n_support_", "Intercept b": "intercept_"},
        equivalent=lambda run: svm_code(run.estimator()),
        reference=lambda run: svm_reference(run.estimator(), run.problem.training.data, run.problem.training.y),
        compare=("decision_function", "intercept_", "n_support_"),
        plots=(
            ui.Plot(
                "Lifted space",
                lambda run: plot_lifted_space(lifted_space_data(run.problem, run.fitted)),
                "What the kernel poly of degree 2 computes with: the data in the space of their squares and products.",
            ),
            ui.Plot(
                "Error against C and γ",
                lambda run: plot_svm_sweep(svm_sweep_data(run.problem, run.fitted, run.seed)),
                "Choose by the rows that were not learned from: the training error alone wants ever larger C and γ.",
            ),
            ui.Plot(
                "Confusion matrix",
                lambda run: plot_confusion_matrix(confusion_data(run.problem, run.fitted)),
                "Which class is taken for which, on each side of the boundary f(x) = 0.",
            ),
        ),
        presets=(),
    )
)
