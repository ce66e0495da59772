"""FP-growth by mlxtend, and the sizes of its trees by definition."""

from __future__ import annotations

from typing import Any

import pandas as pd

from dmlib.association.fp_growth.algorithm import FPGrowth
from dmlib.association.mlxtend_reference import itemset_values
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import BasketsProblem


def mine_itemsets(X: pd.DataFrame, min_support: float, max_length: int | None, order: str) -> Any:
    """Mine the baskets with mlxtend's fpgrowth; count the nodes and trees by definition."""
    from mlxtend.frequent_patterns import fpgrowth

    from dmlib.association.fp_growth.definition import conditional_trees, ordered, prefixes
    from dmlib.comparison import Answers

    values = itemset_values(
        fpgrowth(X, min_support=min_support, max_len=max_length), n_items=X.shape[1]
    )
    baskets = ordered(X.to_numpy(), min_support, order)
    values["n_nodes_"] = len(prefixes(baskets))
    min_count = min_support * len(X) - 1e-9
    values["n_trees_"] = conditional_trees(baskets, min_count, max_length or X.shape[1])
    return Answers("mlxtend.frequent_patterns.fpgrowth", values)


def fp_growth_reference(run: Run[BasketsProblem, FPGrowth]) -> Reference:
    """Return the same run by mlxtend."""
    model = run.model
    return Reference(
        mine_itemsets,
        "X",
        helpers=(itemset_values,),
        min_support=model.min_support,
        max_length=model.max_length,
        order=model.order,
    )
