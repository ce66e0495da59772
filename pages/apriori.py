import dashboard
from dmlib.association import AIS, SETM, Apriori, AprioriHybrid, AprioriTid
from dmlib.association.apriori.figures.candidates_by_method import candidates_by_method
from dmlib.association.apriori.figures.memory_by_method import memory_by_method
from dmlib.association.apriori.questions import Rule, questions
from dmlib.association.apriori.reference import apriori_reference
from dmlib.association.apriori.scene import apriori_scene
from dmlib.association.figures.itemset_table import itemset_table
from dmlib.association.figures.supports_by_size import supports_by_size

TECHNIQUE = dashboard.Technique(
    slug="apriori",
    methods={
        "Apriori": Apriori,
        "AprioriTid": AprioriTid,
        "AprioriHybrid": AprioriHybrid,
        "AIS": AIS,
        "SETM": SETM,
    },
    labels={
        "Algorithm": {
            "min_support": "Minimum support (min_support)",
            "max_length": "Maximum length (max_length)",
        }
    },
    opening="bread-milk-and-nappies",
    scene=apriori_scene,
    check=dashboard.Check(apriori_reference, ("n_itemsets_", "support_", "membership_")),
    results={
        "Frequent item sets": "n_itemsets_",
        "Candidates counted": "n_candidates_",
        "Passes": "n_passes_",
    },
    data=dashboard.Baskets(start={"source": "library", "data": "five_baskets"}),
    figures=(
        dashboard.Plot(
            "Supports", supports_by_size, "The support of each frequent item set by its size."
        ),
        dashboard.Plot(
            "Maximal, closed",
            itemset_table,
            "All frequent item sets, maximal and closed ones marked.",
        ),
        dashboard.Plot(
            "Methods", memory_by_method, "Candidates, passes and memory of each method."
        ),
        dashboard.Plot(
            "Candidates", candidates_by_method, "The number of candidates of each method, by level."
        ),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(dashboard.SupportCount(), dashboard.Drag("min_support")),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
