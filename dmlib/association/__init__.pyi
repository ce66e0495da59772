from .apriori.algorithm import (
    Apriori,
    AprioriHybrid,
    AprioriStep,
    AprioriTid,
    apriori,
    apriori_steps,
)
from .apriori.extending import AIS, SETM
from .association_rules.algorithm import AssociationRules, RuleStep, association_rules
from .association_rules.measures import adjusted_p, fisher_p, rule_measures
from .association_rules.multiple_support import MultipleSupportApriori, MultipleSupportStep
from .fp_growth.algorithm import FPGrowth, FPGrowthStep, fp_growth, fp_growth_steps
from .table_items import TableItems, table_items

__all__ = [
    "AIS",
    "SETM",
    "Apriori",
    "AprioriHybrid",
    "AprioriStep",
    "AprioriTid",
    "AssociationRules",
    "FPGrowth",
    "FPGrowthStep",
    "MultipleSupportApriori",
    "MultipleSupportStep",
    "RuleStep",
    "TableItems",
    "adjusted_p",
    "apriori",
    "apriori_steps",
    "association_rules",
    "fisher_p",
    "fp_growth",
    "fp_growth_steps",
    "rule_measures",
    "table_items",
]
