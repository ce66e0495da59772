import dashboard
from dmlib.association import FPGrowth
from dmlib.association.figures.itemset_table import itemset_table
from dmlib.association.figures.supports_by_size import supports_by_size
from dmlib.association.fp_growth.figures.against_apriori import against_apriori
from dmlib.association.fp_growth.figures.nodes_by_basket import nodes_by_basket
from dmlib.association.fp_growth.figures.nodes_by_order import nodes_by_order
from dmlib.association.fp_growth.questions import Rule, questions
from dmlib.association.fp_growth.reference import fp_growth_reference
from dmlib.association.fp_growth.scene import fp_growth_scene

TECHNIQUE = dashboard.Technique(
    slug="fp_growth",
    methods={"FP-growth": FPGrowth},
    labels={
        "Algorithm": {
            "min_support": "Minimum support (min_support)",
            "max_length": "Maximum length (max_length)",
            "order": "Order of the items (order)",
        }
    },
    scene=fp_growth_scene,
    check=dashboard.Check(fp_growth_reference, ("n_itemsets_", "support_", "membership_")),
    results={
        "Frequent item sets": "n_itemsets_",
        "Nodes of the tree": "n_nodes_",
        "Conditional trees": "n_trees_",
    },
    data=dashboard.Baskets(start={"source": "library", "data": "han_pei_yin"}),
    figures=(
        dashboard.Plot(
            "Against Apriori",
            against_apriori,
            "Candidates of Apriori and nodes of FP-growth on the same baskets.",
        ),
        dashboard.Plot(
            "Nodes", nodes_by_basket, "Items in the baskets, and the nodes that hold them."
        ),
        dashboard.Plot(
            "Order", nodes_by_order, "The size of the tree for other orders of the items."
        ),
        dashboard.Plot(
            "Supports", supports_by_size, "The support of each frequent item set by its size."
        ),
        dashboard.Plot(
            "Maximal, closed",
            itemset_table,
            "All frequent item sets, maximal and closed ones marked.",
        ),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(dashboard.SupportCount(), dashboard.Drag("min_support")),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
