import dashboard
from dmlib.regression import DecisionTreeRegressor, KNeighborsRegressor, ModelTree
from dmlib.regression.knn_tree_regression.figures.errors import N_SPLITS, error_data, plot_errors
from dmlib.regression.knn_tree_regression.figures.residuals import residuals
from dmlib.regression.knn_tree_regression.questions import Rule, questions
from dmlib.regression.knn_tree_regression.reference import knn_tree_reference
from dmlib.regression.knn_tree_regression.scene import knn_tree_scene

TECHNIQUE = dashboard.Technique(
    slug="knn_tree_regression",
    methods={
        "k nearest neighbours": KNeighborsRegressor,
        "Regression tree": DecisionTreeRegressor,
        "Model tree (M5)": ModelTree,
    },
    labels={
        "Algorithm": {
            "n_neighbors": "Neighbours k",
            "weights": "Weights",
            "criterion": "Criterion",
            "max_leaf_nodes": "Max. leaves",
            "smoothing": "Smoothing",
            "prune": "Prune",
            "ccp_alpha": "Complexity parameter α",
        },
        "Leaves": {"min_samples_leaf": "Min. samples per leaf", "max_depth": "Maximum depth"},
    },
    data=dashboard.Table(
        "number", {"source": "generator", "generator": "noisy_curve", "test": "0"}
    ),
    scene=knn_tree_scene,
    check=dashboard.Check(knn_tree_reference, ("fitted_",)),
    results={"R²": "r2_"},
    figures=(
        dashboard.Sweep(
            "Error by size",
            error_data,
            plot_errors,
            N_SPLITS,
            "Errors by the number of neighbours or leaves.",
        ),
        dashboard.Plot("Residuals", residuals, "Observed minus predicted values, leaf by leaf."),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(dashboard.Ask(always=True),),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
