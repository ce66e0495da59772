import dashboard
from dmlib.regression import (
    BaggingRegressor,
    CHAIDRegressor,
    DecisionTreeRegressor,
    KNeighborsRegressor,
    ModelTree,
    RandomForestRegressor,
)
from dmlib.regression.knn_tree_regression.figures.errors import N_SPLITS, error_data, plot_errors
from dmlib.regression.knn_tree_regression.figures.residuals import residuals
from dmlib.regression.knn_tree_regression.questions import RULES, questions
from dmlib.regression.knn_tree_regression.reference import knn_tree_reference
from dmlib.regression.knn_tree_regression.scene import knn_tree_scene

START = {"source": "generator", "generator": "noisy_curve", "test": "0"}
MIXED = dashboard.Table("number", START, numbers_first=True)

TECHNIQUE = dashboard.Technique(
    slug="knn_tree_regression",
    methods={
        "k nearest neighbours": KNeighborsRegressor,
        "Regression tree": DecisionTreeRegressor,
        "Model tree (M5)": ModelTree,
        "CHAID": CHAIDRegressor,
        "Bagging": BaggingRegressor,
        "Random forest": RandomForestRegressor,
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
            "alpha_merge": "Merge significance",
            "alpha_split": "Split significance",
            "n_estimators": "Trees (n_estimators)",
            "max_samples": "Rows per bag",
            "max_features": "Columns drawn",
            "bootstrap": "Draw with replacement",
        },
        "Leaves": {"min_samples_leaf": "Min. samples per leaf", "max_depth": "Maximum depth"},
    },
    data=dashboard.Table("number", START),
    data_by_method=dict.fromkeys(("Regression tree", "CHAID", "Bagging", "Random forest"), MIXED),
    scene=knn_tree_scene,
    check=dashboard.Check(knn_tree_reference, ("fitted_",)),
    results={"R²": "r2_"},
    results_by_method={
        name: {"R²": "r2_", "Out-of-bag MSE": "oob_error_"} for name in ("Bagging", "Random forest")
    },
    figures=(
        dashboard.Sweep(
            "Error by size",
            error_data,
            plot_errors,
            N_SPLITS,
            "Errors by the number of neighbours, leaves or trees.",
        ),
        dashboard.Plot("Residuals", residuals, "Observed minus predicted values, leaf by leaf."),
    ),
    practice=dashboard.Practice(questions, RULES),
    tools=(dashboard.Ask(always=True),),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
