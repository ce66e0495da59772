import dashboard
from dmlib.classification import (
    FuzzyTree,
    IncrementalTree,
    InfoFuzzyNetwork,
    ObliqueTree,
    ObliviousTree,
)
from dmlib.classification.tree_variants.figures.missing_values import (
    N_DRAWS,
    missing_values_data,
    plot_missing_values,
)
from dmlib.classification.tree_variants.figures.variants import variants
from dmlib.classification.tree_variants.questions import RULES, questions
from dmlib.classification.tree_variants.reference import tree_variants_reference
from dmlib.classification.tree_variants.scene import tree_variants_scene

TECHNIQUE = dashboard.Technique(
    slug="tree_variants",
    methods={
        "oblique": ObliqueTree,
        "oblivious": ObliviousTree,
        "fuzzy": FuzzyTree,
        "incremental": IncrementalTree,
        "info-fuzzy network": InfoFuzzyNetwork,
    },
    labels={
        "Tree": {
            "search": "Search for the split",
            "width": "Strip width (std. deviations)",
            "significance": "Significance level",
            "max_depth": "Maximum depth",
            "min_gain": "Min. gain",
            "min_samples_leaf": "Min. samples per leaf",
            "min_weight": "Min. membership sum",
            "n_jumps": "Random jumps",
            "order": "Order of arrival",
            "refit": "Fit again",
            "max_steps": "Steps of backfitting",
            "criterion": "Split criterion",
        }
    },
    data=dashboard.Table(
        "classes", {"source": "generator", "generator": "anisotropic"}, row_limit=5000
    ),
    scene=tree_variants_scene,
    check=dashboard.Check(tree_variants_reference, ("predict_proba",)),
    results={},
    figures=(
        dashboard.Plot(
            "All variants", variants, "Leaves, depth and errors of all variants on the same rows."
        ),
        dashboard.Sweep(
            "Missing values",
            missing_values_data,
            plot_missing_values,
            N_DRAWS,
            "Five treatments of missing values, on artificial gaps.",
        ),
        dashboard.Report("A row with a hole", "missing row"),
        dashboard.confusion_matrix(),
    ),
    practice=dashboard.Practice(questions, RULES),
    tools=(dashboard.Ask(always=True),),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
