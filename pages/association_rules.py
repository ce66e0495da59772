import dashboard
from dmlib.association import AssociationRules, MultipleSupportApriori
from dmlib.association.association_rules.figures.rule_graph import rule_graph
from dmlib.association.association_rules.figures.rule_matrix import rule_matrix
from dmlib.association.association_rules.figures.rule_table import rule_table
from dmlib.association.association_rules.questions import Rule, questions
from dmlib.association.association_rules.reference import rules_reference
from dmlib.association.association_rules.scene import rules_scene

TECHNIQUE = dashboard.Technique(
    slug="association_rules",
    methods={
        "One minimum support": AssociationRules,
        "Multiple min. supports": MultipleSupportApriori,
    },
    labels={
        "Algorithm": {
            "min_support": "Minimum support (min_support)",
            "beta": "Fraction of support (beta)",
            "least_support": "Lowest minimum (least_support)",
            "min_confidence": "Minimum confidence (min_confidence)",
            "drop_redundant": "Drop redundant rules",
            "significant_only": "Significant rules only",
        },
        "Filters": {
            "metric": "Measure (metric)",
            "min_threshold": "Minimum value (min_threshold)",
            "correction": "Correction of p-values",
            "max_length": "Maximum length (max_length)",
        },
    },
    scene=rules_scene,
    check=dashboard.Check(rules_reference, ("n_itemsets_", "n_rules_", "measures_")),
    results={"Rules": "n_rules_", "Frequent item sets": "n_itemsets_"},
    data=dashboard.TableBaskets(start={"source": "library", "data": "planted_baskets"}),
    figures=(
        dashboard.Plot("All measures", rule_table, "Each rule with all its measures."),
        dashboard.Plot("Matrix", rule_matrix, "Antecedents against consequents, coloured by lift."),
        dashboard.Plot("Graph", rule_graph, "Items as nodes, rules as links between them."),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(
        dashboard.Drag("min_confidence"),
        dashboard.Drag("min_support"),
        dashboard.Drag("least_support"),
        dashboard.ItemSupports(),
    ),
    selects="rule",
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
