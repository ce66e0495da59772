import dashboard
from dmlib.classification import PrunedTreeClassifier
from dmlib.classification.tree_pruning.figures.alpha_path import alpha_path
from dmlib.classification.tree_pruning.figures.methods import methods
from dmlib.classification.tree_pruning.questions import RULES, questions
from dmlib.classification.tree_pruning.reference import tree_pruning_reference
from dmlib.classification.tree_pruning.scene import OPTIONS, tree_pruning_scene

TECHNIQUE = dashboard.Technique(
    slug="tree_pruning",
    methods={"pruned tree": PrunedTreeClassifier},
    labels={
        "Pruning": {
            "method": "Pruning method",
            "ccp_alpha": "Complexity parameter α",
            "standard_errors": "Standard errors",
            "leaf_penalty": "Errors added per leaf Ω",
            "encoding": "Code",
            "m": "Weight of priors m",
            "confidence": "Confidence level",
            "accuracy": "Required training accuracy",
            "significance": "Significance level",
            "critical_value": "Critical value",
            "cost": "Cost of a leaf",
            "cv": "Folds",
        },
        "Grown tree": {
            "criterion": "Split criterion",
            "splitter": "Nominal splits",
            "max_depth": "Maximum depth",
            "min_samples_leaf": "Min. samples per leaf",
            "validation_fraction": "Pruning set fraction",
        },
    },
    data=dashboard.Table(
        "classes",
        {
            "source": "generator",
            "generator": "moons",
            "moons.n_samples": "300",
            "moons.noise": "1.0",
        },
    ),
    scene=tree_pruning_scene,
    check=dashboard.Check(tree_pruning_reference, ("predict_proba",)),
    results={},
    figures=(
        dashboard.Plot(
            "All methods",
            methods,
            "The nine methods applied to the same grown tree, with these settings.",
        ),
        dashboard.Plot(
            "Alpha path", alpha_path, "All trees of the cost-complexity path with their errors."
        ),
        dashboard.confusion_matrix(),
    ),
    practice=dashboard.Practice(questions, RULES),
    tools=(
        dashboard.Ask(always=True),
        dashboard.Setting("large", "Large panels", *OPTIONS["large"]),
    ),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
