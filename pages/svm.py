import ui
from dmlib.classification import SVC, NuSVC
from dmlib.plots.lifted_space import lifted_space_data, plot_lifted_space
from dmlib.plots.svm_sweep import plot_svm_sweep, svm_sweep_data
from dmlib.reference.svm import svm_code, svm_reference
from dmlib.scenes.svm import svm_scene

PRICE, NU = "SVC: a price C", "NuSVC: a share ν"
PETALS = ["petal_length", "petal_width"]


def scene(run: ui.Run):
    """Draw the run; one that was cut off has no answer."""
    if not run.trace.complete:
        return svm_scene(run.problem, run.trace, run.estimator(), None, run.query)
    return svm_scene(run.problem, run.trace, run.fitted, run.surface, run.query)


ui.show(
    ui.Technique(
        slug="svm",
        algorithms={PRICE: SVC, NU: NuSVC},
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
        results={"Support vectors": "n_support_"},
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
                "Error against C, ν, γ",
                lambda run: plot_svm_sweep(svm_sweep_data(run.problem, run.fitted, run.seed)),
                "Choose by the rows that were not learned from: the training error alone wants ever larger C and γ.",
            ),
            ui.confusion_matrix("Which class is taken for which, on each side of the boundary f(x) = 0."),
        ),
        presets=(
            ui.Preset(
                "The widest street",
                "Three pairs, and two rows alone hold a street that is 1.304 wide. Lower C to 0.01: the street widens "
                "to 3.1, and 52 rows are support vectors.",
                {"source": "library", "data": "iris", "iris.features": PETALS, "iris.positive": "setosa", "test": 0}
                | {"kernel": "linear", "C": "inf"},
            ),
            ui.Preset(
                "The price of a row",
                "With C = 100 the street is 0.2 wide and the test error 8.9 %. Lower C to 1: a wider street ignores "
                "single rows, and the test error falls to 4.4 %.",
                {"source": "library", "data": "iris", "iris.features": PETALS, "iris.positive": "virginica"}
                | {"kernel": "linear", "C": 100},
            ),
            ui.Preset(
                "Islands",
                "Each row is an island: 139 of 140 are support vectors, the training error is 0 and the test error "
                "33 %. Open Error against C, ν, γ below the picture.",
                {"generator": "moons", "gamma": 100},
            ),
            ui.Preset(
                "Flat in the lifted space",
                "No straight line separates the rings, but squares and products do without error. Open Lifted space "
                "below the picture and turn it: a flat plane cuts off the inner ring.",
                {"generator": "circles", "scaling": "z-score", "test": 0, "kernel": "poly", "degree": 2},
            ),
            ui.Preset(
                "XOR is one product",
                "The product of the two columns alone tells the classes apart: 1.5 % of the rows are wrong. With the "
                "kernel linear it is 27.5 %.",
                {"generator": "xor", "scaling": "z-score", "test": 0, "kernel": "poly", "degree": 2},
            ),
            ui.Preset(
                "A share instead of a price",
                "ν = 0.3: at the end, 27 % of the rows are inside the margin and 32 % are support vectors. The same "
                "machine has C = 0.506.",
                {"generator": "moons", "method": NU, "nu": 0.3},
            ),
            ui.Preset(
                "Two columns, two units",
                "Proline is counted in hundreds, so it decides alone, and 26 % of the test rows are wrong. Set Scaling "
                "to z-score: 3.8 %.",
                {"source": "library", "data": "wine", "wine.features": ["flavanoids", "proline"], "wine.positive": "3"},
            ),
            ui.Preset(
                "No inner product",
                "The kernel sigmoid has negative eigenvalues here: for most pairs η would not be above 0, all 140 "
                "multipliers end at their bound, and 41 % of the rows are wrong.",
                {"generator": "moons", "kernel": "sigmoid"},
            ),
        ),
    )
)
