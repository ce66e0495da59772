import dashboard
from dmlib.classification import DecisionTreeClassifier
from dmlib.classification.decision_tree.figures.joined_subtrees import joined_subtrees
from dmlib.classification.decision_tree.figures.pruning_path import pruning_path
from dmlib.classification.decision_tree.figures.split_criteria import split_criteria
from dmlib.classification.decision_tree.figures.tree_depth import tree_depth
from dmlib.classification.decision_tree.figures.tree_rules import tree_rules
from dmlib.classification.decision_tree.questions import RULES, questions
from dmlib.classification.decision_tree.reference import decision_tree_reference
from dmlib.classification.decision_tree.scene import decision_tree_scene

TECHNIQUE = dashboard.Technique(
    slug="decision_tree",
    methods={"decision tree": DecisionTreeClassifier},
    labels={
        "Algorithm": {
            "criterion": "Split criterion",
            "splitter": "Nominal splits",
            "max_depth": "Maximum depth",
            "pruning": "Pruning",
            "ccp_alpha": "Complexity parameter α",
        },
        "Thresholds, missing values, limits": {
            "numeric": "Numeric splits",
            "ordinal": "Ordinal columns",
            "grouped": "Last column counts rows",
            "min_bucket": "Min. bucket size (1R)",
            "missing": "Missing values",
            "statistic": "CHAID statistic",
            "alpha_merge": "CHAID merge significance",
            "alpha_split": "CHAID, QUEST split significance",
            "confidence": "Confidence of error-based pruning",
            "min_samples_split": "Min. samples to split",
            "min_samples_leaf": "Min. samples per leaf",
            "max_leaf_nodes": "Max. leaves",
            "min_gain": "Min. gain",
            "min_impurity_decrease": "Min. impurity decrease",
            "leaf_penalty": "Estimated error: Ω per leaf",
        },
    },
    data=dashboard.Table("classes"),
    scene=decision_tree_scene,
    check=dashboard.Check(decision_tree_reference, ("predict_proba",)),
    results={},
    figures=(
        dashboard.Plot(
            "Rules", tree_rules, "One rule for each leaf: the path from the root to it."
        ),
        dashboard.Plot(
            "Graph",
            joined_subtrees,
            "The tree with its equal subtrees joined to one node: a decision graph.",
        ),
        dashboard.confusion_matrix(),
        dashboard.Plot(
            "Error against depth",
            tree_depth,
            "Where the test error stops falling, the tree fits noise.",
        ),
        dashboard.Plot(
            "Pruning path",
            pruning_path,
            "All trees that are optimal for some α, with their cross-validated error.",
        ),
        dashboard.Plot(
            "Split criteria",
            split_criteria,
            "The scores of all criteria as curves, and the error of the tree that each grows.",
        ),
    ),
    practice=dashboard.Practice(questions, RULES),
    tools=(
        dashboard.Ask(always=True),
        dashboard.CLASS_WEIGHTS,
        dashboard.ERROR_COSTS,
        dashboard.BuildTree("choices"),
    ),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
