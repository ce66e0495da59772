import ui
from dmlib.classification import DecisionTreeClassifier
from dmlib.params import Flag
from dmlib.plots.pruning_path import plot_pruning_path, pruning_path_data
from dmlib.plots.tree_depth import plot_tree_depth, tree_depth_data
from dmlib.plots.tree_rules import plot_tree_rules, tree_rules_data
from dmlib.reference.decision_tree import decision_tree_code, decision_tree_reference
from dmlib.scene import Scene
from dmlib.scenes.decision_tree import decision_tree_scene

ID3 = {"criterion": "entropy", "splitter": "multiway", "min_gain": 1e-6}
C45 = {"criterion": "gain_ratio", "splitter": "multiway", "numeric": "c45", "min_samples_leaf": 2, "min_gain": 1e-6}
CART = {"missing": "surrogate", "pruning": "error_complexity"}
CHAID = {"criterion": "chaid", "missing": "category"}
QUEST = {"criterion": "quest", "missing": "surrogate", "pruning": "error_complexity"}
ONE_R = {"criterion": "error", "splitter": "multiway", "numeric": "buckets", "max_depth": 1}


def scene(run: ui.Run) -> Scene:
    """Draw the run."""
    draft = run.options.get("draft")
    return decision_tree_scene(run.problem, run.trace, run.fitted, run.surface, run.query, draft)


ui.show(
    ui.Technique(
        slug="decision_tree",
        algorithms={"decision tree": DecisionTreeClassifier},
        groups={
            "Algorithm": {
                "criterion": "Splits are compared by",
                "splitter": "Branches of a nominal column",
                "max_depth": "Largest depth",
                "pruning": "Pruning",
                "ccp_alpha": "Cost of a leaf, α",
            },
            "Thresholds, missing values, limits": {
                "numeric": "Numeric columns are cut",
                "min_bucket": "Rows in an interval of 1R",
                "missing": "Rows without the value go",
                "alpha_merge": "CHAID: values are alike from p",
                "alpha_split": "CHAID, QUEST: split up to p",
                "confidence": "Confidence of error-based pruning",
                "min_samples_split": "Rows to be split",
                "min_samples_leaf": "Rows in a leaf",
                "max_leaf_nodes": "Most leaves",
                "min_gain": "Least score of a split",
                "min_impurity_decrease": "Least fall of impurity",
            },
        },
        labelled=True,
        query="always",
        start={"source": "library", "data": "iris", "test": "0.3"},
        scene=scene,
        options={
            "build": ui.Option(
                "Build it yourself",
                Flag(),
                False,
                "You choose the split of each node, and then see what the algorithm would have chosen.",
            )
        },
        splits="choices",
        results={},
        equivalent=lambda run: decision_tree_code(run.estimator()),
        reference=lambda run: decision_tree_reference(
            run.estimator(), run.problem.training.data, run.problem.training.y
        ),
        compare=("predict_proba",),
        plots=(
            ui.Plot(
                "Rules",
                lambda run: plot_tree_rules(tree_rules_data(run.problem, run.fitted)),
                "One rule for each leaf: the way from the root to it.",
            ),
            ui.confusion_matrix(),
            ui.Plot(
                "Error against depth",
                lambda run: plot_tree_depth(tree_depth_data(run.problem, run.fitted)),
                "The training error falls with every level. Where the test error stops falling, the tree learns noise.",
            ),
            ui.Plot(
                "Pruning path",
                lambda run: plot_pruning_path(pruning_path_data(run.problem, run.fitted, run.seed)),
                "All trees that are best for some α, and their error in cross-validation. Set α so that yours is left.",
            ),
        ),
        presets=(
            ui.Preset(
                "ID3: shall we play?",
                "Outlook gains 0.247 bits, humidity only 0.152. Then one more question on either side leaves no error.",
                {"data": "weather_nominal", "test": 0.0, **ID3},
            ),
            ui.Preset(
                "C4.5: grow, then prune",
                "The tree grows to 6 leaves. Then each subtree must show that fewer errors are to be expected of it "
                "than of a leaf: 4 leaves stay.",
                {"data": "contact_lenses", "test": 0.0, "pruning": "error_based", **C45},
            ),
            ui.Preset(
                "1R: a single question",
                "Petal length in three intervals: only 4 of 105 training rows and 3 of 45 test rows are wrong.",
                {"data": "iris", **ONE_R},
            ),
            ui.Preset(
                "CART: who answers for a missing value?",
                "Row 4 lacks all measurements: at the end, the island answers as surrogate. "
                "Set “Rows without the value go” to fractional: now it goes both ways, in parts.",
                {"data": "penguins", "ccp_alpha": 0.02, "point": 4}
                | {"penguins.features": ["flipper_length_mm", "bill_length_mm", "bill_depth_mm", "island"], **CART},
            ),
            ui.Preset(
                "CHAID: who is alike?",
                "Fixed and reversible defects are alike, so they share a branch of thal, and a row without the value "
                "joins them. 9 leaves, and 16 of 91 test rows are wrong; by gini there are 57, and 24 are wrong.",
                {"data": "heart_disease", **CHAID}
                | {"heart_disease.features": ["thal", "max_heart_rate", "chest_pain", "vessels"]},
            ),
            ui.Preset(
                "QUEST: a cut between two bells",
                "Setosa’s petals hardly vary in length, so the densities are equal close to them, at 2.11; gini cuts "
                "in the middle of the gap, at 2.6. F chose the column before any cut was looked for.",
                {"data": "iris", **QUEST},
            ),
            ui.Preset(
                "A tree that learned the noise",
                "86 leaves: 2 of 212 training rows wrong, but 38 of 91 test rows. Set α to 0.010: 6 leaves, and 31 of "
                "91. Below, the pruning path shows why this α.",
                {"data": "heart_disease"},
            ),
            ui.Preset(
                "Exclusive or",
                "The best first split gains only 0.024: alone no column says anything. Two levels down it comes apart.",
                {"source": "generator", "generator": "xor", "xor.n_samples": 200},
            ),
            ui.Preset(
                "A name for each row",
                "The animal's name gains most: no training error, 18 of 30 test rows wrong. Choose gain ratio: milk "
                "comes first, and 12 are wrong. Choose CHAID or QUEST, which charge for the choice: 2.",
                {"data": "zoo", "zoo.features": ["animal", "milk", "feathers", "backbone", "legs", "fins", "toothed"]}
                | ID3,
            ),
            ui.Preset(
                "Build it yourself",
                "Drag the line or move the slider, then press Split: the table tells what your split lost.",
                {"data": "iris", "build": True},
            ),
        ),
        sources=(
            "J. R. Quinlan (1986), Induction of decision trees",
            "J. R. Quinlan (1993), C4.5: programs for machine learning",
            "L. Breiman, J. H. Friedman, R. A. Olshen and C. J. Stone (1984), Classification and regression trees",
            "G. V. Kass (1980), An exploratory technique for investigating large quantities of categorical data",
            "W.-Y. Loh and Y.-S. Shih (1997), Split selection methods for classification trees",
            "R. C. Holte (1993), Very simple classification rules perform well on most commonly used datasets",
        ),
    )
)
