import dashboard
from dmlib.classification import KernelMatrix
from dmlib.classification.kernel_matrices.figures.feature_space import feature_space
from dmlib.classification.kernel_matrices.questions import Rule, questions
from dmlib.classification.kernel_matrices.reference import kernels_reference
from dmlib.classification.kernel_matrices.scene import kernels_scene

TECHNIQUE = dashboard.Technique(
    slug="kernels",
    methods={"Kernel matrix": KernelMatrix},
    labels={
        "Kernel": {"kernel": "Kernel k₁", "gamma": "γ", "degree": "Degree", "coef0": "Constant c"},
        "Closure": {
            "operation": "Operation",
            "second": "Second kernel k₂",
            "factor": "Factor a",
            "outside": "Rows outside the subset",
        },
    },
    data=dashboard.Table(
        start={"source": "generator", "generator": "blobs"}, max_rows=150, row_limit=400
    ),
    scene=kernels_scene,
    check=dashboard.Check(kernels_reference, ("kernel_matrix_", "eigenvalues_")),
    results={
        "Smallest eigenvalue": "smallest_eigenvalue_",
        "Effective dimension": "effective_dimension_",
    },
    figures=(
        dashboard.Plot(
            "Feature space",
            feature_space,
            "The rows mapped into feature space: a curve in the plane may be a line here.",
            rows=True,
        ),
        dashboard.Report("Strings", "spectrum"),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(dashboard.PickCell("pair"),),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
