"""Apriori by mlxtend, and its candidates and passes by definition."""

from __future__ import annotations

from typing import Any

import pandas as pd

from dmlib.association.apriori.algorithm import Apriori, AprioriHybrid
from dmlib.association.mlxtend_reference import itemset_values
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import BasketsProblem


def mine_itemsets(
    X: pd.DataFrame, min_support: float, max_length: int | None, method: str, max_entries: int
) -> Any:
    """Mine the baskets with mlxtend's apriori; count candidates and passes by definition."""
    from mlxtend.frequent_patterns import apriori

    from dmlib.association.apriori.definition import candidates, passes
    from dmlib.comparison import Answers

    table = apriori(X, min_support=min_support, max_len=max_length)
    values = itemset_values(table, n_items=X.shape[1])
    counted = candidates(set(table["itemsets"]), X.to_numpy(), max_length, method)
    values["n_candidates_"] = len(counted)
    values["n_passes_"] = passes(counted, X.to_numpy(), min_support, method, max_entries)
    return Answers("mlxtend.frequent_patterns.apriori", values)


def apriori_reference(run: Run[BasketsProblem, Apriori]) -> Reference:
    """Return the same run by mlxtend."""
    model = run.model
    return Reference(
        mine_itemsets,
        "X",
        helpers=(itemset_values,),
        min_support=model.min_support,
        max_length=model.max_length,
        method=type(model).__name__,
        max_entries=model.max_entries if isinstance(model, AprioriHybrid) else 0,
    )
